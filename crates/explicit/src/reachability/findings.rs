//! Findings: what a worker learns about each property, and what all of them together did.
//!
//! Labels are looked at when a state is discovered, actions, deadlocks and failing groups when it is
//! expanded. In a breadth-first search both happen in the order of distance, so a finding of the first level
//! that has one is a nearest one. Only [`Question::NoError`] is asked at both times: an assertion that fails
//! is discovered one level ahead of the groups that fail. Its finding therefore waits for the turn of its
//! level.
//!
//! A *predicate*, a label that a user asks for, is no part of the model: where it fails nothing but itself is
//! unknown.
//!
//! Where a group or a label meets a limit of the tool, the model does nothing wrong: nothing is violated, but
//! what follows is not known, so nothing holds. In a state both can happen.
//!
//! Where it is fine to stop, a state without successors is counted as a deadlock and is no violation. The
//! label that says so is asked in such states alone, and only if a property asks for deadlocks; where it
//! fails the state is an error, as with an assertion.

use std::collections::HashMap;

use base::{GroupIx, LabelIx};
use engine::{
    Answer, Census, CensusReport, Control, Decided, Path, Pattern, Property, Question, StopReason, Task,
};
use model::{EvalError, LabelKind, Signature, Stepper, Successor, Successors, Value};

/// What shows that a property is violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sighting {
    /// The state that shows it, or from which the step leads that does.
    pub(crate) state: Vec<Value>,
    /// Where the step leads, if it is one.
    pub(crate) target: Option<Vec<Value>>,
    /// How far the state is from the initial one, on the way that the search came.
    pub(crate) depth: u64,
    /// How to get there.
    pub(crate) trail: Trail,
}

/// How to get to a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trail {
    /// By the states with these handles, the state itself not included.
    Handles(Vec<Vec<u64>>),
    /// From the row at this place, in a search by levels.
    Origin(u64),
}

/// Where a search is when it finds something: makes the trail to the state that is being expanded, and the
/// depth of it.
pub(crate) trait Position {
    /// The depth of the state that is being looked at.
    fn depth(&self) -> u64;
    /// How to get there.
    fn trail(&self) -> Trail;
}

/// What is known of one property.
struct Finding<'t> {
    property: &'t Property,
    violations: u64,
    evidence: Option<Sighting>,
    /// How the property itself failed, if it did.
    failure: Option<String>,
    /// Whoever wants to hear of the violation at once has heard of it.
    is_told: bool,
}

/// A label that properties ask for.
struct AskedLabel {
    label: LabelIx,
    is_predicate: bool,
    /// The properties.
    askers: Vec<usize>,
}

/// A limit of the tool that was met, and how far away. Of two, the nearer one is told.
struct LimitMet {
    depth: u64,
    what: String,
    reason: StopReason,
}

impl LimitMet {
    /// Of two that are equally far away the words decide, so that it is the same one each time.
    fn nearer(&self, other: &Self) -> std::cmp::Ordering {
        (self.depth, &self.what).cmp(&(other.depth, &other.what))
    }
}

/// What is known of all properties.
pub(crate) struct Findings<'t> {
    findings: Vec<Finding<'t>>,
    find_all: bool,
    /// Whether there is evidence against any property.
    any_violated: bool,
    labels: Vec<AskedLabel>,
    /// Patterns of actions, each with the property that asks for it.
    patterns: Vec<(usize, Pattern)>,
    /// Single actions, each with a property that asks for it; sorted, since a model may have very many
    /// alarms.
    alarms: Vec<(Value, usize)>,
    /// Says where it is fine to stop, if the model does.
    end: Option<LabelIx>,
    /// The properties that ask for deadlocks and for errors.
    no_deadlock: Vec<usize>,
    no_error: Vec<usize>,
    /// A state in which an assertion fails, until the turn of its level comes.
    failed_label: Option<Sighting>,
    errors: u64,
    limit: Option<LimitMet>,
    /// The groups, and a buffer for what they do.
    groups: usize,
    successors: Successors,
    /// What is to be found out of all states, and what was so far.
    census: Census<'t>,
    counted: CensusReport,
}

