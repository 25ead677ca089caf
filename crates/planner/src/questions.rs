//! What is asked of a model: from texts of users to labels on the model and properties for engines.

use std::sync::Arc;

use base::{GroupIx, LabelIx, Source};
use engine::{Property, Question};
use layers::{Aspect, Labelled, Need};
use logic::Predicate;
use model::{Label, LabelKind, Linear, Model, Signature, StateFunction, Value};

use crate::actions;
use crate::error::{Error, WrongQuestion};

/// What is asked, in the words of the user.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// No state is without successors, but where it is fine to stop.
    pub deadlock: bool,
    /// The assertions of the file hold, and none of its alarms is raised.
    pub assertions: bool,
    /// No state makes the model fail.
    pub errors: bool,
    /// These predicates hold everywhere.
    pub invariants: Vec<Invariant>,
    /// No action that one of these patterns matches happens.
    pub actions: Vec<String>,
}

/// A predicate that a user asks for.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// How reports call it.
    pub name: String,
    /// Its text.
    pub source: Source,
}

impl Invariant {
    /// The label of the model that the whole text names, in backticks or not.
    fn label(&self, signature: &Signature) -> Option<LabelIx> {
        let text = self.source.text().trim();
        let name = text.strip_prefix('`').and_then(|text| text.strip_suffix('`')).unwrap_or(text);
        signature.labels.iter().position(|label| label.name == name).map(LabelIx::new)
    }
}

/// A model with its labels, and the properties that speak of them.
pub struct Asked {
    /// The model as its language gave it, with a label for each invariant.
    pub model: Arc<dyn Model>,
    /// The properties, in the order of the report.
    pub properties: Vec<Property>,
    /// What is to be found out of the states as a whole.
    pub survey: Survey,
}

/// What is to be found out of the states of a model as a whole, in its own slots and groups:
/// [`engine::Census`] says what it means.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// The greatest value of each of these sums.
    pub maxima: Vec<Linear>,
    /// The least and the greatest value of each slot.
    pub ranges: bool,
    /// Which groups have a step.
    pub enabled: bool,
    /// How many transitions there are.
    pub transitions: bool,
    /// Whether one of the groups of each set can have a step again from every state.
    pub live: Vec<Vec<GroupIx>>,
}

impl Asked {
    /// What every layer must preserve, and who needs it.
    pub fn needs(&self) -> Vec<Need> {
        // Each report tells the number of states, and whether something fails.
        let least = &[Aspect::States, Aspect::Errors];
        let told: &[Aspect] = if self.survey == Survey::default() { least } else { Aspect::NUMBERS };
        let told = told.iter().map(|&aspect| Need { aspect, of: "the report".into() });
        let asked = self.properties.iter().flat_map(|property| {
            let need = |&aspect: &Aspect| Need { aspect, of: format!("the property `{}`", property.name) };
            about(&property.question).iter().map(need)
        });
        told.chain(asked).collect()
    }
}

/// What of a model a question is about.
fn about(question: &Question) -> &'static [Aspect] {
    match question {
        // Some models label the states in which it is fine to stop.
        Question::NoDeadlock => &[Aspect::Deadlocks, Aspect::Invariants],
        Question::NoError => &[Aspect::Errors],
        Question::Always(_) => &[Aspect::Invariants],
        Question::NoAction(_) | Question::Never(_) => &[Aspect::Actions],
        // The initial state is the same on every layer, and what is no search is no matter of layers.
        Question::Initially(_) | Question::Maximum(_) | Question::Other(_) => &[],
    }
}

impl Questions {
    /// All that can be asked of a file without naming anything.
    pub fn everything() -> Self {
        Self { deadlock: true, assertions: true, errors: true, ..Self::default() }
    }

    /// Only whether the model fails: what a count has to know.
    pub fn failures() -> Self {
        Self { errors: true, ..Self::default() }
    }

    /// Puts the questions to a model.
    pub fn ask(&self, model: Arc<dyn Model>) -> Result<Asked, Error> {
        let signature = model.signature();
        let mut properties = Vec::new();
        if self.deadlock {
            properties.push(Property::new("deadlock", Question::NoDeadlock));
        }
        if self.assertions {
            let asserted =
                signature.label_ixs().filter(|l| signature.labels[l.ix()].kind == LabelKind::Assertion);
            properties.extend(
                asserted.map(|l| Property::new(&*signature.labels[l.ix()].name, Question::Always(l))),
            );
            let alarm =
                |&action: &Value| Property::new(signature.show_action(action), Question::Never(action));
            properties.extend(signature.alarms.iter().map(alarm));
        }
        let first = signature.labels.len();
        let mut labels: Vec<(Label, Arc<dyn StateFunction>)> = Vec::new();
        let mut wrong = Vec::new();
        for invariant in &self.invariants {
            if let Some(label) = invariant.label(signature) {
                properties.push(Property::new(&*invariant.name, Question::Always(label)));
                continue;
            }
            match Predicate::parse(&invariant.source, signature) {
                Ok(predicate) => {
                    let label =
                        Label { name: invariant.name.clone(), kind: LabelKind::Invariant, span: None };
                    let question = Question::Always(LabelIx::new(first + labels.len()));
                    labels.push((label, Arc::new(predicate)));
                    properties.push(Property::new(&*invariant.name, question));
                }
                Err(problems) => {
                    wrong.push(WrongQuestion::Predicate { source: invariant.source.clone(), problems });
                }
            }
        }
        for pattern in &self.actions {
            wrong.extend(actions::check(pattern, &signature.action).err().map(WrongQuestion::Action));
            properties.push(Property::new(format!("action {pattern}"), Question::NoAction(pattern.clone())));
        }
        if !wrong.is_empty() {
            return Err(Error::Questions(wrong));
        }
        if self.errors {
            properties.push(Property::new("errors", Question::NoError));
        }
        let model = if labels.is_empty() { model } else { Arc::new(Labelled::new(model, labels)) };
        Ok(Asked { model, properties, survey: Survey::default() })
    }
}

#[cfg(test)]
mod tests {
    use toys::Altered;

    use super::*;

    const STEPS: &str = "begin state\nx:int\nend state\nbegin edge\naction:action\nend edge\nbegin init\n0\nend init\n\
                         begin trans\n0/1 0\n1/2 1\nend trans\n\
                         begin sort action\n\"go\"\n\"assertion violated: a*(b) > 0\"\nend sort\n";

    fn with_alarm() -> Arc<dyn Model> {
        let model = lang_etf::load(Arc::new(Source::new("steps.etf", STEPS))).expect("it is a model").model;
        let mut signature = model.signature().clone();
        let alarm =
            (0..2).find(|&action| signature.show_action(action).contains("violated")).expect("it is there");
        signature.alarms = vec![alarm];
        Arc::new(Altered::of(model).with_signature(signature))
    }

    #[test]
    fn alarms_are_asked_with_all_that_a_file_states_and_not_else() {
        let asks_for_actions =
            |asked: &Asked| asked.needs().iter().any(|need| need.aspect == Aspect::Actions);
        let asked = Questions::everything().ask(with_alarm()).unwrap();
        let alarm = asked.model.signature().alarms[0];
        let property =
            asked.properties.iter().find(|property| property.question == Question::Never(alarm)).unwrap();
        assert!(property.name.contains("assertion violated: a*(b) > 0"), "{}", property.name);
        assert!(asks_for_actions(&asked));
        for questions in [Questions::failures(), Questions { deadlock: true, ..Questions::default() }] {
            let asked = questions.ask(with_alarm()).unwrap();
            assert!(!asks_for_actions(&asked), "{questions:?}");
        }
    }
}
