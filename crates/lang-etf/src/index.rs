//! A hash index over the rows of a table: from the values of some slots to the block of rows that test for
//! them. Open addressing, built once and then only read, so that a look-up neither locks nor allocates.

use std::ops::Range;

use model::Value;

/// Rows by key; equal keys stand in one block.
#[derive(Debug)]
pub(crate) struct Index {
    width: usize,
    mask: usize,
    /// A block number plus one, or zero where the place is free.
    places: Vec<u32>,
    keys: Vec<Value>,
    ends: Vec<u32>,
}

impl Index {
    /// The index of these keys, `width` values each, and the order in which the rows must be stored: block
    /// by block in the order of first sight, inside a block as they came.
    pub fn new(width: usize, keys: &[Value], rows: usize) -> (Self, Vec<u32>) {
        debug_assert_eq!(keys.len(), width * rows);
        assert!(rows < u32::MAX as usize, "BUG: more rows than bytes of text");
        let capacity = (2 * rows).next_power_of_two().max(2);
        let mut index =
            Self { width, mask: capacity - 1, places: vec![0; capacity], keys: Vec::new(), ends: Vec::new() };
        let blocks: Vec<u32> =
            (0..rows).map(|row| index.insert(&keys[row * width..(row + 1) * width])).collect();
        let mut starts = Vec::with_capacity(index.ends.len());
        let mut end = 0;
        for size in &mut index.ends {
            starts.push(end);
            end += *size;
            *size = end;
        }
        let mut order = vec![0; rows];
        for (row, &block) in blocks.iter().enumerate() {
            let place = &mut starts[block as usize];
            order[*place as usize] = row as u32;
            *place += 1;
        }
        (index, order)
    }

    /// Counts a row into its block; `ends` holds sizes until all rows are in.
    fn insert(&mut self, key: &[Value]) -> u32 {
        let mut place = hash(key.iter().copied()) & self.mask;
        while let Some(block) = self.places[place].checked_sub(1) {
            if self.key(block as usize) == key {
                self.ends[block as usize] += 1;
                return block;
            }
            place = (place + 1) & self.mask;
        }
        let block = self.ends.len() as u32;
        self.places[place] = block + 1;
        self.keys.extend_from_slice(key);
        self.ends.push(1);
        block
    }

    fn key(&self, block: usize) -> &[Value] {
        &self.keys[block * self.width..(block + 1) * self.width]
    }

    /// The rows whose key is what the state has in these slots.
    #[inline]
    pub fn find(&self, slots: &[u32], state: &[Value]) -> Range<usize> {
        debug_assert_eq!(slots.len(), self.width);
        if slots.is_empty() {
            return 0..self.ends.last().map_or(0, |&end| end as usize);
        }
        let wanted = || slots.iter().map(|&slot| state[slot as usize]);
        let mut place = hash(wanted()) & self.mask;
        while let Some(block) = self.places[place].checked_sub(1) {
            let block = block as usize;
            if wanted().eq(self.key(block).iter().copied()) {
                let start = if block == 0 { 0 } else { self.ends[block - 1] };
                return start as usize..self.ends[block] as usize;
            }
            place = (place + 1) & self.mask;
        }
        0..0
    }
}

/// Multiply and rotate, as FxHash does: keys are few small numbers.
#[inline]
pub(crate) fn hash(values: impl Iterator<Item = Value>) -> usize {
    let mixed = values.fold(0u64, |hash, value| {
        (hash.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x517c_c1b7_2722_0a95)
    });
    // The high bits are the well-mixed ones; the mask takes the low.
    (mixed >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_scan_finds() {
        for rows in [0usize, 1, 5, 200] {
            for width in 0..3 {
                let keys: Vec<Value> = (0..rows * width).map(|at| (at * at * 7 % 11) as Value).collect();
                let (index, order) = Index::new(width, &keys, rows);
                let slots: Vec<u32> = (0..width as u32).map(|column| 2 - column).collect();
                for code in 0..1331u32 {
                    let state = [code % 11, code / 11 % 11, code / 121];
                    let key: Vec<Value> = slots.iter().map(|&slot| state[slot as usize]).collect();
                    let scanned: Vec<u32> = (0..rows)
                        .filter(|row| keys[row * width..(row + 1) * width] == key[..])
                        .map(|r| r as u32)
                        .collect();
                    assert_eq!(order[index.find(&slots, &state)], scanned);
                }
            }
        }
    }
}
