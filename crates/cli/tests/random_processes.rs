//! Small random processes with data in mCRL2 through both engines, all strategies, layers and switches: each
//! way must tell what a plain breadth-first search tells.
//!
//! `PINSCHER_SEED=N` begins with the text of that number, `PINSCHER_FUZZ=N` takes so many texts.

#[path = "random_models/processes.rs"]
mod processes;
#[path = "random_models/ways.rs"]
mod ways;

mod common;

use std::collections::BTreeMap;

use processes::random_processes;
use ways::{Case, complain, number, properties, random_way};

/// Texts in a run of the test-suite.
const TEXTS: u64 = 40;

/// Ways for each text.
const WAYS: usize = 10;

#[test]
fn all_ways_tell_the_same_of_random_processes() {
    let (first, count) = (number("PINSCHER_SEED", 1), number("PINSCHER_FUZZ", TEXTS));
    let mut seen = BTreeMap::<String, u64>::new();
    let mut failures = 0;
    for seed in first..first + count {
        let mut random = base::SplitMix64::new(seed);
        let text = random_processes(&mut random);
        let action = ["c0*", "c1*", "go*", "tau"][random.below(4)];
        let questions = if random.chance(50) { vec![] } else { vec!["--deadlock", "--action", action] };
        let case = Case::new("model.mcrl2", text.clone(), questions.into_iter().map(str::to_owned).collect());
        let Some(wanted) = case.reference() else {
            *seen.entry("no model, or a large one".into()).or_default() += 1;
            continue;
        };
        let size = wanted["states"].as_str().map_or(0, str::len);
        *seen.entry(format!("states of {size} digits")).or_default() += 1;
        for property in properties(&wanted) {
            let verdict = property["reason"].as_str().or(property["verdict"].as_str()).unwrap();
            *seen.entry(verdict.to_owned()).or_default() += 1;
        }
        for _ in 0..WAYS {
            let (way, find_all) = (random_way(&mut random, false), random.chance(70));
            if let Err(wrong) = complain(&case, &wanted, find_all, &way) {
                let all = if find_all { "--all " } else { "" };
                eprintln!(
                    "PINSCHER_SEED={seed}: {wrong}\n{all}{} {:?}\n{text}",
                    way.join(" "),
                    case.questions
                );
                failures += 1;
                break;
            }
        }
    }
    println!("{seen:?}");
    assert_eq!(failures, 0, "texts that are not the same in all ways");
    if count >= TEXTS {
        for wanted in ["holds", "violated", "evaluation-error"] {
            assert!(seen.get(wanted).is_some_and(|&times| times > 0), "no {wanted} among {seen:?}");
        }
    }
}
