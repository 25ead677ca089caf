//! The store: nodes, their index, the operation cache, and owned handles.
//!
//! Everything starts small and grows by itself. When the store's present capacity is used up, garbage is
//! collected ([`garbage`]). If too few nodes are free then, the capacity doubles, up to the limit of memory.
//! Near the limit the cache shrinks to leave its memory to nodes ([`limits`]). Numbers of nodes never change.
//!
//! - [`node`], [`unique`]: what a node is, and the table that has each node once;
//! - [`cache`], [`patterns`]: what operations came to, and numbers for operands that are no nodes;
//! - [`gate`], [`garbage`], [`marks`]: how all workers stop, and what is collected then;
//! - [`scratch`], [`tasks`]: the stacks of a worker, and the queue of tasks for helpers.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::sync::{AtomicBool, AtomicU32, AtomicUsize, Mutex, MutexGuard};

pub(crate) mod by_node;
pub(crate) mod cache;
mod garbage;
mod gate;
mod limits;
pub(crate) mod marks;
pub(crate) mod node;
pub(crate) mod patterns;
pub(crate) mod scratch;
pub(crate) mod tasks;
pub(crate) mod unique;

use cache::Cache;
use gate::Gate;
use limits::{Limits, index_bits};
use node::{EMPTY, Id, UNIT};
use patterns::{Cuts, Patterns};
use scratch::Scratch;
use tasks::TaskQueue;
use unique::Unique;

/// Why an operation has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// There is no room for another node within the limit.
    OutOfNodes,
    /// [`Store::interrupt`] was called.
    Interrupted,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OutOfNodes => write!(f, "no room for another node of a decision diagram"),
            Self::Interrupted => write!(f, "the operation was interrupted"),
        }
    }
}

impl std::error::Error for Stop {}

/// A store of decision diagrams. Cheap to clone: all clones are one store.
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub unique: Unique,
    pub cache: Cache,
    pub limits: Limits,
    /// Nodes there may be before garbage is collected; numbers are below it.
    pub capacity: AtomicUsize,
    /// Numbers below this were handed out at some time.
    pub next: AtomicU32,
    /// Numbers that were collected and wait to be handed out again.
    pub free: Mutex<Vec<Id>>,
    /// How many handles each node has.
    pub roots: Mutex<HashMap<Id, usize>>,
    pub statistics: Mutex<StoreStatistics>,
    pub gate: Gate,
    pub tasks: TaskQueue,
    /// Threads that a closure takes.
    pub threads: AtomicUsize,
    /// Operations are to stop.
    pub interrupted: AtomicBool,
    /// The next of the numbers by which the cache tells walks apart.
    pub walks: AtomicU32,
    pub patterns: Mutex<Patterns>,
    pub cuts: Mutex<Cuts>,
    /// Factors of sums.
    pub factors: Mutex<Patterns<i64>>,
    /// Workers' scratch, kept for the next operation.
    pub scratch: Mutex<Vec<Scratch>>,
}

/// Numbers of a store.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreStatistics {
    /// Nodes in use at the last look: live ones, and garbage not yet collected.
    pub nodes: usize,
    /// The most nodes that were left by a collection, the garbage gone; as long as there was none, the nodes
    /// in use.
    pub peak_nodes: usize,
    /// How often garbage was collected.
    pub collections: usize,
    /// Bytes that the store's capacity takes.
    pub bytes: u64,
    /// The most bytes that it took: near its limit a store can become smaller.
    pub peak_bytes: u64,
}

/// An owned diagram: its nodes stay as long as it does.
pub struct Ldd {
    pub(crate) store: Store,
    pub(crate) id: Id,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// A store that takes no more than about this many bytes, and at least those that it begins with, under
    /// three million.
    pub fn with_memory(bytes: u64) -> Result<Self, Stop> {
        Self::with_limits(Limits::for_memory(bytes))
    }

    /// A store of so few nodes that hands out numbers by so few and collects garbage whenever a worker wants
    /// some: what an operation forgets to hold is gone at once. Helpers get the smallest parts. For tests.
    #[doc(hidden)]
    pub fn under_stress(first: usize, most: usize, batch: usize) -> Result<Self, Stop> {
        Self::with_limits(Limits { first, most, bytes: u64::MAX, batch, is_eager: true, least_split: 1 })
    }

    fn with_limits(mut limits: Limits) -> Result<Self, Stop> {
        loop {
            let index = index_bits(limits.first);
            let cache = || Cache::new(1 << limits.largest_cache_bits(), limits.cache_bits(limits.first));
            let parts = Unique::new(limits.most, index).zip(cache());
            if let Some((unique, cache)) = parts {
                return Ok(Self { inner: Arc::new(Inner::new(limits, unique, cache)) });
            }
            // A system that does not reserve what it does not have yet may refuse the first wish.
            limits = limits.halved().ok_or(Stop::OutOfNodes)?;
        }
    }

