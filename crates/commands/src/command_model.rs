//! The PINS model of a program, and the interpreter that runs it.

use base::{Diagnostic, GroupIx, GuardIx, LabelIx, Span};
use model::{
    Dependencies, Domain, EvalError, EvalErrorKind, Group, Label, Model, Signature, Slot, Stepper, Successors, Truth,
    Type, Value,
};

use crate::analysis::{Analysis, analyse};
use crate::code::{Code, CodeRange, Instr, Store, fit};
use crate::dispatch::{Dispatch, asks_for, filing_guard};
use crate::fold::fold_program;
use crate::layout::Layout;
use crate::machine::{Fault, FaultKind, Site, apply, evaluate, number};
use crate::program::{At, BinaryOp, Effect, Program};

/// A program as a model.
pub struct CommandModel {
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    layout: Layout,
    code: Code,
    guards: Vec<GuardCode>,
    labels: Vec<CodeRange>,
    commands: Vec<CommandCode>,
    dispatch: Dispatch,
}

/// Why a program cannot become a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// More cells than a state can have.
    TooManySlots,
    /// Commands × slots is more than the matrices can hold.
    TooManyCommands,
}

impl BuildError {
    /// Most slots a state can have.
    pub const MOST_SLOTS: usize = 1 << 20;
    /// Most entries a matrix can have: 64 MiB each.
    const MOST_ENTRIES: usize = 1 << 29;

    /// As a message about the source.
    pub fn diagnostic(&self) -> Diagnostic {
        let at = Span::new(0, 0);
        match self {
            Self::TooManySlots => {
                Diagnostic::error(format!("the state would have more than {} slots", Self::MOST_SLOTS), at)
                    .help("make the arrays and channels smaller")
            }
            Self::TooManyCommands => Diagnostic::error("too many transitions for so many variables", at)
                .help("make the arrays smaller, or write fewer transitions that synchronise"),
        }
    }
}

/// A guard, with the short way for the most frequent kind: a slot compared with a constant.
#[derive(Debug)]
enum GuardCode {
    Compare(BinaryOp, u32, i32),
    Code(CodeRange),
}

#[derive(Debug)]
struct CommandCode {
    action: Value,
    guards: Vec<GuardIx>,
    /// The guards without the one that the command is filed under.
    other_guards: Vec<GuardIx>,
    steps: Vec<StepCode>,
    /// The slots that are written or copied, as a bit set; empty when all writes are sure.
    copied: Vec<u64>,
    fail: Option<(EvalErrorKind, At)>,
}

/// Stores that happen at once.
#[derive(Debug)]
struct StepCode {
    start: u32,
    end: u32,
}

impl CommandModel {
    /// The model of a program.
    pub fn new(program: Program) -> Result<Self, BuildError> {
        let program = fold_program(program);
        let layout = Layout::new(&program, BuildError::MOST_SLOTS).ok_or(BuildError::TooManySlots)?;
        let rows = program.commands.iter().map(|command| 1 + command.guards.len()).sum::<usize>();
        if rows.saturating_mul(layout.slots) > BuildError::MOST_ENTRIES {
            return Err(BuildError::TooManyCommands);
        }
        let analysis = analyse(&program, &layout);
        let mut code = Code::default();
        let guards = analysis.guards.iter().map(|(_, expr)| {
            let range = code.expression(&layout, expr);
            match code.instrs[range.start as usize..range.end as usize] {
                [Instr::SlotConstant(op, slot, value)] if op.is_comparison() => GuardCode::Compare(op, slot, value),
                _ => GuardCode::Code(range),
            }
        });
        let guards: Vec<GuardCode> = guards.collect();
        let labels = program.labels.iter().map(|label| code.expression(&layout, &label.value)).collect();
        let signature = signature(&program, &analysis);
        let commands = command_codes(&program, &analysis, &layout, &guards, &signature, &mut code);
        let questions: Vec<_> = commands
            .iter()
            .map(|command| filing_guard(&command.guards, |g| asks(&guards, g)).map(|at| command.guards[at]))
            .map(|guard| guard.and_then(|guard| asks(&guards, guard)))
            .collect();
        let dispatch = Dispatch::new(&questions);
        let initial = initial(&program);
        let Analysis { dependencies, .. } = analysis;
        Ok(Self { signature, dependencies, initial, layout, code, guards, labels, commands, dispatch })
    }

    fn describe(&self, fault: Fault) -> EvalError {
        let at = match fault.site {
            Site::Instr(at) => self.code.instr_at[at as usize],
            Site::Store(at) => self.code.store_at[at as usize],
        };
        EvalError { kind: fault.kind.describe(&self.layout.cells, &self.code), span: at.0 }
    }
}

