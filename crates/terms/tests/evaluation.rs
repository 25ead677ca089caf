//! Functions by equations: what they come to, how deep they go, and where they stop.

mod common;

use common::{BOOL, INT, NAT, POS, Spec, eval, nat, number, op, show};
use terms::{Data, EvalFault, Expr, FunIx, Kind, Op, Term, Truth, VarPlaces};

/// Unary numbers: zero, succ, and addition by recursion on the second.
fn unary() -> (Spec, FunIx, FunIx, FunIx) {
    let mut spec = Spec::default();
    let n = spec.sort("N");
    let (zero, succ) = (spec.cons("zero", &[], n), spec.cons("succ", &[n], n));
    let add = spec.map("add", &[n, n], n);
    let ((_, x), (_, y)) = (spec.var("x", n), spec.var("y", n));
    let z = spec.call(zero, &[]);
    spec.eq(&spec.call(add, &[&x, &z]), &x);
    let (sy, xy) = (spec.call(succ, &[&y]), spec.call(add, &[&x, &y]));
    spec.eq(&spec.call(add, &[&x, &sy]), &spec.call(succ, &[&xy]));
    (spec, zero, succ, add)
}

#[test]
fn equations_are_applied_from_left_to_right() {
    let (spec, zero, succ, add) = unary();
    let z = spec.call(zero, &[]);
    let two = spec.call(succ, &[&spec.call(succ, &[&z])]);
    let four = spec.call(add, &[&two, &two]);
    let data = spec.data();
    assert_eq!(show(&data, &four), "succ(succ(succ(succ(zero))))");
    assert_eq!(eval(&data, &z), Term(0), "a constructor without arguments is its place");
}

/// length(l), last element, and a list from n down to 1, all by equations.
fn lists() -> (Spec, FunIx, FunIx, terms::SortIx) {
    let mut spec = Spec::default();
    let list = spec.list(NAT);
    let (length, down) = (spec.map("length", &[list], NAT), spec.map("down", &[NAT], list));
    let ((_, x), (_, l)) = (spec.var("x", NAT), spec.var("l", list));
    let nil = op(Op::List, &[], list);
    spec.eq(&spec.call(length, &[&nil]), &nat(0));
    let one_more = op(Op::Plus, &[&spec.call(length, &[&l]), &nat(1)], NAT);
    spec.eq(&spec.call(length, &[&op(Op::Cons, &[&x, &l], list)]), &one_more);
    spec.eq(&spec.call(down, &[&nat(0)]), &nil);
    let less = op(Op::Number, &[&op(Op::Minus, &[&x, &nat(1)], INT)], NAT);
    let positive = op(Op::Greater, &[&x, &nat(0)], BOOL);
    let rest = op(Op::Cons, &[&x, &spec.call(down, &[&less])], list);
    spec.eq_if(Some(&positive), &spec.call(down, &[&x]), &rest);
    (spec, length, down, list)
}

#[test]
fn a_recursion_may_be_a_million_deep() {
    let (spec, length, down, _) = lists();
    let deep = spec.call(length, &[&spec.call(down, &[&nat(1_000_000)])]);
    let data = spec.data();
    assert_eq!(eval(&data, &deep), Term(1_000_000));
}

#[test]
fn an_evaluation_that_does_not_end_is_told() {
    let mut spec = Spec::default();
    let (turn, grow) = (spec.map("turn", &[NAT], NAT), spec.map("grow", &[NAT], NAT));
    let (_, x) = spec.var("x", NAT);
    spec.eq(&spec.call(turn, &[&x]), &spec.call(turn, &[&op(Op::Plus, &[&x, &nat(1)], NAT)]));
    let more = op(Op::Plus, &[&nat(1), &spec.call(grow, &[&x])], NAT);
    spec.eq(&spec.call(grow, &[&x]), &more);
    let (turning, growing) = (spec.call(turn, &[&nat(0)]), spec.call(grow, &[&nat(0)]));
    let data = Data::with_limits(spec.0, 1_000_000, 1 << 30).unwrap();
    let fault = |expr: &Expr| data.evaluate(expr).unwrap().unwrap_err();
    assert_eq!(fault(&turning), EvalFault::TooLong { function: "turn".into() });
    assert!(matches!(fault(&growing), EvalFault::TooLong { .. } | EvalFault::TooDeep { .. }));
}

#[test]
fn a_full_store_is_told() {
    let (spec, _, down, _) = lists();
    let long = spec.call(down, &[&nat(1_000_000)]);
    let data = Data::with_limits(spec.0, u64::MAX, 1 << 20).unwrap();
    assert_eq!(data.evaluate(&long).unwrap(), Err(EvalFault::StoreFull));
}

