//! The memory budget: whoever wants memory asks here first, so that the limit is kept and not noticed too
//! late. All workers share it.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use engine::StopReason;

/// What the process takes before the first state is stored: code, the model, the standard library.
const PROCESS: u64 = 10 << 20;

/// Bytes that may be taken, and bytes that were.
pub(crate) struct Budget {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
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
        Self { limit: limit.unwrap_or(u64::MAX), used: PROCESS.into(), peak: PROCESS.into() }
    }

    /// Takes bytes, or leaves everything as it is.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), Exhausted> {
        let more = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.limit);
        let before = self.used.fetch_update(Relaxed, Relaxed, more).map_err(|_| Exhausted)?;
        self.peak.fetch_max(before + bytes, Relaxed);
        Ok(())
    }

    /// Gives bytes back.
    pub(crate) fn give(&self, bytes: u64) {
        let before = self.used.fetch_sub(bytes, Relaxed);
        assert!(before >= bytes, "BUG: more memory given back than taken");
    }

    /// Bytes that can still be taken.
    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used())
    }

    /// Bytes taken now.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Most bytes taken at a time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }
}

/// What one thing takes of a budget, given back when it goes.
pub(crate) struct Account {
    budget: Arc<Budget>,
    taken: u64,
}

impl Account {
    /// Nothing is taken yet.
    pub(crate) fn new(budget: &Arc<Budget>) -> Self {
        Self { budget: Arc::clone(budget), taken: 0 }
    }

    /// Takes so many bytes in all, if it has not taken as many or more.
    pub(crate) fn reach(&mut self, bytes: u64) -> Result<(), Exhausted> {
        self.budget.take(bytes.saturating_sub(self.taken))?;
        self.taken = self.taken.max(bytes);
        Ok(())
    }

    /// Gives back all but so many bytes.
    pub(crate) fn fall(&mut self, bytes: u64) {
        self.budget.give(self.taken.saturating_sub(bytes));
        self.taken = self.taken.min(bytes);
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.budget.give(self.taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_kept_by_many_threads() {
        let budget = Budget::new(Some(PROCESS + 1000));
        let taken = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 1..=3 {
                let (budget, taken) = (&budget, &taken);
                scope.spawn(move || {
                    while budget.take(thread).is_ok() {
                        taken.fetch_add(thread, Relaxed);
                    }
                });
            }
        });
        assert_eq!(taken.load(Relaxed), 1000);
        assert_eq!((budget.left(), budget.peak()), (0, PROCESS + 1000));
        budget.give(10);
        assert_eq!((budget.take(11), budget.take(10)), (Err(Exhausted), Ok(())));
    }

    #[test]
    fn an_account_gives_back_what_it_took() {
        let budget = Arc::new(Budget::new(Some(PROCESS + 100)));
        let mut account = Account::new(&budget);
        assert_eq!(
            [60, 101, 30, 100].map(|bytes| account.reach(bytes)),
            [Ok(()), Err(Exhausted), Ok(()), Ok(())]
        );
        assert_eq!(budget.left(), 0);
        drop(account);
        assert_eq!((budget.left(), budget.peak()), (100, PROCESS + 100));
    }
}