fn asks(guards: &[GuardCode], guard: GuardIx) -> Option<(u32, i32)> {
    match guards[guard.ix()] {
        GuardCode::Compare(op, slot, value) => asks_for(&[Instr::SlotConstant(op, slot, value)]),
        GuardCode::Code(_) => None,
    }
}

fn signature(program: &Program, analysis: &Analysis) -> Signature {
    let slots = program.variables.iter().filter(|variable| !variable.scratch).flat_map(|variable| {
        (0..variable.length.unwrap_or(1)).map(move |cell| Slot {
            name: if variable.length.is_some() { format!("{}[{cell}]", variable.name) } else { variable.name.clone() },
            ty: variable.ty,
            span: variable.span,
            role: variable.role,
        })
    });
    let groups = program.commands.iter().zip(&analysis.command_guards).map(|(command, guards)| Group {
        name: command.name.clone(),
        guards: guards.clone(),
        spans: command.spans.clone(),
    });
    let labels =
        program.labels.iter().map(|label| Label { name: label.name.clone(), kind: label.kind, span: label.span });
    let mut actions: Vec<String> = program.commands.iter().map(|command| command.action.clone()).collect();
    actions.sort_unstable();
    actions.dedup();
    Signature {
        name: program.name.clone(),
        types: program.types.clone(),
        slots: slots.collect(),
        groups: groups.collect(),
        guards: analysis.guards.iter().map(|(guard, _)| guard.clone()).collect(),
        labels: labels.collect(),
        action: Type::names("action", actions),
        source: program.source.clone(),
    }
}

fn initial(program: &Program) -> Vec<Value> {
    let state = program.variables.iter().filter(|variable| !variable.scratch);
    state
        .flat_map(|variable| {
            let given = variable.initial.iter().copied().chain(std::iter::repeat(0));
            given.take(variable.length.unwrap_or(1)).map(i32::cast_unsigned)
        })
        .collect()
}

fn command_codes(
    program: &Program,
    analysis: &Analysis,
    layout: &Layout,
    guards: &[GuardCode],
    signature: &Signature,
    code: &mut Code,
) -> Vec<CommandCode> {
    let Domain::Names(actions) = &signature.action.domain else { unreachable!("BUG: actions have names") };
    let mut codes = Vec::with_capacity(program.commands.len());
    for (group, command) in program.commands.iter().enumerate() {
        let own = &analysis.command_guards[group];
        let mut other_guards = own.clone();
        if let Some(at) = filing_guard(own, |guard| asks(guards, guard)) {
            other_guards.remove(at);
        }
        let (steps, fail) = match &command.effect {
            Effect::Steps(steps) => (steps.as_slice(), None),
            Effect::Fail(kind, at) => (&[][..], Some((kind.clone(), *at))),
        };
        let steps = steps.iter().map(|step| {
            let stores: Vec<u32> = step.iter().map(|assign| code.store(layout, assign)).collect();
            let start = stores.first().copied().unwrap_or(0);
            StepCode { start, end: start + stores.len() as u32 }
        });
        let steps = steps.collect();
        let mut copied = vec![0u64; layout.slots.div_ceil(64)];
        for slot in analysis.dependencies.copied_slots(GroupIx::new(group)) {
            copied[slot.ix() / 64] |= 1 << (slot.ix() % 64);
        }
        if copied.iter().all(|&word| word == 0) {
            copied.clear();
        }
        let action = actions.binary_search(&command.action).expect("BUG: an action without a number") as Value;
        codes.push(CommandCode { action, guards: own.clone(), other_guards, steps, copied, fail });
    }
    codes
}

impl Model for CommandModel {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    fn initial(&self) -> &[Value] {
        &self.initial
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(Interpreter {
            model: self,
            stack: vec![0; self.code.depth + 1],
            pending: Vec::new(),
            copied: Vec::new(),
            cells: vec![0; self.layout.width],
        })
    }
}

/// Runs a model's code. The scratch is allocated once.
struct Interpreter<'a> {
    model: &'a CommandModel,
    stack: Vec<i64>,
    /// Values of a parallel assignment that are computed but not yet stored.
    pending: Vec<(u32, Value)>,
    /// Slots of the current update that are not written so far.
    copied: Vec<u64>,
    /// The state and the scratch variables, for models that have any.
    cells: Vec<Value>,
}

