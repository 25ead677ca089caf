//! The strategies: in which order images are taken until nothing is new.

use engine::{Control, StopReason};
use ldd::{Ldd, Schedule, Store};
use model::Model;

use crate::options::{Options, Strategy};
use crate::search::{Search, Stop};

/// All reachable states, and what was learned on the way.
pub struct Reached {
    /// The states.
    pub states: Ldd,
    /// Levels, the initial state's included, where the strategy has them.
    pub levels: Option<u64>,
    /// Next-state and guard calls.
    pub calls: u64,
    /// The states in which a group fails or meets a limit: what would follow them is not known.
    pub failing: Ldd,
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
        let failing = search.failing(&states)?.any(store)?;
        let oracle = &search.relations.oracle;
        Ok(Reached { states, levels, calls: oracle.group_calls() + oracle.guard_calls(), failing })
    };
    found().map_err(|Stop(reason)| reason)
}

impl Search<'_> {
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
    fn heights(&self) -> Vec<Schedule> {
        let same = |a: &usize, b: &usize| self.relations.top(*a) == self.relations.top(*b);
        self.order.chunk_by(same).map(|groups| self.relations.schedule_of(groups)).collect()
    }

    /// The least set that holds this one and is closed under the groups of a schedule.
    fn close(&mut self, set: &Ldd, schedule: &Schedule) -> Result<Ldd, Stop> {
        self.store.set_threads(self.needed());
        let closed = self.relations.close(set, schedule);
        let closed = self.closed(closed)?;
        if closed != *set {
            self.level += 1;
            self.monitor.reached = Some(closed.clone());
        }
        self.check()?;
        Ok(closed)
    }

    /// A closure, or what is known of it if it was broken off.
    fn closed(&mut self, closed: Result<Ldd, ldd::Stop>) -> Result<Ldd, Stop> {
        let part = self.relations.oracle.take_reached();
        if closed.is_err() && part.is_some() {
            self.monitor.reached = part;
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
            self.monitor.reached = Some(reached.clone());
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
        self.monitor.reached = Some(initial.clone());
        self.check()?;
        let closed = self.relations.saturate(&initial);
        let reached = self.closed(closed)?;
        self.monitor.reached = Some(reached.clone());
        // What touches no slot at all leads nowhere, but may fail, and is a step.
        for group in 0..self.relations.groups() {
            self.relations.learn(group, &reached)?;
        }
        Ok((reached, None))
    }
}
