//! What threads share: the standard library's, or loom's where all interleavings of a small model are tried.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p tables --lib loom_` runs the models, which stand beside the code
//! that they are about.

#[cfg(not(all(loom, test)))]
pub(crate) use {
    crate::reserved::Reserved,
    std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize},
    std::sync::{Arc, Condvar, Mutex, MutexGuard},
};

#[cfg(all(loom, test))]
pub(crate) use {
    loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize},
    loom::sync::{Arc, Condvar, Mutex, MutexGuard},
    modelled::Reserved,
};

/// Bytes that one array may reserve at most: more than machines have, and little of the addresses that a
/// process has. Loom and Miri know no memory that is reserved and not taken.
pub(crate) const LARGEST: usize = if cfg!(all(loom, test)) {
    64
} else if cfg!(miri) {
    1 << 16
} else if usize::BITS < 64 {
    1 << 26
} else {
    1 << 40
};

#[cfg(all(loom, test))]
mod modelled {
    use std::ops::Range;

    use super::{AtomicU32, AtomicU64};

    pub(crate) trait Word: Default {
        fn clear(&self);
    }

    impl Word for AtomicU32 {
        fn clear(&self) {
            self.store(0, std::sync::atomic::Ordering::Relaxed);
        }
    }

    impl Word for AtomicU64 {
        fn clear(&self) {
            self.store(0, std::sync::atomic::Ordering::Relaxed);
        }
    }

    /// Words that loom watches; a model has a few.
    pub(crate) struct Reserved<T>(Vec<T>);

    impl<T: Word> Reserved<T> {
        pub fn new(len: usize) -> Option<Self> {
            Some(Self((0..len).map(|_| T::default()).collect()))
        }

        pub fn prefer_huge_pages(&self, _: usize) {}

        pub fn prefetch(&self, _: usize) {}

        pub fn prefetch_to_write(&self, _: usize) {}

        pub fn release(&self, range: Range<usize>) {
            self.0[range].iter().for_each(T::clear);
        }
    }

    impl<T> std::ops::Deref for Reserved<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }
}
