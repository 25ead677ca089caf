//! Numbers, lists, sets and bags against the collections of the standard library. Equal values must be equal
//! terms.

mod common;

use base::SplitMix64;
use std::collections::{BTreeMap, BTreeSet};

use common::{BOOL, INT, NAT, POS, REAL, Spec, eval, number, op, seeded};
use num_bigint::BigInt;
use terms::{Data, Expr, Kind, Op, Sort, SortIx, Term};

struct Sorts {
    list: SortIx,
    fset: SortIx,
    set: SortIx,
    fbag: SortIx,
    bag: SortIx,
}

fn sorts(spec: &mut Spec) -> Sorts {
    let mut add = |sort: Sort| spec.0.sorts.add(sort);
    Sorts {
        list: add(Sort::List(NAT)),
        fset: add(Sort::FSet(NAT)),
        set: add(Sort::Set(NAT)),
        fbag: add(Sort::FBag(NAT)),
        bag: add(Sort::Bag(NAT)),
    }
}

fn big(value: &BigInt, sort: SortIx) -> Expr {
    Expr::new(Kind::Number(value.clone()), sort)
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ratio(BigInt, BigInt);

impl Ratio {
    fn new(over: BigInt, under: BigInt) -> Self {
        let (mut a, mut b) = (over.clone(), under.clone());
        while b != BigInt::from(0) {
            (a, b) = (b.clone(), a % b);
        }
        if (&under / &a) < BigInt::from(0) {
            a = -a;
        }
        Self(over / &a, under / &a)
    }

    fn floor(&self) -> BigInt {
        let (quotient, rest) = (&self.0 / &self.1, &self.0 % &self.1);
        if rest < BigInt::from(0) { quotient - 1 } else { quotient }
    }

    fn expr(&self) -> Expr {
        op(Op::Divide, &[&big(&self.0, REAL), &big(&self.1, REAL)], REAL)
    }
}

fn random_integer(random: &mut SplitMix64) -> BigInt {
    let small = BigInt::from(random.below(20) as i64 - 8);
    match random.below(4) {
        0 => small,
        1 => BigInt::from((1_i64 << 31) - 3) + small,
        2 => BigInt::from(-(1_i64 << 30)) + small,
        _ => BigInt::from(random.next_u64()) * BigInt::from(random.next_u64() as i64),
    }
}

#[test]
fn numbers() {
    let mut random = seeded();
    let data = Spec::default().data();
    let same = |one: &Expr, other: &Expr| {
        assert_eq!(eval(&data, one), eval(&data, other), "{}", data.spec().show(one))
    };
    for _ in 0..3_000 {
        let (a, b) = (random_integer(&mut random), random_integer(&mut random));
        let (x, y) = (big(&a, INT), big(&b, INT));
        same(&op(Op::Plus, &[&x, &y], INT), &big(&(&a + &b), INT));
        same(&op(Op::Minus, &[&x, &y], INT), &big(&(&a - &b), INT));
        same(&op(Op::Times, &[&x, &y], INT), &big(&(&a * &b), INT));
        same(&op(Op::Max, &[&x, &y], INT), &big((&a).max(&b), INT));
        same(&op(Op::Min, &[&x, &y], INT), &big((&a).min(&b), INT));
        same(&op(Op::Negate, &[&x], INT), &big(&-&a, INT));
        same(&op(Op::Succ, &[&x], INT), &big(&(&a + 1), INT));
        same(&op(Op::Pred, &[&x], INT), &big(&(&a - 1), INT));
        same(&op(Op::Less, &[&x, &y], BOOL), &Expr::truth(a < b));
        same(&op(Op::GreaterEqual, &[&x, &y], BOOL), &Expr::truth(a >= b));
        same(&op(Op::Equal, &[&x, &y], BOOL), &Expr::truth(a == b));
        if b > BigInt::from(0) {
            let y = big(&b, POS);
            let quotient = Ratio::new(a.clone(), b.clone()).floor();
            same(&op(Op::Div, &[&x, &y], INT), &big(&quotient, INT));
            same(&op(Op::Mod, &[&x, &y], NAT), &big(&(&a - &b * &quotient), NAT));
        }
        let power = random.below(5);
        same(&op(Op::Power, &[&x, &number(power as i64, NAT)], INT), &big(&a.pow(power as u32), INT));
        if a >= BigInt::from(0) {
            let root = a.sqrt();
            assert!(&root * &root <= a && a < (&root + 1) * (&root + 1));
            same(&op(Op::Sqrt, &[&big(&a, NAT)], NAT), &big(&root, NAT));
        }
        let zero = BigInt::from(0);
        let (c, d) = (random_integer(&mut random), random_integer(&mut random));
        if b == zero || d == zero {
            continue;
        }
        let (r, s) = (Ratio::new(a.clone(), b.clone()), Ratio::new(c.clone(), d.clone()));
        let (x, y) = (op(Op::Divide, &[&big(&a, REAL), &big(&b, REAL)], REAL), s.expr());
        same(&x, &r.expr());
        same(&op(Op::Plus, &[&x, &y], REAL), &Ratio::new(&r.0 * &s.1 + &s.0 * &r.1, &r.1 * &s.1).expr());
        same(&op(Op::Minus, &[&x, &y], REAL), &Ratio::new(&r.0 * &s.1 - &s.0 * &r.1, &r.1 * &s.1).expr());
        same(&op(Op::Times, &[&x, &y], REAL), &Ratio::new(&r.0 * &s.0, &r.1 * &s.1).expr());
        same(&op(Op::Less, &[&x, &y], BOOL), &Expr::truth(&r.0 * &s.1 < &s.0 * &r.1));
        same(&op(Op::LessEqual, &[&x, &y], BOOL), &Expr::truth(&r.0 * &s.1 <= &s.0 * &r.1));
        same(&op(Op::Floor, &[&x], INT), &big(&r.floor(), INT));
        same(&op(Op::Ceil, &[&x], INT), &big(&-Ratio::new(-&r.0, r.1.clone()).floor(), INT));
        let half = Ratio::new(&r.0 * 2 + &r.1, &r.1 * 2);
        same(&op(Op::Round, &[&x], INT), &big(&half.floor(), INT));
    }
}

fn nats(values: impl IntoIterator<Item = u32>) -> Vec<Expr> {
    values.into_iter().map(|value| number(i64::from(value), NAT)).collect()
}

#[test]
fn lists() {
    let mut random = seeded();
    let mut spec = Spec::default();
    let s = sorts(&mut spec);
    let data = spec.data();
    let list = |values: &[u32]| Expr::op(Op::List, nats(values.iter().copied()), s.list);
    let same = |one: &Expr, other: &Expr| {
        assert_eq!(eval(&data, one), eval(&data, other), "{}", data.spec().show(one))
    };
    for _ in 0..1_000 {
        let mut some = || (0..random.below(5)).map(|_| random.below(4) as u32).collect::<Vec<u32>>();
        let (a, b) = (some(), some());
        let (x, y) = (list(&a), list(&b));
        let last = &number(9, NAT);
        same(&op(Op::Concat, &[&x, &y], s.list), &list(&[a.clone(), b.clone()].concat()));
        same(&op(Op::Snoc, &[&x, last], s.list), &list(&[a.clone(), vec![9]].concat()));
        same(&op(Op::Size, &[&x], NAT), &number(a.len() as i64, NAT));
        same(&op(Op::Equal, &[&x, &y], BOOL), &Expr::truth(a == b));
        same(&op(Op::Less, &[&x, &y], BOOL), &Expr::truth(a < b));
        same(&op(Op::LessEqual, &[&x, &y], BOOL), &Expr::truth(a <= b));
        same(&op(Op::In, &[&number(2, NAT), &x], BOOL), &Expr::truth(a.contains(&2)));
        for (at, &value) in a.iter().enumerate() {
            same(&op(Op::ElementAt, &[&x, &number(at as i64, NAT)], NAT), &number(i64::from(value), NAT));
        }
        if let Some((first, rest)) = a.split_first() {
            same(&op(Op::Head, &[&x], NAT), &number(i64::from(*first), NAT));
            same(&op(Op::Tail, &[&x], s.list), &list(rest));
        }
        if let Some((last, rest)) = a.split_last() {
            same(&op(Op::LastElement, &[&x], NAT), &number(i64::from(*last), NAT));
            same(&op(Op::AllButLast, &[&x], s.list), &list(rest));
        }
    }
}

/// A set: those that are in it, or those that are not.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Set(bool, BTreeSet<u32>);

impl Set {
    fn has(&self, value: u32) -> bool {
        self.1.contains(&value) != self.0
    }

    /// By deciding for each number up to 9, and for all others together.
    fn by(decide: impl Fn(u32) -> bool) -> Self {
        let rest = decide(99);
        Self(rest, (0..10).filter(|&value| decide(value) != rest).collect())
    }
}

#[test]
fn sets() {
    let mut random = seeded();
    let mut spec = Spec::default();
    let s = sorts(&mut spec);
    let data = spec.data();
    let literal = |set: &Set| {
        let finite = Expr::op(Op::SetOf, nats(set.1.iter().rev().copied()), s.fset);
        let wide = op(Op::Widen, &[&finite], s.set);
        if set.0 { op(Op::Complement, &[&wide], s.set) } else { wide }
    };
    fn build(random: &mut SplitMix64, s: &Sorts, literal: &dyn Fn(&Set) -> Expr, depth: u32) -> (Expr, Set) {
        if depth == 0 || random.below(5) == 0 {
            let set = Set(random.below(3) == 0, (0..10).filter(|_| random.below(3) == 0).collect());
            return (literal(&set), set);
        }
        let (one, a) = build(random, s, literal, depth - 1);
        let (other, b) = build(random, s, literal, depth - 1);
        let wide = |which: Op| op(which, &[&one, &other], s.set);
        match random.below(4) {
            0 => (wide(Op::Union), Set::by(|x| a.has(x) || b.has(x))),
            1 => (wide(Op::Intersection), Set::by(|x| a.has(x) && b.has(x))),
            2 => (wide(Op::Difference), Set::by(|x| a.has(x) && !b.has(x))),
            _ => (op(Op::Complement, &[&one], s.set), Set::by(|x| !a.has(x))),
        }
    }
    for _ in 0..2_000 {
        let (x, a) = build(&mut random, &s, &literal, 3);
        let (y, b) = build(&mut random, &s, &literal, 2);
        assert_eq!(eval(&data, &x), eval(&data, &literal(&a)), "{} is {a:?}", data.spec().show(&x));
        let check = |which: Op, expected: bool| {
            let expr = op(which, &[&x, &y], BOOL);
            assert_eq!(eval(&data, &expr), Term::truth(expected), "{}", data.spec().show(&expr));
        };
        let all = || (0..10).chain([99]);
        let included = all().all(|value| !a.has(value) || b.has(value));
        check(Op::Equal, a == b);
        check(Op::LessEqual, included);
        check(Op::Less, included && a != b);
        for value in all() {
            let member = op(Op::In, &[&number(i64::from(value), NAT), &x], BOOL);
            assert_eq!(eval(&data, &member), Term::truth(a.has(value)));
        }
        if !a.0 {
            let finite = Expr::op(Op::SetOf, nats(a.1.iter().copied()), s.fset);
            let size = op(Op::Size, &[&finite], NAT);
            assert_eq!(eval(&data, &size), Term(a.1.len() as u32));
        }
    }
}

#[test]
fn bags() {
    let mut random = seeded();
    let mut spec = Spec::default();
    let s = sorts(&mut spec);
    let data = spec.data();
    type Bag = BTreeMap<u32, u32>;
    let literal = |bag: &Bag| {
        let pairs: Vec<Expr> = bag.iter().rev().flat_map(|(&value, &times)| nats([value, times])).collect();
        op(Op::Widen, &[&Expr::op(Op::BagOf, pairs, s.fbag)], s.bag)
    };
    let by = |decide: &dyn Fn(u32) -> u32| -> Bag {
        (0..6).map(|value| (value, decide(value))).filter(|&(_, times)| times > 0).collect()
    };
    for _ in 0..2_000 {
        let mut some = || -> Bag {
            (0..6)
                .map(|value| (value, random.below(6) as u32))
                .filter(|&(_, times)| 0 < times && times < 4)
                .collect()
        };
        let (a, b) = (some(), some());
        let (x, y) = (literal(&a), literal(&b));
        let (of_a, of_b) =
            (|v: u32| a.get(&v).copied().unwrap_or(0), |v: u32| b.get(&v).copied().unwrap_or(0));
        let same = |which: Op, expected: Bag| {
            let expr = op(which, &[&x, &y], s.bag);
            assert_eq!(eval(&data, &expr), eval(&data, &literal(&expected)), "{}", data.spec().show(&expr));
        };
        same(Op::Union, by(&|v| of_a(v) + of_b(v)));
        same(Op::Intersection, by(&|v| of_a(v).min(of_b(v))));
        same(Op::Difference, by(&|v| of_a(v).saturating_sub(of_b(v))));
        let included = (0..6).all(|v| of_a(v) <= of_b(v));
        let truth = |which: Op, expected: bool| {
            assert_eq!(
                eval(&data, &op(which, &[&x, &y], BOOL)),
                Term::truth(expected),
                "{a:?} {which:?} {b:?}"
            );
        };
        truth(Op::Equal, a == b);
        truth(Op::LessEqual, included);
        truth(Op::Less, included && a != b);
        for value in 0..6 {
            let count = op(Op::Count, &[&number(i64::from(value), NAT), &x], NAT);
            assert_eq!(eval(&data, &count), Term(of_a(value)));
        }
        let set = op(Op::ToSet, &[&x], s.set);
        let elements = Expr::op(Op::SetOf, nats(a.keys().copied()), s.fset);
        assert_eq!(eval(&data, &set), eval(&data, &elements));
        let back = op(Op::ToBag, &[&set], s.bag);
        assert_eq!(eval(&data, &back), eval(&data, &literal(&by(&|v| of_a(v).min(1)))));
        // Everything once, but for a few: the complement of a set as a bag.
        let rest = op(Op::ToBag, &[&op(Op::Complement, &[&set], s.set)], s.bag);
        for value in (0..6).chain([50]) {
            let count =
                op(Op::Count, &[&number(i64::from(value), NAT), &op(Op::Union, &[&rest, &y], s.bag)], NAT);
            let expected = u32::from(of_a(value) == 0) + of_b(value);
            assert_eq!(eval(&data, &count), Term(expected), "{a:?} {b:?} {value}");
        }
    }
}

#[test]
fn text() {
    let mut spec = Spec::default();
    let s = sorts(&mut spec);
    let data: Data = spec.data();
    let show = |expr: &Expr| common::show(&data, expr);
    let set = Expr::op(Op::SetOf, nats([3, 1, 2, 1]), s.fset);
    assert_eq!(show(&set), "{1, 2, 3}");
    assert_eq!(show(&op(Op::Complement, &[&op(Op::Widen, &[&set], s.set)], s.set)), "!{1, 2, 3}");
    assert_eq!(show(&Expr::op(Op::BagOf, nats([4, 2, 1, 1]), s.fbag)), "{1: 1, 4: 2}");
    assert_eq!(show(&Expr::op(Op::BagOf, vec![], s.fbag)), "{:}");
    assert_eq!(show(&Expr::op(Op::List, nats([4, 2]), s.list)), "[4, 2]");
    assert_eq!(show(&Expr::op(Op::List, vec![], s.list)), "[]");
    assert_eq!(show(&op(Op::Divide, &[&number(-2, REAL), &number(4, REAL)], REAL)), "-1 / 2");
    assert_eq!(show(&op(Op::Power, &[&number(2, NAT), &number(70, NAT)], NAT)), "1180591620717411303424");
}
