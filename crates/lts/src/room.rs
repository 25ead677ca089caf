//! Memory that may be held: asked for before it is taken.

/// Bytes that may be held, and bytes that are. Once something did not find room nothing does: half of a
/// system looks like a whole one.
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

    /// Makes room for `more` things behind those of a vector, half again as much as there was at least: while
    /// it grows, the old and the new one are both there. Says whether there was room.
    #[must_use]
    pub(crate) fn grow<T>(&mut self, things: &mut Vec<T>, more: usize) -> bool {
        let (len, capacity) = (things.len(), things.capacity());
        self.grow_by(len, capacity, size_of::<T>(), more, |wanted| things.try_reserve_exact(wanted).is_ok())
    }

    /// The same behind a text, in bytes.
    #[must_use]
    pub(crate) fn grow_text(&mut self, text: &mut String, more: usize) -> bool {
        let (len, capacity) = (text.len(), text.capacity());
        self.grow_by(len, capacity, 1, more, |wanted| text.try_reserve_exact(wanted).is_ok())
    }

    fn grow_by(
        &mut self,
        len: usize,
        capacity: usize,
        size: usize,
        more: usize,
        reserve: impl FnOnce(usize) -> bool,
    ) -> bool {
        if capacity - len >= more {
            return !self.is_full;
        }
        let wanted = (len + more).max(capacity + capacity / 2).max(16);
        if !self.take((wanted * size) as u64) {
            return false;
        }
        if !reserve(wanted - len) {
            self.is_full = true;
            return false;
        }
        self.give_back((capacity * size) as u64);
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
        assert!(
            room.is_full() && room.used() <= 10_000 && things.len() > 500,
            "{} {}",
            things.len(),
            room.used()
        );
        assert!(!room.take(0), "there was room again");
    }
}
