//! Sorted columns and rows: LTSmin's `cs` and `rs`. What touches the first things comes first.

use std::cmp::Ordering;

use super::Incidence;

/// The slots, sorted by the groups that touch them.
pub fn sort_slots(incidence: &Incidence) -> Vec<usize> {
    let mut order: Vec<usize> = (0..incidence.slots()).collect();
    order.sort_by(|&a, &b| ones_first(incidence.column(a), incidence.column(b)));
    order
}

/// The groups, sorted by the positions that they touch where slots stand in this order.
pub fn sort_groups(incidence: &Incidence, slots: &[usize]) -> Vec<usize> {
    let mut position = vec![0; incidence.slots()];
    for (at, &slot) in slots.iter().enumerate() {
        position[slot] = at;
    }
    let touched = |row: &Vec<usize>| {
        let mut positions: Vec<usize> = row.iter().map(|&slot| position[slot]).collect();
        positions.sort_unstable();
        positions
    };
    let rows: Vec<Vec<usize>> = incidence.rows().iter().map(touched).collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| ones_first(&rows[a], &rows[b]));
    order
}

/// Rows of bits, as ascending lists of their ones: at the first difference the one comes before the zero.
fn ones_first(a: &[usize], b: &[usize]) -> Ordering {
    match a.iter().zip(b).find(|(a, b)| a != b) {
        Some((a, b)) => a.cmp(b),
        None => b.len().cmp(&a.len()),
    }
}
