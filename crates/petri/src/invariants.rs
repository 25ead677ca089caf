//! Invariants: weights of places whose sum no transition changes, y·C = 0; and of transitions that together
//! change nothing, C·x = 0.
//!
//! Semi-flows (no weight negative) of minimal support by Farkas' algorithm in the form of Colom & Silva,
//! "Convex geometry and semiflows in P/T nets", 1991: rows of [C | 1] are combined so that one column after
//! the other becomes zero, and rows whose support contains another's are left out. There can be exponentially
//! many, so the work has a limit; [`basis`] gives all invariants as combinations of a few, by elimination
//! without fractions, with signs.

use crate::{Net, Tokens, firing};

/// A sparse vector: positions ascending, no entry zero.
pub type Sparse = Vec<(usize, i128)>;

/// The incidence matrix C: by how much each transition changes each place.
#[derive(Clone, Debug)]
pub struct Incidence {
    /// For each place its entries by transition.
    pub places: Vec<Sparse>,
    /// For each transition its entries by place.
    pub transitions: Vec<Sparse>,
}

impl Incidence {
    /// The matrix of a net.
    pub fn new(net: &Net) -> Self {
        let transitions: Vec<Sparse> = net.transitions.iter().map(firing::changes).collect();
        let mut places = vec![Sparse::new(); net.places.len()];
        for (transition, changes) in transitions.iter().enumerate() {
            changes.iter().for_each(|&(place, change)| places[place].push((transition, change)));
        }
        Self { places, transitions }
    }
}

/// How much work may be done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rows at a time.
    pub rows: usize,
    /// Pairs of rows that are combined or compared.
    pub pairs: u64,
}

impl Effort {
    /// What takes a second or so at most.
    pub const LITTLE: Self = Self { rows: 3000, pairs: 3_000_000 };
}

/// Semi-flows that were found.
#[derive(Clone, Debug, Default)]
pub struct Semiflows {
    /// The weights of each, without a common divisor.
    pub flows: Vec<Sparse>,
    /// All of minimal support are there.
    pub complete: bool,
}

/// The semi-flows of places: what they weigh stays the same for ever.
pub fn place_semiflows(incidence: &Incidence, effort: Effort, stop: &dyn Fn() -> bool) -> Semiflows {
    semiflows(&incidence.places, incidence.transitions.len(), effort, stop)
}

/// The semi-flows of transitions: who fires so often leaves the marking as it was.
pub fn transition_semiflows(incidence: &Incidence, effort: Effort, stop: &dyn Fn() -> bool) -> Semiflows {
    semiflows(&incidence.transitions, incidence.places.len(), effort, stop)
}

/// Bounds of places that follow from semi-flows: y(p)·m(p) ≤ y·m = y·m₀.
pub fn bounds(net: &Net, flows: &[Sparse]) -> Vec<Option<Tokens>> {
    let mut bounds: Vec<Option<Tokens>> = vec![None; net.places.len()];
    for flow in flows {
        let weigh = |&(place, weight): &(usize, i128)| weight.checked_mul(net.places[place].initial.into());
        let Some(total) = flow.iter().map(weigh).try_fold(0i128, |sum, part| sum.checked_add(part?)) else {
            continue;
        };
        for &(place, weight) in flow {
            let bound = Tokens::try_from(total / weight).unwrap_or(Tokens::MAX);
            bounds[place] = Some(bounds[place].map_or(bound, |known| known.min(bound)));
        }
    }
    bounds
}

/// A row of [what is left of C | weights], with the support of the weights.
#[derive(Clone)]
struct Row {
    left: Sparse,
    weights: Sparse,
    support: Vec<u64>,
}

impl Row {
    /// Whether its support contains the other's.
    fn contains(&self, other: &Self) -> bool {
        other.support.iter().zip(&self.support).all(|(part, whole)| part & !whole == 0)
    }

    fn entry(&self, column: usize) -> i128 {
        self.left.binary_search_by_key(&column, |(at, _)| *at).map_or(0, |at| self.left[at].1)
    }
}

fn semiflows(matrix: &[Sparse], columns: usize, effort: Effort, stop: &dyn Fn() -> bool) -> Semiflows {
    let words = matrix.len().div_ceil(64);
    let row = |(at, entries): (usize, &Sparse)| {
        let mut support = vec![0; words];
        support[at / 64] |= 1 << (at % 64);
        Row { left: entries.clone(), weights: vec![(at, 1)], support }
    };
    let mut rows: Vec<Row> = matrix.iter().enumerate().map(row).collect();
    let mut open: Vec<usize> = (0..columns).collect();
    let mut pairs = effort.pairs;
    let mut complete = true;
    while let Some(column) = next_column(&rows, &mut open) {
        let (touching, mut kept): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| row.entry(column) != 0);
        let (above, below): (Vec<&Row>, Vec<&Row>) = touching.iter().partition(|row| row.entry(column) > 0);
        let mut made: Vec<Row> = Vec::new();
        for first in &above {
            for second in &below {
                pairs = pairs.saturating_sub(1 + kept.len() as u64 / 8);
                if pairs == 0 || kept.len() + made.len() > effort.rows || stop() {
                    complete = false;
                    break;
                }
                match combined(first, second, column) {
                    Some(row) => made.push(row),
                    // A number got too large.
                    None => complete = false,
                }
            }
        }
        // Where the work is too much, rows that are not done are given up; what is done stays a semi-flow.
        let before = kept.len();
        kept.extend(made);
        kept = minimal(kept, before);
        rows = kept;
        if !complete {
            rows.retain(|row| row.left.is_empty());
            break;
        }
    }
    let mut flows: Vec<Sparse> =
        rows.into_iter().filter(|row| row.left.is_empty()).map(|row| row.weights).collect();
    flows.sort_unstable();
    Semiflows { flows, complete }
}

