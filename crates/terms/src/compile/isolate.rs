//! What a condition says of one variable: its value, or bounds of it.
//!
//! The variable is brought to one side: `x + 2 == y` says that x is `y - 2`, and `3 < 5 - x` says that x is
//! less than `5 - 3`. Where that loses something (a product, a maximum) the condition must be asked all the
//! same; the answer is not `exact` then. In `c(x, z) == y` the value of x is a part of the value of y, given
//! by the way to it ([`Selector`]).

use std::collections::BTreeSet;

use num_bigint::BigInt;

use crate::code::Selector;
use crate::{Data, Expr, FunKind, Kind, Op, SortIx, VarIx};

/// x is this part of the value of an expression.
#[derive(Debug)]
pub(crate) struct Point {
    pub(crate) value: Expr,
    pub(crate) inside: Vec<Selector>,
    /// The condition holds for this value; otherwise it is still to be asked.
    pub(crate) exact: bool,
}

/// x is at most, or at least, the value of an expression; less or greater if `strict`.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) value: Expr,
    pub(crate) upper: bool,
    pub(crate) strict: bool,
    /// The condition says no more than this.
    pub(crate) exact: bool,
}

/// Splits a condition, or the negation of it, into parts that must all be true.
pub(crate) fn conjuncts(expr: &Expr, negated: bool, to: &mut Vec<Expr>) {
    match (&*expr.kind, negated) {
        (Kind::Op(Op::Not, parts), _) => conjuncts(&parts[0], !negated, to),
        (Kind::Op(Op::And, parts), false) | (Kind::Op(Op::Or, parts), true) => {
            parts.iter().for_each(|part| conjuncts(part, negated, to));
        }
        (Kind::Op(Op::Implies, parts), true) => {
            conjuncts(&parts[0], false, to);
            conjuncts(&parts[1], true, to);
        }
        (Kind::Truth(value), _) if *value != negated => {}
        (Kind::Op(op, parts), true) if opposite(*op, parts[0].sort).is_some() => {
            let op = opposite(*op, parts[0].sort).unwrap_or(*op);
            to.push(Expr::op(op, parts.clone(), SortIx::BOOL));
        }
        (_, false) => to.push(expr.clone()),
        (_, true) => to.push(Expr::op(Op::Not, vec![expr.clone()], SortIx::BOOL)),
    }
}

/// What the negation of a comparison is, where it is one: the order of sets is not total.
fn opposite(op: Op, sort: SortIx) -> Option<Op> {
    match op {
        Op::Equal => Some(Op::NotEqual),
        Op::NotEqual => Some(Op::Equal),
        Op::Less if sort.is_number() => Some(Op::GreaterEqual),
        Op::LessEqual if sort.is_number() => Some(Op::Greater),
        Op::Greater if sort.is_number() => Some(Op::LessEqual),
        Op::GreaterEqual if sort.is_number() => Some(Op::Less),
        _ => None,
    }
}

/// Knows which variables have a value.
pub(crate) struct Isolator<'i> {
    pub(crate) data: &'i Data,
    /// Those that have none yet.
    pub(crate) unbound: &'i BTreeSet<VarIx>,
}

