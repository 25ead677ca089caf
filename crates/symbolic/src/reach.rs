//! The strategies: in which order images are taken until nothing is new.

use engine::{Control, Progress, StopReason};
use ldd::{Ldd, Store};
use model::Model;

use crate::group::{Caller, Group, Separation};
use crate::guards::Guards;

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
struct Stop(StopReason);

impl From<ldd::Stop> for Stop {
    fn from(_: ldd::Stop) -> Self {
        Self(StopReason::Memory)
    }
}

struct Search<'m> {
    store: Store,
    control: &'m Control,
    model: &'m dyn Model,
    groups: Vec<Group>,
    guards: Option<Guards>,
    caller: Caller<'m>,
    level: u64,
}

/// Searches all states.
pub fn reach(model: &dyn Model, options: Options, store: &Store, control: &Control) -> Result<Reached, StopReason> {
    // A closure applies relations where it comes to, without asking guards first: theirs must be a part of them.
    let split_guards = options.split_guards && options.strategy != Strategy::SatFix;
    let separation = if options.separate { Separation::Separate } else { Separation::Together };
    let mut search = Search {
        store: store.clone(),
        control,
        model,
        groups: model
            .signature()
            .group_ixs()
            .map(|group| Group::new(model, group, store, separation, split_guards))
            .collect(),
        guards: split_guards.then(|| Guards::new(model, store)),
        caller: Caller::new(model),
        level: 1,
    };
    // Lower groups first: what they find, the ones above can use.
    search.groups.sort_by_key(|group| group.top());
    match search.run(options.strategy) {
        Ok((states, levels)) => {
            let failing = search.failing(&states).map_err(|_| StopReason::Memory)?;
            Ok(Reached { states, levels, calls: search.caller.calls, failing })
        }
        Err(Stop(reason)) => Err(reason),
    }
}

impl Search<'_> {
    fn run(&mut self, strategy: Strategy) -> Result<(Ldd, Option<u64>), Stop> {
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
    fn step(&mut self, group: usize, set: &Ldd, sum: &Ldd) -> Result<Ldd, Stop> {
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

    /// The states in which a group fails, or in which a guard cannot be evaluated and no other one is false.
    fn failing(&mut self, states: &Ldd) -> Result<Ldd, ldd::Stop> {
        let mut failing = self.store.empty();
        for group in &self.groups {
            let guards = &self.model.signature().groups[group.group.ix()].guards;
            let (enabled, open) = match &mut self.guards {
                Some(known) => known.select(&self.store, states, guards, &mut self.caller)?,
                None => (states.clone(), self.store.empty()),
            };
            let failed = self.store.select(&enabled, &group.failed, group.kept())?;
            failing = self.store.union(&failing, &self.store.union(&failed, &open)?)?;
        }
        Ok(failing)
    }

    fn check(&self) -> Result<(), Stop> {
        let statistics = self.store.statistics();
        let progress = Progress { level: self.level, memory: statistics.bytes, ..Progress::default() };
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
            level = self.store.minus(&next, &reached)?;
            if level.is_empty() {
                return Ok((reached, Some(self.level)));
            }
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
            let closed = self.store.closure(&reached, &relations)?;
            if closed == reached {
                return Ok((reached, None));
            }
            reached = closed;
        }
    }
}
