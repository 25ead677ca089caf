//! One step through many relations: the successors of a set, united with a sum.

use super::events::Events;
use super::{Beside, Walk, is_through};
use crate::store::Stop;
use crate::store::cache::Op;
use crate::store::node::{Id, Node};
use crate::store::tasks::Call;
use crate::worker::Worker;

/// sum ∪ { y | x ∈ set, x → y in one of the relations }. The sum is walked along with the set, so that no
/// image stands alone.
pub(crate) struct Advance;

impl Walk for Advance {
    const OP: Op = Op::Advance;
    const CALL: Option<fn(Id, Id, usize) -> Call> = Some(Call::Advance);

    #[inline]
    fn unchanged(set: Id, sum: Id, is_over: bool) -> Option<Id> {
        is_through(set, is_over).then_some(sum)
    }

    #[inline]
    fn key(sum: Id, events: &Events<'_>, from: usize) -> (Id, u32) {
        (sum, events.number_from(from))
    }

    #[inline]
    fn beside(worker: &mut Worker<'_>, sum: &mut Id, _: Id, entry: Node) -> Beside {
        *sum = worker.take_smaller(*sum, entry.value);
        let (below, origin) = worker.take_equal(sum, entry.value);
        Beside { other: below, same: below, origin }
    }

    #[inline]
    fn tail(sum: Id) -> Id {
        sum
    }

    fn here(
        worker: &mut Worker<'_>,
        set: Id,
        sum: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let lower = events.next_height(from);
        let mark = worker.mark();
        let mut sum = worker.walk::<Self>(set, sum, events, lower, height)?;
        for number in from..lower {
            worker.cut(mark);
            worker.keep(sum);
            sum = worker.apply(number, set, sum, events, height)?;
        }
        worker.cut(mark);
        Ok(sum)
    }
}
