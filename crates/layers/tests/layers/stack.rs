//! Stacks: all layers together say what the plain model says, and an unsound stack is refused.

use std::sync::Arc;

use base::{GroupIx, SlotIx, SplitMix64};
use layers::{
    Aspect, Cached, Changes, Checked, Contract, Eliminate, Error, Labelled, Layer, Need, Over, Regrouped,
    Requirement, Stack,
};
use model::{Dependencies, Inside, Model, Path, Signature, StateFunction, Stepper, Value};

use crate::checked::assert_silent;
use crate::labelled::{Sum, label};
use crate::naive::{Back, explore};
use crate::random::{for_seeds, order, toy};
use crate::regrouped::{groups, slots};
use crate::toy::{Assign, Command, Expr, Toy};

#[test]
fn all_layers_together_say_the_same() {
    for_seeds(100, |seed| {
        let random = &mut SplitMix64::new(seed ^ 0xABCD);
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let sum: Arc<dyn StateFunction> =
            Arc::new(Sum { slots: vec![SlotIx::new(2), SlotIx::new(0)], most: 3 });
        let labelled: Arc<dyn Model> = Arc::new(Labelled::new(plain, vec![(label("sum"), sum)]));
        let wanted = explore(&*labelled, &Back::none(&*labelled));

        let mut stack = Stack::new(labelled.clone());
        let mut back = Back::none(&*labelled);
        let mut watchers: Vec<Arc<Over<Checked>>> = Vec::new();
        for _ in 0..6 {
            let top = stack.top();
            match random.below(3) {
                0 => {
                    let slot_order = order(random, back.slots.len());
                    let group_order = order(random, back.groups.len());
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
        let state_below = |state: &[Value]| stack.state_below(state);
        let found = explore(&*top, &Back { state: &state_below, ..back });
        assert_eq!(found, wanted);
        assert!(Aspect::ALL.iter().all(|&aspect| stack.preserves(aspect)));
        watchers.iter().for_each(|watcher| assert_silent(&watcher.complaints()));
    });
}

/// A layer that needs guards and loses deadlocks, as some reductions do.
struct Lossy(Arc<dyn Model>);

impl Layer for Lossy {
    fn below(&self) -> &Arc<dyn Model> {
        &self.0
    }

    fn contract(&self) -> Contract<'_> {
        Contract {
            name: "lossy",
            requires: &[Requirement::Guards],
            preserves: &[Aspect::Invariants],
            changes: Changes::Nothing,
        }
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        self.0.stepper()
    }
}

fn guarded(guards: Vec<usize>) -> Arc<dyn Model> {
    let test = crate::toy::Test { left: Expr::Slot(0), less: true, right: 2, negated: false };
    let rule = Command { guards, choices: vec![(0, vec![Assign::Slot(0, Expr::Add(0, 1, 9))])] };
    Arc::new(Toy::new(vec![0], vec![test], vec![rule], vec![]))
}

#[test]
fn a_layer_whose_needs_are_not_met_is_refused() {
    let mut stack = Stack::new(guarded(vec![]));
    let error = stack.push(Arc::new(Over(Lossy(stack.top())))).unwrap_err();
    let (layer, requirement, model) = ("lossy".to_owned(), Requirement::Guards, "toy".to_owned());
    assert_eq!(error, Error::Unmet { layer, requirement, model });
    assert_eq!(
        error.to_string(),
        "the layer `lossy` needs guards, and the model `toy` has none; leave the layer out"
    );
    assert_eq!(stack.layers().len(), 0);
}

#[test]
fn a_layer_that_does_not_preserve_what_is_needed_is_refused() {
    let need = |aspect| Need { aspect, of: "the property `p`".into() };
    let mut stack = Stack::for_needs(guarded(vec![0]), vec![need(Aspect::Invariants)]);
    stack.push(Arc::new(Over(Lossy(stack.top())))).unwrap();
    stack.push(Arc::new(Cached::shared(stack.top(), 1 << 10))).unwrap();
    assert!(stack.preserves(Aspect::Invariants) && !stack.preserves(Aspect::Deadlocks));
    let needs = vec![need(Aspect::Invariants), need(Aspect::Deadlocks)];
    let mut stack = Stack::for_needs(guarded(vec![0]), needs);
    stack.push(Arc::new(Cached::shared(stack.top(), 1 << 10))).unwrap();
    let error = stack.push(Arc::new(Over(Lossy(stack.top())))).unwrap_err();
    assert_eq!(error, Error::Lost { layer: "lossy".to_owned(), need: need(Aspect::Deadlocks) });
    assert_eq!(
        error.to_string(),
        "the layer `lossy` does not preserve deadlocks, and the property `p` needs that; leave one of them out"
    );
    assert_eq!(stack.layers().len(), 1);
}

#[test]
fn layers_say_of_slow_calls_what_the_model_says() {
    for (model, is_slow) in [(guarded(vec![0]), false), (telling(), true)] {
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

/// A model that tells what happens inside its steps, and whose calls are slow.
struct Telling(Toy);

impl Model for Telling {
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

    fn has_slow_calls(&self) -> bool {
        true
    }

    fn unfold(&self, from: &[Value], group: GroupIx, action: Value, to: &[Value]) -> Option<Vec<Inside>> {
        let name = format!("{group} {action} {from:?}");
        let inside = |state: &[Value]| Inside {
            name: name.clone(),
            spans: vec![],
            action: String::new(),
            state: state.to_vec(),
            movers: vec![],
            message: None,
        };
        (group == GroupIx::new(1)).then(|| vec![inside(from), inside(to)])
    }
}

/// Group 1 sets the second slot to 4, the last slot is a constant.
fn telling() -> Arc<dyn Model> {
    let rule =
        |slot| Command { guards: vec![], choices: vec![(7, vec![Assign::Slot(slot, Expr::Const(4))])] };
    Arc::new(Telling(Toy::new(vec![1, 2, 3], vec![], vec![rule(0), rule(1)], vec![])))
}

#[test]
fn what_happens_inside_a_step_is_told_through_every_layer() {
    let plain = telling();
    let (from, to) = ([1, 2, 3], [1, 4, 3]);
    let wanted = plain.unfold(&from, GroupIx::new(1), 7, &to);
    assert!(wanted.as_ref().is_some_and(|path| path.len() == 2));
    let layers: [Arc<dyn Model>; 3] = [
        Arc::new(Labelled::new(plain.clone(), vec![])),
        Arc::new(Cached::shared(plain.clone(), 0)),
        Arc::new(Checked::new(plain.clone(), 1, 1)),
    ];
    for layer in layers {
        assert_eq!(layer.unfold(&from, GroupIx::new(1), 7, &to), wanted);
    }
    // The constant is left out, the others are swapped, the groups are merged.
    let merged = vec![vec![GroupIx::new(0), GroupIx::new(1)]];
    let layer = Regrouped::new(plain, slots(&[1, 0]), merged).unwrap();
    let told = layer.unfold(&[2, 1], GroupIx::new(0), 7, &[4, 1]).unwrap();
    let told: Vec<_> = told.into_iter().map(|inside| (inside.name, inside.state)).collect();
    assert_eq!(told, [vec![2, 1], vec![4, 1]].map(|state| ("1 7 [1, 2, 3]".to_owned(), state)));
}

#[test]
fn a_path_comes_back_as_a_whole() {
    let mut stack = Stack::new(telling());
    let same = groups(&[0, 1]);
    stack.push(Arc::new(Regrouped::new(stack.top(), slots(&[1, 0]), same.clone()).unwrap())).unwrap();
    stack.push(Arc::new(Cached::shared(stack.top(), 0))).unwrap();
    stack.push(Arc::new(Regrouped::new(stack.top(), slots(&[1, 0]), same).unwrap())).unwrap();
    let above = Path { states: vec![vec![1, 2], vec![1, 4], vec![4, 4]], loop_from: Some(1) };
    let below = Path { states: vec![vec![1, 2, 3], vec![1, 4, 3], vec![4, 4, 3]], loop_from: Some(1) };
    assert_eq!(stack.path_below(above), below);
    assert_eq!(stack.state_below(&[1, 4]), [1, 4, 3]);
}

/// Who keeps a finer aspect of runs keeps the coarser ones, too.
#[test]
fn finer_aspects_come_with_coarser_ones() {
    let runs = [Aspect::Invariants, Aspect::StutterTraces, Aspect::Traces, Aspect::Branching];
    let all = [
        Eliminate::Nothing,
        Eliminate::Constants,
        Eliminate::ConstantsAndRepeats,
        Eliminate::ConstantsAndLoops,
    ];
    for eliminate in all {
        let kept = eliminate.preserves();
        assert!(runs.windows(2).all(|pair| kept.contains(&pair[0]) || !kept.contains(&pair[1])), "{kept:?}");
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
