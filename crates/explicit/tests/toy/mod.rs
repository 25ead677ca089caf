//! Toy models for tests: groups and labels are closures.

// Each test program uses a part of it.
#![allow(dead_code)]

pub mod naive;
pub mod random;
pub mod wide;

use std::sync::OnceLock;

use base::{GroupIx, LabelIx};
use engine::{Answer, BigUint, Control, Path, Property, Question, Report, Statistics, Task, Verdict, replay};
use explicit::{Options, Order, Storage};
use model::{
    Dependencies, EvalError, LabelKind, Model, Signature, SlotRole, Stepper, Successors, Type, Value,
};
use toys::{Behaviour, BehaviourStepper, frame};

/// The moves of a group from a state: actions and targets.
pub type Moves = Result<Vec<(Value, Vec<Value>)>, EvalError>;
type GroupFn = Box<dyn Fn(&[Value]) -> Moves + Send + Sync>;
type LabelFn = Box<dyn Fn(&[Value]) -> Result<Value, EvalError> + Send + Sync>;

pub struct Toy {
    signature: Signature,
    /// Made when they are asked for: a toy may have very many groups.
    dependencies: OnceLock<Dependencies>,
    initial: Vec<Value>,
    written: Vec<Vec<usize>>,
    /// What groups look at, where it is not everything.
    read: Vec<Option<Vec<usize>>>,
    groups: Vec<GroupFn>,
    labels: Vec<LabelFn>,
}

pub use toys::{failure, limit};

