//! The values of finite sorts: functions of several arguments, and constructors that equations rewrite.

mod common;

use std::collections::HashSet;

use common::{BOOL, NAT, Spec, nat, op};
use terms::{EvalFault, Expr, Kind, Op, SortIx, Term, VarPlaces};

/// All values that a sum over one variable gives it, shown; or what went wrong.
fn solutions(spec: Spec, sort: SortIx, make: impl Fn(&Expr) -> Expr) -> Result<Vec<String>, EvalFault> {
    let mut spec = spec;
    let (x, var) = spec.var("x", sort);
    let condition = make(&var);
    let data = spec.data();
    let places: VarPlaces = [x].into_iter().collect();
    let sum = data.compile_sum(&[x], &[condition], &places).unwrap();
    let mut found = Vec::new();
    data.evaluator().solve(&sum, &mut [Term(0)], &mut |_, env| {
        found.push(data.show(env[0], sort));
        Ok(())
    })?;
    Ok(found)
}

#[test]
fn functions_of_three_truth_values() {
    let mut spec = Spec::default();
    let to = spec.function_sort(&[BOOL, BOOL, BOOL], BOOL);
    let (f, function) = spec.var("f", to);
    let apply = |bits: u32| {
        let bits = (0..3).map(|at| Expr::truth(bits >> at & 1 == 1)).collect();
        Expr::new(Kind::Apply(function.clone(), bits), BOOL)
    };
    let places: VarPlaces = [f].into_iter().collect();
    let data = spec.data();
    let functions = data.values(to).unwrap();
    assert_eq!((functions.len(), data.size(to)), (256, Some(256)));
    let codes: Vec<_> = (0..8).map(|bits| data.compile(&apply(bits), &places).unwrap()).collect();
    let mut evaluator = data.evaluator();
    let tables: HashSet<Vec<Term>> = functions
        .iter()
        .map(|&f| codes.iter().map(|code| evaluator.eval(code, &[f]).unwrap()).collect())
        .collect();
    assert_eq!(tables.len(), 256, "no two do the same");
    assert!(tables.iter().flatten().all(|&value| value == Term::FALSE || value == Term::TRUE));
}

#[test]
fn a_sum_over_functions_of_two_arguments() {
    let mut spec = Spec::default();
    let to = spec.function_sort(&[BOOL, BOOL], BOOL);
    let found = solutions(spec, to, |f| {
        let at = |one: bool, other: bool| {
            Expr::new(Kind::Apply(f.clone(), [one, other].map(Expr::truth).into()), BOOL)
        };
        let same = op(Op::Equal, &[&at(true, false), &at(false, true)], BOOL);
        let both = op(Op::And, &[&same, &at(true, true)], BOOL);
        op(Op::And, &[&both, &op(Op::Not, &[&at(false, false)], BOOL)], BOOL)
    });
    assert_eq!(
        found.unwrap(),
        [
            "@table(false, false -> false, true, false -> false, false, true -> false, true, true -> true)",
            "@table(false, false -> false, true, false -> true, false, true -> true, true, true -> true)"
        ]
    );
}

/// `1 = succ(0)`, `2 = succ(1)`, and equality is about `succ` alone.
fn numerals() -> (Spec, SortIx, impl Fn(&Expr, &Expr) -> Expr) {
    let mut spec = Spec::default();
    let sort = spec.sort("N");
    let numerals = ["0", "1", "2"].map(|name| spec.cons(name, &[], sort));
    let [zero, one, two] = numerals.map(|numeral| spec.call(numeral, &[]));
    let succ = spec.map("succ", &[sort], sort);
    let eq = spec.map("eq", &[sort, sort], BOOL);
    let (_, n) = spec.var("n", sort);
    let (_, m) = spec.var("m", sort);
    let next = |spec: &Spec, n: &Expr| spec.call(succ, &[n]);
    spec.eq(&one, &next(&spec, &zero));
    spec.eq(&two, &next(&spec, &one));
    spec.eq(&spec.call(eq, &[&zero, &zero]), &Expr::truth(true));
    spec.eq(&spec.call(eq, &[&next(&spec, &n), &zero]), &Expr::truth(false));
    spec.eq(&spec.call(eq, &[&zero, &next(&spec, &n)]), &Expr::truth(false));
    spec.eq(&spec.call(eq, &[&next(&spec, &n), &next(&spec, &m)]), &spec.call(eq, &[&n, &m]));
    let equal =
        move |one: &Expr, other: &Expr| Expr::new(Kind::Call(eq, [one.clone(), other.clone()].into()), BOOL);
    (spec, sort, equal)
}

