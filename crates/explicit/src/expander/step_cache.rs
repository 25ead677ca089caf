//! Local steps: successors that are known without asking the model. (The cache of pins-2009, section IV, for
//! packed states.)
//!
//! What a group does depends on a few leaves of a state, and few values of those leaves are ever seen
//! together. So what groups do is kept by the bits of their leaves, and most states have their successors
//! without a look at the model.
//!
//! Groups with the same leaves make a *cluster*. A step is kept as the bits that it changes: the successor
//! is the state with these bits flipped. Bits that a layout gets later are zero in all that was kept
//! before, so it stays right.
//!
//! Example: states of 6 bits, a cluster on the two lowest ones. In state 110101 its groups lead to 110110.
//! The cache learns: cluster, 01 → flip 000011. In state 001001 the same bits are 01, so its successor by
//! this cluster is 001001 ^ 000011 = 001010, and no group is asked.
//!
//! A cache belongs to one worker. An entry takes the place of another one with the same hash. A cache that
//! misses too often grows, and at last it gives up.

use base::GroupIx;
use model::Dependencies;

use crate::packing::Layout;

/// Entries of a cache that is new, …
const FEWEST: usize = 1 << 12;
/// … and of one that was too small again and again; it grows by this factor.
const MOST: usize = 1 << 17;
const FACTOR: usize = 4;
/// Steps that an entry has room for.
const MOST_STEPS: usize = 6;
/// With more clusters it takes longer to look up steps than to ask.
const MOST_CLUSTERS: usize = 16;
/// After so many questions it is looked at whether it pays.
const WINDOW: u32 = 1 << 15;
/// It grows if more than one in so many was not known, …
const GOOD: u32 = 32;
/// … and if it cannot it gives up if more than one in so many was not.
const FAIR: u32 = 6;
/// So many bad windows in a row are too many: the first ones are always bad.
const PATIENCE: u32 = 3;

/// What a cluster does to states with these bits: one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry {
    key: u64,
    /// The cluster, from one on; zero in an empty entry.
    cluster: u32,
    count: u32,
    steps: [u64; MOST_STEPS],
}

const NOTHING: Entry = Entry { key: 0, cluster: 0, count: 0, steps: [0; MOST_STEPS] };

/// Groups that depend on the same leaves.
struct Cluster {
    groups: Vec<GroupIx>,
    leaves: Vec<usize>,
    /// The bits of these leaves.
    mask: u64,
}

/// Local steps that are known.
pub(super) struct StepCache {
    clusters: Vec<Cluster>,
    entries: Vec<Entry>,
    asked: u32,
    missed: u32,
    bad_windows: u32,
}

impl StepCache {
    /// Bytes that a cache may come to take.
    pub(super) const BYTES: u64 = (MOST * size_of::<Entry>()) as u64;

    /// An empty cache for states that are packed so, if it could be of use.
    pub(super) fn new(dependencies: &Dependencies, layout: &Layout) -> Option<Self> {
        if layout.words() != 1 {
            return None;
        }
        let mut clusters: Vec<Cluster> = Vec::new();
        for group in layout.groups() {
            let slots = dependencies.read.ones(group.ix()).chain(dependencies.may_write.ones(group.ix()));
            let leaves = layout.leaves_of(slots);
            match clusters.iter_mut().find(|cluster| cluster.leaves == leaves) {
                Some(cluster) => cluster.groups.push(group),
                None => clusters.push(Cluster { groups: vec![group], leaves, mask: 0 }),
            }
            if clusters.len() > 8 * MOST_CLUSTERS {
                return None;
            }
        }
        let mut clusters = absorbed(clusters);
        let widest = clusters.iter().map(|cluster| cluster.leaves.len()).max()?;
        if clusters.len() > MOST_CLUSTERS || widest == layout.widths().len() {
            return None;
        }
        set_masks(&mut clusters, layout);
        Some(Self { clusters, entries: vec![NOTHING; FEWEST], asked: 0, missed: 0, bad_windows: 0 })
    }

    /// States have more bits.
    pub(super) fn adapt(&mut self, layout: &Layout) {
        set_masks(&mut self.clusters, layout);
    }

    /// How many clusters there are.
    #[inline]
    pub(super) fn clusters(&self) -> usize {
        self.clusters.len()
    }

    /// The groups of a cluster.
    pub(super) fn groups(&self, cluster: usize) -> &[GroupIx] {
        &self.clusters[cluster].groups
    }

    #[inline(always)]
    fn home(&self, cluster: usize, key: u64) -> usize {
        let hash = (key ^ (cluster as u64) << 58).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (u64::BITS - self.entries.len().ilog2())) as usize
    }

    /// The steps of a cluster in this state, if they are known.
    #[inline(always)]
    pub(super) fn steps(&self, cluster: usize, word: u64) -> Option<&[u64]> {
        let key = word & self.clusters[cluster].mask;
        let entry = &self.entries[self.home(cluster, key)];
        (entry.key == key && entry.cluster as usize == cluster + 1)
            .then(|| &entry.steps[..entry.count as usize])
    }

    /// Keeps the steps of a cluster in a state, if they are few.
    pub(super) fn learn(&mut self, cluster: usize, word: u64, steps: &[u64]) {
        if steps.len() > MOST_STEPS {
            return;
        }
        let key = word & self.clusters[cluster].mask;
        let home = self.home(cluster, key);
        let entry = &mut self.entries[home];
        (entry.key, entry.cluster, entry.count) = (key, cluster as u32 + 1, steps.len() as u32);
        entry.steps[..steps.len()].copy_from_slice(steps);
    }

    /// So many questions were asked, and so many of them not answered.
    #[inline]
    pub(super) fn count(&mut self, asked: u32, missed: u32) {
        self.asked += asked;
        self.missed += missed;
        if self.asked >= WINDOW {
            let can_grow = self.entries.len() < MOST;
            let is_bad = self.missed > self.asked / if can_grow { GOOD } else { FAIR };
            self.bad_windows = if is_bad { self.bad_windows + 1 } else { 0 };
            (self.asked, self.missed) = (0, 0);
            if self.bad_windows == PATIENCE && can_grow {
                self.grow();
            }
        }
    }

    /// More room, for what is known and more.
    #[cold]
    fn grow(&mut self) {
        let larger = vec![NOTHING; (self.entries.len() * FACTOR).min(MOST)];
        for entry in std::mem::replace(&mut self.entries, larger) {
            if entry.cluster > 0 {
                let home = self.home(entry.cluster as usize - 1, entry.key);
                self.entries[home] = entry;
            }
        }
        self.bad_windows = 0;
    }

    /// Whether it is still worth to ask.
    #[inline]
    pub(super) fn is_of_use(&self) -> bool {
        self.bad_windows < PATIENCE
    }
}

/// Clusters whose leaves another one has too go with that one.
fn absorbed(mut clusters: Vec<Cluster>) -> Vec<Cluster> {
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.leaves.len()));
    let mut kept: Vec<Cluster> = Vec::new();
    for cluster in clusters {
        let is_part = |other: &&mut Cluster| cluster.leaves.iter().all(|leaf| other.leaves.contains(leaf));
        match kept.iter_mut().find(is_part) {
            Some(other) => other.groups.extend(cluster.groups),
            None => kept.push(cluster),
        }
    }
    kept
}

fn set_masks(clusters: &mut [Cluster], layout: &Layout) {
    for cluster in clusters {
        cluster.mask = cluster.leaves.iter().map(|&leaf| layout.mask(leaf)).fold(0, std::ops::BitOr::bitor);
    }
}
