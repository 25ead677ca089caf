//! What can be left out of a model (Meijer 2014, definition 3.12).
//!
//! - A slot that no group may write is a *constant*. It can always be left out: its value is known.
//! - A group with the same effect as another one is a *repeat*: it has the same steps, with an action of its
//!   own. It can be left out where it is not asked which actions occur. The steps of the other one then count
//!   for both. (In nets: Murata 1989, "parallel transitions".)
//! - A group that changes nothing and never fails is a *loop*: its steps lead back to where they come from.
//!   It can be left out where neither transitions, actions, deadlocks nor runs are asked for. A group that
//!   may fail stays, because what a search does not see to fail is said not to.
//!
//! An example, a net with the places p, q and r, of which no transition takes from or gives to r:
//!
//! ```text
//! t: p > 0 → p := p − 1, q := q + 1
//! u: p > 0 → p := p − 1, q := q + 1      a repeat of t
//! v: q > 2 → q := q                      a loop
//! ```
//!
//! [`Eliminate::ConstantsAndLoops`] leaves p, q and t. The states are the same. The number of transitions is
//! not: v is gone. And where q is 3 and p is 0, there is a deadlock now.
//!
//! Differs from definition 3.12, which looks at the matrix alone: v writes q by its row of the matrix, and
//! its effect says that q keeps its value.
//!
//! Slots that are written and never read (definition 3.13) are not left out. States that differ in them alone
//! would become one. Every report tells the number of states, and it would be that of a smaller model. And a
//! run of the smaller model does not tell what such a slot holds, so it cannot be replayed state by state.

use std::collections::{HashMap, HashSet};

use base::{GroupIx, SlotIx};
use model::{Dependencies, Effect, Model};

use crate::Aspect;

/// What to leave out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Eliminate {
    /// Nothing.
    #[default]
    Nothing,
    /// Constants.
    Constants,
    /// Constants, and groups with the same effect as another: where it is not asked which actions occur.
    ConstantsAndRepeats,
    /// All these, and groups that change nothing and never fail: for questions about states alone.
    ConstantsAndLoops,
}

impl Eliminate {
    /// What is the same without that which is left out, whatever the model.
    pub fn preserves(self) -> &'static [Aspect] {
        match self {
            Self::Nothing | Self::Constants => Aspect::ALL,
            Self::ConstantsAndRepeats => Aspect::WITHOUT_ACTIONS,
            Self::ConstantsAndLoops => &[Aspect::States, Aspect::Errors, Aspect::Invariants],
        }
    }
}

/// The slots that no group may write, ascending.
pub fn constants(matrices: &Dependencies) -> Vec<SlotIx> {
    let mut written = vec![false; matrices.may_write.columns()];
    let rows = 0..matrices.may_write.rows();
    rows.flat_map(|group| matrices.may_write.ones(group)).for_each(|slot| written[slot] = true);
    SlotIx::all(written.len()).filter(|slot| !written[slot.ix()]).collect()
}

/// Whether the group changes nothing and never fails.
pub fn is_loop(model: &dyn Model, group: GroupIx) -> bool {
    let effect = model.signature().groups[group.ix()].effect.as_ref();
    let keeps_all =
        |effect: &model::Effect| !effect.slots.iter().flat_map(|(_, rules)| rules).any(|rule| rule.changes());
    let changes_nothing =
        model.dependencies().may_write.count(group.ix()) == 0 || effect.is_some_and(keeps_all);
    changes_nothing && !model.may_fail(group)
}

/// Groups by what they do, as far as they say it: the first of those with the same effect stands for all of
/// them.
pub(crate) struct Effects<'m>(HashMap<&'m Effect, GroupIx>);

impl<'m> Effects<'m> {
    /// Of some groups of a model.
    pub(crate) fn of(model: &'m dyn Model, groups: impl IntoIterator<Item = GroupIx>) -> Self {
        let mut firsts = HashMap::new();
        for group in groups {
            if let Some(effect) = &model.signature().groups[group.ix()].effect {
                firsts.entry(effect).or_insert(group);
            }
        }
        Self(firsts)
    }

    /// The group that stands for a group of the model, if one of them does the same.
    pub(crate) fn first(&self, model: &'m dyn Model, group: GroupIx) -> Option<GroupIx> {
        model.signature().groups[group.ix()].effect.as_ref().and_then(|effect| self.0.get(effect).copied())
    }
}

/// The slots that stay.
pub fn remaining_slots(model: &dyn Model, eliminate: Eliminate) -> Vec<SlotIx> {
    let mut slots: Vec<SlotIx> = model.signature().slot_ixs().collect();
    if eliminate != Eliminate::Nothing {
        let constants = constants(model.dependencies());
        slots.retain(|slot| constants.binary_search(slot).is_err());
    }
    slots
}

/// The classes of groups that stay, of those that are to be merged. A repeat is left out only if it and the
/// group with the same effect are alone in their classes.
pub fn remaining_groups(
    model: &dyn Model,
    eliminate: Eliminate,
    mut classes: Vec<Vec<GroupIx>>,
) -> Vec<Vec<GroupIx>> {
    if matches!(eliminate, Eliminate::ConstantsAndRepeats | Eliminate::ConstantsAndLoops) {
        let mut seen = HashSet::new();
        let effect = |group: GroupIx| model.signature().groups[group.ix()].effect.as_ref();
        classes.retain(|class| alone(class).and_then(effect).is_none_or(|effect| seen.insert(effect)));
    }
    if eliminate == Eliminate::ConstantsAndLoops {
        classes.iter_mut().for_each(|class| class.retain(|&group| !is_loop(model, group)));
        classes.retain(|class| !class.is_empty());
    }
    classes
}

/// The group of a class of one.
pub(crate) fn alone(class: &[GroupIx]) -> Option<GroupIx> {
    match *class {
        [group] => Some(group),
        _ => None,
    }
}
