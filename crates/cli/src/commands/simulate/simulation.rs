//! A run of a model in the making: what is possible now, what was done so far, the way back.

use std::cmp::Ordering;
use std::fmt::Write as _;

use base::{GroupIx, LabelIx, SplitMix64};
use engine::Step;
use model::{EvalError, LabelKind, Model, Signature, Stepper, Successors, Value};
use report::witness::file::WrittenRun;
use report::witness::text as witness_text;
use report::{state_json, waiting, words};

/// A run in the making.
pub(crate) struct Simulation<'a> {
    model: &'a dyn Model,
    stepper: Box<dyn Stepper + 'a>,
    taken: Vec<Step>,
    possible: Vec<Step>,
    failing: Vec<(GroupIx, EvalError)>,
    /// Assertions that are false, or fail, where the run stands.
    broken: Vec<(LabelIx, Option<EvalError>)>,
    /// What the model says about stopping where the run stands, if it says anything and there is no step.
    end: Option<Result<Value, EvalError>>,
    random: SplitMix64,
    along: Option<WrittenRun>,
}

/// Why a step could not be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoStep {
    /// There is no step with this number.
    Number(usize),
    /// There is no step at all.
    Stuck,
    /// The run is at its beginning.
    Beginning,
    /// No witness was given.
    NoWitness,
    /// The witness has been followed to its end.
    WitnessEnds,
    /// The run has left the witness.
    OffWitness,
}

impl std::fmt::Display for NoStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(0) => write!(f, "steps are counted from 1"),
            Self::Number(number) => write!(f, "there is no step {number} here"),
            Self::Stuck => write!(f, "no step is possible here"),
            Self::Beginning => write!(f, "this is the initial state"),
            Self::NoWitness => write!(f, "there is no witness; start with --along REPORT.json"),
            Self::WitnessEnds => write!(f, "the witness ends here"),
            Self::OffWitness => write!(f, "the run has left the witness; go back with b"),
        }
    }
}

impl<'a> Simulation<'a> {
    /// A run that stands in the initial state.
    pub(crate) fn new(model: &'a dyn Model, seed: u64, along: Option<WrittenRun>) -> Self {
        let mut simulation = Self {
            model,
            stepper: model.stepper(),
            taken: Vec::new(),
            possible: Vec::new(),
            failing: Vec::new(),
            broken: Vec::new(),
            end: None,
            random: SplitMix64::new(seed),
            along,
        };
        simulation.look();
        simulation
    }

