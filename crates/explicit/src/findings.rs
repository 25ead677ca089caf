//! Findings: what the search learns about each property.
//!
//! Labels are looked at when a state is discovered, actions, deadlocks and failing groups when it is expanded. In a
//! breadth-first search both happen in the order of distance, so the first finding of a kind is a nearest one. Only
//! [`Question::NoError`] is asked at both times: an assertion that fails is discovered one level ahead of the groups
//! that fail. Its finding therefore waits for the turn of its state.
//!
//! A *predicate*, a label that a user asks for, is no part of the model: where it fails nothing but itself is unknown.

use std::collections::HashMap;

use base::LabelIx;
use engine::{Answer, Path, Pattern, Property, Question, StopReason, Verdict};
use model::{LabelKind, Signature, Stepper, Successor, Value};

/// What shows that a property is violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Evidence {
    /// A state.
    State(u32),
    /// A transition.
    Step {
        /// Its source.
        from: u32,
        /// Its target.
        to: Vec<Value>,
    },
}

/// What is known of one property.
struct Finding<'t> {
    property: &'t Property,
    violations: u64,
    evidence: Option<Evidence>,
    /// How the property itself failed, if it did.
    failure: Option<String>,
}

/// A label that properties ask for.
struct AskedLabel {
    label: LabelIx,
    is_predicate: bool,
    /// The properties.
    askers: Vec<usize>,
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
    /// The properties that ask for deadlocks and for errors.
    no_deadlock: Vec<usize>,
    no_error: Vec<usize>,
    /// The first state in which an assertion fails, until its turn comes.
    first_failed_label: Option<u32>,
    errors: u64,
}

impl<'t> Findings<'t> {
    /// Nothing is known yet.
    pub(crate) fn new(properties: &'t [Property], find_all: bool, signature: &Signature) -> Self {
        let mut labels: Vec<AskedLabel> = Vec::new();
        let mut label_places = HashMap::new();
        let (mut patterns, mut no_deadlock, mut no_error) = (Vec::new(), Vec::new(), Vec::new());
        for (at, property) in properties.iter().enumerate() {
            match &property.question {
                Question::NoDeadlock => no_deadlock.push(at),
                Question::NoError => no_error.push(at),
                Question::NoAction(pattern) => patterns.push((at, Pattern::new(pattern, signature))),
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
        let nothing = |property| Finding { property, violations: 0, evidence: None, failure: None };
        let findings = properties.iter().map(nothing).collect();
        let (any_violated, first_failed_label, errors) = (false, None, 0);
        Self { findings, find_all, any_violated, labels, patterns, no_deadlock, no_error, first_failed_label, errors }
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

    /// Whether a state has to be shown to [`Findings::discovered`].
    pub(crate) fn looks_at_states(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Whether transitions have to be shown to [`Findings::transition`].
    pub(crate) fn looks_at_actions(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// A new state.
    pub(crate) fn discovered(&mut self, number: u32, state: &[Value], stepper: &mut dyn Stepper) {
        let mut failed = false;
        for asked in &self.labels {
            match stepper.label(asked.label, state) {
                Ok(0) => {
                    self.any_violated |= violated(&mut self.findings, &asked.askers, || Evidence::State(number));
                }
                Ok(_) => {}
                Err(error) if asked.is_predicate => {
                    for &asker in &asked.askers {
                        self.findings[asker].failure.get_or_insert_with(|| error.to_string());
                    }
                }
                Err(_) => failed = true,
            }
        }
        if failed {
            self.errors += 1;
            self.first_failed_label.get_or_insert(number);
            count(&mut self.findings, &self.no_error);
        }
    }

    /// A state whose turn has come, before anything else is said of it.
    #[inline]
    pub(crate) fn turn(&mut self, number: u32) {
        if self.first_failed_label == Some(number) {
            self.error_at(number);
        }
    }

    /// A state without successors.
    pub(crate) fn deadlock(&mut self, number: u32) {
        self.any_violated |= violated(&mut self.findings, &self.no_deadlock, || Evidence::State(number));
    }

    /// A state in which a group fails.
    pub(crate) fn group_failed(&mut self, number: u32, state: &[Value], stepper: &mut dyn Stepper) {
        self.error_at(number);
        // A state in which an assertion fails too was counted when it was discovered.
        let mut asserted = self.labels.iter().filter(|asked| !asked.is_predicate);
        if asserted.all(|asked| stepper.label(asked.label, state).is_ok()) {
            self.errors += 1;
            count(&mut self.findings, &self.no_error);
        }
    }

    /// A transition.
    #[inline]
    pub(crate) fn transition(&mut self, from: u32, successor: Successor<'_>, signature: &Signature) {
        for (property, pattern) in &mut self.patterns {
            if pattern.matches(successor.action, signature) {
                let asker = std::slice::from_ref(property);
                let evidence = || Evidence::Step { from, to: successor.state.to_vec() };
                self.any_violated |= violated(&mut self.findings, asker, evidence);
            }
        }
    }

    /// The answers, with paths made from evidence. `incomplete` says why not every state was expanded, if so.
    pub(crate) fn answers(
        mut self,
        incomplete: Option<&StopReason>,
        path: impl Fn(&Evidence) -> Path,
    ) -> Vec<Answer<Path>> {
        // The turn of this state did not come, yet the assertion does fail there: a step further than a group may.
        if let Some(number) = self.first_failed_label {
            self.error_at(number);
        }
        let unknown = incomplete.cloned().or((self.errors > 0).then_some(StopReason::EvaluationError));
        let answer = |finding: Finding<'_>| Answer {
            property: finding.property.clone(),
            // Where the property itself failed it has no answer, however far the search had gone.
            verdict: match (&finding.evidence, finding.failure, &unknown) {
                (Some(evidence), ..) => Verdict::Violated(path(evidence)),
                (None, Some(failure), _) => Verdict::Unknown(StopReason::PredicateError(failure)),
                (None, None, Some(reason)) => Verdict::Unknown(reason.clone()),
                (None, None, None) => Verdict::Holds,
            },
            violations: Some(finding.violations.into()),
        };
        self.findings.into_iter().map(answer).collect()
    }

    fn error_at(&mut self, number: u32) {
        self.any_violated |= give(&mut self.findings, &self.no_error, || Evidence::State(number));
    }
}

/// Counts a violation of some of the properties and gives evidence against them; says whether there are any.
fn violated(findings: &mut [Finding<'_>], askers: &[usize], evidence: impl Fn() -> Evidence) -> bool {
    count(findings, askers);
    give(findings, askers, evidence)
}

/// Counts a violation of some of the properties.
fn count(findings: &mut [Finding<'_>], askers: &[usize]) {
    askers.iter().for_each(|&at| findings[at].violations += 1);
}

/// Gives evidence against those of the properties that lack it; says whether there are any properties.
fn give(findings: &mut [Finding<'_>], askers: &[usize], evidence: impl Fn() -> Evidence) -> bool {
    askers.iter().for_each(|&at| _ = findings[at].evidence.get_or_insert_with(&evidence));
    !askers.is_empty()
}
