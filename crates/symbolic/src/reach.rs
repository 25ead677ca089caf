//! The strategies: in which order images are taken until nothing is new.

use engine::{Control, Progress, StopReason};
use ldd::{Ldd, Store};
use model::Model;

use crate::group::{Caller, Group, Separation};
use crate::guards::Guards;
use crate::watch::Watch;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// In which order.
    pub strategy: Strategy,
    /// Ask guards on their own. [`Strategy::SatFix`] does not.
    pub split_guards: bool,
    /// Tell reads from writes.
    pub separate: bool,
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
    /// Relations are learned for all states, then closed by saturation, until nothing is new.
    SatFix,
}

impl Strategy {
    /// All strategies.
    pub const ALL: &[Self] = &[Self::BfsPrev, Self::Bfs, Self::ChainPrev, Self::Chain, Self::SatFix];

    /// Whether guards can be asked on their own. A closure applies relations where it comes to, so theirs must be a part of them.
    pub fn splits_guards(self) -> bool {
        self != Self::SatFix
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
    pub groups: Vec<Group>,
    pub guards: Option<Guards>,
    pub caller: Caller<'m>,
    pub level: u64,
    /// Who looks on.
    pub watch: Watch,
}

/// Searches all states.
pub fn reach(model: &dyn Model, options: Options, store: &Store, control: &Control) -> Result<Reached, StopReason> {
    let mut search = Search::new(model, options, store, control);
    let result = search.run(options.strategy).and_then(|(states, levels)| {
        let failing = search.failing(&states)?;
        let calls = search.caller.calls;
        Ok(Reached { states, levels, calls: calls.next_state + calls.guards, failing })
    });
    result.map_err(|Stop(reason)| reason)
}

impl<'m> Search<'m> {
    /// A search that has not begun.
    pub fn new(model: &'m dyn Model, options: Options, store: &Store, control: &'m Control) -> Self {
        let split_guards = options.split_guards && options.strategy.splits_guards();
        let separation = if options.separate { Separation::Separate } else { Separation::Together };
        let group = |group| Group::new(model, group, store, separation, split_guards);
        let mut groups: Vec<Group> = model.signature().group_ixs().map(group).collect();
        // Lower groups first: what they find, the ones above can use.
        groups.sort_by_key(|group| group.top());
        Self {
            store: store.clone(),
            control,
            model,
            groups,
            guards: split_guards.then(|| Guards::new(model, store)),
            caller: Caller::new(model),
            level: 1,
            watch: Watch::default(),
        }
    }

    /// All reachable states, and the number of levels where the strategy has them.
    pub fn run(&mut self, strategy: Strategy) -> Result<(Ldd, Option<u64>), Stop> {
        let initial = self.store.vector(self.model.initial())?;
        match strategy {
            Strategy::BfsPrev => self.bfs(initial, true),
            Strategy::Bfs => self.bfs(initial, false),
            Strategy::ChainPrev => self.chain(initial, true),
            Strategy::Chain => self.chain(initial, false),
            Strategy::SatFix => self.sat_fix(initial),
        }
    }

    /// sum ∪ the successors of a set through a group.
    pub fn step(&mut self, group: usize, set: &Ldd, sum: &Ldd) -> Result<Ldd, Stop> {
        let group = &mut self.groups[group];
        let guards = &self.model.signature().groups[group.group.ix()].guards;
        let enabled = match &mut self.guards {
            Some(known) => known.select(&self.store, set, guards, &mut self.caller)?.0,
            None => set.clone(),
        };
        if enabled.is_empty() {
            return Ok(sum.clone());
        }
        group.learn(&self.store, &enabled, &mut self.caller, self.guards.as_ref())?;
        Ok(self.store.image(&enabled, &group.relation, sum)?)
    }

    fn check(&self) -> Result<(), Stop> {
        self.tell();
        let statistics = self.store.statistics();
        let nodes = Some(statistics.nodes as u64);
        let progress = Progress { level: self.level, memory: statistics.bytes, nodes, ..Progress::default() };
        self.control.check(progress).map_or(Ok(()), |reason| Err(Stop(reason)))
    }

    fn bfs(&mut self, initial: Ldd, prev: bool) -> Result<(Ldd, Option<u64>), Stop> {
        let (mut reached, mut level) = (initial.clone(), initial);
        loop {
            let mut next = self.store.empty();
            for group in 0..self.groups.len() {
                let from = if prev { &level } else { &reached }.clone();
                next = self.step(group, &from, &next)?;
                self.check()?;
            }
            self.expanded(&level, &reached)?;
            level = self.store.minus(&next, &reached)?;
            if level.is_empty() {
                return Ok((reached, Some(self.level)));
            }
            self.may_go_deeper()?;
            self.level += 1;
            reached = self.store.union(&reached, &level)?;
        }
    }

    fn chain(&mut self, initial: Ldd, prev: bool) -> Result<(Ldd, Option<u64>), Stop> {
        let (mut reached, mut level) = (initial.clone(), initial);
        loop {
            let mut new = if prev { level.clone() } else { reached.clone() };
            for group in 0..self.groups.len() {
                let from = new.clone();
                new = self.step(group, &from, &from)?;
                self.check()?;
            }
            self.expanded(&level, &reached)?;
            level = self.store.minus(&new, &reached)?;
            if level.is_empty() {
                return Ok((reached, None));
            }
            self.level += 1;
            reached = self.store.union(&reached, &level)?;
        }
    }

    fn sat_fix(&mut self, initial: Ldd) -> Result<(Ldd, Option<u64>), Stop> {
        let mut reached = initial;
        loop {
            for group in 0..self.groups.len() {
                let from = reached.clone();
                let group = &mut self.groups[group];
                group.learn(&self.store, &from, &mut self.caller, None)?;
                self.check()?;
            }
            let relations: Vec<_> = self.groups.iter().map(|group| group.relation.clone()).collect();
            self.watch.reached = Some(reached.clone());
            let closed = self.store.closure(&reached, &relations)?;
            if closed == reached {
                return Ok((reached, None));
            }
            reached = closed;
        }
    }
}
