//! The naive search that layers are compared by: everything that can be asked of every reachable state.

use std::collections::{BTreeMap, BTreeSet};

use base::{GroupIx, ones};
use model::{EvalError, Model, Successors, Truth, Value};

/// A successor, written down: group, action, state, copied slots.
pub type Edge = (usize, Value, Vec<Value>, BTreeSet<usize>);

/// All that a model says of one state. Edges are sorted, so that they compare as multisets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    pub edges: Vec<Edge>,
    pub errors: BTreeMap<usize, String>,
    pub updates: BTreeMap<usize, Result<Vec<Edge>, String>>,
    pub all: Option<Vec<Edge>>,
    pub guards: Vec<String>,
    pub labels: Vec<Result<Value, String>>,
}

pub type Space = BTreeMap<Vec<Value>, Facts>;

/// How the numbers of a layered model translate to the plain one.
pub struct Back<'a> {
    pub state: &'a dyn Fn(&[Value]) -> Vec<Value>,
    pub slots: Vec<usize>,
    pub groups: Vec<usize>,
}

impl Back<'_> {
    /// No translation.
    pub fn none(model: &dyn Model) -> Back<'static> {
        Back {
            state: &|state| state.to_vec(),
            slots: (0..model.signature().slots.len()).collect(),
            groups: (0..model.signature().groups.len()).collect(),
        }
    }

    /// The successors but the first few.
    fn edges(&self, found: &Successors, skipped: usize) -> Vec<Edge> {
        let mut edges: Vec<Edge> = found
            .iter()
            .skip(skipped)
            .map(|successor| {
                let copied = ones(successor.copied_words()).map(|slot| self.slots[slot]).collect();
                let group = self.groups[successor.group.ix()];
                (group, successor.action, (self.state)(successor.state), copied)
            })
            .collect();
        edges.sort();
        edges
    }
}

/// The reachable states of a model with all that it says of them, in the words of the plain model.
pub fn explore(model: &dyn Model, back: &Back<'_>) -> Space {
    let signature = model.signature();
    let mut stepper = model.stepper();
    let mut space = Space::new();
    let mut waiting = vec![model.initial().to_vec()];
    let mut known = BTreeSet::from([model.initial().to_vec()]);
    let text = |error: EvalError| error.to_string();
    while let Some(state) = waiting.pop() {
        let mut facts = Facts::default();
        let mut found = Successors::new(state.len());
        // Something that stands in the buffer before must be there after.
        found.push(GroupIx::new(0), 77, &state);
        for group in signature.group_ixs() {
            let number = back.groups[group.ix()];
            if let Err(error) = stepper.group(group, &state, &mut found) {
                facts.errors.insert(number, text(error));
            }
            let guards = &signature.groups[group.ix()].guards;
            if guards.iter().all(|&guard| stepper.guard(guard, &state) == Truth::True) {
                let mut updated = Successors::new(state.len());
                let outcome = stepper.update(group, &state, &mut updated).map_err(text);
                facts.updates.insert(number, outcome.map(|()| back.edges(&updated, 0)));
            }
        }
        assert_eq!((found.get(0).action, found.get(0).state), (77, &state[..]));
        for successor in found.iter() {
            if known.insert(successor.state.to_vec()) {
                waiting.push(successor.state.to_vec());
            }
        }
        facts.edges = back.edges(&found, 1);
        let mut found = Successors::new(state.len());
        let all = stepper.all(&state, &mut found);
        assert_eq!(all.is_err(), !facts.errors.is_empty(), "all fails if and only if a group does");
        assert!(all.is_ok() || found.is_empty());
        facts.all = all.ok().map(|()| back.edges(&found, 0));
        facts.guards =
            signature.guard_ixs().map(|guard| format!("{:?}", stepper.guard(guard, &state))).collect();
        facts.labels =
            signature.label_ixs().map(|label| stepper.label(label, &state).map_err(text)).collect();
        let fresh = space.insert((back.state)(&state), facts).is_none();
        assert!(fresh, "two states stand for one");
    }
    space
}
