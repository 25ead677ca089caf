//! Replay: what an engine found is run again on the plain model, step by step, before anyone sees it.

use base::{GroupIx, LabelIx};
use model::{EvalError, LabelKind, Model, Stepper, Successors, Value};

use crate::{Ending, Evidence, Path, Pattern, Question, Run, Step};

/// Why a path is no evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// It does not begin in the initial state.
    Initial,
    /// The model has no such step, counted from one.
    Step(usize),
    /// The end is not what is looked for.
    Ending,
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Initial => write!(f, "the run does not begin in the initial state"),
            Self::Step(number) => write!(f, "the model has no step {number} of the run"),
            Self::Ending => write!(f, "the end of the run is not what is looked for"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Runs the path on the model and checks that it shows what the question looks for.
///
/// The model is the one below all layers that change slots: the path speaks in its slots and the question in
/// its labels.
pub fn replay(model: &dyn Model, path: &Path, question: &Question) -> Result<Evidence, ReplayError> {
    let initial = path.states.first().ok_or(ReplayError::Initial)?;
    if initial != model.initial() {
        return Err(ReplayError::Initial);
    }
    let mut runner =
        Runner { model, stepper: model.stepper(), buffer: Successors::new(model.initial().len()) };
    let mut steps = Vec::with_capacity(path.states.len() - 1);
    let last_step = path.states.len() - 1;
    for (number, pair) in path.states.windows(2).enumerate() {
        let wanted = match question {
            Question::NoAction(pattern) => Some(Pattern::new(pattern, model.signature())),
            Question::Never(action) => Some(Pattern::one(*action)),
            _ => None,
        };
        let wanted = wanted.filter(|_| number + 1 == last_step);
        steps.push(runner.step(&pair[0], &pair[1], wanted).ok_or(ReplayError::Step(number + 1))?);
    }
    let last = path.states.last().expect("BUG: the path has a first state");
    let initial = initial.clone();
    let Some(loop_from) = path.loop_from else {
        let ending = runner.ending(last, question, !steps.is_empty()).ok_or(ReplayError::Ending)?;
        return Ok(Evidence::Run(Run { initial, steps, ending }));
    };
    // The step that closes the loop.
    let first = path.states.get(loop_from).ok_or(ReplayError::Ending)?;
    steps.push(runner.step(last, first, None).ok_or(ReplayError::Step(steps.len() + 1))?);
    Ok(Evidence::Lasso { run: Run { initial, steps, ending: Ending::Loop }, loop_from })
}

/// The same for a run that is told by the groups that move, each of which has one step at the most from any
/// state, as transitions of nets have.
pub fn replay_groups(
    model: &dyn Model,
    groups: &[GroupIx],
    question: &Question,
) -> Result<Evidence, ReplayError> {
    let initial = model.initial().to_vec();
    let mut runner = Runner { model, stepper: model.stepper(), buffer: Successors::new(initial.len()) };
    let mut steps: Vec<Step> = Vec::with_capacity(groups.len());
    for (number, &group) in groups.iter().enumerate() {
        let from = steps.last().map_or(&initial, |step| &step.state);
        steps.push(runner.step_of(group, from).ok_or(ReplayError::Step(number + 1))?);
    }
    let last = steps.last().map_or(&initial, |step| &step.state).clone();
    let ending = runner.ending(&last, question, !steps.is_empty()).ok_or(ReplayError::Ending)?;
    Ok(Evidence::Run(Run { initial, steps, ending }))
}

struct Runner<'a> {
    model: &'a dyn Model,
    stepper: Box<dyn Stepper + 'a>,
    buffer: Successors,
}

impl Runner<'_> {
    /// The step between two states, with an action that matches the pattern if one is wanted.
    fn step(&mut self, from: &[Value], to: &[Value], mut wanted: Option<Pattern>) -> Option<Step> {
        self.expand(from);
        let signature = self.model.signature();
        let mut steps = self.buffer.iter().filter(|successor| successor.state == to);
        let found = steps.find(|successor| {
            wanted.as_mut().is_none_or(|wanted| wanted.matches(successor.action, signature))
        })?;
        let (group, action) = (found.group, found.action);
        let inside = self.model.unfold(from, group, action, to).unwrap_or_default();
        Some(Step { group, action, state: to.to_vec(), inside })
    }

    /// The only step of a group.
    fn step_of(&mut self, group: GroupIx, from: &[Value]) -> Option<Step> {
        self.buffer.clear();
        self.stepper.group(group, from, &mut self.buffer).ok()?;
        let found = self.buffer.iter().next()?;
        let (action, state) = (found.action, found.state.to_vec());
        let inside = self.model.unfold(from, group, action, &state).unwrap_or_default();
        Some(Step { group, action, state, inside })
    }

    fn ending(&mut self, last: &[Value], question: &Question, moved: bool) -> Option<Ending> {
        match question {
            Question::NoDeadlock => {
                let is_stuck = self.expand(last).is_empty() && self.buffer.is_empty();
                let end = self.model.signature().end_label();
                // Where the label fails nobody knows whether it is fine to stop.
                (is_stuck && end.is_none_or(|end| self.label_is_zero(end, last))).then_some(Ending::Deadlock)
            }
            Question::NoError => self
                .expand(last)
                .into_iter()
                .find(|(_, error)| !error.is_limit())
                .map(|(group, error)| Ending::Error { error, group: Some(group) })
                .or_else(|| self.label_error(last)),
            Question::Always(label) => self.label_is_zero(*label, last).then_some(Ending::Label),
            // The last step was looked up by its action.
            Question::NoAction(_) | Question::Never(_) => moved.then_some(Ending::Action),
            Question::Initially(label) => {
                (!moved && self.label_is_zero(*label, last)).then_some(Ending::Label)
            }
            Question::Maximum(_) | Question::Other(_) => None,
        }
    }

    /// Fills the buffer with the successors of a state; the answer is the groups that fail.
    fn expand(&mut self, from: &[Value]) -> Vec<(GroupIx, EvalError)> {
        self.buffer.clear();
        let ask = |group| Some((group, self.stepper.group(group, from, &mut self.buffer).err()?));
        self.model.signature().group_ixs().filter_map(ask).collect()
    }

    fn label_is_zero(&mut self, label: LabelIx, state: &[Value]) -> bool {
        self.stepper.label(label, state) == Ok(0)
    }

    /// How a label fails, other than by a limit of the tool, in a state whose successors are in the buffer.
    fn label_error(&mut self, state: &[Value]) -> Option<Ending> {
        let labels = &self.model.signature().labels;
        let is_stuck = self.buffer.is_empty();
        LabelIx::all(labels.len())
            .filter(|label| match labels[label.ix()].kind {
                // A user's predicate that cannot be evaluated is no failure of the model.
                LabelKind::Invariant => false,
                // Nobody asks it where there is a way on.
                LabelKind::End => is_stuck,
                LabelKind::Assertion | LabelKind::Plain => true,
            })
            .filter_map(|label| self.stepper.label(label, state).err())
            .find(|error| !error.is_limit())
            .map(|error| Ending::Error { error, group: None })
    }
}
