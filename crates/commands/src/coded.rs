//! A program as code: everything that its evaluators run, and the signature and matrices of its model.
//!
//! The evaluators (`interpreter`, `compile`), the paths of commands that go on (`going_on`) and the search
//! for effects (`separable`) all work on a [`CodedProgram`]; `command_model` puts them together to a model.

mod dispatch;
mod signature;

use base::{Diagnostic, GuardIx, Runs, Span, TypeIx};
use model::{Dependencies, Domain, EvalErrorKind, Inside, Message, Mover, Signature, Value};

use self::dispatch::{Dispatch, asks_for, filing_guard};
use self::signature::{initial, signature};
use crate::analysis::closure::close;
use crate::analysis::followers::Followers;
use crate::analysis::{AccessSets, Analysis, analyse, collect_guards, matrices};
use crate::cell_map::CellMap;
use crate::code::machine::evaluate;
use crate::code::{Code, CodeRange, Instr};
use crate::program::{At, BinaryOp, Effect, Expr, MessageDef, Program};

/// Most commands that one step of the model may take unless its maker says otherwise: about two minutes. No
/// limit of time is heard inside a step.
pub(crate) const MOST_STEPS: u64 = 1 << 30;

/// A program as code.
pub(crate) struct CodedProgram {
    pub signature: Signature,
    pub dependencies: Dependencies,
    pub initial: Vec<Value>,
    pub cell_map: CellMap,
    pub code: Code,
    pub guards: Vec<GuardCode>,
    pub labels: Vec<CodeRange>,
    pub commands: Vec<CommandCode>,
    pub dispatch: Dispatch,
    pub followers: Followers,
    /// Most commands that the paths from one first step may take together.
    pub most_steps: u64,
    /// Where some commands go on: what each command by itself may write.
    pub command_writes: Vec<Runs>,
    /// … and what each group writes or copies.
    pub group_copies: Vec<Runs>,
    /// What people read of inner commands; what they read of the others is in the signature.
    inner: Vec<InnerCommand>,
    /// What traces tell of each command.
    traced: Vec<Traced>,
}

/// Why a program cannot become a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// More cells than a state can have.
    TooManySlots,
    /// What commands and those that can follow them have to do with slots is more than can be kept.
    TooManyAccesses,
}

impl BuildError {
    /// Most slots a state can have.
    pub const MOST_SLOTS: usize = 1 << 20;

