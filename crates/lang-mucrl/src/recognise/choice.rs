//! `if(T, x, y) = x` and `if(F, x, y) = y`, for values of any sort.

use terms::{DataSpec, Expr, Kind, Op, SortIx, VarIx};

use super::{Equations, Meanings, mappings};

/// The functions that choose by their first argument between the other two.
pub(super) fn meanings(data: &DataSpec, equations: &Equations<'_>) -> Meanings {
    let mut meanings = Meanings::new();
    for (function, declared) in mappings(data) {
        let [SortIx::BOOL, one, other] = declared.arguments[..] else { continue };
        if one != other || one != declared.result {
            continue;
        }
        let (mut has_true, mut has_false, mut has_more) = (false, false, false);
        for (patterns, equation) in equations.of(function) {
            let [condition, one, other] = patterns else { continue };
            let (Some(one), Some(other), Some(right)) = (var(one), var(other), var(&equation.right)) else {
                has_more = true;
                continue;
            };
            match &*condition.kind {
                // Both are the same: whatever is chosen.
                _ if one == other && right == one => {}
                Kind::Truth(true) if right == one && one != other => has_true = true,
                Kind::Truth(false) if right == other && one != other => has_false = true,
                _ => has_more = true,
            }
        }
        if has_true && has_false && !has_more {
            meanings.insert(function, Op::If);
        }
    }
    meanings
}

fn var(expr: &Expr) -> Option<VarIx> {
    match *expr.kind {
        Kind::Var(var) => Some(var),
        _ => None,
    }
}
