//! Transition relations as sets of rows, and when such a set is a product.
//!
//! A relation R whose rows test the same slots is *independent* of what a tested slot holds if
//! R = A × R', with A the values that the slot is tested for and R' the rest: then "the slot holds a value
//! of A" is a guard of its own, and what the group does does not depend on which value it is.

use std::collections::HashMap;

use base::SlotIx;
use model::{Effect, Rule, Value};

use crate::file::Rows;

/// Looking for products in larger tables takes longer than they save.
const LARGEST: usize = 1 << 16;

/// Rows that test the same slots; no two are equal.
#[derive(Debug)]
pub(crate) struct Uniform {
    /// The slots they test, ascending.
    pub slots: Vec<u32>,
    /// Row by row: the values before, the values after, the action.
    cells: Vec<Value>,
}

impl Uniform {
    fn stride(&self) -> usize {
        2 * self.slots.len() + 1
    }

    pub fn len(&self) -> usize {
        self.cells.len() / self.stride()
    }

    pub fn from(&self, row: usize, column: usize) -> Value {
        self.cells[row * self.stride() + column]
    }

    pub fn to(&self, row: usize, column: usize) -> Value {
        self.cells[row * self.stride() + self.slots.len() + column]
    }

    pub fn action(&self, row: usize) -> Value {
        self.cells[(row + 1) * self.stride() - 1]
    }

    /// The values that a column is tested for, ascending.
    pub fn tested_values(&self, column: usize) -> Vec<Value> {
        let mut values: Vec<Value> = (0..self.len()).map(|row| self.from(row, column)).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Whether some row changes the column.
    pub fn changes(&self, column: usize) -> bool {
        (0..self.len()).any(|row| self.from(row, column) != self.to(row, column))
    }

    /// For each column, whether its test is independent of the rest of the *sources*: the rows are enabled
    /// where this column has one of its values and, separately, the other columns fit.
    pub fn separate_tests(&self) -> Vec<bool> {
        let width = self.slots.len();
        let sources = (0..self.len()).flat_map(|row| (0..width).map(move |column| self.from(row, column)));
        let mut matrix = Matrix::new(sources.collect(), width);
        (0..width).map(|column| matrix.split(column, None)).collect()
    }

    /// For each column, whether the relation is independent of which of its tested values it has: it is
    /// copied whatever it is, or overwritten whatever it was.
    pub fn ignored(&self) -> Vec<bool> {
        let width = self.slots.len();
        let mut matrix = Matrix::new(self.cells.clone(), self.stride());
        (0..width)
            .map(|column| matrix.split(column, (!self.changes(column)).then_some(width + column)))
            .collect()
    }

    /// The rows as an effect on each slot by itself: if they are the product of their columns, no value
    /// before has two values after, and all carry one action.
    pub fn effect(&self) -> Option<Effect> {
        let columns = (0..self.slots.len()).map(|column| {
            let mut pairs: Vec<_> =
                (0..self.len()).map(|row| (self.from(row, column), self.to(row, column))).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        });
        let columns: Vec<Vec<(Value, Value)>> = columns.collect();
        let function = |pairs: &Vec<(Value, Value)>| pairs.windows(2).all(|pair| pair[0].0 != pair[1].0);
        let one_action = (1..self.len()).all(|row| self.action(row) == self.action(0));
        // No two rows are equal and all are in the product, so they are the product if there are as many.
        let product = columns.iter().try_fold(1usize, |size, pairs| size.checked_mul(pairs.len()));
        (one_action && product == Some(self.len()) && columns.iter().all(function)).then(|| Effect {
            slots: (self.slots.iter().zip(columns))
                .map(|(&slot, pairs)| (SlotIx::new(slot as usize), Rule::cover(pairs)))
                .collect(),
        })
    }
}

/// The distinct rows, parted by the slots they test, parts in the order of first sight.
pub(crate) fn partition(rows: &Rows, actions: &[Value]) -> Vec<Uniform> {
    let mut parts: Vec<Uniform> = Vec::new();
    let mut numbers: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut slots = Vec::new();
    for (row, &action) in actions.iter().enumerate() {
        let cells = rows.cells(row);
        slots.clear();
        slots.extend(cells.iter().map(|cell| cell.slot));
        let number = numbers.get(&slots).copied().unwrap_or_else(|| {
            numbers.insert(slots.clone(), parts.len());
            parts.push(Uniform { slots: slots.clone(), cells: Vec::new() });
            parts.len() - 1
        });
        let part = &mut parts[number].cells;
        part.extend(cells.iter().map(|cell| cell.from));
        part.extend(cells.iter().map(|cell| cell.to));
        part.push(action);
    }
    for part in &mut parts {
        let stride = part.stride();
        let kept = distinct(&part.cells, stride);
        part.cells = kept
            .iter()
            .flat_map(|&row| part.cells[row * stride..(row + 1) * stride].iter().copied())
            .collect();
    }
    parts
}

/// The first of each set of equal rows, ascending.
pub(crate) fn distinct(cells: &[Value], stride: usize) -> Vec<usize> {
    let row = |row: usize| &cells[row * stride..(row + 1) * stride];
    let mut order: Vec<usize> = (0..cells.len() / stride.max(1)).collect();
    order.sort_by(|&left, &right| row(left).cmp(row(right)));
    order.dedup_by(|right, left| row(*right) == row(*left));
    order.sort_unstable();
    order
}

/// Rows from which columns are taken one by one.
struct Matrix {
    cells: Vec<Value>,
    stride: usize,
}

impl Matrix {
    /// Rows of at least one column.
    fn new(cells: Vec<Value>, stride: usize) -> Self {
        let mut matrix = Self { cells, stride };
        matrix.deduplicate();
        matrix
    }

