//! The revised simplex method in floating point, for large sparse problems: maximise c·v where A v ≤ b, v ≥
//! 0. The inverse of the basis is kept as a product of eta vectors (Dantzig & Orchard-Hays, 1954) and made
//! anew now and then; limits are perturbed a little against degenerate steps (Charnes, 1952), which nets are
//! full of; columns are priced in part.
//!
//! What comes out is a proposal: rounding errors are not looked for. Who believes an answer checks it
//! exactly, see `certificate`.

mod basis;

use base::SplitMix64;
use basis::Basis;

/// What counts as zero in a reduced cost, and in an entry to pivot on.
const COST: f64 = 1e-7;
const PIVOT: f64 = 1e-7;
/// How much limits are perturbed.
const PERTURBATION: f64 = 1e-5;
/// Columns looked at before one of them is taken.
const BLOCK: usize = 400;

/// A problem. Columns are sparse.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub starts: Vec<usize>,
    pub rows: Vec<u32>,
    pub values: Vec<f64>,
    /// For each column.
    pub objective: Vec<f64>,
    /// For each row. All at least zero, but for those that the last column, which has −1 there, can make up
    /// for.
    pub limits: Vec<f64>,
}

impl Problem {
    pub(crate) fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    pub(crate) fn push(&mut self, objective: f64, column: impl IntoIterator<Item = (usize, f64)>) {
        for (row, value) in column.into_iter().filter(|(_, value)| *value != 0.0) {
            self.rows.push(row as u32);
            self.values.push(value);
        }
        self.starts.push(self.rows.len());
        self.objective.push(objective);
    }

    pub(crate) fn columns(&self) -> usize {
        self.objective.len()
    }

    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[column]..self.starts[column + 1];
        self.rows[range.clone()].iter().map(|&row| row as usize).zip(self.values[range].iter().copied())
    }
}

/// How it went.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// The best there is: what rows cost, and what columns are.
    Optimal { dual: Vec<f64>, primal: Vec<f64> },
    /// There is no best.
    Unbounded,
    /// It took too long, or numbers got too bad.
    Stopped,
}

/// Solves a problem. It is asked often whether to stop.
pub(crate) fn solve(problem: &Problem, stop: &dyn Fn() -> bool) -> Outcome {
    let mut simplex = Simplex::new(problem);
    if !simplex.start() {
        return Outcome::Stopped;
    }
    // Far more steps than any problem takes that goes well: numbers that got bad may lead round in circles.
    for _ in 0..10_000 + 50 * (problem.columns() + problem.limits.len()) {
        if simplex.pivots.is_multiple_of(16) && stop() {
            return Outcome::Stopped;
        }
        match simplex.step() {
            Step::Pivot => {}
            Step::Optimal => {
                let dual = simplex.prices();
                return Outcome::Optimal { dual, primal: simplex.primal() };
            }
            Step::Unbounded => return Outcome::Unbounded,
            Step::Bad => return Outcome::Stopped,
        }
    }
    Outcome::Stopped
}

enum Step {
    Pivot,
    Optimal,
    Unbounded,
    Bad,
}

/// Columns of the problem come first, then a slack for each row.
struct Simplex<'p> {
    problem: &'p Problem,
    basis: Basis,
    limits: Vec<f64>,
    /// For each row what its basic column is.
    values: Vec<f64>,
    cursor: usize,
    pivots: usize,
    /// Columns that could not be pivoted on since the basis was made anew.
    refused: Vec<usize>,
}

impl<'p> Simplex<'p> {
    fn new(problem: &'p Problem) -> Self {
        let mut random = SplitMix64::new(7);
        let mut nudge = || PERTURBATION * (1.0 + random.below(1 << 20) as f64 / f64::from(1 << 20));
        let limits: Vec<f64> =
            problem.limits.iter().map(|limit| limit + nudge() * limit.abs().max(1.0)).collect();
        Self {
            problem,
            basis: Basis::slacks(problem.columns(), limits.len()),
            values: limits.clone(),
            limits,
            cursor: 0,
            pivots: 0,
            refused: Vec::new(),
        }
    }

    /// Makes the beginning feasible: the last column takes the worst row.
    fn start(&mut self) -> bool {
        let Some((row, &worst)) =
            self.values.iter().enumerate().min_by(|left, right| left.1.total_cmp(right.1))
        else {
            return true;
        };
        if worst >= 0.0 {
            return true;
        }
        let last = self.problem.columns() - 1;
        let column = self.basis.forward(self.problem, last);
        if column[row] >= 0.0 {
            return false;
        }
        self.pivot(last, row, &column, self.values[row] / column[row]);
        self.values.iter().all(|&value| value >= -1e-9)
    }

    /// What each row costs now.
    fn prices(&self) -> Vec<f64> {
        let mut prices: Vec<f64> = self.basis.columns().iter().map(|&column| self.cost(column)).collect();
        self.basis.backward(&mut prices);
        prices
    }

    fn cost(&self, column: usize) -> f64 {
        self.problem.objective.get(column).copied().unwrap_or(0.0)
    }

    fn primal(&self) -> Vec<f64> {
        let mut primal = vec![0.0; self.problem.columns()];
        for (&column, &value) in self.basis.columns().iter().zip(&self.values) {
            if column < primal.len() {
                primal[column] = value.max(0.0);
            }
        }
        primal
    }

