//! A table from keys to records of any length that forgets the oldest records when it is full. The lossy
//! index over a circular log of MICA (Lim, Han, Andersen & Kaminsky, NSDI'14), made for many threads in safe
//! code.
//!
//! **The problem.** Many threads look records up all the time and store one now and then, in a fixed number
//! of bytes. Readers must not wait: with a mutex around the look-ups of each of sixteen parts, two threads
//! that share the table took 1.4 to 1.7 times as long (interpreted anderson.4 and bakery.4, two cores).
//!
//! **The idea.** Records are appended to a *log*, which is cut into segments. When all segments are full, the
//! oldest is written again from its beginning. An *index* of buckets tells for a hash where in the log its
//! record begins. The index may lose entries; then a record is stored once more.
//!
//! A record: 32 bits of the hash, the key, the length of what follows, the content. An entry of the index:
//!
//! | bits | |
//! |---|---|
//! | 40..64 | the generation of the segment, never zero |
//! | 28..40 | the segment |
//! | 12..28 | the word in it where the record begins |
//! | 0..12 | further bits of the hash, to look at few wrong records |
//!
//! **Why readers are right without a lock.** Each segment has a *generation*: how often it was begun. It is
//! the version number of a sequence lock, and goes up before the segment is written again. A reader copies a
//! record, and looks only then whether the segment still has the generation that the entry names. If so, the
//! copy is whole. If not, it counts as not found. Segments and levels of the index are added and never moved,
//! so a reader holds nothing that could go away. One thread writes at a time. A thread that finds another one
//! writing does not wait: its record will be stored when it is missed again.
//!
//! **An example.** Of three segments, all are in generation 1 and full. The next record begins segment 0
//! again: its generation becomes 2. An entry (generation 1, segment 0, word 8) is still in the index. A
//! reader that follows it finds generation 2 in the segment, and the entry is free for another record.
//!
//! **Which entry makes room.** Generations count laps around the segments. So of two entries the smaller one
//! is the older one, and an entry whose record is overwritten is smaller than all whose records are not. A
//! new entry takes the place of the least one in its bucket. If the record of that one is not overwritten,
//! too many records met in one bucket, and any of them makes room: were it always the oldest, nine that are
//! asked for in turn would push each other out for ever.
//!
//! No key may be the beginning of another one: keys begin with something that tells how long they are.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex, OnceLock};

use super::pool::Pool;

pub(super) struct Table {
    pool: Arc<Pool>,
    /// Bytes that this table may take of the pool.
    share: usize,
    segment_words: usize,
    segments: Box<[Segment]>,
    levels: [OnceLock<Box<[Bucket]>>; LEVELS],
    /// The number of buckets less one. They are a power of two.
    mask: AtomicUsize,
    writer: Mutex<Writer>,
}

struct Segment {
    generation: AtomicU64,
    words: OnceLock<Box<[AtomicU32]>>,
}

/// Apart from what readers look at all the time.
#[repr(align(128))]
struct Writer {
    /// Segments that have memory: the first ones.
    present: usize,
    /// The segment that is being written, and how many words of it are.
    segment: usize,
    used: usize,
    lap: u64,
    /// Entries of the index that are not free.
    entries: usize,
    /// Bytes that were taken of the pool.
    bytes: usize,
}

/// A cache line. Eight places, most of them free, so that hardly one is ever full.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; WAYS]);

const WAYS: usize = 8;
/// Buckets of the first level; the next one has as many, and each one after that twice as many as the one
/// before.
const FIRST_BUCKETS: usize = 2;
const LEVELS: usize = 26;
const WORD: usize = size_of::<u32>();
const LEAST_SEGMENT: usize = 64;
const MOST_SEGMENT: usize = 1 << 14;
const MOST_SEGMENTS: usize = 1 << 12;
/// So many parts of a share are segments, if they may be so small or so large: one of them is forgotten at a
/// time.
const SEGMENTS: usize = 64;
/// Beyond this generations do not fit into an entry, and nothing more is stored: after terabytes, or many
/// millions of records in a table that holds a handful.
const LAST_LAP: u64 = (1 << 24) - 1;

