//! The strategies: in which order images are taken until nothing is new.

use engine::{Control, Pattern, Progress, StopReason};
use ldd::{Ldd, Plan, Store};
use model::Model;

use crate::caller::Caller;
use crate::relations::Relations;
use crate::watch::Watch;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// In which order.
    pub strategy: Strategy,
    /// Ask guards on their own.
    pub split_guards: Split,
    /// Tell reads from writes.
    pub separate: bool,
    /// Apply separable effects as they are, without learning them. Not where reads are not told from writes,
    /// nor where actions are asked for.
    pub use_effects: bool,
    /// Threads that work on it together.
    pub threads: usize,
    /// With so many nodes in use there are sets that are worth threads of their own; `sat` and `sat-fix` take
    /// them from the start.
    pub many_nodes: usize,
}

impl Options {
    /// A strategy with all that makes it fast, in one thread.
    pub fn new(strategy: Strategy) -> Self {
        let many_nodes = 1 << 14;
        Self {
            strategy,
            split_guards: Split::Auto,
            separate: true,
            use_effects: true,
            threads: 1,
            many_nodes,
        }
    }
}

/// Whether guards are asked on their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// All guards.
    On,
    /// None.
    Off,
    /// Those of groups that were asked for so many short vectors.
    After(u64),
    /// Those of groups that were asked for many: guards cost operations on sets, and save calls.
    Auto,
}

/// So many short vectors are many for a group whose calls take no longer than an operation on sets, …
const MANY: u64 = 1 << 19;
/// … and so many for one whose calls are slow.
const MANY_SLOW: u64 = 1 << 10;

/// Of the memory, one part in so many is for what groups were seen to do.
const MEMO_PARTS: u64 = 32;

impl Split {
    /// How many short vectors a group of this model is asked for as a whole, if its guards are ever to be
    /// asked on their own.
    pub(crate) fn from(self, model: &dyn Model) -> Option<u64> {
        match self {
            Self::Off => None,
            Self::On => Some(0),
            Self::After(count) => Some(count),
            Self::Auto => Some(if model.has_slow_calls() { MANY_SLOW } else { MANY }),
        }
    }
}

/// The strategies, by LTSmin's names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Level by level, images of the last level.
    BfsPrev,
    /// Level by level, images of all states.
    Bfs,
    /// Group by group, each seeing what the ones before it found, beginning with the last level.
    ChainPrev,
    /// The same, with all states.
    Chain,
    /// The groups that begin lowest until nothing is new, then those above; where these find something, down
    /// again.
    SatLike,
    /// The same, but down again only when the highest are done.
    SatLoop,
    /// Relations are learned for all states, then closed by saturation, until nothing is new.
    SatFix,
    /// Saturation, with relations that are learned while it goes on.
    Sat,
}

impl Strategy {
    /// All strategies.
    pub const ALL: &[Self] = &[
        Self::BfsPrev,
        Self::Bfs,
        Self::ChainPrev,
        Self::Chain,
        Self::SatLike,
        Self::SatLoop,
        Self::SatFix,
        Self::Sat,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::BfsPrev => "bfs-prev",
            Self::Bfs => "bfs",
            Self::ChainPrev => "chain-prev",
            Self::Chain => "chain",
            Self::SatLike => "sat-like",
            Self::SatLoop => "sat-loop",
            Self::SatFix => "sat-fix",
            Self::Sat => "sat",
        }
    }

    /// Whether it goes level by level, so that it knows how far away states are.
    pub fn has_levels(self) -> bool {
        matches!(self, Self::BfsPrev | Self::Bfs)
    }
}

/// All reachable states, and what was learned on the way.
pub struct Reached {
    /// The states.
    pub states: Ldd,
    /// Levels, the initial state's included, where the strategy has them.
    pub levels: Option<u64>,
    /// Next-state and guard calls.
    pub calls: u64,
    /// The states in which the model fails: what would follow them is not known.
    pub failing: Ldd,
}

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
    order: Vec<usize>,
    pub threads: usize,
    many_nodes: usize,
    /// For all but groups and guards.
    pub caller: Caller<'m>,
    /// The actions that properties ask for.
    pub patterns: Vec<Pattern>,
    pub level: u64,
    /// Who looks on.
    pub watch: Watch,
}

