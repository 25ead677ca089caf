//! Which groups are worth asking: for each slot and each value that was seen in it, the groups that no guard
//! of that slot alone forbids.
//!
//! *Problem.* A model of a thousand summands has a thousand conditions `place == 7 && …` to ask in every
//! state.
//!
//! *Idea.* What a guard of a single slot says depends on the value of that slot alone. When a value is first
//! seen in a slot all guards of that slot are asked once, and the groups that are left are kept as a row of
//! bits. The rows of all slots are joined by *and*.
//!
//! ```text
//! groups:  0: x == 1 -> …     1: x == 2 -> …     2: x == 1 && y > 3 -> …
//! x = 1 allows {0, 2}; y = 0 allows {0, 1}: only group 0 is asked, and none of its guards need be
//! ```
//!
//! *Right*: a group that is left out has a guard that is false.
//!
//! *Cost.* A row for each value of each slot, [`MOST_VALUES`] of a slot at most.

use std::collections::HashMap;

use model::Value;

use super::LinearModel;
use super::code::GuardAnswer;

/// Values below this are looked up in a list.
const DENSE: usize = 1 << 12;
/// So many values of a slot are sum_cache; of the others guards are asked each time.
const MOST_VALUES: usize = 1 << 12;

/// What was found out.
pub(crate) struct Dispatch {
    slots: Vec<SlotTable>,
    /// How many guards of each group look at one slot or none; they come first.
    single: Vec<usize>,
    /// All groups, a bit each.
    all: Vec<u64>,
    /// Guards that look at no slot.
    fixed: Vec<(usize, Vec<u64>)>,
    unsure: bool,
}

/// What was found out of the values of a slot.
struct SlotTable {
    slot: usize,
    /// Guards that look at this slot alone, and the groups that have them.
    guards: Vec<(usize, Vec<u64>)>,
    dense: Vec<u32>,
    others: HashMap<Value, u32>,
    entries: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    /// Groups that are not forbidden, a bit each.
    groups: Vec<u64>,
    /// Some guard could not be told.
    unsure: bool,
}

impl Dispatch {
    pub(crate) fn new(model: &LinearModel) -> Self {
        let words = model.groups.len().div_ceil(64);
        let mask = |groups: &[usize]| {
            let mut mask = vec![0u64; words];
            groups.iter().for_each(|group| mask[group / 64] |= 1 << (group % 64));
            mask
        };
        let mut tables: Vec<SlotTable> = Vec::new();
        let mut fixed = Vec::new();
        for (number, guard) in model.guards.iter().enumerate() {
            match guard.slots[..] {
                [] => fixed.push((number, mask(&guard.groups))),
                [slot] => {
                    let at = tables.iter().position(|table| table.slot == slot).unwrap_or_else(|| {
                        let (guards, dense) = (Vec::new(), Vec::new());
                        tables.push(SlotTable {
                            slot,
                            guards,
                            dense,
                            others: HashMap::new(),
                            entries: Vec::new(),
                        });
                        tables.len() - 1
                    });
                    tables[at].guards.push((number, mask(&guard.groups)));
                }
                _ => {}
            }
        }
        // Slots that many groups ask for rule out the most.
        let asked = |table: &SlotTable| {
            table.guards.iter().map(|(guard, _)| model.guards[*guard].groups.len()).sum::<usize>()
        };
        tables.sort_by_key(|table| std::cmp::Reverse(asked(table)));
        let is_single = |guard: &&usize| model.guards[**guard].slots.len() <= 1;
        let single =
            model.groups.iter().map(|group| group.guards.iter().take_while(is_single).count()).collect();
        let all = mask(&(0..model.groups.len()).collect::<Vec<_>>());
        Self { slots: tables, single, all, fixed, unsure: false }
    }

    /// How many guards of the group need not be asked, unless it [is unsure](Self::is_unsure).
    #[inline]
    pub(crate) fn single(&self, group: usize) -> usize {
        self.single[group]
    }

    /// Whether some guard of the last state could not be told: then groups are asked for all their guards.
    #[inline]
    pub(crate) fn is_unsure(&self) -> bool {
        self.unsure
    }

    /// The groups that no guard of a single slot forbids in this state. `ask` is asked for guards of values
    /// that are new.
    #[inline]
    pub(crate) fn candidates(
        &mut self,
        state: &[Value],
        groups: &mut [u64],
        ask: &mut dyn FnMut(usize) -> GuardAnswer,
    ) {
        groups.copy_from_slice(&self.all);
        self.unsure = false;
        for table in &mut self.slots {
            let (entry, unsure) = table.entry(state[table.slot], &self.all, ask);
            self.unsure |= unsure;
            let mut any = 0;
            for (word, allowed) in groups.iter_mut().zip(entry) {
                *word &= allowed;
                any |= *word;
            }
            if any == 0 {
                return;
            }
        }
        for (guard, having) in &self.fixed {
            match ask(*guard) {
                GuardAnswer::Yes => {}
                GuardAnswer::No => groups.iter_mut().zip(having).for_each(|(word, having)| *word &= !having),
                GuardAnswer::Unknown => self.unsure = true,
            }
        }
    }
}

impl SlotTable {
    #[inline]
    fn entry(
        &mut self,
        value: Value,
        all: &[u64],
        ask: &mut dyn FnMut(usize) -> GuardAnswer,
    ) -> (&[u64], bool) {
        let known = match self.dense.get(value as usize) {
            Some(&number) => number,
            None => self.others.get(&value).copied().unwrap_or(0),
        };
        let number = if known > 0 { known } else { self.learn(value, all, ask) };
        let entry = &self.entries[number as usize - 1];
        (&entry.groups, entry.unsure)
    }

    /// Asks the guards of a value that is new. Where there are too many values the last entry is for all that
    /// are not remembered.
    #[cold]
    fn learn(&mut self, value: Value, all: &[u64], ask: &mut dyn FnMut(usize) -> GuardAnswer) -> u32 {
        let mut entry = Entry { groups: all.to_vec(), unsure: false };
        for (guard, having) in &self.guards {
            match ask(*guard) {
                GuardAnswer::Yes => {}
                GuardAnswer::No => {
                    entry.groups.iter_mut().zip(having).for_each(|(word, having)| *word &= !having)
                }
                GuardAnswer::Unknown => entry.unsure = true,
            }
        }
        if self.entries.len() > MOST_VALUES {
            self.entries[MOST_VALUES] = entry;
            return MOST_VALUES as u32 + 1;
        }
        self.entries.push(entry);
        let number = self.entries.len() as u32;
        if self.entries.len() > MOST_VALUES {
            return number;
        }
        if (value as usize) < DENSE {
            if self.dense.len() <= value as usize {
                self.dense.resize(value as usize + 1, 0);
                // What was kept in the other table while the list was shorter.
                self.others.retain(|&other, number| match self.dense.get_mut(other as usize) {
                    Some(place) => {
                        *place = *number;
                        false
                    }
                    None => true,
                });
            }
            self.dense[value as usize] = number;
        } else {
            self.others.insert(value, number);
        }
        number
    }
}
