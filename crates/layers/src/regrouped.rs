//! Puts slots and groups in another order, merges groups, and leaves out what need not be computed. Symbolic
//! search lives and dies by that; what is a good order is the business of [`crate::orders`], what to merge
//! that of [`crate::merged`]. LTSmin's `pins2pins-group`. Guards and labels keep their numbers.
//!
//! Differs from LTSmin, which gives up guards when rows are merged (Meijer 2014, section 4.6):
//!
//! - A merged group keeps the guards that all its members have, if one of them has no others: then where they
//!   are true there is a successor, and where one is *maybe* it fails, as definition 4.5 asks. Otherwise it
//!   has none.
//! - It must write what all its members must write; what some member does not write is marked as copied in
//!   that member's successors. So any bunch of groups may be merged; see [`crate::Merge`] for which should
//!   be.
//!
//! A merged group fails where a member fails, and gives the successors by its other members nonetheless: what
//! can be reached only through failing states is preserved, too.
//!
//! Invariant: outer\[i\] = inner\[slots\[i\]\] of every state, in both directions; what is left out has its
//! initial value.

mod matrices;
mod predicates;
mod stepper;

use std::sync::Arc;

use base::{GroupIx, LabelIx, SlotIx};
use model::{Dependencies, Effect, Group, Linear, Model, Predicate, Signature, Stepper, Value};

use crate::elimination::{Effects, Eliminate, alone, is_loop, remaining_groups, remaining_slots};
use crate::orders::{Counted, Incidence, SlotOrder, groups_for};
use crate::{Aspect, Error, Layer, Merge, merged};
use predicates::Places;
use stepper::RegroupedStepper;

/// How [`Regrouped::by`] arranges a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The order of the slots.
    pub order: SlotOrder,
    /// Which accesses count for the order.
    pub counted: Counted,
    /// Which groups are merged.
    pub merge: Merge,
    /// What is left out.
    pub eliminate: Eliminate,
}

impl Arrangement {
    /// What is good for a symbolic search that is told nothing.
    pub const SYMBOLIC: Self = Self {
        order: SlotOrder::SYMBOLIC,
        counted: Counted::Combined,
        merge: Merge::None,
        eliminate: Eliminate::Constants,
    };
}

/// A model with its slots in another order and its groups in another order and in bunches.
pub struct Regrouped {
    inner: Arc<dyn Model>,
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    /// The inner slot at each position.
    slots: Vec<usize>,
    /// The members of each group.
    groups: Vec<Vec<Member>>,
    /// Where each inner slot stands, if it is not left out.
    position_of_slot: Vec<Option<usize>>,
    /// The outer group of each inner one: also of one that is left out because another one does the same, and
    /// none of one that is a loop.
    group_of: Vec<Option<GroupIx>>,
    /// What each inner group does not write and its outer group may, as words; empty if there is nothing.
    untouched: Vec<Box<[u64]>>,
    left_out: Eliminate,
}

/// An inner group in a bunch.
#[derive(Clone, Copy)]
struct Member {
    group: GroupIx,
    /// Whether all its guards are guards of the bunch: then its update is enough where those are true.
    guards_are_shared: bool,
}

