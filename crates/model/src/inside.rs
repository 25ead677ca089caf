//! What happens inside a step, for people: which processes move, which message is passed, what holds in
//! between. No engine asks for it.

use base::Span;

use crate::Value;

/// A step inside a step: see [`Model::unfold`](crate::Model::unfold).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inside {
    /// What it does, in a line.
    pub name: String,
    /// Where it stands in the source: one place, or several that move together.
    pub spans: Vec<Span>,
    /// Its action, which the whole step need not have.
    pub action: String,
    /// What holds after it; after the last one, the successor.
    pub state: Vec<Value>,
    /// The processes that move, where the language tells: as many as there are places, in the same order, a
    /// sender before its receiver.
    pub movers: Vec<Mover>,
    /// The message that is passed, if one is.
    pub message: Option<Message>,
}

/// A process that moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mover {
    /// Its number.
    pub process: u32,
    /// What it is called, its number included: `P(0)`.
    pub name: String,
    /// What it does, in the words of the source.
    pub words: String,
    /// The number of the statement, as other tools for the language count statements.
    pub statement: StatementNumber,
}

/// How other tools for a language number a statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StatementNumber {
    /// It is not known how they do.
    #[default]
    Unknown,
    /// So.
    Known(u32),
    /// It is a part of the statement before it.
    Part,
}

/// A message that is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The name of the channel.
    pub channel: String,
    /// What is done with it.
    pub passing: Passing,
    /// The values of its fields, as a person reads them.
    pub values: Vec<String>,
}

/// What is done with a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Passing {
    /// It is put into a channel.
    Sent,
    /// It is taken out of a channel.
    Received,
    /// It is looked at and stays in the channel.
    Seen,
    /// One process hands it to another.
    Handed,
}
