//! The engine: a thread with room to recurse searches and answers, while the thread that asked watches limits
//! and interruption many times a second. What is under way in the store then stops at once.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use engine::{Answer, Control, Decided, Path, Progress, Question, Report, Statistics, StopReason, Task};
use ldd::{Ldd, Store};
use num_bigint::BigUint;

use crate::figures::figures;
use crate::monitor::SharedProgress;
use crate::options::Options;
use crate::questions::{Inspection, Questions};
use crate::search::{Search, Stop};

/// What the process takes before the first state is stored: code, the standard library, and the stacks and
/// lists of a search of any size.
const PROCESS: u64 = 12 << 20;

/// Of the memory, one part in so many is not the store's: lists of short vectors, numbers for counting,
/// stacks.
const OTHER_PARTS: u64 = 8;

/// The stack of the thread that searches, beside what operations take for each slot.
const STACK: usize = 4 << 20;

/// Limits are looked at so often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// A search that was told to stop may count for so long what it had reached.
const TO_COUNT: Duration = Duration::from_millis(300);

/// … and look for violations for so long in what it had reached.
const TO_LOOK: Duration = Duration::from_millis(300);

/// Why the search is to stop, once it is.
type Reason = Arc<Mutex<Option<StopReason>>>;

/// Searches the reachable states of the task's model with decision diagrams and answers its questions.
///
/// Each counterexample is as short as any for its property, under every strategy. With [`Task::find_all`] all
/// questions are answered at the end; without, a breadth-first search or a chain ends with the level or round
/// that has a violation. The limit of depth is kept by the breadth-first strategies and ignored by the
/// others; so is the limit of states by all.
pub fn search(task: &Task<'_>, options: Options, control: &Control) -> Report<Path> {
    let started = Instant::now();
    let memory = control.limits.memory.map_or(u64::MAX, |limit| {
        let left = limit.saturating_sub(PROCESS);
        left - left / OTHER_PARTS
    });
    let Ok(store) = Store::with_memory(memory) else {
        return Report::nothing(task, StopReason::Memory, Statistics::default());
    };
    let (reason, halt, gauge) =
        (Reason::default(), Arc::<AtomicBool>::default(), Arc::<SharedProgress>::default());
    let looks_until = Arc::<Mutex<Option<Instant>>>::default();
    let stack = STACK + task.model.signature().slots.len() * ldd::STACK_A_SLOT;
    let (done, is_done) = sync_channel::<()>(1);
    let mut report = thread::scope(|scope| {
        let run = || {
            let (questions, patterns) = Questions::new(task.properties, task.model, &store);
            let report = match Search::new(task.model, options, patterns, &store, control) {
                Ok(mut search) => {
                    search.caller.halt = Arc::clone(&halt);
                    search.monitor.progress = Arc::clone(&gauge);
                    search.relations.oracle.waiting = Arc::clone(&gauge.observations);
                    search.relations.oracle.group_calls = Arc::clone(&gauge.calls);
                    search.relations.oracle.counts_steps = task.census.transitions;
                    let (reason, looks_until) = (Arc::clone(&reason), Arc::clone(&looks_until));
                    Run {
                        task,
                        options,
                        search,
                        reason,
                        looks_until,
                        counts_until: Cell::default(),
                        given_back: 0,
                    }
                    .report(questions)
                }
                Err(Stop(why)) => Report::nothing(task, why, Statistics::default()),
            };
            drop(done);
            report
        };
        let Ok(running) = thread::Builder::new().stack_size(stack).spawn_scoped(scope, run) else {
            return Report::nothing(task, StopReason::Memory, Statistics::default());
        };
        while is_done.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
            if let Some(why) = control.check(progress(&store, &gauge, task.model.bytes())) {
                reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
                let looks_until = looks_until.lock().unwrap_or_else(PoisonError::into_inner);
                if looks_until.is_some_and(|until| Instant::now() < until) {
                    continue;
                }
                halt.store(true, Ordering::Relaxed);
                store.interrupt();
            }
        }
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    report.statistics.memory = PROCESS + task.model.bytes() + store.statistics().peak_bytes;
    report.statistics.time = started.elapsed();
    report
}

fn progress(store: &Store, gauge: &SharedProgress, model: u64) -> Progress {
    let statistics = store.statistics();
    Progress {
        level: gauge.level.load(Ordering::Relaxed),
        short_vectors: gauge.calls.load(Ordering::Relaxed),
        nodes: Some(statistics.nodes as u64),
        memory: PROCESS + model + statistics.bytes + gauge.observations.load(Ordering::Relaxed),
        ..Progress::default()
    }
}

/// A search that is under way.
pub(crate) struct Run<'t> {
    pub task: &'t Task<'t>,
    options: Options,
    pub search: Search<'t>,
    reason: Reason,
    /// When the last look for violations ends, once the search was told to stop: until then it is not told
    /// again.
    looks_until: Arc<Mutex<Option<Instant>>>,
    /// When counting ends, once the search was told to stop.
    counts_until: Cell<Option<Instant>>,
    /// Bytes of the store's that were given back before counting began.
    given_back: u64,
}