/// Searches all states.
pub fn reach(
    model: &dyn Model,
    options: Options,
    store: &Store,
    control: &Control,
) -> Result<Reached, StopReason> {
    let found = || {
        let mut search = Search::new(model, options, Vec::new(), store, control)?;
        let (states, levels) = search.run(options.strategy)?;
        let failing = search.failing(&states)?;
        let oracle = &search.relations.oracle;
        Ok(Reached { states, levels, calls: oracle.group_calls() + oracle.guard_calls(), failing })
    };
    found().map_err(|Stop(reason)| reason)
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
        let relations = Relations::new(model, store, options, patterns.clone(), memo_bytes)?;
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
            caller: Caller::new(model),
            patterns,
            level: 1,
            watch: Watch::default(),
        })
    }

    /// All reachable states, and the number of levels where the strategy has them.
    pub fn run(&mut self, strategy: Strategy) -> Result<(Ldd, Option<u64>), Stop> {
        let initial = self.store.vector(self.model.initial())?;
        self.store.set_threads(self.threads);
        match strategy {
            Strategy::BfsPrev => self.bfs(initial, true),
            Strategy::Bfs => self.bfs(initial, false),
            Strategy::ChainPrev => self.chain(initial, true),
            Strategy::Chain => self.chain(initial, false),
            Strategy::SatLike => self.sat_like(initial),
            Strategy::SatLoop => self.sat_loop(initial),
            Strategy::SatFix => self.sat_fix(initial),
            Strategy::Sat => self.sat(initial),
        }
    }

    /// An operation by all threads that there is work for.
    fn together<T>(&self, work: impl FnOnce(&Store) -> T) -> T {
        self.store.together(self.needed(), self.model.initial().len(), || work(&self.store))
    }

    fn check(&self) -> Result<(), Stop> {
        self.tell();
        let statistics = self.store.statistics();
        let nodes = Some(statistics.nodes as u64);
        let progress = Progress { level: self.level, memory: statistics.bytes, nodes, ..Progress::default() };
        if self.watch.is_last_look {
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
    fn needed(&self) -> usize {
        if self.store.statistics().nodes >= self.many_nodes { self.threads } else { 1 }
    }

    fn bfs(&mut self, initial: Ldd, prev: bool) -> Result<(Ldd, Option<u64>), Stop> {
        let (mut reached, mut level) = (initial.clone(), initial);
        loop {
            let next = self.successors(if prev { &level } else { &reached }, &reached)?;
            self.expanded(&level, &reached)?;
            level = self.together(|store| store.minus(&next, &reached))?;
            if level.is_empty() {
                return Ok((reached, Some(self.level)));
            }
            self.may_go_deeper()?;
            self.level += 1;
            reached = next;
        }
    }

    fn chain(&mut self, initial: Ldd, prev: bool) -> Result<(Ldd, Option<u64>), Stop> {
        let (mut reached, mut level) = (initial.clone(), initial);
        loop {
            self.store.set_threads(self.needed());
            let next = self.relations.round(if prev { &level } else { &reached })?;
            self.check()?;
            self.expanded(&level, &reached)?;
            level = self.together(|store| store.minus(&next, &reached))?;
            if level.is_empty() {
                return Ok((reached, None));
            }
            self.level += 1;
            reached = if prev { self.together(|store| store.union(&reached, &level))? } else { next };
        }
    }

    /// Plans of the groups that begin at the same height, from the lowest on.
    fn heights(&self) -> Vec<Plan> {
        let same = |a: &usize, b: &usize| self.relations.top(*a) == self.relations.top(*b);
        self.order.chunk_by(same).map(|groups| self.relations.plan_of(groups)).collect()
    }

    /// The least set that holds this one and is closed under the groups of a plan.
    fn close(&mut self, set: &Ldd, plan: &Plan) -> Result<Ldd, Stop> {
        self.store.set_threads(self.needed());
        let closed = self.relations.close(set, plan);
        let closed = self.closed(closed)?;
        if closed != *set {
            self.level += 1;
            self.watch.reached = Some(closed.clone());
        }
        self.check()?;
        Ok(closed)
    }

    /// A closure, or what is known of it if it was broken off.
    fn closed(&mut self, closed: Result<Ldd, ldd::Stop>) -> Result<Ldd, Stop> {
        let part = self.relations.oracle.take_reached();
        if closed.is_err() && part.is_some() {
            self.watch.reached = part;
        }
        Ok(closed?)
    }

    fn sat_like(&mut self, initial: Ldd) -> Result<(Ldd, Option<u64>), Stop> {
        let (heights, mut reached) = (self.heights(), initial);
        let mut at = 0;
        while at < heights.len() {
            let before = reached.clone();
            reached = self.close(&reached, &heights[at])?;
            at = if reached == before || at == 0 { at + 1 } else { 0 };
        }
        Ok((reached, None))
    }

    fn sat_loop(&mut self, initial: Ldd) -> Result<(Ldd, Option<u64>), Stop> {
        let (heights, mut reached) = (self.heights(), initial);
        loop {
            let before = reached.clone();
            for height in &heights {
                reached = self.close(&reached, height)?;
            }
            if reached == before {
                return Ok((reached, None));
            }
        }
    }

    fn sat_fix(&mut self, initial: Ldd) -> Result<(Ldd, Option<u64>), Stop> {
        let mut reached = initial;
        loop {
            for at in 0..self.order.len() {
                self.relations.learn(self.order[at], &reached)?;
                self.check()?;
            }
            self.watch.reached = Some(reached.clone());
            let closed = self.relations.saturate_known(&reached);
            let closed = self.closed(closed)?;
            if closed == reached {
                return Ok((reached, None));
            }
            self.level += 1;
            reached = closed;
        }
    }

    fn sat(&mut self, initial: Ldd) -> Result<(Ldd, Option<u64>), Stop> {
        self.watch.reached = Some(initial.clone());
        self.check()?;
        let closed = self.relations.saturate(&initial);
        let reached = self.closed(closed)?;
        self.watch.reached = Some(reached.clone());
        // What touches no slot at all leads nowhere, but may fail, and is a step.
        for group in 0..self.relations.groups() {
            self.relations.learn(group, &reached)?;
        }
        Ok((reached, None))
    }
}
