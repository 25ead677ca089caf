//! The PINS model of a program.

use std::sync::OnceLock;

use base::{BitMatrix, Diagnostic, GroupIx, GuardIx, Span};
use model::{
    Calls, Compiled, Dependencies, Domain, EvalErrorKind, Group, Inside, Label, Message, Model, Mover,
    Signature, Slot, Stepper, Type, Value,
};

use crate::analysis::{Analysis, analyse, collect_guards};
use crate::closure::{Closed, close};
use crate::code::{Code, CodeRange, Instr};
use crate::compile::{Native, NotCompiled};
use crate::compiled::CompiledStepper;
use crate::dispatch::{Dispatch, asks_for, filing_guard};
use crate::fold::fold_program;
use crate::followers::Followers;
use crate::going_on::{Evaluator, GoingOn};
use crate::interpreter::Interpreter;
use crate::layout::Layout;
use crate::machine::evaluate;
use crate::program::{At, BinaryOp, Effect, Letter, Program};
use crate::separable::effects;
use crate::unfold::unfold;

/// A program as a model.
pub struct CommandModel {
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    pub(crate) layout: Layout,
    pub(crate) code: Code,
    pub(crate) guards: Vec<GuardCode>,
    pub(crate) labels: Vec<CodeRange>,
    pub(crate) commands: Vec<CommandCode>,
    pub(crate) dispatch: Dispatch,
    pub(crate) followers: Followers,
    /// Where some commands go on: what each command by itself may write.
    pub(crate) command_writes: BitMatrix,
    /// What people read of inner commands; what they read of the others is in the signature.
    inner: Vec<InnerCommand>,
    /// What traces tell of each command.
    traced: Vec<Traced>,
    /// Machine code for some calls, or why there is none, once someone has asked for it.
    native_states: OnceLock<Result<Native, NotCompiled>>,
    native_groups: OnceLock<Result<Native, NotCompiled>>,
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
pub(crate) enum GuardCode {
    Compare(BinaryOp, u32, i32),
    Code(CodeRange),
}

#[derive(Debug)]
struct InnerCommand {
    name: String,
    action: String,
    spans: Vec<Span>,
}

/// What only traces tell of a command.
#[derive(Debug)]
struct Traced {
    movers: Vec<Mover>,
    message: Option<Letter>,
}

#[derive(Debug)]
pub(crate) struct CommandCode {
    pub action: Value,
    pub guards: Vec<GuardIx>,
    /// The guards without the one that the command is filed under.
    pub other_guards: Vec<GuardIx>,
    pub steps: Vec<StepCode>,
    /// The slots that are written or copied, as a bit set; empty when all writes are sure.
    pub copied: Vec<u64>,
    pub fail: Option<(EvalErrorKind, At)>,
    /// The list of commands that it goes on with, if it does.
    pub list: Option<u32>,
    pub alarm: bool,
}

/// Stores that happen at once.
#[derive(Debug)]
pub(crate) struct StepCode {
    pub start: u32,
    pub end: u32,
}

impl CommandModel {
    /// The machine code for some calls, if someone has asked for it and it could be made.
    pub(crate) fn native(&self, calls: Calls) -> Option<&Native> {
        let native = match calls {
            Calls::States => &self.native_states,
            Calls::Groups => &self.native_groups,
        };
        native.get().and_then(|native| native.as_ref().ok())
    }

    /// Where a command stands.
    pub(crate) fn command_spans(&self, command: u32) -> &[Span] {
        let command = command as usize;
        match self.signature.groups.get(command) {
            Some(group) => &group.spans,
            None => &self.inner[command - self.signature.groups.len()].spans,
        }
    }

    /// A command that was taken inside a step in a state, and what it led to.
    pub(crate) fn inside(&self, command: u32, from: &[Value], state: Vec<Value>) -> Inside {
        let (name, action) = match self.signature.groups.get(command as usize) {
            Some(group) => {
                (&group.name, self.signature.show_action(self.commands[command as usize].action).into_owned())
            }
            None => {
                let inner = &self.inner[command as usize - self.signature.groups.len()];
                (&inner.name, inner.action.clone())
            }
        };
        let Traced { movers, message } = &self.traced[command as usize];
        let message = message.as_ref().map(|letter| self.message(letter, from));
        let spans = self.command_spans(command).to_vec();
        Inside { name: name.clone(), spans, action, state, movers: movers.clone(), message }
    }

    /// The message with its values in a state.
    fn message(&self, letter: &Letter, from: &[Value]) -> Message {
        let show = |(ty, value): &(base::TypeIx, crate::program::Expr)| {
            let mut code = Code::default();
            let range = code.expression(&self.layout, value);
            // A value that cannot be computed is one that nobody has seen: the command would have failed.
            match evaluate(&code, range, from, &mut vec![0; code.depth + 1]) {
                Ok(value) => self.signature.types[ty.ix()].show(value as Value).into_owned(),
                Err(_) => "?".into(),
            }
        };
        let values = letter.fields.iter().map(show).collect();
        Message { channel: letter.channel.clone(), passing: letter.passing, values }
    }

    /// A stepper of which commands go on, if there are such.
    fn with_followers<'a>(&'a self, evaluator: impl Evaluator + 'a) -> Box<dyn Stepper + 'a> {
        if self.followers.lists.is_empty() {
            Box::new(evaluator)
        } else {
            Box::new(GoingOn::new(self, evaluator))
        }
    }

