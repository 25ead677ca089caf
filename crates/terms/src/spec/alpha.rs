//! Lambdas and quantifiers that differ only in the names of their variables have the same code: their
//! variables are numbered in the order in which they come.

use std::collections::HashMap;

use super::{Expr, Kind, VarIx};

/// The variables that an expression needs from outside, in the order in which they first stand in it.
pub(crate) fn outside(expr: &Expr) -> Box<[VarIx]> {
    let free = expr.free();
    let mut found = Vec::with_capacity(free.len());
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop()
        && found.len() < free.len()
    {
        if let Kind::Var(var) = &*expr.kind
            && free.contains(var)
            && !found.contains(var)
        {
            found.push(*var);
        }
        let from = todo.len();
        expr.kind.for_each_part(|part| todo.push(part));
        todo[from..].reverse();
    }
    found.into()
}

/// The same expression with its variables numbered as they come: those from outside first, then the bound
/// ones. Two are alike if they differ only in which variables they have.
pub(crate) fn numbered(expr: &Expr, outside: &[VarIx]) -> Expr {
    let names = outside.iter().copied().zip((0..).map(VarIx)).collect();
    Numbering { names, next: outside.len() as u32 }.of(expr)
}

struct Numbering {
    names: HashMap<VarIx, VarIx>,
    next: u32,
}

impl Numbering {
    fn name(&mut self, var: VarIx) -> VarIx {
        let name = VarIx(self.next);
        self.next += 1;
        self.names.insert(var, name);
        name
    }

    fn of(&mut self, expr: &Expr) -> Expr {
        let mut names = |vars: &[VarIx]| -> Box<[VarIx]> { vars.iter().map(|&var| self.name(var)).collect() };
        let kind = match &*expr.kind {
            Kind::Var(var) => Kind::Var(self.names.get(var).copied().unwrap_or(*var)),
            Kind::Lambda(vars, body) => Kind::Lambda(names(vars), self.of(body)),
            Kind::Forall(vars, body) => Kind::Forall(names(vars), self.of(body)),
            Kind::Exists(vars, body) => Kind::Exists(names(vars), self.of(body)),
            Kind::SetWhere(var, body) => Kind::SetWhere(self.name(*var), self.of(body)),
            Kind::BagWhere(var, body) => Kind::BagWhere(self.name(*var), self.of(body)),
            Kind::Where(body, bound) => {
                let values: Vec<Expr> = bound.iter().map(|(_, value)| self.of(value)).collect();
                let bound =
                    bound.iter().zip(values).map(|((var, _), value)| (self.name(*var), value)).collect();
                Kind::Where(self.of(body), bound)
            }
            _ => return expr.map_parts(|part| self.of(part)),
        };
        Expr::new(kind, expr.sort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, SortIx};

    #[test]
    fn only_the_pattern_of_variables_counts() {
        let var = |number: u32| Expr::var(VarIx(number), SortIx::NAT);
        let lambda = |bound: u32, one: u32, other: u32| {
            let body = Expr::op(
                Op::Plus,
                [Expr::op(Op::Times, [var(bound), var(one)], SortIx::NAT), var(other)],
                SortIx::NAT,
            );
            Expr::new(Kind::Lambda(Box::new([VarIx(bound)]), body), SortIx(9))
        };
        let key = |expr: &Expr| numbered(expr, &outside(expr));
        assert_eq!(*outside(&lambda(7, 5, 3)), [VarIx(5), VarIx(3)]);
        assert_eq!(key(&lambda(7, 5, 3)), key(&lambda(1, 2, 4)));
        assert_ne!(key(&lambda(7, 5, 3)), key(&lambda(1, 2, 2)));
        assert_ne!(key(&lambda(7, 7, 3)), key(&lambda(1, 2, 4)));
        let minus = |one: u32, other: u32| {
            let body = Expr::op(Op::Minus, [var(one), var(other)], SortIx::INT);
            Expr::new(Kind::Lambda(Box::new([VarIx(1), VarIx(2)]), body), SortIx(9))
        };
        assert_ne!(key(&minus(1, 2)), key(&minus(2, 1)));
    }
}
