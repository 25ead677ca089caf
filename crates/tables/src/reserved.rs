//! Arrays that are reserved at their largest and touched as they are used.

use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64};

use memmap2::{MmapOptions, MmapRaw};

/// Pages of this size are worth asking for where more than one is used.
const HUGE_PAGE: usize = 2 << 20;

/// What an array may hold: words that threads share, and for which all bits zero is a value.
///
/// # Safety
/// All bits zero must be a value of the type, and it must need no drop.
pub unsafe trait Word: Sync + Send {}

// SAFETY: an atomic number has the representation of a number.
unsafe impl Word for AtomicU32 {}
// SAFETY: an atomic number has the representation of a number.
unsafe impl Word for AtomicU64 {}

/// An array of zeroed words, reserved and not touched. A page takes memory when it is first written to or read from.
pub struct Reserved<T> {
    /// Where the words are; `map` owns them.
    words: NonNull<T>,
    len: usize,
    map: MmapRaw,
}

// SAFETY: all that is behind the pointer is owned by `map` and shared as a slice of `T`, which threads may share.
unsafe impl<T: Word> Send for Reserved<T> {}
// SAFETY: as above.
unsafe impl<T: Word> Sync for Reserved<T> {}

impl<T: Word> Reserved<T> {
    /// So many words; `None` where the system refuses to reserve them.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// let words = tables::Reserved::<AtomicU64>::new(1 << 20).expect("eight megabytes");
    /// assert_eq!((words.len(), words[77].load(Relaxed)), (1 << 20, 0));
    /// ```
    pub fn new(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>())?;
        let mut options = MmapOptions::new();
        // An empty map is refused.
        options.len(bytes.max(1));
        // Miri takes all memory at once and knows no other way.
        #[cfg(not(miri))]
        options.no_reserve_swap();
        // Raw: a pointer that was made from a slice of bytes would not be allowed to change them.
        let map = MmapRaw::from(options.map_anon().ok()?);
        let words = NonNull::new(map.as_mut_ptr().cast())?;
        Some(Self { words, len, map })
    }

    /// Asks for huge pages where the first `len` words are, if that is more than a few small pages' worth: looking up words all over a
    /// large array is up to twice as fast then. A hint; a system without huge pages goes on without them.
    pub fn prefer_huge_pages(&self, len: usize) {
        let bytes = len.min(self.len) * size_of::<T>();
        if bytes > HUGE_PAGE && !cfg!(miri) {
            #[cfg(target_os = "linux")]
            let _ = self.map.advise_range(memmap2::Advice::HugePage, 0, bytes);
        }
    }
}

impl<T: Word> Deref for Reserved<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is at least `len` words long, begins at a page and so is aligned, was zeroed, which is a value of each word, and
        // lives as long as `self`. Words are changed through shared references only, as they are atomic.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread::scope;

    use super::*;

    #[test]
    fn words_are_zero_and_keep_what_threads_write() {
        let len = if cfg!(miri) { 200 } else { 100_000 };
        let words = Reserved::<AtomicU32>::new(len).expect("room");
        words.prefer_huge_pages(len / 2);
        assert!(words.iter().all(|word| word.load(Relaxed) == 0));
        scope(|scope| {
            for thread in 0..4 {
                let words = &words;
                scope.spawn(move || {
                    for at in (thread..words.len()).step_by(4) {
                        words[at].store(at as u32 + 1, Relaxed);
                    }
                });
            }
        });
        assert!(words.iter().enumerate().all(|(at, word)| word.load(Relaxed) == at as u32 + 1));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri takes all memory at once")]
    fn what_is_reserved_takes_nothing_until_it_is_touched() {
        // Far more than a machine has: only what is written to counts.
        let words = Reserved::<AtomicU64>::new(1 << 34).expect("reserved, not taken");
        words.prefer_huge_pages(1 << 34);
        words[1 << 33].store(7, Relaxed);
        assert_eq!(words[1 << 33].load(Relaxed), 7);
    }

    #[test]
    fn impossible_wishes_are_refused() {
        assert!(Reserved::<AtomicU64>::new(usize::MAX).is_none());
        assert!(Reserved::<AtomicU64>::new(usize::MAX / 8).is_none());
        assert_eq!(Reserved::<AtomicU64>::new(0).map(|words| words.len()), Some(0));
        assert!(Reserved::<AtomicU64>::new(0).is_some_and(|words| words.is_empty()));
    }
}
