//! Small random models through both engines, all strategies, layers and switches: each way must tell what a plain
//! breadth-first search tells. What fails is shrunk and shown.
//!
//! `PINSCHER_SEED=N` begins with the model of that number, `PINSCHER_FUZZ=N` takes so many models.

#[path = "random_models/generator.rs"]
mod generator;
#[path = "random_models/shrinking.rs"]
mod shrinking;

mod common;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::Scratch;
use generator::{Random, RandomModel, random_model};
use serde_json::Value;
use shrinking::shrunk;

/// Models in a run of the test-suite.
const MODELS: u64 = 40;

/// Ways for each model.
const WAYS: usize = 12;

/// Larger models are left out.
const MOST_STATES: &str = "5000";

const STRATEGIES: &[&str] = &["bfs", "bfs-prev", "chain", "chain-prev", "sat-like", "sat-loop", "sat-fix", "sat"];
const ORDERS: &[&str] = &["none", "auto", "reverse", "random:7", "force", "sort"];
const MERGES: &[&str] = &["none", "equal", "subsume"];

/// Options of a search.
type Way = Vec<String>;

/// What is asked of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ask {
    /// All that the file states.
    Everything,
    /// Something of each kind.
    Named,
    /// An invariant alone: what changes nothing can be left out.
    Invariant,
}

impl Ask {
    fn questions(self, model: &RandomModel) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Everything => &[],
            Self::Named => &["--deadlock", "--invariant", &model.invariant, "--action", &model.action],
            Self::Invariant => &["--invariant", &model.invariant],
        };
        words.iter().map(|&word| word.to_owned()).collect()
    }
}

fn random_way(random: &mut Random, ask: Ask) -> Way {
    let mut way: Way = Vec::new();
    let mut option = |name: &str, value: &str| way.extend([name.to_owned(), value.to_owned()]);
    option("--reorder", random.one_of(ORDERS));
    option("--merge", random.one_of(MERGES));
    match random.one_of(&["none", "constants", "loops", ""]) {
        // Left to the engine.
        "" => {}
        "loops" if ask != Ask::Invariant => {}
        what => option("--eliminate", what),
    }
    if random.chance(20) {
        option("--engine", "explicit");
        option("--strategy", random.one_of(&["bfs", "bfs", "dfs"]));
    } else {
        option("--engine", "symbolic");
        option("--strategy", random.one_of(STRATEGIES));
        for switch in ["--split-guards", "--separate", "--effects"] {
            if random.chance(70) {
                option(switch, random.one_of(&["on", "off"]));
            }
        }
        option("--threads", random.one_of(&["1", "1", "2"]));
    }
    let mut option = |name: &str, value: &str| way.extend([name.to_owned(), value.to_owned()]);
    if random.chance(30) {
        option("--cache", random.one_of(&["thread", "shared", "off"]));
    }
    if random.chance(20) {
        way.push("--check-matrices".into());
    }
    way
}

/// Where a text stands while it is checked, and which questions are asked.
struct Case {
    folder: Scratch,
    questions: Vec<String>,
}

impl Case {
    fn new(model: &RandomModel, ask: Ask) -> Self {
        let folder = Scratch::new();
        folder.file("model.dve", model.text());
        Self { folder, questions: ask.questions(model) }
    }

    /// The report of a check, or what was wrong with it.
    fn check(&self, options: &[&str], way: &[String]) -> Result<Value, String> {
        let file = self.folder.path().join("model.dve");
        let fixed = ["pinscher", "check", file.to_str().unwrap(), "--json", "--quiet", "--memory", "128M"];
        let all = fixed.iter().chain(options).map(|word| (*word).to_owned()).chain(way.iter().cloned());
        let arguments = all.chain(self.questions.iter().cloned()).map(Into::into);
        let (mut out, mut errors) = (Vec::new(), Vec::new());
        let run = || pinscher::run(arguments.collect::<Vec<std::ffi::OsString>>(), &mut out, &mut errors);
        let code = catch_unwind(AssertUnwindSafe(run)).map_err(|_| "it panicked".to_owned())?;
        let report: Value = serde_json::from_slice(&out).map_err(|error| error.to_string())?;
        let codes = BTreeMap::from([("holds", 0), ("violated", 1), ("unknown", 3)]);
        match report["verdict"].as_str().and_then(|verdict| codes.get(verdict)) {
            Some(wanted) if *wanted == code => Ok(report),
            _ => Err(format!("exit code {code}: {}{}", report["error"], String::from_utf8_lossy(&errors))),
        }
    }

    /// The report that all others must agree with, if the model is one and is small.
    fn reference(&self) -> Option<Value> {
        let way = ["--engine", "explicit", "--strategy", "bfs", "--states", MOST_STATES].map(str::to_owned);
        let report = self.check(&["--all"], &way).ok()?;
        (report["explored"] != MOST_STATES).then_some(report)
    }
}

fn is_one_of(way: &[String], words: &[&str]) -> bool {
    way.iter().any(|word| words.contains(&word.as_str()))
}

/// Each property with its name.
fn properties(report: &Value) -> impl Iterator<Item = &Value> {
    report["properties"].as_array().into_iter().flatten()
}

/// How a property was answered: its verdict, the reason, the length of its run.
fn told(property: &Value) -> (&Value, &Value, &Value) {
    (&property["verdict"], &property["reason"], &property["witness"]["length"])
}

