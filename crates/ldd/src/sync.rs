//! What threads share: the standard library's, or loom's where all interleavings of a small model are tried.
//!
//! Everything that more than one thread touches takes its atomics, locks and arrays from here.
//! `RUSTFLAGS="--cfg loom" cargo test -p ldd --lib loom_` runs the models, which stand beside the code that
//! they are about.

#[cfg(not(all(loom, test)))]
pub(crate) use {
    std::hint::spin_loop,
    std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize},
    std::sync::{Condvar, Mutex, MutexGuard},
    tables::Reserved,
};

#[cfg(all(loom, test))]
pub(crate) use {
    loom::hint::spin_loop,
    loom::sync::atomic::{AtomicBool, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize},
    loom::sync::{Condvar, Mutex, MutexGuard},
    modelled::Reserved,
};

#[cfg(all(loom, test))]
mod modelled {
    /// Words that loom watches; a model has a few.
    pub(crate) struct Reserved<T>(Vec<T>);

    impl<T: Default> Reserved<T> {
        pub fn new(len: usize) -> Option<Self> {
            Some(Self((0..len).map(|_| T::default()).collect()))
        }

        pub fn prefer_huge_pages(&self, _: usize) {}
    }

    impl Reserved<loom::sync::atomic::AtomicU64> {
        pub fn release(&self, range: std::ops::Range<usize>) {
            let whole = range.start.min(self.0.len())..range.end.min(self.0.len());
            self.0[whole].iter().for_each(|word| word.store(0, std::sync::atomic::Ordering::Relaxed));
        }
    }

    impl<T> std::ops::Deref for Reserved<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }
}
