//! Many threads, one store; and values that are equal though they were made differently.

mod common;

use common::{BOOL, INT, NAT, POS, Spec, eval, nat, number, op, seeded, show};
use terms::{Expr, FunIx, Kind, Op, Sort, SortIx, Term, VarIx, VarPlaces};

/// A list of numbers from n down, by equations.
fn down() -> (Spec, FunIx) {
    let mut spec = Spec::default();
    let list = spec.list(NAT);
    let down = spec.map("down", &[NAT], list);
    let (_, x) = spec.var("x", NAT);
    spec.eq(&spec.call(down, &[&nat(0)]), &op(Op::List, &[], list));
    let less = op(Op::Number, &[&op(Op::Minus, &[&x, &nat(1)], INT)], NAT);
    spec.eq(&spec.call(down, &[&x]), &op(Op::Cons, &[&x, &spec.call(down, &[&less])], list));
    (spec, down)
}

#[test]
fn threads_agree_on_every_term() {
    let (mut spec, down) = down();
    let (n, ne) = spec.var("n", NAT);
    let call = spec.call(down, &[&ne]);
    let fset = spec.0.sorts.add(Sort::FSet(call.sort));
    let pair = op(Op::SetOf, &[&call, &spec.call(down, &[&op(Op::Plus, &[&ne, &nat(1)], NAT)])], fset);
    let data = spec.data();
    let places: VarPlaces = [n].into_iter().collect();
    let (list, set) = (data.compile(&call, &places).unwrap(), data.compile(&pair, &places).unwrap());
    const COUNT: usize = 300;
    let mut random = seeded();
    let orders: Vec<Vec<u32>> = (0..4)
        .map(|_| {
            let mut order: Vec<u32> = (0..COUNT as u32).collect();
            (1..COUNT).rev().for_each(|at| order.swap(at, random.below(at + 1)));
            order
        })
        .collect();
    let found: Vec<Vec<(Term, Term)>> = std::thread::scope(|scope| {
        let work = |order: &Vec<u32>| {
            let mut evaluator = data.evaluator();
            let mut terms = vec![(Term(0), Term(0)); COUNT];
            for &value in order {
                let env = [Term(value)];
                terms[value as usize] =
                    (evaluator.eval(&list, &env).unwrap(), evaluator.eval(&set, &env).unwrap());
            }
            terms
        };
        let threads: Vec<_> = orders.iter().map(|order| scope.spawn(move || work(order))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for other in &found[1..] {
        assert_eq!(other, &found[0]);
    }
    // One cell for each length, one set for each pair of neighbours.
    assert_eq!(data.store().nodes(), COUNT + COUNT);
    assert_eq!(data.show(found[0][3].0, list.sort), "[3, 2, 1]");
    assert_eq!(data.show(found[2][1].1, set.sort), "{[1], [2, 1]}");
    assert!(data.store().bytes() > 0);
}

#[test]
fn functions_of_a_finite_sort_are_equal_by_their_values() {
    let mut spec = Spec::default();
    let to = spec.function_sort(&[BOOL], NAT);
    let ((x, xe), (y, ye)) = (spec.var("x", BOOL), spec.var("y", BOOL));
    let lambda = |var: VarIx, body: Expr| Expr::new(Kind::Lambda(Box::new([var]), body), to);
    let one = lambda(x, op(Op::If, &[&xe, &nat(1), &nat(2)], NAT));
    let other = lambda(y, op(Op::If, &[&op(Op::Not, &[&ye], BOOL), &nat(2), &nat(1)], NAT));
    let third = op(Op::Update, &[&other, &Expr::truth(true), &nat(3)], to);
    let equal = |one: &Expr, other: &Expr| op(Op::Equal, &[one, other], BOOL);
    let data = spec.data();
    assert_eq!(eval(&data, &equal(&one, &other)), Term::TRUE);
    assert_eq!(eval(&data, &equal(&one, &third)), Term::FALSE);
    assert_eq!(eval(&data, &op(Op::NotEqual, &[&other, &third], BOOL)), Term::TRUE);
}

#[test]
fn lambdas_are_the_same_whatever_their_variables_are_called() {
    let mut spec = Spec::default();
    let to = spec.function_sort(&[NAT], NAT);
    let make = spec.map("make", &[NAT], to);
    let ((a, ae), (b, be), (_, n)) = (spec.var("a", NAT), spec.var("b", NAT), spec.var("n", NAT));
    let lambda = |var: VarIx, body: Expr| Expr::new(Kind::Lambda(Box::new([var]), body), to);
    spec.eq(&spec.call(make, &[&n]), &lambda(a, op(Op::Plus, &[&ae, &n], NAT)));
    let made = spec.call(make, &[&nat(4)]);
    let other = spec.call(make, &[&nat(5)]);
    let (m, me) = spec.var("m", NAT);
    let direct = lambda(b, op(Op::Plus, &[&be, &me], NAT));
    let data = spec.data();
    let places: VarPlaces = [m].into_iter().collect();
    let code = data.compile(&direct, &places).unwrap();
    let four = data.evaluator().eval(&code, &[Term(4)]).unwrap();
    assert_eq!(eval(&data, &made), four);
    assert_ne!(eval(&data, &other), four);
    assert_eq!(data.show(four, to), "(lambda a: Nat. a + 4)");
}

#[test]
fn sets_given_by_conditions() {
    let mut spec = Spec::default();
    let (fset, set) = (spec.0.sorts.add(Sort::FSet(POS)), spec.0.sorts.add(Sort::Set(POS)));
    let (k, ke) = spec.var("k", POS);
    let small =
        |most: i64| Expr::new(Kind::SetWhere(k, op(Op::LessEqual, &[&ke, &number(most, POS)], BOOL)), set);
    let list = |values: &[i64]| {
        let values: Vec<Expr> = values.iter().map(|&value| number(value, POS)).collect();
        op(Op::Widen, &[&Expr::op(Op::SetOf, values, fset)], set)
    };
    let data = spec.data();
    let truth = |which: Op, one: &Expr, other: &Expr| eval(&data, &op(which, &[one, other], BOOL));
    assert_eq!(truth(Op::Equal, &small(3), &list(&[1, 2, 3])), Term::TRUE);
    assert_eq!(truth(Op::Equal, &small(3), &list(&[1, 2])), Term::FALSE);
    assert_eq!(truth(Op::In, &number(3, POS), &small(3)), Term::TRUE);
    assert_eq!(truth(Op::In, &number(4, POS), &small(3)), Term::FALSE);
    // An element that is there twice, or not any more, leaves no trace.
    let more = op(Op::Union, &[&op(Op::Union, &[&small(3), &list(&[9])], set), &list(&[9, 2])], set);
    let back = op(Op::Difference, &[&more, &list(&[9])], set);
    assert_eq!(eval(&data, &back), eval(&data, &small(3)));
    assert_ne!(eval(&data, &more), eval(&data, &small(3)));
    assert_eq!(truth(Op::Equal, &more, &list(&[3, 2, 1, 9])), Term::TRUE);
    assert_eq!(truth(Op::Less, &small(3), &more), Term::TRUE);
    assert_eq!(
        eval(&data, &op(Op::Intersection, &[&small(3), &list(&[2, 7])], set)),
        eval(&data, &list(&[2]))
    );
}

#[test]
fn a_sort_may_have_its_own_equality() {
    let mut spec = Spec::default();
    let sort = spec.sort("Pair");
    let list = spec.list(sort);
    let pair = spec.cons("pair", &[NAT, NAT], sort);
    let vars: Vec<Expr> = ["a", "b", "c", "d"].iter().map(|name| spec.var(name, NAT).1).collect();
    // Pairs without order.
    let same = |one: &Expr, other: &Expr| op(Op::Equal, &[one, other], BOOL);
    let both = |one: Expr, other: Expr| op(Op::And, &[&one, &other], BOOL);
    let left = same(&spec.call(pair, &[&vars[0], &vars[1]]), &spec.call(pair, &[&vars[2], &vars[3]]));
    let straight = both(same(&vars[0], &vars[2]), same(&vars[1], &vars[3]));
    let crossed = both(same(&vars[0], &vars[3]), same(&vars[1], &vars[2]));
    spec.eq(&left, &op(Op::Or, &[&straight, &crossed], BOOL));
    let make = |a: i64, b: i64| spec.call(pair, &[&nat(a), &nat(b)]);
    let (one, other, third) = (make(1, 2), make(2, 1), make(1, 1));
    let data = spec.data();
    let truth = |which: Op, one: &Expr, other: &Expr| eval(&data, &op(which, &[one, other], BOOL));
    let of = |part: &Expr| op(Op::List, &[part], list);
    assert_eq!(truth(Op::Equal, &one, &other), Term::TRUE);
    assert_eq!(truth(Op::NotEqual, &one, &other), Term::FALSE);
    assert_eq!(truth(Op::Equal, &one, &third), Term::FALSE);
    assert_eq!(truth(Op::Equal, &of(&one), &of(&other)), Term::TRUE);
    assert_eq!(truth(Op::NotEqual, &of(&one), &of(&third)), Term::TRUE);
    assert_eq!(truth(Op::In, &other, &of(&one)), Term::TRUE);
}

#[test]
fn structures_are_ordered_by_constructor_and_then_by_argument() {
    let mut spec = Spec::default();
    let sort = spec.sort("S");
    let (a, b) = (spec.cons("a", &[], sort), spec.cons("b", &[NAT, BOOL], sort));
    let c = spec.cons("c", &[], sort);
    let rising = [
        spec.call(a, &[]),
        spec.call(b, &[&nat(0), &Expr::truth(true)]),
        spec.call(b, &[&nat(1), &Expr::truth(false)]),
        spec.call(b, &[&nat(1), &Expr::truth(true)]),
        spec.call(b, &[&nat(1 << 40), &Expr::truth(false)]),
        spec.call(c, &[]),
    ];
    let data = spec.data();
    for (at, one) in rising.iter().enumerate() {
        for (other_at, other) in rising.iter().enumerate() {
            let check = |which: Op, expected: bool| {
                assert_eq!(
                    eval(&data, &op(which, &[one, other], BOOL)),
                    Term::truth(expected),
                    "{at} {which:?} {other_at}"
                );
            };
            check(Op::Less, at < other_at);
            check(Op::LessEqual, at <= other_at);
            check(Op::Greater, at > other_at);
            check(Op::GreaterEqual, at >= other_at);
            check(Op::Equal, at == other_at);
        }
    }
    assert_eq!(show(&data, &rising[4]), "b(1099511627776, false)");
}

#[test]
fn values_of_finite_sorts() {
    let mut spec = Spec::default();
    let sort = spec.sort("S");
    spec.cons("a", &[], sort);
    spec.cons("b", &[BOOL, BOOL], sort);
    let tree = spec.sort("Tree");
    let node = spec.cons("node", &[tree, tree], tree);
    let leaf = spec.cons("leaf", &[sort], tree);
    assert!(node < leaf, "the default is the first that can be made");
    let (sets, to) = (spec.0.sorts.add(Sort::FSet(BOOL)), spec.function_sort(&[BOOL], BOOL));
    let list = spec.list(tree);
    let data = spec.data();
    let all = |sort: SortIx| -> Vec<String> {
        data.values(sort).unwrap().into_iter().map(|term| data.show(term, sort)).collect()
    };
    assert_eq!(all(sort), ["a", "b(false, false)", "b(false, true)", "b(true, false)", "b(true, true)"]);
    assert_eq!(all(sets), ["{}", "{false}", "{true}", "{false, true}"]);
    let functions: std::collections::HashSet<Term> = data.values(to).unwrap().into_iter().collect();
    assert_eq!((all(to).len(), functions.len()), (4, 4));
    assert_eq!(
        (data.size(sort), data.size(tree), data.size(NAT), data.size(to)),
        (Some(5), None, None, Some(4))
    );
    let default = |sort: SortIx| data.show(data.default_term(sort).unwrap(), sort);
    assert_eq!([default(tree), default(list), default(POS), default(BOOL)], ["leaf(a)", "[]", "1", "false"]);
    assert!(data.default_term(to).is_some());
}
