//! Shortest runs to violations. Breadth-first levels from the initial state are searched until one meets the
//! violating states; from there the run goes back, level by level, one state each.
//!
//! A breadth-first search has kept its levels. After any other search levels are made now:
//!
//! - After a search that found all states, levels grow forwards from the initial state and backwards from the
//!   violating states, inside the states that are known. The side whose last level has fewer nodes grows
//!   next, until both meet. The model is asked nothing.
//! - After a chain that a violation ended, levels grow forwards only and the model may be asked: a shorter
//!   run can lead through states that the chain did not find.

use engine::{Path, StopReason};
use ldd::Ldd;

use crate::backward::Backward;
use crate::questions::{Inspection, QuestionKind, Questions};
use crate::search::{Search, Stop};

/// The levels of a breadth-first search, as far as they are needed.
struct Levels {
    levels: Vec<Ldd>,
    /// All states of these levels, if more can be added.
    reached: Option<Ldd>,
}

impl Search<'_> {
    /// For each property that is violated a shortest run, or why there is none.
    ///
    /// `is_whole` says that the look saw all violations there are, at least of the levels that were kept;
    /// `reached` are all states, if they are known.
    pub fn witnesses(
        &mut self,
        inspection: &Inspection,
        is_whole: bool,
        reached: Option<&Ldd>,
        questions: &mut Questions,
    ) -> Vec<Option<Result<Path, StopReason>>> {
        let mut paths: Vec<_> = inspection.violating.iter().map(|_| None).collect();
        let violated = |property: &usize| !inspection.violating[*property].is_empty();
        let mut pending: Vec<usize> = (0..inspection.violating.len()).filter(violated).collect();
        let found = match reached.filter(|_| is_whole && self.monitor.levels.is_none()) {
            Some(reached) => self.find_paths_inside(reached, inspection, questions, &mut pending, &mut paths),
            None => self.find_paths(inspection, is_whole, questions, &mut pending, &mut paths),
        };
        if let Err(Stop(reason)) = found {
            // Whatever was still waiting, or in hand when it was stopped: what is violated does not hold.
            for property in (0..paths.len()).filter(violated) {
                paths[property].get_or_insert_with(|| Err(reason.clone()));
            }
        }
        paths
    }

    fn find_paths(
        &mut self,
        inspection: &Inspection,
        is_whole: bool,
        questions: &mut Questions,
        pending: &mut Vec<usize>,
        paths: &mut [Option<Result<Path, StopReason>>],
    ) -> Result<(), Stop> {
        let mut levels = self.kept_levels()?;
        let mut number = 0;
        while !pending.is_empty() {
            if number == levels.levels.len() && !self.add_level(&mut levels)? {
                return Err(Stop(StopReason::Internal("no run leads to a state that was found".into())));
            }
            let level = levels.levels[number].clone();
            let seen = if is_whole { None } else { Some(self.inspect(&level, questions)?) };
            for property in std::mem::take(pending) {
                let meeting = match &seen {
                    Some(seen) => seen.violating[property].clone(),
                    None => self.store.intersect(&level, &inspection.violating[property])?,
                };
                match self.store.first(&meeting) {
                    Some(state) => {
                        let path = self.path_to(state, &levels.levels[..number])?;
                        paths[property] = Some(self.ended(path, questions.kinds[property]));
                    }
                    None => pending.push(property),
                }
            }
            number += 1;
        }
        Ok(())
    }

    /// The same inside all states there are.
    fn find_paths_inside(
        &mut self,
        reached: &Ldd,
        inspection: &Inspection,
        questions: &Questions,
        pending: &mut Vec<usize>,
        paths: &mut [Option<Result<Path, StopReason>>],
    ) -> Result<(), Stop> {
        let mut forwards = self.kept_levels()?;
        if pending.is_empty() {
            return Ok(());
        }
        let backward = self.backward(reached)?;
        while let Some(&property) = pending.last() {
            let states = self.meet(&mut forwards, inspection.violating[property].clone(), &backward)?;
            paths[property] = Some(self.ended(states, questions.kinds[property]));
            pending.pop();
        }
        Ok(())
    }

    /// A shortest run from the initial state to one of these.
    fn meet(
        &mut self,
        forwards: &mut Levels,
        target: Ldd,
        backward: &Backward,
    ) -> Result<Vec<Vec<u32>>, Stop> {
        // Levels that are there already.
        for number in 0..forwards.levels.len() {
            let meeting = self.store.intersect(&forwards.levels[number], &target)?;
            if let Some(state) = self.store.first(&meeting) {
                return self.path_to(state, &forwards.levels[..number]);
            }
        }
        // Each round adds one to the sum of both distances, so the first meeting is a nearest one.
        let (mut backwards, mut known) = (vec![target.clone()], target);
        loop {
            let size = |levels: &[Ldd]| {
                let nodes = |level| self.store.node_count_while(level, || !self.caller.is_halted());
                levels.last().map_or(Some(0), nodes).ok_or(ldd::Stop::Interrupted)
            };
            if size(&forwards.levels)? <= size(&backwards)? {
                self.add_level(forwards)?;
            } else {
                let previous = self.predecessors(&backwards[backwards.len() - 1], backward)?;
                let level = self.store.minus(&previous, &known)?;
                known = self.store.union(&known, &level)?;
                backwards.push(level);
            }
            let (Some(front), Some(back)) = (forwards.levels.last(), backwards.last()) else { continue };
            if front.is_empty() || back.is_empty() {
                return Err(Stop(StopReason::Internal("no run leads to a state that was found".into())));
            }
            let meeting = self.store.intersect(front, back)?;
            if let Some(state) = self.store.first(&meeting) {
                let mut states = self.path_to(state, &forwards.levels[..forwards.levels.len() - 1])?;
                self.go_on(&mut states, &backwards[..backwards.len() - 1])?;
                return Ok(states);
            }
        }
    }

    /// Goes on with a run through these levels, from the last to the first.
    fn go_on(&mut self, states: &mut Vec<Vec<u32>>, levels: &[Ldd]) -> Result<(), Stop> {
        for level in levels.iter().rev() {
            let last = self.store.vector(states.last().expect("BUG: the run has a last state"))?;
            let next = self.successors(&last, &self.store.empty())?;
            let next = self.store.first(&self.store.intersect(&next, level)?);
            states.push(
                next.ok_or_else(|| Stop(StopReason::Internal("a run back does not lead forth".into())))?,
            );
        }
        Ok(())
    }

    fn kept_levels(&mut self) -> Result<Levels, Stop> {
        if let Some(levels) = self.monitor.levels.take() {
            return Ok(Levels { levels, reached: None });
        }
        let initial = self.store.vector(self.model.initial())?;
        Ok(Levels { levels: vec![initial.clone()], reached: Some(initial) })
    }

    /// Adds the next level; says whether there is one.
    fn add_level(&mut self, levels: &mut Levels) -> Result<bool, Stop> {
        let (Some(reached), Some(last)) = (&mut levels.reached, levels.levels.last()) else {
            return Ok(false);
        };
        let next = self.successors(&last.clone(), reached)?;
        let level = self.store.minus(&next, reached)?;
        *reached = next;
        let is_new = !level.is_empty();
        levels.levels.push(level);
        Ok(is_new)
    }

    /// A run through these levels, a state each, to a state of the next level.
    fn path_to(&mut self, last: Vec<u32>, levels: &[Ldd]) -> Result<Vec<Vec<u32>>, Stop> {
        let mut states = vec![last];
        for level in levels.iter().rev() {
            let target = self.store.vector(states.last().expect("BUG: the run has a last state"))?;
            states.push(self.predecessor(&target, level)?);
        }
        states.reverse();
        Ok(states)
    }

    /// A state of the level from which a step leads to the target.
    fn predecessor(&mut self, target: &Ldd, level: &Ldd) -> Result<Vec<u32>, Stop> {
        for group in 0..self.relations.groups() {
            let enabled = self.relations.learn(group, level)?;
            if let Some(state) = self.store.first(&self.step_back(group, target, &enabled)?) {
                return Ok(state);
            }
        }
        Err(Stop(StopReason::Internal("a state of a level has no predecessor in the level before".into())))
    }

    /// The run as it shows a violation: where that is an action, with the step that it is.
    fn ended(&mut self, mut states: Vec<Vec<u32>>, kind: QuestionKind) -> Result<Path, StopReason> {
        if let QuestionKind::NoAction(pattern) = kind {
            let last = states.last().expect("BUG: the run has a last state");
            let next = self.caller.acted(last, &mut self.patterns[pattern]);
            states.push(
                next.ok_or_else(|| StopReason::Internal("a state has no step with the action".into()))?,
            );
        }
        Ok(Path::run(states))
    }
}
