//! A naive search over markings, and the models with published answers.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use base::Source;
use lang_pnml::PnmlNet;
use model::Value;
use petri::{Net, Transition};

/// What a search saw.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// All markings.
    pub markings: Vec<Vec<Value>>,
    /// Ways to fire, over all markings.
    pub firings: usize,
}

/// All markings of a net, or `None` if there are more than `most`.
pub fn explore(net: &Net, most: usize) -> Option<Seen> {
    let initial: Vec<Value> =
        net.places.iter().map(|place| Value::try_from(place.initial).unwrap()).collect();
    let mut known: HashSet<Vec<Value>> = HashSet::from([initial.clone()]);
    let mut seen = Seen { markings: vec![initial], firings: 0 };
    let mut next = 0;
    while next < seen.markings.len() {
        let marking = seen.markings[next].clone();
        next += 1;
        for transition in net.transitions.iter().filter(|transition| is_enabled(transition, &marking)) {
            seen.firings += 1;
            let mut after = marking.clone();
            transition.takes.iter().for_each(|arc| after[arc.place.ix()] -= arc.weight as Value);
            transition.gives.iter().for_each(|arc| after[arc.place.ix()] += arc.weight as Value);
            if !known.contains(&after) {
                if known.len() == most {
                    return None;
                }
                known.insert(after.clone());
                seen.markings.push(after);
            }
        }
    }
    Some(seen)
}

/// Whether a transition can fire.
pub fn is_enabled(transition: &Transition, marking: &[Value]) -> bool {
    let tokens = |arc: &petri::Arc| u64::from(marking[arc.place.ix()]);
    transition.takes.iter().chain(&transition.needs).all(|arc| tokens(arc) >= arc.weight)
        && transition.forbids.iter().all(|arc| tokens(arc) < arc.weight)
}

/// A text as a net.
pub fn net(text: impl Into<String>) -> PnmlNet {
    let source = Arc::new(Source::new("net.pnml", text));
    lang_pnml::read(&source).unwrap_or_else(|said| panic!("{}", base::render_all(&said, &source, 9)))
}

/// For properties their values.
pub type Answers = BTreeMap<String, String>;

/// The folder of the models with published answers, and for each of them its answers, if they are here.
pub fn published() -> Option<(PathBuf, BTreeMap<String, Answers>)> {
    let folder: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "..", "shared", "models", "pnml"].iter().collect();
    let Ok(expected) = std::fs::read_to_string(folder.join("expected.csv")) else {
        println!("skipped: the models with published answers are not here");
        return None;
    };
    let mut wanted: BTreeMap<String, Answers> = BTreeMap::new();
    for line in expected.lines().skip(1) {
        let mut fields = line.split(',').map(str::to_owned);
        if let (Some(model), Some(property), Some(value)) = (fields.next(), fields.next(), fields.next()) {
            wanted.entry(model).or_default().insert(property, value);
        }
    }
    Some((folder, wanted))
}

/// All messages about a text that is no net, as a person reads them.
pub fn errors(text: impl Into<String>) -> String {
    let source = Arc::new(Source::new("net.pnml", text));
    match lang_pnml::read(&source) {
        Ok(net) => panic!("no message about {net:?}"),
        Err(said) => base::render_all(&said, &source, 9),
    }
}
