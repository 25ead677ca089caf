//! The oracle: a breadth-first search with a hash map, a queue, and nothing clever.

use std::collections::{HashMap, VecDeque};

use base::{GroupIx, LabelIx};
use engine::Question;
use model::{EvalError, LabelKind, Model, Successors, Value};

use super::Toy;

/// All that can be said of a model.
#[derive(Default, Debug)]
pub struct Facts {
    pub states: u64,
    pub transitions: u64,
    pub levels: u64,
    pub deadlocks: u64,
    pub errors: u64,
    pub group_errors: u64,
    /// States in which a group or a label meets a limit.
    pub limits: u64,
    /// For each question how often it is violated, and how many steps away at least.
    pub violations: Vec<(u64, usize)>,
    /// For each question whether it is a predicate that fails somewhere.
    pub unevaluable: Vec<bool>,
    /// Some state has a successor that is further away than allowed.
    pub cut: bool,
}

impl Facts {
    /// The verdict on a question that a complete search does not see violated.
    pub fn undisputed(&self, question: usize) -> &'static str {
        match (self.unevaluable[question], self.limits, self.errors) {
            (true, ..) => "predicate-error",
            (false, 0, 0) => "holds",
            (false, 0, _) => "evaluation-error",
            (false, ..) => "limit",
        }
    }
}

pub fn facts(toy: &Toy, questions: &[Question]) -> Facts {
    facts_within(toy, questions, usize::MAX)
}

/// What can be said of the states that are no more than this many steps away.
pub fn facts_within(toy: &Toy, questions: &[Question], depth: usize) -> Facts {
    let mut facts = Facts {
        violations: vec![(0, usize::MAX); questions.len()],
        unevaluable: vec![false; questions.len()],
        ..Facts::default()
    };
    let mut stepper = toy.stepper();
    let mut distances: HashMap<Vec<Value>, usize> = HashMap::from([(toy.initial().to_vec(), 0)]);
    let mut queue = VecDeque::from([toy.initial().to_vec()]);
    let is_predicate = |label: LabelIx| toy.signature().labels[label.ix()].kind == LabelKind::Invariant;
    let asserted: Vec<LabelIx> = questions
        .iter()
        .filter_map(|question| match question {
            Question::Always(label) if !is_predicate(*label) => Some(*label),
            _ => None,
        })
        .collect();
    let asks_for_deadlocks = questions.contains(&Question::NoDeadlock);
    while let Some(state) = queue.pop_front() {
        let distance = distances[&state];
        facts.states += 1;
        facts.levels = distance as u64 + 1;
        let mut successors = Successors::new(state.len());
        let groups = GroupIx::all(toy.signature().groups.len());
        let failures: Vec<EvalError> =
            groups.filter_map(|group| stepper.group(group, &state, &mut successors).err()).collect();
        let group_failed = failures.iter().any(|failure| !failure.is_limit());
        let label_failures: Vec<EvalError> =
            asserted.iter().filter_map(|&label| stepper.label(label, &state).err()).collect();
        facts.transitions += successors.len() as u64;
        facts.group_errors += u64::from(group_failed);
        let deadlock = successors.is_empty() && failures.is_empty();
        facts.deadlocks += u64::from(deadlock);
        // Where it is fine to stop is asked in deadlocks alone, and only if somebody asks for those.
        let fine = match toy.signature().labels.iter().position(|label| label.kind == LabelKind::End) {
            Some(end) if deadlock && asks_for_deadlocks => stepper.label(LabelIx::new(end), &state),
            _ => Ok(0),
        };
        let failures: Vec<&EvalError> =
            failures.iter().chain(&label_failures).chain(fine.as_ref().err()).collect();
        let failed = failures.iter().any(|failure| !failure.is_limit());
        facts.errors += u64::from(failed);
        facts.limits += u64::from(failures.iter().any(|failure| failure.is_limit()));
        for (question, unevaluable) in questions.iter().zip(&mut facts.unevaluable) {
            if let Question::Always(label) = question {
                *unevaluable |= is_predicate(*label) && stepper.label(*label, &state).is_err();
            }
        }
        for (question, (count, nearest)) in questions.iter().zip(&mut facts.violations) {
            let (here, at) = match question {
                Question::NoDeadlock => (u64::from(deadlock && fine == Ok(0)), distance),
                Question::NoError => (u64::from(failed), distance),
                Question::Always(label) => (u64::from(stepper.label(*label, &state) == Ok(0)), distance),
                Question::NoAction(pattern) => {
                    let matches = |action| Question::matches(pattern, &toy.signature().show_action(action));
                    (
                        successors.iter().filter(|successor| matches(successor.action)).count() as u64,
                        distance + 1,
                    )
                }
                Question::Never(action) => (
                    successors.iter().filter(|successor| successor.action == *action).count() as u64,
                    distance + 1,
                ),
                Question::Initially(_) | Question::Maximum(_) | Question::Other(_) => {
                    panic!("no search answers it")
                }
            };
            *count += here;
            if here > 0 {
                *nearest = (*nearest).min(at);
            }
        }
        for successor in successors.iter() {
            if distance == depth {
                facts.cut |= !distances.contains_key(successor.state);
            } else if !distances.contains_key(successor.state) {
                distances.insert(successor.state.to_vec(), distance + 1);
                queue.push_back(successor.state.to_vec());
            }
        }
    }
    facts
}
