//! The room in words that are being filled.

/// Bits of a word.
const WORD: u8 = u64::BITS as u8;

/// Words, each with the bits that it has in use.
#[derive(Clone, Default, Debug)]
pub(super) struct Room {
    used: Vec<u8>,
    /// The words with this many bits left, for each number of bits: the least room that is enough is found by
    /// the room and not by a look at every word. A word may be in lists of more room than it has left; then
    /// it is not there.
    by_room: Vec<Vec<u32>>,
}

impl Room {
    /// So many words.
    pub(super) fn words(&self) -> usize {
        self.used.len()
    }

    /// Adds empty words.
    pub(super) fn add_words(&mut self, count: usize) {
        for _ in 0..count {
            self.used.push(0);
            self.list(self.used.len() - 1);
        }
    }

    /// All words of another room come after these; says how many were there.
    pub(super) fn append(&mut self, other: &Self) -> usize {
        let before = self.words();
        for &used in &other.used {
            self.used.push(used);
            self.list(self.used.len() - 1);
        }
        before
    }

    fn list(&mut self, word: usize) {
        self.by_room.resize_with(usize::from(WORD) + 1, Vec::new);
        self.by_room[usize::from(WORD - self.used[word])].push(word as u32);
    }

    /// Bits that are in use in a word.
    pub(super) fn used(&self, word: usize) -> u8 {
        self.used[word]
    }

    /// Bits that nobody uses.
    pub(super) fn left(&self) -> u64 {
        self.used.iter().map(|used| u64::from(WORD - used)).sum()
    }

    /// Room for so many bits in one word: best fit, in a new word if there is none.
    pub(super) fn place(&mut self, bits: u8) -> (u32, u8) {
        if bits == 0 {
            // It may be said to stand anywhere.
            return (0, 0);
        }
        let word = self.fitting(bits).unwrap_or_else(|| {
            self.add_words(1);
            self.words() - 1
        });
        (word as u32, self.take(word, bits))
    }

    /// The word with the least room that is enough.
    fn fitting(&mut self, bits: u8) -> Option<usize> {
        for room in usize::from(bits)..self.by_room.len() {
            while let Some(&word) = self.by_room[room].last() {
                if usize::from(WORD - self.used[word as usize]) == room {
                    return Some(word as usize);
                }
                self.by_room[room].pop();
            }
        }
        None
    }

    /// Takes so many bits of this word; says from which one on.
    fn take(&mut self, word: usize, bits: u8) -> u8 {
        let shift = self.used[word];
        assert!(shift + bits <= WORD, "BUG: no room in a word");
        self.used[word] += bits;
        self.list(word);
        shift
    }

    /// Takes up to so many bits of this word: how many, and from which one on.
    pub(super) fn take_up_to(&mut self, word: usize, bits: u8) -> (u8, u8) {
        match bits.min(WORD - self.used[word]) {
            0 => (0, 0),
            bits => (bits, self.take(word, bits)),
        }
    }
}
