//! A data specification: what a language gives, with every name resolved and every sort known.
//!
//! `sort` has the sorts, `op` the built-in functions, `expr` the expressions; `free`, `substitute` and
//! `alpha` are what is asked of expressions, and `show` makes text of them.

mod alpha;
mod expr;
mod free;
mod op;
mod show;
mod sort;
mod substitute;

use base::Span;

pub(crate) use alpha::{numbered, outside};
pub(crate) use expr::is_nothing;
pub use expr::{Expr, Kind};
pub use op::Op;
pub(crate) use show::{declared, infix, prefix, show_expr};
pub use sort::{Sort, SortIx, Sorts};

/// A variable, by its number in [`DataSpec::vars`]. Every binder has variables of its own: no number is bound
/// twice in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarIx(pub u32);

/// A function, by its number in [`DataSpec::functions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunIx(pub u32);

impl VarIx {
    /// Its number, to index a slice with.
    #[inline]
    pub fn ix(self) -> usize {
        self.0 as usize
    }
}

impl FunIx {
    /// Its number, to index a slice with.
    #[inline]
    pub fn ix(self) -> usize {
        self.0 as usize
    }
}

/// Sorts, functions and equations.
#[derive(Clone, Debug, Default)]
pub struct DataSpec {
    /// The sorts.
    pub sorts: Sorts,
    /// All variables of the text, of equations, lambdas, sums and processes.
    pub vars: Vec<Variable>,
    /// The functions: constructors and what is defined by equations.
    pub functions: Vec<Function>,
    /// The equations, in the order of the text: all of them hold, so any may be applied.
    pub equations: Vec<Equation>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: SortIx,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The sorts of its arguments.
    pub arguments: Vec<SortIx>,
    /// The sort of its answer; it may be a function sort.
    pub result: SortIx,
    /// What kind of function.
    pub kind: FunKind,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// What kind of function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunKind {
    /// The values of its sort are made of it. Constructors of one sort are ordered as in
    /// [`DataSpec::functions`].
    Constructor,
    /// It is what the equations make of it.
    Mapping,
    /// It takes an argument out of a constructor: of each of these, the one at that position. Of any other it
    /// does not reduce.
    Projection(Vec<(FunIx, usize)>),
    /// It says whether its argument was made by this constructor.
    Recogniser(FunIx),
}

/// `condition -> left = right`
#[derive(Clone, Debug)]
pub struct Equation {
    /// The variables in it.
    pub vars: Vec<VarIx>,
    /// It holds only where this is true.
    pub condition: Option<Expr>,
    /// The pattern: a [`crate::Kind::Call`], perhaps applied to more arguments, or a built-in function of a
    /// user's sort.
    pub left: Expr,
    /// What it is equal to.
    pub right: Expr,
    /// Where it stands.
    pub span: Option<Span>,
}

impl DataSpec {
    /// A new variable.
    pub fn variable(&mut self, name: impl Into<String>, sort: SortIx) -> VarIx {
        let number = VarIx(u32::try_from(self.vars.len()).expect("BUG: more than 2^32 variables"));
        self.vars.push(Variable { name: name.into(), sort });
        number
    }

    /// A new function.
    pub fn function(&mut self, function: Function) -> FunIx {
        let number = FunIx(u32::try_from(self.functions.len()).expect("BUG: more than 2^32 functions"));
        self.functions.push(function);
        number
    }

    /// The constructors of a user's sort, in their order.
    pub fn constructors(&self, sort: SortIx) -> impl Iterator<Item = FunIx> {
        let constructs =
            move |function: &Function| function.kind == FunKind::Constructor && function.result == sort;
        (0..self.functions.len() as u32).map(FunIx).filter(move |f| constructs(&self.functions[f.ix()]))
    }

    /// The sort of a function as a value.
    pub fn sort_of(&mut self, function: FunIx) -> SortIx {
        let Function { arguments, result, .. } = &self.functions[function.ix()];
        match arguments.is_empty() {
            true => *result,
            false => self.sorts.add(Sort::Function(arguments.clone().into(), *result)),
        }
    }
}
