//! Process specifications: what a language gives, with every name resolved and every sort known.

use std::sync::Arc;

use base::Span;
use terms::{DataSpec, Expr, SortIx, VarIx};

/// The name of actions, by its number in [`ProcessSpec::names`]. Actions with different sorts may share one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NameIx(pub u32);

/// An action as declared, by its number in [`ProcessSpec::actions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActIx(pub u32);

/// A process, by its number in [`ProcessSpec::processes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcIx(pub u32);

/// Data, actions, processes and the one to begin with.
#[derive(Clone, Debug)]
pub struct ProcessSpec {
    /// Sorts, functions, equations, variables.
    pub data: DataSpec,
    /// The names of actions.
    pub names: Vec<String>,
    /// The actions.
    pub actions: Vec<Action>,
    /// The processes.
    pub processes: Vec<Process>,
    /// Variables that may have any value, the same one everywhere: the answer does not depend on it, or so
    /// the text says.
    pub globals: Vec<VarIx>,
    /// Where it begins.
    pub init: ProcessTerm,
}

/// An action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name.
    pub name: NameIx,
    /// The sorts of its arguments.
    pub sorts: Vec<SortIx>,
}

/// A process equation.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<VarIx>,
    /// What it does.
    pub body: ProcessTerm,
    /// Where it stands.
    pub span: Option<Span>,
}

/// A process term and where it stands. To clone one is cheap.
#[derive(Clone, Debug)]
pub struct ProcessTerm {
    /// What it is.
    pub kind: Arc<ProcessTermKind>,
    /// Where it stands.
    pub span: Option<Span>,
}

/// What a process term is.
#[derive(Debug)]
pub enum ProcessTermKind {
    /// `a(d, e)`
    Action(ActIx, Vec<Expr>),
    /// `tau`
    Tau,
    /// `delta`
    Delta,
    /// `P(d, e)`, with all parameters in their order. What `P(x = d)` leaves out is the parameter itself, as
    /// a variable.
    Call(ProcIx, Vec<Expr>),
    /// `p + q`
    Choice(Vec<ProcessTerm>),
    /// `p . q`
    Sequence(Vec<ProcessTerm>),
    /// `c -> p <> q`
    Condition(Expr, ProcessTerm, Option<ProcessTerm>),
    /// `sum x: S, y: T . p`
    Sum(Vec<VarIx>, ProcessTerm),
    /// `p || q`
    Parallel(Vec<ProcessTerm>),
    /// `p ||_ q`: as `p || q`, but p does the first step.
    LeftMerge(ProcessTerm, ProcessTerm),
    /// `p | q`: both do their first step together.
    Sync(Vec<ProcessTerm>),
    /// `p @ t`
    At(ProcessTerm, Expr),
    /// `p << q`: what p can do before q must do something.
    Before(ProcessTerm, ProcessTerm),
    /// `dist x: S [e] . p`
    Distribution(Vec<VarIx>, Expr, ProcessTerm),
    /// `allow({a, b|c}, p)`: these multi-actions and `tau`. Each is sorted.
    Allow(Vec<Vec<NameIx>>, ProcessTerm),
    /// `block({a, b}, p)`; encapsulation in µCRL.
    Block(Vec<NameIx>, ProcessTerm),
    /// `hide({a, b}, p)`
    Hide(Vec<NameIx>, ProcessTerm),
    /// `rename({a -> b}, p)`
    Rename(Vec<(NameIx, NameIx)>, ProcessTerm),
    /// `comm({a|b -> c}, p)`
    Comm(Vec<Communication>, ProcessTerm),
    /// What `||` is in µCRL: steps are of one action, or of two that communicate by one of these rules. The
    /// parts in the list.
    Handshake(Arc<[Communication]>, Vec<ProcessTerm>),
    /// What `||_` is in µCRL: the left one does the first step alone, and then it is `||`.
    HandshakeLeft(Arc<[Communication]>, ProcessTerm, ProcessTerm),
    /// What `|` is in µCRL: the first step is one of both by one of these rules, and then it is `||`.
    HandshakeBoth(Arc<[Communication]>, ProcessTerm, ProcessTerm),
}

/// `a|b -> c`: actions with equal arguments become one. The left side is sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Communication {
    /// What comes together.
    pub from: Vec<NameIx>,
    /// What becomes of it; `None` is `tau`.
    pub to: Option<NameIx>,
}

impl ProcessTerm {
    /// A term of this kind.
    pub fn new(kind: ProcessTermKind, span: Option<Span>) -> Self {
        Self { kind: Arc::new(kind), span }
    }

    /// All calls in it.
    pub(crate) fn all_calls(&self, into: &mut Vec<ProcIx>) {
        if let ProcessTermKind::Call(process, _) = &*self.kind {
            into.push(*process);
        }
        self.for_each_part(&mut |part| part.all_calls(into));
    }

    /// Calls `each` with its direct parts.
    pub(crate) fn for_each_part<'s>(&'s self, each: &mut dyn FnMut(&'s Self)) {
        match &*self.kind {
            ProcessTermKind::Action(..)
            | ProcessTermKind::Tau
            | ProcessTermKind::Delta
            | ProcessTermKind::Call(..) => {}
            ProcessTermKind::Choice(parts)
            | ProcessTermKind::Sequence(parts)
            | ProcessTermKind::Parallel(parts)
            | ProcessTermKind::Sync(parts) => {
                parts.iter().for_each(each);
            }
            ProcessTermKind::Handshake(_, parts) => parts.iter().for_each(each),
            ProcessTermKind::Condition(_, yes, no) => {
                each(yes);
                no.iter().for_each(each);
            }
            ProcessTermKind::LeftMerge(left, right)
            | ProcessTermKind::Before(left, right)
            | ProcessTermKind::HandshakeLeft(_, left, right)
            | ProcessTermKind::HandshakeBoth(_, left, right) => {
                each(left);
                each(right);
            }
            ProcessTermKind::Sum(_, body)
            | ProcessTermKind::At(body, _)
            | ProcessTermKind::Distribution(_, _, body) => each(body),
            ProcessTermKind::Allow(_, body)
            | ProcessTermKind::Block(_, body)
            | ProcessTermKind::Hide(_, body) => each(body),
            ProcessTermKind::Rename(_, body) | ProcessTermKind::Comm(_, body) => each(body),
        }
    }
}
