//! The model with its slots and groups in another order, with groups merged, and without what need not be
//! computed. LTSmin's `pins2pins-group`. Guards and labels keep their numbers.
//!
//! **The problem.** A symbolic search lives and dies by the order of slots and by how many relations it has
//! to apply. No engine should have to know how a good order is found ([`crate::orders`]), which groups are
//! better taken together ([`crate::merged`]), or what changes nothing ([`crate::remaining_slots`],
//! [`crate::remaining_groups`]).
//!
//! **The idea.** A list names which slot of the model below stands at each position, and a list of lists
//! names which groups below each group above is made of: its *members*. A slot that no group writes may be
//! missing. Its value is known: the initial one. A group may be missing that does what another one does, or
//! that changes nothing.
//!
//! **An example.** Below are the slots `a`, `k` (always 5) and `b`, and three groups:
//!
//! ```text
//! g0: when a < k,  a := a + 1
//! g1:              b := a
//! g2: when a < k,  b := 0
//! ```
//!
//! With the slots \[b, a\] and the groups \[\[g1\], \[g0, g2\]\], the state (a, k, b) = (3, 5, 7) below is
//! (b, a) = (7, 3) above. Its successors by the second group are those by its members, in the slots above:
//!
//! ```text
//! by g0:  (7, 4), where b is marked as copied
//! by g2:  (0, 3), where a is marked as copied
//! ```
//!
//! The merged group reads `a`, may write `a` and `b`, must write neither, and keeps the guard `a < k`.
//!
//! **Why it is right.** Each state above stands for one state below: above\[i\] = below\[slots\[i\]\], and
//! what is missing has its initial value. Both have the same steps, but for those of groups that are missing,
//! because a merged group has those of all its members. For its matrices to keep their promises:
//!
//! - It reads and may write what some member does, and must write only what all members must write. What a
//!   member does not write and another one may is marked as copied in that member's successors. So any groups
//!   can be merged.
//! - It keeps the guards that all members have, if one member has no others: where they are true there is a
//!   successor then, and where one of them is *maybe* it fails, as definition 4.5 of Meijer 2014 asks.
//!   Otherwise it has no guards. LTSmin gives up guards whenever groups are merged (Meijer 2014, section
//!   4.6).
//! - It fails where a member fails, and gives the successors by its other members nonetheless: what can be
//!   reached only through failing states is still reached.
//!
//! **What it costs.** Each call writes the state down in the order below, and each successor in the order
//! above: as many moves as there are slots.

mod elimination;
mod matrices;
mod members;
mod merging;
mod positions;
mod stepper;

use std::sync::Arc;

use base::{GroupIx, LabelIx, SlotIx};
use model::{Dependencies, Inside, Linear, Model, Path, Predicate, Signature, Stepper, Value};

use crate::orders::{CountedAccess, Incidence, SlotOrder, groups_for};
use crate::{Changes, Contract, Error, Layer, Over, Translation};
use elimination::{Effects, alone};
pub use elimination::{Eliminate, constants, is_loop, remaining_groups, remaining_slots};
use members::Member;
pub use merging::{Merge, is_below, merged};
use positions::Positions;
use stepper::RegroupedStepper;

/// How [`Regrouped::by`] arranges a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Regrouping {
    /// The order of the slots.
    pub order: SlotOrder,
    /// Which accesses count for the order.
    pub counted: CountedAccess,
    /// Which groups are merged.
    pub merge: Merge,
    /// What is left out.
    pub eliminate: Eliminate,
}

impl Regrouping {
    /// What is good for a symbolic search that is told nothing.
    pub const SYMBOLIC: Self = Self {
        order: SlotOrder::SYMBOLIC,
        counted: CountedAccess::Combined,
        merge: Merge::None,
        eliminate: Eliminate::Constants,
    };
}