impl Table {
    /// An empty table that takes at most `share` bytes of the pool.
    pub(super) fn new(pool: Arc<Pool>, share: usize) -> Self {
        let wanted = (share / SEGMENTS / WORD).clamp(LEAST_SEGMENT, MOST_SEGMENT);
        let segment_words = 1 << wanted.ilog2();
        // The index needs a quarter at least, and two fifths where records are short.
        let count = (share / 4 * 3 / (segment_words * WORD + size_of::<Segment>())).min(MOST_SEGMENTS);
        let bytes = count * size_of::<Segment>();
        let (count, bytes) = if pool.take(bytes) { (count, bytes) } else { (0, 0) };
        let segment = |_| Segment { generation: AtomicU64::new(0), words: OnceLock::new() };
        let writer = Writer { present: 0, segment: 0, used: segment_words, lap: 1, entries: 0, bytes };
        Self {
            pool,
            share,
            segment_words,
            segments: (0..count).map(segment).collect(),
            levels: [const { OnceLock::new() }; LEVELS],
            mask: AtomicUsize::new(FIRST_BUCKETS - 1),
            writer: Mutex::new(writer),
        }
    }

    /// Copies what is stored with a key to `content`, in place of what is there. The answer is whether
    /// something was found; if not, the content means nothing.
    #[inline]
    pub(super) fn find(&self, hash: u64, key: &[u32], content: &mut Vec<u32>) -> bool {
        let Some(bucket) = self.bucket(self.number(hash)) else { return false };
        bucket.0.iter().any(|entry| {
            let entry = Entry(entry.load(Ordering::Acquire));
            entry.is_tagged(hash) && self.read(entry, hash, key, content)
        })
    }

    /// Whether the entry's record is the key's; its content if so.
    #[inline]
    fn read(&self, entry: Entry, hash: u64, key: &[u32], content: &mut Vec<u32>) -> bool {
        let segment = &self.segments[entry.segment()];
        let Some(words) = segment.words.get() else { return false };
        let load = |word: &AtomicU32| word.load(Ordering::Relaxed);
        // All of this may be the middle of some other record by now. That is seen below; here it must only do
        // no harm.
        let Some((head, rest)) = words[entry.word()..].split_at_checked(key.len() + 2) else { return false };
        let is_key = load(&head[0]) == hash as u32
            && head[1..].iter().zip(key).all(|(word, &value)| load(word) == value);
        let Some(stored) = rest.get(..load(&head[key.len() + 1]) as usize).filter(|_| is_key) else {
            return false;
        };
        content.clear();
        content.extend(stored.iter().map(load));
        // Pairs with the fence of `next_segment`: if a word came from the next generation, that generation is
        // seen here.
        fence(Ordering::Acquire);
        segment.generation.load(Ordering::Relaxed) == entry.generation()
    }

    /// Stores a record; forgets another one where there is no room. Not stored are records that are too long,
    /// and one that comes while another thread stores.
    pub(super) fn insert(&self, hash: u64, key: &[u32], content: &[u32]) {
        let (words, Ok(length)) = (key.len() + 2 + content.len(), u32::try_from(content.len())) else {
            return;
        };
        if words > self.segment_words {
            return;
        }
        let Ok(mut writer) = self.writer.try_lock() else { return };
        if !self.has_index(&mut writer) || self.is_known(hash) || !self.has_room(&mut writer, words) {
            return;
        }
        let log =
            self.segments[writer.segment].words.get().expect("BUG: a segment that is written has memory");
        let record = [hash as u32]
            .into_iter()
            .chain(key.iter().copied())
            .chain([length])
            .chain(content.iter().copied());
        for (word, value) in log[writer.used..].iter().zip(record) {
            word.store(value, Ordering::Relaxed);
        }
        let entry = Entry::new(writer.lap, writer.segment, writer.used, hash);
        writer.used += words;
        self.put(&mut writer, hash, entry);
    }

