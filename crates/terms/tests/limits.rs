//! Limits: an evaluation that takes long asks whether to stop, and what is a limit and what is not.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use common::{BOOL, INT, NAT, Spec, nat, op};
use terms::{Data, EvalFault, Expr, Kind, Op, Sort, StoreFull, Term, VarPlaces};

/// fib(n), as slow as can be.
fn fibonacci(n: u32) -> (Data, terms::Code) {
    let mut spec = Spec::default();
    let fib = spec.map("fib", &[NAT], NAT);
    let (_, x) = spec.var("x", NAT);
    let before = |by: i64| op(Op::Number, &[&op(Op::Minus, &[&x, &nat(by)], INT)], NAT);
    spec.eq_if(Some(&op(Op::Less, &[&x, &nat(2)], BOOL)), &spec.call(fib, &[&x]), &x);
    let both = op(Op::Plus, &[&spec.call(fib, &[&before(1)]), &spec.call(fib, &[&before(2)])], NAT);
    spec.eq(&spec.call(fib, &[&x]), &both);
    let call = spec.call(fib, &[&nat(n.into())]);
    let data = spec.data();
    let code = data.compile(&call, &VarPlaces::new()).unwrap();
    (data, code)
}

#[test]
fn a_long_evaluation_asks_whether_to_stop() {
    let (data, code) = fibonacci(27);
    let mut evaluator = data.evaluator();
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    evaluator.heed(Arc::new(move |bytes| {
        assert!(bytes > 0);
        count.fetch_add(1, Relaxed);
        false
    }));
    assert_eq!(evaluator.eval(&code, &[]), Ok(Term(196_418)));
    // 832,040 calls; each slice of steps has a question at its end.
    let often = asked.load(Relaxed);
    assert!((4..1000).contains(&often), "{often}");
    // Short evaluations count together: a sum of them asks, too.
    for _ in 0..200_000 {
        evaluator.eval(&fibonacci_of_two(&data), &[]).unwrap();
        if asked.load(Relaxed) > often + 2 {
            break;
        }
    }
    assert!(asked.load(Relaxed) > often + 2, "{}", asked.load(Relaxed));
    // And ends at once when it is told to, every time.
    evaluator.heed(Arc::new(|_| true));
    for _ in 0..3 {
        assert_eq!(evaluator.eval(&code, &[]), Err(EvalFault::Interrupted));
    }
    evaluator.heed(Arc::new(|_| false));
    assert_eq!(evaluator.eval(&code, &[]), Ok(Term(196_418)), "nothing is left of the interruption");
}

fn fibonacci_of_two(data: &Data) -> terms::Code {
    let call = Expr::new(Kind::Call(terms::FunIx(0), Box::new([nat(9)])), NAT);
    data.compile(&call, &VarPlaces::new()).unwrap()
}

#[test]
fn a_sum_over_many_values_asks_whether_to_stop() {
    let mut spec = Spec::default();
    let (n, ne) = spec.var("n", NAT);
    let below = op(Op::Less, &[&ne, &nat(100_000_000)], BOOL);
    let never = op(Op::Equal, &[&op(Op::Mod, &[&ne, &common::number(7, common::POS)], NAT), &nat(9)], BOOL);
    let data = spec.data();
    let places: VarPlaces = [n].into_iter().collect();
    let sum = data.compile_sum(&[n], &[below, never], &places).unwrap();
    let mut evaluator = data.evaluator();
    let asked = AtomicU64::new(0);
    evaluator.heed(Arc::new(move |_| asked.fetch_add(1, Relaxed) == 3));
    let solved = evaluator.solve(&sum, &mut [Term(0)], &mut |_, _| Ok(()));
    assert_eq!(solved, Err(EvalFault::Interrupted));
}

#[test]
fn a_number_that_is_too_large_is_not_an_endless_evaluation() {
    let spec = Spec::default();
    let power = op(Op::Power, &[&nat(2), &nat(100_000_000)], NAT);
    let data = spec.data();
    let fault = data.evaluate(&power).unwrap().unwrap_err();
    assert_eq!(fault.to_string(), "a number has more than 16777216 bits");
}

/// Each fault, and whether it is a limit of the evaluator or what the equations say.
#[test]
fn which_faults_are_limits() {
    let text = String::new;
    let table = [
        (EvalFault::TooLong { function: text() }, true),
        (EvalFault::Interrupted, true),
        (EvalFault::TooDeep { function: text() }, true),
        (EvalFault::from(StoreFull), true),
        (EvalFault::NumberTooLarge { most_bits: 1 }, true),
        (EvalFault::Unbounded { var: text() }, true),
        (EvalFault::TooMany { var: text(), sort: text() }, true),
        (EvalFault::TooManyTried { var: text(), most: 1 }, true),
        (EvalFault::NoConstructors { var: text(), sort: text() }, true),
        (EvalFault::Undecided(Term(0)), false),
        (EvalFault::Stopped, false),
    ];
    for (fault, is_limit) in table {
        assert_eq!(fault.is_limit(), is_limit, "{fault:?}");
    }
}

/// What is in the way of a condition: an equation that is missing, or a comparison that is not computed.
#[test]
fn why_a_condition_is_neither_true_nor_false() {
    let mut spec = Spec::default();
    let list = spec.list(NAT);
    let set = spec.0.sorts.add(Sort::Set(NAT));
    let unknown = spec.map("unknown", &[NAT], BOOL);
    let ((x, xe), (y, ye)) = (spec.var("x", NAT), spec.var("y", NAT));
    let above = |var, least: &Expr| {
        let body = op(Op::Less, &[least, &Expr::var(var, NAT)], BOOL);
        Expr::new(Kind::SetWhere(var, body), set)
    };
    let sets = op(Op::Equal, &[&above(x, &nat(3)), &above(y, &nat(4))], BOOL);
    let empty = op(Op::List, &[], list);
    let head = op(Op::Equal, &[&op(Op::Head, &[&empty], NAT), &nat(3)], BOOL);
    let missing = spec.call(unknown, &[&nat(3)]);
    let both = op(Op::And, &[&sets, &missing], BOOL);
    let data = spec.data();
    for (condition, could) in [(&sets, true), (&head, false), (&missing, false), (&both, false)] {
        let term = common::eval(&data, condition);
        assert!(term != Term::TRUE && term != Term::FALSE, "{}", data.show(term, BOOL));
        assert_eq!(data.could_reduce(term), could, "{}", data.show(term, BOOL));
    }
    drop((xe, ye));
}