impl Toy {
    /// A model with slots of these ranges that begins in this state; its actions are called `a0` to `a9`.
    pub fn new(ranges: &[(i32, i32)], initial: &[Value]) -> Self {
        let types = ranges.iter().map(|&(lo, hi)| Type::range("t", lo, hi)).collect();
        let slots = (0..ranges.len()).map(|at| (format!("s{at}"), at, SlotRole::Variable));
        let mut signature = toys::signature(types, slots);
        signature.action = Type::names("action", (0..10).map(|number| format!("a{number}")).collect());
        let initial = initial.to_vec();
        Self {
            signature,
            dependencies: OnceLock::new(),
            initial,
            written: Vec::new(),
            read: Vec::new(),
            groups: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// With a group that writes these slots only.
    pub fn group(
        mut self,
        written: &[usize],
        moves: impl Fn(&[Value]) -> Moves + Send + Sync + 'static,
    ) -> Self {
        self.signature.groups.push(frame::group(self.groups.len(), []));
        self.groups.push(Box::new(moves));
        self.written.push(written.to_vec());
        self.read.push(None);
        self
    }

    /// The last group looks at these slots only.
    pub fn reading(mut self, slots: &[usize]) -> Self {
        *self.read.last_mut().expect("a group") = Some(slots.to_vec());
        self
    }

    /// These slots say where processes stand.
    pub fn places(mut self, slots: &[usize]) -> Self {
        slots.iter().for_each(|&slot| self.signature.slots[slot].role = SlotRole::Location);
        self
    }

    /// With a label that the model asserts.
    pub fn assertion(
        self,
        value: impl Fn(&[Value]) -> Result<Value, EvalError> + Send + Sync + 'static,
    ) -> Self {
        self.label(LabelKind::Assertion, Box::new(value))
    }

    /// With a label that a user asks for.
    pub fn predicate(
        self,
        value: impl Fn(&[Value]) -> Result<Value, EvalError> + Send + Sync + 'static,
    ) -> Self {
        self.label(LabelKind::Invariant, Box::new(value))
    }

    /// With a label that says where it is fine to stop.
    pub fn end(self, value: impl Fn(&[Value]) -> Result<Value, EvalError> + Send + Sync + 'static) -> Self {
        self.label(LabelKind::End, Box::new(value))
    }

    fn label(mut self, kind: LabelKind, value: LabelFn) -> Self {
        self.signature.labels.push(frame::label(format!("l{}", self.labels.len()), kind));
        self.labels.push(value);
        self
    }

    /// A counter in one slot from `0` to `last`, one step at a time.
    pub fn counter(last: u32) -> Self {
        Self::new(&[(0, last as i32)], &[0]).group(&[0], move |state| {
            Ok(if state[0] < last { vec![(0, vec![state[0] + 1])] } else { Vec::new() })
        })
    }

    /// A state that leads to `last` others, `1` to `last`, from each of which one step leads back.
    pub fn fan(last: u32) -> Self {
        Self::new(&[(0, last as i32)], &[0]).group(&[0], move |state| {
            Ok(if state[0] == 0 {
                (1..=last).map(|target| (0, vec![target])).collect()
            } else {
                vec![(1, vec![0])]
            })
        })
    }

    /// Slots that each count round and round on their own: size^n states, n successors each.
    pub fn wheels(n: usize, size: u32) -> Self {
        (0..n).fold(Self::new(&vec![(0, size as i32 - 1); n], &vec![0; n]), |toy, slot| {
            toy.group(&[slot], move |state| {
                let mut target = state.to_vec();
                target[slot] = (target[slot] + 1) % size;
                Ok(vec![(0, target)])
            })
        })
    }

    fn make_dependencies(&self) -> Dependencies {
        let mut made =
            Dependencies::none(self.signature.slots.len(), self.groups.len(), 0, self.labels.len());
        for (group, written) in self.written.iter().enumerate() {
            written.iter().for_each(|&slot| made.may_write.set(group, slot));
            let all = (0..self.signature.slots.len()).collect();
            let read = self.read[group].as_ref().unwrap_or(&all);
            read.iter().for_each(|&slot| made.read.set(group, slot));
        }
        made
    }
}

impl Model for Toy {
    model::from_fields!(signature, initial);

    fn dependencies(&self) -> &Dependencies {
        self.dependencies.get_or_init(|| self.make_dependencies())
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(BehaviourStepper(self))
    }
}

impl Behaviour for Toy {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn update(&self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        for (action, target) in self.groups[group.ix()](from)? {
            to.push(group, action, &target);
        }
        Ok(())
    }

    fn label(&self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.labels[label.ix()](from)
    }
}

/// Both orders.
pub const ORDERS: [Order; 2] = [Order::BreadthFirst, Order::DepthFirst];

/// All ways to search that leave nothing out, some of which have to search again for every run.
pub fn ways() -> impl Iterator<Item = (Options, Order)> {
    let ways = [(1, 1 << 20), (1, 0), (2, 20), (3, 1 << 20)].into_iter().flat_map(|(threads, kept_ways)| {
        // Small models are searched like large ones, too.
        [(Storage::Plain, 1 << 15), (Storage::Tree, 1 << 15), (Storage::Plain, 7), (Storage::Tree, 0)].map(
            |(storage, early_states)| Options {
                threads,
                storage,
                kept_ways,
                early_states,
                ..Options::default()
            },
        )
    });
    ways.flat_map(|options| ORDERS.map(|order| (options, order)))
}

/// Each question as a property.
pub fn properties(questions: &[Question]) -> Vec<Property> {
    questions.iter().map(|question| Property::new(format!("{question:?}"), question.clone())).collect()
}

/// Searches with one worker and whole states, and replays every path that is found.
pub fn search(
    model: &dyn Model,
    questions: &[Question],
    find_all: bool,
    order: Order,
    control: &Control,
) -> Report<Path> {
    search_by(Options::default(), model, questions, find_all, order, control)
}

/// Searches, and replays every path that is found.
pub fn search_by(
    options: Options,
    model: &dyn Model,
    questions: &[Question],
    find_all: bool,
    order: Order,
    control: &Control,
) -> Report<Path> {
    let properties = properties(questions);
    let report = explicit::search(
        &Task { model, properties: &properties, find_all, census: engine::Census::default() },
        Options { order, ..options },
        control,
        None,
    );
    assert_eq!(report.answers.len(), questions.len());
    for answer in &report.answers {
        let Answer { property, verdict, evidence, .. } = answer;
        assert_eq!(violations(answer) > 0, verdict.is_violated());
        assert_eq!(evidence.is_some(), verdict.is_violated());
        if let Some(path) = evidence {
            replay(model, path, &property.question)
                .unwrap_or_else(|error| panic!("{}: {error}", property.name));
        }
    }
    report
}

/// The number of steps of a counterexample, or the name of another verdict.
pub fn steps(answer: &Answer<Path>) -> Result<usize, String> {
    match (&answer.verdict, &answer.evidence) {
        (Verdict::Unknown(reason), _) => Err(reason.name().into()),
        (_, Some(path)) => Ok(path.states.len() - 1),
        (verdict, None) => Err(verdict.name().into()),
    }
}

/// The counts of a report, as small as those of toys are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    pub states: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    pub errors: u64,
    pub levels: Option<u64>,
    pub depth: u64,
    pub memory: u64,
}

/// The counts of a report.
pub fn numbers(report: &Report<Path>) -> Numbers {
    let Statistics { states, transitions, deadlocks, errors, levels, depth, memory, .. } =
        report.statistics.clone();
    let small = |count: Option<BigUint>| count.expect("it is counted").try_into().expect("it is small");
    Numbers {
        states: small(Some(states)),
        transitions: small(transitions),
        deadlocks: small(deadlocks),
        errors: small(errors),
        levels,
        depth: depth.expect("it is known"),
        memory,
    }
}

/// How many violations were counted.
pub fn violations(answer: &Answer<Path>) -> u64 {
    answer.violations.clone().expect("they are counted").try_into().expect("they are few")
}
