//! Labels are added after those that are there, and nothing else changes.

use std::sync::Arc;

use base::{LabelIx, SlotIx};
use layers::Labelled;
use model::{EvalError, EvalErrorKind, Label, LabelKind, Model, StateFunction, Value};

use crate::naive::{Back, explore};
use crate::random::{for_seeds, toy};

/// The sum of some slots, an error past a bound.
pub struct Sum {
    pub slots: Vec<SlotIx>,
    pub most: Value,
}

impl StateFunction for Sum {
    fn reads(&self) -> &[SlotIx] {
        &self.slots
    }

    fn value(&self, state: &[Value]) -> Result<Value, EvalError> {
        let sum = self.slots.iter().map(|slot| state[slot.ix()]).sum();
        let error = EvalError { kind: EvalErrorKind::Other("sum".into()), span: None };
        if sum <= self.most { Ok(sum) } else { Err(error) }
    }
}

pub fn label(name: &str) -> Label {
    Label { name: name.into(), kind: LabelKind::Invariant, span: None }
}

#[test]
fn labels_come_after_the_inner_ones_and_nothing_else_changes() {
    for_seeds(60, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let width = plain.signature().slots.len();
        let sums = [vec![0, 1], vec![width - 1]];
        let functions = sums.iter().map(|slots| {
            let slots = slots.iter().copied().map(SlotIx::new).collect();
            (label("sum"), Arc::new(Sum { slots, most: 2 }) as Arc<dyn StateFunction>)
        });
        let layered = Labelled::new(plain.clone(), functions.collect());
        let before = plain.signature().labels.len();
        assert_eq!(layered.first_added(), LabelIx::new(before));
        assert_eq!(layered.initial(), plain.initial());

        let matrix = &layered.dependencies().label_reads;
        for inner in 0..before {
            assert_eq!(matrix.row(inner), plain.dependencies().label_reads.row(inner));
        }
        for (added, slots) in sums.iter().enumerate() {
            assert_eq!(&matrix.ones(before + added).collect::<Vec<_>>(), slots);
        }

        let wanted = explore(&*plain, &Back::none(&*plain));
        let mut found = explore(&layered, &Back::none(&layered));
        for (state, facts) in &mut found {
            let added = facts.labels.split_off(before);
            for (value, slots) in added.into_iter().zip(&sums) {
                let sum: Value = slots.iter().map(|&slot| state[slot]).sum();
                assert_eq!(value, if sum <= 2 { Ok(sum) } else { Err("sum".to_owned()) });
            }
        }
        assert_eq!(found, wanted);
    });
}
