//! The machine against rewriting by the book: terms as trees, the first equation of the text that matches,
//! innermost.

mod common;

use base::SplitMix64;
use std::collections::HashMap;

use common::{Spec, op, seeded};
use terms::{Data, DataSpec, Expr, FunIx, FunKind, Kind, Op, SortIx, VarIx};

type Binding = HashMap<VarIx, Expr>;

fn matches(pattern: &Expr, term: &Expr, bound: &mut Binding) -> bool {
    match (&*pattern.kind, &*term.kind) {
        (Kind::Var(var), _) => match bound.get(var) {
            Some(known) => known == term,
            None => {
                bound.insert(*var, term.clone());
                true
            }
        },
        (Kind::Call(f, parts), Kind::Call(g, given)) => {
            f == g && parts.iter().zip(given).all(|(part, given)| matches(part, given, bound))
        }
        (Kind::Truth(one), Kind::Truth(other)) => one == other,
        _ => false,
    }
}

/// The normal form; `None` after too many steps.
fn normal(spec: &DataSpec, expr: &Expr, steps: &mut u32) -> Option<Expr> {
    *steps = steps.checked_sub(1)?;
    match &*expr.kind {
        Kind::Op(Op::If, parts) => {
            let condition = normal(spec, &parts[0], steps)?;
            match &*condition.kind {
                Kind::Truth(true) => normal(spec, &parts[1], steps),
                Kind::Truth(false) => normal(spec, &parts[2], steps),
                _ => {
                    let (one, other) = (normal(spec, &parts[1], steps)?, normal(spec, &parts[2], steps)?);
                    Some(if one == other {
                        one
                    } else {
                        Expr::op(Op::If, vec![condition, one, other], expr.sort)
                    })
                }
            }
        }
        Kind::Op(Op::And, parts) => {
            let one = normal(spec, &parts[0], steps)?;
            if matches!(&*one.kind, Kind::Truth(false)) {
                return Some(one);
            }
            let other = normal(spec, &parts[1], steps)?;
            Some(match (&*one.kind, &*other.kind) {
                (Kind::Truth(true), _) => other,
                (_, Kind::Truth(false)) => other,
                (_, Kind::Truth(true)) => one,
                _ if one == other => one,
                _ => Expr::op(Op::And, vec![one, other], expr.sort),
            })
        }
        Kind::Op(Op::Or, parts) => {
            let one = normal(spec, &parts[0], steps)?;
            if matches!(&*one.kind, Kind::Truth(true)) {
                return Some(one);
            }
            let other = normal(spec, &parts[1], steps)?;
            Some(match (&*one.kind, &*other.kind) {
                (Kind::Truth(false), _) => other,
                (_, Kind::Truth(true)) => other,
                (_, Kind::Truth(false)) => one,
                _ if one == other => one,
                _ => Expr::op(Op::Or, vec![one, other], expr.sort),
            })
        }
        Kind::Op(Op::Not, parts) => {
            let part = normal(spec, &parts[0], steps)?;
            Some(match &*part.kind {
                Kind::Truth(value) => Expr::truth(!value),
                _ => Expr::op(Op::Not, vec![part], expr.sort),
            })
        }
        Kind::Op(Op::Equal, parts) => {
            let (one, other) = (normal(spec, &parts[0], steps)?, normal(spec, &parts[1], steps)?);
            Some(match equal(spec, &one, &other) {
                Some(value) => Expr::truth(value),
                None => Expr::op(Op::Equal, vec![one, other], expr.sort),
            })
        }
        Kind::Call(function, parts) => {
            let parts: Option<Box<[Expr]>> = parts.iter().map(|part| normal(spec, part, steps)).collect();
            let term = Expr::new(Kind::Call(*function, parts?), expr.sort);
            for equation in &spec.equations {
                let mut bound = Binding::new();
                if !matches(&equation.left, &term, &mut bound) {
                    continue;
                }
                if let Some(condition) = &equation.condition {
                    let condition = normal(spec, &condition.substitute(&bound), steps)?;
                    if !matches!(&*condition.kind, Kind::Truth(true)) {
                        continue;
                    }
                }
                return normal(spec, &equation.right.substitute(&bound), steps);
            }
            Some(term)
        }
        _ => Some(expr.clone()),
    }
}

fn equal(spec: &DataSpec, one: &Expr, other: &Expr) -> Option<bool> {
    if one == other {
        return Some(true);
    }
    match (&*one.kind, &*other.kind) {
        (Kind::Truth(_), Kind::Truth(_)) => Some(false),
        (Kind::Call(f, parts), Kind::Call(g, parts2)) => {
            let constructor = |f: &FunIx| spec.functions[f.ix()].kind == FunKind::Constructor;
            if !constructor(f) || !constructor(g) {
                return None;
            }
            if f != g {
                return Some(false);
            }
            let parts: Vec<Option<bool>> =
                parts.iter().zip(parts2).map(|(one, other)| equal(spec, one, other)).collect();
            match () {
                () if parts.contains(&Some(false)) => Some(false),
                () if parts.iter().all(|part| *part == Some(true)) => Some(true),
                () => None,
            }
        }
        _ => None,
    }
}

/// A sort with three constructors, and a few functions with random equations.
struct World {
    spec: Spec,
    sort: SortIx,
    constructors: Vec<FunIx>,
    maps: Vec<FunIx>,
}

