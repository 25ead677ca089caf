//! Which commands are worth a look in a state.
//!
//! Most commands ask first where a process stands. So commands are filed under the slot and the value that
//! they ask for, and a state looks up only its own values. Example: of the guards `P == 0`, `P == 0`, `P ==
//! 4` and `x < 3` the first three are filed under slot `P`, and a state with `P == 4` tries the third
//! command, and the last one, which every state tries.

use base::GuardIx;

use crate::code::Instr;
use crate::program::BinaryOp;

/// Commands by what they ask for first.
#[derive(Debug, Default)]
pub(crate) struct Dispatch {
    buckets: Vec<Bucket>,
    /// Commands that ask for no value of a slot.
    always: Vec<u32>,
}

#[derive(Debug)]
struct Bucket {
    slot: u32,
    /// Commands that ask for value `v`: `groups[starts[v] .. starts[v + 1]]`.
    starts: Vec<u32>,
    groups: Vec<u32>,
}

/// Values above this are not worth a table.
const GREATEST: i32 = 1 << 16;

/// The slot and value that a guard asks for, if it is of the form `slot == value`.
pub(crate) fn asks_for(code: &[Instr]) -> Option<(u32, i32)> {
    match code {
        [Instr::SlotConstant(BinaryOp::Eq, slot, value)] if (0..=GREATEST).contains(value) => {
            Some((*slot, *value))
        }
        _ => None,
    }
}

impl Dispatch {
    /// Files the commands: `questions[g]` is what command `g` asks for first.
    pub fn new(questions: &[Option<(u32, i32)>]) -> Self {
        let mut dispatch = Self::default();
        let mut filed: Vec<(u32, i32, u32)> = Vec::new();
        for (group, question) in questions.iter().enumerate() {
            match question {
                Some((slot, value)) => filed.push((*slot, *value, group as u32)),
                None => dispatch.always.push(group as u32),
            }
        }
        filed.sort_unstable();
        for same_slot in filed.chunk_by(|a, b| a.0 == b.0) {
            let greatest = same_slot.last().map_or(0, |entry| entry.1 as usize);
            let starts = (0..=greatest + 1)
                .map(|value| same_slot.partition_point(|entry| (entry.1 as usize) < value) as u32)
                .collect();
            let groups = same_slot.iter().map(|entry| entry.2).collect();
            dispatch.buckets.push(Bucket { slot: same_slot[0].0, starts, groups });
        }
        dispatch
    }

    /// The slots that commands are filed under, with the values asked for and the commands that ask, in the
    /// order of [`Dispatch::for_each`].
    pub fn buckets(&self) -> impl Iterator<Item = (u32, Vec<(u32, &[u32])>)> {
        self.buckets.iter().map(|bucket| {
            let of_value = |(value, ends): (usize, &[u32])| {
                (value as u32, &bucket.groups[ends[0] as usize..ends[1] as usize])
            };
            let cases = bucket.starts.windows(2).enumerate().map(of_value);
            (bucket.slot, cases.filter(|(_, groups)| !groups.is_empty()).collect())
        })
    }

    /// The commands that ask for no value of a slot.
    pub fn always(&self) -> &[u32] {
        &self.always
    }

    /// Calls `visit` on every command that can be enabled in the state, until one answers `Err`.
    #[inline]
    pub fn for_each<E>(&self, state: &[u32], mut visit: impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        for bucket in &self.buckets {
            let value = state[bucket.slot as usize] as usize;
            if let (Some(&start), Some(&end)) =
                (bucket.starts.get(value), bucket.starts.get(value.wrapping_add(1)))
            {
                for &group in &bucket.groups[start as usize..end as usize] {
                    visit(group)?;
                }
            }
        }
        self.always.iter().try_for_each(|&group| visit(group))
    }
}

/// The guard of a command to file it under: the first that asks for a value of a slot.
pub(crate) fn filing_guard(
    guards: &[GuardIx],
    asks: impl Fn(GuardIx) -> Option<(u32, i32)>,
) -> Option<usize> {
    guards.iter().position(|&guard| asks(guard).is_some())
}