/// The column that makes the fewest new rows; done ones are left out.
fn next_column(rows: &[Row], open: &mut Vec<usize>) -> Option<usize> {
    let size = open.iter().max().map_or(0, |most| most + 1);
    let (mut above, mut below) = (vec![0i64; size], vec![0i64; size]);
    for &(column, entry) in rows.iter().flat_map(|row| &row.left) {
        if entry > 0 { above[column] += 1 } else { below[column] += 1 }
    }
    open.retain(|&column| above[column] + below[column] > 0);
    let best = open
        .iter()
        .copied()
        .min_by_key(|&column| above[column] * below[column] - above[column] - below[column])?;
    open.retain(|&column| column != best);
    Some(best)
}

/// The sum of two rows in which the column is zero.
fn combined(first: &Row, second: &Row, column: usize) -> Option<Row> {
    let (left, right) = (first.entry(column), second.entry(column).checked_neg()?);
    let shared = gcd(left, right);
    let (of_first, of_second) = (right / shared, left / shared);
    let mut entries = add(&first.left, of_first, &second.left, of_second)?;
    let mut weights = add(&first.weights, of_first, &second.weights, of_second)?;
    let divisor = entries.iter().chain(&weights).fold(0, |divisor, (_, entry)| gcd(divisor, *entry));
    entries.iter_mut().chain(&mut weights).for_each(|(_, entry)| *entry /= divisor);
    let support = first.support.iter().zip(&second.support).map(|(left, right)| left | right).collect();
    Some(Row { left: entries, weights, support })
}

fn add(left: &[(usize, i128)], by: i128, right: &[(usize, i128)], times: i128) -> Option<Sparse> {
    let mut sum = Sparse::with_capacity(left.len() + right.len());
    let (mut at, mut other) = (0, 0);
    while at < left.len() || other < right.len() {
        let (from_left, from_right) = (left.get(at), right.get(other));
        let position = match (from_left, from_right) {
            (Some(l), Some(r)) => l.0.min(r.0),
            (Some(l), None) => l.0,
            (None, r) => r?.0,
        };
        let mut entry = 0i128;
        if let Some((_, value)) = from_left.filter(|(column, _)| *column == position) {
            entry = value.checked_mul(by)?;
            at += 1;
        }
        if let Some((_, value)) = from_right.filter(|(column, _)| *column == position) {
            entry = entry.checked_add(value.checked_mul(times)?)?;
            other += 1;
        }
        if entry != 0 {
            sum.push((position, entry));
        }
    }
    Some(sum)
}

/// Leaves out new rows whose support contains another's. Rows before `new` are minimal among themselves, and
/// no new support is within one of theirs but where it is the same as that of another new one.
fn minimal(rows: Vec<Row>, new: usize) -> Vec<Row> {
    let mut stays = vec![true; rows.len()];
    for at in new..rows.len() {
        let size = rows[at].weights.len();
        let smaller = |other: usize| {
            let (row, of) = (&rows[at], &rows[other]);
            other != at
                && of.weights.len() <= size
                && (of.weights.len() < size || other < at)
                && row.contains(of)
        };
        stays[at] = !(0..rows.len()).any(|other| stays[other] && smaller(other));
    }
    let mut stays = stays.into_iter();
    rows.into_iter().filter(|_| stays.next() == Some(true)).collect()
}

/// A basis of all invariants of places, y·C = 0, with whole numbers of both signs. `None` where numbers get
/// too large or it is told to stop.
pub fn basis(incidence: &Incidence, stop: &dyn Fn() -> bool) -> Option<Vec<Sparse>> {
    // Rows [C | 1] are eliminated among each other; those without a rest of C are invariants.
    let mut pending: Vec<(Sparse, Sparse)> = incidence
        .places
        .iter()
        .enumerate()
        .map(|(place, entries)| (entries.clone(), vec![(place, 1)]))
        .collect();
    pending.sort_by_key(|(entries, _)| std::cmp::Reverse(entries.len()));
    let mut pivots: std::collections::HashMap<usize, (Sparse, Sparse)> = std::collections::HashMap::new();
    let mut found = Vec::new();
    while let Some((mut entries, mut weights)) = pending.pop() {
        if stop() {
            return None;
        }
        loop {
            let Some(&(column, entry)) = entries.first() else {
                found.push(weights);
                break;
            };
            let Some((pivot, of_pivot)) = pivots.get(&column) else {
                pivots.insert(column, (entries, weights));
                break;
            };
            let shared = gcd(entry, pivot[0].1);
            let (by, times) = (pivot[0].1 / shared, -(entry / shared));
            let mut sum = add(&entries, by, pivot, times)?;
            let mut weight = add(&weights, by, of_pivot, times)?;
            let divisor =
                sum.iter().chain(&weight).fold(0, |divisor, (_, entry)| gcd(divisor, *entry)).max(1);
            sum.iter_mut().chain(&mut weight).for_each(|(_, entry)| *entry /= divisor);
            (entries, weights) = (sum, weight);
        }
    }
    Some(found)
}

fn gcd(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.unsigned_abs(), right.unsigned_abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    i128::try_from(left).unwrap_or(1)
}
