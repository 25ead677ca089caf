//! The basis of a linear problem and its inverse, as a product of matrices that differ from the unit matrix
//! in one column each.

use super::Problem;

/// Etas that come after a fresh start, before the next.
const LONGEST: usize = 100;
/// Entries below this are rounding errors.
const NOTHING: f64 = 1e-12;

/// One factor: in it the column of `row` holds the entries from `start` on, and `pivot` in the row itself.
#[derive(Clone, Copy)]
struct Eta {
    row: usize,
    pivot: f64,
    start: usize,
}

/// Which column is basic in each row, and the inverse of the matrix that they make.
pub(super) struct Basis {
    columns: Vec<usize>,
    contained: Vec<bool>,
    structural: usize,
    etas: Vec<Eta>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// Etas of the last fresh start.
    fresh: usize,
}

impl Basis {
    /// All slacks.
    pub(super) fn slacks(structural: usize, rows: usize) -> Self {
        let mut contained = vec![false; structural + rows];
        contained[structural..].fill(true);
        Self {
            columns: (structural..structural + rows).collect(),
            contained,
            structural,
            etas: Vec::new(),
            rows: Vec::new(),
            values: Vec::new(),
            fresh: 0,
        }
    }

    pub(super) fn columns(&self) -> &[usize] {
        &self.columns
    }

    #[inline]
    pub(super) fn contains(&self, column: usize) -> bool {
        self.contained[column]
    }

    pub(super) fn is_fresh(&self) -> bool {
        self.etas.len() == self.fresh
    }

    pub(super) fn is_long(&self) -> bool {
        self.etas.len() >= self.fresh + LONGEST
    }

    /// B⁻¹ times a column.
    pub(super) fn forward(&self, problem: &Problem, column: usize) -> Vec<f64> {
        let mut dense = vec![0.0; self.columns.len()];
        match column.checked_sub(self.structural) {
            Some(row) => dense[row] = 1.0,
            None => problem.column(column).for_each(|(row, value)| dense[row] += value),
        }
        self.solve(&mut dense);
        dense
    }

    /// B⁻¹ times a vector.
    pub(super) fn solve(&self, vector: &mut [f64]) {
        for (at, eta) in self.etas.iter().enumerate() {
            let value = vector[eta.row];
            if value == 0.0 {
                continue;
            }
            let value = value * eta.pivot;
            vector[eta.row] = value;
            for entry in self.range(at) {
                let row = self.rows[entry] as usize;
                let sum = vector[row] + self.values[entry] * value;
                vector[row] = if sum.abs() < NOTHING { 0.0 } else { sum };
            }
        }
    }

    /// A row vector times B⁻¹.
    pub(super) fn backward(&self, vector: &mut [f64]) {
        for (at, eta) in self.etas.iter().enumerate().rev() {
            let mut sum = vector[eta.row];
            for entry in self.range(at) {
                sum += vector[self.rows[entry] as usize] * self.values[entry];
            }
            let sum = sum * eta.pivot;
            vector[eta.row] = if sum.abs() < NOTHING { 0.0 } else { sum };
        }
    }

    fn range(&self, at: usize) -> std::ops::Range<usize> {
        self.etas[at].start..self.etas.get(at + 1).map_or(self.rows.len(), |next| next.start)
    }

    /// The column becomes basic in the row; `entries` is B⁻¹ times it.
    pub(super) fn replace(&mut self, row: usize, column: usize, entries: &[f64]) {
        self.contained[self.columns[row]] = false;
        self.contained[column] = true;
        self.columns[row] = column;
        self.push(row, entries);
    }

    /// The factor is the unit matrix with, in the column of `row`, 1/pivot times (−entries, but 1 in the row
    /// itself).
    fn push(&mut self, row: usize, entries: &[f64]) {
        self.etas.push(Eta { row, pivot: 1.0 / entries[row], start: self.rows.len() });
        for (at, &entry) in entries.iter().enumerate() {
            if entry != 0.0 && at != row {
                self.rows.push(at as u32);
                self.values.push(-entry);
            }
        }
    }