/// How a search ended.
pub(crate) struct End {
    pub states: Option<Ldd>,
    levels: Option<u64>,
    /// Why not every state was expanded, if so.
    pub incomplete: Option<StopReason>,
    /// What was seen: in all states, or in those where the search was ended.
    pub inspection: Option<Inspection>,
}

impl End {
    /// The limit of the tool that was met, if one was.
    fn limit(&self) -> Option<StopReason> {
        self.inspection.as_ref().and_then(|inspection| inspection.limit.clone())
    }
}

impl Run<'_> {
    fn report(mut self, questions: Questions) -> Report<Path> {
        let strategy = self.options.strategy;
        // Who only counts seldom needs a run, and levels take nodes.
        let is_only_counted =
            self.task.properties.iter().all(|property| property.question == Question::NoError);
        self.search.monitor.levels = (strategy.has_levels() && !is_only_counted).then(Vec::new);
        let began = Instant::now();
        let mut questions = Some(questions);
        self.search.monitor.ends_at_violation = !self.task.find_all;
        if !self.task.find_all || self.search.control.has_hearer() {
            self.search.monitor.questions = questions.take();
        }
        let result = self.search.run(strategy);
        let questions =
            &mut self.search.monitor.questions.take().or(questions).expect("BUG: the questions were lost");
        let reaching = began.elapsed();
        let began = Instant::now();
        let mut end = self.end(result, questions);
        if let Some(inspection) = &end.inspection {
            self.search.tell_violations(inspection);
        }
        self.make_room();
        let mut statistics = self.statistics(&mut end);
        let census = self.census(&mut end, &mut statistics);
        let answering = began.elapsed();
        let began = Instant::now();
        let answers = self.answers(&mut end, questions);
        if let Some(diagrams) = &mut statistics.diagrams {
            (diagrams.reaching, diagrams.answering, diagrams.witnesses) =
                (reaching, answering, began.elapsed());
        }
        let failing = end.inspection.as_ref().is_some_and(|inspection| !inspection.failing.is_empty());
        let limit = end.limit();
        let stopped = end.incomplete.or(limit).or(failing.then_some(StopReason::EvaluationError));
        Report { answers, stopped, statistics, census }
    }

    /// Looks at the states that were reached, if all of them were expanded.
    fn end(&mut self, result: Result<(Ldd, Option<u64>), Stop>, questions: &mut Questions) -> End {
        let (states, levels, incomplete) = match result {
            Ok((states, levels)) => (Some(states), levels, None),
            Err(stop) => (self.search.monitor.reached.take(), None, Some(self.why(stop))),
        };
        let mut end = End { states, levels, incomplete, inspection: None };
        match (&end.incomplete, &end.states) {
            (None | Some(StopReason::Depth), Some(states)) => {
                match self.search.inspect_with_deadlocks(states, questions) {
                    Ok(inspection) => end.inspection = Some(inspection),
                    Err(stop) => end.incomplete = Some(self.why(stop)),
                }
            }
            (Some(StopReason::OtherViolation), _) => end.inspection = self.search.monitor.found.take(),
            // What was reached was reached: a violation is one, whatever the search did not come to.
            (
                Some(reason @ (StopReason::Time | StopReason::Memory | StopReason::Interrupted)),
                Some(states),
            ) if !self.search.control.is_abandoned()
                && (*reason != StopReason::Memory || !self.search.relations.waits_for_memory()) =>
            {
                self.look_again();
                end.inspection = self.search.inspect(states, questions).ok();
            }
            _ => {}
        }
        end
    }

    /// Operations go on for a moment, though the search was told to stop.
    fn look_again(&mut self) {
        // With the lock: who tells it to stop does so before this or when the moment is over.
        let mut looks_until = self.looks_until.lock().unwrap_or_else(PoisonError::into_inner);
        *looks_until = Some(Instant::now() + TO_LOOK);
        self.search.monitor.is_last_look = true;
        self.search.caller.halt.store(false, Ordering::Relaxed);
        self.search.store.resume();
    }

    /// What is written down for counting is not the store's. Where less than half of the memory is left, what
    /// operations came to is forgotten: that is more than counting takes.
    pub fn make_room(&mut self) {
        let taken = PROCESS + self.task.model.bytes() + self.search.store.statistics().bytes;
        if self.search.control.limits.memory.is_some_and(|memory| taken > memory / 2) {
            self.given_back = self.search.store.clear_cache();
        }
    }

    /// Bytes that may be taken for counting.
    pub fn room(&self) -> u64 {
        let store = self.search.store.statistics().bytes.saturating_sub(self.given_back);
        let taken = PROCESS + self.task.model.bytes() + store;
        let memory = self.search.control.limits.memory.unwrap_or(u64::MAX);
        memory.saturating_sub(taken).max(memory / OTHER_PARTS)
    }

    fn answers(&mut self, end: &mut End, questions: &mut Questions) -> Vec<Answer<Path>> {
        let has_errors = end.inspection.as_ref().is_some_and(|inspection| !inspection.errors.is_empty());
        let errors = has_errors.then_some(StopReason::EvaluationError);
        let unknown = end.incomplete.clone().or_else(|| end.limit()).or(errors);
        // The levels that were kept end with the violation; without them, only a whole search has seen all
        // violations.
        let is_whole = match end.incomplete {
            None | Some(StopReason::Depth) => true,
            Some(StopReason::OtherViolation) => self.options.strategy.has_levels(),
            _ => false,
        };
        let mut paths = match &end.inspection {
            Some(inspection) => self.search.witnesses(
                inspection,
                is_whole,
                end.states.as_ref().filter(|_| end.incomplete.is_none()),
                questions,
            ),
            None => self.task.properties.iter().map(|_| None).collect(),
        };
        let answer = |(at, property): (usize, &engine::Property)| {
            let is_seen =
                end.inspection.as_ref().is_some_and(|inspection| !inspection.violating[at].is_empty());
            let known = property.clone();
            let answer = match (paths[at].take(), questions.failure(at), &unknown) {
                (Some(Ok(path)), ..) => Answer::found(known, path),
                (Some(Err(reason)), ..) => Answer::unknown(known, self.why(Stop(reason))),
                (None, ..) if is_seen => {
                    Answer::unknown(known, StopReason::Internal("a violation without a run".into()))
                }
                // Where the property itself failed it has no answer, however far the search had gone.
                (None, Some(failure), _) => {
                    Answer::unknown(known, StopReason::PredicateError(failure.clone()))
                }
                (None, None, Some(reason)) => Answer::unknown(known, reason.clone()),
                (None, None, None) => Answer::not_found(known),
            };
            let is_counted = !matches!(property.question, Question::NoAction(_) | Question::Never(_));
            let inspection = end.inspection.as_ref().filter(|_| is_counted);
            let violations = inspection.and_then(|inspection| self.count(&inspection.violating[at]));
            Answer { violations, ..answer }
        };
        let answers: Vec<Answer<Path>> = self.task.properties.iter().enumerate().map(answer).collect();
        let is_absent = |answer: &Answer<Path>| answer.verdict == answer.property.when_absent();
        for (property, _) in answers.iter().enumerate().filter(|(_, answer)| is_absent(answer)) {
            self.search.control.decide(Decided { property, is_found: false });
        }
        answers
    }

    /// Counts what is known. Where that takes too long the search has not said how many states there are, so
    /// it is not complete.
    fn statistics(&self, end: &mut End) -> Statistics {
        let all = end
            .inspection
            .as_ref()
            .filter(|_| end.incomplete.is_none() || end.incomplete == Some(StopReason::Depth));
        // Nothing but the initial state is known of a search that was cut off in its first round.
        let states = end.states.as_ref().map_or_else(|| Some(1u32.into()), |states| self.count(states));
        let deadlocks =
            all.and_then(|inspection| inspection.deadlocks.as_ref()).map(|states| self.count(states));
        let errors = all.map(|inspection| self.count(&inspection.errors));
        let are_counted = states.is_some() && deadlocks != Some(None) && errors != Some(None);
        let statistics = Statistics {
            states: states.unwrap_or_else(|| 1u32.into()),
            levels: end.levels,
            depth: self.options.strategy.has_levels().then(|| self.search.level - 1),
            deadlocks: deadlocks.flatten(),
            errors: errors.flatten(),
            diagrams: Some(figures(&self.search, end.states.as_ref(), || self.may_count())),
            ..Statistics::default()
        };
        if !are_counted && end.incomplete.is_none() {
            end.incomplete = Some(self.why(ldd::Stop::Interrupted.into()));
        }
        statistics
    }

    /// How many states a set has, unless the search is to stop and that takes long.
    pub fn count(&self, set: &Ldd) -> Option<BigUint> {
        self.search.store.count_while(set, || self.may_count())
    }

    /// Whether there is time to count: always, until the search is told to stop, and a moment longer.
    pub fn may_count(&self) -> bool {
        if !self.search.caller.is_halted() {
            return true;
        }
        let until = self.counts_until.get().unwrap_or_else(|| Instant::now() + TO_COUNT);
        self.counts_until.set(Some(until));
        Instant::now() < until
    }

    /// Operations that are interrupted do not know why.
    pub fn why(&self, Stop(reason): Stop) -> StopReason {
        let told = self.reason.lock().unwrap_or_else(PoisonError::into_inner).clone();
        told.filter(|_| reason == StopReason::Interrupted).unwrap_or(reason)
    }
}

