//! Findings: what the search learns about each property.
//!
//! Labels are looked at when a state is discovered, actions, deadlocks and failing groups when it is expanded. In a
//! breadth-first search both happen in the order of distance, so the first finding of a kind is a nearest one. Only
//! [`Question::NoError`] is asked at both times: a label that fails is discovered one level ahead of the groups that
//! fail. Its finding therefore waits for the turn of its state.

use base::LabelIx;
use engine::{Answer, Path, Property, Question, StopReason, Verdict};
use model::{Signature, Stepper, Successor, Value};

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
}

impl Finding<'_> {
    fn violated(&mut self, evidence: impl FnOnce() -> Evidence) {
        self.violations += 1;
        self.evidence.get_or_insert_with(evidence);
    }
}

/// What is known of all properties.
pub(crate) struct Findings<'t> {
    findings: Vec<Finding<'t>>,
    find_all: bool,
    /// Labels that are asked for, each once.
    labels: Vec<LabelIx>,
    patterns: Vec<Pattern<'t>>,
    /// The first state in which a label fails, until its turn comes.
    first_failed_label: Option<u32>,
    errors: u64,
}

impl<'t> Findings<'t> {
    /// Nothing is known yet.
    pub(crate) fn new(properties: &'t [Property], find_all: bool, signature: &Signature) -> Self {
        let mut labels = Vec::new();
        let mut patterns = Vec::new();
        for (at, property) in properties.iter().enumerate() {
            match &property.question {
                Question::Always(label) if !labels.contains(label) => labels.push(*label),
                Question::NoAction(pattern) => patterns.push(Pattern::new(at, pattern, signature)),
                _ => {}
            }
        }
        let findings = properties.iter().map(|property| Finding { property, violations: 0, evidence: None }).collect();
        Self { findings, find_all, labels, patterns, first_failed_label: None, errors: 0 }
    }

    /// Whether the search can stop: something is violated and one violation is enough.
    #[inline]
    pub(crate) fn decided(&self) -> bool {
        !self.find_all && self.findings.iter().any(|finding| finding.evidence.is_some())
    }

    /// States in which a group or a label fails.
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
        for &label in &self.labels {
            match stepper.label(label, state) {
                Ok(0) => violated(&mut self.findings, &Question::Always(label), number),
                Ok(_) => {}
                Err(_) => failed = true,
            }
        }
        if failed {
            self.errors += 1;
            self.first_failed_label.get_or_insert(number);
            self.count_error();
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
        violated(&mut self.findings, &Question::NoDeadlock, number);
    }

    /// A state in which a group fails.
    pub(crate) fn group_failed(&mut self, number: u32, state: &[Value], stepper: &mut dyn Stepper) {
        self.error_at(number);
        // A state in which a label fails too was counted when it was discovered.
        if self.labels.iter().all(|&label| stepper.label(label, state).is_ok()) {
            self.errors += 1;
            self.count_error();
        }
    }

    /// A transition.
    #[inline]
    pub(crate) fn transition(&mut self, from: u32, successor: Successor<'_>, signature: &Signature) {
        for pattern in &mut self.patterns {
            if pattern.matches(successor.action, signature) {
                self.findings[pattern.property].violated(|| Evidence::Step { from, to: successor.state.to_vec() });
            }
        }
    }

    /// The answers, with paths made from evidence. `incomplete` says why not every state was expanded, if so.
    pub(crate) fn answers(
        mut self,
        incomplete: Option<&StopReason>,
        path: impl Fn(&Evidence) -> Path,
    ) -> Vec<Answer<Path>> {
        // The turn of this state did not come, yet the label does fail there.
        if let Some(number) = self.first_failed_label {
            self.error_at(number);
        }
        let unknown = incomplete.cloned().or((self.errors > 0).then_some(StopReason::EvaluationError));
        let answer = |finding: Finding<'_>| Answer {
            property: finding.property.clone(),
            verdict: match (&finding.evidence, &unknown) {
                (Some(evidence), _) => Verdict::Violated(path(evidence)),
                (None, Some(reason)) => Verdict::Unknown(reason.clone()),
                (None, None) => Verdict::Holds,
            },
            violations: finding.violations,
        };
        self.findings.into_iter().map(answer).collect()
    }

    fn no_error(&mut self) -> impl Iterator<Item = &mut Finding<'t>> {
        self.findings.iter_mut().filter(|finding| finding.property.question == Question::NoError)
    }

    fn count_error(&mut self) {
        self.no_error().for_each(|finding| finding.violations += 1);
    }

    fn error_at(&mut self, number: u32) {
        self.no_error().for_each(|finding| _ = finding.evidence.get_or_insert(Evidence::State(number)));
    }
}

#[cold]
fn violated(findings: &mut [Finding<'_>], question: &Question, number: u32) {
    for finding in findings.iter_mut().filter(|finding| finding.property.question == *question) {
        finding.violated(|| Evidence::State(number));
    }
}

/// A pattern of actions. An action is matched as text, once as a rule: answers are remembered by the action's value,
/// each in the only place it can have, so that even endlessly many actions take no more memory.
struct Pattern<'t> {
    property: usize,
    pattern: &'t str,
    remembered: Vec<Option<(Value, bool)>>,
}

impl<'t> Pattern<'t> {
    const MOST_REMEMBERED: usize = 1 << 12;

    fn new(property: usize, pattern: &'t str, signature: &Signature) -> Self {
        let actions = 1usize.checked_shl(signature.action.bits()).unwrap_or(usize::MAX);
        Self { property, pattern, remembered: vec![None; actions.min(Self::MOST_REMEMBERED)] }
    }

    #[inline]
    fn matches(&mut self, action: Value, signature: &Signature) -> bool {
        let place = action as usize % self.remembered.len();
        match self.remembered[place] {
            Some((known, answer)) if known == action => answer,
            _ => {
                let answer = Question::matches(self.pattern, &signature.show_action(action));
                self.remembered[place] = Some((action, answer));
                answer
            }
        }
    }
}