    /// Whether a record with this hash is there: another thread was faster. To be asked by the writer only.
    fn is_known(&self, hash: u64) -> bool {
        let entries = self.places(self.number(hash)).map(|place| Entry(place.load(Ordering::Relaxed)));
        entries.filter(|entry| entry.is_tagged(hash)).any(|entry| self.hash_of(entry) == Some(hash as u32))
    }

    /// Whether the index is there, with three quarters of it free; it grows as long as its part of the share
    /// allows.
    fn has_index(&self, writer: &mut Writer) -> bool {
        let buckets = self.mask.load(Ordering::Relaxed) + 1;
        if self.levels[0].get().is_none() {
            return self.add_level(writer, 0, FIRST_BUCKETS, |_| {});
        }
        let level = level_of(buckets);
        if writer.entries * 4 < buckets * WAYS
            || level == LEVELS
            || 2 * buckets * size_of::<Bucket>() > self.share / 5 * 2
        {
            return true;
        }
        let is_moved = |hash: u32| hash as usize & buckets != 0;
        let fill = |level: &[Bucket]| {
            for (number, added) in level.iter().enumerate() {
                let entries = self.places(number).map(|place| Entry(place.load(Ordering::Relaxed)));
                let moved = entries.filter(|&entry| self.hash_of(entry).is_some_and(is_moved));
                for (place, entry) in added.0.iter().zip(moved) {
                    place.store(entry.0, Ordering::Relaxed);
                }
            }
        };
        if self.add_level(writer, level, buckets, fill) {
            self.mask.store(2 * buckets - 1, Ordering::Release);
            for place in (0..buckets).flat_map(|number| self.places(number)) {
                let entry = Entry(place.load(Ordering::Relaxed));
                let hash = self.hash_of(entry);
                // Those whose records are gone go now, too.
                writer.entries -= usize::from(entry.0 != 0 && hash.is_none());
                if hash.is_none_or(is_moved) {
                    place.store(0, Ordering::Relaxed);
                }
            }
        }
        true
    }

    /// The places of a bucket that is there.
    fn places(&self, bucket: usize) -> std::slice::Iter<'_, AtomicU64> {
        self.bucket(bucket).expect("BUG: no such bucket").0.iter()
    }

    /// Adds a level of the index, if bytes are left for it.
    fn add_level(
        &self,
        writer: &mut Writer,
        level: usize,
        buckets: usize,
        fill: impl FnOnce(&[Bucket]),
    ) -> bool {
        let mut added = Vec::new();
        if !self.take(writer, buckets * size_of::<Bucket>()) || added.try_reserve_exact(buckets).is_err() {
            return false;
        }
        added.resize_with(buckets, Bucket::default);
        fill(&added);
        self.levels[level].set(added.into_boxed_slice()).is_ok()
    }

    /// Makes room for a record behind the last one.
    fn has_room(&self, writer: &mut Writer, words: usize) -> bool {
        writer.used + words <= self.segment_words || self.next_segment(writer)
    }

    /// Goes on to the next segment: a new one as long as there are bytes, else the oldest.
    fn next_segment(&self, writer: &mut Writer) -> bool {
        if writer.present < self.segments.len() && self.add_segment(writer) {
            writer.segment = writer.present - 1;
        } else if writer.present == 0 || writer.lap == LAST_LAP {
            return false;
        } else {
            writer.segment = (writer.segment + 1) % writer.present;
            writer.lap += u64::from(writer.segment == 0);
        }
        self.segments[writer.segment].generation.store(writer.lap, Ordering::Relaxed);
        // What is written from now on is not seen without the generation.
        fence(Ordering::Release);
        writer.used = 0;
        true
    }

    fn add_segment(&self, writer: &mut Writer) -> bool {
        let mut words = Vec::new();
        if !self.take(writer, self.segment_words * WORD)
            || words.try_reserve_exact(self.segment_words).is_err()
        {
            return false;
        }
        words.resize_with(self.segment_words, AtomicU32::default);
        writer.present += 1;
        self.segments[writer.present - 1].words.set(words.into_boxed_slice()).is_ok()
    }

    fn take(&self, writer: &mut Writer, bytes: usize) -> bool {
        let is_taken = writer.bytes + bytes <= self.share && self.pool.take(bytes);
        writer.bytes += if is_taken { bytes } else { 0 };
        is_taken
    }

    /// Puts an entry into its bucket, in a free place or in one whose record is gone, or else in any.
    fn put(&self, writer: &mut Writer, hash: u64, entry: Entry) {
        let places = self.places(self.number(hash)).as_slice();
        let read = |place: &AtomicU64| Entry(place.load(Ordering::Relaxed));
        let least = places.iter().min_by_key(|place| read(place).0).expect("BUG: a bucket without places");
        writer.entries += usize::from(read(least).0 == 0);
        // Where the last record ended is as good as random.
        let any = writer.used * 5 / 4 % WAYS;
        let place = if self.hash_of(read(least)).is_some() { &places[any] } else { least };
        // A reader that sees the entry sees the record.
        place.store(entry.0, Ordering::Release);
    }

    /// The bits of the hash that the record of an entry has, unless it was overwritten. To be asked by the
    /// writer only.
    fn hash_of(&self, entry: Entry) -> Option<u32> {
        let segment = &self.segments[entry.segment()];
        let is_there = segment.generation.load(Ordering::Relaxed) == entry.generation();
        segment.words.get().filter(|_| is_there).map(|words| words[entry.word()].load(Ordering::Relaxed))
    }

    /// The number of the bucket for a hash.
    #[inline]
    fn number(&self, hash: u64) -> usize {
        hash as u32 as usize & self.mask.load(Ordering::Acquire)
    }

    #[inline]
    fn bucket(&self, number: usize) -> Option<&Bucket> {
        let level = level_of(number);
        let first = if level == 0 { 0 } else { FIRST_BUCKETS << (level - 1) };
        self.levels[level].get().map(|buckets| &buckets[number - first])
    }
}

