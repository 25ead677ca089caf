//! The questions of a task, put to a set of states as a whole. The meaning is that of the explicit engine: a
//! deadlock is a state without successors in which no group fails, and a violation where it is not fine to
//! stop; an error is a state in which a group or an assertion fails, or a deadlock of which the model cannot
//! tell whether it is fine to stop there.

use base::LabelIx;
use engine::{Pattern, Property, Question};
use ldd::{Ldd, Store};
use model::Model;

use crate::labels::AskedLabel;
use crate::reach::{Search, Stop};

/// The questions of a task.
pub(crate) struct Asked {
    pub kinds: Vec<Kind>,
    pub labels: Vec<AskedLabel>,
    /// Says where it is fine to stop, if the model does and deadlocks are asked for.
    pub end: Option<AskedLabel>,
}

/// What is asked, with the place of its label or pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    NoDeadlock,
    NoError,
    Always(usize),
    NoAction(usize),
}

/// What there is to see in a set of states.
pub(crate) struct Look {
    /// The states that violate each property. Of an action: those in which it can happen.
    pub violating: Vec<Ldd>,
    /// The states in which a group fails: what follows them is not known.
    pub failing: Ldd,
    /// These, and the states in which an assertion fails.
    pub errors: Ldd,
    /// The states without successors, if a property or the caller asks for them; also those where it is fine
    /// to stop.
    pub deadlocks: Option<Ldd>,
}

impl Asked {
    /// The questions, and the patterns of actions that the search has to look out for.
    pub fn new(properties: &[Property], model: &dyn Model, store: &Store) -> (Self, Vec<Pattern>) {
        let (mut labels, mut patterns): (Vec<AskedLabel>, Vec<Pattern>) = (Vec::new(), Vec::new());
        let mut place = |label: LabelIx| {
            labels.iter().position(|asked| asked.label == label).unwrap_or_else(|| {
                labels.push(AskedLabel::new(model, label, store));
                labels.len() - 1
            })
        };
        let kinds = properties
            .iter()
            .map(|property| match &property.question {
                Question::NoDeadlock => Kind::NoDeadlock,
                Question::NoError => Kind::NoError,
                Question::Always(label) => Kind::Always(place(*label)),
                Question::NoAction(pattern) => {
                    patterns.push(Pattern::new(pattern, model.signature()));
                    Kind::NoAction(patterns.len() - 1)
                }
                Question::Never(action) => {
                    patterns.push(Pattern::one(*action));
                    Kind::NoAction(patterns.len() - 1)
                }
                Question::Initially(_) | Question::Maximum(_) | Question::Other(_) => {
                    panic!("BUG: the engine was asked what it does not support")
                }
            })
            .collect::<Vec<Kind>>();
        let end = model.signature().end_label().filter(|_| kinds.contains(&Kind::NoDeadlock));
        let end = end.map(|label| AskedLabel::new(model, label, store));
        (Self { kinds, labels, end }, patterns)
    }

    /// How the property itself failed, if it is a predicate and did.
    pub fn failure(&self, property: usize) -> Option<&String> {
        match self.kinds[property] {
            Kind::Always(label) if self.labels[label].is_predicate => self.labels[label].failure.as_ref(),
            _ => None,
        }
    }
}

impl Search<'_> {
    /// Looks at the states of a set; for deadlocks only if they are asked for. All groups were asked for all
    /// of them then.
    pub fn look(&mut self, set: &Ldd, asked: &mut Asked) -> Result<Look, Stop> {
        let wants_deadlocks = asked.kinds.contains(&Kind::NoDeadlock);
        self.look_for(set, asked, wants_deadlocks)
    }

    /// The same with deadlocks in any case.
    pub fn look_at_all(&mut self, set: &Ldd, asked: &mut Asked) -> Result<Look, Stop> {
        self.look_for(set, asked, true)
    }

    fn look_for(&mut self, set: &Ldd, asked: &mut Asked, wants_deadlocks: bool) -> Result<Look, Stop> {
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
                Kind::NoDeadlock => stuck.clone().expect("BUG: deadlocks were asked for"),
                Kind::NoError => errors.clone(),
                Kind::Always(label) => zero[label].clone(),
                Kind::NoAction(pattern) => self.acting(pattern, set)?,
            });
        }
        Ok(Look { violating, failing, errors, deadlocks })
    }
}
