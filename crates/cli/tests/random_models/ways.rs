//! Ways to search, and whether two of them tell the same of a model.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use base::SplitMix64;
use serde_json::Value;

use crate::common::Scratch;

/// Larger models are left out.
const MOST_STATES: &str = "5000";

const STRATEGIES: &[&str] =
    &["bfs", "bfs-prev", "chain", "chain-prev", "sat-like", "sat-loop", "sat-fix", "sat"];
const ORDERS: &[&str] = &["none", "auto", "reverse", "random:7", "force", "sort"];
const MERGES: &[&str] = &["none", "equal", "subsume"];

/// Options of a search.
type Way = Vec<String>;

/// Any way to search; groups that change nothing may be left out if only an invariant is asked for.
pub fn random_way(random: &mut SplitMix64, invariant_alone: bool) -> Way {
    let mut way: Way = Vec::new();
    let mut option = |name: &str, value: &str| way.extend([name.to_owned(), value.to_owned()]);
    option("--reorder", random.pick(ORDERS));
    option("--merge", random.pick(MERGES));
    match random.pick(&["none", "constants", "loops", ""]) {
        // Left to the engine.
        "" => {}
        "loops" if !invariant_alone => {}
        what => option("--eliminate", what),
    }
    if random.chance(20) {
        option("--engine", "explicit");
        option("--strategy", random.pick(&["bfs", "bfs", "dfs"]));
    } else {
        option("--engine", "symbolic");
        option("--strategy", random.pick(STRATEGIES));
        for switch in ["--split-guards", "--separate", "--effects"] {
            if random.chance(70) {
                option(switch, random.pick(&["on", "off"]));
            }
        }
        option("--threads", random.pick(&["1", "1", "2"]));
    }
    let mut option = |name: &str, value: &str| way.extend([name.to_owned(), value.to_owned()]);
    if random.chance(30) {
        option("--cache", random.pick(&["thread", "shared", "off"]));
    }
    if random.chance(20) {
        way.push("--check-matrices".into());
    }
    way
}

/// Where a text stands while it is checked, and which questions are asked.
pub struct Case {
    pub folder: Scratch,
    /// The file in it.
    pub name: &'static str,
    pub questions: Vec<String>,
}

impl Case {
    pub fn new(name: &'static str, text: String, questions: Vec<String>) -> Self {
        let folder = Scratch::new();
        folder.file(name, text);
        Self { folder, name, questions }
    }

    /// The report of a check, or what was wrong with it.
    pub fn check(&self, options: &[&str], way: &[String]) -> Result<Value, String> {
        let file = self.folder.path().join(self.name);
        let fixed = ["pinscher", "check", file.to_str().unwrap(), "--json", "--quiet", "--memory", "128M"];
        let all = fixed.iter().chain(options).map(|word| (*word).to_owned()).chain(way.iter().cloned());
        let arguments = all.chain(self.questions.iter().cloned()).map(Into::into);
        let (mut out, mut errors) = (Vec::new(), Vec::new());
        let run = || cli::run(arguments.collect::<Vec<std::ffi::OsString>>(), &mut out, &mut errors);
        let code = catch_unwind(AssertUnwindSafe(run)).map_err(|_| "it panicked".to_owned())?;
        let report: Value = serde_json::from_slice(&out).map_err(|error| error.to_string())?;
        let codes = BTreeMap::from([("holds", 0), ("violated", 1), ("unknown", 3)]);
        match report["verdict"].as_str().and_then(|verdict| codes.get(verdict)) {
            Some(wanted) if *wanted == code => Ok(report),
            _ => Err(format!("exit code {code}: {}{}", report["error"], String::from_utf8_lossy(&errors))),
        }
    }

    /// The report that all others must agree with, if the model is one and is small.
    pub fn reference(&self) -> Option<Value> {
        let way = ["--engine", "explicit", "--strategy", "bfs", "--states", MOST_STATES].map(str::to_owned);
        let report = self.check(&["--all"], &way).ok()?;
        (report["explored"] != MOST_STATES).then_some(report)
    }
}

fn is_one_of(way: &[String], words: &[&str]) -> bool {
    way.iter().any(|word| words.contains(&word.as_str()))
}

/// Each property with its name.
pub fn properties(report: &Value) -> impl Iterator<Item = &Value> {
    report["properties"].as_array().into_iter().flatten()
}

/// How a property was answered: its verdict, the reason, the length of its run.
fn told(property: &Value) -> (&Value, &Value, &Value) {
    (&property["verdict"], &property["reason"], &property["witness"]["length"])
}

/// Whether groups that change nothing were left out, so that deadlocks are not known. Every other search that
/// sees all counts them.
pub fn leaves_out_loops(found: &Value) -> bool {
    found["deadlocks"].is_null()
        && found["states"].is_string()
        && properties(found).all(|it| it["name"] != "deadlock")
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

/// The report, or what is wrong with it.
pub fn complain(case: &Case, wanted: &Value, find_all: bool, way: &[String]) -> Result<Value, String> {
    let options: &[&str] = if find_all { &["--all"] } else { &[] };
    let found = case.check(options, way)?;
    if find_all { compare(&found, wanted, way) } else { compare_first(&found, wanted, way) }.map(|()| found)
}

/// A number from the environment.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}
