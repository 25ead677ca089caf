//! Bit matrices: the dependency matrices of a model, one row a group. One bit an entry, and where that is too
//! much the runs of ones of each row: a net of hundreds of thousands of places has as many transitions, each
//! of which touches a few; a program with an array of as many cells touches it as a whole, or cell by cell.

use std::borrow::Cow;
use std::ops::Range;

use crate::Runs;

/// A matrix of bits, all zero at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitMatrix {
    rows: usize,
    columns: usize,
    words_per_row: usize,
    entries: Entries,
}

// Which of the two it is depends on the size alone: equal matrices are equal field by field.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Entries {
    Words(Vec<u64>),
    Runs(Vec<Runs>),
}

/// The most words that a matrix takes: 16 MiB. A model has six, and each layer that changes them six more.
const MOST_WORDS: usize = 1 << 21;

impl BitMatrix {
    /// The zero matrix of this size.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self::with_words(rows, columns, MOST_WORDS)
    }

    fn with_words(rows: usize, columns: usize, most: usize) -> Self {
        let words_per_row = columns.div_ceil(64);
        let entries = match rows.checked_mul(words_per_row) {
            Some(words) if words <= most || columns > u32::MAX as usize => Entries::Words(vec![0; words]),
            _ => Entries::Runs(vec![Runs::default(); rows]),
        };
        Self { rows, columns, words_per_row, entries }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entry at this row and column.
    #[inline]
    pub fn get(&self, row: usize, column: usize) -> bool {
        assert!(row < self.rows && column < self.columns, "BUG: bit ({row}, {column}) outside the matrix");
        match &self.entries {
            Entries::Words(words) => words[row * self.words_per_row + column / 64] >> (column % 64) & 1 == 1,
            Entries::Runs(runs) => runs[row].contains(column),
        }
    }

    /// Makes the entry one.
    #[inline]
    pub fn set(&mut self, row: usize, column: usize) {
        assert!(row < self.rows && column < self.columns, "BUG: bit ({row}, {column}) outside the matrix");
        match &mut self.entries {
            Entries::Words(words) => words[row * self.words_per_row + column / 64] |= 1 << (column % 64),
            Entries::Runs(runs) => runs[row].insert(column..column + 1),
        }
    }

    /// Makes all entries of the row in a range of columns one.
    pub fn set_range(&mut self, row: usize, columns: Range<usize>) {
        let is_inside = row < self.rows && columns.start <= columns.end && columns.end <= self.columns;
        assert!(is_inside, "BUG: bits {columns:?} of row {row} outside the matrix");
        match &mut self.entries {
            Entries::Words(words) => {
                let first = row * self.words_per_row;
                let mut runs = Runs::default();
                runs.insert(columns);
                runs.words().for_each(|(word, bits)| words[first + word] |= bits);
            }
            Entries::Runs(runs) => runs[row].insert(columns),
        }
    }

    /// Makes the entry zero.
    #[inline]
    pub fn clear(&mut self, row: usize, column: usize) {
        assert!(row < self.rows && column < self.columns, "BUG: bit ({row}, {column}) outside the matrix");
        match &mut self.entries {
            Entries::Words(words) => words[row * self.words_per_row + column / 64] &= !(1 << (column % 64)),
            Entries::Runs(runs) => runs[row].remove(column..column + 1),
        }
    }

    /// The words of a row, least column in the least bit of the first word.
    #[inline]
    pub fn row(&self, row: usize) -> Cow<'_, [u64]> {
        match &self.entries {
            Entries::Words(words) => {
                Cow::Borrowed(&words[row * self.words_per_row..(row + 1) * self.words_per_row])
            }
            Entries::Runs(runs) => {
                let mut words = vec![0; self.words_per_row];
                runs[row].words().for_each(|(word, bits)| words[word] |= bits);
                Cow::Owned(words)
            }
        }
    }

    /// The columns where the row has a one, ascending.
    pub fn ones(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let (words, runs): (&[u64], Option<&Runs>) = match &self.entries {
            Entries::Words(words) => (&words[row * self.words_per_row..(row + 1) * self.words_per_row], None),
            Entries::Runs(runs) => (&[], Some(&runs[row])),
        };
        ones(words).chain(runs.into_iter().flat_map(Runs::ones))
    }

    /// How many ones the row has.
    pub fn count(&self, row: usize) -> usize {
        match &self.entries {
            Entries::Words(_) => self.row(row).iter().map(|word| word.count_ones() as usize).sum(),
            Entries::Runs(runs) => runs[row].count(),
        }
    }

    /// The matrix whose row `i` and column `j` are this one's `rows[i]` and `columns[j]`.
    pub fn permuted(&self, rows: &[usize], columns: &[usize]) -> Self {
        let mut result = Self::new(rows.len(), columns.len());
        for (i, &row) in rows.iter().enumerate() {
            for (j, &column) in columns.iter().enumerate() {
                if self.get(row, column) {
                    result.set(i, j);
                }
            }
        }
        result
    }
}

/// The positions of the ones in a bit set, ascending.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                at * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_lists_just_the_bits_that_were_set() {
        for columns in [1, 63, 64, 65, 200] {
            let mut matrix = BitMatrix::new(3, columns);
            let wanted: Vec<usize> = (0..columns).filter(|c| c % 7 == 0 || c % 64 == 63).collect();
            for &column in &wanted {
                matrix.set(1, column);
            }
            assert_eq!(matrix.ones(1).collect::<Vec<_>>(), wanted);
            assert_eq!(matrix.count(1), wanted.len());
            assert_eq!(matrix.count(0) + matrix.count(2), 0);
            matrix.clear(1, wanted[0]);
            assert!(!matrix.get(1, wanted[0]));
        }
    }

    #[test]
    fn permuting_moves_entries() {
        let mut matrix = BitMatrix::new(2, 3);
        matrix.set(0, 2);
        let moved = matrix.permuted(&[1, 0], &[2, 0, 1]);
        assert!(moved.get(1, 0));
        assert_eq!(moved.count(0) + moved.count(1), 1);
    }

    #[test]
    fn runs_of_ones_are_the_same_matrix() {
        for columns in [1, 64, 130] {
            let (mut words, mut runs) = (BitMatrix::new(5, columns), BitMatrix::with_words(5, columns, 4));
            assert!(matches!(runs.entries, Entries::Runs(_)));
            let mut random = crate::SplitMix64::new(7);
            for _ in 0..400 {
                let (row, column) = (random.below(5), random.below(columns));
                let behind = columns.min(column + random.below(70));
                let what = random.below(8);
                for matrix in [&mut words, &mut runs] {
                    match what {
                        0..5 => matrix.clear(row, column),
                        5 => matrix.set_range(row, column..behind),
                        _ => matrix.set(row, column),
                    }
                }
                assert_eq!(words.get(row, column), runs.get(row, column));
            }
            for row in 0..5 {
                assert_eq!(words.row(row), runs.row(row));
                assert!(words.ones(row).eq(runs.ones(row)));
                assert_eq!(words.count(row), runs.count(row));
            }
        }
    }

    #[test]
    fn a_matrix_of_a_million_rows_and_columns_takes_what_its_ones_take() {
        let mut matrix = BitMatrix::new(1_000_000, 1_000_000);
        matrix.set(999_999, 7);
        assert_eq!(matrix.ones(999_999).collect::<Vec<_>>(), [7]);
    }
}