/// A model with its slots in another order and its groups in another order and merged.
pub struct Regrouped {
    below: Arc<dyn Model>,
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    /// The slot below at each position above.
    slots: Vec<usize>,
    /// The members of each group above.
    groups: Vec<Vec<Member>>,
    /// The position above of each slot below, if it is not left out.
    position_of_slot: Vec<Option<usize>>,
    /// The group above that has the steps of each group below. One that is left out because another one does
    /// the same has that one's; a loop that is left out has none.
    group_of: Vec<Option<GroupIx>>,
    /// The positions that each group below does not write and its group above may, as words; empty if there
    /// is none.
    untouched: Vec<Box<[u64]>>,
    left_out: Eliminate,
}

impl Regrouped {
    /// The model where `slots[i]` is the slot below that stands at position i, and group i has the groups
    /// `groups[i]` of the model below as its members. A slot that no group writes may be left out. A group
    /// may be left out that does what another one does which is the only member of its group, and one that
    /// changes nothing and never fails; these cost what [`Eliminate::ConstantsAndRepeats`] and
    /// [`Eliminate::ConstantsAndLoops`] do not preserve. Refuses what is named twice, and what is left out
    /// otherwise.
    pub fn new(
        below: Arc<dyn Model>,
        slots: Vec<SlotIx>,
        groups: Vec<Vec<GroupIx>>,
    ) -> Result<Over<Self>, Error> {
        let slots: Vec<usize> = slots.into_iter().map(SlotIx::ix).collect();
        let (plain, matrices) = (below.signature(), below.dependencies());
        let position_of_slot = inverse("slots", slots.iter().map(|&slot| [slot]), plain.slots.len())?;
        let numbers = groups.iter().map(|members| members.iter().map(|group| group.ix()));
        let mut group_of = inverse("groups", numbers, plain.groups.len())?;
        let left_out = stand_in(&*below, &groups, &mut group_of)?;
        for group in 0..group_of.len() {
            if let Some(slot) = matrices.may_write.ones(group).find(|&slot| position_of_slot[slot].is_none())
            {
                return Err(Error::LeftOut { of: "slots", number: slot });
            }
        }
        let groups: Vec<Vec<Member>> = groups.iter().map(|groups| members::members(plain, groups)).collect();
        let dependencies = matrices::regrouped(matrices, &groups, &slots, &position_of_slot);
        let untouched = matrices::untouched(matrices, &groups, &dependencies, &position_of_slot);
        let mut signature = Signature {
            name: plain.name.clone(),
            types: plain.types.clone(),
            slots: slots.iter().map(|&slot| plain.slots[slot].clone()).collect(),
            groups: groups.iter().map(|members| members::merged_group(plain, members)).collect(),
            guards: plain.guards.clone(),
            labels: plain.labels.clone(),
            action: plain.action.clone(),
            alarms: plain.alarms.clone(),
            source: plain.source.clone(),
        };
        for (group, members) in signature.groups.iter_mut().zip(&groups) {
            if let [only] = members[..]
                && let Some(effect) = &plain.groups[only.group.ix()].effect
            {
                group.effect = members::moved(effect, below.initial(), &position_of_slot);
            }
        }
        let initial = slots.iter().map(|&slot| below.initial()[slot]).collect();
        let group_of = group_of.into_iter().map(|position| position.map(GroupIx::new)).collect();
        Ok(Over(Self {
            below,
            signature,
            dependencies,
            initial,
            slots,
            groups,
            position_of_slot,
            group_of,
            untouched,
            left_out,
        }))
    }

    /// The model in a computed order: groups are merged, what can be left out is, the slots are put in order
    /// by what remains, and the rows are sorted.
    pub fn by(below: Arc<dyn Model>, wanted: Regrouping) -> Result<Over<Self>, Error> {
        let kept = remaining_slots(&*below, wanted.eliminate);
        let classes = remaining_groups(&*below, wanted.eliminate, merged(&*below, wanted.merge));
        let incidence = Incidence::part(below.dependencies(), wanted.counted, &kept, &classes);
        let order = wanted.order.slots(&incidence);
        let groups =
            groups_for(&incidence, &order).into_iter().map(|group| classes[group.ix()].clone()).collect();
        let slots = order.into_iter().map(|slot| kept[slot.ix()]).collect();
        Self::new(below, slots, groups)
    }

