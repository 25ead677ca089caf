//! Linear processes: definition 1.5 and 4.15 of Meijer, "Improving reachability analysis in LTSmin", 2014.
//!
//! X(d) = Σᵢ Σ eᵢ. cᵢ(d, eᵢ) → aᵢ(d, eᵢ) · X(gᵢ(d, eᵢ)), where each cᵢ is kept as its conjuncts and gᵢ only
//! where it changes something.

use base::Span;
use terms::{DataSpec, Expr, SortIx, VarIx};

use crate::{Action, NameIx};

/// A linear process.
#[derive(Clone, Debug)]
pub struct LinearProcess {
    /// Sorts, functions, equations, and all variables: parameters and sum variables too.
    pub data: DataSpec,
    /// The names of actions. `Terminate` is added where the process can end.
    pub names: Vec<String>,
    /// The actions as the specification declares them, whether or not a summand does them.
    pub actions: Vec<Action>,
    /// The parameters, d.
    pub parameters: Vec<Parameter>,
    /// The summands.
    pub summands: Vec<Summand>,
    /// How many sequential components it was made of.
    pub components: usize,
    /// What these can do by themselves, as far as it is known.
    pub offers: Vec<Offer>,
}

/// A parameter of a linear process.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The variable that expressions know it by.
    pub variable: VarIx,
    /// Its name, which no other parameter has.
    pub name: String,
    /// Its sort.
    pub sort: SortIx,
    /// Its value in the beginning: an expression without variables.
    pub initial: Expr,
    /// The sequential component it belongs to.
    pub component: usize,
    /// Where it says at which place a component is: what each of the places is called. It then counts from 0.
    pub places: Option<Vec<String>>,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// An action with its arguments.
pub type ActionTerm = (NameIx, Vec<Expr>);

/// A summand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summand {
    /// The sum variables, e.
    pub sums: Vec<VarIx>,
    /// The conjuncts of the condition.
    pub conditions: Vec<Expr>,
    /// The multi-action, sorted by name; `tau` has none.
    pub actions: Vec<ActionTerm>,
    /// What changes: parameters by their variables, in ascending order, and what they become.
    pub next: Vec<(VarIx, Expr)>,
    /// Where it stands: one place for each component that moves.
    pub spans: Vec<Span>,
}

impl Summand {
    /// The names of the multi-action, sorted.
    pub fn names(&self) -> Vec<NameIx> {
        self.actions.iter().map(|(name, _)| *name).collect()
    }

    /// What a parameter becomes, if it is not left as it is.
    pub fn next_of(&self, parameter: VarIx) -> Option<&Expr> {
        self.next.binary_search_by_key(&parameter, |(variable, _)| *variable).ok().map(|at| &self.next[at].1)
    }
}

/// A step that a sequential component offers.
#[derive(Clone, Debug)]
pub struct Offer {
    /// What the component is called.
    pub component: String,
    /// When it offers the step: conditions over the parameters of the linear process.
    pub conditions: Vec<Expr>,
    /// The multi-action. Its arguments may name sum variables.
    pub actions: Vec<ActionTerm>,
    /// Where it stands.
    pub spans: Vec<Span>,
}

/// Appends the conjuncts of a condition: what `&&` joins, and what `!` makes a conjunction. `true` has none.
pub fn conjuncts(condition: &Expr, into: &mut Vec<Expr>) {
    split(condition, true, into);
}

fn split(condition: &Expr, wanted: bool, into: &mut Vec<Expr>) {
    use terms::{Kind, Op};
    // A long chain of `&&` leans to one side: what is left of it waits here, not on the machine's stack.
    let mut waiting = vec![(condition.clone(), wanted)];
    while let Some((condition, wanted)) = waiting.pop() {
        match (&*condition.kind, wanted) {
            (Kind::Truth(value), _) if *value == wanted => {}
            (Kind::Op(Op::Not, parts), _) => waiting.push((parts[0].clone(), !wanted)),
            (Kind::Op(Op::And, parts), true) | (Kind::Op(Op::Or, parts), false) => {
                waiting.extend(parts.iter().rev().map(|part| (part.clone(), wanted)));
            }
            (Kind::Op(Op::Implies, parts), false) => {
                waiting.push((parts[1].clone(), false));
                waiting.push((parts[0].clone(), true));
            }
            (Kind::Op(Op::Equal, parts), false) => {
                into.push(Expr::op(Op::NotEqual, parts.clone(), SortIx::BOOL));
            }
            (Kind::Op(Op::NotEqual, parts), false) => {
                into.push(Expr::op(Op::Equal, parts.clone(), SortIx::BOOL))
            }
            (_, true) => into.push(condition.clone()),
            (_, false) => into.push(Expr::op(Op::Not, [condition.clone()], SortIx::BOOL)),
        }
    }
}

/// `left == right`
pub(crate) fn equal(left: &Expr, right: &Expr) -> Expr {
    Expr::op(terms::Op::Equal, [left.clone(), right.clone()], SortIx::BOOL)
}
