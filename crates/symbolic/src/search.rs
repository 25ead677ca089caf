//! The state of a search: the store, the relations as far as they are learned, and who looks on.

use std::sync::atomic::Ordering;

use engine::{Control, Pattern, Progress, StopReason};
use ldd::{Ldd, Store};
use model::Model;

use crate::caller::Caller;
use crate::monitor::Monitor;
use crate::options::Options;
use crate::relations::Relations;

/// Of the memory, one part in so many is for what groups were seen to do.
const MEMO_PARTS: u64 = 32;

/// Why a search ended early.
pub(crate) struct Stop(pub StopReason);

impl From<ldd::Stop> for Stop {
    fn from(stop: ldd::Stop) -> Self {
        Self(match stop {
            ldd::Stop::OutOfNodes => StopReason::Memory,
            ldd::Stop::Interrupted => StopReason::Interrupted,
        })
    }
}

pub(crate) struct Search<'m> {
    pub store: Store,
    pub control: &'m Control,
    pub model: &'m dyn Model,
    pub relations: Relations<'m>,
    /// The groups, those that begin lowest first: what they find, the ones above can use.
    pub order: Vec<usize>,
    pub threads: usize,
    many_nodes: usize,
    /// For all but groups and guards.
    pub caller: Caller<'m>,
    /// The actions that properties ask for.
    pub patterns: Vec<Pattern>,
    pub level: u64,
    /// Who looks on.
    pub monitor: Monitor,
}

impl<'m> Search<'m> {
    /// A search that has not begun, and looks out for actions of these patterns.
    pub fn new(
        model: &'m dyn Model,
        options: Options,
        patterns: Vec<Pattern>,
        store: &Store,
        control: &'m Control,
    ) -> Result<Self, Stop> {
        let memo_bytes = control.limits.memory.map_or(u64::MAX, |memory| memory / MEMO_PARTS);
        let mut relations = Relations::new(model, store, options, patterns.clone(), memo_bytes)?;
        relations.oracle.stop = control.stop_signal();
        let mut order: Vec<usize> = (0..relations.groups()).collect();
        order.sort_by_key(|&group| relations.top(group));
        Ok(Self {
            store: store.clone(),
            control,
            model,
            relations,
            order,
            threads: options.threads,
            many_nodes: options.many_nodes,
            caller: Caller::new(model, &control.stop_signal()),
            patterns,
            level: 1,
            monitor: Monitor::default(),
        })
    }

    /// An operation by all threads that there is work for.
    pub fn together<T>(&self, work: impl FnOnce(&Store) -> T) -> T {
        self.store.together(self.needed(), self.model.initial().len(), || work(&self.store))
    }

    pub fn check(&self) -> Result<(), Stop> {
        self.monitor.progress.level.store(self.level, Ordering::Relaxed);
        let statistics = self.store.statistics();
        let nodes = Some(statistics.nodes as u64);
        let progress = Progress { level: self.level, memory: statistics.bytes, nodes, ..Progress::default() };
        if self.monitor.is_last_look {
            return Ok(());
        }
        self.control.check(progress).map_or(Ok(()), |reason| Err(Stop(reason)))
    }

    /// sum ∪ the successors of a set.
    pub fn successors(&mut self, set: &Ldd, sum: &Ldd) -> Result<Ldd, Stop> {
        self.store.set_threads(self.needed());
        let next = self.relations.advance(set, sum)?;
        self.check()?;
        Ok(next)
    }

    /// How many threads there is work for: small sets are not worth one of their own.
    pub fn needed(&self) -> usize {
        if self.store.statistics().nodes >= self.many_nodes { self.threads } else { 1 }
    }
}
