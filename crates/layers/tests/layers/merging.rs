//! Merged groups do what their members do, and say so; which groups are merged.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{GroupIx, SlotIx, ones};
use layers::{
    Arrangement, Checked, Eliminate, Layer, Merge, Regrouped, constants, is_below, loops, merged, remaining_groups,
    remaining_slots, write_only,
};
use model::{Access, Model, Successors, Truth, Value};

use crate::checked::assert_silent;
use crate::naive::{Back, explore};
use crate::random::{Random, for_seeds, toy};

/// A successor, in the words of the plain model.
type Edge = (Value, Vec<Value>, BTreeSet<usize>);

/// What a bunch of groups must give in a state of the plain model: the first error if there is one, and all successors.
fn wanted(plain: &dyn Model, bunch: &[GroupIx], state: &[Value]) -> (Option<String>, Vec<Edge>) {
    let may_write = |group: &GroupIx| plain.dependencies().may_write.ones(group.ix()).collect::<BTreeSet<usize>>();
    let together: BTreeSet<usize> = bunch.iter().flat_map(may_write).collect();
    let (mut failure, mut edges) = (None, Vec::new());
    for group in bunch {
        let mut found = Successors::new(state.len());
        let outcome = plain.stepper().group(*group, state, &mut found);
        failure = failure.or(outcome.err().map(|error| error.to_string()));
        for successor in found.iter() {
            let mut copied: BTreeSet<usize> = ones(successor.copied_words()).collect();
            copied.extend(together.difference(&may_write(group)));
            edges.push((successor.action, successor.state.to_vec(), copied));
        }
    }
    edges.sort();
    (failure, edges)
}

/// Compares the layer with the plain model in every state that it reaches; how many states fail.
pub fn compare(plain: &Arc<dyn Model>, layer: &Regrouped, slots: &[SlotIx], bunches: &[Vec<GroupIx>]) -> usize {
    let mut stepper = layer.stepper();
    let mut known = BTreeSet::from([layer.initial().to_vec()]);
    let mut waiting = vec![layer.initial().to_vec()];
    let mut failing = 0;
    while let Some(state) = waiting.pop() {
        let below = layer.state_back(&state);
        let mut fails = false;
        for (group, bunch) in layer.signature().group_ixs().zip(bunches) {
            let mut found = Successors::new(state.len());
            let outcome = stepper.group(group, &state, &mut found);
            let got = (outcome.err().map(|error| error.to_string()), edges(layer, slots, &found));
            assert_eq!(got, wanted(&**plain, bunch, &below), "{bunch:?} in {below:?}");
            let guards = &layer.signature().groups[group.ix()].guards;
            if guards.iter().all(|&guard| stepper.guard(guard, &state) == Truth::True) {
                let mut updated = Successors::new(state.len());
                let outcome = stepper.update(group, &state, &mut updated);
                let updated = (outcome.err().map(|error| error.to_string()), edges(layer, slots, &updated));
                assert_eq!(updated, got, "update of {bunch:?} in {below:?}");
            }
            fails |= got.0.is_some();
            waiting.extend(found.iter().map(|next| next.state.to_vec()).filter(|next| known.insert(next.clone())));
        }
        failing += usize::from(fails);
    }
    failing
}

fn edges(layer: &Regrouped, slots: &[SlotIx], found: &Successors) -> Vec<Edge> {
    let mut edges: Vec<Edge> = found
        .iter()
        .map(|successor| {
            let copied = ones(successor.copied_words()).map(|slot| slots[slot].ix()).collect();
            (successor.action, layer.state_back(successor.state), copied)
        })
        .collect();
    edges.sort();
    edges
}

