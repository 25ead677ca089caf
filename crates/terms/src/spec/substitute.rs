//! Expressions in place of variables.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use super::{Expr, Kind, VarIx};

impl Expr {
    /// The same expression with others in place of variables, all at once. Parts without such a variable stay
    /// shared.
    ///
    /// No variable number is bound twice in a text and none stands outside its binder, so nothing is caught
    /// by a binder inside; who puts an expression into itself must rename its bound variables first.
    #[must_use]
    pub fn substitute<S: BuildHasher>(&self, by: &HashMap<VarIx, Self, S>) -> Self {
        match by.is_empty() {
            true => self.clone(),
            false => Substitution { by, done: HashMap::new() }.of(self),
        }
    }

    /// The same expression with its parts, the direct ones, put through `change`.
    #[must_use]
    pub fn map_parts(&self, mut change: impl FnMut(&Self) -> Self) -> Self {
        let mut changed = false;
        let mut part = |old: &Self| {
            let new = change(old);
            changed |= !Arc::ptr_eq(&new.kind, &old.kind);
            new
        };
        let mut all = |parts: &[Self]| -> Box<[Self]> { parts.iter().map(&mut part).collect() };
        let kind = match &*self.kind {
            Kind::Var(_) | Kind::Number(_) | Kind::Truth(_) | Kind::Function(_) => return self.clone(),
            Kind::Call(function, parts) => Kind::Call(*function, all(parts)),
            Kind::Op(op, parts) => Kind::Op(*op, all(parts)),
            Kind::Apply(head, parts) => Kind::Apply(part(head), parts.iter().map(&mut part).collect()),
            Kind::Lambda(vars, body) => Kind::Lambda(vars.clone(), part(body)),
            Kind::Forall(vars, body) => Kind::Forall(vars.clone(), part(body)),
            Kind::Exists(vars, body) => Kind::Exists(vars.clone(), part(body)),
            Kind::SetWhere(var, body) => Kind::SetWhere(*var, part(body)),
            Kind::BagWhere(var, body) => Kind::BagWhere(*var, part(body)),
            Kind::Where(body, bound) => {
                let bound = bound.iter().map(|(var, value)| (*var, part(value))).collect();
                Kind::Where(part(body), bound)
            }
        };
        match changed {
            true => Self::new(kind, self.sort),
            false => self.clone(),
        }
    }
}

struct Substitution<'b, S> {
    by: &'b HashMap<VarIx, Expr, S>,
    /// What became of parts that are shared.
    done: HashMap<*const Kind, Expr>,
}

impl<S: BuildHasher> Substitution<'_, S> {
    fn of(&mut self, expr: &Expr) -> Expr {
        if let Kind::Var(var) = &*expr.kind {
            return self.by.get(var).unwrap_or(expr).clone();
        }
        let shared = Arc::strong_count(&expr.kind) > 1;
        if shared && let Some(done) = self.done.get(&Arc::as_ptr(&expr.kind)) {
            return done.clone();
        }
        let new = expr.map_parts(|part| self.of(part));
        if shared {
            self.done.insert(Arc::as_ptr(&expr.kind), new.clone());
        }
        new
    }
}
