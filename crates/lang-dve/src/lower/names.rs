//! Names and what they stand for.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base::{Diagnostic, Span, closest};
use commands::{Table, VarIx};

use super::instances::Instance;
use crate::ast::BasicType;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    /// A variable, or an array with this many cells.
    Variable(VarIx, Option<usize>),
    Constant(i64),
    Table(Arc<Table>),
    /// A channel, by its number.
    Channel(usize),
}

/// The names of one place: the model, or a process.
#[derive(Default, Debug)]
pub(crate) struct Scope {
    symbols: HashMap<String, (Symbol, Span)>,
}

impl Scope {
    pub fn get(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name).map(|(symbol, _)| symbol)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.symbols.keys().map(String::as_str)
    }

    /// Enters a name; answers where it was declared before, if it is taken.
    pub fn enter(&mut self, name: &str, symbol: Symbol, span: Span) -> Option<Span> {
        match self.symbols.entry(name.to_owned()) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert((symbol, span));
                None
            }
            std::collections::hash_map::Entry::Occupied(taken) => Some(taken.get().1),
        }
    }
}

/// A process with all that its names stand for.
pub(crate) struct ProcessNames<'a> {
    pub instance: Instance<'a>,
    pub scope: Scope,
    /// The variable that tells where it stands.
    pub location: VarIx,
    pub states: HashMap<&'a str, usize>,
    pub committed: HashSet<usize>,
}

/// A channel.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub name: String,
    pub types: Option<Vec<BasicType>>,
    pub buffer: Option<Buffer>,
}

/// The messages that a channel holds: how many, and an array for each of their items.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub capacity: usize,
    pub count: VarIx,
    pub items: Vec<VarIx>,
}

impl BasicType {
    /// The least and the greatest value.
    pub(crate) fn range(self) -> (i64, i64) {
        match self {
            Self::Byte => (0, 255),
            Self::Int => (-32768, 32767),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Byte => "byte",
            Self::Int => "int",
        }
    }
}

/// The message for a name that is not known, with the nearest that is.
pub(crate) fn unknown<'n>(
    what: &str,
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let label = match closest(name, known) {
        Some(near) => format!("not declared; did you mean `{near}`?"),
        None => "not declared".to_owned(),
    };
    Diagnostic::error(format!("{what} `{name}` is not known"), span)
        .label(label)
        .help(format!("declare `{name}` before it is used, or correct the name"))
}