impl<'t> Findings<'t> {
    /// Nothing is known yet, and nothing is asked.
    pub(crate) fn none(signature: &Signature) -> Self {
        Self::of(&[], false, Census::default(), signature)
    }

    /// Nothing is known yet.
    pub(crate) fn new(task: &Task<'t>, signature: &Signature) -> Self {
        Self::of(task.properties, task.find_all, task.census, signature)
    }

    fn of(properties: &'t [Property], find_all: bool, census: Census<'t>, signature: &Signature) -> Self {
        let mut labels: Vec<AskedLabel> = Vec::new();
        let mut label_places = HashMap::new();
        let (mut patterns, mut alarms, mut no_deadlock, mut no_error) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, property) in properties.iter().enumerate() {
            match &property.question {
                Question::NoDeadlock => no_deadlock.push(at),
                Question::NoError => no_error.push(at),
                Question::Initially(_) | Question::Maximum(_) | Question::Other(_) => {
                    panic!("BUG: the engine was asked what it does not support")
                }
                Question::NoAction(pattern) => patterns.push((at, Pattern::new(pattern, signature))),
                Question::Never(action) => alarms.push((*action, at)),
                Question::Always(label) => {
                    let place = *label_places.entry(*label).or_insert_with(|| {
                        let is_predicate = signature.labels[label.ix()].kind == LabelKind::Invariant;
                        labels.push(AskedLabel { label: *label, is_predicate, askers: Vec::new() });
                        labels.len() - 1
                    });
                    labels[place].askers.push(at);
                }
            }
        }
        let nothing =
            |property| Finding { property, violations: 0, evidence: None, failure: None, is_told: false };
        let findings = properties.iter().map(nothing).collect();
        alarms.sort_unstable();
        let end = signature.end_label().filter(|_| !no_deadlock.is_empty());
        let mut counted = census.nothing();
        counted.enabled = census.enabled.then(|| vec![false; signature.groups.len()]);
        Self {
            findings,
            find_all,
            any_violated: false,
            labels,
            patterns,
            alarms,
            end,
            no_deadlock,
            no_error,
            failed_label: None,
            errors: 0,
            limit: None,
            groups: signature.groups.len(),
            successors: Successors::new(signature.slots.len()),
            census,
            counted,
        }
    }

    /// Whether the search can stop: something is violated and one violation is enough.
    #[inline]
    pub(crate) fn decided(&self) -> bool {
        self.any_violated && !self.find_all
    }

    /// States in which a group or an assertion fails.
    pub(crate) fn errors(&self) -> u64 {
        self.errors
    }

    /// Why nothing holds, if a limit of the tool was met.
    pub(crate) fn limit(&self) -> Option<StopReason> {
        self.limit.as_ref().map(|limit| limit.reason.clone())
    }

    /// Whether a state has to be shown to [`Findings::discovered`].
    pub(crate) fn looks_at_states(&self) -> bool {
        !self.labels.is_empty() || !self.census.maxima.is_empty() || self.census.ranges
    }

    /// Whether transitions have to be shown to [`Findings::transition`].
    pub(crate) fn looks_at_actions(&self) -> bool {
        !self.patterns.is_empty() || !self.alarms.is_empty() || self.census.enabled
    }

    /// A new state.
    pub(crate) fn discovered(&mut self, state: &[Value], at: &impl Position, stepper: &mut dyn Stepper) {
        self.counted.see(state, &self.census);
        let mut failed = false;
        for asked in &self.labels {
            match stepper.label(asked.label, state) {
                Ok(0) => {
                    let evidence = || Sighting::state(state, at);
                    self.any_violated |= violated(&mut self.findings, &asked.askers, evidence);
                }
                Ok(_) => {}
                Err(error) if asked.is_predicate => {
                    for &asker in &asked.askers {
                        self.findings[asker].failure.get_or_insert_with(|| error.to_string());
                    }
                }
                Err(error) if error.is_limit() => meet(&mut self.limit, &error, at),
                Err(_) => failed = true,
            }
        }
        if failed {
            self.errors += 1;
            self.failed_label.get_or_insert_with(|| Sighting::state(state, at));
            count(&mut self.findings, &self.no_error);
        }
    }

    /// The turn of states so far away has come.
    #[inline]
    pub(crate) fn turn(&mut self, depth: u64) {
        if self.failed_label.as_ref().is_some_and(|failed| failed.depth <= depth) {
            self.settle_failed_label();
        }
    }

    #[cold]
    fn settle_failed_label(&mut self) {
        if let Some(failed) = self.failed_label.take() {
            self.any_violated |= give(&mut self.findings, &self.no_error, || failed.clone());
        }
    }

    /// A state without successors.
    pub(crate) fn deadlock(&mut self, state: &[Value], at: &impl Position, stepper: &mut dyn Stepper) {
        match self.end.map_or(Ok(0), |end| stepper.label(end, state)) {
            Ok(0) => {
                self.any_violated |=
                    violated(&mut self.findings, &self.no_deadlock, || Sighting::state(state, at));
            }
            Ok(_) => {}
            Err(error) if error.is_limit() => meet(&mut self.limit, &error, at),
            Err(_) => self.erred(state, at, stepper),
        }
    }

    /// A state in which a group fails: by an error of the model, or by nothing but limits of the tool.
    pub(crate) fn failed(&mut self, state: &[Value], at: &impl Position, stepper: &mut dyn Stepper) {
        let mut has_erred = false;
        for group in GroupIx::all(self.groups) {
            self.successors.clear();
            match stepper.group(group, state, &mut self.successors) {
                Ok(()) => {}
                Err(error) if error.is_limit() => meet(&mut self.limit, &error, at),
                Err(_) => has_erred = true,
            }
        }
        if has_erred {
            self.erred(state, at, stepper);
        }
    }

    /// A state in which a group does wrong, or the label that says whether it is fine to stop there.
    fn erred(&mut self, state: &[Value], at: &impl Position, stepper: &mut dyn Stepper) {
        self.any_violated |= give(&mut self.findings, &self.no_error, || Sighting::state(state, at));
        // A state in which an assertion fails too was counted when it was discovered.
        let mut asserted = self.labels.iter().filter(|asked| !asked.is_predicate);
        let is_error = |error: EvalError| !error.is_limit();
        if !asserted.any(|asked| stepper.label(asked.label, state).is_err_and(is_error)) {
            self.errors += 1;
            count(&mut self.findings, &self.no_error);
        }
    }

    /// A transition.
    #[inline]
    pub(crate) fn transition(
        &mut self,
        from: &[Value],
        successor: Successor<'_>,
        at: &impl Position,
        signature: &Signature,
    ) {
        if let Some(enabled) = &mut self.counted.enabled {
            enabled[successor.group.ix()] = true;
        }
        let step = || Sighting { target: Some(successor.state.to_vec()), ..Sighting::state(from, at) };
        for (property, pattern) in &mut self.patterns {
            if pattern.matches(successor.action, signature) {
                self.any_violated |= violated(&mut self.findings, std::slice::from_ref(property), step);
            }
        }
        let first = self.alarms.partition_point(|&(alarm, _)| alarm < successor.action);
        for (_, property) in self.alarms[first..].iter().take_while(|&&(alarm, _)| alarm == successor.action)
        {
            self.any_violated |= violated(&mut self.findings, std::slice::from_ref(property), step);
        }
    }

    /// Adds what another worker learned; of two pieces of evidence the nearer one counts.
    pub(crate) fn merge(&mut self, other: Self) {
        for (mine, theirs) in self.findings.iter_mut().zip(other.findings) {
            mine.violations += theirs.violations;
            mine.failure = mine.failure.take().or(theirs.failure);
            mine.evidence = nearer(mine.evidence.take(), theirs.evidence);
        }
        self.failed_label = nearer(self.failed_label.take(), other.failed_label);
        self.any_violated |= other.any_violated;
        self.errors += other.errors;
        self.limit = self.limit.take().into_iter().chain(other.limit).min_by(LimitMet::nearer);
        self.counted.merge(other.counted);
    }

    /// Tells which properties are violated, as far as that is known and was not told before.
    pub(crate) fn tell(&mut self, control: &Control) {
        if !self.any_violated {
            return;
        }
        for (property, finding) in self.findings.iter_mut().enumerate() {
            if finding.evidence.is_some() && !finding.is_told {
                finding.is_told = true;
                control.decide(Decided { property, is_found: true });
            }
        }
    }

    /// What was found out of all states.
    pub(crate) fn counted(&self) -> &CensusReport {
        &self.counted
    }

    /// The search is over: an assertion that fails in a state whose turn did not come does fail, a step
    /// further than a group may.
    pub(crate) fn conclude(&mut self) {
        self.settle_failed_label();
    }

    /// What shows that properties are violated, with the place of each among the properties.
    pub(crate) fn evidence(&self) -> impl Iterator<Item = (usize, &Sighting)> {
        self.findings.iter().enumerate().filter_map(|(at, finding)| Some((at, finding.evidence.as_ref()?)))
    }

    /// The answers, with the runs to the evidence, or why there is none. `incomplete` says why not every
    /// state was expanded, if so.
    pub(crate) fn answers(
        self,
        incomplete: Option<&StopReason>,
        mut runs: HashMap<usize, Result<Path, StopReason>>,
    ) -> Vec<Answer<Path>> {
        let errors = (self.errors > 0).then_some(StopReason::EvaluationError);
        let unknown = incomplete.cloned().or_else(|| self.limit()).or(errors);
        let answer = |(at, finding): (usize, Finding<'_>)| {
            let property = finding.property.clone();
            // Where the property itself failed it has no answer, however far the search had gone.
            let answer = match (runs.remove(&at), finding.failure, &unknown) {
                (Some(Ok(path)), ..) => Answer::found(property, path),
                (Some(Err(reason)), ..) => Answer::unknown(property, reason),
                (None, Some(failure), _) => Answer::unknown(property, StopReason::PredicateError(failure)),
                (None, None, Some(reason)) => Answer::unknown(property, reason.clone()),
                (None, None, None) => Answer::not_found(property),
            };
            Answer { violations: Some(finding.violations.into()), ..answer }
        };
        self.findings.into_iter().enumerate().map(answer).collect()
    }
}

