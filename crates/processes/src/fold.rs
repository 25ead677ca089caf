//! What can be said of an expression by looking at it: truth values, and equality of what is made of
//! constructors.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base::Diagnostic;
use terms::{Data, DataSpec, Expr, FunKind, Kind, Op, SortIx, VarIx};

/// Sorts with more values than this are searched, not tried value by value: the same as in `terms`.
const SMALL: u64 = 1 << 12;

/// Looks at expressions.
pub(crate) struct Folder {
    data: Data,
    /// What expressions came to: the same conditions come again and again.
    simple: RefCell<HashMap<Expr, Expr>>,
    /// Whether different terms with this function on top are different values.
    free: Vec<bool>,
}

impl Folder {
    /// One that evaluates what has no variables by these equations; or what is wrong with them.
    pub(crate) fn new(data: &DataSpec) -> Result<Self, Vec<Diagnostic>> {
        let mut free: Vec<bool> =
            data.functions.iter().map(|function| function.kind == FunKind::Constructor).collect();
        for equation in &data.equations {
            if let Kind::Call(function, _) = &*equation.left.kind {
                free[function.ix()] = false;
            }
        }
        Ok(Self { data: Data::new(data.clone())?, simple: RefCell::default(), free })
    }

    /// The same expression with what is known in place of what is computed.
    pub(crate) fn fold(&self, expr: &Expr) -> Expr {
        self.fold_with(expr, &HashMap::new())
    }

    /// The same with values in place of variables.
    pub(crate) fn fold_with(&self, expr: &Expr, values: &HashMap<VarIx, Expr>) -> Expr {
        let folded = Folding { folder: self, values, done: HashMap::new() }.of(expr);
        if self.is_plain(&folded, &mut HashSet::new()) {
            return folded;
        }
        let mut simple = self.simple.borrow_mut();
        simple.entry(folded).or_insert_with_key(|folded| self.data.simplify(folded)).clone()
    }

