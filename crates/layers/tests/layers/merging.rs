//! Merged groups do what their members do, and say so; which groups are merged.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{GroupIx, SlotIx, SplitMix64, ones};
use layers::{
    Aspect, Checked, Eliminate, Error, Layer, Merge, Over, Regrouped, Regrouping, Translation, constants,
    is_below, is_loop, merged, remaining_groups, remaining_slots,
};
use model::{Access, Effect, Model, Successors, Truth, Value};

use crate::checked::assert_silent;
use crate::naive::{Back, explore};
use crate::random::{for_seeds, order, toy};
use crate::toy::{Assign, Command, Expr, Test, Toy};

/// A successor, in the words of the plain model.
type Edge = (Value, Vec<Value>, BTreeSet<usize>);

/// What a class of groups must give in a state of the plain model: the first error if there is one, and all
/// successors.
fn wanted(plain: &dyn Model, class: &[GroupIx], state: &[Value]) -> (Option<String>, Vec<Edge>) {
    let may_write =
        |group: &GroupIx| plain.dependencies().may_write.ones(group.ix()).collect::<BTreeSet<usize>>();
    let together: BTreeSet<usize> = class.iter().flat_map(may_write).collect();
    let (mut failure, mut edges) = (None, Vec::new());
    for group in class {
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
pub fn compare(
    plain: &Arc<dyn Model>,
    layer: &Regrouped,
    slots: &[SlotIx],
    classes: &[Vec<GroupIx>],
) -> usize {
    let mut stepper = layer.stepper();
    let mut known = BTreeSet::from([layer.initial().to_vec()]);
    let mut waiting = vec![layer.initial().to_vec()];
    let mut failing = 0;
    while let Some(state) = waiting.pop() {
        let below = layer.state_below(&state);
        let mut fails = false;
        for (group, class) in layer.signature().group_ixs().zip(classes) {
            let mut found = Successors::new(state.len());
            let outcome = stepper.group(group, &state, &mut found);
            let got = (outcome.err().map(|error| error.to_string()), edges(layer, slots, &found));
            assert_eq!(got, wanted(&**plain, class, &below), "{class:?} in {below:?}");
            let guards = &layer.signature().groups[group.ix()].guards;
            if guards.iter().all(|&guard| stepper.guard(guard, &state) == Truth::True) {
                let mut updated = Successors::new(state.len());
                let outcome = stepper.update(group, &state, &mut updated);
                let updated = (outcome.err().map(|error| error.to_string()), edges(layer, slots, &updated));
                assert_eq!(updated, got, "update of {class:?} in {below:?}");
            }
            fails |= got.0.is_some();
            waiting.extend(
                found.iter().map(|next| next.state.to_vec()).filter(|next| known.insert(next.clone())),
            );
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
            (successor.action, layer.state_below(successor.state), copied)
        })
        .collect();
    edges.sort();
    edges
}

/// The layer is silent under `Checked` and reaches what the plain model does.
pub fn check(plain: &Arc<dyn Model>, layer: Over<Regrouped>, failing: usize, seed: u64) {
    let layer = Arc::new(layer);
    let checked = Checked::new(layer.clone(), 3, seed).with_merged_groups();
    let state_below = |state: &[Value]| layer.state_below(state);
    let slots = (0..layer.signature().slots.len()).collect();
    let groups = (0..layer.signature().groups.len()).collect();
    let above = explore(&checked, &Back { state: &state_below, slots, groups });
    assert_silent(&checked.complaints());
    let below = explore(&**plain, &Back::none(&**plain));
    // States, their labels, and whether they fail: what is the same whatever is left out.
    let of_states = |space: &crate::naive::Space| {
        let facts = |(state, facts): (&Vec<Value>, &crate::naive::Facts)| {
            (state.clone(), facts.labels.clone(), !facts.errors.is_empty())
        };
        space.iter().map(facts).collect::<Vec<_>>()
    };
    assert_eq!(of_states(&above), of_states(&below));
    if layer.contract().preserves == Aspect::ALL {
        let transitions = |space: &crate::naive::Space| {
            space.values().map(|facts| facts.all.as_ref().map(Vec::len)).collect::<Vec<_>>()
        };
        assert_eq!(transitions(&above), transitions(&below));
    }
    assert_eq!(failing > 0, above.values().any(|facts| !facts.errors.is_empty()));
}

/// Any classes may be merged, sensible or not.
#[test]
fn merged_groups_do_what_their_members_do() {
    let (sound, guarded) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    for_seeds(400, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let random = &mut SplitMix64::new(!seed);
        let eliminate = [Eliminate::Nothing, Eliminate::Constants][random.below(2)];
        let kept = remaining_slots(&*plain, eliminate);
        let slots: Vec<SlotIx> = order(random, kept.len()).into_iter().map(|at| kept[at]).collect();
        let count = plain.signature().groups.len();
        let mut classes = vec![Vec::new(); 1 + random.below(count)];
        for group in order(random, count) {
            let at = random.below(classes.len());
            classes[at].push(GroupIx::new(group));
        }
        let layer = Regrouped::new(plain.clone(), slots.clone(), classes.clone()).unwrap();
        for (group, class) in layer.signature().groups.iter().zip(&classes) {
            let guards = |group: &GroupIx| &plain.signature().groups[group.ix()].guards;
            let common = |guard: &_| class.iter().all(|member| guards(member).contains(guard));
            assert!(group.guards.iter().all(common));
            guarded.set(guarded.get() + usize::from(class.len() > 1 && !group.guards.is_empty()));
        }
        let failing = compare(&plain, &layer, &slots, &classes);
        check(&plain, layer, failing, seed);
        sound.set(sound.get() + usize::from(failing == 0));
    });
    // Not if a single seed is asked for.
    if std::env::var("PINSCHER_SEED").is_err() {
        assert!(
            sound.get() > 50 && guarded.get() > 20,
            "{} and {}: too little was tested",
            sound.get(),
            guarded.get()
        );
    }
}

#[test]
fn computed_arrangements_do_the_same_too() {
    let left_out = std::cell::Cell::new(0);
    for_seeds(150, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        for merge in [Merge::None, Merge::Equal, Merge::Subsume] {
            for eliminate in
                [Eliminate::Constants, Eliminate::ConstantsAndRepeats, Eliminate::ConstantsAndLoops]
            {
                let layer =
                    Regrouped::by(plain.clone(), Regrouping { merge, eliminate, ..Regrouping::SYMBOLIC });
                let layer = layer.unwrap();
                left_out.set(left_out.get() + usize::from(layer.contract().preserves != Aspect::ALL));
                let space = explore(&layer, &Back::none(&layer));
                let failing = space.values().filter(|facts| !facts.errors.is_empty()).count();
                check(&plain, layer, failing, seed);
            }
        }
    });
    if std::env::var("PINSCHER_SEED").is_err() {
        assert!(left_out.get() > 10, "{} layers left groups out: nothing was tested", left_out.get());
    }
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

/// A class's accesses are those of its head, entry by entry, in the model that is made of it; heads are not
/// below others.
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
            let classes = merged(&*plain, merge);
            let mut all: Vec<GroupIx> = classes.iter().flatten().copied().collect();
            all.sort_unstable();
            assert_eq!(all, plain.signature().group_ixs().collect::<Vec<_>>());
            let layer = Regrouped::new(plain.clone(), every_slot.clone(), classes.clone()).unwrap();
            for (at, class) in classes.iter().enumerate() {
                let together = row(layer.dependencies(), GroupIx::new(at));
                assert!(class.iter().any(|&head| row(matrices, head) == together), "{class:?}");
                let others = (0..classes.len()).filter(|&other| other != at);
                let rows = others.map(|other| row(layer.dependencies(), GroupIx::new(other)));
                match merge {
                    Merge::None => assert_eq!(class.len(), 1),
                    Merge::Equal => {
                        assert!(class.iter().all(|&group| row(matrices, group) == together));
                        assert!(rows.into_iter().all(|other| other != together));
                    }
                    Merge::Subsume => {
                        assert!(class.iter().all(|&group| below(&row(matrices, group), &together)));
                        assert!(rows.into_iter().all(|other| !below(&together, &other)));
                    }
                }
                merges.set(merges.get() + class.len() - 1);
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
        let column = |slot, wanted: &[Access]| {
            groups.iter().all(|&group| wanted.contains(&matrices.access(group, slot)))
        };
        for slot in plain.signature().slot_ixs() {
            assert_eq!(constants(matrices).contains(&slot), column(slot, &[Access::None, Access::Read]));
        }
        for &group in &groups {
            let mut row = plain.signature().slot_ixs().map(|slot| matrices.access(group, slot));
            let only_reads = row.all(|access| matches!(access, Access::None | Access::Read));
            let can_go = only_reads && !plain.may_fail(group);
            assert_eq!(is_loop(&plain, group), can_go);
            let classes = remaining_groups(&plain, Eliminate::ConstantsAndLoops, merged(&plain, Merge::None));
            assert_eq!(classes.contains(&vec![group]), !can_go);
        }
    });
}