impl Sighting {
    fn state(state: &[Value], at: &impl Position) -> Self {
        Self { state: state.to_vec(), target: None, depth: at.depth(), trail: at.trail() }
    }
}

fn nearer(one: Option<Sighting>, other: Option<Sighting>) -> Option<Sighting> {
    one.into_iter().chain(other).min_by_key(|evidence| evidence.depth)
}

/// A limit of the tool was met in a state.
#[cold]
fn meet(nearest: &mut Option<LimitMet>, error: &EvalError, at: &impl Position) {
    let met =
        LimitMet { depth: at.depth(), what: error.to_string(), reason: StopReason::of_limit(&error.kind) };
    *nearest = nearest.take().into_iter().chain([met]).min_by(LimitMet::nearer);
}

/// Counts a violation of some of the properties and gives evidence against them; says whether there are any.
fn violated(findings: &mut [Finding<'_>], askers: &[usize], evidence: impl Fn() -> Sighting) -> bool {
    count(findings, askers);
    give(findings, askers, evidence)
}

/// Counts a violation of some of the properties.
fn count(findings: &mut [Finding<'_>], askers: &[usize]) {
    askers.iter().for_each(|&at| findings[at].violations += 1);
}

/// Gives evidence against those of the properties that lack it; says whether there are any properties.
fn give(findings: &mut [Finding<'_>], askers: &[usize], evidence: impl Fn() -> Sighting) -> bool {
    askers.iter().for_each(|&at| _ = findings[at].evidence.get_or_insert_with(&evidence));
    !askers.is_empty()
}
