//! A toy language: guarded commands over slots and arrays, with guards that can be *maybe*, dynamic writes
//! that copy the other cells, choices, evaluation errors. Its matrices are computed from the text, and can be
//! spoilt by a test.

use base::{GroupIx, GuardIx, LabelIx};
use model::{
    Dependencies, EvalError, EvalErrorKind, LabelKind, Model, Signature, Stepper, Successors, Truth, Type,
    Value, every_group,
};
use toys::{Behaviour, BehaviourStepper, frame};

/// Cells `base .. base + length`.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    pub base: usize,
    pub length: usize,
}

#[derive(Clone, Copy, Debug)]
pub enum Expr {
    Const(Value),
    Slot(usize),
    /// (slot + amount) mod modulus.
    Add(usize, Value, Value),
    /// slot + 1, an error past `most`.
    Next(usize, Value),
    /// array[slot], an error outside the array.
    Cell(Array, usize),
}

/// `left < right`, `left = right` or their negations.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    pub left: Expr,
    pub less: bool,
    pub right: Value,
    pub negated: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Assign {
    Slot(usize, Expr),
    /// array[slot] := expression, an error outside the array.
    Cell(Array, usize, Expr),
}

/// A group: its guards, and for each choice an action and assignments that all read the state before.
#[derive(Clone, Debug, Default)]
pub struct Command {
    pub guards: Vec<usize>,
    pub choices: Vec<(Value, Vec<Assign>)>,
}

/// Ways to misbehave that no matrix shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    None,
    /// No slot is marked as copied.
    NoMarks,
    /// No slot is marked as copied where the first slot is one.
    FickleMarks,
    /// Slots that are never copied are marked.
    StrayMarks,
    /// Each slot that a choice writes is marked, too.
    WrittenMarks,
    /// Guards say *true* where they are false.
    GuardsTrue,
    /// Guards say *false* where they are true.
    GuardsFalse,
    /// Guards say *maybe* where they are true.
    GuardsMaybe,
    /// The update has another action.
    Update,
    /// `all` leaves out the last successor.
    All,
    /// A successor bears the number of the next group.
    Number,
    /// A failed call leaves what it found.
    Leftover,
    /// The guard of a group is looked at in its update.
    UpdateTests,
}

pub struct Toy {
    pub signature: Signature,
    pub dependencies: Dependencies,
    pub initial: Vec<Value>,
    pub rules: Vec<Command>,
    pub tests: Vec<Test>,
    pub labels: Vec<Expr>,
    pub fault: Fault,
}

impl Toy {
    pub fn new(initial: Vec<Value>, tests: Vec<Test>, rules: Vec<Command>, labels: Vec<Expr>) -> Self {
        let types = vec![Type::range("int", 0, 1000)];
        let groups = rules.iter().enumerate();
        let signature = Signature {
            groups: groups.map(|(at, rule)| frame::group(at, rule.guards.iter().copied())).collect(),
            guards: tests.iter().map(|test| frame::guard(format!("{test:?}"))).collect(),
            labels: labels.iter().map(|label| frame::label(format!("{label:?}"), LabelKind::Plain)).collect(),
            action: Type::range("action", 0, 1000),
            ..toys::signature(types, frame::variables('x', initial.len(), 0))
        };
        let mut toy = Self {
            dependencies: Dependencies::none(initial.len(), rules.len(), tests.len(), labels.len()),
            signature,
            initial,
            rules,
            tests,
            labels,
            fault: Fault::None,
        };
        toy.analyse();
        toy
    }

    pub fn with(mut self, fault: Fault) -> Self {
        self.fault = fault;
        self
    }

    /// The matrices, as exact as the text allows.
    fn analyse(&mut self) {
        let matrices = &mut self.dependencies;
        for (k, test) in self.tests.iter().enumerate() {
            test.left.reads().into_iter().for_each(|slot| matrices.tests.set(k, slot));
        }
        for (l, label) in self.labels.iter().enumerate() {
            label.reads().into_iter().for_each(|slot| matrices.label_reads.set(l, slot));
        }
        for (i, rule) in self.rules.iter().enumerate() {
            for &guard in &rule.guards {
                self.tests[guard].left.reads().into_iter().for_each(|slot| matrices.read.set(i, slot));
            }
            for assign in rule.choices.iter().flat_map(|(_, assigns)| assigns) {
                for slot in assign.reads() {
                    matrices.read.set(i, slot);
                    matrices.update_read.set(i, slot);
                }
                assign.may_write().for_each(|slot| matrices.may_write.set(i, slot));
            }
            for slot in 0..self.initial.len() {
                let sure = |assign: &Assign| matches!(assign, Assign::Slot(written, _) if *written == slot);
                if !rule.choices.is_empty()
                    && rule.choices.iter().all(|(_, assigns)| assigns.iter().any(sure))
                {
                    matrices.must_write.set(i, slot);
                }
            }
        }
    }
}

fn error(message: &str) -> EvalError {
    EvalError { kind: EvalErrorKind::Other(message.into()), span: None }
}

impl Array {
    fn cell(self, index: Value) -> Result<usize, EvalError> {
        let inside = (index as usize) < self.length;
        inside.then(|| self.base + index as usize).ok_or_else(|| error(&format!("index {index}")))
    }

    fn cells(self) -> std::ops::Range<usize> {
        self.base..self.base + self.length
    }
}

