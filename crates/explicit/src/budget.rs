//! The memory budget: whoever wants memory asks here first, so that the limit is kept and not noticed too late.

use engine::StopReason;

/// What the process takes before the first state is stored: code, the model, the standard library.
const PROCESS: u64 = 10 << 20;

/// Bytes that may be taken, and bytes that were.
pub(crate) struct Budget {
    limit: u64,
    used: u64,
    peak: u64,
}

/// There is not enough memory, by the limit or in fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exhausted;

impl From<Exhausted> for StopReason {
    fn from(_: Exhausted) -> Self {
        Self::Memory
    }
}

impl Budget {
    /// A budget for the whole process; `None` is no limit.
    pub(crate) fn new(limit: Option<u64>) -> Self {
        Self { limit: limit.unwrap_or(u64::MAX), used: PROCESS, peak: PROCESS }
    }

    /// Takes bytes, or leaves everything as it is.
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), Exhausted> {
        if bytes > self.left() {
            return Err(Exhausted);
        }
        self.used += bytes;
        self.peak = self.peak.max(self.used);
        Ok(())
    }

    /// Gives bytes back.
    pub(crate) fn give(&mut self, bytes: u64) {
        self.used = self.used.checked_sub(bytes).expect("BUG: more memory given back than taken");
    }

    /// Bytes that can still be taken.
    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// Bytes taken now.
    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    /// Most bytes taken at a time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }
}

/// Fallible growth of a vector to an exact capacity; to be called once its bytes are in the budget.
pub(crate) fn reserve<T>(vector: &mut Vec<T>, more: usize) -> Result<(), Exhausted> {
    vector.try_reserve_exact(more).map_err(|_| Exhausted)
}
