//! What is asked of a net as properties, and what was found out of it as answers.

use std::sync::Arc;

use base::{LabelIx, SlotIx};
use engine::{Answer, BigInt, Evidence, Property, Quantity, Question, StopReason, Technique, replay_groups};
use lang_pnml::Query;
use layers::Labelled;
use model::{EvalError, Label, LabelKind, Model, Predicate, StateFunction, Value};
use petri::{Reduced, TransitionIx};

use crate::Effort;

/// The label that is zero where a formula's predicate is met. Which number it has is known when there is a
/// model ([`evidence`]).
fn target() -> LabelIx {
    LabelIx::new(0)
}

/// The properties that the formulas of a file state, in their order.
///
/// They are properties of the net, not of a model: the label of [`Question::Always`] stands for the formula's
/// own predicate.
pub fn properties(queries: &[Query]) -> Vec<Property> {
    queries.iter().map(of_query).collect()
}

/// The property that a formula states.
pub(crate) fn of_query(query: &Query) -> Property {
    let id = &*query.id;
    match &query.question {
        lang_pnml::Question::Possible(_) => Property::new(id, Question::Always(target())).of_some_run(),
        lang_pnml::Question::Always(_) => Property::new(id, Question::Always(target())),
        lang_pnml::Question::Initially(_) => Property::new(id, Question::Initially(target())),
        lang_pnml::Question::Bound(sum) => Property::new(id, Question::Maximum(sum.clone())),
        lang_pnml::Question::Deadlock => deadlock(id),
        lang_pnml::Question::NoDeadlock => Property::new(id, Question::NoDeadlock),
        lang_pnml::Question::Temporal(_) => of_the_net(id, "a formula of temporal logic"),
        lang_pnml::Question::TooLarge(_) => of_the_net(id, "a formula"),
    }
}

/// The property that a marking can be reached in which nothing can fire.
pub(crate) fn deadlock(name: &str) -> Property {
    Property::new(name, Question::NoDeadlock).of_some_run()
}

/// The property that no marking can be reached in which some predicate holds.
pub(crate) fn never(name: &str) -> Property {
    Property::new(name, Question::Always(target()))
}

/// A property of the net as a whole, in words.
pub(crate) fn of_the_net(name: &str, words: &str) -> Property {
    Property::new(name, Question::Other(words.to_owned()))
}

/// The answer to a property of the net as a whole.
pub(crate) fn truth(property: Property, holds: bool, technique: Technique) -> Answer {
    let verdict = if holds { property.when_absent() } else { property.when_found() };
    Answer { technique: Some(technique), ..Answer::new(property, verdict) }
}

/// The answer to a property that asks for a number.
pub(crate) fn number(property: Property, number: impl Into<BigInt>, technique: Technique) -> Answer {
    let value = Some(Quantity::Integer(number.into()));
    let verdict = property.when_absent();
    Answer { value, technique: Some(technique), ..Answer::new(property, verdict) }
}

/// The answer where what the question looks for can be reached, or where it cannot. Of a firing sequence that
/// leads to the target, where sequences are wanted, evidence is made; one that does not replay is a defect,
/// and no answer.
pub(crate) fn reached(
    property: &Property,
    run: Option<&[TransitionIx]>,
    target: Option<&Predicate>,
    technique: impl Into<Option<Technique>>,
    effort: &Effort,
) -> Answer {
    let property = property.clone();
    let answer = match evidence(&property.question, run, target, effort) {
        Ok(Some(evidence)) => Answer::found(property, evidence),
        Ok(None) => {
            let verdict = property.when_found();
            Answer::new(property, verdict)
        }
        Err(reason) => Answer::unknown(property, reason),
    };
    Answer { technique: technique.into(), ..answer }
}

/// The answer where what the question looks for cannot be reached.
pub(crate) fn unreachable(property: &Property, technique: impl Into<Option<Technique>>) -> Answer {
    Answer { technique: technique.into(), ..Answer::not_found(property.clone()) }
}

/// The answer to a property of the net, where this is what a search of the reduced net says.
pub(crate) fn of_search(
    property: &Property,
    target: Option<&Predicate>,
    answer: Answer<Vec<TransitionIx>>,
    reduced: &Reduced,
    effort: &Effort,
) -> Answer {
    if !answer.is_found() {
        return unreachable(property, answer.technique);
    }
    match answer.evidence.map(|run| reduced.original_run(&run)) {
        None => reached(property, None, target, answer.technique, effort),
        Some(Some(run)) => reached(property, Some(&run), target, answer.technique, effort),
        Some(None) => Answer::unknown(property.clone(), no_original_run()),
    }
}

/// Why there is no answer to a formula that was understood.
pub(crate) fn too_large() -> StopReason {
    StopReason::Unsupported("a number in the formula is too large".to_owned())
}

/// Why there is no answer where a firing sequence of a reduced net comes from none of the net.
fn no_original_run() -> StopReason {
    StopReason::Internal("a run of the reduced net is none of the net".to_owned())
}

/// The evidence that a firing sequence is, where it is wanted.
fn evidence(
    question: &Question,
    run: Option<&[TransitionIx]>,
    target: Option<&Predicate>,
    effort: &Effort,
) -> Result<Option<Evidence>, StopReason> {
    let (Some(run), Some(model)) = (run, &effort.witnessed_on) else { return Ok(None) };
    let model = target.map_or_else(|| Arc::clone(model), |target| with_target(model, target));
    // The predicate is the last label: the net may have some of its own.
    let question = match question {
        Question::Always(_) => &Question::Always(last_label(&*model)),
        Question::Initially(_) => &Question::Initially(last_label(&*model)),
        other => other,
    };
    let evidence = replay_groups(&*model, run, question);
    evidence.map(Some).map_err(|error| StopReason::Internal(error.to_string()))
}

fn last_label(model: &dyn Model) -> LabelIx {
    LabelIx::new(model.signature().labels.len() - 1)
}

/// The model with a label that is zero where the predicate holds.
fn with_target(model: &Arc<dyn Model>, target: &Predicate) -> Arc<dyn Model> {
    let label = Label { name: "target".to_owned(), kind: LabelKind::Invariant, span: None };
    Arc::new(Labelled::new(Arc::clone(model), vec![(label, Arc::new(NotTarget::new(target)))]))
}

/// A label that is zero where a predicate holds.
pub(crate) struct NotTarget {
    target: Predicate,
    /// Where the label is not zero, if its numbers are small enough to be told.
    negated: Option<Predicate>,
    slots: Vec<SlotIx>,
}

impl NotTarget {
    /// The label of this predicate.
    pub(crate) fn new(target: &Predicate) -> Self {
        Self { negated: target.negated(), slots: target.slots(), target: target.clone() }
    }
}

impl StateFunction for NotTarget {
    fn reads(&self) -> &[SlotIx] {
        &self.slots
    }

    fn value(&self, state: &[Value]) -> Result<Value, EvalError> {
        Ok(Value::from(!self.target.holds(state)))
    }

    fn predicate(&self) -> Option<&Predicate> {
        self.negated.as_ref()
    }
}