/// The level of the index that has the bucket of this number.
#[inline]
fn level_of(bucket: usize) -> usize {
    (usize::BITS - (bucket / FIRST_BUCKETS).leading_zeros()) as usize
}

impl Drop for Table {
    fn drop(&mut self) {
        let writer = self.writer.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.pool.give(writer.bytes);
    }
}

/// Where a record is; zero where none is.
#[derive(Clone, Copy)]
struct Entry(u64);

impl Entry {
    fn new(generation: u64, segment: usize, word: usize, hash: u64) -> Self {
        Self(generation << 40 | (segment as u64) << 28 | (word as u64) << 12 | hash >> 52)
    }

    #[inline]
    fn is_tagged(self, hash: u64) -> bool {
        self.0 & 0xFFF == hash >> 52 && self.0 != 0
    }

    fn generation(self) -> u64 {
        self.0 >> 40
    }

    #[inline]
    fn segment(self) -> usize {
        (self.0 >> 28 & 0xFFF) as usize
    }

    #[inline]
    fn word(self) -> usize {
        (self.0 >> 12 & 0xFFFF) as usize
    }
}

/// Two words at a time through a folded 64 × 64 → 128 bit product, as wyhash does: projected states are small
/// numbers that differ in a few low bits, and this spreads each bit over the whole word.
#[inline]
pub(super) fn hash(key: &[u32]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    const SECOND: u64 = 0xD1B5_4A32_D192_ED03;
    let fold = |left: u64, right: u64| {
        let product = u128::from(left) * u128::from(right);
        (product >> 64) as u64 ^ product as u64
    };
    let (pairs, last) = key.as_chunks::<2>();
    // Lengths need not differ in it, as no key is the beginning of another one.
    let mut state = FACTOR;
    for &[low, high] in pairs {
        state = fold(state ^ (u64::from(low) | u64::from(high) << 32), FACTOR);
    }
    for &word in last {
        state = fold(state ^ u64::from(word), FACTOR);
    }
    fold(state ^ SECOND, SECOND)
}

#[cfg(test)]
mod tests;
