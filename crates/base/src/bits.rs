//! Bit matrices: the dependency matrices of a model, one row a group. One bit an entry, and where that is too
//! much the list of ones of each row: a net of hundreds of thousands of places has as many transitions, each
//! of which touches a few.

use std::borrow::Cow;

/// A matrix of bits, all zero at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitMatrix {
    rows: usize,
    columns: usize,
    words_per_row: usize,
    entries: Entries,
}

// Which of the two it is depends on the size alone, and lists are sorted: equal matrices are equal field by
// field.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Entries {
    Words(Vec<u64>),
    Ones(Vec<Vec<u32>>),
}

/// The most words that a matrix takes: 128 MiB.
const MOST_WORDS: usize = 1 << 24;

impl BitMatrix {
    /// The zero matrix of this size.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self::with_words(rows, columns, MOST_WORDS)
    }

    fn with_words(rows: usize, columns: usize, most: usize) -> Self {
        let words_per_row = columns.div_ceil(64);
        let entries = match rows.checked_mul(words_per_row) {
            Some(words) if words <= most || columns > u32::MAX as usize => Entries::Words(vec![0; words]),
            _ => Entries::Ones(vec![Vec::new(); rows]),
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
            Entries::Ones(ones) => ones[row].binary_search(&(column as u32)).is_ok(),
        }
    }

    /// Makes the entry one.
    #[inline]
    pub fn set(&mut self, row: usize, column: usize) {
        assert!(row < self.rows && column < self.columns, "BUG: bit ({row}, {column}) outside the matrix");
        match &mut self.entries {
            Entries::Words(words) => words[row * self.words_per_row + column / 64] |= 1 << (column % 64),
            Entries::Ones(ones) => {
                if let Err(place) = ones[row].binary_search(&(column as u32)) {
                    ones[row].insert(place, column as u32);
                }
            }
        }
    }

    /// Makes the entry zero.
    #[inline]
    pub fn clear(&mut self, row: usize, column: usize) {
        assert!(row < self.rows && column < self.columns, "BUG: bit ({row}, {column}) outside the matrix");
        match &mut self.entries {
            Entries::Words(words) => words[row * self.words_per_row + column / 64] &= !(1 << (column % 64)),
            Entries::Ones(ones) => {
                if let Ok(place) = ones[row].binary_search(&(column as u32)) {
                    ones[row].remove(place);
                }
            }
        }
    }

    /// The words of a row, least column in the least bit of the first word.
    #[inline]
    pub fn row(&self, row: usize) -> Cow<'_, [u64]> {
        match &self.entries {
            Entries::Words(words) => {
                Cow::Borrowed(&words[row * self.words_per_row..(row + 1) * self.words_per_row])
            }
            Entries::Ones(ones) => {
                let mut words = vec![0; self.words_per_row];
                ones[row].iter().for_each(|&column| words[column as usize / 64] |= 1 << (column % 64));
                Cow::Owned(words)
            }
        }
    }

    /// The columns where the row has a one, ascending.
    pub fn ones(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let (words, listed): (&[u64], &[u32]) = match &self.entries {
            Entries::Words(words) => (&words[row * self.words_per_row..(row + 1) * self.words_per_row], &[]),
            Entries::Ones(ones) => (&[], &ones[row]),
        };
        ones(words).chain(listed.iter().map(|&column| column as usize))
    }

    /// How many ones the row has.
    pub fn count(&self, row: usize) -> usize {
        match &self.entries {
            Entries::Words(_) => self.row(row).iter().map(|word| word.count_ones() as usize).sum(),
            Entries::Ones(ones) => ones[row].len(),
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
    fn lists_of_ones_are_the_same_matrix() {
        for columns in [1, 64, 130] {
            let (mut words, mut lists) = (BitMatrix::new(5, columns), BitMatrix::with_words(5, columns, 4));
            assert!(matches!(lists.entries, Entries::Ones(_)));
            let mut random = crate::SplitMix64::new(7);
            for _ in 0..400 {
                let (row, column, clears) = (random.below(5), random.below(columns), random.one_in(4));
                for matrix in [&mut words, &mut lists] {
                    if clears { matrix.clear(row, column) } else { matrix.set(row, column) }
                }
                assert_eq!(words.get(row, column), lists.get(row, column));
            }
            for row in 0..5 {
                assert_eq!(words.row(row), lists.row(row));
                assert!(words.ones(row).eq(lists.ones(row)));
                assert_eq!(words.count(row), lists.count(row));
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