impl Isolator<'_> {
    fn is_known(&self, expr: &Expr) -> bool {
        expr.free().is_disjoint(self.unbound)
    }

    /// The value of x by a condition, if it says one.
    pub(crate) fn point(&self, x: VarIx, condition: &Expr) -> Option<Point> {
        let truth = |value: bool| Point { value: Expr::truth(value), inside: Vec::new(), exact: true };
        match &*condition.kind {
            Kind::Var(var) if *var == x => Some(truth(true)),
            Kind::Op(Op::Not, parts) if matches!(&*parts[0].kind, Kind::Var(var) if *var == x) => {
                Some(truth(false))
            }
            Kind::Op(Op::Equal, parts) => {
                let (one, other) = (&parts[0], &parts[1]);
                (self.is_known(other).then(|| self.solve(x, one, other.clone())).flatten())
                    .or_else(|| self.is_known(one).then(|| self.solve(x, other, one.clone())).flatten())
            }
            _ => None,
        }
    }

    /// x from `side` == `value`.
    fn solve(&self, x: VarIx, side: &Expr, value: Expr) -> Option<Point> {
        match &*side.kind {
            Kind::Var(var) if *var == x => Some(Point { value, inside: Vec::new(), exact: true }),
            Kind::Op(Op::Number, parts) if parts[0].sort <= side.sort => self.solve(x, &parts[0], value),
            Kind::Op(Op::Plus, parts) if side.sort.is_number() => {
                let (one, other) = (&parts[0], &parts[1]);
                match (self.is_known(one), self.is_known(other)) {
                    (false, true) => self.solve(x, one, minus(value, other.clone())),
                    (true, false) => self.solve(x, other, minus(value, one.clone())),
                    _ => None,
                }
            }
            Kind::Op(Op::Minus, parts) if side.sort.is_number() => {
                let (one, other) = (&parts[0], &parts[1]);
                match (self.is_known(one), self.is_known(other)) {
                    (false, true) => self.solve(x, one, plus(value, other.clone())),
                    (true, false) => self.solve(x, other, minus(one.clone(), value)),
                    _ => None,
                }
            }
            Kind::Op(Op::Succ, parts) => self.solve(x, &parts[0], minus(value, number(1))),
            Kind::Op(Op::Pred, parts) => self.solve(x, &parts[0], plus(value, number(1))),
            Kind::Op(Op::Cons, parts) => parts.iter().enumerate().find_map(|(at, part)| {
                self.is_var(x, part).then(|| Point {
                    value: value.clone(),
                    inside: vec![Selector::List(at)],
                    exact: false,
                })
            }),
            Kind::Call(function, parts) => {
                let free = self.data.spec.functions[function.ix()].kind == FunKind::Constructor
                    && !self.data.arities(*function).has_rules(parts.len())
                    && self.data.plain[side.sort.ix()];
                let at = parts.iter().position(|part| self.is_var(x, part)).filter(|_| free)?;
                Some(Point { value, inside: vec![Selector::Argument(*function, at)], exact: false })
            }
            _ => None,
        }
    }

    fn is_var(&self, x: VarIx, expr: &Expr) -> bool {
        matches!(&*expr.kind, Kind::Var(var) if *var == x)
    }

    /// Bounds of the number x by a condition.
    pub(crate) fn bounds(&self, x: VarIx, condition: &Expr) -> Vec<Bound> {
        let Kind::Op(op, parts) = &*condition.kind else { return Vec::new() };
        let (Some(one), Some(other)) = (parts.first(), parts.get(1)) else { return Vec::new() };
        if !one.sort.is_number() {
            return Vec::new();
        }
        // Upper bounds of the first, and whether strict; lower bounds likewise.
        let (upper, lower) = match op {
            Op::Equal => (Some(false), Some(false)),
            Op::Less => (Some(true), None),
            Op::LessEqual => (Some(false), None),
            Op::Greater => (None, Some(true)),
            Op::GreaterEqual => (None, Some(false)),
            _ => return Vec::new(),
        };
        let mut found = Vec::new();
        let both = [(true, upper), (false, lower)];
        for (upper, strict) in
            both.into_iter().filter_map(|(upper, strict)| strict.map(|strict| (upper, strict)))
        {
            for (side, value, upper) in [(one, other, upper), (other, one, !upper)] {
                if self.is_known(value) && !self.is_known(side) {
                    let exact = *op != Op::Equal;
                    found.extend(self.bound(x, side, Bound { value: value.clone(), upper, strict, exact }));
                }
            }
        }
        found
    }

    /// A bound of x from a bound of something with x in it.
    fn bound(&self, x: VarIx, side: &Expr, bound: Bound) -> Option<Bound> {
        let with = |value: Expr, bound: Bound| Bound { value, ..bound };
        let natural = |expr: &Expr| expr.sort <= SortIx::NAT && expr.sort.is_number();
        match &*side.kind {
            Kind::Var(var) => (*var == x).then_some(bound),
            Kind::Op(Op::Number, parts) if parts[0].sort <= side.sort => self.bound(x, &parts[0], bound),
            Kind::Op(Op::Plus, parts) => {
                let (one, other) = (&parts[0], &parts[1]);
                match (self.is_known(one), self.is_known(other)) {
                    (false, true) => {
                        self.bound(x, one, with(minus(bound.value.clone(), other.clone()), bound))
                    }
                    (true, false) => {
                        self.bound(x, other, with(minus(bound.value.clone(), one.clone()), bound))
                    }
                    // A sum of numbers that are not negative is not less than any of them.
                    (false, false) if bound.upper => {
                        let weaker = |value: &Expr| Bound { value: value.clone(), exact: false, ..bound };
                        let of = |part: &Expr, rest: &Expr| {
                            is_natural(rest).then(|| self.bound(x, part, weaker(&bound.value))).flatten()
                        };
                        of(one, other).or_else(|| of(other, one))
                    }
                    _ => None,
                }
            }
            Kind::Op(Op::Minus, parts) => {
                let (one, other) = (&parts[0], &parts[1]);
                match (self.is_known(one), self.is_known(other)) {
                    (false, true) => {
                        self.bound(x, one, with(plus(bound.value.clone(), other.clone()), bound))
                    }
                    (true, false) => {
                        let value = minus(one.clone(), bound.value.clone());
                        self.bound(x, other, Bound { value, upper: !bound.upper, ..bound })
                    }
                    _ => None,
                }
            }
            Kind::Op(Op::Succ, parts) => {
                self.bound(x, &parts[0], with(minus(bound.value.clone(), number(1)), bound))
            }
            Kind::Op(Op::Pred, parts) => {
                self.bound(x, &parts[0], with(plus(bound.value.clone(), number(1)), bound))
            }
            Kind::Op(Op::Times, parts) if bound.upper && parts.iter().all(natural) => {
                let (one, other) = (&parts[0], &parts[1]);
                let weaker = |value: &Expr| Bound { value: value.clone(), exact: false, ..bound };
                let of = |part: &Expr, rest: &Expr| {
                    (part == rest || is_positive(rest))
                        .then(|| self.bound(x, part, weaker(&bound.value)))
                        .flatten()
                };
                of(one, other).or_else(|| of(other, one))
            }
            Kind::Op(Op::Max, parts) if bound.upper => parts.iter().find_map(|part| {
                self.bound(x, part, Bound { value: bound.value.clone(), exact: false, ..bound })
            }),
            Kind::Op(Op::Min, parts) if !bound.upper => parts.iter().find_map(|part| {
                self.bound(x, part, Bound { value: bound.value.clone(), exact: false, ..bound })
            }),
            _ => None,
        }
    }
}