    /// Whether two expressions are equal, where that can be seen.
    pub(crate) fn equal(&self, one: &Expr, other: &Expr) -> Option<bool> {
        if Arc::ptr_eq(&one.kind, &other.kind) || one == other {
            return Some(true);
        }
        let all = |ones: &[Expr], others: &[Expr]| {
            let mut known = Some(true);
            for (one, other) in ones.iter().zip(others) {
                match self.equal(one, other) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => known = None,
                }
            }
            known
        };
        match (&*one.kind, &*other.kind) {
            (Kind::Number(one), Kind::Number(other)) => Some(one == other),
            (Kind::Truth(one), Kind::Truth(other)) => Some(one == other),
            (Kind::Call(f, ones), Kind::Call(g, others)) if self.is_free(*f) && self.is_free(*g) => {
                if f == g { all(ones, others) } else { Some(false) }
            }
            (Kind::Op(Op::List, ones), Kind::Op(Op::List, others)) => {
                if ones.len() == others.len() {
                    all(ones, others)
                } else {
                    Some(false)
                }
            }
            (Kind::Op(Op::Cons, _), Kind::Op(Op::List, none))
            | (Kind::Op(Op::List, none), Kind::Op(Op::Cons, _))
                if none.is_empty() =>
            {
                Some(false)
            }
            (Kind::Op(Op::Cons, ones), Kind::Op(Op::Cons, others)) => all(ones, others),
            _ => None,
        }
    }

    /// Equal arguments of one constructor: what an equation of two terms comes to.
    pub(crate) fn split_equation<'e>(
        &self,
        one: &'e Expr,
        other: &'e Expr,
    ) -> Option<(&'e [Expr], &'e [Expr])> {
        match (&*one.kind, &*other.kind) {
            (Kind::Call(f, ones), Kind::Call(g, others)) if f == g && self.is_free(*f) => {
                Some((ones, others))
            }
            (Kind::Op(Op::Cons, ones), Kind::Op(Op::Cons, others)) => Some((ones, others)),
            (Kind::Op(Op::List, ones), Kind::Op(Op::List, others)) if ones.len() == others.len() => {
                Some((ones, others))
            }
            _ => None,
        }
    }

    /// Whether nothing in it could be computed.
    fn is_plain(&self, expr: &Expr, seen: &mut HashSet<*const Kind>) -> bool {
        let plain = match &*expr.kind {
            Kind::Var(_) | Kind::Number(_) | Kind::Truth(_) => return true,
            Kind::Call(function, _) => self.is_free(*function),
            Kind::Op(op, parts) => match op {
                Op::Not | Op::And | Op::Or | Op::Implies | Op::Equal | Op::NotEqual | Op::If | Op::List => {
                    true
                }
                Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                    parts.iter().any(|part| matches!(*part.kind, Kind::Var(_)))
                }
                _ => false,
            },
            _ => false,
        };
        if !plain || !seen.insert(Arc::as_ptr(&expr.kind)) {
            return plain;
        }
        let mut all = true;
        expr.kind.for_each_part(|part| all = all && self.is_plain(part, seen));
        all
    }

    /// Whether a sort has few enough values to try each.
    pub(crate) fn is_small(&self, sort: SortIx) -> bool {
        self.data.size(sort).is_some_and(|size| size <= SMALL)
    }

    fn is_free(&self, function: terms::FunIx) -> bool {
        self.free.get(function.ix()).copied().unwrap_or(false)
    }

    /// The expression with this on top, given that its parts are folded.
    fn top(&self, expr: Expr) -> Expr {
        let Kind::Op(op, parts) = &*expr.kind else { return expr };
        let truth = |part: &Expr| match &*part.kind {
            Kind::Truth(value) => Some(*value),
            _ => None,
        };
        let not = |part: &Expr| self.top(Expr::op(Op::Not, [part.clone()], SortIx::BOOL));
        match op {
            Op::Not => match &*parts[0].kind {
                Kind::Truth(value) => Expr::truth(!value),
                Kind::Op(Op::Not, inner) => inner[0].clone(),
                _ => expr,
            },
            Op::And | Op::Or => {
                let ruling = *op == Op::Or;
                match (truth(&parts[0]), truth(&parts[1])) {
                    (Some(value), _) | (_, Some(value)) if value == ruling => Expr::truth(ruling),
                    (Some(_), _) => parts[1].clone(),
                    (_, Some(_)) => parts[0].clone(),
                    _ if parts[0] == parts[1] => parts[0].clone(),
                    _ => expr,
                }
            }
            Op::Implies => match (truth(&parts[0]), truth(&parts[1])) {
                (Some(false), _) | (_, Some(true)) => Expr::truth(true),
                (Some(true), _) => parts[1].clone(),
                (_, Some(false)) => not(&parts[0]),
                _ => expr,
            },
            Op::If => match truth(&parts[0]) {
                Some(value) => parts[if value { 1 } else { 2 }].clone(),
                None if parts[1] == parts[2] => parts[1].clone(),
                None => expr,
            },
            Op::Equal | Op::NotEqual => match self.equal(&parts[0], &parts[1]) {
                Some(value) => Expr::truth(value == (*op == Op::Equal)),
                None => match (truth(&parts[0]), truth(&parts[1])) {
                    (Some(value), _) if value == (*op == Op::Equal) => parts[1].clone(),
                    (_, Some(value)) if value == (*op == Op::Equal) => parts[0].clone(),
                    (Some(_), _) => not(&parts[1]),
                    (_, Some(_)) => not(&parts[0]),
                    _ => expr,
                },
            },
            _ => expr,
        }
    }
}

struct Folding<'f> {
    folder: &'f Folder,
    values: &'f HashMap<VarIx, Expr>,
    done: HashMap<*const Kind, Expr>,
}

impl Folding<'_> {
    fn of(&mut self, expr: &Expr) -> Expr {
        if let Kind::Var(variable) = &*expr.kind {
            return self.values.get(variable).unwrap_or(expr).clone();
        }
        let shared = Arc::strong_count(&expr.kind) > 1;
        if shared && let Some(done) = self.done.get(&Arc::as_ptr(&expr.kind)) {
            return done.clone();
        }
        let folded = self.folder.top(expr.map_parts(|part| self.of(part)));
        if shared {
            self.done.insert(Arc::as_ptr(&expr.kind), folded.clone());
        }
        folded
    }
}

/// Whether a condition can be true, and whether it can be false.
pub(crate) fn possible(condition: &Expr) -> (bool, bool) {
    match &*condition.kind {
        Kind::Truth(value) => (*value, !*value),
        _ => (true, true),
    }
}