impl Regrouped {
    /// The model where `slots[i]` is the inner slot that stands at position i, and group i does what the
    /// inner groups `groups[i]` do. A slot that no group writes may be left out, and so may a group that does
    /// what another one does which is alone in its bunch, and one that changes nothing and never fails; these
    /// cost what [`Eliminate::ConstantsAndRepeats`] and [`Eliminate::ConstantsAndLoops`] do not preserve.
    /// Refuses what is named twice, and what is left out otherwise.
    pub fn new(inner: Arc<dyn Model>, slots: Vec<SlotIx>, groups: Vec<Vec<GroupIx>>) -> Result<Self, Error> {
        let slots: Vec<usize> = slots.into_iter().map(SlotIx::ix).collect();
        let below = inner.signature();
        let position_of_slot = inverse("slots", slots.iter().map(|&slot| [slot]), below.slots.len())?;
        let numbers = groups.iter().map(|members| members.iter().map(|group| group.ix()));
        let mut group_of = inverse("groups", numbers, below.groups.len())?;
        let left_out = stand_in(&*inner, &groups, &mut group_of)?;
        let matrices = inner.dependencies();
        for group in 0..group_of.len() {
            if let Some(slot) = matrices.may_write.ones(group).find(|&slot| position_of_slot[slot].is_none())
            {
                return Err(Error::LeftOut { of: "slots", number: slot });
            }
        }
        let groups: Vec<Vec<Member>> = groups.iter().map(|members| bunch(below, members)).collect();
        let dependencies = matrices::regrouped(matrices, &groups, &slots, &position_of_slot);
        let untouched = matrices::untouched(matrices, &groups, &dependencies, &position_of_slot);
        let mut signature = Signature {
            name: below.name.clone(),
            types: below.types.clone(),
            slots: slots.iter().map(|&slot| below.slots[slot].clone()).collect(),
            groups: groups.iter().map(|members| merged_group(below, members)).collect(),
            guards: below.guards.clone(),
            labels: below.labels.clone(),
            action: below.action.clone(),
            alarms: below.alarms.clone(),
            source: below.source.clone(),
        };
        for (group, members) in signature.groups.iter_mut().zip(&groups) {
            group.effect = match members[..] {
                [Member { group, .. }] => below.groups[group.ix()]
                    .effect
                    .as_ref()
                    .and_then(|effect| moved(effect, inner.initial(), &position_of_slot)),
                _ => None,
            };
        }
        let initial = slots.iter().map(|&slot| inner.initial()[slot]).collect();
        let group_of = group_of.into_iter().map(|position| position.map(GroupIx::new)).collect();
        Ok(Self {
            inner,
            signature,
            dependencies,
            initial,
            slots,
            groups,
            position_of_slot,
            group_of,
            untouched,
            left_out,
        })
    }

    /// Where slots of the model below are now.
    fn places(&self) -> Places<'_> {
        Places { position: &self.position_of_slot, initial: self.inner.initial() }
    }

    /// The model in a computed order: groups are merged, what can be left out is, the slots are put in order
    /// by what remains, and the rows are sorted.
    pub fn by(inner: Arc<dyn Model>, wanted: Arrangement) -> Result<Self, Error> {
        let kept = remaining_slots(&*inner, wanted.eliminate);
        let bunches = merged(&*inner, wanted.merge);
        let bunches = remaining_groups(&*inner, wanted.eliminate, bunches);
        let incidence = Incidence::part(inner.dependencies(), wanted.counted, &kept, &bunches);
        let order = wanted.order.slots(&incidence);
        let groups =
            groups_for(&incidence, &order).into_iter().map(|group| bunches[group.ix()].clone()).collect();
        let slots = order.into_iter().map(|slot| kept[slot.ix()]).collect();
        Self::new(inner, slots, groups)
    }
}

/// Finds for each group that is left out one that does the same, unless it is a loop; says of which kind they
/// are.
fn stand_in(
    inner: &dyn Model,
    bunches: &[Vec<GroupIx>],
    place: &mut [Option<usize>],
) -> Result<Eliminate, Error> {
    let missing: Vec<usize> = (0..place.len()).filter(|&group| place[group].is_none()).collect();
    if missing.is_empty() {
        return Ok(Eliminate::Constants);
    }
    let effects = Effects::of(inner, bunches.iter().filter_map(|bunch| alone(bunch)));
    let mut left_out = Eliminate::ConstantsAndRepeats;
    for number in missing {
        let group = GroupIx::new(number);
        match effects.first(inner, group) {
            Some(first) => place[number] = place[first.ix()],
            None if is_loop(inner, group) => left_out = Eliminate::ConstantsAndLoops,
            None => return Err(Error::LeftOut { of: "groups", number }),
        }
    }
    Ok(left_out)
}

/// Where each number stands in the order, if the order names none twice.
fn inverse<I>(
    of: &'static str,
    order: impl IntoIterator<Item = I>,
    present: usize,
) -> Result<Vec<Option<usize>>, Error>
where
    I: IntoIterator<Item = usize>,
{
    let mut position = vec![None; present];
    for (at, numbers) in order.into_iter().enumerate() {
        for number in numbers {
            let place = position.get_mut(number).ok_or(Error::OrderUnknown { of, number, present })?;
            if place.replace(at).is_some() {
                return Err(Error::OrderTwice { of, number });
            }
        }
    }
    Ok(position)
}