    /// The model of a program.
    pub fn new(program: Program) -> Result<Self, BuildError> {
        let program = fold_program(program);
        let layout = Layout::new(&program, BuildError::MOST_SLOTS).ok_or(BuildError::TooManySlots)?;
        let followers = Followers::new(&program);
        let guards = collect_guards(&program);
        let rows = program.commands.len().max(guards.guards.len()).max(followers.lists.len());
        if rows.saturating_mul(layout.slots) > BuildError::MOST_ENTRIES {
            return Err(BuildError::TooManyCommands);
        }
        let analysis = analyse(&program, &layout, guards);
        let mut code = Code::default();
        let guards = analysis.guards.iter().map(|(_, expr)| {
            let range = code.expression(&layout, expr);
            match code.instrs[range.start as usize..range.end as usize] {
                [Instr::SlotConstant(op, slot, value)] if op.is_comparison() => {
                    GuardCode::Compare(op, slot, value)
                }
                _ => GuardCode::Code(range),
            }
        });
        let guards: Vec<GuardCode> = guards.collect();
        let labels = program.labels.iter().map(|label| code.expression(&layout, &label.value)).collect();
        let signature = signature(&program, &analysis);
        let commands =
            command_codes(&program, &analysis, &layout, &guards, &signature, &followers, &mut code);
        let questions: Vec<_> = commands
            .iter()
            .map(|command| filing_guard(&command.guards, |g| asks(&guards, g)).map(|at| command.guards[at]))
            .map(|guard| guard.and_then(|guard| asks(&guards, guard)))
            .collect();
        let groups = signature.groups.len();
        let dispatch = Dispatch::new(&questions[..groups]);
        let initial = initial(&program);
        let inner = program.commands[groups..].iter().map(|command| InnerCommand {
            name: command.name.clone(),
            action: command.action.clone(),
            spans: command.spans.clone(),
        });
        let inner = inner.collect();
        let traced = program.commands.iter();
        let traced = traced
            .map(|command| Traced { movers: command.movers.clone(), message: command.message.clone() })
            .collect();
        let Analysis { dependencies, .. } = analysis;
        let (dependencies, command_writes) = if followers.lists.is_empty() && groups == program.commands.len()
        {
            (dependencies, BitMatrix::new(0, 0))
        } else {
            let Closed { groups, command_writes } =
                close(dependencies, &program, &followers, signature.guards.len());
            (groups, command_writes)
        };
        let mut model = Self {
            signature,
            dependencies,
            initial,
            layout,
            code,
            guards,
            labels,
            commands,
            dispatch,
            followers,
            command_writes,
            inner,
            traced,
            native_states: OnceLock::new(),
            native_groups: OnceLock::new(),
        };
        let effects = effects(&program, &model);
        for (group, effect) in model.signature.groups.iter_mut().zip(effects) {
            group.effect = effect;
        }
        Ok(model)
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
            name: if variable.length.is_some() {
                format!("{}[{cell}]", variable.name)
            } else {
                variable.name.clone()
            },
            ty: variable.ty,
            span: variable.span,
            role: variable.role.clone(),
        })
    });
    // Inner commands stand behind all others, and guards in the order of the commands that ask for them
    // first.
    let outer =
        || program.commands.iter().zip(&analysis.command_guards).take_while(|(command, _)| !command.inner);
    let guards = outer().flat_map(|(_, guards)| guards).map(|guard| guard.ix() + 1).max().unwrap_or(0);
    let groups = outer().map(|(command, guards)| Group {
        name: command.name.clone(),
        guards: guards.clone(),
        spans: command.spans.clone(),
        effect: None,
    });
    let labels = program.labels.iter().map(|label| Label {
        name: label.name.clone(),
        kind: label.kind,
        span: label.span,
    });
    // Inner commands give their action to a step only if they are alarms.
    let seen = program.commands.iter().filter(|command| !command.inner || command.alarm);
    let mut actions: Vec<String> = seen.map(|command| command.action.clone()).collect();
    actions.sort_unstable();
    actions.dedup();
    let alarming: std::collections::HashSet<&str> = program
        .commands
        .iter()
        .filter(|command| command.alarm)
        .map(|command| command.action.as_str())
        .collect();
    let alarms = (0..).zip(&actions).filter(|(_, action)| alarming.contains(action.as_str()));
    let alarms = alarms.map(|(action, _)| action).collect();
    Signature {
        name: program.name.clone(),
        types: program.types.clone(),
        slots: slots.collect(),
        groups: groups.collect(),
        guards: analysis.guards[..guards].iter().map(|(guard, _)| guard.clone()).collect(),
        labels: labels.collect(),
        action: Type::names("action", actions),
        alarms,
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
    followers: &Followers,
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
        // The action of an inner command that is no alarm shows up nowhere.
        let action = actions.binary_search(&command.action).unwrap_or(0) as Value;
        let list = followers.of_command[group];
        let (guards, alarm) = (own.clone(), command.alarm);
        codes.push(CommandCode { action, guards, other_guards, steps, copied, fail, list, alarm });
    }
    codes
}

impl Model for CommandModel {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        match (self.native(Calls::States), self.native(Calls::Groups)) {
            (None, None) => self.with_followers(Interpreter::new(self)),
            (states, groups) => self.with_followers(CompiledStepper::new(self, states, groups)),
        }
    }

    fn unfold(&self, from: &[Value], group: GroupIx, action: Value, to: &[Value]) -> Option<Vec<Inside>> {
        unfold(self, from, group, action, to)
    }

    fn compile(&self, calls: Calls) -> Compiled {
        let native = match calls {
            Calls::States => &self.native_states,
            Calls::Groups => &self.native_groups,
        };
        match native.get_or_init(|| Native::new(self, calls)) {
            Ok(native) => Compiled::Done { code_bytes: native.routines.code_bytes() },
            Err(why) => Compiled::Refused(why.to_string()),
        }
    }
}
