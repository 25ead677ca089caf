//! Expressions as deep as a text may be, and values that are deeper.

mod common;

use common::{BOOL, NAT, Spec, nat, op};
use terms::{EvalFault, Expr, Kind, Op, Term, VarPlaces};

/// The parsers refuse what is nested deeper.
const DEEP: usize = 2_000;

/// On a thread with the stack that a worker has.
fn on_a_thread(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn expressions_as_deep_as_texts() {
    on_a_thread(|| {
        let mut spec = Spec::default();
        let list = spec.list(NAT);
        let f = spec.map("f", &[NAT], NAT);
        let ((x, xe), (b, be)) = (spec.var("x", NAT), spec.var("b", BOOL));
        spec.eq(&spec.call(f, &[&xe]), &op(Op::Plus, &[&xe, &nat(1)], NAT));
        let deep =
            |start: &Expr, step: &dyn Fn(&Expr) -> Expr| (0..DEEP).fold(start.clone(), |expr, _| step(&expr));
        let calls = deep(&xe, &|expr| spec.call(f, &[expr]));
        let sums = deep(&xe, &|expr| op(Op::Plus, &[expr, &xe], NAT));
        let right = deep(&xe, &|expr| op(Op::Plus, &[&xe, expr], NAT));
        let choices = deep(&xe, &|expr| op(Op::If, &[&be, expr, &nat(3)], NAT));
        let tests = deep(&be, &|expr| op(Op::If, &[expr, &be, &Expr::truth(false)], BOOL));
        let ands = deep(&be, &|expr| op(Op::And, &[expr, &be], BOOL));
        let nots = deep(&be, &|expr| op(Op::Not, &[expr], BOOL));
        let cells = deep(&op(Op::List, &[], list), &|expr| op(Op::Cons, &[&xe, expr], list));
        let data = spec.data();
        let places: VarPlaces = [x, b].into_iter().collect();
        let expected = [
            (&calls, Term(5 + DEEP as u32)),
            (&sums, Term(5 * (1 + DEEP as u32))),
            (&right, Term(5 * (1 + DEEP as u32))),
            (&choices, Term(5)),
            (&tests, Term::TRUE),
            (&ands, Term::TRUE),
            (&nots, Term::TRUE),
        ];
        let mut evaluator = data.evaluator();
        for (expr, expected) in expected {
            let simple = data.simplify(expr);
            for expr in [expr, &simple] {
                let code = data.compile(expr, &places).unwrap();
                assert_eq!(evaluator.eval(&code, &[Term(5), Term::TRUE]), Ok(expected));
            }
        }
        let size = op(Op::Size, &[&cells], NAT);
        let code = data.compile(&size, &places).unwrap();
        assert_eq!(evaluator.eval(&code, &[Term(5), Term::TRUE]), Ok(Term(DEEP as u32)));
        let quantified = Expr::new(
            Kind::Exists(Box::new([x]), op(Op::Equal, &[&sums, &nat(DEEP as i64 + 1)], BOOL)),
            BOOL,
        );
        let code = data.compile(&quantified, &places).unwrap();
        assert_eq!(evaluator.eval(&code, &[Term(0), Term::TRUE]), Ok(Term::TRUE));
    });
}

#[test]
fn quantifiers_inside_quantifiers() {
    on_a_thread(|| {
        let mut spec = Spec::default();
        let f = spec.map("f", &[NAT], BOOL);
        let ((_, n), (b, be)) = (spec.var("n", NAT), spec.var("b", BOOL));
        let less = op(Op::Number, &[&op(Op::Minus, &[&n, &nat(1)], terms::SortIx::INT)], NAT);
        let body = op(Op::And, &[&be, &spec.call(f, &[&less])], BOOL);
        spec.eq(&spec.call(f, &[&nat(0)]), &Expr::truth(true));
        spec.eq(&spec.call(f, &[&n]), &Expr::new(Kind::Exists(Box::new([b]), body), BOOL));
        let (few, many) = (spec.call(f, &[&nat(20)]), spec.call(f, &[&nat(100_000)]));
        let data = spec.data();
        assert_eq!(common::eval(&data, &few), Term::TRUE);
        assert!(matches!(data.evaluate(&many), Ok(Err(EvalFault::TooDeep { .. }))));
    });
}

#[test]
fn values_deeper_than_any_text() {
    on_a_thread(|| {
        let mut spec = Spec::default();
        let sort = spec.sort("N");
        let (zero, succ) = (spec.cons("z", &[], sort), spec.cons("s", &[sort], sort));
        let tower = spec.map("tower", &[NAT], sort);
        let (_, n) = spec.var("n", NAT);
        spec.eq(&spec.call(tower, &[&nat(0)]), &spec.call(zero, &[]));
        let less = op(Op::Number, &[&op(Op::Minus, &[&n, &nat(1)], terms::SortIx::INT)], NAT);
        spec.eq(&spec.call(tower, &[&n]), &spec.call(succ, &[&spec.call(tower, &[&less])]));
        let height = 300_000;
        let (one, other) = (spec.call(tower, &[&nat(height)]), spec.call(tower, &[&nat(height + 1)]));
        let less = op(Op::Less, &[&one, &other], BOOL);
        let equal = op(Op::Equal, &[&one, &other], BOOL);
        let set = spec.0.sorts.add(terms::Sort::FSet(sort));
        let both = op(Op::Size, &[&op(Op::SetOf, &[&other, &one, &one], set)], NAT);
        let data = spec.data();
        assert_eq!(common::eval(&data, &less), Term::TRUE);
        assert_eq!(common::eval(&data, &equal), Term::FALSE);
        assert_eq!(common::eval(&data, &both), Term(2));
        let shown = common::show(&data, &one);
        assert_eq!(shown.len(), 3 * height as usize + 1);
        assert_eq!(data.express(common::eval(&data, &one), sort), None);
    });
}

/// Few steps, each of them longer than all before it.
#[test]
fn numbers_that_grow_without_end() {
    for factor in [None, Some(3)] {
        let mut spec = Spec::default();
        let f = spec.map("f", &[NAT], NAT);
        let (_, xe) = spec.var("x", NAT);
        let larger = op(Op::Times, &[&xe, &factor.map_or(xe.clone(), nat)], NAT);
        spec.eq(&spec.call(f, &[&xe]), &spec.call(f, &[&larger]));
        let endless = spec.call(f, &[&nat(3)]);
        let data = spec.data();
        let code = data.compile(&endless, &VarPlaces::new()).unwrap();
        let mut evaluator = data.evaluator();
        let asked = std::sync::atomic::AtomicU32::new(0);
        let ask = move |_: u64| asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 20;
        evaluator.heed(std::sync::Arc::new(ask));
        let fault = evaluator.eval(&code, &[]).unwrap_err();
        assert!(matches!(fault, EvalFault::NumberTooLarge { .. } | EvalFault::Interrupted), "{fault}");
    }
}