    /// Numbers of the store.
    pub fn statistics(&self) -> StoreStatistics {
        let used = self.inner.used();
        let mut statistics = lock(&self.inner.statistics);
        statistics.nodes = used;
        if statistics.collections == 0 {
            statistics.peak_nodes = used;
        }
        statistics.bytes = self.inner.limits.bytes_for(self.inner.capacity.load(Ordering::Relaxed));
        statistics.peak_bytes = statistics.peak_bytes.max(statistics.bytes);
        *statistics
    }

    /// How many threads closures take from now on; one at first. Other operations take them inside
    /// [`Store::together`]: a closure is not to be asked for in there, or it has both.
    pub fn set_threads(&self, threads: usize) {
        self.inner.threads.store(threads, Ordering::Relaxed);
    }

    pub(crate) fn threads(&self) -> usize {
        self.inner.threads.load(Ordering::Relaxed)
    }

    /// Makes all operations answer [`Stop::Interrupted`], those that run now on any thread and later ones,
    /// until [`Store::resume`] is called.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// store.interrupt();
    /// assert_eq!(store.vector(&[1]), Err(ldd::Stop::Interrupted));
    /// store.resume();
    /// assert!(store.vector(&[1]).is_ok());
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn interrupt(&self) {
        self.inner.interrupted.store(true, Ordering::Relaxed);
    }

    /// Operations may run again.
    pub fn resume(&self) {
        self.inner.interrupted.store(false, Ordering::Relaxed);
    }

    /// # Panics
    /// When the diagram is of another store, where the same number is another node.
    pub(crate) fn assert_owns(&self, diagram: &Ldd) {
        assert!(self.is_same(&diagram.store), "BUG: a diagram of another store");
    }

    /// Whether both have the same nodes.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// A handle for a node that an operation has just answered.
    pub(crate) fn own(&self, id: Id) -> Ldd {
        self.inner.hold(id);
        Ldd { store: self.clone(), id }
    }
}

impl Inner {
    fn new(limits: Limits, unique: Unique, cache: Cache) -> Self {
        Self {
            unique,
            cache,
            limits,
            capacity: AtomicUsize::new(limits.first),
            next: AtomicU32::new(2),
            free: Mutex::default(),
            roots: Mutex::default(),
            statistics: Mutex::default(),
            gate: Gate::default(),
            tasks: TaskQueue::default(),
            threads: AtomicUsize::new(1),
            interrupted: AtomicBool::new(false),
            walks: AtomicU32::new(0),
            patterns: Mutex::default(),
            cuts: Mutex::default(),
            factors: Mutex::default(),
            scratch: Mutex::default(),
        }
    }

    /// The first of the numbers by which the cache knows a walk by so many events: one for each event to
    /// begin at, and two more.
    pub fn walk_numbers(&self, events: usize) -> u32 {
        self.walks.fetch_add(2 + events as u32, Ordering::Relaxed)
    }

    pub fn hold(&self, id: Id) {
        if id > UNIT {
            *lock(&self.roots).entry(id).or_insert(0) += 1;
        }
    }

    pub fn release(&self, id: Id) {
        if id > UNIT {
            let mut roots = lock(&self.roots);
            if let std::collections::hash_map::Entry::Occupied(mut entry) = roots.entry(id) {
                *entry.get_mut() -= 1;
                if *entry.get() == 0 {
                    entry.remove();
                }
            }
        }
    }

    /// Numbers that are a node's or with a worker.
    pub fn used(&self) -> usize {
        // The lock first: what is free was below `next` then.
        let free = lock(&self.free);
        self.next.load(Ordering::Relaxed) as usize - 2 - free.len()
    }

    /// Numbers for new nodes: a batch, or none if the capacity is used up.
    pub fn batch(&self, numbers: &mut Vec<Id>) -> bool {
        let (capacity, batch) = (self.capacity.load(Ordering::Relaxed), self.limits.batch);
        let mut free = lock(&self.free);
        let used = self.next.load(Ordering::Relaxed) as usize - free.len();
        if used + batch > capacity {
            return false;
        }
        if free.is_empty() {
            let first = self.next.fetch_add(batch as u32, Ordering::Relaxed);
            numbers.extend((first..first + batch as u32).rev());
        } else {
            let rest = free.len().saturating_sub(batch);
            numbers.extend(free.drain(rest..));
        }
        true
    }
}

impl Clone for Ldd {
    fn clone(&self) -> Self {
        self.store.own(self.id)
    }
}

impl Drop for Ldd {
    fn drop(&mut self) {
        self.store.inner.release(self.id);
    }
}

impl PartialEq for Ldd {
    /// Equal sets are the same node: a comparison of two numbers.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.store.inner, &other.store.inner)
    }
}

impl Eq for Ldd {}

impl std::hash::Hash for Ldd {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl std::fmt::Debug for Ldd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ldd({})", self.id)
    }
}

impl Ldd {
    /// Whether it is the empty set.
    pub fn is_empty(&self) -> bool {
        self.id == EMPTY
    }
}