#[cfg(test)]
mod tests {
    use engine::Property;

    use super::*;
    use crate::Strategy;
    use crate::table::{Random, Tables};

    /// Stopped when all states were looked at and before the runs are found: what is violated has no answer,
    /// and holds least of all.
    #[test]
    fn what_is_violated_does_not_hold_when_its_run_is_not_found_in_time() {
        let mut interrupted = 0;
        for seed in 1..40 {
            let model = Tables::random(&mut Random::new(seed));
            let questions = [Question::NoDeadlock, Question::NoError, Question::NoAction("a*".into())];
            let properties: Vec<Property> =
                questions.into_iter().map(|question| Property::new("p", question)).collect();
            let control = Control::default();
            for &strategy in Strategy::ALL {
                let store = Store::with_memory(64 << 20).expect("a store");
                let (mut questions, patterns) = Questions::new(&properties, &model, &store);
                let Ok(mut search) = Search::new(&model, Options::new(strategy), patterns, &store, &control)
                else {
                    panic!("no room")
                };
                search.monitor.levels = strategy.has_levels().then(Vec::new);
                let Ok((states, _)) = search.run(strategy) else { panic!("not searched") };
                let Ok(inspection) = search.inspect_with_deadlocks(&states, &mut questions) else {
                    panic!("not looked at")
                };
                store.interrupt();
                let paths = search.witnesses(&inspection, true, Some(&states), &mut questions);
                for (violating, path) in inspection.violating.iter().zip(&paths) {
                    assert_eq!(path.is_some(), !violating.is_empty(), "{strategy:?}, seed {seed}");
                    interrupted += u32::from(matches!(path, Some(Err(_))));
                }
            }
        }
        assert!(interrupted > 100, "{interrupted} interrupted");
    }
}
