//! The nets of the Model Checking Contest with its answers, where they are at hand.

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use base::Source;
use lang_pnml::{PnmlNet, Query, Question};
use support::Seen;

/// The naive search keeps every marking as a vector of its own.
const MOST_STATES: usize = 65_000;

const FORMULA_FILES: [&str; 7] = [
    "UpperBounds",
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
];

fn net(path: &Path) -> PnmlNet {
    support::net(std::fs::read_to_string(path).unwrap())
}

/// The questions of a file that lies beside the net, if it does.
fn queries(path: &Path, file: &str, net: &PnmlNet) -> Vec<Query> {
    let Ok(text) = std::fs::read_to_string(path.with_file_name(format!("{file}.xml"))) else {
        return Vec::new();
    };
    let source = Source::new(file, text);
    lang_pnml::queries(&source, net).unwrap_or_else(|said| panic!("{}", base::render_all(&said, &source, 9)))
}

#[test]
fn all_nets_and_all_formulas_are_read() {
    let Some((folder, wanted)) = support::published() else { return };
    for name in wanted.keys() {
        let path = folder.join(name);
        let net = net(&path);
        assert_eq!(net.warnings, [], "{name}");
        for file in FORMULA_FILES {
            let queries = queries(&path, file, &net);
            assert!(queries.len() == 16 || !name.starts_with("mcc"), "{name} {file}");
            for query in &queries {
                let fits = match &query.question {
                    Question::Bound(_) => file == "UpperBounds",
                    Question::Possible(_) | Question::Always(_) => !file.starts_with("Upper"),
                    Question::Temporal(_) => file.contains("TL"),
                    Question::Initially(_) => file.starts_with("CTL"),
                    _ => false,
                };
                assert!(fits, "{} is {:?}", query.id, query.question);
            }
        }
    }
}

#[test]
fn published_counts_and_answers() {
    let Some((folder, wanted)) = support::published() else { return };
    let (mut counts, mut answers) = (0, 0);
    for (name, wanted) in &wanted {
        if wanted
            .get("states")
            .and_then(|states| states.parse().ok())
            .is_none_or(|states: usize| states > MOST_STATES)
        {
            continue;
        }
        let path = folder.join(name);
        let net = net(&path);
        let seen =
            support::explore(&net.net, MOST_STATES).unwrap_or_else(|| panic!("{name} has too many states"));
        let tokens = |marking: &Vec<u32>| marking.iter().map(|&tokens| u64::from(tokens)).sum::<u64>();
        let found = BTreeMap::from([
            ("states", seen.markings.len() as u64),
            ("transitions", seen.firings as u64),
            ("max_token_in_place", seen.markings.iter().flatten().copied().max().unwrap_or(0).into()),
            ("max_token_per_marking", seen.markings.iter().map(tokens).max().unwrap_or(0)),
        ]);
        for (property, found) in found {
            if let Some(wanted) = wanted.get(property).and_then(|value| value.parse::<u64>().ok()) {
                println!("{name} {property} {found} {wanted}");
                assert_eq!(found, wanted, "{property} of {name}");
                counts += 1;
            }
        }
        for (property, found) in global(&net, &seen) {
            if let Some(wanted) = wanted.get(property).filter(|wanted| *wanted != "?") {
                assert_eq!(found.to_string().to_uppercase(), wanted.to_uppercase(), "{property} of {name}");
                answers += 1;
            }
        }
        for file in FORMULA_FILES {
            for query in queries(&path, file, &net) {
                let wanted = wanted.get(&format!("{file}:{}", query.id));
                if let (Some(found), Some(wanted)) = (answer(&query.question, &seen), wanted) {
                    assert_eq!(found, wanted.to_uppercase(), "{}", query.id);
                    answers += 1;
                }
            }
        }
    }
    println!("{counts} counts and {answers} answers compared");
    assert!(counts > 0 && answers > 0, "expected.csv names no model with a count");
}

/// What the markings say to a question, if it is about single markings.
fn answer(question: &Question, seen: &Seen) -> Option<String> {
    let mut markings = seen.markings.iter();
    let truth = |value: bool| if value { "TRUE" } else { "FALSE" }.to_owned();
    Some(match question {
        Question::Possible(predicate) => truth(markings.any(|marking| predicate.holds(marking))),
        Question::Always(predicate) => truth(markings.all(|marking| predicate.holds(marking))),
        Question::Initially(predicate) => truth(predicate.holds(&seen.markings[0])),
        Question::Bound(sum) => markings.map(|marking| sum.value(marking)).max().unwrap_or(0).to_string(),
        _ => return None,
    })
}

/// What is asked of a net as a whole. It is about the places and transitions of the file: a coloured place is
/// safe if it has one token of any colour, and stable if it has always the same number of them, and a
/// coloured transition is fired if one of those that it stands for is.
fn global(net: &PnmlNet, seen: &Seen) -> [(&'static str, bool); 4] {
    let enabled = |marking: &[u32], transition: base::GroupIx| {
        support::is_enabled(&net.net.transitions[transition.ix()], marking)
    };
    let tokens = |marking: &[u32], places: &[base::SlotIx]| {
        places.iter().map(|place| marking[place.ix()]).sum::<u32>()
    };
    let is_safe =
        |places: &Vec<base::SlotIx>| seen.markings.iter().all(|marking| tokens(marking, places) <= 1);
    let is_stable = |places: &Vec<base::SlotIx>| {
        seen.markings.iter().all(|marking| tokens(marking, places) == tokens(&seen.markings[0], places))
    };
    let is_fired = |transitions: &Vec<base::GroupIx>| {
        seen.markings.iter().any(|marking| transitions.iter().any(|&transition| enabled(marking, transition)))
    };
    let is_dead =
        |marking: &Vec<u32>| base::GroupIx::all(net.net.transitions.len()).all(|one| !enabled(marking, one));
    [
        ("OneSafe", net.places.values().all(is_safe)),
        ("QuasiLiveness", net.transitions.values().all(is_fired)),
        ("StableMarking", net.places.values().any(is_stable)),
        ("ReachabilityDeadlock", seen.markings.iter().any(is_dead)),
    ]
}
