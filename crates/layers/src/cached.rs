//! Remembers the local transitions of each group. Blom, van de Pol & Weber 2009, algorithms 2–4.
//!
//! **The problem.** A group looks at a few slots only, and a search meets the same values in them in very
//! many states. Where a call takes long, as where terms are rewritten, the same work is done again and again.
//!
//! **The idea.** If two states agree on the slots that a group reads, its successors of one are its
//! successors of the other, but for the slots it leaves alone. A table keeps what the model said once. The
//! *key* is the number of the group with the values of the slots that it reads. The *content* has for each
//! successor its action, the values of the slots that the group may write, and which of these it copied.
//!
//! **An example.** Over the slots (a, k, b, c) let group 4 be `when a < k, b := a`. The model is asked for it
//! once, in (3, 5, 7, 0); then the key is \[4, 3, 5\], and the content says that b becomes 3. In (3, 5, 9, 1)
//! the key is the same: the successor is (3, 5, 3, 1), and the model is not asked.
//!
//! **Why it is right.** The matrices promise it (Meijer 2014, definitions 3.1 and 3.5). Differs from the
//! paper: reads and writes are separate. A slot that is written but not read is no part of the key, so a
//! copied slot takes its value from the state at hand, never from the one that was stored. A failed
//! evaluation is not stored. It is asked for again each time, so the error is always the model's own.
//!
//! **What it costs.** A look-up takes some tens of nanoseconds. Two kinds of groups bypass the cache, because
//! a look-up would cost more than it saves:
//!
//! - A group that reads more than ¾ of the slots: nearly every state is a new key, and the table would hold
//!   the state space again.
//! - A group that is found in less than half of its look-ups: each miss pays for a look-up, the call and an
//!   insertion. Each stepper judges that for itself.
//!
//! Each stepper has a table of its own, or all steppers share one: then what one of them learned all know,
//! and it is kept once. All tables together hold no more bytes than were allowed, and forget the oldest
//! records when they are full. The shared table is cut into parts by hash, so that threads that store seldom
//! meet; `table.rs` tells why readers never wait.
//!
//! Only [`Stepper::group`] and [`Stepper::all`] are cached. A symbolic search asks for updates and guards on
//! their own, once for each short vector, and has nothing to gain.

mod figures;
mod pool;
mod stepper;
mod table;
mod trial;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{GroupIx, SlotIx};
use model::{Dependencies, Model, Stepper, Successor, Successors, Value};

use crate::{Aspect, Changes, Contract, Layer, Over};
pub use figures::CacheFigures;
use pool::Pool;
use stepper::CachedStepper;
use table::Table;
pub use trial::{CacheTrial, try_cache};

/// A model that remembers the local transitions of its groups.
pub struct Cached {
    below: Arc<dyn Model>,
    groups: Vec<Projection>,
    pool: Arc<Pool>,
    sharing: Sharing,
    hits: AtomicU64,
    misses: AtomicU64,
    bypassed: AtomicU64,
}

/// How steppers have tables.
enum Sharing {
    /// Each stepper one of this many bytes.
    Own(usize),
    /// All steppers these, each for a part of the hashes; a power of two of them.
    Common(Arc<[Table]>),
}

/// How well a cache did, over all steppers that are gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheStatistics {
    /// Calls that were answered by the cache.
    pub hits: u64,
    /// Calls that were looked up and went on to the model.
    pub misses: u64,
    /// Calls that were not looked up.
    pub bypassed: u64,
}

/// Most parts of a common table. Of threads that store at the same time most find a part for themselves.
const PARTS: usize = 16;

/// A part has at least so many bytes: very small ones would forget all the time.
const LEAST_PART: usize = 1 << 16;

impl Cached {
    /// The model with a table for each stepper; all together take at most this many bytes, and each one its
    /// part of them, where so many steppers are expected to be there at a time.
    pub fn per_stepper(below: Arc<dyn Model>, memory: usize, steppers: usize) -> Over<Self> {
        Self::new(below, Arc::new(Pool::new(memory)), Sharing::Own(memory / steppers.max(1)))
    }

    /// The model with a table for all steppers, of at most this many bytes.
    pub fn shared(below: Arc<dyn Model>, memory: usize) -> Over<Self> {
        let pool = Arc::new(Pool::new(memory));
        let count = 1 << (memory / LEAST_PART).clamp(1, PARTS).ilog2();
        let parts = (0..count).map(|_| Table::new(Arc::clone(&pool), memory / count)).collect();
        Self::new(below, pool, Sharing::Common(parts))
    }