impl World {
    fn new(random: &mut SplitMix64) -> Self {
        let mut spec = Spec::default();
        let sort = spec.sort("S");
        let constructors = vec![
            spec.cons("a", &[], sort),
            spec.cons("s", &[sort], sort),
            spec.cons("p", &[sort, sort], sort),
        ];
        let maps =
            (0..3).map(|at| spec.map(&format!("f{at}"), &vec![sort; at + 1], sort)).collect::<Vec<_>>();
        let mut world = Self { spec, sort, constructors, maps };
        for at in 0..3 {
            for rule in 0..1 + random.below(5) {
                let mut vars = Vec::new();
                let parts: Vec<Expr> = (0..=at).map(|_| world.pattern(random, &mut vars, 2, rule)).collect();
                let left = world.spec.call(world.maps[at], &parts.iter().collect::<Vec<_>>());
                let bound: Vec<Expr> = (left.free().into_iter()).map(|var| Expr::var(var, sort)).collect();
                let right = world.expr(random, &bound, 2);
                let condition = (random.below(3) == 0).then(|| world.truth(random, &bound, 1));
                world.spec.eq_if(condition.as_ref(), &left, &right);
                // Often what holds otherwise comes next.
                if let Some(condition) = condition
                    && random.below(2) == 0
                {
                    let right = world.expr(random, &bound, 2);
                    let negation = op(Op::Not, &[&condition], SortIx::BOOL);
                    world.spec.eq_if(Some(&negation), &left, &right);
                }
            }
        }
        world
    }

    fn pattern(&mut self, random: &mut SplitMix64, vars: &mut Vec<Expr>, depth: u32, rule: usize) -> Expr {
        match random.below(if depth == 0 { 3 } else { 7 }) {
            // The same variable again, now and then.
            0 if !vars.is_empty() && random.below(3) == 0 => vars[random.below(vars.len())].clone(),
            0..2 => {
                let (_, var) = self.spec.var(&format!("x{rule}_{}", vars.len()), self.sort);
                vars.push(var.clone());
                var
            }
            2 => self.spec.call(self.constructors[0], &[]),
            3 | 4 => {
                let part = self.pattern(random, vars, depth - 1, rule);
                self.spec.call(self.constructors[1], &[&part])
            }
            5 => {
                let parts = [
                    self.pattern(random, vars, depth - 1, rule),
                    self.pattern(random, vars, depth - 1, rule),
                ];
                self.spec.call(self.constructors[2], &[&parts[0], &parts[1]])
            }
            // A function that does not reduce is matched as it is.
            _ => {
                let part = self.pattern(random, vars, depth - 1, rule);
                self.spec.call(self.maps[0], &[&part])
            }
        }
    }

    fn expr(&self, random: &mut SplitMix64, vars: &[Expr], depth: u32) -> Expr {
        let part = |random: &mut SplitMix64| self.expr(random, vars, depth - 1);
        match random.below(if depth == 0 { 3 } else { 10 }) {
            0 => self.spec.call(self.constructors[0], &[]),
            1 | 2 if !vars.is_empty() => vars[random.below(vars.len())].clone(),
            1 | 2 => self.spec.call(self.constructors[0], &[]),
            3 | 4 => self.spec.call(self.constructors[1], &[&part(random)]),
            5 => self.spec.call(self.constructors[2], &[&part(random), &part(random)]),
            6 => self.spec.call(self.maps[0], &[&part(random)]),
            7 => self.spec.call(self.maps[1], &[&part(random), &part(random)]),
            8 => self.spec.call(self.maps[2], &[&part(random), &part(random), &part(random)]),
            _ => op(Op::If, &[&self.truth(random, vars, depth - 1), &part(random), &part(random)], self.sort),
        }
    }

    fn truth(&self, random: &mut SplitMix64, vars: &[Expr], depth: u32) -> Expr {
        let compare = |random: &mut SplitMix64| {
            let (one, other) = (self.expr(random, vars, depth), self.expr(random, vars, depth));
            op(Op::Equal, &[&one, &other], SortIx::BOOL)
        };
        match random.below(5) {
            4 => op(Op::Or, &[&compare(random), &compare(random)], SortIx::BOOL),
            0 => op(Op::Not, &[&compare(random)], SortIx::BOOL),
            1 => op(Op::And, &[&compare(random), &compare(random)], SortIx::BOOL),
            _ => compare(random),
        }
    }
}

#[test]
fn random_specifications() {
    let mut random = seeded();
    let (mut compared, mut reduced) = (0, 0);
    for round in 0..500 {
        let world = World::new(&mut random);
        let exprs: Vec<Expr> = (0..8).map(|_| world.expr(&mut random, &[], 4)).collect();
        let plain = world.spec.0.clone();
        let data = Data::with_limits(world.spec.0, 20_000, 1 << 26).unwrap();
        for expr in &exprs {
            let Some(expected) = normal(&plain, expr, &mut 3_000) else { continue };
            let Ok(term) = data.evaluate(expr).unwrap() else { continue };
            compared += 1;
            reduced += usize::from(data.express(term, expr.sort).is_some());
            let shown = data.show(term, expr.sort);
            let equations = || -> Vec<String> {
                let condition =
                    |one: &Option<Expr>| one.as_ref().map_or(String::new(), |one| plain.show(one) + " -> ");
                let show = |one: &terms::Equation| {
                    format!(
                        "{}{} = {}",
                        condition(&one.condition),
                        plain.show(&one.left),
                        plain.show(&one.right)
                    )
                };
                plain.equations.iter().map(show).collect()
            };
            assert_eq!(
                shown,
                plain.show(&expected),
                "round {round}: {}\n{}",
                plain.show(expr),
                equations().join("\n")
            );
        }
    }
    assert!(compared > 1_500 && reduced > 600, "{compared} compared, {reduced} reduced");
}
