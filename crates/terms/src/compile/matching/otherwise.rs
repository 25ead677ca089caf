//! Pairs of conditions of which one holds wherever the other does not: `n == m` and `n != m`, `b` and `!b`.
//!
//! Specifications write "otherwise" like this. Where the condition of the first equation is false the second
//! one need not be evaluated.

use crate::{Expr, Kind, Op};

/// Whether one condition is the negation of the other, as far as it shows.
pub(crate) fn is_negation(one: &Expr, other: &Expr) -> bool {
    let of_not =
        |not: &Expr, plain: &Expr| matches!(&*not.kind, Kind::Op(Op::Not, parts) if parts[0] == *plain);
    if of_not(one, other) || of_not(other, one) {
        return true;
    }
    let (Some((op, a, b)), Some((op2, c, d))) = (comparison(one), comparison(other)) else { return false };
    let (straight, crossed) = (a == c && b == d, a == d && b == c);
    match (op, op2) {
        (Op::Equal, Op::NotEqual) | (Op::NotEqual, Op::Equal) => straight || crossed,
        // a < b and b <= a: only numbers are known to be ordered in full.
        (Op::Less, Op::LessEqual) | (Op::LessEqual, Op::Less) => crossed && a.sort.is_number(),
        _ => false,
    }
}

/// A comparison by `==`, `!=`, `<` or `<=`.
fn comparison(expr: &Expr) -> Option<(Op, &Expr, &Expr)> {
    let Kind::Op(op, parts) = &*expr.kind else { return None };
    match (op, &parts[..]) {
        (Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual, [one, other]) => Some((*op, one, other)),
        (Op::Greater, [one, other]) => Some((Op::Less, other, one)),
        (Op::GreaterEqual, [one, other]) => Some((Op::LessEqual, other, one)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Data, DataSpec, SortIx, Term, VarPlaces};

    /// Exhaustive over small numbers: what is said to be a negation is one.
    #[test]
    fn negations_are_negations() {
        let mut spec = DataSpec::default();
        let vars = [spec.variable("x", SortIx::INT), spec.variable("y", SortIx::INT)];
        let data = Data::new(spec).unwrap();
        let places: VarPlaces = vars.into_iter().collect();
        let var = |at: usize| Expr::var(vars[at], SortIx::INT);
        let mut conditions = Vec::new();
        for op in [Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual] {
            for (one, other) in [(0, 1), (1, 0)] {
                let plain = Expr::op(op, [var(one), var(other)], SortIx::BOOL);
                conditions.push(Expr::op(Op::Not, [plain.clone()], SortIx::BOOL));
                conditions.push(plain);
            }
        }
        let mut evaluator = data.evaluator();
        let mut holds = |expr: &Expr, x: u32, y: u32| {
            let code = data.compile(expr, &places).unwrap();
            evaluator.eval(&code, &[Term(x), Term(y)]).unwrap() == Term::TRUE
        };
        let mut found = 0;
        for one in &conditions {
            for other in &conditions {
                if is_negation(one, other) {
                    found += 1;
                    for (x, y) in [(0, 0), (0, 1), (1, 0)] {
                        assert_ne!(holds(one, x, y), holds(other, x, y), "{}", data.spec().show(one));
                    }
                }
            }
        }
        // Each plain one has its own `!` and, written both ways, the opposite comparison.
        assert_eq!(found, 12 * 2 + 12 * 2);
    }
}
