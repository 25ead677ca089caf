//! What can be left out of a matrix: Meijer 2014, definitions 3.12 and 3.13, and constants.
//!
//! - A slot that no group may write is a constant. It can always be left out: its value is known.
//! - A group that writes nothing (3.12) adds no state. It can be left out where neither transitions, actions, deadlocks
//!   nor evaluation errors are asked for: its steps lead back to where they come from.
//! - A slot that is written and that no group, guard or label reads (3.13) can be left out where only what bisimilar
//!   models share is asked for. [`crate::Regrouped`] does not do it: states that differ in such a slot become one, the
//!   number of states is another, and the value that a run of the plain model has there is lost, so that no run could be
//!   replayed state by state.

use base::{GroupIx, SlotIx};
use model::{Dependencies, Model};

/// What to leave out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Eliminate {
    /// Nothing.
    #[default]
    Nothing,
    /// Constants.
    Constants,
    /// Constants, and groups that write nothing: for questions about states alone.
    ConstantsAndLoops,
}

/// The slots that no group may write, ascending.
pub fn constants(matrices: &Dependencies) -> Vec<SlotIx> {
    let written = columns(matrices, |group| Box::new(matrices.may_write.ones(group)));
    SlotIx::all(written.len()).filter(|slot| !written[slot.ix()]).collect()
}

/// The groups that write nothing, ascending (3.12).
pub fn loops(matrices: &Dependencies) -> Vec<GroupIx> {
    GroupIx::all(matrices.may_write.rows()).filter(|group| matrices.may_write.count(group.ix()) == 0).collect()
}

/// The slots that are written and that no group, guard or label reads, ascending (3.13).
pub fn write_only(matrices: &Dependencies) -> Vec<SlotIx> {
    let written = columns(matrices, |group| Box::new(matrices.may_write.ones(group)));
    let mut read = columns(matrices, |group| Box::new(matrices.read.ones(group)));
    for matrix in [&matrices.tests, &matrices.label_reads] {
        (0..matrix.rows()).flat_map(|row| matrix.ones(row)).for_each(|slot| read[slot] = true);
    }
    SlotIx::all(written.len()).filter(|slot| written[slot.ix()] && !read[slot.ix()]).collect()
}

fn columns<'m>(matrices: &Dependencies, row: impl Fn(usize) -> Box<dyn Iterator<Item = usize> + 'm>) -> Vec<bool> {
    let mut touched = vec![false; matrices.read.columns()];
    (0..matrices.read.rows()).flat_map(row).for_each(|slot| touched[slot] = true);
    touched
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

/// The bunches of groups that stay.
pub fn remaining_groups(model: &dyn Model, eliminate: Eliminate, mut bunches: Vec<Vec<GroupIx>>) -> Vec<Vec<GroupIx>> {
    if eliminate == Eliminate::ConstantsAndLoops {
        let loops = loops(model.dependencies());
        bunches.iter_mut().for_each(|bunch| bunch.retain(|group| loops.binary_search(group).is_err()));
        bunches.retain(|bunch| !bunch.is_empty());
    }
    bunches
}
