//! Rows that were seen, each once: all in one vector, found by an open-addressing index of row numbers.
//! Differs from a hash set: no allocation and no hash a row, and growing is asked of a [`Room`] first.

use model::Value;

use crate::index::hash;

/// Bytes that may be held, and bytes that are. Once something did not find room nothing does: half of a table
/// looks like a whole one.
pub(crate) struct Room {
    limit: u64,
    used: u64,
    full: bool,
}

impl Room {
    pub fn new(limit: u64) -> Self {
        Self { limit, used: 0, full: false }
    }

    /// Takes bytes; says whether there was room.
    #[must_use]
    pub fn take(&mut self, bytes: usize) -> bool {
        self.full |= bytes as u64 > self.limit.saturating_sub(self.used);
        if !self.full {
            self.used += bytes as u64;
        }
        !self.full
    }

    /// Something did not find room.
    pub fn is_full(&self) -> bool {
        self.full
    }

    pub fn used(&self) -> u64 {
        self.used
    }

    /// There is no memory, whatever the limit says.
    fn refuse(&mut self) -> bool {
        self.full = true;
        false
    }
}

/// Rows of equal width, told apart by their first cells, the *key*.
pub(crate) struct Rows {
    key: usize,
    width: usize,
    cells: Vec<Value>,
    /// A row number plus one, or zero where the place is free; a power of two, a quarter of it free.
    places: Vec<u32>,
}

impl Rows {
    /// No rows yet.
    pub fn new(key: usize, width: usize) -> Self {
        assert!(width > 0 && key <= width, "BUG: rows of {width} cells with a key of {key}");
        Self { key, width, cells: Vec::new(), places: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.cells.len() / self.width
    }

    /// The rows, in the order of discovery.
    pub fn iter(&self) -> impl Iterator<Item = &[Value]> + '_ {
        self.cells.chunks_exact(self.width)
    }

    /// The rows, in an order that does not depend on the order of discovery.
    pub fn sorted(&self) -> impl Iterator<Item = &[Value]> + '_ {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|&row| self.row(row));
        order.into_iter().map(|row| self.row(row))
    }

    /// Whether there is a row with this key.
    pub fn contains(&self, key: &[Value]) -> bool {
        !self.places.is_empty() && self.places[self.seek(key)] != 0
    }

    /// Adds a row whose key is new, if there is room.
    pub fn add(&mut self, row: &[Value], room: &mut Room) {
        debug_assert!(row.len() == self.width && !self.contains(&row[..self.key]));
        if self.fits_another(room) {
            self.cells.extend_from_slice(row);
            self.fill_place(self.len() as u32 - 1);
        }
    }

    fn row(&self, row: u32) -> &[Value] {
        &self.cells[row as usize * self.width..][..self.width]
    }

    /// Where the key is, or would be.
    fn seek(&self, key: &[Value]) -> usize {
        let mask = self.places.len() - 1;
        let mut place = hash(key.iter().copied()) & mask;
        while let Some(row) = self.places[place].checked_sub(1) {
            if &self.row(row)[..self.key] == key {
                break;
            }
            place = (place + 1) & mask;
        }
        place
    }

    fn fill_place(&mut self, row: u32) {
        let place = self.seek(&self.row(row)[..self.key]);
        self.places[place] = row + 1;
    }

    fn fits_another(&mut self, room: &mut Room) -> bool {
        // The last value is for *empty* and a row more.
        let countable = self.len() < u32::MAX as usize - 1 || room.refuse();
        countable
            && (self.cells.len() < self.cells.capacity() || self.grow_cells(room))
            && (4 * (self.len() + 1) <= 3 * self.places.len() || self.grow_places(room))
    }

    /// A quarter more, so that what is asked for and what is used do not differ much.
    #[cold]
    fn grow_cells(&mut self, room: &mut Room) -> bool {
        let rows = (self.len() / 4).max(4);
        // A row more is a number more when they are sorted.
        let bytes = rows * (self.width + 1) * size_of::<Value>();
        room.take(bytes) && (self.cells.try_reserve_exact(rows * self.width).is_ok() || room.refuse())
    }

    #[cold]
    fn grow_places(&mut self, room: &mut Room) -> bool {
        let places = (2 * self.places.len()).max(8);
        if !room.take((places - self.places.len()) * size_of::<u32>()) {
            return false;
        }
        // The old ones go first: rows tell where they belong.
        self.places = Vec::new();
        if self.places.try_reserve_exact(places).is_err() {
            return room.refuse();
        }
        self.places.resize(places, 0);
        (0..self.len() as u32).for_each(|row| self.fill_place(row));
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// All short rows over few values in a scattered order, against a map.
    #[test]
    fn rows_are_a_map_from_keys() {
        for (key, width) in [(0, 1), (1, 1), (2, 3), (3, 3), (4, 6)] {
            let (mut rows, mut room, mut known) =
                (Rows::new(key, width), Room::new(u64::MAX), BTreeMap::new());
            for step in 0..5000u32 {
                let scattered = step.wrapping_mul(2_654_435_761) >> 16;
                let row: Vec<Value> = (0..width).map(|at| (scattered >> (3 * at)) & 7).collect();
                assert_eq!(rows.contains(&row[..key]), known.contains_key(&row[..key]));
                if !known.contains_key(&row[..key]) {
                    rows.add(&row, &mut room);
                    known.insert(row[..key].to_vec(), row);
                }
            }
            assert_eq!(rows.len(), known.len());
            assert!(rows.sorted().eq(known.values().map(|row| &row[..])));
            assert!(!room.is_full() && room.used() >= 4 * rows.cells.capacity() as u64);
        }
    }

    #[test]
    fn without_room_nothing_is_added_ever_again() {
        let (mut rows, mut other, mut room) = (Rows::new(2, 2), Rows::new(2, 2), Room::new(1000));
        (0..1000).for_each(|row| rows.add(&[row, 0], &mut room));
        let count = rows.len();
        assert!(room.is_full() && room.used() <= 1000 && (20..100).contains(&count), "{count} rows");
        assert!((0..count as u32).all(|row| rows.contains(&[row, 0])) && !rows.contains(&[count as u32, 0]));
        other.add(&[0, 0], &mut room);
        assert_eq!(other.len(), 0);
    }
}
