//! The collection of garbage: nodes that no handle holds and no running operation needs are freed, and the
//! store grows where that is too little.
//!
//! A collection marks what can be reached from handles and from the stacks of workers. Nodes do not move. The
//! numbers of all others are free afterwards, the index is made anew of the nodes that are left, and the
//! cache forgets the answers about the others.

use std::sync::atomic::Ordering;

use crate::store::cache::Op;
use crate::store::limits::index_bits;
use crate::store::marks::Marks;
use crate::store::node::{Id, UNIT};
use crate::store::{Inner, Store, lock};

/// Stores of this many nodes are collected by two threads where closures have more than one: below it takes
/// less time than to make a thread.
const WORTH_A_THREAD: usize = 1 << 17;

impl Store {
    /// Collects garbage now.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// drop(store.vector(&[1, 2, 3])?);
    /// store.collect();
    /// assert_eq!(store.statistics().nodes, 0);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn collect(&self) {
        self.inner.gate.enter();
        while self.inner.gate.alone(&[], |needed| self.inner.maintain(needed, false)).is_none() {}
        self.inner.gate.leave();
    }
}

impl Store {
    /// Clears the cache of operations and gives its memory back; the answer is how many bytes that are. What
    /// is asked again takes its time again.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let (one, two) = (store.vector(&[1])?, store.vector(&[2])?);
    /// let both = store.union(&one, &two)?;
    /// assert!(store.clear_cache() > 0);
    /// assert_eq!(store.union(&one, &two)?, both);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn clear_cache(&self) -> u64 {
        self.inner.cache.clear()
    }
}

impl Inner {
    /// No nodes, of those that there are now.
    pub fn marks(&self) -> Marks {
        Marks::new(self.next.load(Ordering::Relaxed) as usize)
    }

    /// Collects what neither handles nor `needed` hold. To make room, doubles the capacity where too little
    /// of it is free then. The caller is alone. Answers whether there is room.
    pub fn maintain(&self, needed: &[Id], make_room: bool) -> bool {
        // Every number that is not a live node's is free afterwards. Those that wait with idle workers are
        // taken back. A worker that stands at the gate has none left: want of numbers brought it there, or it
        // put them down.
        lock(&self.scratch).iter_mut().for_each(|idle| idle.numbers.clear());
        let next = self.next.load(Ordering::Relaxed) as usize;
        let mut marks = self.marks();
        lock(&self.roots).keys().chain(needed).for_each(|&id| marks.mark(&self.unique, id));
        let live = marks.count;
        let mut capacity = self.capacity.load(Ordering::Relaxed);
        let before = self.limits.bytes_for(capacity);
        if make_room {
            while let Some(larger) = self.limits.larger(live, capacity) {
                capacity = larger;
            }
        }
        self.capacity.store(capacity, Ordering::Relaxed);
        let rebuild = || {
            self.unique.rebuild(index_bits(capacity), marks.live());
            // Small numbers are handed out first: they are taken from the end.
            *lock(&self.free) = (2..next as Id).rev().filter(|&id| !marks.has(id)).collect();
        };
        let sweep = || self.sweep(capacity, &marks);
        // What the cache gives back is for the index.
        let gives_way = self.limits.cache_bits(capacity) < self.cache.bits();
        match self.threads.load(Ordering::Relaxed) > 1 && capacity >= WORTH_A_THREAD && !gives_way {
            // The other workers stand still meanwhile, so their processors are free.
            true => both(rebuild, sweep),
            false => {
                sweep();
                rebuild();
            }
        }
        let mut statistics = lock(&self.statistics);
        statistics.peak_nodes =
            if statistics.collections == 0 { live } else { statistics.peak_nodes.max(live) };
        statistics.collections += 1;
        statistics.peak_bytes = statistics.peak_bytes.max(before);
        self.limits.has_room(live, capacity)
    }

    /// Forgets answers about nodes that are no more.
    fn sweep(&self, capacity: usize, marks: &Marks) {
        self.cache.sweep(self.limits.cache_bits(capacity), |op, [a, b, c], answer| {
            let node = |id: Id| id <= UNIT || marks.has(id);
            node(a)
                && node(answer)
                && match op {
                    Op::Union
                    | Op::Minus
                    | Op::Intersect
                    | Op::Project
                    | Op::Join
                    | Op::Enabled
                    | Op::Backward
                    | Op::Advance
                    | Op::Select => node(b),
                    Op::Image | Op::PreImage => node(b) && node(c),
                    Op::Saturate | Op::AtMost | Op::Deadlocks | Op::Domain => true,
                }
        });
    }
}

/// Does both, the first on a thread of its own if the system gives one.
fn both(one: impl Fn() + Sync, other: impl FnOnce()) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, &one);
        other();
        if thread.is_err() {
            one();
        }
    });
}

/// Two threads on a whole store that collects at every node, by loom: handles that one makes and the other
/// drops.
#[cfg(all(loom, test))]
mod interleavings {
    use crate::store::{Ldd, Store};

    /// Switches between the threads so often where both could go on: all of it would take years.
    fn check(bound: usize, work: impl Fn(&Store) -> Ldd + Copy + Send + Sync + 'static) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(bound);
        model.max_branches = 100_000;
        model.check(move || {
            let store = Store::under_stress(8, 8, 1).expect("a store");
            let theirs = store.clone();
            let thread = loom::thread::spawn(move || work(&theirs));
            let mine = work(&store);
            let other = thread.join().expect("no thread panicked");
            assert_eq!(mine, other, "a set is there twice");
            let nodes = store.node_count(&mine);
            drop(mine);
            store.collect();
            assert_eq!(store.statistics().nodes, nodes, "a handle keeps its nodes, and nothing else is left");
            drop(other);
            store.collect();
            assert_eq!(store.statistics().nodes, 0);
        });
    }

    #[test]
    fn loom_handles_hold_their_nodes() {
        check(2, |store| {
            let garbage = store.vector(&[3]).expect("room");
            drop(garbage);
            let set = store.vector(&[1, 2]).expect("room");
            assert!(store.contains(&set, &[1, 2]));
            set
        });
    }

    #[test]
    fn loom_operations_hold_what_they_need() {
        // Loom 0.7 fails by itself where threads write the same words of the cache more often.
        check(1, |store| {
            let (one, other) = (store.vector(&[1, 2]).expect("room"), store.vector(&[2, 2]).expect("room"));
            let both = store.union(&one, &other).expect("room");
            assert!(store.contains(&both, &[1, 2]) && store.contains(&both, &[2, 2]));
            both
        });
    }
}
