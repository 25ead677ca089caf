//! The branching points of a path, found by their commands and state: a table with open addressing.
//!
//! The last point that came in is the first that goes out. So taking one out leaves no gap that a search for
//! another one would stop at.

use model::Value;

/// Points by what held there: rows of states that someone else keeps.
#[derive(Default)]
pub(crate) struct OnPath {
    /// Row numbers, one more than that; zero is free.
    table: Vec<u32>,
    /// What is in the table, in the order in which it came.
    points: Vec<BranchPoint>,
}

#[derive(Clone, Copy)]
struct BranchPoint {
    list: u32,
    row: u32,
    hash: u64,
}

impl OnPath {
    /// Forgets all points.
    pub fn clear(&mut self) {
        while self.leave() {}
    }

    /// Adds a point, where these commands are to be tried in this state; `row` is where the state will be
    /// found. Answers whether the path has not been there.
    pub fn enter<'s>(
        &mut self,
        list: u32,
        state: &[Value],
        row: u32,
        state_of: impl Fn(u32) -> &'s [Value],
    ) -> bool {
        if 2 * (self.points.len() + 1) > self.table.len() {
            self.grow();
        }
        let hash = hash(list, state);
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at] != 0 {
            let point = self.points[self.table[at] as usize - 1];
            if point.hash == hash && point.list == list && state_of(point.row) == state {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.points.push(BranchPoint { list, row, hash });
        self.table[at] = self.points.len() as u32;
        true
    }

    /// Takes away the last point that was added; answers whether there was one.
    pub fn leave(&mut self) -> bool {
        let number = self.points.len() as u32;
        let Some(point) = self.points.pop() else { return false };
        let mask = self.table.len() - 1;
        let mut at = point.hash as usize & mask;
        while self.table[at] != number {
            at = (at + 1) & mask;
        }
        // Nothing that is left has been put behind it.
        self.table[at] = 0;
        true
    }

    fn grow(&mut self) {
        let size = (2 * self.table.len()).max(64);
        self.table.clear();
        self.table.resize(size, 0);
        for (number, point) in self.points.iter().enumerate() {
            let mut at = point.hash as usize & (size - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = number as u32 + 1;
        }
    }
}

fn hash(list: u32, state: &[Value]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, value: &Value| (hash.rotate_left(23) ^ u64::from(*value)).wrapping_mul(ODD);
    let hash = state.iter().fold(u64::from(list), mix);
    hash ^ hash >> 32
}
