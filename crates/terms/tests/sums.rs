//! Sums and quantifiers against trying all values.

mod common;

use base::SplitMix64;
use common::{BOOL, INT, NAT, POS, Spec, eval, nat, number, op, seeded, show};
use terms::{Data, EvalFault, Expr, Kind, Op, SortIx, Term, VarIx, VarPlaces};

/// All solutions of a sum without anything outside, as shown.
fn solutions(data: &Data, vars: &[VarIx], conditions: &[Expr]) -> Result<Vec<Vec<String>>, EvalFault> {
    let places: VarPlaces = vars.iter().copied().collect();
    let sum = data.compile_sum(vars, conditions, &places).unwrap();
    let mut env = vec![Term(0); vars.len()];
    let mut found = Vec::new();
    data.evaluator().solve(&sum, &mut env, &mut |_, env| {
        let shown = |(var, &term): (&VarIx, &Term)| data.show(term, data.spec().vars[var.ix()].sort);
        found.push(vars.iter().zip(env).map(shown).collect());
        Ok(())
    })?;
    Ok(found)
}

fn flat(found: Vec<Vec<String>>) -> String {
    found.iter().map(|row| row.join(",")).collect::<Vec<_>>().join(" ")
}

#[test]
fn bounded_numbers() {
    let mut spec = Spec::default();
    let ((n, ne), (m, me)) = (spec.var("n", NAT), spec.var("m", NAT));
    let ((i, ie), (p, pe)) = (spec.var("i", INT), spec.var("p", POS));
    let data = spec.data();
    let less = |x: &Expr, k: i64| op(Op::Less, &[x, &number(k, x.sort)], BOOL);
    let all = |vars: &[VarIx], conditions: &[Expr]| flat(solutions(&data, vars, conditions).unwrap());
    assert_eq!(all(&[n], &[less(&ne, 5)]), "0 1 2 3 4");
    assert_eq!(all(&[p], &[op(Op::LessEqual, &[&pe, &number(3, POS)], BOOL)]), "1 2 3");
    assert_eq!(all(&[n], &[op(Op::Equal, &[&op(Op::Plus, &[&ne, &nat(2)], NAT), &nat(7)], BOOL)]), "5");
    assert_eq!(all(&[n], &[op(Op::Equal, &[&op(Op::Plus, &[&ne, &nat(8)], NAT), &nat(7)], BOOL)]), "");
    let is = |expr: &Expr, k: i64| op(Op::Equal, &[expr, &number(k, expr.sort)], BOOL);
    assert_eq!(all(&[n], &[is(&op(Op::Minus, &[&nat(7), &ne], INT), 4)]), "3");
    assert_eq!(all(&[n], &[is(&op(Op::Minus, &[&ne, &nat(7)], INT), -4)]), "3");
    assert_eq!(all(&[n], &[is(&op(Op::Pred, &[&ne], INT), 4)]), "5");
    assert_eq!(all(&[n], &[is(&op(Op::Succ, &[&ne], POS), 4)]), "3");
    let off = op(Op::Minus, &[&nat(7), &ne], INT);
    assert_eq!(all(&[n], &[op(Op::GreaterEqual, &[&off, &number(5, INT)], BOOL)]), "0 1 2");
    assert_eq!(all(&[n], &[less(&op(Op::Times, &[&ne, &ne], NAT), 10)]), "0 1 2 3");
    let total = op(Op::Plus, &[&ne, &me], NAT);
    assert_eq!(all(&[n, m], &[op(Op::Equal, &[&total, &nat(3)], BOOL)]), "0,3 1,2 2,1 3,0");
    let between = [op(Op::Less, &[&number(-3, INT), &ie], BOOL), less(&ie, 2)];
    assert_eq!(all(&[i], &between), "-2 -1 0 1");
    let double = op(Op::Equal, &[&op(Op::Times, &[&nat(2), &ne], NAT), &nat(6)], BOOL);
    assert_eq!(all(&[n], &[double]), "3");
    let square = op(Op::Times, &[&ie, &ie], INT);
    let mut squares = solutions(&data, &[i], &[less(&square, 5)]).unwrap();
    squares.sort();
    assert_eq!(flat(squares), "-1 -2 0 1 2");
    let infinite = [op(Op::Greater, &[&ne, &nat(5)], BOOL)];
    assert_eq!(solutions(&data, &[n], &infinite), Err(EvalFault::Unbounded { var: "n".into() }));
    assert_eq!(solutions(&data, &[n], &[]), Err(EvalFault::Unbounded { var: "n".into() }));
}