/// The layer is silent under `Checked` and reaches what the plain model does.
pub fn check(plain: &Arc<dyn Model>, layer: Regrouped, failing: usize, seed: u64) {
    let layer = Arc::new(layer);
    let checked = Checked::new(layer.clone(), 3, seed).with_merged_groups();
    let state_back = |state: &[Value]| layer.state_back(state);
    let slots = (0..layer.signature().slots.len()).collect();
    let groups = (0..layer.signature().groups.len()).collect();
    let above = explore(&checked, &Back { state: &state_back, slots, groups });
    assert_silent(&checked.complaints());
    let below = explore(&**plain, &Back::none(&**plain));
    if layer.preserves() == layers::Aspect::ALL {
        let transitions = |facts: &crate::naive::Facts| facts.all.as_ref().map(Vec::len);
        let summary = |space: &crate::naive::Space| {
            let facts = space.iter().map(|(state, facts)| (state.clone(), transitions(facts), facts.labels.clone()));
            facts.collect::<Vec<_>>()
        };
        assert_eq!(summary(&above), summary(&below));
    } else {
        assert!(above.keys().all(|state| below.contains_key(state)));
        assert_eq!(failing > 0, above.values().any(|facts| !facts.errors.is_empty()));
    }
}

/// Any bunches may be merged, sensible or not.
#[test]
fn merged_groups_do_what_their_members_do() {
    let (sound, guarded) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    for_seeds(400, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let random = &mut Random::new(!seed);
        let eliminate = [Eliminate::Nothing, Eliminate::Constants][random.below(2)];
        let kept = remaining_slots(&*plain, eliminate);
        let slots: Vec<SlotIx> = random.order(kept.len()).into_iter().map(|at| kept[at]).collect();
        let count = plain.signature().groups.len();
        let mut bunches = vec![Vec::new(); 1 + random.below(count)];
        for group in random.order(count) {
            let at = random.below(bunches.len());
            bunches[at].push(GroupIx::new(group));
        }
        let layer = Regrouped::new(plain.clone(), slots.clone(), bunches.clone()).unwrap();
        for (group, bunch) in layer.signature().groups.iter().zip(&bunches) {
            let guards = |group: &GroupIx| &plain.signature().groups[group.ix()].guards;
            let common = |guard: &_| bunch.iter().all(|member| guards(member).contains(guard));
            assert!(group.guards.iter().all(common));
            guarded.set(guarded.get() + usize::from(bunch.len() > 1 && !group.guards.is_empty()));
        }
        let failing = compare(&plain, &layer, &slots, &bunches);
        check(&plain, layer, failing, seed);
        sound.set(sound.get() + usize::from(failing == 0));
    });
    // Not if a single seed is asked for.
    if std::env::var("PINSCHER_SEED").is_err() {
        assert!(sound.get() > 50 && guarded.get() > 20, "{} and {}: too little was tested", sound.get(), guarded.get());
    }
}

#[test]
fn computed_arrangements_do_the_same_too() {
    for_seeds(150, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        for merge in [Merge::None, Merge::Equal, Merge::Subsume] {
            for eliminate in [Eliminate::Constants, Eliminate::ConstantsAndLoops] {
                let layer = Regrouped::by(plain.clone(), Arrangement { merge, eliminate, ..Arrangement::SYMBOLIC });
                let layer = layer.unwrap();
                let space = explore(&layer, &Back::none(&layer));
                let failing = space.values().filter(|facts| !facts.errors.is_empty()).count();
                check(&plain, layer, failing, seed);
            }
        }
    });
}

const ACCESSES: [Access; 5] = [Access::None, Access::Read, Access::MustWrite, Access::MayWrite, Access::Both];

/// The partial order, written out from its picture.
#[test]
fn accesses_are_partially_ordered() {
    let above = |access: Access| match access {
        Access::None => "-rW+",
        Access::Read => "r+",
        Access::MustWrite => "wW+",
        Access::MayWrite => "W+",
        Access::Both => "+",
    };
    for a in ACCESSES {
        for b in ACCESSES {
            assert_eq!(is_below(a, b), above(a).contains(b.letter()), "{a:?} {b:?}");
            assert!(!(is_below(a, b) && is_below(b, a)) || a == b);
            for c in ACCESSES {
                assert!(!(is_below(a, b) && is_below(b, c)) || is_below(a, c));
            }
        }
    }
}

