//! The tree of a text, as it is written: names are not looked up, sorts not known. It borrows its words from
//! the text.

use base::Span;

/// A name where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// A whole text, its parts by kind, each kind in its order.
#[derive(Default, Debug)]
pub(crate) struct Specification<'a> {
    pub sorts: Vec<SortDecl<'a>>,
    pub constructors: Vec<Binding<'a>>,
    pub mappings: Vec<Binding<'a>>,
    pub equations: Vec<EquationSection<'a>>,
    pub globals: Vec<Binding<'a>>,
    pub actions: Vec<ActionDecl<'a>>,
    pub processes: Vec<ProcessDecl<'a>>,
    pub init: Option<Process<'a>>,
}

/// `D` or `D = struct a | b`
#[derive(Debug)]
pub(crate) struct SortDecl<'a> {
    pub name: Name<'a>,
    pub is: Option<SortExpr<'a>>,
}

/// `x, y: S`
#[derive(Debug)]
pub(crate) struct Binding<'a> {
    pub names: Vec<Name<'a>>,
    pub sort: SortExpr<'a>,
}

/// A sort and where it stands.
#[derive(Debug)]
pub(crate) struct SortExpr<'a> {
    pub kind: SortKind<'a>,
    pub span: Span,
    /// How deep it is: what walks it is recursive.
    pub depth: u16,
}

/// What a sort is.
#[derive(Debug)]
pub(crate) enum SortKind<'a> {
    Bool,
    Pos,
    Nat,
    Int,
    Real,
    Container(Container, Box<SortExpr<'a>>),
    Name(&'a str),
    Struct(Vec<ConstructorDecl<'a>>),
    Function(Vec<SortExpr<'a>>, Box<SortExpr<'a>>),
    /// `A # B` in parentheses; fine only before an arrow.
    Product(Vec<SortExpr<'a>>),
}

/// What holds elements of one sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Container {
    List,
    FSet,
    Set,
    FBag,
    Bag,
}

/// `c(p: S, T)?is_c`
#[derive(Debug)]
pub(crate) struct ConstructorDecl<'a> {
    pub name: Name<'a>,
    pub arguments: Vec<(Option<Name<'a>>, SortExpr<'a>)>,
    pub recogniser: Option<Name<'a>>,
}

/// `var x: S; eqn …`
#[derive(Debug)]
pub(crate) struct EquationSection<'a> {
    pub vars: Vec<Binding<'a>>,
    pub equations: Vec<Equation<'a>>,
}

/// `condition -> left = right`
#[derive(Debug)]
pub(crate) struct Equation<'a> {
    pub condition: Option<Expr<'a>>,
    pub left: Expr<'a>,
    pub right: Expr<'a>,
    pub span: Span,
}

/// `a, b: S # T`
#[derive(Debug)]
pub(crate) struct ActionDecl<'a> {
    pub names: Vec<Name<'a>>,
    pub sorts: Vec<SortExpr<'a>>,
}

/// `P(x: S) = p`
#[derive(Debug)]
pub(crate) struct ProcessDecl<'a> {
    pub name: Name<'a>,
    pub parameters: Vec<Binding<'a>>,
    pub body: Process<'a>,
    pub span: Span,
}

/// A data expression and where it stands.
#[derive(Debug)]
pub(crate) struct Expr<'a> {
    pub kind: ExprKind<'a>,
    pub span: Span,
    /// How deep it is: what walks it is recursive.
    pub depth: u16,
}

/// What a data expression is.
#[derive(Debug)]
pub(crate) enum ExprKind<'a> {
    Name(&'a str),
    Number(&'a str),
    Truth(bool),
    List(Vec<Expr<'a>>),
    Set(Vec<Expr<'a>>),
    /// Elements, each with its number.
    Bag(Vec<(Expr<'a>, Expr<'a>)>),
    /// `{ x: S | e }`
    Comprehension(Binding<'a>, Box<Expr<'a>>),
    Apply(Box<Expr<'a>>, Vec<Expr<'a>>),
    /// An operator with its one or two operands; where it stands.
    Operator(&'static str, Span, Vec<Expr<'a>>),
    /// `a && b && c` or `a || b || c`: long ones are not deep.
    Chain(Junction, Vec<Expr<'a>>),
    /// `f[x -> y]`
    Update(Box<Expr<'a>>, Box<Expr<'a>>, Box<Expr<'a>>),
    Binder(Binder, Vec<Binding<'a>>, Box<Expr<'a>>),
    /// `e whr x = a end`
    Where(Box<Expr<'a>>, Vec<(Name<'a>, Expr<'a>)>),
}

/// What joins truth values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Junction {
    And,
    Or,
}

/// What binds variables in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binder {
    Forall,
    Exists,
    Lambda,
}

/// A process expression and where it stands.
#[derive(Debug)]
pub(crate) struct Process<'a> {
    pub kind: ProcessKind<'a>,
    pub span: Span,
    /// How deep it is: what walks it is recursive.
    pub depth: u16,
}

/// What a process expression is.
#[derive(Debug)]
pub(crate) enum ProcessKind<'a> {
    /// `a(e)`: an action or a process.
    Call(Name<'a>, Vec<Expr<'a>>),
    /// `P(x = e)`, also `P()`.
    Assign(Name<'a>, Vec<(Name<'a>, Expr<'a>)>),
    Delta,
    Tau,
    Choice(Vec<Process<'a>>),
    Sequence(Vec<Process<'a>>),
    Parallel(Vec<Process<'a>>),
    Sync(Vec<Process<'a>>),
    LeftMerge(Box<Process<'a>>, Box<Process<'a>>),
    Condition(Expr<'a>, Box<Process<'a>>, Option<Box<Process<'a>>>),
    Sum(Vec<Binding<'a>>, Box<Process<'a>>),
    Distribution(Vec<Binding<'a>>, Expr<'a>, Box<Process<'a>>),
    At(Box<Process<'a>>, Expr<'a>),
    Before(Box<Process<'a>>, Box<Process<'a>>),
    Block(Vec<Name<'a>>, Box<Process<'a>>),
    Hide(Vec<Name<'a>>, Box<Process<'a>>),
    Allow(Vec<Vec<Name<'a>>>, Box<Process<'a>>),
    Rename(Vec<(Name<'a>, Name<'a>)>, Box<Process<'a>>),
    Comm(Vec<(Vec<Name<'a>>, Name<'a>)>, Box<Process<'a>>),
}