#[test]
fn what_does_not_reduce_stays_as_it_is() {
    let (spec, length, _, list) = lists();
    let head = op(Op::Head, &[&op(Op::List, &[], list)], NAT);
    let sum = op(Op::Plus, &[&head, &nat(2)], NAT);
    let inside = op(Op::Cons, &[&sum, &op(Op::List, &[&nat(1)], list)], list);
    let length_of_it = spec.call(length, &[&inside]);
    let minus = op(Op::Number, &[&number(-3, INT)], NAT);
    let less = op(Op::Less, &[&head, &nat(2)], BOOL);
    let either = op(Op::Or, &[&less, &Expr::truth(true)], BOOL);
    let choice = op(Op::If, &[&less, &nat(1), &op(Op::Plus, &[&nat(1), &nat(1)], NAT)], NAT);
    let same = op(Op::If, &[&less, &nat(2), &op(Op::Plus, &[&nat(1), &nat(1)], NAT)], NAT);
    let data = spec.data();
    assert_eq!(show(&data, &sum), "head([]) + 2");
    assert_eq!(show(&data, &inside), "[head([]) + 2, 1]");
    assert_eq!(eval(&data, &length_of_it), Term(2));
    assert_eq!(show(&data, &minus), "Int2Nat(-3)");
    assert_eq!(eval(&data, &either), Term::TRUE);
    assert_eq!(show(&data, &choice), "if(head([]) < 2, 1, 2)");
    assert_eq!(eval(&data, &same), Term(2));
    let code = data.compile(&less, &VarPlaces::new()).unwrap();
    assert!(matches!(data.evaluator().truth(&code, &[]), Ok(Truth::Stuck(_))));
}

#[test]
fn conditions_nonlinear_patterns_numerals_and_wildcards() {
    let mut spec = Spec::default();
    let f = spec.map("f", &[NAT, NAT], NAT);
    let ((_, x), (_, y)) = (spec.var("x", NAT), spec.var("y", NAT));
    let (_, p) = spec.var("p", POS);
    // f(x, x) = 100; f(3, y) = 1; x > 10 || y > 10 -> f(x, y) = 2; f(x, Pos2Nat(p)) = p + 200
    spec.eq(&spec.call(f, &[&x, &x]), &nat(100));
    spec.eq(&spec.call(f, &[&nat(3), &y]), &nat(1));
    let big = |x: &Expr| op(Op::Greater, &[x, &nat(10)], BOOL);
    spec.eq_if(Some(&op(Op::Or, &[&big(&x), &big(&y)], BOOL)), &spec.call(f, &[&x, &y]), &nat(2));
    let up = op(Op::Number, &[&p], NAT);
    spec.eq(&spec.call(f, &[&x, &up]), &op(Op::Plus, &[&up, &nat(200)], NAT));
    let expected = |a: i64, b: i64| match (a, b) {
        (a, b) if a == b => Some(100),
        (3, _) => Some(1),
        (a, b) if a > 10 || b > 10 => Some(2),
        (_, b) if b > 0 => Some(b as u32 + 200),
        _ => None,
    };
    let calls: Vec<(Expr, Option<u32>)> = (0..13)
        .flat_map(|a| (0..13).map(move |b| (a, b)))
        .map(|(a, b)| (spec.call(f, &[&nat(a), &nat(b)]), expected(a, b)))
        .collect();
    let data = spec.data();
    for (call, expected) in calls {
        let term = eval(&data, &call);
        assert_eq!(term.small().map(|value| value as u32), expected, "{}", data.spec().show(&call));
    }
}

