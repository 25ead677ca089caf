//! A dependency matrix as lists: which slots each group touches, and which groups touch each slot.

use base::{BitMatrix, GroupIx, SlotIx};
use model::Dependencies;

/// Which accesses count where slots are put in order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CountedAccess {
    /// Reads.
    Read,
    /// Possible writes.
    Write,
    /// Both.
    #[default]
    Combined,
}

/// Which slots groups touch and which groups slots are touched by, as sorted lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incidence {
    rows: Vec<Vec<usize>>,
    columns: Vec<Vec<usize>>,
}

impl Incidence {
    /// Of a model's matrices.
    pub fn new(matrices: &Dependencies, counted: CountedAccess) -> Self {
        let rows = 0..matrices.read.rows();
        Self::from_rows(
            matrices.read.columns(),
            rows.map(|group| touched(matrices, counted, group)).collect(),
        )
    }

    /// Of some slots and merged rows of a model's matrices: slot `i` of the result is `slots[i]`, and row `i`
    /// is the union of the rows `groups[i]`.
    pub fn part(
        matrices: &Dependencies,
        counted: CountedAccess,
        slots: &[SlotIx],
        groups: &[Vec<GroupIx>],
    ) -> Self {
        let mut position = vec![None; matrices.read.columns()];
        for (at, slot) in slots.iter().enumerate() {
            position[slot.ix()] = Some(at);
        }
        let row = |members: &Vec<GroupIx>| {
            let touched = members.iter().flat_map(|group| touched(matrices, counted, group.ix()));
            touched.filter_map(|slot| position[slot]).collect()
        };
        Self::from_rows(slots.len(), groups.iter().map(row).collect())
    }

    /// Of rows that name the slots they touch, each once.
    ///
    /// # Panics
    /// When a row names a slot that there is not.
    pub fn from_rows(slots: usize, mut rows: Vec<Vec<usize>>) -> Self {
        let mut columns = vec![Vec::new(); slots];
        for (group, row) in rows.iter_mut().enumerate() {
            row.sort_unstable();
            row.dedup();
            for &slot in &*row {
                assert!(slot < slots, "BUG: a row names slot {slot} of {slots}");
                columns[slot].push(group);
            }
        }
        Self { rows, columns }
    }

    /// The same with no more groups than this, if there are more: one in so many, evenly, which tell as much
    /// about the slots as all do.
    pub fn thinned(&self, most: usize) -> Option<Self> {
        let kept = self.groups().div_ceil(most.max(1));
        let rows = || self.rows.iter().step_by(kept).cloned().collect();
        (kept > 1).then(|| Self::from_rows(self.slots(), rows()))
    }

    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.columns.len()
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.rows.len()
    }

    /// The slots that a group touches, ascending.
    pub fn row(&self, group: usize) -> &[usize] {
        &self.rows[group]
    }

    /// The groups that touch a slot, ascending.
    pub fn column(&self, slot: usize) -> &[usize] {
        &self.columns[slot]
    }

    /// All rows.
    pub fn rows(&self) -> &[Vec<usize>] {
        &self.rows
    }

    /// The first and last position of each group where slots stand in this order; nothing of a group without
    /// slots.
    pub fn extents(&self, order: &[usize]) -> Vec<Option<(usize, usize)>> {
        let mut position = vec![0; self.slots()];
        for (at, &slot) in order.iter().enumerate() {
            position[slot] = at;
        }
        let extent = |row: &Vec<usize>| {
            let positions = || row.iter().map(|&slot| position[slot]);
            Some((positions().min()?, positions().max()?))
        };
        self.rows.iter().map(extent).collect()
    }
}

/// The slots that a group touches.
fn touched(matrices: &Dependencies, counted: CountedAccess, group: usize) -> Vec<usize> {
    let (read, write) = (&matrices.read, &matrices.may_write);
    match counted {
        CountedAccess::Read => read.ones(group).collect(),
        CountedAccess::Write => write.ones(group).collect(),
        CountedAccess::Combined => either(read, write, group),
    }
}

/// The columns where either matrix has a one in this row, ascending.
fn either(a: &BitMatrix, b: &BitMatrix, row: usize) -> Vec<usize> {
    let mut columns: Vec<usize> = a.ones(row).chain(b.ones(row)).collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_groups_are_kept_and_of_many_one_in_so_many() {
        let incidence = Incidence::from_rows(10, (0..10).map(|group| vec![group]).collect());
        assert_eq!(incidence.thinned(10), None);
        for most in 1..10 {
            let thinned = incidence.thinned(most).unwrap();
            assert!(thinned.groups() <= most && thinned.groups() * 2 > most, "{most}: {}", thinned.groups());
            assert_eq!(thinned.slots(), 10);
            assert_eq!(thinned.row(0), [0]);
        }
    }
}
