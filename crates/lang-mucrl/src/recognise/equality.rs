//! Equality of values, defined by cases of their constructors:
//!
//! ```text
//! eq(0, 0) = T    eq(0, S(n)) = F    eq(S(n), 0) = F    eq(S(n), S(m)) = eq(n, m)
//! ```
//!
//! All functions of that shape are taken for equalities at first, and one that is none if the others are is
//! struck out, until nothing changes. What is left is right, by induction on the size of values: each
//! equation leads to parts of the values it was given.

use std::collections::HashSet;

use terms::{DataSpec, Expr, FunIx, Kind, Op, Sort, SortIx, VarIx};

use super::{Equations, Meanings, mappings};

/// The functions that are equality.
pub(super) fn meanings(data: &DataSpec, equations: &Equations<'_>, truths: &Meanings) -> Meanings {
    let mut left: HashSet<FunIx> = mappings(data)
        .filter(|(_, f)| is_shaped(data, equations, &f.arguments, f.result))
        .map(|(f, _)| f)
        .collect();
    loop {
        let cases = Cases { data, equations, truths, equalities: &left };
        let kept: HashSet<FunIx> =
            left.iter().copied().filter(|&function| cases.is_equality(function)).collect();
        if kept.len() == left.len() {
            break;
        }
        left = kept;
    }
    left.into_iter().map(|function| (function, Op::Equal)).collect()
}

/// A function of two values of a sort, all of whose values are made by constructors that no equation changes.
fn is_shaped(data: &DataSpec, equations: &Equations<'_>, arguments: &[SortIx], result: SortIx) -> bool {
    let [one, other] = *arguments else { return false };
    one == other
        && result == SortIx::BOOL
        && matches!(data.sorts.get(one), Sort::User(_))
        && data.constructors(one).next().is_some()
        && data.constructors(one).all(|constructor| !equations.has(constructor))
}

struct Cases<'d> {
    data: &'d DataSpec,
    equations: &'d Equations<'d>,
    truths: &'d Meanings,
    equalities: &'d HashSet<FunIx>,
}

/// What a variable of a pattern stands for: which of the two values, and all of it or one of its parts.
type Place = (usize, Option<usize>);

/// How a pattern fits two values of which only the constructors are known.
enum Fit {
    /// It fits all of them.
    Always(Vec<(VarIx, Place)>),
    /// It fits where some parts are equal.
    IfEqual,
    Never,
    /// It depends on what the parts are.
    Unknown,
}

impl Cases<'_> {
    fn is_equality(&self, function: FunIx) -> bool {
        let sort = self.data.functions[function.ix()].arguments[0];
        self.data
            .constructors(sort)
            .all(|one| self.data.constructors(sort).all(|other| self.case(function, one, other)))
    }

    /// Whether all equations for values by these constructors say what equality says, and one of them always
    /// does.
    fn case(&self, function: FunIx, one: FunIx, other: FunIx) -> bool {
        let mut is_said = false;
        for (patterns, equation) in self.equations.of(function) {
            let right = &equation.right;
            match fit(patterns, [one, other]) {
                Fit::Never => {}
                Fit::Unknown => return false,
                Fit::IfEqual => {
                    // eq(x, x) = T; for a constant that is all there is to say.
                    if !is_truth(right, true) {
                        return false;
                    }
                    is_said |= one == other && self.data.functions[one.ix()].arguments.is_empty();
                }
                Fit::Always(binding) => {
                    let is_right = if one == other {
                        self.all_parts(one, right, &binding)
                    } else {
                        is_truth(right, false)
                    };
                    if !is_right {
                        return false;
                    }
                    is_said = true;
                }
            }
        }
        is_said
    }

    /// Whether an expression says that all parts of two values by a constructor are equal, each to its like.
    fn all_parts(&self, constructor: FunIx, expr: &Expr, binding: &[(VarIx, Place)]) -> bool {
        let mut compared = vec![false; self.data.functions[constructor.ix()].arguments.len()];
        let mut conjuncts = vec![expr];
        while let Some(conjunct) = conjuncts.pop() {
            match &*conjunct.kind {
                Kind::Truth(true) => {}
                Kind::Call(function, arguments) if self.truths.get(function) == Some(&Op::And) => {
                    conjuncts.extend(arguments.iter());
                }
                Kind::Call(function, arguments) if self.is_taken_for_equality(*function) => {
                    let places: Vec<Option<Place>> =
                        arguments.iter().map(|part| place(part, binding)).collect();
                    match places[..] {
                        [Some((0, Some(one))), Some((1, Some(other)))]
                        | [Some((1, Some(one))), Some((0, Some(other)))]
                            if one == other =>
                        {
                            compared[one] = true;
                        }
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
        compared.into_iter().all(|is_compared| is_compared)
    }

    fn is_taken_for_equality(&self, function: FunIx) -> bool {
        self.equalities.contains(&function) || self.truths.get(&function) == Some(&Op::Equal)
    }
}

fn is_truth(expr: &Expr, value: bool) -> bool {
    matches!(*expr.kind, Kind::Truth(found) if found == value)
}

fn place(expr: &Expr, binding: &[(VarIx, Place)]) -> Option<Place> {
    let Kind::Var(var) = *expr.kind else { return None };
    binding.iter().find(|(bound, _)| *bound == var).map(|&(_, place)| place)
}

fn fit(patterns: &[Expr], constructors: [FunIx; 2]) -> Fit {
    let mut binding: Vec<(VarIx, Place)> = Vec::new();
    let (mut is_unknown, mut is_twice) = (false, false);
    let mut bind = |var: VarIx, place: Place| {
        is_twice |= binding.iter().any(|(bound, _)| *bound == var);
        binding.push((var, place));
    };
    for (side, (pattern, constructor)) in patterns.iter().zip(constructors).enumerate() {
        match &*pattern.kind {
            Kind::Var(var) => bind(*var, (side, None)),
            Kind::Call(function, _) if *function != constructor => return Fit::Never,
            Kind::Call(_, parts) => {
                for (at, part) in parts.iter().enumerate() {
                    match *part.kind {
                        Kind::Var(var) => bind(var, (side, Some(at))),
                        _ => is_unknown = true,
                    }
                }
            }
            _ => return Fit::Unknown,
        }
    }
    // eq(x, x) for values by one constructor and another never fits, and what it would say does not matter.
    match (is_unknown, is_twice) {
        (true, _) => Fit::Unknown,
        (false, false) => Fit::Always(binding),
        (false, true) if binding.len() == 2 && binding.iter().all(|(_, place)| place.1.is_none()) => {
            if constructors[0] == constructors[1] {
                Fit::IfEqual
            } else {
                Fit::Never
            }
        }
        (false, true) => Fit::Unknown,
    }
}
