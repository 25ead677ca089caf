//! Walks: operations that go down a set once and apply many relations on the way.
//!
//! Relations touch few slots each. To apply one to a whole set an image walks down from the root to the first
//! slot that the relation touches, and copies all lists on the way. For a hundred relations that is a hundred
//! walks through the same upper levels. A walk goes down once. It sorts the relations by the level at which
//! they begin ([`events`]), and at each level it applies those that begin there to the part of the set below.
//!
//! For example, let a set have the slots x, y and z, relation A touch y, and relations B and C touch z. At x
//! nothing begins: the walk visits what is below each value of x, and makes the list anew. At y it first
//! applies B and C to what is there, which means to go on to z, and then A. How the results are combined is
//! what tells the walks from each other ([`Walk::event`]):
//!
//! | walk | second operand | what it makes of the set |
//! |---|---|---|
//! | [`Saturation`] | – | all that is reachable, or one round of chaining |
//! | [`Advance`] | a sum | the sum and all successors |
//! | [`Deadlocks`] | – | what has no successor |
//! | [`Backward`] | a set that is not left | all that leads to the set inside the other |
//!
//! The answers for each node go to the cache, under the number of the event to begin from. Helpers may take
//! over what is below the values of a list.

mod advance;
mod backward;
mod deadlocks;
pub(crate) mod events;
mod follow;
mod reachable;
mod saturate;

pub(crate) use advance::Advance;
pub use reachable::Search;
pub(crate) use saturate::Saturation;

use crate::store::Stop;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, Node, UNIT};
use crate::store::tasks::Call;
use crate::worker::Worker;
use events::{Events, Until};

/// What a walk makes of a set and a second operand, where events begin and where none does.
pub(crate) trait Walk {
    /// The operation's name in the cache.
    const OP: Op;
    /// How helpers are told of what is below a value; nothing where they are not to help.
    const CALL: Option<fn(Id, Id, usize) -> Call> = None;
    /// At a level where events begin, rounds are made until nothing is new, unless events are tried
    /// [`Until::Once`].
    const REPEATS: bool = false;

    /// The answer, if no event has anything to do.
    #[inline]
    fn unchanged(set: Id, _other: Id, is_over: bool) -> Option<Id> {
        is_through(set, is_over).then_some(set)
    }

    /// The last two operands of the cache's question.
    #[inline]
    fn key(other: Id, events: &Events<'_>, from: usize) -> (Id, u32) {
        (other, events.number_from(from))
    }

    /// What stands beside an entry of the set in the second operand, whose rest is left in `other`.
    #[inline]
    fn beside(_worker: &mut Worker<'_>, _other: &mut Id, set: Id, entry: Node) -> Beside {
        Beside::of_set(EMPTY, set, entry)
    }

    /// The end of the list that is made, when the set is through.
    #[inline]
    fn tail(_other: Id) -> Id {
        EMPTY
    }

    /// What becomes of `made` by an event that begins at this height. Whoever asks holds it.
    fn event(worker: &mut Worker<'_>, made: Id, at: Place<'_, '_>, number: usize) -> Result<Id, Stop>;
}

/// Where a walk is when it comes to events.
#[derive(Clone, Copy)]
pub(crate) struct Place<'e, 's> {
    /// The set and the second operand of the walk, from this height on.
    set: Id,
    other: Id,
    events: &'e Events<'s>,
    height: u32,
}

/// What a walk meets at a value of a list.
pub(crate) struct Beside {
    /// The second operand below the value.
    other: Id,
    /// If this is what the walk makes of the value …
    same: Id,
    /// … this node has it already.
    origin: Id,
}

impl Beside {
    /// Where an entry of the set stays as it is if the walk changes nothing below it.
    #[inline]
    fn of_set(other: Id, set: Id, entry: Node) -> Self {
        Self { other, same: entry.down, origin: set }
    }
}

impl Worker<'_> {
    /// What a walk makes of a set of this height by the events from number `from` on.
    pub fn walk<W: Walk>(
        &mut self,
        set: Id,
        other: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        if let Some(answer) = W::unchanged(set, other, events.are_over(from)) {
            return Ok(answer);
        }
        let (second, third) = W::key(other, events, from);
        let (question, known) = self.cached(W::OP, set, second, third);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = if events.height(from) < height {
            self.walk_below::<W>(set, other, events, from, height)?
        } else {
            self.walk_here::<W>(set, other, events, from, height)?
        };
        Ok(self.remember(question, answer))
    }

    /// The answer at a level where the event with number `from` begins.
    fn walk_here<W: Walk>(
        &mut self,
        set: Id,
        other: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        if !W::REPEATS {
            return self.round::<W>(set, other, events, from, height);
        }
        let mark = self.mark();
        let mut closed = set;
        loop {
            // Held for the whole round: were it collected, a larger set could get its number, and look as if
            // nothing was new.
            let before = closed;
            self.keep(before);
            closed = self.round::<W>(closed, other, events, from, height)?;
            self.cut(mark);
            if closed == before || events.until == Until::Once {
                return Ok(closed);
            }
        }
    }

    /// What is below first, then each event that begins here, once. Whoever asks holds the set and the second
    /// operand.
    fn round<W: Walk>(
        &mut self,
        set: Id,
        other: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let lower = events.next_height(from);
        let mark = self.mark();
        let mut made = self.walk::<W>(set, other, events, lower, height)?;
        for number in from..lower {
            self.cut(mark);
            self.keep(made);
            made = W::event(self, made, Place { set, other, events, height }, number)?;
        }
        self.cut(mark);
        Ok(made)
    }

    /// The same where no event begins: what is below each value by itself.
    fn walk_below<W: Walk>(
        &mut self,
        mut set: Id,
        mut other: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        if let Some(call) = W::CALL
            && self.may_split(height)
        {
            return self.walk_split::<W>(call, set, other, events, from, height);
        }
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            let beside = W::beside(self, &mut other, set, entry);
            let down = self.walk::<W>(entry.down, beside.other, events, from, height - 1)?;
            self.push(entry.value, down, if down == beside.same { beside.origin } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, W::tail(other))
    }

    /// The same in parts that helpers may take over.
    fn walk_split<W: Walk>(
        &mut self,
        call: fn(Id, Id, usize) -> Call,
        mut set: Id,
        mut other: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let (mut calls, mut rest, mut others) = (Vec::new(), set, other);
        while rest != EMPTY {
            let entry = self.get(rest);
            others = self.skip_smaller(others, entry.value);
            calls.push(call(entry.down, self.below(others, entry.value), from));
            rest = entry.right;
        }
        let held = self.mark();
        let downs = self.many(calls, Some(events), height - 1)?;
        let mark = self.mark();
        for down in downs {
            let entry = self.get(set);
            let beside = W::beside(self, &mut other, set, entry);
            self.push(entry.value, down, if down == beside.same { beside.origin } else { EMPTY });
            set = entry.right;
        }
        let list = self.list(mark, W::tail(other));
        self.cut(held);
        list
    }
}

/// Whether there is nothing in a set for an event to begin in, or no event left.
#[inline]
fn is_through(set: Id, is_over: bool) -> bool {
    set <= UNIT || is_over
}