    /// Where slots of the model below are now.
    fn positions(&self) -> Positions<'_> {
        Positions { position: &self.position_of_slot, initial: self.below.initial() }
    }
}

/// Finds for each group that is left out one that does the same, unless it is a loop; says of which kind they
/// are.
fn stand_in(
    below: &dyn Model,
    classes: &[Vec<GroupIx>],
    place: &mut [Option<usize>],
) -> Result<Eliminate, Error> {
    let missing: Vec<usize> = (0..place.len()).filter(|&group| place[group].is_none()).collect();
    if missing.is_empty() {
        return Ok(Eliminate::Constants);
    }
    let effects = Effects::of(below, classes.iter().filter_map(|class| alone(class)));
    let mut left_out = Eliminate::ConstantsAndRepeats;
    for number in missing {
        let group = GroupIx::new(number);
        match effects.first(below, group) {
            Some(first) => place[number] = place[first.ix()],
            None if is_loop(below, group) => left_out = Eliminate::ConstantsAndLoops,
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

impl Layer for Regrouped {
    fn below(&self) -> &Arc<dyn Model> {
        &self.below
    }

    fn contract(&self) -> Contract<'_> {
        Contract {
            name: "regroup",
            requires: &[],
            preserves: self.left_out.preserves(),
            changes: Changes::States(self),
        }
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(RegroupedStepper::new(self))
    }
}

impl Translation for Regrouped {
    model::from_fields!(signature, dependencies, initial);

    fn may_fail(&self, group: GroupIx) -> bool {
        self.groups[group.ix()].iter().any(|member| self.below.may_fail(member.group))
    }

    fn guards_suffice(&self, group: GroupIx) -> bool {
        let members = self.groups[group.ix()].iter();
        members
            .filter(|member| member.guards_are_shared)
            .any(|member| self.below.guards_suffice(member.group))
    }

    fn label_predicate(&self, label: LabelIx) -> Option<Predicate> {
        self.positions().predicate(&self.below.label_predicate(label)?)
    }

    /// Of several members the first that has such a step.
    fn unfold(&self, from: &[Value], group: GroupIx, action: Value, to: &[Value]) -> Option<Vec<Inside>> {
        let (from, to) = (self.state_below(from), self.state_below(to));
        let mut members = self.groups[group.ix()].iter();
        let path = members.find_map(|member| self.below.unfold(&from, member.group, action, &to))?;
        let above = |state: &[Value]| self.slots.iter().map(|&slot| state[slot]).collect();
        Some(path.into_iter().map(|inside| Inside { state: above(&inside.state), ..inside }).collect())
    }

    fn sum_above(&self, sum: &Linear) -> (Linear, i128) {
        self.positions().sum(sum)
    }

    fn group_above(&self, group: GroupIx) -> Option<GroupIx> {
        self.group_of[group.ix()].filter(|above| self.groups[above.ix()].len() == 1)
    }

    fn slot_above(&self, slot: SlotIx) -> Option<SlotIx> {
        self.position_of_slot[slot.ix()].map(SlotIx::new)
    }

    fn state_below(&self, state: &[Value]) -> Vec<Value> {
        let known = self.position_of_slot.iter().zip(self.below.initial());
        known.map(|(position, &initial)| position.map_or(initial, |position| state[position])).collect()
    }

    /// State by state: each step above is one step below.
    fn path_below(&self, path: Path) -> Path {
        Path { states: path.states.iter().map(|state| self.state_below(state)).collect(), ..path }
    }
}