/// Where x0 is 1: sets it to `after`, where that can be computed.
fn stays_or_goes(after: Expr, rule: Option<model::Rule>) -> Arc<dyn Model> {
    let test = Test { left: Expr::Slot(0), less: false, right: 1, negated: false };
    let rules = vec![Command { guards: vec![0], choices: vec![(0, vec![Assign::Slot(0, after)])] }];
    let mut toy = Toy::new(vec![1], vec![test], rules, vec![]);
    toy.signature.groups[0].effect = rule.map(|rule| Effect { slots: vec![(SlotIx::new(0), vec![rule])] });
    Arc::new(toy)
}

/// A row that writes may still change nothing; what may fail or change something cannot be left out.
#[test]
fn a_group_whose_effect_keeps_every_value_is_a_loop() {
    let rule = |most, after| Some(model::Rule { least: 1, most, change: model::Change::Set(after) });
    let stays = stays_or_goes(Expr::Const(1), rule(1, 1));
    let without = |model: &Arc<dyn Model>| Regrouped::new(model.clone(), vec![SlotIx::new(0)], vec![]);
    let layer = without(&stays).unwrap();
    assert_eq!(layer.contract().preserves, [Aspect::States, Aspect::Errors, Aspect::Invariants]);
    check(&stays, layer, 0, 3);
    let goes = stays_or_goes(Expr::Const(0), rule(1, 0));
    let goes_at_times = stays_or_goes(Expr::Const(1), rule(2, 1));
    let unknown = stays_or_goes(Expr::Const(1), None);
    let test = Test { left: Expr::Next(0, 1), less: true, right: 2, negated: false };
    let rules = vec![Command { guards: vec![0], choices: vec![(0, vec![])] }];
    let fails: Arc<dyn Model> = Arc::new(Toy::new(vec![1], vec![test], rules, vec![]));
    for model in [goes, goes_at_times, unknown, fails] {
        assert!(!is_loop(&*model, GroupIx::new(0)));
        assert_eq!(without(&model).err(), Some(Error::LeftOut { of: "groups", number: 0 }));
    }
}