/// The members of a bunch, and whether they have guards of their own.
fn bunch(below: &Signature, members: &[GroupIx]) -> Vec<Member> {
    let guards = |group: &GroupIx| &below.groups[group.ix()].guards;
    let mut shared = members.first().map(guards).cloned().unwrap_or_default();
    for member in members {
        shared.retain(|guard| guards(member).contains(guard));
    }
    let has_no_other = |group: &GroupIx| guards(group).iter().all(|guard| shared.contains(guard));
    members.iter().map(|&group| Member { group, guards_are_shared: has_no_other(&group) }).collect()
}

/// What the members are called, guarded by and where they stand, together; not what they do.
fn merged_group(below: &Signature, members: &[Member]) -> Group {
    let groups = || members.iter().map(|member| &below.groups[member.group.ix()]);
    if let [only] = members {
        let Group { name, guards, spans, .. } = &below.groups[only.group.ix()];
        return Group { name: name.clone(), guards: guards.clone(), spans: spans.clone(), effect: None };
    }
    let mut spans = Vec::new();
    for span in groups().flat_map(|group| &group.spans) {
        if !spans.contains(span) {
            spans.push(*span);
        }
    }
    // Someone whose guards all others have too: those are the guards of all.
    let shared = members.iter().find(|member| member.guards_are_shared);
    Group {
        name: groups().map(|group| group.name.as_str()).collect::<Vec<_>>().join(" | "),
        guards: shared.map(|member| below.groups[member.group.ix()].guards.clone()).unwrap_or_default(),
        spans,
        effect: None,
    }
}

/// The effect with its slots elsewhere; none where a constant that is left out disables it.
fn moved(effect: &Effect, initial: &[Value], position: &[Option<usize>]) -> Option<Effect> {
    let is_left_out = |slot: SlotIx| position[slot.ix()].is_none();
    let mut rest = effect.clone();
    rest.slots.retain(|(slot, _)| !is_left_out(*slot));
    let left_out = effect.slots.iter().map(|(slot, _)| *slot).filter(|&slot| is_left_out(slot));
    let is_enabled = left_out.map(|slot| effect.rule(slot, initial[slot.ix()])).all(|rule| rule.is_some());
    let place = |slot: SlotIx| SlotIx::new(position[slot.ix()].expect("BUG: the slot is not left out"));
    is_enabled.then(|| rest.moved(place))
}

impl Model for Regrouped {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    fn initial(&self) -> &[Value] {
        &self.initial
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(RegroupedStepper::new(self))
    }

    fn may_fail(&self, group: GroupIx) -> bool {
        self.groups[group.ix()].iter().any(|member| self.inner.may_fail(member.group))
    }

    fn guards_suffice(&self, group: GroupIx) -> bool {
        let members = self.groups[group.ix()].iter();
        members
            .filter(|member| member.guards_are_shared)
            .any(|member| self.inner.guards_suffice(member.group))
    }

    fn has_slow_calls(&self) -> bool {
        self.inner.has_slow_calls()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn label_predicate(&self, label: LabelIx) -> Option<Predicate> {
        self.places().predicate(&self.inner.label_predicate(label)?)
    }
}

impl Layer for Regrouped {
    fn name(&self) -> &str {
        "regroup"
    }

    fn inner(&self) -> &Arc<dyn Model> {
        &self.inner
    }

    fn preserves(&self) -> &[Aspect] {
        self.left_out.preserves()
    }

    fn sum_above(&self, sum: &Linear) -> (Linear, i128) {
        self.places().sum(sum)
    }

    fn group_above(&self, group: GroupIx) -> Option<GroupIx> {
        self.group_of[group.ix()].filter(|above| self.groups[above.ix()].len() == 1)
    }

    fn slot_above(&self, slot: SlotIx) -> Option<SlotIx> {
        self.position_of_slot[slot.ix()].map(SlotIx::new)
    }

    fn state_back(&self, state: &[Value]) -> Vec<Value> {
        let known = self.position_of_slot.iter().zip(self.inner.initial());
        known.map(|(position, &initial)| position.map_or(initial, |position| state[position])).collect()
    }
}
