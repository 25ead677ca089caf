//! Many processes that do a step together, under several layers of `allow` and `comm`.

use std::collections::HashSet;
use std::fmt::Write as _;

use base::Source;
use model::{Model, Successors};
use processes::{LinearModel, LinearProcess, linearise};

fn linear(text: &str) -> LinearProcess {
    let source = Source::new("together.mcrl2", text);
    let (spec, _) = lang_mcrl2::read(&source).unwrap_or_else(|problems| panic!("{problems:?}"));
    linearise(spec).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Summands, states and transitions.
fn counts(text: &str) -> (usize, usize, usize) {
    let linear = linear(text);
    let summands = linear.summands.len();
    let model = LinearModel::new(linear, "together", None).unwrap();
    let (mut stepper, mut to) = (model.stepper(), Successors::new(model.initial().len()));
    let (mut seen, mut transitions) = (HashSet::from([model.initial().to_vec()]), 0);
    let mut todo = vec![model.initial().to_vec()];
    while let Some(state) = todo.pop() {
        to.clear();
        stepper.all(&state, &mut to).unwrap();
        transitions += to.len();
        for successor in to.iter().map(|successor| successor.state.to_vec()) {
            if seen.insert(successor.clone()) {
                todo.push(successor);
            }
        }
    }
    (summands, seen.len(), transitions)
}

/// Three nodes, each of two processes that go round in 12 steps at the same pace, so 144^3 ways to do a step
/// together.
#[test]
fn three_nodes_of_many_places_move_together() {
    let (mut left, mut right) = (String::new(), String::new());
    for at in 0..11 {
        let _ = write!(left, "(tick|count({at} + n)) . ");
        let _ = write!(right, "sum m: Nat. (count(m)|tick) . ");
    }
    let text = format!(
        "act tick; count, go, both: Nat;
         proc Left(n: Nat) = {left} sum b: Nat. (count(b)|tick) . Left((n + b) mod 3);
              Right = {right} sum b: Nat. (b < 2) -> (count(b)|tick) . Right;
              Node = allow({{go|tick|tick}}, comm({{count|count -> go}}, Left(0) || Right));
         init hide({{tick}}, allow({{both|tick|tick|tick|tick|tick|tick}},
              comm({{go|go|go -> both}}, Node || Node || Node)));"
    );
    let (summands, states, transitions) = counts(&text);
    // The numbers n of the three nodes are always equal; a round adds 0 or 1.
    assert_eq!((states, transitions), (36, 33 + 6), "{summands} summands");
    assert!(summands < 100, "{summands}");
}

/// Names that could come about in several ways, of which only one is done: 3^12 of them are not looked for.
#[test]
fn what_nobody_does_is_not_looked_for() {
    let (mut acts, mut rules, mut parts, mut whole) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for at in 0..12 {
        acts.push(format!("a{at}, b{at}, c{at}, d{at}, e{at}"));
        rules.push(format!("a{at}|b{at} -> e{at}, c{at}|d{at} -> e{at}"));
        parts.push(format!("a{at} . delta || b{at} . delta"));
        whole.push(format!("e{at}"));
    }
    let text = format!(
        "act {}; init allow({{{}}}, comm({{{}}}, {}));",
        acts.join(", "),
        whole.join("|"),
        rules.join(", "),
        parts.join(" || ")
    );
    assert_eq!(counts(&text), (1, 2, 1));
}
