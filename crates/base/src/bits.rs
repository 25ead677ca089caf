//! Bit matrices: the dependency matrices of a model, one bit an entry, one row of words a group.

/// A matrix of bits, all zero at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitMatrix {
    rows: usize,
    columns: usize,
    words_per_row: usize,
    words: Vec<u64>,
}

impl BitMatrix {
    /// The zero matrix of this size.
    pub fn new(rows: usize, columns: usize) -> Self {
        let words_per_row = columns.div_ceil(64);
        Self { rows, columns, words_per_row, words: vec![0; rows * words_per_row] }
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
        self.words[row * self.words_per_row + column / 64] >> (column % 64) & 1 == 1
    }

    /// Makes the entry one.
    #[inline]
    pub fn set(&mut self, row: usize, column: usize) {
        assert!(row < self.rows && column < self.columns, "BUG: bit ({row}, {column}) outside the matrix");
        self.words[row * self.words_per_row + column / 64] |= 1 << (column % 64);
    }

    /// Makes the entry zero.
    #[inline]
    pub fn clear(&mut self, row: usize, column: usize) {
        assert!(row < self.rows && column < self.columns, "BUG: bit ({row}, {column}) outside the matrix");
        self.words[row * self.words_per_row + column / 64] &= !(1 << (column % 64));
    }

    /// The words of a row, least column in the least bit of the first word.
    #[inline]
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.words_per_row..(row + 1) * self.words_per_row]
    }

    /// The columns where the row has a one, ascending.
    pub fn ones(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        ones(self.row(row))
    }

    /// How many ones the row has.
    pub fn count(&self, row: usize) -> usize {
        self.row(row).iter().map(|word| word.count_ones() as usize).sum()
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
}
