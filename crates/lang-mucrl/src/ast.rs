//! The tree of a text: what is written, with no name resolved.

use base::Span;

/// A name where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name<'a> {
    /// The name.
    pub text: &'a str,
    /// Where it stands.
    pub span: Span,
}

/// All sections of a text, each kind in its order.
#[derive(Debug, Default)]
pub struct Specification<'a> {
    /// `sort D E`
    pub sorts: Vec<Name<'a>>,
    /// `func` and `map`
    pub functions: Vec<Functions<'a>>,
    /// `var` and `rew`
    pub rules: Vec<Rules<'a>>,
    /// `act a, b: D # E`
    pub actions: Vec<Actions<'a>>,
    /// `comm a|b = c`
    pub communications: Vec<Communication<'a>>,
    /// `proc X(d: D) = p`
    pub processes: Vec<Process<'a>>,
    /// `init p`; one in a good text.
    pub inits: Vec<(Span, Term<'a>)>,
}

/// `f, g: D # E -> F`
#[derive(Debug)]
pub struct Functions<'a> {
    /// `func` makes values, `map` does not.
    pub makes_values: bool,
    /// The names.
    pub names: Vec<Name<'a>>,
    /// The sorts of the arguments.
    pub arguments: Vec<Name<'a>>,
    /// The sort of the answer.
    pub result: Name<'a>,
}

/// Variables, and the equations that they are for.
#[derive(Debug)]
pub struct Rules<'a> {
    /// Name and sort.
    pub variables: Vec<(Name<'a>, Name<'a>)>,
    /// Left and right sides.
    pub rules: Vec<(Data<'a>, Data<'a>)>,
}

/// A data term: a name with arguments, or without.
#[derive(Debug)]
pub struct Data<'a> {
    /// A function or a variable.
    pub name: Name<'a>,
    /// The arguments.
    pub arguments: Vec<Data<'a>>,
    /// Where it stands.
    pub span: Span,
}

/// `a, b: D # E`
#[derive(Debug)]
pub struct Actions<'a> {
    /// The names.
    pub names: Vec<Name<'a>>,
    /// The sorts of the arguments.
    pub sorts: Vec<Name<'a>>,
}

/// `a|b = c`
#[derive(Debug)]
pub struct Communication<'a> {
    /// The two that come together.
    pub from: [Name<'a>; 2],
    /// What becomes of them; nothing is `tau`.
    pub to: Option<Name<'a>>,
}

/// `X(d: D) = p`
#[derive(Debug)]
pub struct Process<'a> {
    /// Its name.
    pub name: Name<'a>,
    /// Name and sort of each parameter.
    pub parameters: Vec<(Name<'a>, Name<'a>)>,
    /// What it does.
    pub body: Term<'a>,
}

/// A process term and where it stands.
#[derive(Debug)]
pub struct Term<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// Where it stands.
    pub span: Span,
}

/// What a process term is.
#[derive(Debug)]
pub enum Kind<'a> {
    /// `delta`
    Delta,
    /// `tau`
    Tau,
    /// `a(d)` or `X(d)`
    Named(Data<'a>),
    /// `p + q`
    Choice(Vec<Term<'a>>),
    /// `p . q`
    Sequence(Vec<Term<'a>>),
    /// `p || q`
    Merge(Vec<Term<'a>>),
    /// `p ||_ q`
    LeftMerge(Box<[Term<'a>; 2]>),
    /// `p | q`
    Together(Vec<Term<'a>>),
    /// `p <| b |> q`
    Condition(Box<[Term<'a>; 2]>, Data<'a>),
    /// `p @ t`
    At(Box<Term<'a>>, Data<'a>),
    /// `sum(d: D, p)`
    Sum(Name<'a>, Name<'a>, Box<Term<'a>>),
    /// `encap({a, b}, p)`
    Encap(Vec<Name<'a>>, Box<Term<'a>>),
    /// `hide({a, b}, p)`
    Hide(Vec<Name<'a>>, Box<Term<'a>>),
    /// `rename({a -> b}, p)`
    Rename(Vec<(Name<'a>, Name<'a>)>, Box<Term<'a>>),
}
