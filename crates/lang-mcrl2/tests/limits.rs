//! A limit of the tool is no error of the model.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use base::Source;
use model::{EvalError, EvalErrorKind, StopSignal, Successors};

/// The actions of the first steps, sorted.
fn first_steps(text: &str, stop: Option<&StopSignal>) -> Result<Vec<String>, EvalError> {
    let source = Arc::new(Source::new("limits.mcrl2", text));
    let loaded = lang_mcrl2::load(source).unwrap_or_else(|problems| panic!("{problems:?}"));
    let model = loaded.model;
    let (mut stepper, mut to) = (model.stepper(), Successors::new(model.initial().len()));
    if let Some(stop) = stop {
        stepper.heed(stop);
    }
    stepper.all(model.initial(), &mut to)?;
    let mut shown: Vec<String> =
        to.iter().map(|step| model.signature().show_action(step.action).into_owned()).collect();
    shown.sort();
    Ok(shown)
}

fn steps(text: &str) -> Vec<String> {
    first_steps(text, None).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn what_a_polynomial_decides_is_found() {
    let cubic = "act a: Nat; init sum n: Nat . (exp(n,3) - 6*n*n + 11*n == 6) -> a(n) . delta;";
    assert_eq!(steps(cubic), ["a(1)", "a(2)", "a(3)"]);
    let square = "act a: Pos; init sum p: Pos . (p*p == 2*p + 15) -> a(p) . delta;";
    assert_eq!(steps(square), ["a(5)"]);
}

#[test]
fn limits_are_told_as_such() {
    for (text, why) in [
        ("act a: Nat; init a(exp(2, 100000000)) . delta;", "a number has more than 16777216 bits"),
        ("act a: Nat; init sum n: Nat . a(n) . delta;", "infinitely many solutions"),
        ("sort D; act a: D; init sum d: D . a(d) . delta;", "`D` has no constructors"),
        (
            "act a: Nat; init sum n, m: Nat . (n*n*m == m*m + n && n > 3) -> a(n) . delta;",
            "infinitely many solutions, or they cannot be found",
        ),
        (
            "act a; proc P(s: Set(Nat)) = (s == {n: Nat | n > 4}) -> a . P(); init P({n: Nat | n > 3});",
            "cannot be decided",
        ),
        (&sets_of_many(), "`FSet(D)` has too many values to try each of them for `s`"),
    ] {
        let error = first_steps(text, None).expect_err(text);
        assert!(error.is_limit() && matches!(error.kind, EvalErrorKind::Limit(_)), "{text}: {error:?}");
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.span.is_some(), "{text}");
    }
}

/// A sum over the sets of 40 values.
fn sets_of_many() -> String {
    let values: Vec<String> = (0..40).map(|at| format!("d{at}")).collect();
    format!("sort D = struct {}; act a; init sum s: FSet(D) . (#s == 2) -> a . delta;", values.join(" | "))
}

/// What the equations leave open is the model's own.
#[test]
fn a_condition_without_equations_is_an_error_of_the_model() {
    for text in [
        "map f: Nat -> Bool; act a; init f(3) -> a . delta;",
        "act a; proc P(l: List(Nat)) = (head(l) == 3) -> a . P(); init P([]);",
    ] {
        let error = first_steps(text, None).expect_err(text);
        assert!(!error.is_limit(), "{text}: {error:?}");
    }
}

/// The clock is a number of questions: no machine is too slow for it.
#[test]
fn a_long_evaluation_is_interrupted_in_its_middle() {
    const SLOW: &str = "map fib: Nat -> Nat; var n: Nat;
        eqn (n < 2) -> fib(n) = n; (n >= 2) -> fib(n) = fib(Int2Nat(n - 1)) + fib(Int2Nat(n - 2));
        act a: Nat; proc P(n: Nat) = a(fib(n)) . P(); init P(";
    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    let patient: StopSignal = Arc::new(move |_| {
        count.fetch_add(1, Relaxed);
        false
    });
    assert_eq!(first_steps(&format!("{SLOW}30);"), Some(&patient)).unwrap(), ["a(832040)"]);
    assert!(asked.load(Relaxed) > 0);
    let tired = AtomicU32::new(0);
    let tired: StopSignal = Arc::new(move |_| tired.fetch_add(1, Relaxed) >= 3);
    let error = first_steps(&format!("{SLOW}90);"), Some(&tired)).unwrap_err();
    assert_eq!(error.kind, EvalErrorKind::Interrupted);
}
