//! Memory that may be held: asked for before it is taken.

/// Bytes that may be held, and bytes that are. Once something did not find room nothing does: half of a system looks like a whole one.
#[derive(Clone, Debug)]
pub struct Room {
    limit: u64,
    used: u64,
    is_full: bool,
}

impl Room {
    /// Room for this many bytes.
    pub fn new(limit: u64) -> Self {
        Self { limit, used: 0, is_full: false }
    }

    /// Takes bytes; says whether there was room.
    #[must_use]
    pub fn take(&mut self, bytes: u64) -> bool {
        self.is_full |= bytes > self.limit.saturating_sub(self.used);
        if !self.is_full {
            self.used += bytes;
        }
        !self.is_full
    }

    /// Gives bytes back.
    pub fn give_back(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Whether something did not find room.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Bytes that are held.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Makes room for `more` things behind those of a vector, half again as much as there was at least: while it grows, the old and the
    /// new one are both there. Says whether there was room.
    #[must_use]
    pub(crate) fn grow<T>(&mut self, things: &mut Vec<T>, more: usize) -> bool {
        if things.capacity() - things.len() >= more {
            return !self.is_full;
        }
        let before = things.capacity();
        let wanted = (things.len() + more).max(before + before / 2).max(16);
        let size = size_of::<T>() as u64;
        if !self.take(wanted as u64 * size) {
            return false;
        }
        if things.try_reserve_exact(wanted - things.len()).is_err() {
            self.is_full = true;
            return false;
        }
        self.give_back(before as u64 * size);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_is_accounted_for_and_stops_at_the_limit() {
        let mut room = Room::new(10_000);
        let mut things: Vec<u32> = Vec::new();
        while room.grow(&mut things, 1) {
            things.push(7);
            assert_eq!(room.used(), 4 * things.capacity() as u64);
        }
        assert!(room.is_full() && room.used() <= 10_000 && things.len() > 500, "{} {}", things.len(), room.used());
        assert!(!room.take(0), "there was room again");
    }
}
