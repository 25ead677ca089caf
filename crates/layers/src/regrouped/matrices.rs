//! The matrices of merged groups, and what each member leaves alone that its bunch may write.

use base::BitMatrix;
use model::Dependencies;

use super::members::Member;

/// read and may_write: what some member does. must_write: what all members do. update_read: what an update
/// reads where the member's guards are those of the bunch, and all that the member reads where it has to look
/// at its own.
pub(super) fn regrouped(
    inner: &Dependencies,
    groups: &[Vec<Member>],
    slots: &[usize],
    position: &[Option<usize>],
) -> Dependencies {
    let guards = inner.tests.rows();
    let labels = inner.label_reads.rows();
    let mut outer = Dependencies::none(slots.len(), groups.len(), guards, labels);
    for (row, members) in groups.iter().enumerate() {
        for member in members {
            let group = member.group.ix();
            let update_read = if member.guards_are_shared { &inner.update_read } else { &inner.read };
            copy(&inner.read, group, &mut outer.read, row, position);
            copy(update_read, group, &mut outer.update_read, row, position);
            copy(&inner.may_write, group, &mut outer.may_write, row, position);
        }
        let Some((first, others)) = members.split_first() else { continue };
        for slot in inner.must_write.ones(first.group.ix()) {
            let is_sure = others.iter().all(|member| inner.must_write.get(member.group.ix(), slot));
            if let (true, Some(column)) = (is_sure, position[slot]) {
                outer.must_write.set(row, column);
            }
        }
    }
    for guard in 0..guards {
        copy(&inner.tests, guard, &mut outer.tests, guard, position);
    }
    for label in 0..labels {
        copy(&inner.label_reads, label, &mut outer.label_reads, label, position);
    }
    outer
}

fn copy(from: &BitMatrix, from_row: usize, to: &mut BitMatrix, to_row: usize, position: &[Option<usize>]) {
    for column in from.ones(from_row).filter_map(|column| position[column]) {
        to.set(to_row, column);
    }
}

/// For each inner group the positions that its bunch may write and it does not.
pub(super) fn untouched(
    inner: &Dependencies,
    groups: &[Vec<Member>],
    outer: &Dependencies,
    position: &[Option<usize>],
) -> Vec<Box<[u64]>> {
    let mut untouched = vec![Box::default(); inner.may_write.rows()];
    for (row, members) in groups.iter().enumerate().filter(|(_, members)| members.len() > 1) {
        for member in members {
            let mut words: Box<[u64]> = outer.may_write.row(row).into_owned().into();
            for column in inner.may_write.ones(member.group.ix()).filter_map(|slot| position[slot]) {
                words[column / 64] &= !(1 << (column % 64));
            }
            if words.iter().any(|&word| word != 0) {
                untouched[member.group.ix()] = words;
            }
        }
    }
    untouched
}