    fn step(&mut self) -> Step {
        let prices = self.prices();
        let Some(entering) = self.price(&prices) else {
            // The last look is taken with a fresh basis. What cannot be pivoted on even then stays out.
            if self.basis.is_fresh() {
                return Step::Optimal;
            }
            return if self.renew() { Step::Pivot } else { Step::Bad };
        };
        let column = self.basis.forward(self.problem, entering);
        match self.leaving(&column) {
            Leaving::Row(row) => {
                let amount = (self.values[row] / column[row]).max(0.0);
                self.pivot(entering, row, &column, amount);
                if self.basis.is_long() && !self.renew() { Step::Bad } else { Step::Pivot }
            }
            Leaving::Small => {
                self.refused.push(entering);
                Step::Pivot
            }
            Leaving::None if self.basis.is_fresh() => Step::Unbounded,
            Leaving::None => {
                if self.renew() {
                    Step::Pivot
                } else {
                    Step::Bad
                }
            }
        }
    }

    /// A column that makes the objective greater.
    fn price(&mut self, prices: &[f64]) -> Option<usize> {
        let columns = self.problem.columns();
        let count = columns + self.limits.len();
        let mut best: Option<(f64, usize)> = None;
        for look in 0..count {
            let column = (self.cursor + look) % count;
            if !self.basis.contains(column) {
                let gain = match column.checked_sub(columns) {
                    Some(row) => -prices[row],
                    None => {
                        let mut norm = 1.0;
                        let mut gain = self.problem.objective[column];
                        for (row, value) in self.problem.column(column) {
                            gain -= prices[row] * value;
                            norm += value * value;
                        }
                        if gain > COST { gain / f64::sqrt(norm) } else { 0.0 }
                    }
                };
                if gain > COST && best.is_none_or(|(most, _)| gain > most) && !self.refused.contains(&column)
                {
                    best = Some((gain, column));
                }
            }
            if look % BLOCK == BLOCK - 1 && best.is_some() {
                self.cursor = column + 1;
                break;
            }
        }
        best.map(|(_, column)| column)
    }

    /// The row whose column leaves: the first to reach zero; of those that do so nearly at once the one with
    /// the greatest entry (Harris, 1973).
    fn leaving(&self, column: &[f64]) -> Leaving {
        let slack = 1e-9;
        let ratios = || column.iter().zip(&self.values).enumerate().filter(|(_, (entry, _))| **entry > PIVOT);
        let Some(most) =
            ratios().map(|(_, (entry, value))| (value.max(0.0) + slack) / entry).min_by(f64::total_cmp)
        else {
            // An entry that is too small to pivot on may still be one.
            return if column.iter().any(|&entry| entry > 1e-11) { Leaving::Small } else { Leaving::None };
        };
        let near = ratios().filter(|(_, (entry, value))| value.max(0.0) / **entry <= most);
        let row = near.max_by(|left, right| left.1.0.total_cmp(right.1.0)).map(|(row, _)| row);
        match row {
            Some(row) if column[row] > 1e-6 || self.basis.is_fresh() => Leaving::Row(row),
            Some(_) => Leaving::Small,
            None => Leaving::None,
        }
    }

    fn pivot(&mut self, entering: usize, row: usize, column: &[f64], amount: f64) {
        for (value, &entry) in self.values.iter_mut().zip(column) {
            if entry != 0.0 {
                *value -= amount * entry;
            }
        }
        self.values[row] = amount;
        self.basis.replace(row, entering, column);
        self.pivots += 1;
    }

    /// Makes the inverse anew; answers whether that went well.
    fn renew(&mut self) -> bool {
        self.refused.clear();
        if !self.basis.renew(self.problem) {
            return false;
        }
        self.values.copy_from_slice(&self.limits);
        self.basis.solve(&mut self.values);
        true
    }
}

enum Leaving {
    Row(usize),
    Small,
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random small problems: the prices must prove the value of what was found.
    #[test]
    fn prices_prove_what_is_found() {
        let mut random =
            SplitMix64::new(std::env::var("PINSCHER_SEED").map_or(1, |seed| seed.parse().unwrap()));
        let (mut optimal, mut unbounded) = (0, 0);
        for _ in 0..2000 {
            let (rows, columns) = (1 + random.below(8), 1 + random.below(8));
            let mut problem = Problem::new();
            for _ in 0..columns {
                let objective = random.below(7) as f64 - 3.0;
                // Half of the entries are zero, and left out.
                let mut entry = || random.below(2) as f64 * (random.below(7) as f64 - 3.0);
                let entries: Vec<(usize, f64)> = (0..rows).map(|row| (row, entry())).collect();
                problem.push(objective, entries);
            }
            problem.limits = (0..rows).map(|_| random.below(5) as f64).collect();
            match solve(&problem, &|| false) {
                Outcome::Optimal { dual, primal } => {
                    optimal += 1;
                    let value: f64 = primal.iter().zip(&problem.objective).map(|(v, c)| v * c).sum();
                    let bound: f64 = dual.iter().zip(&problem.limits).map(|(y, b)| y * b).sum();
                    assert!((value - bound).abs() < 0.01, "{value} {bound} {problem:?}");
                    assert!(dual.iter().all(|&price| price > -1e-6));
                    for column in 0..columns {
                        let paid: f64 = problem.column(column).map(|(row, value)| value * dual[row]).sum();
                        assert!(paid > problem.objective[column] - 1e-6, "{problem:?}");
                    }
                    for row in 0..rows {
                        let used: f64 = (0..columns)
                            .flat_map(|column| problem.column(column).map(move |entry| (column, entry)))
                            .filter(|(_, (at, _))| *at == row)
                            .map(|(column, (_, value))| value * primal[column])
                            .sum();
                        assert!(used < problem.limits[row] + 0.01);
                    }
                }
                Outcome::Unbounded => unbounded += 1,
                Outcome::Stopped => panic!("stopped: {problem:?}"),
            }
        }
        assert!(optimal > 300 && unbounded > 300, "{optimal} {unbounded}");
    }
}