#[test]
fn functions_of_functions() {
    let mut spec = Spec::default();
    let to = spec.function_sort(&[NAT], NAT);
    let list = spec.list(NAT);
    // twice(g)(x) = g(g(x)); plus(x)(y) = x + y; all(g, l): g of each
    let (twice, plus) = (spec.map("twice", &[to], to), spec.map("plus", &[NAT], to));
    let all = spec.map("all", &[to, list], list);
    let ((_, g), (_, x), (_, y), (_, l)) =
        (spec.var("g", to), spec.var("x", NAT), spec.var("y", NAT), spec.var("l", list));
    let apply = |f: &Expr, x: &Expr| Expr::new(Kind::Apply(f.clone(), Box::new([x.clone()])), NAT);
    spec.eq(&apply(&spec.call(twice, &[&g]), &x), &apply(&g, &apply(&g, &x)));
    spec.eq(&apply(&spec.call(plus, &[&x]), &y), &op(Op::Plus, &[&x, &y], NAT));
    let nil = op(Op::List, &[], list);
    spec.eq(&spec.call(all, &[&g, &nil]), &nil);
    let rest = op(Op::Cons, &[&apply(&g, &x), &spec.call(all, &[&g, &l])], list);
    spec.eq(&spec.call(all, &[&g, &op(Op::Cons, &[&x, &l], list)]), &rest);
    let (v, ve) = spec.var("v", NAT);
    let square = Expr::new(Kind::Lambda(Box::new([v]), op(Op::Times, &[&ve, &ve], NAT)), to);
    let three = op(Op::List, &[&nat(2), &nat(3), &nat(4)], list);
    let squares = spec.call(all, &[&square, &three]);
    let plus_five = spec.call(plus, &[&nat(5)]);
    let ten_more = spec.call(all, &[&spec.call(twice, &[&plus_five]), &three]);
    let updated = op(Op::Update, &[&square, &nat(3), &nat(0)], to);
    let with_update = spec.call(all, &[&updated, &three]);
    let back = op(Op::Update, &[&updated, &nat(3), &nat(9)], to);
    let nothing = op(Op::Update, &[&square, &nat(4), &nat(16)], to);
    let other_order = |first: i64, second: i64| {
        op(Op::Update, &[&op(Op::Update, &[&square, &nat(first), &nat(1)], to), &nat(second), &nat(1)], to)
    };
    let (one_two, two_one) = (other_order(5, 6), other_order(6, 5));
    let data = spec.data();
    assert_eq!(show(&data, &squares), "[4, 9, 16]");
    assert_eq!(show(&data, &ten_more), "[12, 13, 14]");
    assert_eq!(show(&data, &with_update), "[4, 0, 16]");
    assert_eq!(eval(&data, &back), eval(&data, &square), "an update that changes nothing is none");
    assert_eq!(eval(&data, &nothing), eval(&data, &square));
    assert_eq!(eval(&data, &one_two), eval(&data, &two_one));
}

#[test]
fn all_equations_that_cannot_be_used_are_told() {
    let mut spec = Spec::default();
    let f = spec.map("f", &[NAT], NAT);
    let ((_, x), (_, y)) = (spec.var("x", NAT), spec.var("y", NAT));
    spec.eq(&spec.call(f, &[&x]), &y);
    spec.eq(&x, &nat(3));
    let Err(errors) = Data::new(spec.0) else { panic!("it was taken") };
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].message.contains("`y`"), "{errors:?}");
}

#[test]
fn comparisons_of_variables() {
    let mut spec = Spec::default();
    let ((x, xe), (y, ye)) = (spec.var("x", INT), spec.var("y", INT));
    let data = spec.data();
    let places: VarPlaces = [x, y].into_iter().collect();
    let values = [-(1_i64 << 40), -1, 0, 1, 2, 1 << 40];
    let terms: Vec<Term> = values.iter().map(|&value| eval(&data, &number(value, INT))).collect();
    type Compares = fn(&i64, &i64) -> bool;
    let ops: [(Op, Compares); 6] = [
        (Op::Equal, i64::eq),
        (Op::NotEqual, i64::ne),
        (Op::Less, i64::lt),
        (Op::LessEqual, i64::le),
        (Op::Greater, i64::gt),
        (Op::GreaterEqual, i64::ge),
    ];
    let mut evaluator = data.evaluator();
    for (which, expected) in ops {
        for (one, &a) in terms.iter().zip(&values) {
            for (other, &b) in terms.iter().zip(&values) {
                let (left, right) = (number(a, INT), number(b, INT));
                for (one_side, other_side) in [(&xe, &ye), (&xe, &right), (&left, &ye), (&left, &right)] {
                    let expr = op(which, &[one_side, other_side], BOOL);
                    // As a value, and as a condition.
                    let chosen = op(Op::If, &[&expr, &nat(7), &nat(8)], NAT);
                    let (value, choice) =
                        (data.compile(&expr, &places).unwrap(), data.compile(&chosen, &places).unwrap());
                    let holds = expected(&a, &b);
                    assert_eq!(
                        evaluator.eval(&value, &[*one, *other]),
                        Ok(Term::truth(holds)),
                        "{a} {which:?} {b}"
                    );
                    assert_eq!(evaluator.eval(&choice, &[*one, *other]), Ok(Term(if holds { 7 } else { 8 })));
                }
            }
        }
    }
}
