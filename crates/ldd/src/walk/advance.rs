//! One step through many relations: the successors of a set, united with a sum.

use super::{Beside, Place, Walk, is_through};
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
    fn beside(worker: &mut Worker<'_>, sum: &mut Id, _: Id, entry: Node) -> Beside {
        *sum = worker.take_smaller(*sum, entry.value);
        let (below, origin) = worker.take_equal(sum, entry.value);
        Beside { other: below, same: below, origin }
    }

    #[inline]
    fn tail(sum: Id) -> Id {
        sum
    }

    #[inline]
    fn event(worker: &mut Worker<'_>, sum: Id, at: Place<'_, '_>, number: usize) -> Result<Id, Stop> {
        worker.apply(number, at.set, sum, at.events, at.height)
    }
}
