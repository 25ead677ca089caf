//! Simpler expressions: what can be known of one without the values of its variables.

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::BigInt;

use crate::compile::Builder;
use crate::{Data, Evaluator, Expr, FunKind, Kind, Op, SortIx, Term, VarPlaces};

/// Steps that a part without variables is given.
const STEPS: u64 = 100_000;

impl Data {
    /// An expression with the same value, simpler if one is found: parts without variables are evaluated, and
    /// what truth values, constructors and projections say is used.
    pub fn simplify(&self, expr: &Expr) -> Expr {
        Simplifier { data: self, evaluator: self.brief_evaluator(), done: HashMap::new() }.of(expr)
    }
}

struct Simplifier<'d> {
    data: &'d Data,
    evaluator: Evaluator<'d>,
    /// Shared parts, with the originals so that they stay where they are.
    done: HashMap<*const Kind, (Expr, Expr)>,
}

impl Simplifier<'_> {
    fn of(&mut self, expr: &Expr) -> Expr {
        let at = Arc::as_ptr(&expr.kind);
        if let Some((_, done)) = self.done.get(&at) {
            return done.clone();
        }
        let simpler = expr.map_parts(|part| self.of(part));
        let simpler = self.once(&simpler).unwrap_or(simpler);
        if Arc::strong_count(&expr.kind) > 1 {
            self.done.insert(at, (expr.clone(), simpler.clone()));
        }
        simpler
    }

    /// The term that an expression is without evaluation.
    fn value(&mut self, expr: &Expr) -> Option<u32> {
        Builder::new(self.data, &mut self.evaluator.recent).constant(expr)
    }

    /// One step at the top of an expression whose parts are simple.
    fn once(&mut self, expr: &Expr) -> Option<Expr> {
        match &*expr.kind {
            Kind::Op(op, parts) => self.op(*op, parts, expr).or_else(|| self.ground(parts, expr)),
            Kind::Call(function, parts) => {
                let data = self.data;
                if let [part] = &parts[..]
                    && let Kind::Call(constructor, inner) = &*part.kind
                    && data.positions[constructor.ix()] != u32::MAX
                    && !data.arities(*constructor).has_rules(inner.len())
                    && !data.arities(*function).has_rules(1)
                {
                    match &data.spec.functions[function.ix()].kind {
                        FunKind::Projection(of) => {
                            if let Some((_, at)) = of.iter().find(|(known, _)| known == constructor) {
                                return Some(inner[*at].clone());
                            }
                        }
                        FunKind::Recogniser(of) => return Some(Expr::truth(of == constructor)),
                        _ => {}
                    }
                }
                self.ground(parts, expr)
            }
            Kind::Forall(_, body) | Kind::Exists(_, body) => match &*body.kind {
                Kind::Truth(value) => Some(Expr::truth(*value)),
                _ => None,
            },
            Kind::Where(body, bound) => {
                let simple = |expr: &Expr| {
                    let kind = &*expr.kind;
                    matches!(kind, Kind::Var(_) | Kind::Number(_) | Kind::Truth(_))
                        || matches!(kind, Kind::Call(_, parts) if parts.is_empty())
                };
                (bound.iter().all(|(_, value)| simple(value))).then(|| {
                    let by: HashMap<_, _> = bound.iter().map(|(var, value)| (*var, value.clone())).collect();
                    let replaced = body.substitute(&by);
                    self.of(&replaced)
                })
            }
            _ => None,
        }
    }

    fn op(&mut self, op: Op, parts: &[Expr], expr: &Expr) -> Option<Expr> {
        let truth = |expr: &Expr| match &*expr.kind {
            Kind::Truth(value) => Some(*value),
            _ => None,
        };
        let not = |expr: &Expr| Expr::op(Op::Not, vec![expr.clone()], SortIx::BOOL);
        match (op, parts) {
            (Op::Not, [part]) => match &*part.kind {
                Kind::Truth(value) => Some(Expr::truth(!value)),
                Kind::Op(Op::Not, inner) => Some(inner[0].clone()),
                _ => None,
            },
            (Op::And, [one, other]) => match (truth(one), truth(other)) {
                (Some(false), _) | (_, Some(false)) => Some(Expr::truth(false)),
                (Some(true), _) => Some(other.clone()),
                (_, Some(true)) => Some(one.clone()),
                _ => (one == other).then(|| one.clone()),
            },
            (Op::Or, [one, other]) => match (truth(one), truth(other)) {
                (Some(true), _) | (_, Some(true)) => Some(Expr::truth(true)),
                (Some(false), _) => Some(other.clone()),
                (_, Some(false)) => Some(one.clone()),
                _ => (one == other).then(|| one.clone()),
            },
            (Op::Implies, [one, other]) => match (truth(one), truth(other)) {
                (Some(false), _) | (_, Some(true)) => Some(Expr::truth(true)),
                (Some(true), _) => Some(other.clone()),
                (_, Some(false)) => {
                    self.op(Op::Not, std::slice::from_ref(one), &not(one)).or_else(|| Some(not(one)))
                }
                _ => (one == other).then(|| Expr::truth(true)),
            },
            (Op::If, [condition, then, otherwise]) => match truth(condition) {
                Some(true) => Some(then.clone()),
                Some(false) => Some(otherwise.clone()),
                None if then == otherwise => Some(then.clone()),
                None if truth(then) == Some(true) && truth(otherwise) == Some(false) => {
                    Some(condition.clone())
                }
                None => None,
            },
            (Op::Equal | Op::LessEqual | Op::GreaterEqual, [one, other]) if one == other => {
                Some(Expr::truth(true))
            }
            (Op::NotEqual | Op::Less | Op::Greater, [one, other]) if one == other => Some(Expr::truth(false)),
            (Op::Equal | Op::NotEqual, [one, other]) => {
                let equal = self.equality(one, other)?;
                Some(if op == Op::Equal { equal } else { self.of(&not(&equal)) })
            }
            (Op::Number, [part]) => match &*part.kind {
                Kind::Number(value) => {
                    let least = match expr.sort {
                        SortIx::POS => Some(1),
                        SortIx::NAT => Some(0),
                        _ => None,
                    };
                    let fits = least.is_none_or(|least| *value >= BigInt::from(least));
                    fits.then(|| Expr::new(Kind::Number(value.clone()), expr.sort))
                }
                // There and back: Int2Nat(Nat2Int(n)).
                Kind::Op(Op::Number, inner) if inner[0].sort == expr.sort && part.sort > expr.sort => {
                    Some(inner[0].clone())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What the equality of two comes to, where it tells.
    fn equality(&mut self, one: &Expr, other: &Expr) -> Option<Expr> {
        let data = self.data;
        if !data.plain[one.sort.ix()] {
            return None;
        }
        if one.sort == SortIx::BOOL {
            for (one, other) in [(one, other), (other, one)] {
                match &*one.kind {
                    Kind::Truth(true) => return Some(other.clone()),
                    Kind::Truth(false) => {
                        return Some(self.of(&Expr::op(Op::Not, vec![other.clone()], SortIx::BOOL)));
                    }
                    _ => {}
                }
            }
        }
        let (Kind::Call(constructor, parts), Kind::Call(constructor2, parts2)) = (&*one.kind, &*other.kind)
        else {
            return None;
        };
        let free = |function: &crate::FunIx, count: usize| {
            data.positions[function.ix()] != u32::MAX && !data.arities(*function).has_rules(count)
        };
        if !free(constructor, parts.len()) || !free(constructor2, parts2.len()) {
            return None;
        }
        if constructor != constructor2 {
            return Some(Expr::truth(false));
        }
        let mut all = Expr::truth(true);
        for (one, other) in parts.iter().zip(parts2) {
            let equal = Expr::op(Op::Equal, vec![one.clone(), other.clone()], SortIx::BOOL);
            let equal = self.once(&equal).unwrap_or(equal);
            let both = Expr::op(Op::And, vec![all, equal], SortIx::BOOL);
            all = self.once(&both).unwrap_or(both);
        }
        Some(all)
    }

    /// The value of a function whose arguments are values.
    fn ground(&mut self, parts: &[Expr], expr: &Expr) -> Option<Expr> {
        if !parts.iter().all(|part| self.value(part).is_some()) {
            return None;
        }
        if let Some(value) = self.value(expr) {
            // It is one already, unless it is a function without arguments that has one.
            return match &*expr.kind {
                Kind::Call(function, parts)
                    if parts.is_empty() && self.data.positions[function.ix()] == u32::MAX =>
                {
                    self.data.express(Term(value), expr.sort)
                }
                _ => None,
            };
        }
        let code = self.data.compile(expr, &VarPlaces::new()).ok()?;
        let value = self.evaluator.eval_within(&code, STEPS).ok()?;
        self.data.express(value, expr.sort)
    }
}