/// The number of a narrower sort that this is made from, if it is.
fn narrower(expr: &Expr) -> Option<&Expr> {
    match &*expr.kind {
        Kind::Op(Op::Number, parts) if parts[0].sort <= expr.sort => Some(&parts[0]),
        _ => None,
    }
}

/// Whether a number cannot be negative, by its sort or that of what it is made from.
fn is_natural(expr: &Expr) -> bool {
    let by_sort = expr.sort.is_number() && expr.sort <= SortIx::NAT;
    by_sort || narrower(expr).is_some_and(is_natural)
}

fn is_positive(expr: &Expr) -> bool {
    expr.sort == SortIx::POS || narrower(expr).is_some_and(is_positive)
}

fn number(value: i32) -> Expr {
    Expr::new(Kind::Number(BigInt::from(value)), SortIx::INT)
}

/// The same number, of a sort that has negative ones.
fn signed(expr: Expr, sort: SortIx) -> Expr {
    if expr.sort == sort { expr } else { Expr::op(Op::Number, vec![expr], sort) }
}

fn minus(one: Expr, other: Expr) -> Expr {
    let sort = one.sort.max(other.sort).max(SortIx::INT);
    Expr::op(Op::Minus, vec![signed(one, sort), signed(other, sort)], sort)
}

fn plus(one: Expr, other: Expr) -> Expr {
    let sort = one.sort.max(other.sort).max(SortIx::INT);
    Expr::op(Op::Plus, vec![signed(one, sort), signed(other, sort)], sort)
}
