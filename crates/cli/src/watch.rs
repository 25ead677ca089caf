//! Limits that hold whatever is being done. Engines ask for time and memory many times a second; a language
//! that unfolds a net, or a layer that puts a million groups in order, does not always. So work is done on a
//! thread of its own while this one looks at the clock: what is not over a little after its time is left to
//! itself, and the command ends with what it has heard.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use engine::StopReason;
use machine::memory;

use crate::{Failure, interrupt};

/// How often the clock is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// Work that asks for the time itself ends by itself within this after its end, and knows best what to
/// report.
const GRACE: Duration = Duration::from_millis(1000);

/// … and within this part of its time.
const GRACE_PART: u32 = 50;

/// What is left after an interruption, where someone waits at a terminal. Engines end in a few hundredths of
/// a second, and count what they had reached for some tenths.
const INTERRUPTED_GRACE: Duration = Duration::from_millis(800);

/// Stack of the thread that works: formulas and terms are followed level by level.
const STACK: usize = 64 << 20;

/// Time and memory of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    until: Option<Instant>,
    grace: Duration,
    memory: Option<u64>,
}

/// What the worker says.
enum Word<M, T> {
    Heard(M),
    Done(thread::Result<T>),
}

impl Watch {
    /// The clock starts now. Memory is that of the whole process.
    pub(crate) fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        Self::until(time.and_then(|time| Instant::now().checked_add(time)), memory)
    }

    /// The same with the time at which all must be over.
    pub(crate) fn until(until: Option<Instant>, memory: Option<u64>) -> Self {
        // From now on a signal does not end the process.
        interrupt::token();
        let left = until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
        // Engines count what they take, the process takes some more.
        let memory = memory.map(|memory| memory.saturating_add(memory / 10).saturating_add(32 << 20));
        Self { until, grace: GRACE + left / GRACE_PART, memory }
    }

    /// The memory that the process may take.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The time that is left, if it is limited.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// What comes of some work, or why nobody waited for it any longer.
    pub(crate) fn over<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StopReason> {
        self.hearing(move |_: &mut dyn FnMut(())| work(), &mut |()| {})
    }

    /// The same where the worker tells something now and then, which is heard on this thread.
    pub(crate) fn hearing<M: Send + 'static, T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(M)) -> T + Send + 'static,
        hear: &mut dyn FnMut(M),
    ) -> Result<T, StopReason> {
        let (sender, receiver) = channel();
        let worker = thread::Builder::new().name("worker".to_owned()).stack_size(STACK).spawn(move || {
            // Where nobody listens any longer, the worker's words are of no use.
            let mut tell = |word: M| _ = sender.send(Word::Heard(word));
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut tell)));
            _ = sender.send(Word::Done(done));
        });
        worker.map_err(|error| StopReason::Internal(format!("no thread can be started: {error}")))?;
        let mut interrupted: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(GLANCE) {
                Ok(Word::Heard(word)) => hear(word),
                Ok(Word::Done(Ok(done))) => return Ok(done),
                Ok(Word::Done(Err(panic))) => resume_unwind(panic),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("BUG: a worker went without a word"),
            }
            if interrupt::token().is_cancelled()
                && interrupted.get_or_insert_with(Instant::now).elapsed() >= INTERRUPTED_GRACE
            {
                return Err(StopReason::Interrupted);
            }
            if self.until.is_some_and(|until| until.elapsed() >= self.grace) {
                return Err(StopReason::Time);
            }
            if self.memory.zip(memory::resident()).is_some_and(|(most, taken)| taken > most) {
                return Err(StopReason::Memory);
            }
        }
    }
}

/// What a command says whose model was not made before its time, or its memory, was over.
pub(crate) fn too_late(reason: &StopReason) -> Failure {
    Failure::Unknown { reason: reason.name(), what: "the model was not loaded yet".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_done_in_time_is_heard_in_full() {
        let watch = Watch::new(Some(Duration::from_secs(60)), None);
        let mut heard = Vec::new();
        let work = |tell: &mut dyn FnMut(u32)| {
            (0..100).for_each(tell);
            "done"
        };
        assert_eq!(watch.hearing(work, &mut |word| heard.push(word)), Ok("done"));
        assert_eq!(heard, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn work_that_does_not_look_at_the_clock_is_left_to_itself() {
        let started = Instant::now();
        let watch = Watch::new(Some(Duration::from_millis(100)), None);
        let mut heard = Vec::new();
        let work = |tell: &mut dyn FnMut(u32)| {
            tell(1);
            thread::sleep(Duration::from_secs(20));
        };
        assert_eq!(watch.hearing(work, &mut |word| heard.push(word)), Err(StopReason::Time));
        assert_eq!(heard, [1]);
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn work_that_takes_too_much_memory_is_left_to_itself() {
        let Some(before) = memory::resident() else { return };
        let watch =
            Watch { memory: Some(before + (64 << 20)), ..Watch::new(Some(Duration::from_secs(60)), None) };
        let work = || {
            let mut all = Vec::new();
            while all.len() < 256 {
                all.push(vec![1_u8; 1 << 20]);
                thread::sleep(Duration::from_millis(2));
            }
            thread::sleep(Duration::from_secs(5));
            all.len()
        };
        assert_eq!(watch.over(work), Err(StopReason::Memory));
    }

    #[test]
    fn a_panic_is_passed_on() {
        let watch = Watch::new(None, None);
        let panicked = catch_unwind(AssertUnwindSafe(|| watch.over(|| panic!("BUG: for a test"))));
        assert!(panicked.is_err());
    }
}
