//! Stacks: all layers together say what the plain model says, and an unsound stack is refused.

use std::sync::Arc;
use std::time::Duration;

use base::SlotIx;
use layers::{Aspect, Cached, Checked, Error, Labelled, Layer, Regrouped, Requirement, Stack};
use model::{Dependencies, Model, Signature, StateFunction, Stepper, Value};

use crate::checked::assert_silent;
use crate::labelled::{Sum, label};
use crate::naive::{Back, explore};
use crate::random::{Random, for_seeds, toy};
use crate::regrouped::{groups, slots};
use crate::slow::Slow;
use crate::toy::{Assign, Expr, Rule, Toy};

#[test]
fn all_layers_together_say_the_same() {
    for_seeds(100, |seed| {
        let random = &mut Random::new(seed ^ 0xABCD);
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let sum: Arc<dyn StateFunction> =
            Arc::new(Sum { slots: vec![SlotIx::new(2), SlotIx::new(0)], most: 3 });
        let labelled: Arc<dyn Model> = Arc::new(Labelled::new(plain, vec![(label("sum"), sum)]));
        let wanted = explore(&*labelled, &Back::none(&*labelled));

        let mut stack = Stack::new(labelled.clone());
        let mut back = Back::none(&*labelled);
        let mut watchers: Vec<Arc<Checked>> = Vec::new();
        for _ in 0..6 {
            let top = stack.top();
            match random.below(3) {
                0 => {
                    let slot_order = random.order(back.slots.len());
                    let group_order = random.order(back.groups.len());
                    let layer = Regrouped::new(top, slots(&slot_order), groups(&group_order)).unwrap();
                    back.slots = slot_order.iter().map(|&slot| back.slots[slot]).collect();
                    back.groups = group_order.iter().map(|&group| back.groups[group]).collect();
                    stack.push(Arc::new(layer)).unwrap();
                }
                1 => stack.push(Arc::new(Cached::shared(top, random.below(40_000)))).unwrap(),
                _ => {
                    watchers.push(Arc::new(Checked::new(top, 2, seed)));
                    stack.push(watchers[watchers.len() - 1].clone()).unwrap();
                }
            }
        }
        assert_eq!(stack.layers().len(), 6);
        let top = stack.top();
        let state_back = |state: &[Value]| stack.state_back(state);
        let found = explore(&*top, &Back { state: &state_back, ..back });
        assert_eq!(found, wanted);
        assert!(Aspect::ALL.iter().all(|&aspect| stack.answers(aspect).is_ok()));
        watchers.iter().for_each(|watcher| assert_silent(&watcher.complaints()));
    });
}

/// A layer that needs guards and loses deadlocks, as some reductions do.
struct Lossy(Arc<dyn Model>);

impl Model for Lossy {
    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn dependencies(&self) -> &Dependencies {
        self.0.dependencies()
    }

    fn initial(&self) -> &[Value] {
        self.0.initial()
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        self.0.stepper()
    }
}

impl Layer for Lossy {
    fn name(&self) -> &str {
        "lossy"
    }

    fn inner(&self) -> &Arc<dyn Model> {
        &self.0
    }

    fn requires(&self) -> &[Requirement] {
        &[Requirement::Guards]
    }

    fn preserves(&self) -> &[Aspect] {
        &[Aspect::Labels]
    }
}

fn guarded(guards: Vec<usize>) -> Arc<dyn Model> {
    let test = crate::toy::Test { left: Expr::Slot(0), less: true, right: 2, negated: false };
    let rule = Rule { guards, choices: vec![(0, vec![Assign::Slot(0, Expr::Add(0, 1, 9))])] };
    Arc::new(Toy::new(vec![0], vec![test], vec![rule], vec![]))
}

#[test]
fn a_layer_whose_needs_are_not_met_is_refused() {
    let mut stack = Stack::new(guarded(vec![]));
    let error = stack.push(Arc::new(Lossy(stack.top()))).unwrap_err();
    let (layer, requirement, model) = ("lossy".to_owned(), Requirement::Guards, "toy".to_owned());
    assert_eq!(error, Error::Unmet { layer, requirement, model });
    assert_eq!(
        error.to_string(),
        "the layer `lossy` needs guards, and the model `toy` has none; leave the layer out"
    );
    assert!(stack.layers().is_empty());
}

#[test]
fn a_question_that_a_layer_does_not_preserve_is_refused() {
    let mut stack = Stack::new(guarded(vec![0]));
    stack.push(Arc::new(Lossy(stack.top()))).unwrap();
    stack.push(Arc::new(Cached::shared(stack.top(), 1 << 10))).unwrap();
    assert_eq!(stack.answers(Aspect::Labels), Ok(()));
    let error = stack.answers(Aspect::Deadlocks).unwrap_err();
    assert_eq!(error, Error::Lost { layer: "lossy".to_owned(), aspect: Aspect::Deadlocks });
    assert_eq!(
        error.to_string(),
        "the layer `lossy` does not preserve deadlocks; leave the layer out to ask for that"
    );
}

#[test]
fn layers_say_of_slow_calls_what_the_model_says() {
    let fast = guarded(vec![0]);
    let slow: Arc<dyn Model> = Arc::new(Slow(fast.clone(), Duration::ZERO));
    for (model, is_slow) in [(fast, false), (slow, true)] {
        let every = slots(&(0..model.initial().len()).collect::<Vec<_>>());
        let same = groups(&(0..model.signature().groups.len()).collect::<Vec<_>>());
        let layers: [Arc<dyn Model>; 4] = [
            Arc::new(Labelled::new(model.clone(), vec![])),
            Arc::new(Regrouped::new(model.clone(), every, same).unwrap()),
            Arc::new(Cached::shared(model.clone(), 0)),
            Arc::new(Checked::new(model.clone(), 1, 1)),
        ];
        assert_eq!(layers.map(|layer| layer.has_slow_calls()), [is_slow; 4]);
    }
}

#[test]
fn a_layer_over_some_other_model_is_refused() {
    let mut stack = Stack::new(guarded(vec![0]));
    let elsewhere = Arc::new(Cached::shared(guarded(vec![0]), 0));
    assert_eq!(stack.push(elsewhere), Err(Error::NotOnTop { layer: "cache".to_owned() }));
    let below = stack.top();
    stack.push(Arc::new(Cached::shared(below.clone(), 0))).unwrap();
    assert_eq!(
        stack.push(Arc::new(Cached::shared(below, 0))),
        Err(Error::NotOnTop { layer: "cache".to_owned() })
    );
}
