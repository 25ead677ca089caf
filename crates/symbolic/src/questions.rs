//! The questions of a task, and what sets of states say of them.

use base::LabelIx;
use engine::{Pattern, Property, Question, StopReason};
use ldd::{Ldd, Store};
use model::Model;

use crate::labels::LabelQuery;

/// The questions of a task.
pub(crate) struct Questions {
    pub kinds: Vec<QuestionKind>,
    pub labels: Vec<LabelQuery>,
    /// Says where it is fine to stop, if the model does and deadlocks are asked for.
    pub end: Option<LabelQuery>,
}

/// What is asked, with the place of its label or pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QuestionKind {
    NoDeadlock,
    NoError,
    Always(usize),
    NoAction(usize),
}

/// What there is to see in a set of states.
pub(crate) struct Inspection {
    /// The states that violate each property. Of an action: those in which it can happen.
    pub violating: Vec<Ldd>,
    /// The states in which a group fails, for whatever reason: what follows them is not known.
    pub failing: Ldd,
    /// The states in which a group or an assertion fails by an error of the model.
    pub errors: Ldd,
    /// The limit of the tool that a group or an assertion meets in some of the states.
    pub limit: Option<StopReason>,
    /// The states without successors, if a property or the caller asks for them; also those where it is fine
    /// to stop.
    pub deadlocks: Option<Ldd>,
}

impl Questions {
    /// The questions, and the patterns of actions that the search has to look out for.
    pub fn new(properties: &[Property], model: &dyn Model, store: &Store) -> (Self, Vec<Pattern>) {
        let (mut labels, mut patterns): (Vec<LabelQuery>, Vec<Pattern>) = (Vec::new(), Vec::new());
        let mut place = |label: LabelIx| {
            labels.iter().position(|asked| asked.label == label).unwrap_or_else(|| {
                labels.push(LabelQuery::new(model, label, store));
                labels.len() - 1
            })
        };
        let kinds = properties
            .iter()
            .map(|property| match &property.question {
                Question::NoDeadlock => QuestionKind::NoDeadlock,
                Question::NoError => QuestionKind::NoError,
                Question::Always(label) => QuestionKind::Always(place(*label)),
                Question::NoAction(pattern) => {
                    patterns.push(Pattern::new(pattern, model.signature()));
                    QuestionKind::NoAction(patterns.len() - 1)
                }
                Question::Never(action) => {
                    patterns.push(Pattern::one(*action));
                    QuestionKind::NoAction(patterns.len() - 1)
                }
                Question::Initially(_) | Question::Maximum(_) | Question::Other(_) => {
                    panic!("BUG: the engine was asked what it does not support")
                }
            })
            .collect::<Vec<QuestionKind>>();
        let end = model.signature().end_label().filter(|_| kinds.contains(&QuestionKind::NoDeadlock));
        let end = end.map(|label| LabelQuery::new(model, label, store));
        (Self { kinds, labels, end }, patterns)
    }

    /// How the property itself failed, if it is a predicate and did.
    pub fn failure(&self, property: usize) -> Option<&String> {
        match self.kinds[property] {
            QuestionKind::Always(label) if self.labels[label].is_predicate => {
                self.labels[label].failure.as_ref()
            }
            _ => None,
        }
    }
}