/// Whether groups that change nothing were left out, so that deadlocks are not known. Every other search that sees all counts them.
fn leaves_out_loops(found: &Value) -> bool {
    found["deadlocks"].is_null() && found["states"].is_string() && properties(found).all(|it| it["name"] != "deadlock")
}

/// Says what is different in a search that saw everything.
fn compare(found: &Value, wanted: &Value, way: &[String]) -> Result<(), String> {
    let same = |what: &str, ours: &Value, theirs: &Value| match ours == theirs {
        true => Ok(()),
        false => Err(format!("{what}: {ours}, not {theirs}")),
    };
    for key in ["verdict", "reason", "states", "explored"] {
        same(key, &found[key], &wanted[key])?;
    }
    if !leaves_out_loops(found) {
        same("deadlocks", &found["deadlocks"], &wanted["deadlocks"])?;
    }
    if is_one_of(way, &["bfs", "bfs-prev"]) {
        same("levels", &found["levels"], &wanted["levels"])?;
    }
    for (ours, theirs) in properties(found).zip(properties(wanted)) {
        let name = ours["name"].to_string();
        same("name", &ours["name"], &theirs["name"])?;
        same(&name, &ours["verdict"], &theirs["verdict"])?;
        same(&name, &ours["reason"], &theirs["reason"])?;
        let (length, least) = (&ours["witness"]["length"], &theirs["witness"]["length"]);
        if is_one_of(way, &["dfs"]) {
            if length.as_u64() < least.as_u64() {
                return Err(format!("{name}: {length} steps, not {least}"));
            }
        } else {
            same(&name, length, least)?;
        }
        if !ours["violations"].is_null() {
            same(&name, &ours["violations"], &theirs["violations"])?;
        }
    }
    Ok(())
}

/// Says what is wrong with a search that may have ended at its first violation.
fn compare_first(found: &Value, wanted: &Value, way: &[String]) -> Result<(), String> {
    let is_violated = |report: &Value| properties(report).any(|property| property["verdict"] == "violated");
    if is_violated(found) != is_violated(wanted) {
        return Err("a violation was missed or made up".into());
    }
    for (ours, theirs) in properties(found).zip(properties(wanted)) {
        let is_cut_off = is_violated(wanted) && ours["verdict"] == "unknown";
        let is_longer = is_one_of(way, &["dfs"]) && ours["verdict"] == theirs["verdict"];
        if told(ours) != told(theirs) && !is_cut_off && !is_longer {
            return Err(format!("{}: {:?}, not {:?}", ours["name"], told(ours), told(theirs)));
        }
    }
    Ok(())
}

/// What a way gets wrong with a model.
fn complaint(model: &RandomModel, ask: Ask, find_all: bool, way: &[String]) -> Option<String> {
    let case = Case::new(model, ask);
    let wanted = case.reference()?;
    complain(&case, &wanted, find_all, way).err()
}

/// The report, or what is wrong with it.
fn complain(case: &Case, wanted: &Value, find_all: bool, way: &[String]) -> Result<Value, String> {
    let options: &[&str] = if find_all { &["--all"] } else { &[] };
    let found = case.check(options, way)?;
    if find_all { compare(&found, wanted, way) } else { compare_first(&found, wanted, way) }.map(|()| found)
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn all_ways_tell_the_same_of_random_models() {
    let (first, count) = (number("PINSCHER_SEED", 1), number("PINSCHER_FUZZ", MODELS));
    let mut seen = BTreeMap::<String, u64>::new();
    let mut failures = 0;
    for seed in first..first + count {
        let mut random = Random(seed);
        let model = random_model(&mut random);
        let ask = if random.chance(50) { Ask::Everything } else { Ask::Named };
        let ask = if random.chance(30) { Ask::Invariant } else { ask };
        let case = Case::new(&model, ask);
        let Some(wanted) = case.reference() else {
            *seen.entry("no model, or a large one".into()).or_default() += 1;
            continue;
        };
        for property in properties(&wanted) {
            let verdict = property["reason"].as_str().or(property["verdict"].as_str()).unwrap();
            *seen.entry(verdict.to_owned()).or_default() += 1;
        }
        for _ in 0..WAYS {
            let (way, find_all) = (random_way(&mut random, ask), random.chance(70));
            let wrong = match complain(&case, &wanted, find_all, &way) {
                Ok(found) => {
                    *seen.entry("without loops".into()).or_default() += u64::from(leaves_out_loops(&found));
                    continue;
                }
                Err(wrong) => wrong,
            };
            let fails = |smaller: &RandomModel| complaint(smaller, ask, find_all, &way).is_some();
            let small = shrunk(model.clone(), fails);
            let still = complaint(&small, ask, find_all, &way).unwrap_or_default();
            let all = if find_all { "--all " } else { "" };
            eprintln!("PINSCHER_SEED={seed}: {wrong}\nshrunk: {still}\n{all}{}", way.join(" "));
            eprintln!("{:?}\n{}", ask.questions(&small), small.text());
            failures += 1;
            break;
        }
    }
    println!("{seen:?}");
    assert_eq!(failures, 0, "models that are not the same in all ways");
    if count >= MODELS {
        for wanted in ["holds", "violated", "evaluation-error", "without loops"] {
            assert!(seen.get(wanted).is_some_and(|&times| times > 0), "no {wanted} among {seen:?}");
        }
    }
}
