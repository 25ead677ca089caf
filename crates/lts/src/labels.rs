//! The labels of a system, each once, numbered in the order of first sight.
//!
//! All texts lie one behind the other in one piece of memory. A system may have as many labels as states, and
//! a piece of memory for each would not only take several times what its text does: small pieces that stay,
//! among large ones that come and go, keep these from being used again.

use std::hash::Hasher;

use crate::hashing::Mixer;
use crate::index::ActionIx;
use crate::room::Room;

/// Texts by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Texts {
    all: String,
    /// Where each ends; it begins where the one before it ends.
    ends: Vec<u64>,
}

impl Texts {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[number] as usize]
    }

    /// Bytes that they take.
    pub(crate) fn bytes(&self) -> u64 {
        (self.all.capacity() + self.ends.capacity() * size_of::<u64>()) as u64
    }

    /// Adds a text; says whether there was room.
    fn push(&mut self, text: &str, room: &mut Room) -> bool {
        let is_room = room.grow_text(&mut self.all, text.len()) && room.grow(&mut self.ends, 1);
        if is_room {
            self.all.push_str(text);
            self.ends.push(self.all.len() as u64);
        }
        is_room
    }
}

/// A growing two-way table between labels and numbers.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    texts: Texts,
    /// A number plus one, or zero where the place is free: open addressing, a quarter of it free.
    table: Vec<u32>,
}

impl Labels {
    /// The number of a label, a new one if it was never seen; nothing where there is no room.
    pub(crate) fn number(&mut self, label: &str, room: &mut Room) -> Option<ActionIx> {
        if 4 * (self.texts.len() + 1) > 3 * self.table.len() {
            self.widen(room)?;
        }
        let mut place = hash(label) & (self.table.len() - 1);
        while let Some(found) = self.table[place].checked_sub(1) {
            if self.texts.get(found as usize) == label {
                return Some(ActionIx(found));
            }
            place = (place + 1) & (self.table.len() - 1);
        }
        let number = u32::try_from(self.texts.len()).ok().filter(|&number| number < u32::MAX)?;
        if !self.texts.push(label, room) {
            return None;
        }
        self.table[place] = number + 1;
        Some(ActionIx(number))
    }

    fn widen(&mut self, room: &mut Room) -> Option<()> {
        let places = (2 * self.table.len()).max(16);
        let mut table: Vec<u32> = Vec::new();
        if !room.grow(&mut table, places) {
            return None;
        }
        table.resize(places, 0);
        for number in 0..self.texts.len() {
            let mut place = hash(self.texts.get(number)) & (places - 1);
            while table[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            table[place] = number as u32 + 1;
        }
        room.give_back((self.table.capacity() * size_of::<u32>()) as u64);
        self.table = table;
        Some(())
    }

    /// The labels, by number.
    pub(crate) fn into_texts(self) -> Texts {
        self.texts
    }
}

fn hash(label: &str) -> usize {
    let mut mixer = Mixer::default();
    mixer.write(label.as_bytes());
    mixer.done() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_numbered_in_the_order_of_first_sight() {
        let (mut labels, mut room) = (Labels::default(), Room::new(u64::MAX));
        let label = |number: u32| "x".repeat(number as usize % 9) + &number.to_string();
        let seen: Vec<u32> = (0..10_000).map(|number| number * 7919 % 3000).collect();
        let mut naive: Vec<String> = Vec::new();
        for &number in &seen {
            let text = label(number);
            let known = naive.iter().position(|known| *known == text).unwrap_or_else(|| {
                naive.push(text.clone());
                naive.len() - 1
            });
            assert_eq!(labels.number(&text, &mut room), Some(ActionIx(known as u32)));
        }
        assert_eq!(labels.number("", &mut room), Some(ActionIx(3000)));
        let texts = labels.into_texts();
        assert_eq!((texts.len(), texts.get(3000)), (3001, ""));
        assert!((0..3000).all(|number| texts.get(number) == naive[number]));
    }

    #[test]
    fn what_labels_take_is_accounted_for_to_the_byte() {
        let (mut labels, mut room) = (Labels::default(), Room::new(1 << 20));
        let mut count = 0;
        while labels.number(&format!("a({count})"), &mut room).is_some() {
            count += 1;
            let table = (labels.table.capacity() * size_of::<u32>()) as u64;
            assert_eq!(room.used(), labels.texts.bytes() + table);
        }
        assert!(room.is_full() && room.used() <= 1 << 20 && count > 10_000, "{count} {}", room.used());
    }
}