/// Beyond the roots of a polynomial nothing need be tried.
#[test]
fn polynomials_without_bounds() {
    let mut spec = Spec::default();
    let ((n, ne), (p, pe), (i, ie)) = (spec.var("n", NAT), spec.var("p", POS), spec.var("i", INT));
    let data = spec.data();
    let all = |var: VarIx, condition: &Expr| {
        let found = solutions(&data, &[var], std::slice::from_ref(condition)).unwrap();
        let mut numbers: Vec<i64> = found.iter().map(|row| row[0].parse().unwrap()).collect();
        numbers.sort_unstable();
        numbers
    };
    let int = |k: i64| number(k, INT);
    let plus = |one: &Expr, other: &Expr| op(Op::Plus, &[one, other], INT);
    let minus = |one: &Expr, other: &Expr| op(Op::Minus, &[one, other], INT);
    let times = |one: &Expr, other: &Expr| op(Op::Times, &[one, other], INT);
    let widened = |expr: &Expr| op(Op::Number, &[expr], INT);
    // n³ - 6n² + 11n == 6
    let x = widened(&ne);
    let cube = widened(&op(Op::Power, &[&ne, &nat(3)], NAT));
    let cubic = plus(&minus(&cube, &times(&int(6), &times(&x, &x))), &times(&int(11), &x));
    assert_eq!(all(n, &op(Op::Equal, &[&cubic, &int(6)], BOOL)), [1, 2, 3]);
    assert_eq!(all(n, &op(Op::Less, &[&cubic, &int(60)], BOOL)), [0, 1, 2, 3, 4, 5]);
    // p² == 2p + 15
    let (square, line) = (
        op(Op::Times, &[&pe, &pe], POS),
        op(Op::Plus, &[&op(Op::Times, &[&number(2, POS), &pe], POS), &number(15, POS)], POS),
    );
    assert_eq!(all(p, &op(Op::Equal, &[&square, &line], BOOL)), [5]);
    // i³ - i == 0 and (i + 100)(i - 7) <= 0, of which the second is a square less something.
    let odd = minus(&times(&ie, &times(&ie, &ie)), &ie);
    assert_eq!(all(i, &op(Op::Equal, &[&odd, &int(0)], BOOL)), [-1, 0, 1]);
    let between = times(&plus(&ie, &int(2)), &minus(&ie, &int(3)));
    assert_eq!(all(i, &op(Op::LessEqual, &[&between, &int(0)], BOOL)), [-2, -1, 0, 1, 2, 3]);
    // Infinitely many, as before.
    let positive = op(Op::GreaterEqual, &[&times(&ie, &ie), &int(0)], BOOL);
    assert_eq!(solutions(&data, &[i], &[positive]), Err(EvalFault::Unbounded { var: "i".into() }));
}

#[test]
fn lists_structures_and_sets() {
    let mut spec = Spec::default();
    let list = spec.list(BOOL);
    let set = spec.0.sorts.add(terms::Sort::FSet(NAT));
    let pair = spec.sort("Pair");
    let make = spec.cons("pair", &[NAT, BOOL], pair);
    let none = spec.cons("none", &[], pair);
    let ((l, le), (x, xe), (b, be)) = (spec.var("l", list), spec.var("x", NAT), spec.var("b", BOOL));
    let (q, qe) = spec.var("q", pair);
    let made = spec.call(make, &[&xe, &be]);
    let seven = spec.call(make, &[&nat(7), &Expr::truth(true)]);
    let nothing = spec.call(none, &[]);
    let (first, second) = (spec.map("first", &[pair], NAT), spec.map("wanted", &[pair], BOOL));
    spec.eq(&spec.call(first, &[&made]), &xe);
    spec.eq(&spec.call(second, &[&nothing]), &Expr::truth(false));
    spec.eq(&spec.call(second, &[&made]), &op(Op::And, &[&be, &op(Op::Less, &[&xe, &nat(2)], BOOL)], BOOL));
    let wanted = spec.call(second, &[&qe]);
    let data = spec.data();
    let all = |vars: &[VarIx], conditions: &[Expr]| flat(solutions(&data, vars, conditions).unwrap());
    let short = op(Op::Less, &[&op(Op::Size, &[&le], NAT), &nat(2)], BOOL);
    assert_eq!(all(&[l], &[short]), "[] [false] [true]");
    assert_eq!(all(&[x, b], &[op(Op::Equal, &[&made, &seven], BOOL)]), "7,true");
    assert_eq!(all(&[x, b], &[op(Op::Equal, &[&made, &nothing], BOOL)]), "");
    assert_eq!(all(&[q], &[wanted]), "pair(0, true) pair(1, true)");
    let some = op(Op::SetOf, &[&nat(5), &nat(2), &nat(9), &nat(2)], set);
    assert_eq!(all(&[x], &[op(Op::In, &[&xe, &some], BOOL)]), "2 5 9");
}