    fn deduplicate(&mut self) {
        if self.stride > 0 {
            let kept = distinct(&self.cells, self.stride);
            let row = |&row: &usize| self.cells[row * self.stride..(row + 1) * self.stride].iter().copied();
            self.cells = kept.iter().flat_map(row).collect();
        }
    }

    /// If the rows are (values of the column) × (the rest), takes the column out, with its companion, by
    /// making it zero everywhere. Taking one never hides another: A × B × C is a product either way.
    fn split(&mut self, column: usize, companion: Option<usize>) -> bool {
        let rows = self.cells.len() / self.stride.max(1);
        let mut counts: HashMap<Value, usize> = HashMap::new();
        for row in self.cells.chunks(self.stride.max(1)) {
            *counts.entry(row[column]).or_default() += 1;
        }
        // Necessary, and cheap: in a product every value is there equally often.
        let each = rows / counts.len().max(1);
        if counts.len() > 1 && (rows > LARGEST || counts.values().any(|&count| count != each)) {
            return false;
        }
        let before = (counts.len() > 1).then(|| self.cells.clone());
        for row in self.cells.chunks_mut(self.stride.max(1)) {
            row[column] = 0;
            if let Some(companion) = companion {
                row[companion] = 0;
            }
        }
        let Some(before) = before else { return true };
        self.deduplicate();
        let product = self.cells.len() / self.stride == each;
        if !product {
            self.cells = before;
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Cell;

    /// Rows of pairs, the last number of each the action.
    fn uniform(rows: &[(&[(Value, Value)], Value)]) -> Uniform {
        let mut all = Rows::default();
        for (cells, _) in rows {
            for (slot, &(from, to)) in (0..).zip(*cells) {
                all.push_cell(Cell { slot, from, to });
            }
            all.finish(0);
        }
        let actions: Vec<Value> = rows.iter().map(|&(_, action)| action).collect();
        partition(&all, &actions).remove(0)
    }

    #[test]
    fn a_product_of_tests_splits() {
        let rows = uniform(&[
            (&[(0, 1), (5, 5)], 0),
            (&[(0, 1), (6, 6)], 0),
            (&[(2, 1), (5, 5)], 0),
            (&[(2, 1), (6, 6)], 0),
            (&[(2, 1), (6, 6)], 0),
        ]);
        assert_eq!(rows.len(), 4);
        assert_eq!(rows.separate_tests(), [true, true]);
        assert_eq!(rows.ignored(), [true, true]);
    }

    #[test]
    fn a_test_that_decides_the_effect_is_separate_but_not_ignored() {
        let rows = uniform(&[(&[(0, 7), (3, 3)], 0), (&[(1, 8), (3, 3)], 0)]);
        assert_eq!(rows.separate_tests(), [true, true]);
        assert_eq!(rows.ignored(), [false, true]);
        let by_action = uniform(&[(&[(0, 0)], 4), (&[(1, 1)], 5)]);
        assert_eq!((by_action.separate_tests(), by_action.ignored()), (vec![true], vec![false]));
    }

    #[test]
    fn a_diagonal_does_not_split() {
        let rows = uniform(&[(&[(0, 0), (0, 0)], 0), (&[(1, 1), (1, 1)], 0)]);
        assert_eq!(rows.separate_tests(), [false, false]);
        assert_eq!(rows.ignored(), [false, false]);
    }

    #[test]
    fn a_choice_of_targets_from_one_value_is_ignored_once_tested() {
        let rows = uniform(&[(&[(1, 0)], 0), (&[(1, 1)], 0)]);
        assert_eq!(rows.ignored(), [true]);
    }

    /// All sets of rows over two slots of two values, against all products of two partial functions.
    #[test]
    fn rows_have_an_effect_just_if_they_are_a_product_of_functions() {
        let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let rows: Vec<[(Value, Value); 2]> = pairs.iter().flat_map(|&x| pairs.map(|y| [x, y])).collect();
        // As sets of pairs: one of none, 0 → 0, 0 → 1 and one of none, 1 → 0, 1 → 1, not none twice.
        let functions: [&[(Value, Value)]; 8] = [
            &pairs[..1],
            &pairs[1..2],
            &pairs[2..3],
            &pairs[3..],
            &[(0, 0), (1, 0)],
            &[(0, 0), (1, 1)],
            &[(0, 1), (1, 0)],
            &[(0, 1), (1, 1)],
        ];
        let products = functions.iter().flat_map(|f| functions.map(|g| (f, g)));
        let products: Vec<u32> = products
            .map(|(f, g)| (0..16).filter(|&at| f.contains(&rows[at][0]) && g.contains(&rows[at][1])))
            .map(|members| members.map(|at| 1 << at).sum())
            .collect();
        for set in 1u32..1 << rows.len() {
            let chosen: Vec<_> =
                (0..rows.len()).filter(|row| set >> row & 1 == 1).map(|row| rows[row]).collect();
            let listed: Vec<(&[(Value, Value)], Value)> = chosen.iter().map(|row| (&row[..], 0)).collect();
            let found = uniform(&listed).effect();
            assert_eq!(found.is_some(), products.contains(&set), "{chosen:?}");
            for (effect, state) in found.iter().flat_map(|effect| pairs.map(|(x, y)| (effect, [x, y]))) {
                let mut target = [9, 9];
                let reached = effect.apply(&state, &mut target).then_some(target);
                let wanted =
                    chosen.iter().find(|row| [row[0].0, row[1].0] == state).map(|row| [row[0].1, row[1].1]);
                assert_eq!(reached, wanted, "{chosen:?}");
            }
        }
        assert!(uniform(&[(&[(0, 1)], 4), (&[(1, 1)], 5)]).effect().is_none(), "two actions");
    }
}
