//! What waits in a state without successors, and for what: for people. No engine asks for it.
//!
//! A *waiter* is a process, or a group where the model has no processes that own it. It has statements, each
//! with reasons why it cannot be taken. What most models can tell is found by [`by_guards`]; a way to write
//! models that knows more says it in [`Model::waiting`](crate::Model::waiting).

mod by_guards;
mod cycle;

use base::Span;

pub use by_guards::{Words, by_guards};

/// What waits in a state without successors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waiting {
    /// Who waits, and for what.
    pub waiters: Vec<Waiter>,
    /// How many more wait of which nothing is told.
    pub others: usize,
}

/// A process that waits, or a group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waiter {
    /// What it is called.
    pub name: String,
    /// Where a process stands, in the words of the source; none for a group.
    pub place: Option<String>,
    /// What it could do there, if only something were different. A process without any has come to its end.
    pub statements: Vec<Blocked>,
    /// The waiters, by their numbers, that alone can make one of the reasons go away.
    pub waits_for: Vec<usize>,
}

/// A statement that cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blocked {
    /// What it does, in a line.
    pub name: String,
    /// Where it stands in the source.
    pub spans: Vec<Span>,
    /// Why it cannot be taken: all of these must go away.
    pub reasons: Vec<Reason>,
}

/// Why a statement cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A condition is false.
    False {
        /// The condition.
        condition: String,
        /// The slots that it looks at, with their values as a person reads them.
        values: Vec<(String, String)>,
    },
    /// A channel holds as many messages as it has room for.
    Full {
        /// The channel.
        channel: String,
        /// How many.
        messages: u32,
    },
    /// A channel holds no message.
    Empty {
        /// The channel.
        channel: String,
    },
    /// Another process, which must move at the same time, does not stand where it could.
    Partner {
        /// The other process.
        process: String,
        /// Where it would have to stand: one of these places.
        places: Vec<String>,
        /// Where it stands.
        stands: String,
    },
    /// A place of a net holds fewer tokens than are needed.
    Tokens {
        /// The place.
        place: String,
        /// How many are needed.
        needed: u64,
        /// How many there are.
        there: u64,
    },
    /// A place of a net holds more tokens than an inhibitor arc lets it.
    TooManyTokens {
        /// The place.
        place: String,
        /// How many it may hold.
        most: u64,
        /// How many there are.
        there: u64,
    },
    /// Its conditions choose values, and no value satisfies them.
    NoValue,
    /// An action is offered that the operators around its process do not allow by itself.
    NotAllowed {
        /// The action.
        action: String,
    },
}

impl Waiting {
    /// The cycles of waiting: in each, every waiter waits for the next one, and the last for the first. Of
    /// waiters that wait for each other in several ways it is one of the shortest.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let edges: Vec<&[usize]> = self.waiters.iter().map(|waiter| waiter.waits_for.as_slice()).collect();
        cycle::cycles(&edges)
    }
}
