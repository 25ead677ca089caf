//! The questions of a task, put to a set of states as a whole.
//!
//! The meaning is that of the explicit engine. A *deadlock* is a state without successors in which no group
//! fails; it is a violation where it is not fine to stop. An *error* is a state in which a group or an assertion
//! fails, or a deadlock of which the model cannot tell whether it is fine to stop there.

use engine::{Decided, StopReason};
use ldd::Ldd;

use crate::questions::{Inspection, QuestionKind, Questions};
use crate::search::{Search, Stop};

impl Search<'_> {
    /// Looks at the states of a set; for deadlocks only if they are asked for. All groups were asked for all
    /// of them then.
    pub fn inspect(&mut self, set: &Ldd, asked: &mut Questions) -> Result<Inspection, Stop> {
        let wants_deadlocks = asked.kinds.contains(&QuestionKind::NoDeadlock);
        self.inspect_for(set, asked, wants_deadlocks)
    }

    /// The same with deadlocks in any case.
    pub fn inspect_with_deadlocks(&mut self, set: &Ldd, asked: &mut Questions) -> Result<Inspection, Stop> {
        self.inspect_for(set, asked, true)
    }

    fn inspect_for(
        &mut self,
        set: &Ldd,
        asked: &mut Questions,
        wants_deadlocks: bool,
    ) -> Result<Inspection, Stop> {
        let failing = self.failing(set)?;
        let mut errors = failing.clone();
        let mut zero = Vec::with_capacity(asked.labels.len());
        for label in &mut asked.labels {
            let (is_zero, failed) = label.select(&self.store, set, &mut self.caller)?;
            zero.push(is_zero);
            if !label.is_predicate {
                errors = self.store.union(&errors, &failed)?;
            }
        }
        let deadlocks = if wants_deadlocks { Some(self.deadlocks(set)?) } else { None };
        let mut stuck = deadlocks.clone();
        if let (Some(end), Some(deadlocks)) = (&mut asked.end, &deadlocks) {
            let (not_fine, failed) = end.select(&self.store, deadlocks, &mut self.caller)?;
            errors = self.store.union(&errors, &failed)?;
            stuck = Some(not_fine);
        }
        let mut violating = Vec::with_capacity(asked.kinds.len());
        for kind in &asked.kinds {
            violating.push(match *kind {
                QuestionKind::NoDeadlock => stuck.clone().expect("BUG: deadlocks were asked for"),
                QuestionKind::NoError => errors.clone(),
                QuestionKind::Always(label) => zero[label].clone(),
                QuestionKind::NoAction(pattern) => self.acting(pattern, set)?,
            });
        }
        Ok(Inspection { violating, failing, errors, deadlocks })
    }

    /// All groups were asked for all states of this level, or round; these states were reached before.
    pub fn expanded(&mut self, level: &Ldd, reached: &Ldd) -> Result<(), Stop> {
        self.monitor.reached = Some(reached.clone());
        if let Some(levels) = &mut self.monitor.levels {
            levels.push(level.clone());
        }
        let Some(mut asked) = self.monitor.asked.take() else { return Ok(()) };
        let look = self.inspect(level, &mut asked);
        self.monitor.asked = Some(asked);
        let look = look?;
        self.tell_violations(&look);
        if self.monitor.ends_at_violation && look.violating.iter().any(|states| !states.is_empty()) {
            self.monitor.found = Some(look);
            return Err(Stop(StopReason::OtherViolation));
        }
        Ok(())
    }

    /// Tells who wants to hear it which properties are violated.
    pub fn tell_violations(&self, look: &Inspection) {
        let violated = look.violating.iter().enumerate().filter(|(_, states)| !states.is_empty());
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
