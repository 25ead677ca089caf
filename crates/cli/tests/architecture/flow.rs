//! The direction of flow between crates.

use crate::Crate;

/// The crates at the top: nobody below knows them, not even in tests.
const TOP: [&str; 3] = ["pinscher", "cli", "lab"];

/// Whether one crate may depend on another.
fn may_know(from: &str, to: &str) -> bool {
    let known: &[&str] = match from {
        "base" | "tables" | "native" | "machine" => &[],
        "ldd" => &["tables"],
        "model" => &["base"],
        "commands" => &["base", "model", "native"],
        "logic" | "layers" | "engine" | "petri" | "lts" | "toys" => &["base", "model"],
        "language" => &["base", "model", "logic"],
        "explicit" => &["base", "model", "engine", "tables"],
        "symbolic" => &["base", "model", "engine", "ldd"],
        "terms" => &["base"],
        "processes" => &["base", "model", "terms"],
        "lang-mcrl2" | "lang-mucrl" => &["base", "model", "language", "terms", "processes"],
        "lang-aut" => &["base", "model", "language", "lts"],
        "lang-pnml" => &["base", "model", "logic", "language", "petri"],
        _ if from.starts_with("lang-") => &["base", "model", "logic", "language", "commands"],
        "planner" => &["base", "model", "layers", "logic", "engine", "explicit", "symbolic", "machine"],
        "examine" => &["base", "model", "layers", "logic", "engine", "planner", "petri", "lang-pnml"],
        "report" => &["base", "model", "engine", "layers", "petri", "machine"],
        "pinscher" if to.starts_with("lang-") => return true,
        "pinscher" => &[
            "base", "model", "logic", "language", "layers", "engine", "planner", "examine", "report",
            "machine",
        ],
        // Users' program never has the developers' tools in it.
        "cli" => return to != "lab",
        "lab" => return true,
        _ => &[],
    };
    known.contains(&to)
}

/// The dependencies of a crate that are against the direction of flow, in words.
pub(crate) fn against(member: &Crate) -> Vec<String> {
    let from = member.name.as_str();
    let is_wrong = |(to, only_in_tests): &&(String, bool)| match *only_in_tests {
        true => TOP.contains(&to.as_str()) && !TOP.contains(&from),
        false => !may_know(from, to),
    };
    let wrong = member.dependencies.iter().filter(is_wrong);
    wrong.map(|(to, _)| format!("{from} must not depend on {to}")).collect()
}

#[test]
fn edges_against_the_flow_are_seen() {
    for (bad, from, to, only_in_tests) in [
        (true, "lang-dve", "engine", false),
        (true, "explicit", "lang-dve", false),
        (true, "model", "engine", false),
        (true, "base", "model", false),
        (true, "explicit", "pinscher", true),
        (true, "newcomer", "base", false),
        (false, "lang-dve", "layers", true),
        (false, "lang-newcomer", "commands", false),
        (true, "lang-pnml", "commands", false),
        (true, "lang-mucrl", "commands", false),
        (false, "lang-aut", "lts", false),
        (true, "lts", "lang-aut", false),
        (true, "processes", "lang-mucrl", false),
        (true, "lts", "explicit", false),
        (true, "planner", "lang-dve", false),
        (false, "planner", "lang-etf", true),
        (true, "report", "planner", false),
        (true, "examine", "explicit", false),
        (true, "pinscher", "explicit", false),
        (false, "pinscher", "lang-newcomer", false),
        (true, "planner", "cli", true),
        (true, "cli", "lab", false),
        (false, "lab", "cli", false),
    ] {
        let dependencies = vec![(to.to_owned(), only_in_tests)];
        let found = against(&Crate { name: from.into(), folder: "".into(), dependencies });
        assert_eq!(!found.is_empty(), bad, "{from} → {to}: {found:?}");
    }
}
