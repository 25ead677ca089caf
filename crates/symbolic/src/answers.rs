//! The questions of a task, put to a set of states as a whole.
//!
//! The meaning is that of the explicit engine. A *deadlock* is a state without successors in which no group
//! fails; it is a violation where it is not fine to stop. An *error* is a state in which a group or an
//! assertion fails by more than a limit of the tool, or a deadlock of which the model cannot tell whether it is fine to stop there.

use engine::{Decided, StopReason};
use ldd::Ldd;

use crate::questions::{Inspection, QuestionKind, Questions};
use crate::search::{Search, Stop};

impl Search<'_> {
    /// Looks at the states of a set; for deadlocks only if they are asked for. All groups were asked for all
    /// of them then.
    pub fn inspect(&mut self, set: &Ldd, questions: &mut Questions) -> Result<Inspection, Stop> {
        let wants_deadlocks = questions.kinds.contains(&QuestionKind::NoDeadlock);
        self.inspect_for(set, questions, wants_deadlocks)
    }

    /// The same with deadlocks in any case.
    pub fn inspect_with_deadlocks(
        &mut self,
        set: &Ldd,
        questions: &mut Questions,
    ) -> Result<Inspection, Stop> {
        self.inspect_for(set, questions, true)
    }

    fn inspect_for(
        &mut self,
        set: &Ldd,
        questions: &mut Questions,
        wants_deadlocks: bool,
    ) -> Result<Inspection, Stop> {
        let failing = self.failing(set)?;
        let mut limit = self.limit_in(&failing.limited);
        let (failing, mut errors) = (failing.any(&self.store)?, failing.errors);
        let mut zero = Vec::with_capacity(questions.labels.len());
        for label in &mut questions.labels {
            let (is_zero, failed) = label.select(&self.store, set, &mut self.caller)?;
            zero.push(is_zero);
            if !label.is_predicate {
                errors = self.store.union(&errors, &failed)?;
                limit = limit.or_else(|| label.limit_met());
            }
        }
        let deadlocks = if wants_deadlocks { Some(self.deadlocks(set)?) } else { None };
        let mut violating_deadlocks = deadlocks.clone();
        if let (Some(end), Some(deadlocks)) = (&mut questions.end, &deadlocks) {
            let (not_fine, failed) = end.select(&self.store, deadlocks, &mut self.caller)?;
            errors = self.store.union(&errors, &failed)?;
            limit = limit.or_else(|| end.limit_met());
            violating_deadlocks = Some(not_fine);
        }
        let mut violating = Vec::with_capacity(questions.kinds.len());
        for kind in &questions.kinds {
            violating.push(match *kind {
                QuestionKind::NoDeadlock => {
                    violating_deadlocks.clone().expect("BUG: deadlocks were asked for")
                }
                QuestionKind::NoError => errors.clone(),
                QuestionKind::Always(label) => zero[label].clone(),
                QuestionKind::NoAction(pattern) => self.acting(pattern, set)?,
            });
        }
        Ok(Inspection { violating, failing, errors, limit, deadlocks })
    }

    /// All groups were asked for all states of this level, or round; these states were reached before.
    pub fn expanded(&mut self, level: &Ldd, reached: &Ldd) -> Result<(), Stop> {
        self.monitor.reached = Some(reached.clone());
        if let Some(levels) = &mut self.monitor.levels {
            levels.push(level.clone());
        }
        let Some(mut questions) = self.monitor.questions.take() else { return Ok(()) };
        let inspection = self.inspect(level, &mut questions);
        self.monitor.questions = Some(questions);
        let inspection = inspection?;
        self.tell_violations(&inspection);
        if self.monitor.ends_at_violation && inspection.violating.iter().any(|states| !states.is_empty()) {
            self.monitor.found = Some(inspection);
            return Err(Stop(StopReason::OtherViolation));
        }
        Ok(())
    }

    /// Tells who wants to hear it which properties are violated.
    pub fn tell_violations(&self, inspection: &Inspection) {
        let violated = inspection.violating.iter().enumerate().filter(|(_, states)| !states.is_empty());
        violated.for_each(|(property, _)| self.control.decide(Decided { property, is_found: true }));
    }

    /// Whether states a step further away may be reached. There are some.
    pub fn may_go_deeper(&self) -> Result<(), Stop> {
        // The first level is no step away.
        if self.control.limits.depth.is_some_and(|depth| self.level > depth) {
            return Err(Stop(StopReason::Depth));
        }
        Ok(())
    }
}