    /// As a message about the source.
    pub fn diagnostic(&self) -> Diagnostic {
        let at = Span::new(0, 0);
        match self {
            Self::TooManySlots => {
                Diagnostic::error(format!("the state would have more than {} slots", Self::MOST_SLOTS), at)
                    .help("make the arrays and channels smaller")
            }
            Self::TooManyAccesses => {
                Diagnostic::error("the steps look at too many variables, here and there", at)
                    .help("make the arrays smaller, or write shorter atomic sequences")
            }
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
    message: Option<MessageDef>,
}

#[derive(Debug)]
pub(crate) struct CommandCode {
    pub action: Value,
    pub guards: Vec<GuardIx>,
    /// The guards without the one that the command is filed under.
    pub other_guards: Vec<GuardIx>,
    pub steps: Vec<StepCode>,
    /// The slots that are written or copied: where not all writes are sure.
    pub copied: Runs,
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

impl CodedProgram {
    /// The code of a program that is [folded](crate::fold::fold_program).
    pub fn new(program: &Program) -> Result<Self, BuildError> {
        let cell_map = CellMap::new(program, BuildError::MOST_SLOTS).ok_or(BuildError::TooManySlots)?;
        let followers = Followers::new(program);
        let guards = collect_guards(program);
        let analysis = analyse(program, &cell_map, guards);
        let mut code = Code::default();
        let guards = analysis.guards.iter().map(|(_, expr)| {
            let range = code.expression(&cell_map, expr);
            match code.instrs[range.start as usize..range.end as usize] {
                [Instr::SlotConstant(op, slot, value)] if op.is_comparison() => {
                    GuardCode::Compare(op, slot, value)
                }
                _ => GuardCode::Code(range),
            }
        });
        let guards: Vec<GuardCode> = guards.collect();
        let labels = program.labels.iter().map(|label| code.expression(&cell_map, &label.value)).collect();
        let signature = signature(program, &analysis);
        let commands =
            command_codes(program, &analysis, &cell_map, &guards, &signature, &followers, &mut code);
        let questions: Vec<_> = commands
            .iter()
            .map(|command| filing_guard(&command.guards, |g| asks(&guards, g)).map(|at| command.guards[at]))
            .map(|guard| guard.and_then(|guard| asks(&guards, guard)))
            .collect();
        let groups = signature.groups.len();
        let dispatch = Dispatch::new(&questions[..groups]);
        let initial = initial(program);
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
        let Analysis { accesses, tests, label_reads, .. } = analysis;
        let (group_accesses, command_writes) =
            if followers.lists.is_empty() && groups == program.commands.len() {
                (accesses, Vec::new())
            } else {
                let closed = close(&accesses, program, &followers).ok_or(BuildError::TooManyAccesses)?;
                (closed, accesses.into_iter().map(|access| access.may_write).collect())
            };
        let group_copies = match command_writes.is_empty() {
            true => Vec::new(),
            false => group_accesses.iter().map(AccessSets::copied).collect(),
        };
        let tests = &tests[..signature.guards.len()];
        let dependencies = matrices(&group_accesses, tests, &label_reads, cell_map.slots);
        Ok(Self {
            signature,
            dependencies,
            initial,
            cell_map,
            code,
            guards,
            labels,
            commands,
            dispatch,
            followers,
            most_steps: MOST_STEPS,
            command_writes,
            group_copies,
            inner,
            traced,
        })
    }

    /// Where a command stands.
    pub fn command_spans(&self, command: u32) -> &[Span] {
        let command = command as usize;
        match self.signature.groups.get(command) {
            Some(group) => &group.spans,
            None => &self.inner[command - self.signature.groups.len()].spans,
        }
    }

    /// Who moves in a command, if the language tells.
    pub fn movers(&self, command: u32) -> &[Mover] {
        &self.traced[command as usize].movers
    }

    /// A command that was taken inside a step in a state, and what it led to.
    pub fn inside(&self, command: u32, from: &[Value], state: Vec<Value>) -> Inside {
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
        let message = message.as_ref().map(|def| self.message(def, from));
        let spans = self.command_spans(command).to_vec();
        Inside { name: name.clone(), spans, action, state, movers: movers.clone(), message }
    }

    /// The message with its values in a state.
    fn message(&self, def: &MessageDef, from: &[Value]) -> Message {
        let show = |(ty, value): &(TypeIx, Expr)| {
            let mut code = Code::default();
            let range = code.expression(&self.cell_map, value);
            // A value that cannot be computed is one that nobody has seen: the command would have failed.
            match evaluate(&code, range, from, &mut vec![0; code.depth + 1]) {
                Ok(value) => self.signature.types[ty.ix()].show(value as Value).into_owned(),
                Err(_) => "?".into(),
            }
        };
        let values = def.fields.iter().map(show).collect();
        Message { channel: def.channel.clone(), passing: def.passing, values }
    }
}

fn asks(guards: &[GuardCode], guard: GuardIx) -> Option<(u32, i32)> {
    match guards[guard.ix()] {
        GuardCode::Compare(op, slot, value) => asks_for(&[Instr::SlotConstant(op, slot, value)]),
        GuardCode::Code(_) => None,
    }
}

fn command_codes(
    program: &Program,
    analysis: &Analysis,
    cell_map: &CellMap,
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
            let stores: Vec<u32> = step.iter().map(|assign| code.store(cell_map, assign)).collect();
            let start = stores.first().copied().unwrap_or(0);
            StepCode { start, end: start + stores.len() as u32 }
        });
        let steps = steps.collect();
        let copied = analysis.accesses[group].copied();
        // The action of an inner command that is no alarm shows up nowhere.
        let action = actions.binary_search(&command.action).unwrap_or(0) as Value;
        let list = followers.of_command[group];
        let (guards, alarm) = (own.clone(), command.alarm);
        codes.push(CommandCode { action, guards, other_guards, steps, copied, fail, list, alarm });
    }
    codes
}
