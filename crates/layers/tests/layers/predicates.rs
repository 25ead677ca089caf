//! Predicates and sums of the plain model, in the words of the layers above: in other places, and without
//! what is left out.

use std::cell::Cell;
use std::sync::Arc;

use base::{GroupIx, LabelIx, SlotIx, SplitMix64};
use layers::{Cached, Checked, Eliminate, Labelled, Merge, Regrouped, Regrouping, Stack, constants};
use model::{EvalError, Linear, Model, Predicate, StateFunction, Value};

use crate::labelled::label;
use crate::random::{for_seeds, toy};

/// A predicate whose build is known.
struct Built(Predicate, Vec<SlotIx>);

impl StateFunction for Built {
    fn reads(&self) -> &[SlotIx] {
        &self.1
    }

    fn value(&self, state: &[Value]) -> Result<Value, EvalError> {
        Ok(self.0.holds(state).into())
    }

    fn predicate(&self) -> Option<&Predicate> {
        Some(&self.0)
    }
}

fn random_sum(slots: usize, random: &mut SplitMix64) -> Linear {
    let terms = (0..4).map(|_| (SlotIx::new(random.below(slots)), random.below(7) as i64 - 3));
    Linear::new(terms.collect::<Vec<_>>()).unwrap()
}

#[test]
fn they_move_with_the_slots() {
    let (left_out, merged) = (Cell::new(0), Cell::new(0));
    for_seeds(200, |seed| {
        let random = &mut SplitMix64::new(!seed);
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let slots = plain.signature().slots.len();
        let at_most = |random: &mut SplitMix64| {
            Predicate::AtMost(random_sum(slots, random), random.below(9) as i64 - 4)
        };
        let predicate = Predicate::Any(vec![
            Predicate::All(vec![at_most(random), at_most(random)]),
            at_most(random),
            Predicate::Constant(false),
        ]);
        let function: Arc<dyn StateFunction> = Arc::new(Built(predicate.clone(), predicate.slots()));
        let mut stack = Stack::new(plain.clone());
        stack.push(Arc::new(Labelled::new(plain.clone(), vec![(label("built"), function)]))).unwrap();
        let built = LabelIx::new(plain.signature().labels.len());
        stack.push(Arc::new(Checked::new(stack.top(), 2, 1))).unwrap();
        let merge = [Merge::None, Merge::Subsume][random.below(2)];
        let wanted = Regrouping { merge, eliminate: Eliminate::Constants, ..Regrouping::SYMBOLIC };
        stack.push(Arc::new(Regrouped::by(stack.top(), wanted).unwrap())).unwrap();
        stack.push(Arc::new(Cached::shared(stack.top(), 1 << 16))).unwrap();

        let top = stack.top();
        let moved = top.label_predicate(built).expect("a build");
        assert!((0..built.ix()).all(|label| top.label_predicate(LabelIx::new(label)).is_none()));
        let sum = random_sum(slots, random);
        let (sum_above, constant) = stack.sum_above(&sum);
        let mut stepper = top.stepper();
        for _ in 0..20 {
            let state: Vec<Value> = (0..top.initial().len()).map(|_| random.below(5) as Value).collect();
            let below = stack.state_below(&state);
            assert_eq!(moved.holds(&state), predicate.holds(&below));
            assert_eq!(stepper.label(built, &state), Ok(predicate.holds(&below).into()));
            assert_eq!(sum_above.value(&state) + constant, sum.value(&below));
            for slot in plain.signature().slot_ixs() {
                let value =
                    stack.slot_above(slot).map_or(plain.initial()[slot.ix()], |above| state[above.ix()]);
                assert_eq!(value, below[slot.ix()]);
            }
        }
        left_out.set(left_out.get() + u32::from(!constants(plain.dependencies()).is_empty()));
        for group in GroupIx::all(plain.signature().groups.len()) {
            match stack.group_above(group) {
                Some(above) => {
                    assert_eq!(
                        top.signature().groups[above.ix()].name,
                        plain.signature().groups[group.ix()].name
                    )
                }
                None => merged.set(merged.get() + 1),
            }
        }
    });
    assert!(
        left_out.get() > 10 && merged.get() > 10,
        "{left_out:?} with slots left out, {merged:?} groups merged"
    );
}