    /// Makes the inverse anew. Columns with a row of their own come first, so that the part of the matrix
    /// that is triangular gives short factors.
    pub(super) fn renew(&mut self, problem: &Problem) -> bool {
        let count = self.columns.len();
        self.etas.clear();
        self.rows.clear();
        self.values.clear();
        let mut basic = vec![usize::MAX; count];
        let mut left: Vec<usize> = Vec::new();
        for &column in &self.columns {
            match column.checked_sub(self.structural) {
                Some(row) => basic[row] = column,
                None => left.push(column),
            }
        }
        let order = triangular(problem, &left, &basic);
        // How many of the columns touch a row: pivots are taken where few do.
        let mut crowd = vec![0u32; count];
        for &column in &left {
            problem.column(column).for_each(|(row, _)| crowd[row] += 1);
        }
        for (column, wanted) in order {
            let entries = self.forward(problem, column);
            let free = |row: usize| basic[row] == usize::MAX;
            let most = entries
                .iter()
                .enumerate()
                .filter(|(row, _)| free(*row))
                .map(|(_, entry)| entry.abs())
                .fold(0.0, f64::max);
            if most < 1e-9 {
                return false;
            }
            let wanted = wanted.filter(|&row| free(row) && entries[row].abs() >= 0.01 * most);
            let good = |row: &usize| free(*row) && entries[*row].abs() >= 0.1 * most;
            let Some(row) = wanted.or_else(|| (0..count).filter(good).min_by_key(|&row| crowd[row])) else {
                return false;
            };
            basic[row] = column;
            self.push(row, &entries);
        }
        self.columns = basic;
        self.fresh = self.etas.len();
        true
    }
}

/// An order of the columns in which as many as possible come with a row that no earlier one needs: row
/// singletons are peeled off one after the other.
fn triangular(problem: &Problem, columns: &[usize], basic: &[usize]) -> Vec<(usize, Option<usize>)> {
    let mut touching: Vec<Vec<u32>> = vec![Vec::new(); basic.len()];
    let mut open = vec![0u32; columns.len()];
    for (at, &column) in columns.iter().enumerate() {
        for (row, _) in problem.column(column).filter(|(row, _)| basic[*row] == usize::MAX) {
            touching[row].push(at as u32);
            open[at] += 1;
        }
    }
    // A column with just one row that is still open must take it. To take it first means that no later factor
    // changes it.
    let mut taken = vec![false; basic.len()];
    let mut placed = vec![false; columns.len()];
    let mut order = Vec::with_capacity(columns.len());
    let mut ready: Vec<usize> = (0..columns.len()).filter(|&at| open[at] == 1).collect();
    let mut last = Vec::new();
    while let Some(at) = ready.pop() {
        let row = problem
            .column(columns[at])
            .map(|(row, _)| row)
            .find(|&row| basic[row] == usize::MAX && !taken[row]);
        let Some(row) = row.filter(|_| !placed[at]) else { continue };
        (placed[at], taken[row]) = (true, true);
        order.push((columns[at], Some(row)));
        for &other in &touching[row] {
            open[other as usize] -= 1;
            if open[other as usize] == 1 && !placed[other as usize] {
                ready.push(other as usize);
            }
        }
    }
    // Rows that only one of the rest touches: that column can come last of all, and its factor is met by no
    // other.
    let mut count: Vec<u32> =
        touching.iter().map(|list| list.iter().filter(|at| !placed[**at as usize]).count() as u32).collect();
    let mut rows: Vec<usize> = (0..basic.len()).filter(|&row| !taken[row] && count[row] == 1).collect();
    while let Some(row) = rows.pop() {
        if taken[row] {
            continue;
        }
        let Some(&at) = touching[row].iter().find(|at| !placed[**at as usize]) else { continue };
        (placed[at as usize], taken[row]) = (true, true);
        last.push((columns[at as usize], Some(row)));
        for (other, _) in
            problem.column(columns[at as usize]).filter(|(other, _)| basic[*other] == usize::MAX)
        {
            count[other] -= 1;
            if count[other] == 1 && !taken[other] {
                rows.push(other);
            }
        }
    }
    let mut middle: Vec<usize> = (0..columns.len()).filter(|&at| !placed[at]).collect();
    middle.sort_by_key(|&at| open[at]);
    order.extend(middle.into_iter().map(|at| (columns[at], None)));
    order.extend(last.into_iter().rev());
    order
}
