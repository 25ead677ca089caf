//! Compares successors before and after one slot was given another value.
//!
//! They are compared as multisets: the definitions speak of sets, and a model may sort its successors.

use base::SlotIx;
use model::{EvalError, Successor, Successors, Value};

/// One slot given another value.
#[derive(Clone, Copy)]
pub(super) struct Perturbation {
    pub(super) slot: SlotIx,
    pub(super) value: Value,
    /// Whether the group may write the slot.
    pub(super) may_write: bool,
}

impl Perturbation {
    /// The value of the slot in the successor that belongs to this one: the new value where the slot is left
    /// alone or copied, the same as before where it is overwritten (definition 3.1).
    fn expected(self, before: Successor<'_>) -> Value {
        if !self.may_write || before.copied(self.slot) { self.value } else { before.state[self.slot.ix()] }
    }
}

/// How successors after a change relate to those before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Agreement {
    /// They are what the definition asks for.
    Same,
    /// They differ in the changed slot alone. The position is that of a successor before which has no
    /// partner.
    Slot(usize),
    /// They differ elsewhere.
    Other,
}

/// Compares `before[start..]` with all of `after`, where one of the calls may have failed.
pub(super) fn relate(
    before: (&Result<(), EvalError>, &Successors, usize),
    after: (&Result<(), EvalError>, &Successors),
    change: Option<Perturbation>,
) -> Agreement {
    let (outcome, successors, start) = before;
    if outcome != after.0 || after.1.len() != successors.len() - start {
        return Agreement::Other;
    }
    let exact = |t: Successor<'_>, u: Successor<'_>| {
        let expected = change.map(|change| (change.slot, change.expected(t)));
        same_elsewhere(t, u, change)
            && expected.is_none_or(|(slot, value)| u.state[slot.ix()] == value)
            && same_copied(t, u)
    };
    let Some(partnerless) = unmatched(successors, start, after.1, exact) else {
        return Agreement::Same;
    };
    let but_for_slot = |t: Successor<'_>, u: Successor<'_>| same_elsewhere(t, u, change);
    match unmatched(successors, start, after.1, but_for_slot) {
        None if change.is_some() => Agreement::Slot(partnerless),
        _ => Agreement::Other,
    }
}

/// Whether action, group and all slots but the changed one are the same.
fn same_elsewhere(t: Successor<'_>, u: Successor<'_>, change: Option<Perturbation>) -> bool {
    let same_state = match change {
        None => t.state == u.state,
        Some(Perturbation { slot, .. }) => {
            let at = slot.ix();
            t.state[..at] == u.state[..at] && t.state[at + 1..] == u.state[at + 1..]
        }
    };
    t.action == u.action && t.group == u.group && same_state
}

/// Whether the same slots are copied; a set may be written down with zero words at its end or without.
fn same_copied(t: Successor<'_>, u: Successor<'_>) -> bool {
    let (t, u) = (t.copied_words(), u.copied_words());
    (0..t.len().max(u.len())).all(|at| t.get(at).unwrap_or(&0) == u.get(at).unwrap_or(&0))
}

/// The first of `before[start..]` that finds no partner in `after`, one of its own for each.
///
/// Greedy is right, as each relation used here says that two successors are equal once both are written in a
/// certain way: which of several equal partners is taken does not matter.
fn unmatched(
    before: &Successors,
    start: usize,
    after: &Successors,
    partners: impl Fn(Successor<'_>, Successor<'_>) -> bool,
) -> Option<usize> {
    // Nearly always the order is the same.
    let first = (0..after.len()).find(|&at| !partners(before.get(start + at), after.get(at)))?;
    let mut taken = vec![false; after.len() - first];
    (first..after.len()).map(|at| start + at).find(|&at| {
        let partner = (0..taken.len()).find(|&k| !taken[k] && partners(before.get(at), after.get(first + k)));
        if let Some(partner) = partner {
            taken[partner] = true;
        }
        partner.is_none()
    })
}