#[test]
fn quantifiers() {
    let mut spec = Spec::default();
    let ((n, ne), (m, me)) = (spec.var("n", NAT), spec.var("m", NAT));
    let below = |x: &Expr, k: i64| op(Op::Less, &[x, &nat(k)], BOOL);
    let exists = |var: VarIx, body: Expr| Expr::new(Kind::Exists(Box::new([var]), body), BOOL);
    let forall = |var: VarIx, body: Expr| Expr::new(Kind::Forall(Box::new([var]), body), BOOL);
    let and = |one: &Expr, other: &Expr| op(Op::And, &[one, other], BOOL);
    let implies = |one: &Expr, other: &Expr| op(Op::Implies, &[one, other], BOOL);
    let square = op(Op::Times, &[&ne, &ne], NAT);
    let is = |k: i64| op(Op::Equal, &[&square, &nat(k)], BOOL);
    let data = spec.data();
    let check = |expr: &Expr, expected: bool| {
        assert_eq!(eval(&data, expr), Term::truth(expected), "{}", data.spec().show(expr))
    };
    check(&exists(n, is(49)), true);
    check(&exists(n, is(50)), false);
    check(&forall(n, implies(&below(&ne, 4), &below(&square, 10))), true);
    check(&forall(n, implies(&below(&ne, 5), &below(&square, 10))), false);
    check(&exists(n, op(Op::Greater, &[&ne, &nat(1000)], BOOL)), true);
    // For each n below 5 there is a larger m below 6, and below 5 there is not.
    let larger = |k: i64| exists(m, and(&below(&me, k), &op(Op::Greater, &[&me, &ne], BOOL)));
    check(&forall(n, implies(&below(&ne, 5), &larger(6))), true);
    check(&forall(n, implies(&below(&ne, 5), &larger(5))), false);
}

/// For each n there is a larger m: both have no bound, and each split of n searches for m anew.
#[test]
fn a_quantifier_without_bounds_in_another_ends() {
    let mut spec = Spec::default();
    let ((n, ne), (m, me)) = (spec.var("n", NAT), spec.var("m", NAT));
    let larger = Expr::new(Kind::Exists(Box::new([m]), op(Op::Greater, &[&me, &ne], BOOL)), BOOL);
    let always = Expr::new(Kind::Forall(Box::new([n]), larger), BOOL);
    let data = spec.data();
    let code = data.compile(&always, &VarPlaces::new()).unwrap();
    assert_eq!(data.evaluator().eval(&code, &[]), Err(EvalFault::Unbounded { var: "m".into() }));
}

/// A random condition over the variables, which are numbers.
fn condition(random: &mut SplitMix64, vars: &[Expr], depth: u32) -> Expr {
    let truth = |random: &mut SplitMix64| condition(random, vars, depth - 1);
    match random.below(if depth == 0 { 3 } else { 7 }) {
        0..3 => {
            let compare = [Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual];
            let (one, other) = (integer(random, vars, 2), integer(random, vars, 2));
            op(compare[random.below(6)], &[&one, &other], BOOL)
        }
        3 => op(Op::Not, &[&truth(random)], BOOL),
        4 => op(Op::And, &[&truth(random), &truth(random)], BOOL),
        5 => op(Op::Or, &[&truth(random), &truth(random)], BOOL),
        _ => op(Op::Implies, &[&truth(random), &truth(random)], BOOL),
    }
}

fn integer(random: &mut SplitMix64, vars: &[Expr], depth: u32) -> Expr {
    let part = |random: &mut SplitMix64| integer(random, vars, depth - 1);
    let up = |expr: Expr| if expr.sort == INT { expr } else { op(Op::Number, &[&expr], INT) };
    match random.below(if depth == 0 { 3 } else { 9 }) {
        0 => number(random.below(9) as i64 - 2, INT),
        1 | 2 => up(vars[random.below(vars.len())].clone()),
        3 | 4 => op(Op::Plus, &[&part(random), &part(random)], INT),
        5 => op(Op::Minus, &[&part(random), &part(random)], INT),
        6 => op(Op::Times, &[&part(random), &part(random)], INT),
        7 => op(Op::Max, &[&part(random), &part(random)], INT),
        _ => op(Op::Min, &[&part(random), &part(random)], INT),
    }
}