impl Interpreter<'_> {
    #[inline]
    fn evaluate(&mut self, range: CodeRange, state: &[Value]) -> Result<i64, Fault> {
        evaluate(&self.model.code, range, state, &mut self.stack)
    }

    #[inline]
    fn guard_value(&mut self, guard: GuardIx, state: &[Value]) -> Result<i64, Fault> {
        match self.model.guards[guard.ix()] {
            GuardCode::Compare(op, slot, value) => {
                Ok(apply(op, number(state[slot as usize]), i64::from(value)).expect("BUG: comparisons do not fail"))
            }
            GuardCode::Code(range) => self.evaluate(range, state),
        }
    }

    /// Whether all guards are true. One that is false decides, even if another fails.
    #[inline]
    fn enabled(&mut self, guards: &[GuardIx], state: &[Value]) -> Result<bool, Fault> {
        let mut failed = None;
        for &guard in guards {
            match self.guard_value(guard, state) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(fault) => failed = failed.or(Some(fault)),
            }
        }
        failed.map_or(Ok(true), Err)
    }

    /// Appends the successor of a command whose guards are true.
    #[inline]
    fn run(&mut self, group: u32, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let model = self.model;
        let command = &model.commands[group as usize];
        if let Some((kind, at)) = &command.fail {
            return Err(EvalError { kind: kind.clone(), span: at.0 });
        }
        self.copied.clear();
        self.copied.extend_from_slice(&command.copied);
        let target = to.push(GroupIx::new(group as usize), command.action, from);
        let result = if model.layout.width == model.layout.slots {
            self.steps(&command.steps, target)
        } else {
            let mut cells = std::mem::take(&mut self.cells);
            cells[..from.len()].copy_from_slice(from);
            let result = self.steps(&command.steps, &mut cells);
            target.copy_from_slice(&cells[..from.len()]);
            self.cells = cells;
            result
        };
        match result {
            Ok(()) => {
                if !self.copied.is_empty() {
                    to.mark_copied(&self.copied);
                }
                Ok(())
            }
            Err(fault) => {
                to.truncate(to.len() - 1);
                Err(model.describe(fault))
            }
        }
    }

    #[inline]
    fn steps(&mut self, steps: &[StepCode], cells: &mut [Value]) -> Result<(), Fault> {
        for step in steps {
            if step.end == step.start + 1 {
                let (slot, value) = self.store(step.start, cells)?;
                cells[slot as usize] = value;
            } else {
                self.pending.clear();
                for store in step.start..step.end {
                    let assigned = self.store(store, cells)?;
                    self.pending.push(assigned);
                }
                for &(slot, value) in &self.pending {
                    cells[slot as usize] = value;
                }
            }
        }
        Ok(())
    }

    /// The slot and the value that a store is about.
    #[inline]
    fn store(&mut self, store: u32, cells: &[Value]) -> Result<(u32, Value), Fault> {
        let layout = &self.model.layout;
        let fault = |kind| Fault { kind, site: Site::Store(store) };
        match self.model.code.stores[store as usize] {
            Store::Constant { slot, value } => Ok((slot, value)),
            Store::Slot { slot, variable, value } => {
                let value = self.evaluate(value, cells)?;
                Ok((slot, fit(&layout.cells[variable as usize], variable, value).map_err(fault)?))
            }
            Store::Cell { variable, index, value } => {
                let value = self.evaluate(value, cells)?;
                let index = self.evaluate(index, cells)?;
                let array = &layout.cells[variable as usize];
                if index < 0 || index >= i64::from(array.length) {
                    return Err(fault(FaultKind::Index { variable, index }));
                }
                let slot = array.base + index as u32;
                if let Some(word) = self.copied.get_mut(slot as usize / 64) {
                    *word &= !(1 << (slot % 64));
                }
                Ok((slot, fit(array, variable, value).map_err(fault)?))
            }
        }
    }
}

impl Stepper for Interpreter<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let model = self.model;
        match self.enabled(&model.commands[group.ix()].guards, from) {
            Ok(true) => self.run(group.ix() as u32, from, to),
            Ok(false) => Ok(()),
            Err(fault) => Err(model.describe(fault)),
        }
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.run(group.ix() as u32, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        match self.guard_value(guard, from) {
            Ok(0) => Truth::False,
            Ok(_) => Truth::True,
            Err(_) => Truth::Maybe,
        }
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        let value = self.evaluate(self.model.labels[label.ix()], from).map_err(|fault| self.model.describe(fault))?;
        // A value that no slot can hold stays what it is to a question: zero or not.
        Ok(value.clamp(i32::MIN.into(), i32::MAX.into()) as Value)
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let model = self.model;
        let before = to.len();
        let result = model.dispatch.for_each(from, |group| {
            match self.enabled(&model.commands[group as usize].other_guards, from) {
                Ok(true) => self.run(group, from, to),
                Ok(false) => Ok(()),
                Err(fault) => Err(model.describe(fault)),
            }
        });
        if result.is_err() {
            to.truncate(before);
        }
        result
    }
}
