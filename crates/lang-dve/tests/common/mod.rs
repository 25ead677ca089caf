//! A naive search, for models of a few states.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use base::Source;
use language::Loaded;
use model::{EvalError, Model, Successors, Value};

/// What a naive search sees.
#[derive(Default, Debug)]
pub struct Explored {
    /// Every state, shown as `slot=value …`, with its distance.
    pub states: HashMap<String, usize>,
    pub transitions: usize,
    pub deadlocks: usize,
    pub errors: Vec<EvalError>,
    pub actions: Vec<String>,
}

pub fn load(text: &str) -> Loaded {
    let source = Arc::new(Source::new("test.dve", text));
    lang_dve::load(Arc::clone(&source))
        .unwrap_or_else(|problems| panic!("{}", base::render_all(&problems, &source, 9)))
}

pub fn show(model: &dyn Model, state: &[Value]) -> String {
    let signature = model.signature();
    let slot = |ix: base::SlotIx| {
        format!("{}={}", signature.slots[ix.ix()].name, signature.show(ix, state[ix.ix()]))
    };
    signature.slot_ixs().map(slot).collect::<Vec<_>>().join(" ")
}

pub fn explore(text: &str) -> Explored {
    explore_model(&*load(text).model)
}

pub fn explore_model(model: &dyn Model) -> Explored {
    let mut explored = Explored::default();
    let mut queue = VecDeque::from([model.initial().to_vec()]);
    explored.states.insert(show(model, model.initial()), 0);
    let mut stepper = model.stepper();
    let mut buffer = Successors::new(model.initial().len());
    while let Some(state) = queue.pop_front() {
        assert!(explored.states.len() < 100_000, "too large for a naive search");
        let distance = explored.states[&show(model, &state)];
        buffer.clear();
        let mut failed = false;
        for group in model.signature().group_ixs() {
            if let Err(error) = stepper.group(group, &state, &mut buffer) {
                failed = true;
                explored.errors.push(error);
            }
        }
        explored.transitions += buffer.len();
        explored.deadlocks += usize::from(buffer.is_empty() && !failed);
        for successor in buffer.iter() {
            let action = model.signature().show_action(successor.action).into_owned();
            if !explored.actions.contains(&action) {
                explored.actions.push(action);
            }
            let shown = show(model, successor.state);
            explored.states.entry(shown).or_insert_with(|| {
                queue.push_back(successor.state.to_vec());
                distance + 1
            });
        }
    }
    explored
}
