//! Every order, layer and evaluator gives the same answer on the project's own models: one line a model.

mod common;

use common::pinscher;
use serde_json::Value;

/// All that may change how a model is searched and must not change what is found.
const WAYS: &[&[&str]] = &[
    &["--strategy", "bfs"],
    &["--strategy", "dfs"],
    &["--eval", "interpret", "--engine", "explicit"],
    &["--cache"],
    &["--cache", "thread", "--strategy", "dfs"],
    &["--cache", "thread", "--threads", "3", "--eval", "interpret", "--engine", "explicit"],
    &["--cache", "shared", "--threads", "3", "--strategy", "bfs"],
    &["--cache", "auto", "--eval", "interpret", "--engine", "explicit"],
    &["--reorder", "reverse"],
    &["--reorder", "random:7", "--strategy", "dfs"],
    &["--reorder", "random:8", "--cache"],
    &["--reorder", "auto"],
    &["--reorder", "force", "--merge", "equal", "--strategy", "dfs"],
    &["--reorder", "sloan", "--merge", "subsume"],
    &["--reorder", "sloan-total", "--eliminate", "constants", "--cache"],
    &["--reorder", "cm", "--merge", "equal", "--eliminate", "constants"],
    &[
        "--reorder",
        "cm-total",
        "--merge",
        "subsume",
        "--cache",
        "shared",
        "--threads",
        "2",
        "--strategy",
        "bfs",
    ],
    &["--reorder", "sort"],
    &["--reorder", "random:9", "--merge", "subsume", "--eliminate", "constants"],
    &["--merge", "equal"],
    &["--check-matrices"],
    &["--check-matrices", "--reorder", "reverse", "--cache"],
    &["--check-matrices", "--reorder", "auto", "--merge", "subsume", "--eliminate", "constants"],
    &["--engine", "symbolic"],
    &["--engine", "symbolic", "--reorder", "reverse", "--separate", "off"],
    &[
        "--engine",
        "symbolic",
        "--reorder",
        "auto",
        "--merge",
        "subsume",
        "--cache",
        "shared",
        "--threads",
        "2",
    ],
    &["--engine", "symbolic", "--check-matrices", "--reorder", "random:9", "--eliminate", "constants"],
    &["--engine", "symbolic", "--effects", "off", "--threads", "2"],
    &["--engine", "symbolic", "--strategy", "bfs-prev", "--threads", "3", "--reorder", "none"],
    &[
        "--engine",
        "symbolic",
        "--strategy",
        "chain",
        "--threads",
        "2",
        "--split-guards",
        "on",
        "--effects",
        "off",
    ],
];

/// The same, where nothing but invariants is asked for.
const INVARIANT_WAYS: &[&[&str]] = &[
    &["--eliminate", "loops", "--merge", "equal", "--strategy", "bfs"],
    &["--eliminate", "loops", "--strategy", "dfs", "--cache"],
    &["--engine", "symbolic", "--eliminate", "loops", "--reorder", "reverse"],
    &["--engine", "symbolic", "--eliminate", "loops", "--merge", "subsume", "--strategy", "chain"],
];

/// The symbolic strategies.
const STRATEGIES: &[&str] =
    &["bfs", "bfs-prev", "chain", "chain-prev", "sat-like", "sat-loop", "sat-fix", "sat"];

/// All that is in the table, and each of these strategies with all its switches.
fn ways() -> Vec<Vec<&'static str>> {
    let mut ways: Vec<Vec<&str>> = WAYS.iter().map(|way| way.to_vec()).collect();
    for strategy in STRATEGIES {
        for (split, separate, order) in [
            ("off", "on", "none"),
            ("off", "off", "reverse"),
            ("on", "on", "random:7"),
            ("on", "off", "force"),
        ] {
            let switches = ["--split-guards", split, "--separate", separate, "--reorder", order];
            let named = ["--engine", "symbolic", "--strategy", strategy];
            ways.push(named.into_iter().chain(switches).collect());
        }
    }
    ways
}

fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Runs the model in all ways; `expected` holds of the JSON of each, and `shortest` is the length of a
/// property's run.
fn agree(name: &str, extra: &[&str], code: i32, expected: &[(&str, &str)], shortest: Option<(&str, usize)>) {
    let file = model(name);
    let others = if extra.first() == Some(&"--invariant") { INVARIANT_WAYS } else { &[] };
    for way in ways().into_iter().chain(others.iter().map(|way| way.to_vec())) {
        let arguments: Vec<&str> = ["check", &file, "--json", "--all", "--quiet"]
            .into_iter()
            .chain(extra.iter().copied())
            .chain(way.iter().copied())
            .collect();
        let run = pinscher(&arguments).exits(code);
        let json = run.json();
        for (key, value) in expected {
            let got =
                key.split('.').fold(&json, |at, part| part.parse::<usize>().map_or(&at[part], |ix| &at[ix]));
            let got = got.as_str().map_or_else(|| got.to_string(), str::to_owned);
            // Sets of states have no transitions to count.
            if *key == "transitions" && json["engine"] == "symbolic" {
                assert_eq!(got, "null", "{name} with {way:?}");
                continue;
            }
            assert_eq!(got, *value, "{key} of {name} with {way:?}");
        }
        for property in json["properties"].as_array().unwrap() {
            check_witness(&json, property, name);
        }
        if let Some((violated, length)) = shortest {
            let properties = json["properties"].as_array().unwrap();
            let property = properties.iter().find(|property| property["name"] == violated).unwrap();
            let got = property["witness"]["length"].as_u64().unwrap() as usize;
            // Only breadth-first search promises shortest runs.
            let is_right = if way.contains(&"dfs") { got >= length } else { got == length };
            assert!(is_right, "{got} steps for {violated} of {name} with {way:?}");
        }
    }
}

/// A witness follows itself: the changes of each step are what the states say.
fn check_witness(json: &Value, property: &Value, name: &str) {
    let witness = &property["witness"];
    assert_eq!(witness.is_null(), property["verdict"] != "violated", "{name}: {property}");
    let Some(steps) = witness["steps"].as_array() else { return };
    assert_eq!(Value::from(steps.len()), witness["length"], "{json}");
    let mut state = witness["initial"].clone();
    for step in steps {
        for change in step["changes"].as_array().unwrap() {
            let slot = change["slot"].as_str().unwrap();
            assert_eq!(state[slot], change["from"], "{name}");
            state[slot] = change["to"].clone();
        }
        assert_eq!(state, step["state"], "{name}");
    }
}

macro_rules! agreement {
    ($($test:ident: $file:literal $($extra:literal)* => $code:literal,
        $($key:literal = $value:literal),* $(; $violated:literal in $length:literal steps)?;)*) => {$(
        #[test]
        fn $test() {
            let shortest: &[(&str, usize)] = &[$(($violated, $length))?];
            agree($file, &[$($extra),*], $code, &[$(($key, $value)),*], shortest.first().copied());
        }
    )*};
}

agreement! {
    crossing: "crossing.dve" "--invariant" "not (North.green and East.green)" => 0,
        "states" = "3", "transitions" = "4", "deadlocks" = "0", "verdict" = "holds";
    crossing_hasty: "crossing.hasty.dve" "--invariant" "not (North.green and East.green)" => 1,
        "states" = "15", "transitions" = "26", "deadlocks" = "0", "verdict" = "violated";
        "invariant not (North.green and East.green)" in 3 steps;
    philosophers_5: "philosophers.5.dve" => 1,
        "deadlocks" = "1", "properties.0.violations" = "1"; "deadlock" in 5 steps;
    account: "account.dve" => 1, "verdict" = "violated"; "assert Auditor.counting: balance == booked" in 5 steps;
    // Its auditor has a step that changes nothing: without it there are as many states.
    account_invariant: "account.dve" "--invariant" "booked <= 3" => 1,
        "states" = "16", "properties.0.violations" = "12"; "invariant booked <= 3" in 2 steps;
    odometer: "odometer.dve" => 1, "properties.0.verdict" = "unknown"; "errors" in 6 steps;
    alternating_bit: "alternating.bit.dve" => 0, "states" = "1366", "transitions" = "4919", "deadlocks" = "0";
    // Its tick tests all timers: it is learned first, and taken as the effect that it is when that takes too
    // long.
    kitchen_timers: "kitchen.timers.dve" => 0, "states" = "10000", "transitions" = "14561", "deadlocks" = "0";
    tickets_3: "tickets.3.dve" "--invariant" "T0.inside + T1.inside + T2.inside <= 1" => 0,
        "states" = "5952", "transitions" = "14832", "verdict" = "holds";
    tickets_3_action: "tickets.3.dve" "--action" "T1.inside->outside" => 1,
        "verdict" = "violated"; "action T1.inside->outside" in 3 steps;
    readers: "readers.pnml" "--invariant" "reading == 0 or writing == 0" => 0,
        "states" = "5", "transitions" = "8", "deadlocks" = "0", "verdict" = "holds";
    trains: "trains.pnml" => 0, "states" = "30", "transitions" = "48", "deadlocks" = "0", "verdict" = "holds";
    // A state cannot be reached, and a transition is there twice.
    vending: "vending.aut" => 1,
        "states" = "6", "transitions" = "10", "deadlocks" = "1"; "deadlock" in 4 steps;
    vending_action: "vending.aut" "--action" "refund" => 1, "verdict" = "violated"; "action refund" in 4 steps;
    vending_unreached: "vending.aut" "--action" "service" => 0, "verdict" = "holds";
    lamp: "lamp.etf" => 1, "states" = "4", "deadlocks" = "1"; "deadlock" in 3 steps;
}