/// A bunch's accesses are those of its head, entry by entry, in the model that is made of it; heads are not below others.
#[test]
fn a_bunch_touches_what_its_head_touches() {
    let merges = std::cell::Cell::new(0);
    for_seeds(300, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let matrices = plain.dependencies();
        let row = |matrices: &model::Dependencies, group: GroupIx| {
            plain.signature().slot_ixs().map(|slot| matrices.access(group, slot)).collect::<Vec<_>>()
        };
        let below = |a: &[Access], b: &[Access]| a.iter().zip(b).all(|(&a, &b)| is_below(a, b));
        let every_slot: Vec<SlotIx> = plain.signature().slot_ixs().collect();
        for merge in [Merge::None, Merge::Equal, Merge::Subsume] {
            let bunches = merged(&*plain, merge, false);
            let mut all: Vec<GroupIx> = bunches.iter().flatten().copied().collect();
            all.sort_unstable();
            assert_eq!(all, plain.signature().group_ixs().collect::<Vec<_>>());
            let layer = Regrouped::new(plain.clone(), every_slot.clone(), bunches.clone()).unwrap();
            for (at, bunch) in bunches.iter().enumerate() {
                let together = row(layer.dependencies(), GroupIx::new(at));
                assert!(bunch.iter().any(|&head| row(matrices, head) == together), "{bunch:?}");
                let others = (0..bunches.len()).filter(|&other| other != at);
                let rows = others.map(|other| row(layer.dependencies(), GroupIx::new(other)));
                match merge {
                    Merge::None => assert_eq!(bunch.len(), 1),
                    Merge::Equal => {
                        assert!(bunch.iter().all(|&group| row(matrices, group) == together));
                        assert!(rows.into_iter().all(|other| other != together));
                    }
                    Merge::Subsume => {
                        assert!(bunch.iter().all(|&group| below(&row(matrices, group), &together)));
                        assert!(rows.into_iter().all(|other| !below(&together, &other)));
                    }
                }
                merges.set(merges.get() + bunch.len() - 1);
            }
        }
    });
    if std::env::var("PINSCHER_SEED").is_err() {
        assert!(merges.get() > 50, "{} merges: nothing was tested", merges.get());
    }
}

#[test]
fn what_can_be_left_out_is_what_the_definitions_say() {
    for_seeds(200, |seed| {
        let plain = toy(seed);
        let matrices = plain.dependencies();
        let groups: Vec<GroupIx> = plain.signature().group_ixs().collect();
        let column =
            |slot, wanted: &[Access]| groups.iter().all(|&group| wanted.contains(&matrices.access(group, slot)));
        for slot in plain.signature().slot_ixs() {
            assert_eq!(constants(matrices).contains(&slot), column(slot, &[Access::None, Access::Read]));
            let looked_at = |matrix: &base::BitMatrix| (0..matrix.rows()).any(|row| matrix.get(row, slot.ix()));
            let unread = column(slot, &[Access::None, Access::MustWrite, Access::MayWrite])
                && !looked_at(&matrices.tests)
                && !looked_at(&matrices.label_reads);
            let is_written = !column(slot, &[Access::None]);
            assert_eq!(write_only(matrices).contains(&slot), unread && is_written);
        }
        for &group in &groups {
            let mut row = plain.signature().slot_ixs().map(|slot| matrices.access(group, slot));
            let is_loop = row.all(|access| matches!(access, Access::None | Access::Read));
            assert_eq!(loops(matrices).contains(&group), is_loop);
            let bunches = remaining_groups(&plain, Eliminate::ConstantsAndLoops, merged(&plain, Merge::None, false));
            assert_eq!(bunches.contains(&vec![group]), !is_loop);
        }
    });
}
