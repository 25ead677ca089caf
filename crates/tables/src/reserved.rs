//! Arrays that are reserved at their largest and touched as they are used.

use std::ops::{Deref, Range};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use memmap2::{MmapOptions, MmapRaw};

/// Pages of this size are worth asking for where more than one is used.
const HUGE_PAGE: usize = 2 << 20;

/// What an array may hold: words that threads share, and for which all bits zero is a value.
///
/// # Safety
/// All bits zero must be a value of the type, and it must need no drop.
pub unsafe trait Word: Sync + Send {
    /// Makes all bits zero.
    fn clear(&self);
}

// SAFETY: an atomic number has the representation of a number.
unsafe impl Word for AtomicU32 {
    fn clear(&self) {
        self.store(0, Relaxed);
    }
}
// SAFETY: an atomic number has the representation of a number.
unsafe impl Word for AtomicU64 {
    fn clear(&self) {
        self.store(0, Relaxed);
    }
}

/// An array of zeroed words, reserved and not touched. A page takes memory when it is first written to or
/// read from.
pub struct Reserved<T> {
    /// Where the words are; `map` owns them.
    words: NonNull<T>,
    len: usize,
    /// Bytes of the map before the words.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux is asked for pages"))]
    before: usize,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "it owns the words"))]
    map: MmapRaw,
}

// SAFETY: all that is behind the pointer is owned by `map` and shared as a slice of `T`, which threads may
// share.
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
        // Large arrays begin where a huge page does, so that pages that are given back are whole ones. An
        // empty map is refused.
        let align = if bytes > HUGE_PAGE && !cfg!(miri) { HUGE_PAGE } else { 1 };
        options.len(bytes.checked_add(align)?);
        // Miri takes all memory at once and knows no other way.
        #[cfg(not(miri))]
        options.no_reserve_swap();
        // Raw: a pointer that was made from a slice of bytes would not be allowed to change them.
        let map = MmapRaw::from(options.map_anon().ok()?);
        let start = map.as_mut_ptr();
        let before = start.addr().next_multiple_of(align) - start.addr();
        // SAFETY: the map has `align` bytes more than the words need, and `before` is less than that.
        let words = NonNull::new(unsafe { start.add(before) }.cast())?;
        Some(Self { words, len, before, map })
    }

    /// Asks for huge pages where the first `len` words are, if that is more than a few small pages' worth:
    /// looking up words all over a large array is up to twice as fast then. A hint; a system without huge
    /// pages goes on without them.
    pub fn prefer_huge_pages(&self, len: usize) {
        let bytes = len.min(self.len) * size_of::<T>();
        if bytes > HUGE_PAGE && !cfg!(miri) {
            #[cfg(target_os = "linux")]
            let _ = self.map.advise_range(memmap2::Advice::HugePage, self.before, bytes);
        }
    }

    /// Makes these words zero and gives back the pages that lie among them, where the system can. Words that
    /// other threads read or write at the same time are what they were or zero.
    pub fn release(&self, range: Range<usize>) {
        let range = range.start.min(self.len)..range.end.min(self.len);
        let whole = self.give_back(range.clone());
        for at in range.start..whole.start.max(range.start) {
            self[at].clear();
        }
        for at in whole.end.max(range.start)..range.end {
            self[at].clear();
        }
    }

    /// Gives back the whole pages among these words; which words those were.
    #[cfg(all(target_os = "linux", not(miri)))]
    fn give_back(&self, range: Range<usize>) -> Range<usize> {
        // No page of a Linux machine is larger but the huge ones, and a huge page can be given back in part.
        const PAGE: usize = 64 << 10;
        let nothing = range.start..range.start;
        let word = size_of::<T>();
        let first = (self.before + range.start * word).next_multiple_of(PAGE);
        let end = (self.before + range.end * word) / PAGE * PAGE;
        // The map begins at a page, which may be smaller than `PAGE`: then so do its parts.
        if word == 0 || !PAGE.is_multiple_of(word) || !self.before.is_multiple_of(word) || first >= end {
            return nothing;
        }
        // SAFETY: the map is private and anonymous, so the words are zero afterwards, which is a value of
        // each; they are atomic, and those who share them expect others to change them.
        let done = unsafe {
            self.map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, first, end - first)
        };
        if done.is_err() { nothing } else { (first - self.before) / word..(end - self.before) / word }
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    fn give_back(&self, range: Range<usize>) -> Range<usize> {
        range.start..range.start
    }

    /// Asks for the word's cache line ahead of its use. A hint; beyond the end it asks for nothing.
    #[inline(always)]
    pub fn prefetch(&self, at: usize) {
        if let Some(word) = self.get(at) {
            prefetch(word);
        }
    }

    /// The same for a word that is likely to be written: its line is asked for as one that no other core has.
    #[inline(always)]
    pub fn prefetch_to_write(&self, at: usize) {
        if let Some(word) = self.get(at) {
            prefetch_to_write(word);
        }
    }
}

#[inline(always)]
fn prefetch_to_write<T>(word: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint that changes nothing which a program can see. AMD's processors have it wherever they
    // have 64 bits, Intel's have it or do nothing.
    unsafe {
        std::arch::asm!("prefetchw [{0}]", in(reg) std::ptr::from_ref(word), options(nostack, preserves_flags))
    };
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = word;
}

#[inline(always)]
fn prefetch<T>(word: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has the instruction, and it changes nothing that a program can see.
        unsafe { _mm_prefetch(std::ptr::from_ref(word).cast(), _MM_HINT_T0) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = word;
}

impl<T: Word> Deref for Reserved<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is at least `len` words long, begins at a page and so is aligned, was zeroed, which
        // is a value of each word, and lives as long as `self`. Words are changed through shared references
        // only, as they are atomic.
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
    fn released_words_are_zero_and_their_neighbours_stay() {
        let len = if cfg!(miri) { 3_000 } else { 1 << 20 };
        let words = Reserved::<AtomicU64>::new(len).expect("room");
        words.prefer_huge_pages(len);
        for range in
            [0..len, 0..1, 5..5, 1000..2000, 1..len - 1, len / 3..len / 2, len - 1..len, len / 2..len + 99]
        {
            words.iter().for_each(|word| word.store(7, Relaxed));
            words.release(range.clone());
            for (at, word) in words.iter().enumerate() {
                assert_eq!(
                    word.load(Relaxed),
                    if range.contains(&at) { 0 } else { 7 },
                    "word {at} of {range:?}"
                );
            }
        }
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
