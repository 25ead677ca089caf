//! The program while it is made: what is in it so far, what names stand for, and how large it may become.

use std::collections::HashMap;

use base::{Diagnostic, Span};
use commands::{Command, Effect, Program, VarIx, Variable};

use super::names::{Channel, ProcessNames, Scope, unknown};
use crate::ast;

/// The program as it grows, and what names stand for.
pub(crate) struct Lowering<'a> {
    pub program: Program,
    pub problems: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    pub globals: Scope,
    pub channels: Vec<Channel>,
    pub processes: Vec<ProcessNames<'a>>,
    pub process_numbers: HashMap<String, usize>,
    pub expressions: HashMap<&'a str, &'a ast::Expr>,
    /// Cells of the state so far.
    pub slots: usize,
    /// How deep the expression is that is being looked at.
    pub depth: usize,
    /// Parts of commands and expressions so far.
    parts: usize,
    gave_up: bool,
}

/// Parts of commands and expressions that a model may have when everything is written out: some hundred
/// megabytes.
const MOST_PARTS: usize = 2_000_000;

/// Where the two types of values are among the program's types.
pub(crate) const BYTE: usize = 0;
pub(crate) const INT: usize = 1;

impl Lowering<'_> {
    /// Nothing is in the program yet but its types.
    pub(crate) fn new(program: Program) -> Self {
        Self {
            program,
            problems: Vec::new(),
            warnings: Vec::new(),
            globals: Scope::default(),
            channels: Vec::new(),
            processes: Vec::new(),
            process_numbers: HashMap::new(),
            expressions: HashMap::new(),
            slots: 0,
            depth: 0,
            parts: 0,
            gave_up: false,
        }
    }

    /// Adds a command to the program.
    pub(crate) fn command(&mut self, command: Command) {
        let assigned = match &command.effect {
            Effect::Steps(steps) => steps.iter().map(Vec::len).sum(),
            Effect::Fail(..) => 0,
        };
        let span = command.spans.first().copied().unwrap_or(Span::new(0, 0));
        self.spend(8 + command.guards.len() + assigned, span);
        if !self.is_too_large() {
            self.program.commands.push(command);
        }
    }

    /// Counts parts of commands and expressions; says so when there are too many.
    pub(crate) fn spend(&mut self, parts: usize, span: Span) {
        self.parts = self.parts.saturating_add(parts);
        if self.parts > MOST_PARTS {
            self.give_up("the model is too large when everything in it is written out", span);
        }
    }

    /// Says why the model cannot be handled, once.
    pub(crate) fn give_up(&mut self, message: &str, span: Span) {
        if !self.gave_up {
            self.gave_up = true;
            let problem = Diagnostic::error(message, span);
            let help = "use smaller channels, fewer processes at a channel, or fewer named expressions in each other";
            self.problems.push(problem.help(help));
        }
    }

    /// Whether it is of no use to go on.
    pub(crate) fn is_too_large(&self) -> bool {
        self.gave_up
    }

    /// Adds a variable to the program.
    pub(crate) fn add(&mut self, variable: Variable) -> VarIx {
        self.slots = self.slots.saturating_add(variable.length.unwrap_or(1));
        self.program.variables.push(variable);
        VarIx(self.program.variables.len() as u32 - 1)
    }

    /// The number of a state.
    pub(crate) fn state(&mut self, states: &HashMap<&str, usize>, name: &ast::Name) -> Option<usize> {
        let found = states.get(name.text.as_str()).copied();
        if found.is_none() {
            self.problems.push(unknown("state", &name.text, name.span, states.keys().copied()));
        }
        found
    }
}

/// A text in one line.
pub(crate) fn short(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
