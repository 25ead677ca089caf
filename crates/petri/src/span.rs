//! Fewer columns of an incidence matrix that span the same space. A net unfolded from colours can have a
//! thousand transitions for each place, and what is the same for all of their sums depends on no more of them
//! than there are places.
//!
//! Independent columns are found modulo a prime, one after the other. That they span all the others is then
//! proved with whole numbers: every invariant of those chosen is one of each column.

use crate::invariants::{Incidence, Sparse, basis};

/// A prime; numbers below it have products of 62 bits.
const PRIME: i64 = (1 << 31) - 1;

/// Where there are not so many columns it is not worth the while, …
const FEWEST: usize = 30_000;
/// … nor where there are not so many times more columns than places; …
const TIMES_PLACES: usize = 8;
/// … and of more places each column is too much work.
const MOST_PLACES: usize = 3_000;

/// A few of the columns that span all of them; `None` where it is not worth the while, takes too long, or
/// cannot be proved.
pub(crate) fn spanning(columns: &[Sparse], places: usize, stop: &dyn Fn() -> bool) -> Option<Vec<Sparse>> {
    if columns.len() < FEWEST.max(TIMES_PLACES * places) || places > MOST_PLACES {
        return None;
    }
    chosen(columns, places, stop)
}

fn chosen(columns: &[Sparse], places: usize, stop: &dyn Fn() -> bool) -> Option<Vec<Sparse>> {
    // The short ones first: they make for small numbers.
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|&column| columns[column].len());
    let mut echelon = Echelon { rows: vec![None; places] };
    let mut chosen: Vec<Sparse> = Vec::new();
    for (at, &column) in order.iter().enumerate() {
        if at % 4096 == 0 && stop() {
            return None;
        }
        if echelon.add(&columns[column])? {
            chosen.push(columns[column].clone());
        }
    }
    let mut incidence = Incidence { places: vec![Sparse::new(); places], transitions: Vec::new() };
    for (number, column) in chosen.iter().enumerate() {
        column.iter().for_each(|&(place, change)| incidence.places[place].push((number, change)));
    }
    let invariants = basis(&incidence, stop)?;
    are_invariants(&invariants, columns, places, stop).then_some(chosen)
}

/// Rows that begin with a one, each at its own place.
struct Echelon {
    rows: Vec<Option<Vec<(u32, i64)>>>,
}

impl Echelon {
    /// Whether a column is independent of those before. `None` where a number is too large.
    fn add(&mut self, column: &[(usize, i128)]) -> Option<bool> {
        let mut rest = vec![0i64; self.rows.len()];
        let first = column.first()?.0;
        for &(place, change) in column {
            rest[place] = i64::try_from(change).ok()?.rem_euclid(PRIME);
        }
        for place in first..rest.len() {
            let lead = rest[place];
            if lead == 0 {
                continue;
            }
            match &self.rows[place] {
                Some(row) => {
                    for &(at, entry) in row {
                        let at = at as usize;
                        rest[at] = (rest[at] - lead * entry % PRIME).rem_euclid(PRIME);
                    }
                }
                None => {
                    let by = inverse(lead);
                    let entries = rest.iter().enumerate().filter(|(_, entry)| **entry != 0);
                    let row = entries.map(|(at, entry)| (at as u32, entry * by % PRIME)).collect();
                    self.rows[place] = Some(row);
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}

/// By Fermat: a number to the power of the prime less two.
fn inverse(number: i64) -> i64 {
    let (mut result, mut square, mut power) = (1, number, PRIME - 2);
    while power > 0 {
        if power & 1 == 1 {
            result = result * square % PRIME;
        }
        square = square * square % PRIME;
        power >>= 1;
    }
    result
}

/// Whether each of these weightings is zero on each column.
fn are_invariants(invariants: &[Sparse], columns: &[Sparse], places: usize, stop: &dyn Fn() -> bool) -> bool {
    let mut of: Vec<Vec<(usize, i128)>> = vec![Vec::new(); places];
    for (number, invariant) in invariants.iter().enumerate() {
        invariant.iter().for_each(|&(place, weight)| of[place].push((number, weight)));
    }
    let mut sums = vec![0i128; invariants.len()];
    columns.iter().enumerate().all(|(at, column)| {
        if at % 4096 == 0 && stop() {
            return false;
        }
        let fits = column.iter().all(|&(place, change)| {
            of[place].iter().all(|&(number, weight)| {
                let sum = weight.checked_mul(change).and_then(|part| sums[number].checked_add(part));
                sums[number] = sum.unwrap_or(0);
                sum.is_some()
            })
        });
        // All that was touched is zero again, or there is no proof.
        let touched = column.iter().flat_map(|&(place, _)| &of[place]);
        let is_zero = touched.into_iter().all(|&(number, _)| sums[number] == 0);
        fits && is_zero
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SplitMix64;

    /// The rank of columns, by elimination with fractions of whole numbers.
    fn rank(columns: &[Sparse], places: usize) -> usize {
        let mut rows: Vec<Vec<i128>> = columns
            .iter()
            .map(|column| {
                let mut row = vec![0; places];
                column.iter().for_each(|&(place, change)| row[place] = change);
                row
            })
            .collect();
        let mut rank = 0;
        for place in 0..places {
            let Some(pivot) = (rank..rows.len()).find(|&row| rows[row][place] != 0) else { continue };
            rows.swap(rank, pivot);
            for row in rank + 1..rows.len() {
                let pivot = rows[rank].clone();
                let (by, times) = (pivot[place], rows[row][place]);
                rows[row]
                    .iter_mut()
                    .zip(&pivot)
                    .for_each(|(entry, other)| *entry = *entry * by - other * times);
            }
            rank += 1;
        }
        rank
    }

    #[test]
    fn what_is_chosen_is_independent_and_spans_all() {
        let seed = std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
        println!("PINSCHER_SEED={seed}");
        let mut random = SplitMix64::new(seed);
        for _ in 0..500 {
            let places = 1 + random.below(5);
            let columns: Vec<Sparse> = (0..1 + random.below(10))
                .map(|_| {
                    let change = |place| (place, random.below(7) as i128 - 3);
                    (0..places).map(change).filter(|(_, change)| *change != 0).collect::<Sparse>()
                })
                .filter(|column| !column.is_empty())
                .collect();
            let chosen = chosen(&columns, places, &|| false).unwrap();
            assert_eq!(chosen.len(), rank(&columns, places), "{columns:?}");
            assert_eq!(rank(&chosen, places), chosen.len(), "{columns:?}");
        }
    }

    #[test]
    fn what_does_not_span_is_seen() {
        let columns = vec![vec![(0, 1), (1, -1)], vec![(1, 1), (2, -1)]];
        // (1, 1, 0) weighs the first column nothing, but not the second.
        assert!(!are_invariants(&[vec![(0, 1), (1, 1)]], &columns, 3, &|| false));
        assert!(are_invariants(&[vec![(0, 1), (1, 1), (2, 1)]], &columns, 3, &|| false));
    }
}
