//! Functions as values.

use std::sync::Arc;

use base::Source;
use model::Successors;

/// The actions along the only run, and what the model says it is.
fn run(text: &str) -> Vec<String> {
    let source = Arc::new(Source::new("functions.mcrl2", text));
    let loaded = lang_mcrl2::load(source).unwrap_or_else(|problems| panic!("{problems:?}"));
    let model = loaded.model;
    let (mut state, mut to) = (model.initial().to_vec(), Successors::new(model.initial().len()));
    let (mut stepper, mut shown) = (model.stepper(), Vec::new());
    loop {
        to.clear();
        stepper.all(&state, &mut to).unwrap();
        let Some(step) = to.iter().next() else { return shown };
        shown.push(model.signature().show_action(step.action).into_owned());
        state = step.state.to_vec();
    }
}

/// As mCRL2 takes it: what a lambda binds is not compared with what the updated function is given.
#[test]
fn an_updated_lambda_of_natural_numbers_is_one_of_integers() {
    let text = |function: &str| {
        format!(
            "sort T = struct null | one | two;
             act a: T;
             proc P(f: Int -> T) = a(f(-3)) . a(f(0)) . a(f(1)) . a(f(2)) . delta;
             init P({function});"
        )
    };
    let expected = ["a(null)", "a(one)", "a(two)", "a(null)"];
    assert_eq!(run(&text("(lambda n: Nat. null)[0 -> one][1 -> two]")), expected);
    assert_eq!(run(&text("(lambda n: Pos. null)[0 -> one][1 -> two]")), expected);
    assert_eq!(run(&text("(lambda n: Int. null)[0 -> one][1 -> two]")), expected);
    let lower = run(&text("(lambda n: Nat. if(n == 2, two, null))[-3 -> one][0 -> two][1 -> one]"));
    assert_eq!(lower, ["a(one)", "a(two)", "a(one)", "a(two)"]);
    // Not by itself, and not by a name.
    for refused in ["lambda n: Nat. null", "g[0 -> one]"] {
        let text = text(refused).replace("act", "map g: Nat -> T; act");
        let problems = lang_mcrl2::read(&Source::new("functions.mcrl2", text)).unwrap_err();
        assert!(!problems.is_empty(), "{refused}");
    }
}

/// 256 functions of three truth values, as mCRL2 enumerates them.
#[test]
fn functions_of_several_arguments_are_enumerated() {
    let text = "act a: Bool; proc P = sum f: Bool # Bool # Bool -> Bool .
        (forall x, y, z: Bool . f(x, y, z) == (x && (y || z))) -> a(f(true, false, true)) . delta; init P;";
    assert_eq!(run(text), ["a(true)"]);
}