    fn signature(&self) -> &'a Signature {
        self.model.signature()
    }

    /// The state the run stands in.
    pub(crate) fn state(&self) -> &[Value] {
        self.taken.last().map_or(self.model.initial(), |step| &step.state)
    }

    fn look(&mut self) {
        let state = self.state().to_vec();
        let mut found = Successors::new(state.len());
        self.failing.clear();
        for group in self.signature().group_ixs() {
            if let Err(error) = self.stepper.group(group, &state, &mut found) {
                self.failing.push((group, error));
            }
        }
        let labels = &self.signature().labels;
        let asserted =
            LabelIx::all(labels.len()).filter(|label| labels[label.ix()].kind == LabelKind::Assertion);
        let stepper = &mut self.stepper;
        let broken = asserted.filter_map(|label| match stepper.label(label, &state) {
            Ok(0) => Some((label, None)),
            Ok(_) => None,
            Err(error) => Some((label, Some(error))),
        });
        self.broken = broken.collect();
        let is_stuck = found.is_empty() && self.failing.is_empty();
        let end = self.signature().end_label().filter(|_| is_stuck);
        self.end = end.map(|label| self.stepper.label(label, &state));
        self.possible = found
            .iter()
            .map(|successor| Step {
                group: successor.group,
                action: successor.action,
                state: successor.state.to_vec(),
                inside: Vec::new(),
            })
            .collect();
    }

    /// Takes the step with this number, counted from one.
    pub(crate) fn take(&mut self, number: usize) -> Result<(), NoStep> {
        let step =
            number.checked_sub(1).and_then(|at| self.possible.get(at)).ok_or(NoStep::Number(number))?;
        self.taken.push(step.clone());
        self.look();
        Ok(())
    }

    /// Takes some step.
    pub(crate) fn take_random(&mut self) -> Result<(), NoStep> {
        if self.possible.is_empty() {
            return Err(NoStep::Stuck);
        }
        let number = self.random.below(self.possible.len()) + 1;
        self.take(number)
    }

    /// Takes the last step back.
    pub(crate) fn back(&mut self) -> Result<(), NoStep> {
        self.taken.pop().ok_or(NoStep::Beginning)?;
        self.look();
        Ok(())
    }

    /// Takes the next step of the witness.
    pub(crate) fn follow(&mut self) -> Result<(), NoStep> {
        let run = self.along.as_ref().ok_or(NoStep::NoWitness)?;
        let here = match self.taken.len().checked_sub(1) {
            None => Some(&run.initial),
            Some(last) => run.steps.get(last).map(|step| &step.state),
        };
        let here = here.ok_or(NoStep::WitnessEnds)?;
        if state_json(self.signature(), self.state()) != *here {
            return Err(NoStep::OffWitness);
        }
        let next = run.steps.get(self.taken.len()).ok_or(NoStep::WitnessEnds)?;
        let found = self.possible.iter().position(|step| {
            self.signature().show_action(step.action) == next.action
                && state_json(self.signature(), &step.state) == next.state
        });
        self.take(found.ok_or(NoStep::OffWitness)? + 1)
    }

    /// Where the run stands, and what is possible there.
    pub(crate) fn choices(&self) -> String {
        let place = match self.taken.len() {
            0 => "initial state\n".to_owned(),
            steps => format!("after step {steps}\n"),
        };
        place + &self.possible_steps()
    }

    /// What is possible now, numbered, and what fails.
    pub(crate) fn possible_steps(&self) -> String {
        let signature = self.signature();
        let mut text = self.remarks();
        for (at, step) in self.possible.iter().enumerate() {
            text += &self.step(at + 1, self.state(), step);
        }
        for (group, error) in &self.failing {
            let remark = if error.is_limit() { "a limit of pinscher: not taken" } else { "cannot be taken" };
            let place = error.span.and_then(|span| words::place(signature, span)).unwrap_or_default();
            let (name, error) = (words::group(signature, *group), error.to_string());
            let _ = writeln!(text, "    !  {name}: {}   {place} ({remark})", words::shown(&error));
        }
        if self.possible.is_empty() {
            text += &match &self.end {
                _ if !self.failing.is_empty() => "  no step is possible\n".to_owned(),
                None | Some(Ok(0)) => {
                    "  no step is possible: a deadlock\n".to_owned() + &waiting(self.model, self.state())
                }
                Some(Ok(_)) => "  no step is possible, and it is fine to stop here\n".to_owned(),
                Some(Err(error)) => {
                    let error = error.to_string();
                    format!(
                        "  no step is possible; whether it is fine to stop here: {}\n",
                        words::shown(&error)
                    )
                }
            };
        }
        text
    }

    /// What is wrong with the state the run stands in.
    pub(crate) fn remarks(&self) -> String {
        let mut text = String::new();
        for (label, error) in &self.broken {
            let name = &self.signature().labels[label.ix()].name;
            // Languages call an assertion so in its name.
            let name = words::shown(name.strip_prefix("assert ").unwrap_or(name));
            let _ = match error {
                None => writeln!(text, "  assertion {name} is false here"),
                Some(error) => {
                    writeln!(text, "  assertion {name} fails here: {}", words::shown(&error.to_string()))
                }
            };
        }
        text
    }

    /// What the witness shows, once the run stands at its end.
    pub(crate) fn witness_end(&self) -> String {
        let Some(run) = &self.along else { return String::new() };
        match self.taken.len().cmp(&run.steps.len()) {
            Ordering::Less => String::new(),
            Ordering::Equal => format!("the witness ends here: {}\n", words::shown(&run.shows)),
            Ordering::Greater => "the run is past the end of the witness; go back with b\n".into(),
        }
    }

    /// The last step that was taken.
    pub(crate) fn last_step(&self) -> String {
        self.taken.len().checked_sub(1).map_or(String::new(), |last| self.taken_step(last))
    }

    /// The run so far.
    pub(crate) fn trace(&self) -> String {
        let mut text = String::from("    0  initial state\n");
        text.extend((0..self.taken.len()).map(|at| self.taken_step(at)));
        text
    }

    fn taken_step(&self, at: usize) -> String {
        let from = if at == 0 { self.model.initial() } else { &self.taken[at - 1].state };
        self.step(at + 1, from, &self.taken[at])
    }

    /// A step; what is inside is looked up only for those that are shown.
    fn step(&self, number: usize, from: &[Value], step: &Step) -> String {
        let inside = self.model.unfold(from, step.group, step.action, &step.state).unwrap_or_default();
        witness_text::step(self.signature(), number, from, &Step { inside, ..step.clone() })
    }

    /// The state in full.
    pub(crate) fn show_state(&self) -> String {
        witness_text::state(self.signature(), self.state())
    }
}
