//! A regrouped model is the plain one in other places: with each group alone, merged, and with things left
//! out.

use std::sync::Arc;

use base::{GroupIx, SlotIx, SplitMix64};
use layers::{Aspect, Error, Layer, Regrouped, Translation};
use model::{Model, Successors};

use crate::naive::{Back, explore};
use crate::random::{for_seeds, order, toy};

pub fn slots(order: &[usize]) -> Vec<SlotIx> {
    order.iter().copied().map(SlotIx::new).collect()
}

/// Each group alone.
pub fn groups(order: &[usize]) -> Vec<Vec<GroupIx>> {
    order.iter().map(|&group| vec![GroupIx::new(group)]).collect()
}

#[test]
fn a_reordered_model_says_the_same() {
    for_seeds(200, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let random = &mut SplitMix64::new(!seed);
        let slot_order = order(random, plain.signature().slots.len());
        let group_order = order(random, plain.signature().groups.len());
        let layered = Regrouped::new(plain.clone(), slots(&slot_order), groups(&group_order)).unwrap();

        let (above, below) = (layered.signature(), plain.signature());
        for (at, &slot) in slot_order.iter().enumerate() {
            assert_eq!(above.slots[at].name, below.slots[slot].name);
            assert_eq!(layered.initial()[at], plain.initial()[slot]);
        }
        for (at, &group) in group_order.iter().enumerate() {
            assert_eq!(above.groups[at].name, below.groups[group].name);
            assert_eq!(above.groups[at].guards, below.groups[group].guards);
        }
        for (i, &group) in group_order.iter().enumerate() {
            for (j, &slot) in slot_order.iter().enumerate() {
                let access = |model: &dyn Model, i, j| {
                    let matrices = model.dependencies();
                    let (i, j) = (GroupIx::new(i), SlotIx::new(j));
                    (
                        matrices.access(i, j),
                        matrices.update_read.get(i.ix(), j.ix()),
                        matrices.must_write(i, j),
                    )
                };
                assert_eq!(access(&layered, i, j), access(&*plain, group, slot));
            }
        }
        for (j, &slot) in slot_order.iter().enumerate() {
            let column = |model: &dyn Model, j| {
                let (tests, labels) = (&model.dependencies().tests, &model.dependencies().label_reads);
                let tested: Vec<bool> = (0..tests.rows()).map(|row| tests.get(row, j)).collect();
                (tested, (0..labels.rows()).map(|row| labels.get(row, j)).collect::<Vec<_>>())
            };
            assert_eq!(column(&layered, j), column(&*plain, slot));
        }

        let back =
            Back { state: &|state| layered.state_below(state), slots: slot_order, groups: group_order };
        assert_eq!(explore(&layered, &back), explore(&*plain, &Back::none(&*plain)));
    });
}

/// What groups do when they are asked together, in parts of any size, is what they do one by one: also merged
/// ones, and where some fail.
#[test]
fn groups_in_parts_do_the_same() {
    let failed = std::cell::Cell::new(0);
    for_seeds(200, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let random = &mut SplitMix64::new(!seed);
        let slot_order = order(random, plain.signature().slots.len());
        let group_order = order(random, plain.signature().groups.len());
        let merged = groups(&group_order).chunks(2).map(<[_]>::concat).collect();
        let layered = Regrouped::new(plain, slots(&slot_order), merged).unwrap();
        let count = layered.signature().groups.len();
        let (mut stepper, state) = (layered.stepper(), layered.initial().to_vec());
        let mut alone = Successors::new(state.len());
        let errors: Vec<bool> =
            GroupIx::all(count).map(|group| stepper.group(group, &state, &mut alone).is_err()).collect();
        for most in 1..4 {
            let (mut together, mut next, mut has_failed) = (Successors::new(state.len()), 0, false);
            while next < count {
                let before = together.len();
                let part = stepper.some(next..count, most, &state, &mut together);
                assert!(part.next > next && (part.next == count || together.len() - before >= most));
                assert_eq!(part.has_failed, errors[next..part.next].contains(&true));
                (next, has_failed) = (part.next, has_failed | part.has_failed);
            }
            failed.set(failed.get() + u32::from(has_failed));
            let all = |found: &Successors| -> Vec<_> {
                found.iter().map(|step| (step.group, step.action, step.state.to_vec())).collect()
            };
            assert_eq!(all(&together), all(&alone));
        }
    });
    assert!(failed.get() > 20, "{failed:?}");
}

#[test]
fn an_order_that_is_none_is_refused() {
    let plain: Arc<dyn Model> = Arc::new(toy(1));
    let (n, k) = (plain.signature().slots.len(), plain.signature().groups.len());
    let identity = |count: usize| (0..count).collect::<Vec<_>>();
    let refused = |slot_order: &[usize], group_order: &[usize]| {
        Regrouped::new(plain.clone(), slots(slot_order), groups(group_order)).err()
    };
    assert_eq!(refused(&identity(n), &identity(k)), None);
    let mut twice = identity(n);
    twice[0] = 1;
    assert_eq!(refused(&twice, &identity(k)), Some(Error::OrderTwice { of: "slots", number: 1 }));
    let mut unknown = identity(k);
    unknown[0] = k;
    let error = refused(&identity(n), &unknown).unwrap();
    assert_eq!(error, Error::OrderUnknown { of: "groups", number: k, present: k });
    assert!(error.to_string().starts_with(&format!("the order names number {k} of the groups")), "{error}");
}

#[test]
fn only_what_never_changes_and_changes_nothing_may_be_left_out() {
    for_seeds(100, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let written =
            |j: usize| (0..plain.signature().groups.len()).any(|i| plain.dependencies().may_write.get(i, j));
        let (all_slots, all_groups) = (0..plain.signature().slots.len(), 0..plain.signature().groups.len());
        for left_out in all_slots.clone() {
            let rest: Vec<usize> = all_slots.clone().filter(|&slot| slot != left_out).collect();
            let result =
                Regrouped::new(plain.clone(), slots(&rest), groups(&all_groups.clone().collect::<Vec<_>>()));
            match result {
                Ok(layer) => assert!(!written(left_out) && layer.contract().preserves == Aspect::ALL),
                Err(error) => {
                    assert_eq!(error, Error::LeftOut { of: "slots", number: left_out });
                    assert!(written(left_out));
                }
            }
        }
        for left_out in all_groups.clone() {
            let rest: Vec<usize> = all_groups.clone().filter(|&group| group != left_out).collect();
            let every_slot: Vec<usize> = all_slots.clone().collect();
            match Regrouped::new(plain.clone(), slots(&every_slot), groups(&rest)) {
                Ok(layer) => {
                    assert_eq!(
                        layer.contract().preserves,
                        [Aspect::States, Aspect::Errors, Aspect::Invariants]
                    );
                    let states = |model: &dyn Model| {
                        let space = explore(model, &Back::none(model));
                        space
                            .into_iter()
                            .map(|(state, facts)| (state, !facts.errors.is_empty()))
                            .collect::<Vec<_>>()
                    };
                    let below: Vec<_> = states(&*plain);
                    assert_eq!(states(&layer), below);
                }
                Err(error) => {
                    assert_eq!(error, Error::LeftOut { of: "groups", number: left_out });
                    let writes = plain.dependencies().may_write.count(left_out) > 0;
                    assert!(writes || plain.may_fail(GroupIx::new(left_out)));
                }
            }
        }
    });
}
