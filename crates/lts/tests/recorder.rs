//! The system of a model, put down during a search.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use base::Source;
use lts::{Lts, Recorder};
use model::{Model, Observer, Successors, Value};

/// Two counters from 0 to 3. Both groups of the second have the same steps, so each is there twice; two
/// actions look alike.
const COUNTERS: &str = "\
begin state
x:int y:int
end state
begin edge
action:action
end edge
begin init
0 0
end init
begin trans
0/1 * \"up\"
1/2 * \"up\"
2/3 * \"up\"
end trans
begin trans
* 0/1 \"right\"
* 1/2 \"right\"
* 2/3 \"right\"
end trans
begin trans
* 0/1 \"right\"
* 2/3 \"right\"
end trans
begin sort action
\"up\"
\"right\"
end sort
";

fn model() -> Arc<dyn Model> {
    let source = Arc::new(Source::new("counters.etf", COUNTERS));
    lang_etf::load(source).unwrap_or_else(|problems| panic!("{problems:?}")).model
}

/// A search that takes the next state from the front of a queue, or from the back.
fn search(model: &dyn Model, observer: &mut dyn Observer, from_back: bool) {
    let mut stepper = model.stepper();
    let mut buffer = Successors::new(model.initial().len());
    let mut seen: BTreeSet<Vec<Value>> = BTreeSet::from([model.initial().to_vec()]);
    let mut waiting = VecDeque::from([model.initial().to_vec()]);
    while let Some(state) = if from_back { waiting.pop_back() } else { waiting.pop_front() } {
        buffer.clear();
        stepper.all(&state, &mut buffer).unwrap();
        for successor in buffer.iter() {
            observer.transition(&state, successor);
            if seen.insert(successor.state.to_vec()) {
                waiting.push_back(successor.state.to_vec());
            }
        }
    }
}

fn recorded(from_back: bool, bytes: u64) -> Option<Lts> {
    let model = model();
    let mut recorder = Recorder::new(&*model, bytes);
    search(&*model, &mut recorder, from_back);
    let is_full = recorder.is_full();
    let lts = recorder.finish().ok();
    assert!(lts.is_none() || !is_full);
    lts
}

#[test]
fn every_transition_is_there_once() {
    for from_back in [false, true] {
        let lts = recorded(from_back, u64::MAX).unwrap();
        assert_eq!(
            (lts.states(), lts.transitions(), lts.deadlocks()),
            (16, 24, 1),
            "from the back: {from_back}"
        );
        assert_eq!(lts.labels().collect::<BTreeSet<_>>(), BTreeSet::from(["up", "right"]));
        let small = lts::strong::reduce(&lts, &mut || false).unwrap();
        assert_eq!((small.states(), small.transitions()), (16, 24));
    }
    let (one, other) = (recorded(false, u64::MAX).unwrap(), recorded(true, u64::MAX).unwrap());
    assert!(lts::strong::bisimilar(&one, &other, &mut || false).unwrap());
}

#[test]
fn without_room_there_is_no_system() {
    let fits: Vec<bool> = (0..5_000).step_by(50).map(|bytes| recorded(false, bytes).is_some()).collect();
    assert!(!fits[0] && !fits[10] && fits[fits.len() - 1], "{fits:?}");
    assert!(fits.is_sorted(), "more room was less: {fits:?}");
}