#[test]
fn numerals_that_equations_explain_are_values_in_normal_form() {
    let (spec, sort, equal) = numerals();
    let one = Expr::new(Kind::Call(terms::FunIx(1), Box::new([])), sort);
    let found = solutions(spec, sort, |x| equal(x, &one));
    assert_eq!(found.unwrap(), ["succ(0)"]);
    let (spec, sort, equal) = numerals();
    let found = solutions(spec, sort, |x| op(Op::Not, &[&equal(x, &one)], BOOL));
    assert_eq!(found.unwrap(), ["0", "succ(succ(0))"]);
}

/// The same where the sort has infinitely many values, and one value is written in two ways.
#[test]
fn each_value_of_an_infinite_sort_is_found_once() {
    let mut spec = Spec::default();
    let sort = spec.sort("N");
    let zero = spec.cons("zero", &[], sort);
    let one = spec.cons("one", &[], sort);
    let succ = spec.cons("succ", &[sort], sort);
    let half = spec.cons("double", &[sort], sort);
    let less = spec.map("less", &[sort, sort], BOOL);
    let (_, n) = spec.var("n", sort);
    let (_, m) = spec.var("m", sort);
    let (zero, one) = (spec.call(zero, &[]), spec.call(one, &[]));
    let next = |spec: &Spec, n: &Expr| spec.call(succ, &[n]);
    spec.eq(&one, &next(&spec, &zero));
    spec.eq(&spec.call(half, &[&zero]), &zero);
    let twice = spec.call(half, &[&n]);
    spec.eq(&spec.call(half, &[&next(&spec, &n)]), &next(&spec, &next(&spec, &twice)));
    spec.eq(&spec.call(less, &[&n, &zero]), &Expr::truth(false));
    spec.eq(&spec.call(less, &[&zero, &next(&spec, &n)]), &Expr::truth(true));
    spec.eq(&spec.call(less, &[&twice, &m]), &Expr::truth(false));
    spec.eq(&spec.call(less, &[&next(&spec, &n), &next(&spec, &m)]), &spec.call(less, &[&n, &m]));
    let three = next(&spec, &next(&spec, &one));
    let found =
        solutions(spec, sort, |x| Expr::new(Kind::Call(less, [x.clone(), three.clone()].into()), BOOL));
    let mut found = found.unwrap();
    found.sort();
    assert_eq!(found, ["succ(succ(zero))", "succ(zero)", "zero"]);
}

#[test]
fn what_cannot_be_listed_is_said_to_be_so() {
    let mut spec = Spec::default();
    let sort = spec.sort("D");
    let pass = spec.map("pass", &[sort], BOOL);
    let call = |x: &Expr| Expr::new(Kind::Call(pass, Box::new([x.clone()])), BOOL);
    let failed = solutions(spec, sort, call).unwrap_err();
    assert_eq!(failed.to_string(), "the values of `x` are not known: `D` has no constructors");
    let mut spec = Spec::default();
    let sort = spec.sort("E");
    for at in 0..40 {
        spec.cons(&format!("e{at}"), &[], sort);
    }
    let sets = spec.0.sorts.add(terms::Sort::FSet(sort));
    let size = |x: &Expr| op(Op::Less, &[&op(Op::Size, &[x], NAT), &nat(2)], BOOL);
    let failed = solutions(spec, sets, size).unwrap_err();
    assert_eq!(failed.to_string(), "`FSet(E)` has too many values to try each of them for `x`");
}
