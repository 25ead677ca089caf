//! Small random models through both engines, all strategies, layers and switches: each way must tell what a
//! plain breadth-first search tells. What fails is shrunk and shown.
//!
//! `PINSCHER_SEED=N` begins with the model of that number, `PINSCHER_FUZZ=N` takes so many models.

#[path = "random_models/generator.rs"]
mod generator;
#[path = "random_models/shrinking.rs"]
mod shrinking;
#[path = "random_models/ways.rs"]
mod ways;

mod common;

use std::collections::BTreeMap;

use generator::{RandomModel, random_model};
use shrinking::shrunk;
use ways::{Case, complain, leaves_out_loops, number, properties, random_way};

/// Models in a run of the test-suite.
const MODELS: u64 = 40;

/// Ways for each model.
const WAYS: usize = 12;

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

fn case_of(model: &RandomModel, ask: Ask) -> Case {
    Case::new("model.dve", model.text(), ask.questions(model))
}

/// What a way gets wrong with a model.
fn complaint(model: &RandomModel, ask: Ask, find_all: bool, way: &[String]) -> Option<String> {
    let case = case_of(model, ask);
    let wanted = case.reference()?;
    complain(&case, &wanted, find_all, way).err()
}

#[test]
fn all_ways_tell_the_same_of_random_models() {
    let (first, count) = (number("PINSCHER_SEED", 1), number("PINSCHER_FUZZ", MODELS));
    let mut seen = BTreeMap::<String, u64>::new();
    let mut failures = 0;
    for seed in first..first + count {
        let mut random = base::SplitMix64::new(seed);
        let model = random_model(&mut random);
        let ask = if random.chance(50) { Ask::Everything } else { Ask::Named };
        let ask = if random.chance(30) { Ask::Invariant } else { ask };
        let case = case_of(&model, ask);
        let Some(wanted) = case.reference() else {
            *seen.entry("no model, or a large one".into()).or_default() += 1;
            continue;
        };
        for property in properties(&wanted) {
            let verdict = property["reason"].as_str().or(property["verdict"].as_str()).unwrap();
            *seen.entry(verdict.to_owned()).or_default() += 1;
        }
        for _ in 0..WAYS {
            let (way, find_all) = (random_way(&mut random, ask == Ask::Invariant), random.chance(70));
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