impl Expr {
    fn value(self, state: &[Value]) -> Result<Value, EvalError> {
        match self {
            Self::Const(value) => Ok(value),
            Self::Slot(slot) => Ok(state[slot]),
            Self::Add(slot, amount, modulus) => Ok((state[slot] + amount) % modulus),
            Self::Next(slot, most) if state[slot] < most => Ok(state[slot] + 1),
            Self::Next(..) => Err(error("too large")),
            Self::Cell(array, index) => Ok(state[array.cell(state[index])?]),
        }
    }

    fn may_fail(self) -> bool {
        matches!(self, Self::Next(..) | Self::Cell(..))
    }

    fn reads(self) -> Vec<usize> {
        match self {
            Self::Const(_) => Vec::new(),
            Self::Slot(slot) | Self::Add(slot, ..) | Self::Next(slot, _) => vec![slot],
            Self::Cell(array, index) => array.cells().chain([index]).collect(),
        }
    }
}

impl Test {
    fn truth(&self, state: &[Value]) -> Truth {
        match self.left.value(state) {
            Err(_) => Truth::Maybe,
            Ok(left) => {
                let holds = if self.less { left < self.right } else { left == self.right };
                if holds != self.negated { Truth::True } else { Truth::False }
            }
        }
    }
}

impl Assign {
    fn reads(&self) -> Vec<usize> {
        match *self {
            Self::Slot(_, value) => value.reads(),
            Self::Cell(_, index, value) => value.reads().into_iter().chain([index]).collect(),
        }
    }

    fn may_fail(&self) -> bool {
        match *self {
            Self::Slot(_, value) => value.may_fail(),
            Self::Cell(..) => true,
        }
    }

    fn may_write(&self) -> std::ops::Range<usize> {
        match *self {
            Self::Slot(slot, _) => slot..slot + 1,
            Self::Cell(array, ..) => array.cells(),
        }
    }

    /// The slot and the value that are written.
    fn write(&self, state: &[Value]) -> Result<(usize, Value), EvalError> {
        match *self {
            Self::Slot(slot, value) => Ok((slot, value.value(state)?)),
            Self::Cell(array, index, value) => Ok((array.cell(state[index])?, value.value(state)?)),
        }
    }
}

impl Model for Toy {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(BehaviourStepper(self))
    }

    fn may_fail(&self, group: GroupIx) -> bool {
        let rule = &self.rules[group.ix()];
        let assigns = || rule.choices.iter().flat_map(|(_, assigns)| assigns);
        rule.guards.iter().any(|&guard| self.tests[guard].left.may_fail()) || assigns().any(Assign::may_fail)
    }
}

impl Toy {
    /// One successor: the writes of a choice, and marks for what it could have written and did not.
    fn choose(&self, i: usize, choice: usize, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let (action, assigns) = &self.rules[i].choices[choice];
        let writes = assigns.iter().map(|assign| assign.write(from)).collect::<Result<Vec<_>, _>>()?;
        let number = if self.fault == Fault::Number { (i + 1) % self.rules.len() } else { i };
        let target = to.push(GroupIx::new(number), *action, from);
        writes.iter().for_each(|&(slot, value)| target[slot] = value);
        let mut copied = vec![0u64; from.len().div_ceil(64)];
        let possible = self.rules[i].choices.iter().flat_map(|(_, assigns)| assigns);
        for slot in possible.flat_map(Assign::may_write) {
            let marked = !writes.iter().any(|&(written, _)| written == slot);
            if marked || self.fault == Fault::WrittenMarks {
                copied[slot / 64] |= 1 << (slot % 64);
            }
        }
        match self.fault {
            Fault::NoMarks => copied.clear(),
            Fault::FickleMarks if from[0] == 1 => copied.clear(),
            Fault::StrayMarks => copied[0] = !0 >> (64 - from.len().min(64)),
            _ => {}
        }
        if copied.iter().any(|&word| word != 0) {
            to.mark_copied(&copied);
        }
        Ok(())
    }
}

impl Behaviour for Toy {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn group(&self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let start = to.len();
        let truths = self.rules[group.ix()].guards.iter().map(|&guard| self.tests[guard].truth(from));
        let truths: Vec<Truth> = truths.collect();
        if truths.contains(&Truth::False) {
            return Ok(());
        }
        if truths.contains(&Truth::Maybe) {
            return Err(error("guard"));
        }
        for choice in 0..self.rules[group.ix()].choices.len() {
            if let Err(error) = self.choose(group.ix(), choice, from, to) {
                if self.fault != Fault::Leftover {
                    to.truncate(start);
                }
                return Err(error);
            }
        }
        Ok(())
    }

    fn update(&self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if self.fault == Fault::UpdateTests {
            return self.group(group, from, to);
        }
        let start = to.len();
        for choice in 0..self.rules[group.ix()].choices.len() {
            if let Err(error) = self.choose(group.ix(), choice, from, to) {
                to.truncate(start);
                return Err(error);
            }
        }
        if self.fault == Fault::Update && to.len() > start {
            to.truncate(to.len() - 1);
            to.push(group, 999, from);
        }
        Ok(())
    }

    fn guard(&self, guard: GuardIx, from: &[Value]) -> Truth {
        match (self.fault, self.tests[guard.ix()].truth(from)) {
            (Fault::GuardsTrue, Truth::False) => Truth::True,
            (Fault::GuardsFalse, Truth::True) => Truth::False,
            (Fault::GuardsMaybe, Truth::True) => Truth::Maybe,
            (_, truth) => truth,
        }
    }

    fn label(&self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.labels[label.ix()].value(from)
    }

    fn all(&self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let start = to.len();
        every_group(&mut BehaviourStepper(self), self.rules.len(), from, to)?;
        if self.fault == Fault::All && to.len() > start {
            to.truncate(to.len() - 1);
        }
        Ok(())
    }
}
