//! The pace of checks: often enough that a person who interrupts a search does not wait, seldom enough that
//! reading the clock costs nothing. The amount of work between two readings adapts, as models differ in speed
//! by a factor of a million.

use std::time::{Duration, Instant};

/// Readings of the clock should be about this far apart, up to a factor of two.
const WANTED: Duration = Duration::from_millis(5);

/// Even the fastest model gets slow somewhere: no more work than this goes unwatched.
const MOST_WORK: u64 = 1 << 16;

/// Each so many slots make a state or transition a piece of work more.
const SLOTS_A_PIECE: usize = 64;

/// Says when to look up from the work.
pub(crate) struct Pace {
    last: Instant,
    /// The work that a state or transition is.
    weight: u64,
    stride: u64,
    left: u64,
}

impl Pace {
    /// The pace for states of this many slots. The first piece of work is watched closely.
    pub(crate) fn new(slots: usize) -> Self {
        Self { last: Instant::now(), weight: 1 + (slots / SLOTS_A_PIECE) as u64, stride: 1, left: 1 }
    }

    /// Whether it is time to look up, after this many more states and transitions.
    #[inline]
    pub(crate) fn spend(&mut self, vectors: u64) -> bool {
        let work = vectors * self.weight;
        if work < self.left {
            self.left -= work;
            return false;
        }
        self.adapt();
        true
    }

    #[cold]
    fn adapt(&mut self) {
        let now = Instant::now();
        let passed = now - self.last;
        self.last = now;
        if passed > 4 * WANTED {
            self.stride = 1;
        } else if passed > 2 * WANTED {
            self.stride = (self.stride / 2).max(1);
        } else if passed < WANTED {
            self.stride = (self.stride * 2).min(MOST_WORK);
        }
        self.left = self.stride;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_work_is_watched_piece_by_piece() {
        let mut pace = Pace::new(5);
        (0..1 << 20).for_each(|_| _ = pace.spend(1));
        assert!(pace.stride > 1, "fast work should be watched seldom");
        while !pace.spend(1) {}
        std::thread::sleep(5 * WANTED);
        while !pace.spend(1) {}
        assert_eq!(pace.stride, 1);
        assert!(pace.spend(1));
    }

    /// However fast states of a million slots seem to be: after 4 of them comes a look.
    #[test]
    fn wide_states_are_much_work() {
        let mut pace = Pace::new(1_000_000);
        (0..1 << 20).for_each(|_| _ = pace.spend(1));
        assert!((0..5).any(|_| pace.spend(1)));
    }
}
