//! The labels of a system, each once, numbered in the order of first sight.

use std::collections::HashMap;

use crate::hashing::Build;
use crate::room::Room;
use crate::system::ActionIx;

/// A growing two-way table between labels and numbers.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, ActionIx, Build>,
}

/// What an entry takes beside the two copies of its text: two fat pointers and a place in the table, a third of them free.
const ENTRY: usize = 64;

impl Labels {
    /// The number of a label, a new one if it was never seen; nothing where there is no room.
    pub(crate) fn number(&mut self, label: &str, room: &mut Room) -> Option<ActionIx> {
        if let Some(&number) = self.numbers.get(label) {
            return Some(number);
        }
        let number = ActionIx(u32::try_from(self.texts.len()).ok()?);
        if !room.take((2 * label.len() + ENTRY) as u64) {
            return None;
        }
        self.texts.push(label.into());
        self.numbers.insert(label.into(), number);
        Some(number)
    }

    /// The labels, by number.
    pub(crate) fn into_texts(self) -> Vec<Box<str>> {
        self.texts
    }
}