/// What a sum finds is what trying all small values finds, wherever it bounds its variables itself.
#[test]
fn random_conditions_against_all_small_values() {
    let mut random = seeded();
    for round in 0..600 {
        let mut spec = Spec::default();
        let sorts = [NAT, POS, INT];
        let vars: Vec<(VarIx, Expr)> =
            (0..1 + random.below(2)).map(|at| spec.var(&format!("x{at}"), sorts[random.below(3)])).collect();
        let data = spec.data();
        let exprs: Vec<Expr> = vars.iter().map(|(_, expr)| expr.clone()).collect();
        // Each is bounded by a condition, in one of several ways; the order of the conditions is random.
        let mut conditions: Vec<Expr> =
            vec![condition(&mut random, &exprs, 2), condition(&mut random, &exprs, 1)];
        for expr in &exprs {
            let wide = if expr.sort == INT { expr.clone() } else { op(Op::Number, &[expr], INT) };
            let at = random.below(conditions.len() + 1);
            let bound = match random.below(3) {
                0 => op(Op::Less, &[&op(Op::Times, &[&wide, &wide], INT), &number(20, INT)], BOOL),
                1 => op(
                    Op::And,
                    &[
                        &op(Op::LessEqual, &[&wide, &number(4, INT)], BOOL),
                        &op(Op::Not, &[&op(Op::Less, &[&wide, &number(-4, INT)], BOOL)], BOOL),
                    ],
                    BOOL,
                ),
                _ => op(Op::Greater, &[&number(5, INT), &op(Op::Abs, &[&wide], NAT)], BOOL),
            };
            let bound = match random.below(3) {
                _ if bound.sort == BOOL => bound,
                _ => panic!("a bound is a condition"),
            };
            conditions.insert(at, bound);
        }
        let fixed: Vec<Expr> = conditions.iter().map(widen_abs).collect();
        let ixs: Vec<VarIx> = vars.iter().map(|(var, _)| *var).collect();
        let mut found = solutions(&data, &ixs, &fixed).unwrap_or_else(|fault| {
            panic!(
                "round {round}: {fault}: {}",
                fixed.iter().map(|c| data.spec().show(c)).collect::<Vec<_>>().join(" ; ")
            )
        });
        found.sort();
        let mut expected = Vec::new();
        let places: VarPlaces = ixs.iter().copied().collect();
        let codes: Vec<_> = fixed.iter().map(|condition| data.compile(condition, &places).unwrap()).collect();
        let mut evaluator = data.evaluator();
        let range = |sort: SortIx| match sort {
            SortIx::POS => 1..=9_i64,
            SortIx::NAT => 0..=9,
            _ => -9..=9,
        };
        let mut rows: Vec<Vec<Term>> = vec![vec![]];
        for expr in &exprs {
            rows = (rows.into_iter())
                .flat_map(|row| {
                    range(expr.sort)
                        .map(move |value| [row.clone(), vec![Term::from_small(value).unwrap()]].concat())
                })
                .collect();
        }
        for row in rows {
            if codes.iter().all(|code| evaluator.eval(code, &row).unwrap() == Term::TRUE) {
                expected.push(row.iter().map(|term| (term.0 as i32).to_string()).collect::<Vec<_>>());
            }
        }
        expected.sort();
        let text = || fixed.iter().map(|c| data.spec().show(c)).collect::<Vec<_>>().join(" ; ");
        assert_eq!(found, expected, "round {round}: {}", text());
    }
}

/// `5 > abs(x)` compares an `Int` with a `Nat`: a cast.
fn widen_abs(condition: &Expr) -> Expr {
    match &*condition.kind {
        Kind::Op(Op::Greater, parts) if parts[1].sort == NAT => {
            op(Op::Greater, &[&parts[0], &op(Op::Number, &[&parts[1]], INT)], BOOL)
        }
        _ => condition.clone(),
    }
}

#[test]
fn simpler_expressions() {
    let mut spec = Spec::default();
    let (_, ne) = spec.var("n", NAT);
    let four = op(Op::Times, &[&nat(2), &nat(2)], NAT);
    let sum = op(Op::Plus, &[&ne, &four], NAT);
    let either =
        op(Op::Or, &[&op(Op::Less, &[&four, &nat(3)], BOOL), &op(Op::Less, &[&ne, &four], BOOL)], BOOL);
    let never =
        op(Op::And, &[&op(Op::Less, &[&four, &nat(3)], BOOL), &op(Op::Less, &[&ne, &four], BOOL)], BOOL);
    let data = spec.data();
    let simple = |expr: &Expr| data.spec().show(&data.simplify(expr));
    assert_eq!(simple(&sum), "n + 4");
    assert_eq!(simple(&either), "n < 4");
    assert_eq!(simple(&never), "false");
    assert_eq!(show(&data, &four), "4");
}