    fn new(below: Arc<dyn Model>, pool: Arc<Pool>, sharing: Sharing) -> Over<Self> {
        let groups =
            below.signature().group_ixs().map(|group| Projection::new(below.dependencies(), group)).collect();
        let [hits, misses, bypassed] = [(); 3].map(|()| AtomicU64::new(0));
        Over(Self { below, groups, pool, sharing, hits, misses, bypassed })
    }

    /// Whether it would look up any group of this model: those that read nearly all slots it never does.
    pub fn has_use_for(model: &dyn Model) -> bool {
        model.signature().group_ixs().any(|group| Projection::new(model.dependencies(), group).is_narrow)
    }

    /// How well it did. A stepper's numbers are added when it is dropped.
    pub fn statistics(&self) -> CacheStatistics {
        CacheStatistics {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bypassed: self.bypassed.load(Ordering::Relaxed),
        }
    }

    /// Most bytes that its tables held at a time.
    pub fn most_bytes(&self) -> usize {
        self.pool.most()
    }

    fn add(&self, counted: CacheStatistics) {
        self.hits.fetch_add(counted.hits, Ordering::Relaxed);
        self.misses.fetch_add(counted.misses, Ordering::Relaxed);
        self.bypassed.fetch_add(counted.bypassed, Ordering::Relaxed);
    }

    /// The tables of a new stepper.
    fn tables(&self) -> Arc<[Table]> {
        match &self.sharing {
            Sharing::Own(share) => [Table::new(Arc::clone(&self.pool), *share)].into(),
            Sharing::Common(tables) => Arc::clone(tables),
        }
    }
}

impl Layer for Cached {
    fn below(&self) -> &Arc<dyn Model> {
        &self.below
    }

    fn contract(&self) -> Contract<'_> {
        Contract { name: "cache", requires: &[], preserves: Aspect::ALL, changes: Changes::Nothing }
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(CachedStepper::new(self))
    }
}

/// What a record of a group looks like. The key is the group's number and what it reads; the content has for
/// each successor its action, the values of the written slots, and a bit for each of those that tells whether
/// it was copied.
struct Projection {
    read: Vec<SlotIx>,
    written: Vec<SlotIx>,
    is_narrow: bool,
}

impl Projection {
    fn new(matrices: &Dependencies, group: GroupIx) -> Self {
        let (read, written) = (matrices.read_slots(group), matrices.written_slots(group));
        let is_narrow = read.len() * 4 <= matrices.read.columns() * 3;
        Self { read, written, is_narrow }
    }

    fn words_per_successor(&self) -> usize {
        1 + self.written.len() + self.written.len().div_ceil(32)
    }

    fn key(&self, group: GroupIx, from: &[Value], key: &mut Vec<u32>) {
        key.clear();
        key.push(group.ix() as u32);
        key.extend(self.read.iter().map(|slot| from[slot.ix()]));
    }

    /// Appends a successor to the content of a record.
    fn store(&self, successor: Successor<'_>, content: &mut Vec<u32>) {
        content.push(successor.action);
        content.extend(self.written.iter().map(|slot| successor.state[slot.ix()]));
        content.extend(self.written.chunks(32).map(|slots| {
            let copied = |(at, &slot): (usize, &SlotIx)| u32::from(successor.copied(slot)) << at;
            slots.iter().enumerate().map(copied).fold(0, |word, bit| word | bit)
        }));
    }

    /// Appends the successor of `from` that a stored successor stands for.
    fn restore(
        &self,
        group: GroupIx,
        from: &[Value],
        stored: &[u32],
        copied: &mut [u64],
        to: &mut Successors,
    ) {
        let (&action, rest) = stored.split_first().expect("BUG: a stored successor has an action");
        let (values, bits) = rest.split_at(self.written.len());
        let target = to.push(group, action, from);
        for (at, (&slot, &value)) in self.written.iter().zip(values).enumerate() {
            if bits[at / 32] >> (at % 32) & 1 == 0 {
                target[slot.ix()] = value;
            }
        }
        if bits.iter().any(|&word| word != 0) {
            copied.fill(0);
            for (at, slot) in self.written.iter().enumerate() {
                copied[slot.ix() / 64] |= u64::from(bits[at / 32] >> (at % 32) & 1) << (slot.ix() % 64);
            }
            to.mark_copied(copied);
        }
    }
}
