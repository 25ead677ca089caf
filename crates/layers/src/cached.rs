//! Local transition caching: Blom, van de Pol & Weber 2009, algorithms 2–4. If two states agree on the slots
//! that a group reads, its successors of one are its successors of the other but for the slots it leaves alone.
//!
//! Differs: reads and writes are separate (Meijer 2014, definitions 3.1 and 3.5). The key is the projection on the
//! slots that the group *reads*; stored are the values of those it *may write*, and which of them it copied. A
//! slot that is written but not read is no part of the key, so a copied slot takes its value from the state at
//! hand, never from the one that was stored.
//!
//! Two kinds of groups bypass the cache, because a lookup there costs more than it saves. One that reads more than
//! ¾ of the slots: nearly every state is a new key, and the table would hold the state space again. And one whose
//! hits fall below half of its lookups: each miss pays for a lookup, the call and an insertion.
//!
//! A failed evaluation is not stored. It is asked for again each time, so the error is always the model's own.

mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{GroupIx, GuardIx, LabelIx, SlotIx};
use model::{Dependencies, EvalError, Model, Signature, Stepper, Successor, Successors, Truth, Value, every_group};

use crate::Layer;
use table::Table;

/// A model that remembers the local transitions of its groups, for each stepper by itself.
pub struct Cached {
    inner: Arc<dyn Model>,
    memory: usize,
    hits: AtomicU64,
    misses: AtomicU64,
    bypassed: AtomicU64,
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

/// Lookups of a group between judgements of its hit rate; the first are a warm-up and are not judged.
const TRIAL: u32 = 1 << 13;

impl Cached {
    /// The model with a cache of at most this many bytes for each stepper. A full cache stores nothing new.
    pub fn new(inner: Arc<dyn Model>, memory: usize) -> Self {
        Self { inner, memory, hits: AtomicU64::new(0), misses: AtomicU64::new(0), bypassed: AtomicU64::new(0) }
    }

    /// How well it did. A stepper's numbers are added when it is dropped.
    pub fn statistics(&self) -> CacheStatistics {
        CacheStatistics {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bypassed: self.bypassed.load(Ordering::Relaxed),
        }
    }
}

impl Model for Cached {
    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn dependencies(&self) -> &Dependencies {
        self.inner.dependencies()
    }

    fn initial(&self) -> &[Value] {
        self.inner.initial()
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        let signature = self.inner.signature();
        let matrices = self.inner.dependencies();
        let slots = signature.slots.len();
        let groups: Vec<GroupCache> = signature
            .group_ixs()
            .map(|group| GroupCache::new(matrices.read_slots(group), matrices.written_slots(group), slots))
            .collect();
        Box::new(CachedStepper {
            layer: self,
            stepper: self.inner.stepper(),
            useful: groups.iter().any(|group| group.table.is_some()),
            groups,
            budget: self.memory,
            key: Vec::new(),
            content: Vec::new(),
            copied: vec![0; slots.div_ceil(64)],
            counted: CacheStatistics::default(),
        })
    }

    fn may_fail(&self, group: GroupIx) -> bool {
        self.inner.may_fail(group)
    }
}

impl Layer for Cached {
    fn name(&self) -> &str {
        "cache"
    }

    fn inner(&self) -> &Arc<dyn Model> {
        &self.inner
    }
}

/// The cache of one group. Content of a record: for each successor its action, the values of the written slots,
/// and a bit for each of those that tells whether it was copied.
struct GroupCache {
    read: Vec<SlotIx>,
    written: Vec<SlotIx>,
    /// None where the group bypasses the cache.
    table: Option<Table>,
    lookups: u32,
    hits: u32,
    warm: bool,
}

impl GroupCache {
    fn new(read: Vec<SlotIx>, written: Vec<SlotIx>, slots: usize) -> Self {
        let table = (read.len() * 4 <= slots * 3).then(|| Table::new(read.len()));
        Self { read, written, table, lookups: 0, hits: 0, warm: false }
    }

    fn words_per_successor(&self) -> usize {
        1 + self.written.len() + self.written.len().div_ceil(32)
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
    fn restore(&self, group: GroupIx, from: &[Value], stored: &[u32], copied: &mut [u64], to: &mut Successors) {
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

    /// Counts a lookup; gives the table up, and its bytes back, when a trial shows that it does not pay.
    fn count(&mut self, hit: bool, budget: &mut usize) {
        self.lookups += 1;
        self.hits += u32::from(hit);
        if self.lookups == TRIAL {
            if self.warm && self.hits < TRIAL / 2 {
                *budget += self.table.take().map_or(0, |table| table.bytes());
            }
            self.warm = true;
            self.lookups = 0;
            self.hits = 0;
        }
    }
}

struct CachedStepper<'a> {
    layer: &'a Cached,
    stepper: Box<dyn Stepper + 'a>,
    groups: Vec<GroupCache>,
    /// Whether some group had a table at first. What became of the tables does not count: the order of
    /// successors must stay the same over a run, and the inner model may have another one.
    useful: bool,
    /// Bytes that are left for the tables.
    budget: usize,
    key: Vec<Value>,
    content: Vec<u32>,
    copied: Vec<u64>,
    counted: CacheStatistics,
}

impl Stepper for CachedStepper<'_> {
    /// NEXT-STATE-CACHE, algorithm 4.
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let cache = &mut self.groups[group.ix()];
        let Some(table) = &cache.table else {
            self.counted.bypassed += 1;
            return self.stepper.group(group, from, to);
        };
        self.key.clear();
        self.key.extend(cache.read.iter().map(|slot| from[slot.ix()]));
        if let Some(content) = table.find(&self.key) {
            self.counted.hits += 1;
            for stored in content.chunks_exact(cache.words_per_successor()) {
                cache.restore(group, from, stored, &mut self.copied, to);
            }
            cache.count(true, &mut self.budget);
            return Ok(());
        }
        self.counted.misses += 1;
        let start = to.len();
        let outcome = self.stepper.group(group, from, to);
        if outcome.is_ok() {
            self.content.clear();
            for at in start..to.len() {
                cache.store(to.get(at), &mut self.content);
            }
            if let Some(table) = &mut cache.table {
                table.insert(&self.key, &self.content, &mut self.budget);
            }
        }
        cache.count(false, &mut self.budget);
        outcome
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.stepper.update(group, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        self.stepper.guard(guard, from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.stepper.label(label, from)
    }

    /// NEXT-STATE-ALL-CACHE, algorithm 2.
    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if !self.useful {
            self.counted.bypassed += self.groups.len() as u64;
            return self.stepper.all(from, to);
        }
        every_group(self, self.groups.len(), from, to)
    }
}

impl Drop for CachedStepper<'_> {
    fn drop(&mut self) {
        self.layer.hits.fetch_add(self.counted.hits, Ordering::Relaxed);
        self.layer.misses.fetch_add(self.counted.misses, Ordering::Relaxed);
        self.layer.bypassed.fetch_add(self.counted.bypassed, Ordering::Relaxed);
    }
}
