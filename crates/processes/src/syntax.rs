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
    pub init: Term,
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
    pub body: Term,
    /// Where it stands.
    pub span: Option<Span>,
}

/// A process term and where it stands. To clone one is cheap.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: Arc<TermKind>,
    /// Where it stands.
    pub span: Option<Span>,
}

/// What a process term is.
#[derive(Debug)]
pub enum TermKind {
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
    Choice(Vec<Term>),
    /// `p . q`
    Sequence(Vec<Term>),
    /// `c -> p <> q`
    Condition(Expr, Term, Option<Term>),
    /// `sum x: S, y: T . p`
    Sum(Vec<VarIx>, Term),
    /// `p || q`
    Parallel(Vec<Term>),
    /// `p ||_ q`: as `p || q`, but p does the first step.
    LeftMerge(Term, Term),
    /// `p | q`: both do their first step together.
    Sync(Vec<Term>),
    /// `p @ t`
    At(Term, Expr),
    /// `p << q`: what p can do before q must do something.
    Before(Term, Term),
    /// `dist x: S [e] . p`
    Distribution(Vec<VarIx>, Expr, Term),
    /// `allow({a, b|c}, p)`: these multi-actions and `tau`. Each is sorted.
    Allow(Vec<Vec<NameIx>>, Term),
    /// `block({a, b}, p)`; encapsulation in µCRL.
    Block(Vec<NameIx>, Term),
    /// `hide({a, b}, p)`
    Hide(Vec<NameIx>, Term),
    /// `rename({a -> b}, p)`
    Rename(Vec<(NameIx, NameIx)>, Term),
    /// `comm({a|b -> c}, p)`
    Comm(Vec<Communication>, Term),
    /// What `||` is in µCRL: steps are of one action, or of two that communicate by one of these rules. The
    /// parts in the list.
    Handshake(Arc<[Communication]>, Vec<Term>),
    /// What `||_` is in µCRL: the left one does the first step alone, and then it is `||`.
    HandshakeLeft(Arc<[Communication]>, Term, Term),
    /// What `|` is in µCRL: the first step is one of both by one of these rules, and then it is `||`.
    HandshakeBoth(Arc<[Communication]>, Term, Term),
}

/// `a|b -> c`: actions with equal arguments become one. The left side is sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Communication {
    /// What comes together.
    pub from: Vec<NameIx>,
    /// What becomes of it; `None` is `tau`.
    pub to: Option<NameIx>,
}

impl Term {
    /// A term of this kind.
    pub fn new(kind: TermKind, span: Option<Span>) -> Self {
        Self { kind: Arc::new(kind), span }
    }

    /// All calls in it.
    pub(crate) fn all_calls(&self, into: &mut Vec<ProcIx>) {
        if let TermKind::Call(process, _) = &*self.kind {
            into.push(*process);
        }
        self.for_each_part(&mut |part| part.all_calls(into));
    }

    /// Calls `each` with its direct parts.
    pub(crate) fn for_each_part<'s>(&'s self, each: &mut dyn FnMut(&'s Self)) {
        match &*self.kind {
            TermKind::Action(..) | TermKind::Tau | TermKind::Delta | TermKind::Call(..) => {}
            TermKind::Choice(parts)
            | TermKind::Sequence(parts)
            | TermKind::Parallel(parts)
            | TermKind::Sync(parts) => {
                parts.iter().for_each(each);
            }
            TermKind::Handshake(_, parts) => parts.iter().for_each(each),
            TermKind::Condition(_, yes, no) => {
                each(yes);
                no.iter().for_each(each);
            }
            TermKind::LeftMerge(left, right)
            | TermKind::Before(left, right)
            | TermKind::HandshakeLeft(_, left, right)
            | TermKind::HandshakeBoth(_, left, right) => {
                each(left);
                each(right);
            }
            TermKind::Sum(_, body) | TermKind::At(body, _) | TermKind::Distribution(_, _, body) => each(body),
            TermKind::Allow(_, body) | TermKind::Block(_, body) | TermKind::Hide(_, body) => each(body),
            TermKind::Rename(_, body) | TermKind::Comm(_, body) => each(body),
        }
    }
}