/// A group that does the same as another can be left out, and the other then counts for both; one that does
/// something else cannot.
#[test]
fn a_group_with_the_effect_of_another_can_be_left_out() {
    let group =
        |after| Command { guards: vec![], choices: vec![(0, vec![Assign::Slot(0, Expr::Const(after))])] };
    let mut toy = Toy::new(vec![0, 0], vec![], vec![group(1), group(2), group(1), group(1)], vec![]);
    for (group, after) in toy.signature.groups.iter_mut().zip([1, 2, 1, 1]) {
        let rules = vec![model::Rule::always(model::Change::Set(after))];
        group.effect = Some(Effect { slots: vec![(SlotIx::new(0), rules)] });
    }
    let plain: Arc<dyn Model> = Arc::new(toy);
    let every_slot: Vec<SlotIx> = plain.signature().slot_ixs().collect();
    let classes = remaining_groups(&*plain, Eliminate::ConstantsAndRepeats, merged(&*plain, Merge::None));
    assert_eq!(classes, [vec![GroupIx::new(0)], vec![GroupIx::new(1)]]);
    let layer = Arc::new(Regrouped::new(plain.clone(), every_slot.clone(), classes).unwrap());
    assert_eq!(layer.contract().preserves, Aspect::WITHOUT_ACTIONS);
    let above: Vec<_> =
        plain.signature().group_ixs().map(|group| layer.group_above(group).map(GroupIx::ix)).collect();
    assert_eq!(above, [Some(0), Some(1), Some(0), Some(0)]);
    assert_eq!(explore(&*layer, &Back::none(&*layer)).len(), explore(&*plain, &Back::none(&*plain)).len());
    let mut stack = layers::Stack::new(plain.clone());
    assert_eq!(stack.weights(), None);
    stack.push(layer).unwrap();
    assert_eq!(stack.weights(), Some(vec![3, 1]));
    let without = |classes| Regrouped::new(plain.clone(), every_slot.clone(), classes).err();
    let wrong = |number| Some(Error::LeftOut { of: "groups", number });
    assert_eq!(without(vec![vec![GroupIx::new(0)]]), wrong(1));
    // Who is merged with another does not do the same as one alone.
    assert_eq!(without(vec![vec![GroupIx::new(0), GroupIx::new(1)]]), wrong(2));
    assert_eq!(without(vec![vec![GroupIx::new(0), GroupIx::new(1)], vec![GroupIx::new(3)]]), None);
}
