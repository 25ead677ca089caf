//! Where groups move, fail and act: sets of states made from sets of short vectors, without looking at a single state. All of
//! it holds for sets that were expanded: for which all groups were asked.
//!
//! With guards split, a group is enabled where all its guards are true. Where one cannot be evaluated and none is false, the
//! group fails (Meijer 2014, algorithms 21 and 22, ask such states to be reported); where the group itself then does not say so,
//! the language breaks its promise, and that is reported instead.

use base::GuardIx;
use engine::StopReason;
use ldd::Ldd;

use crate::reach::{Search, Stop};

impl Search<'_> {
    /// The states of a set without successors. States in which a group fails are none of them: it might have had some.
    pub fn deadlocks(&mut self, set: &Ldd) -> Result<Ldd, Stop> {
        let mut rest = set.clone();
        for at in 0..self.groups.len() {
            if rest.is_empty() {
                return Ok(rest);
            }
            let enabled = self.enabled(at, &rest)?;
            let group = &self.groups[at];
            let moving = self.store.select(&enabled, &group.seen.moving, group.kept())?;
            rest = self.store.minus(&rest, &moving)?;
        }
        let failing = self.failing(&rest)?;
        Ok(self.store.minus(&rest, &failing)?)
    }

    /// The states of a set in which a group fails.
    pub fn failing(&mut self, set: &Ldd) -> Result<Ldd, Stop> {
        let mut failing = self.store.empty();
        for at in 0..self.groups.len() {
            if !self.groups[at].seen.failed.is_empty() {
                let enabled = self.enabled(at, set)?;
                let group = &self.groups[at];
                let failed = self.store.select(&enabled, &group.seen.failed, group.kept())?;
                failing = self.store.union(&failing, &failed)?;
            }
            let open = self.open(at, set)?;
            failing = self.store.union(&failing, &open)?;
        }
        Ok(failing)
    }

    /// The states of a set with a step whose action matches the pattern with this number.
    pub fn acting(&mut self, pattern: usize, set: &Ldd) -> Result<Ldd, Stop> {
        let mut acting = self.store.empty();
        for at in 0..self.groups.len() {
            if self.groups[at].seen.matching.get(pattern).is_none_or(Ldd::is_empty) {
                continue;
            }
            let enabled = self.enabled(at, set)?;
            let group = &self.groups[at];
            let matching = self.store.select(&enabled, &group.seen.matching[pattern], group.kept())?;
            acting = self.store.union(&acting, &matching)?;
        }
        Ok(acting)
    }

    /// The states of a set in which all guards of a group are true, where they are asked on their own.
    pub fn enabled(&mut self, at: usize, set: &Ldd) -> Result<Ldd, Stop> {
        let guards = &self.model.signature().groups[self.groups[at].group.ix()].guards;
        match &mut self.guards {
            Some(known) => Ok(known.select(&self.store, set, guards, &mut self.caller)?.0),
            None => Ok(set.clone()),
        }
    }

    /// The states of a set in which a guard of a group cannot be evaluated and none is false.
    fn open(&mut self, at: usize, set: &Ldd) -> Result<Ldd, Stop> {
        let guards = &self.model.signature().groups[self.groups[at].group.ix()].guards;
        let open = match &mut self.guards {
            Some(known) if known.are_sometimes_open(guards) => {
                known.select(&self.store, set, guards, &mut self.caller)?.1
            }
            _ => return Ok(self.store.empty()),
        };
        self.check_open(at, &open, guards)?;
        Ok(open)
    }

    /// A guard may be impossible to evaluate where the group fails, and nowhere else.
    fn check_open(&mut self, at: usize, open: &Ldd, guards: &[GuardIx]) -> Result<(), Stop> {
        let group = self.groups[at].group;
        let reads = &self.model.dependencies().read;
        let kept: Vec<bool> = (0..reads.columns()).map(|slot| reads.get(group.ix(), slot)).collect();
        let shorts = self.store.project(open, &kept)?;
        let mut wrong: Option<Vec<u32>> = None;
        let mut halted = false;
        let caller = &mut self.caller;
        self.store.for_each(&shorts, |short| {
            caller.place(&kept, short);
            halted = caller.is_halted();
            if !halted && !caller.fails(group) {
                wrong = Some(short.to_vec());
            }
            !halted && wrong.is_none()
        });
        if halted {
            return Err(ldd::Stop::Interrupted.into());
        }
        let Some(short) = wrong else { return Ok(()) };
        let example = self.store.select(open, &self.store.vector(&short)?, &kept)?;
        let state = self.store.first(&example).expect("BUG: the short vector is of one of the states");
        let known = self.guards.as_ref().expect("BUG: only guards that are split are open");
        let signature = self.model.signature();
        let guard = known.open_one(&self.store, &state, guards).map(|guard| &signature.guards[guard.ix()].name);
        Err(Stop(StopReason::Internal(format!(
            "the guard `{}` of `{}` cannot be evaluated where no other guard is false, yet the group does not fail there",
            guard.map_or("?", String::as_str),
            signature.groups[group.ix()].name
        ))))
    }
}
