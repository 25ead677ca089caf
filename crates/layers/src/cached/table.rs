//! A table from keys of one length to records of any length, in two flat blocks of words: an open-addressing
//! index and a store that only grows. No allocation but when a block grows, and every byte comes from a budget.
//!
//! Record in the store: the key, the length of what follows, the content.

/// The table; a budget of bytes is passed in by its owner, who shares it among tables.
#[derive(Default)]
pub(super) struct Table {
    key_length: usize,
    entries: usize,
    /// Position in the store plus one; zero is free. The length is a power of two, or zero at first.
    index: Vec<u32>,
    store: Vec<u32>,
}

const WORD: usize = size_of::<u32>();
const FIRST_INDEX: usize = 16;
const FIRST_STORE: usize = 64;

impl Table {
    /// An empty table for keys of this length.
    pub(super) fn new(key_length: usize) -> Self {
        Self { key_length, ..Self::default() }
    }

    /// Bytes it holds: what it took from the budget.
    pub(super) fn bytes(&self) -> usize {
        (self.index.capacity() + self.store.capacity()) * WORD
    }

    /// What is stored with a key.
    pub(super) fn find(&self, key: &[u32]) -> Option<&[u32]> {
        if self.index.is_empty() {
            return None;
        }
        let start = *self.index.get(self.place(hash(key), key))?;
        // Zero, the free place, has nothing before it.
        let content = start.checked_sub(1)? as usize + self.key_length + 1;
        Some(&self.store[content..content + self.store[content - 1] as usize])
    }

    /// Stores a record for a key that is not in the table, if the budget allows.
    pub(super) fn insert(&mut self, key: &[u32], content: &[u32], budget: &mut usize) -> bool {
        let words = self.key_length + 1 + content.len();
        let (Ok(start), Ok(length)) = (u32::try_from(self.store.len() + 1), u32::try_from(content.len())) else {
            return false;
        };
        if !self.reserve_index(budget) || !self.reserve_store(words, budget) {
            return false;
        }
        let place = self.place(hash(key), key);
        self.index[place] = start;
        self.store.extend_from_slice(key);
        self.store.push(length);
        self.store.extend_from_slice(content);
        self.entries += 1;
        true
    }

    /// Where in the index the key is, or the free place where it belongs.
    fn place(&self, hash: u64, key: &[u32]) -> usize {
        let mask = self.index.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.index[place] {
                0 => return place,
                start if self.key_at(start) == key => return place,
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn key_at(&self, start: u32) -> &[u32] {
        &self.store[start as usize - 1..start as usize - 1 + self.key_length]
    }

    /// Room for one more in the index. At most half full, so that a search ends soon.
    fn reserve_index(&mut self, budget: &mut usize) -> bool {
        if (self.entries + 1) * 2 <= self.index.len() {
            return true;
        }
        let wanted = (self.index.len() * 2).max(FIRST_INDEX);
        let mut larger = Vec::new();
        let more = (wanted - self.index.len()) * WORD;
        if more > *budget || larger.try_reserve_exact(wanted).is_err() {
            return false;
        }
        larger.resize(wanted, 0);
        // Capacities are counted, not lengths: an allocator may give more than was asked for.
        *budget = (*budget + self.index.capacity() * WORD).saturating_sub(larger.capacity() * WORD);
        let old = std::mem::replace(&mut self.index, larger);
        for start in old.into_iter().filter(|&start| start != 0) {
            let place = self.place(hash(self.key_at(start)), self.key_at(start));
            self.index[place] = start;
        }
        true
    }

    /// Room for this many words in the store: doubles, until that takes too much of the budget.
    fn reserve_store(&mut self, words: usize, budget: &mut usize) -> bool {
        let capacity = self.store.capacity();
        if self.store.len() + words <= capacity {
            return true;
        }
        let left = *budget / WORD;
        let doubling = capacity.max(words).max(FIRST_STORE);
        let more = if doubling <= left / 4 { doubling } else { words.max(left / 4) };
        if more > left || self.store.try_reserve_exact(capacity - self.store.len() + more).is_err() {
            return false;
        }
        *budget = budget.saturating_sub((self.store.capacity() - capacity) * WORD);
        true
    }
}

/// A word at a time through a folded 64 × 64 → 128 bit product, as wyhash does: projected states are small
/// numbers that differ in a few low bits, and this spreads each bit over the whole word.
fn hash(key: &[u32]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let fold = |product: u128| (product >> 64) as u64 ^ product as u64;
    key.iter().fold(FACTOR, |state, &word| fold(u128::from(state ^ u64::from(word)) * u128::from(FACTOR)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Keys with few low bits set, as projected states have; contents of all lengths, empty ones too.
    fn record(number: u32) -> ([u32; 3], Vec<u32>) {
        ([number % 7, number / 7 % 11, number / 77], (0..number % 5).map(|at| number ^ at).collect())
    }

    #[test]
    fn it_finds_what_a_hash_map_finds() {
        let (mut table, mut oracle, mut budget) = (Table::new(3), HashMap::new(), usize::MAX);
        for number in (0..20_000).step_by(3) {
            let (key, content) = record(number);
            assert!(table.insert(&key, &content, &mut budget));
            oracle.insert(key, content);
        }
        for number in 0..20_000 {
            let (key, _) = record(number);
            assert_eq!(table.find(&key), oracle.get(&key).map(Vec::as_slice), "{key:?}");
        }
        assert_eq!(usize::MAX - budget, table.bytes());
    }

    #[test]
    fn it_stays_in_its_budget_and_keeps_what_it_has() {
        for given in [0, 10, 500, 5_000, 50_000] {
            let (mut table, mut budget) = (Table::new(3), given);
            let kept: Vec<u32> = (0..5_000)
                .filter(|&number| {
                    let (key, content) = record(number);
                    table.insert(&key, &content, &mut budget)
                })
                .collect();
            assert!(table.bytes() + budget == given, "{} of {given} bytes, {budget} left", table.bytes());
            assert!(kept.len() * 24 * 2 < given.max(1) * 3, "{} records in {given} bytes", kept.len());
            assert!(given < 5_000 || kept.len() > given / 100, "{} records in {given} bytes", kept.len());
            for &number in &kept {
                let (key, content) = record(number);
                assert_eq!(table.find(&key), Some(content.as_slice()));
            }
        }
    }

    #[test]
    fn an_empty_key_is_a_key() {
        let (mut table, mut budget) = (Table::new(0), usize::MAX);
        assert_eq!(table.find(&[]), None);
        assert!(table.insert(&[], &[4, 5], &mut budget));
        assert_eq!(table.find(&[]), Some(&[4, 5][..]));
    }
}
