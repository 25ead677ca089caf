//! Where groups move, fail and act: sets of states made from sets of short vectors, without a look at a
//! single state. All of it is for sets that were expanded, which means that all groups were asked for them.
//!
//! With guards split, a group is enabled where all its guards are true. It fails where a guard cannot be
//! evaluated and none is false (Meijer 2014, algorithms 21 and 22, ask such states to be reported). There the
//! group as a whole must fail as well. If it does not, the language breaks its promise, and that is reported.

use base::{GroupIx, GuardIx};
use engine::{Progress, StopReason};
use ldd::{Ldd, Store};
use model::EvalError;

use crate::relations::What;
use crate::search::{Search, Stop};

/// States in which a group fails. A state is in both sets if one group fails so and another one so.
pub(crate) struct Failing {
    /// By an error of the model.
    pub errors: Ldd,
    /// By a limit of the tool.
    pub limited: Ldd,
}

impl Failing {
    /// In which one fails in any way.
    pub fn any(&self, store: &Store) -> Result<Ldd, ldd::Stop> {
        store.union(&self.errors, &self.limited)
    }
}

impl Search<'_> {
    /// The states of a set without successors. States in which a group fails are none of them: it might have
    /// had some.
    pub fn deadlocks(&mut self, set: &Ldd) -> Result<Ldd, Stop> {
        // What is known in full leads on from where it does, whoever was asked: one walk tells of all of it.
        let (known, learned): (Vec<usize>, Vec<usize>) =
            (0..self.relations.groups()).partition(|&group| self.relations.is_known(group));
        let relation =
            |group: usize| self.relations.known(self.relations.relation_of(group)).relation().clone();
        let known: Vec<ldd::Relation> = known.into_iter().map(relation).collect();
        let mut rest = self.store.deadlocks(set, &known)?;
        for group in learned {
            if rest.is_empty() {
                return Ok(rest);
            }
            let enabled = self.relations.learn(group, &rest)?;
            let relation = self.relations.known(self.relations.relation_of(group)).relation();
            let moving = self.store.enabled(&enabled, relation)?;
            rest = self.store.minus(&rest, &moving)?;
        }
        let failing = self.failing(&rest)?.any(&self.store)?;
        Ok(self.store.minus(&rest, &failing)?)
    }

    /// The states of a set in which a group fails.
    pub fn failing(&mut self, set: &Ldd) -> Result<Failing, Stop> {
        let mut failing = Failing { errors: self.store.empty(), limited: self.store.empty() };
        for group in 0..self.relations.groups() {
            let enabled = self.relations.learn(group, set)?;
            let relation = self.relations.relation_of(group);
            let observed = self.relations.observed(relation)?;
            let observed = [observed.failed.clone(), observed.limited.clone()];
            for (shorts, states) in observed.into_iter().zip([&mut failing.errors, &mut failing.limited]) {
                if !shorts.is_empty() {
                    let kept = self.relations.known(relation).kept();
                    *states = self.store.union(states, &self.store.select(&enabled, &shorts, &kept)?)?;
                }
            }
            let undefined = self.undefined(group, set)?;
            failing.errors = self.store.union(&failing.errors, &undefined.errors)?;
            failing.limited = self.store.union(&failing.limited, &undefined.limited)?;
        }
        Ok(failing)
    }

    /// The limit of the tool that a group meets in the first of some states in which one does.
    pub fn limit_in(&mut self, states: &Ldd) -> Option<StopReason> {
        let state = self.store.first(states)?;
        self.caller.state.copy_from_slice(&state);
        let groups = self.model.signature().group_ixs();
        let mut errors = groups.filter_map(|group| self.caller.group(group).err());
        let limit = errors.find(EvalError::is_limit).map(|limit| StopReason::of_limit(&limit.kind))?;
        // A call that was interrupted does not know why.
        let told = (limit == StopReason::Interrupted)
            .then(|| self.control.check(Progress { memory: self.model.bytes(), ..Progress::default() }));
        Some(told.flatten().unwrap_or(limit))
    }

    /// The states of a set with a step whose action matches the pattern with this number.
    pub fn acting(&mut self, pattern: usize, set: &Ldd) -> Result<Ldd, Stop> {
        let mut acting = self.store.empty();
        for group in 0..self.relations.groups() {
            let enabled = self.relations.learn(group, set)?;
            let relation = self.relations.relation_of(group);
            let matching = self.relations.observed(relation)?.matching.get(pattern).cloned();
            let Some(matching) = matching.filter(|matching| !matching.is_empty()) else { continue };
            let matching = self.store.select(&enabled, &matching, &self.relations.known(relation).kept())?;
            acting = self.store.union(&acting, &matching)?;
        }
        Ok(acting)
    }

    /// The states of a set in which a guard of a group cannot be evaluated and none is false.
    fn undefined(&mut self, group: usize, set: &Ldd) -> Result<Failing, Stop> {
        let guards = self.relations.guards(group).to_vec();
        let (mut is_ever_undefined, mut enabled, mut not_false) = (false, set.clone(), set.clone());
        for &guard in &guards {
            is_ever_undefined |= !self.relations.observed(guard)?.failed.is_empty();
        }
        if !is_ever_undefined {
            return Ok(Failing { errors: self.store.empty(), limited: self.store.empty() });
        }
        for &guard in &guards {
            self.relations.learn_relation(guard, &not_false)?;
            let undefined = self.relations.observed(guard)?.failed.clone();
            let known = self.relations.known(guard);
            let undefined = self.store.select(&not_false, &undefined, &known.kept())?;
            enabled = self.store.enabled(&enabled, known.relation())?;
            not_false = self.store.union(&self.store.enabled(&not_false, known.relation())?, &undefined)?;
        }
        let undefined = self.store.minus(&not_false, &enabled)?;
        self.check_undefined(group, undefined, &guards)
    }

    /// A guard may be impossible to evaluate where the group fails, and nowhere else.
    fn check_undefined(&mut self, at: usize, undefined: Ldd, guards: &[usize]) -> Result<Failing, Stop> {
        let group = GroupIx::new(at);
        let reads = &self.model.dependencies().read;
        let kept: Vec<bool> = (0..reads.columns()).map(|slot| reads.get(group.ix(), slot)).collect();
        let shorts = self.store.project(&undefined, &kept)?;
        let (mut wrong, mut limited): (Option<Vec<u32>>, Vec<Vec<u32>>) = (None, Vec::new());
        let caller = &mut self.caller;
        self.store.for_each(&shorts, |short| {
            caller.place(&kept, short);
            match caller.group(group) {
                Ok(()) => wrong = Some(short.to_vec()),
                Err(error) if error.is_limit() => limited.push(short.to_vec()),
                Err(_) => {}
            }
            wrong.is_none() && !caller.is_halted()
        });
        if self.caller.is_halted() {
            return Err(ldd::Stop::Interrupted.into());
        }
        let Some(short) = wrong else {
            if limited.is_empty() {
                return Ok(Failing { errors: undefined, limited: self.store.empty() });
            }
            let limited = self.store.vectors(limited.iter().map(Vec::as_slice))?;
            let limited = self.store.select(&undefined, &limited, &kept)?;
            return Ok(Failing { errors: self.store.minus(&undefined, &limited)?, limited });
        };
        let example = self.store.select(&undefined, &self.store.vector(&short)?, &kept)?;
        let state = self.store.first(&example).expect("BUG: the short vector is of one of the states");
        let signature = self.model.signature();
        let guard = self.first_undefined(&state, guards)?.map(|guard| &signature.guards[guard.ix()].name);
        Err(Stop(StopReason::Internal(format!(
            "the guard `{}` of `{}` cannot be evaluated where no other guard is false, yet the group does not fail there",
            guard.map_or("?", String::as_str),
            signature.groups[group.ix()].name
        ))))
    }

    /// The first of these guards that cannot be evaluated in the state.
    fn first_undefined(&mut self, state: &[u32], guards: &[usize]) -> Result<Option<GuardIx>, Stop> {
        for &guard in guards {
            let undefined = self.relations.observed(guard)?.failed.clone();
            let kept = self.relations.known(guard).kept();
            let short: Vec<u32> =
                state.iter().zip(kept).filter(|(_, kept)| *kept).map(|(value, _)| *value).collect();
            if let What::Guard(guard) = self.relations.oracle.what(guard)
                && self.store.contains(&undefined, &short)
            {
                return Ok(Some(guard));
            }
        }
        Ok(None)
    }
}
