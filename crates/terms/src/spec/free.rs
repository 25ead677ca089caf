//! Which variables an expression needs from outside.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use super::{Expr, Kind, VarIx};

impl Kind {
    /// Calls `each` with every expression that is a direct part.
    pub fn for_each_part<'k>(&'k self, mut each: impl FnMut(&'k Expr)) {
        match self {
            Self::Var(_) | Self::Number(_) | Self::Truth(_) | Self::Function(_) => {}
            Self::Call(_, parts) | Self::Op(_, parts) => parts.iter().for_each(each),
            Self::Apply(head, parts) => {
                each(head);
                parts.iter().for_each(each);
            }
            Self::Lambda(_, body) | Self::Forall(_, body) | Self::Exists(_, body) => each(body),
            Self::SetWhere(_, body) | Self::BagWhere(_, body) => each(body),
            Self::Where(body, bound) => {
                bound.iter().for_each(|(_, value)| each(value));
                each(body);
            }
        }
    }

    /// Calls `each` with every variable that is bound here.
    pub fn for_each_bound(&self, mut each: impl FnMut(VarIx)) {
        match self {
            Self::Lambda(vars, _) | Self::Forall(vars, _) | Self::Exists(vars, _) => {
                vars.iter().copied().for_each(each)
            }
            Self::SetWhere(var, _) | Self::BagWhere(var, _) => each(*var),
            Self::Where(_, bound) => bound.iter().for_each(|(var, _)| each(*var)),
            _ => {}
        }
    }
}

impl Expr {
    /// The variables that are not bound inside, in the order of their numbers.
    ///
    /// A variable is bound by one binder only and does not stand outside of it, so what is bound anywhere
    /// inside is not free.
    pub fn free(&self) -> BTreeSet<VarIx> {
        let (mut used, mut bound) = (BTreeSet::new(), HashSet::new());
        let (mut seen, mut todo) = (HashSet::new(), vec![self]);
        while let Some(expr) = todo.pop() {
            if let Kind::Var(var) = &*expr.kind {
                used.insert(*var);
                continue;
            }
            // Shared parts are looked at once: an expression may be far larger written out than in memory.
            if Arc::strong_count(&expr.kind) > 1 && !seen.insert(Arc::as_ptr(&expr.kind)) {
                continue;
            }
            expr.kind.for_each_bound(|var| {
                bound.insert(var);
            });
            expr.kind.for_each_part(|part| todo.push(part));
        }
        used.retain(|var| !bound.contains(var));
        used
    }

    /// Whether this variable stands in it, free.
    pub fn mentions(&self, var: VarIx) -> bool {
        self.free().contains(&var)
    }
}
