//! Threads that work in rounds and wait for each other after each, and seeds for them.

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::scope;

use base::SplitMix64;

/// Random numbers as wide as keys are.
pub trait BelowU64 {
    /// A number below the bound.
    #[allow(dead_code, reason = "not every test needs it")]
    fn below_u64(&mut self, bound: u64) -> u64;
}

impl BelowU64 for SplitMix64 {
    fn below_u64(&mut self, bound: u64) -> u64 {
        self.below(bound as usize) as u64
    }
}

/// The seed of this run, printed: `PINSCHER_SEED=…` repeats it.
pub fn seed() -> u64 {
    let given = std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| {
        // Miri has no clock unless it is given one.
        if cfg!(miri) {
            1
        } else {
            std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64)
        }
    });
    println!("PINSCHER_SEED={seed}");
    seed
}

/// Each thread does `work` (true: it has no more to do) until all have done all. After each round they
/// wait for each other, and `grow` is called by some of them.
pub fn work_in_rounds<S: Send>(
    mut states: Vec<S>,
    work: impl Fn(usize, &mut S) -> bool + Sync,
    grow: impl Fn(usize, &mut S) + Sync,
) -> Vec<S> {
    let threads = states.len();
    let (barrier, at_work) = (Barrier::new(threads), AtomicUsize::new(threads));
    scope(|scope| {
        for (thread, state) in states.iter_mut().enumerate() {
            let (barrier, at_work, work, grow) = (&barrier, &at_work, &work, &grow);
            scope.spawn(move || {
                let (mut done, mut round) = (false, thread);
                loop {
                    if !done && work(thread, state) {
                        done = true;
                        at_work.fetch_sub(1, SeqCst);
                    }
                    barrier.wait();
                    let finished = at_work.load(SeqCst) == 0;
                    // One thread in one round, all of them in others; they need not come at the same time.
                    if (round - thread).is_multiple_of(threads + 1)
                        || (round - thread) % (threads + 1) == thread + 1
                    {
                        grow(thread, state);
                    }
                    barrier.wait();
                    if finished {
                        return;
                    }
                    round += 1;
                }
            });
        }
    });
    states
}
