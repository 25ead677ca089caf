//! The models with published answers, where they are at hand.

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use base::Source;

/// The naive search keeps every state as a vector of its own.
const MOST_STATES: usize = 100_000;

#[test]
fn published_counts() {
    let folder: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "..", "shared", "models", "etf"].iter().collect();
    let Ok(expected) = std::fs::read_to_string(folder.join("expected.csv")) else {
        println!("skipped: the models with published answers are not here");
        return;
    };
    let mut wanted: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for line in expected.lines().skip(1) {
        let mut fields = line.split(',');
        if let (Some(model), Some(property), Some(Ok(count))) =
            (fields.next(), fields.next(), fields.next().map(str::parse))
        {
            wanted.entry(model).or_default().insert(property, count);
        }
    }
    let mut compared = 0;
    for (name, wanted) in
        wanted.iter().filter(|(_, wanted)| wanted.get("states").is_some_and(|&n| n <= MOST_STATES))
    {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let loaded = lang_etf::load(Arc::new(Source::new(*name, text)))
            .unwrap_or_else(|said| panic!("{name}: {said:?}"));
        assert_eq!(loaded.warnings, [], "{name}");
        let (found, _) = support::explore(&*loaded.model, &mut ());
        let found = [
            ("states", found.states),
            ("transitions", found.transitions),
            ("deadlock_states", found.deadlocks),
        ];
        for (property, found) in found {
            if let Some(&wanted) = wanted.get(property) {
                assert_eq!(found, wanted, "{property} of {name}");
                compared += 1;
            }
        }
    }
    println!("{compared} counts compared");
    assert!(compared > 0, "expected.csv names no model with a count");
}
