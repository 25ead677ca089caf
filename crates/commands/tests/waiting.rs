//! Who waits for what, and for whom, as guards of commands tell.

use base::Source;
use model::waiting::{Reason, Waiting};
use model::{Successors, Value};

/// The only state without successors that can be reached, and what waits there.
fn stuck(text: &str) -> Waiting {
    let source = std::sync::Arc::new(Source::new("stuck.dve", text));
    let model = lang_dve::load(source).unwrap().model;
    let mut stepper = model.stepper();
    let mut found = Successors::new(model.initial().len());
    let mut states: Vec<Vec<Value>> = vec![model.initial().to_vec()];
    let mut stuck = None;
    let mut next = 0;
    while next < states.len() {
        found.clear();
        stepper.all(&states[next], &mut found).unwrap();
        if found.is_empty() {
            assert_eq!(stuck.replace(next), None, "one such state");
        }
        for step in found.iter() {
            if !states.iter().any(|state| state == step.state) {
                states.push(step.state.to_vec());
            }
        }
        next += 1;
    }
    model.waiting(&states[stuck.expect("a state without successors")])
}

fn names(waiting: &Waiting, numbers: &[usize]) -> Vec<String> {
    numbers.iter().map(|&number| waiting.waiters[number].name.clone()).collect()
}

/// Two locks taken in different order; a third process that only looks, and one that is done.
const LOCKS: &str = "byte x, y;
process A { state p, q, r; init p;
  trans p -> q { guard x == 0; effect x = 1; }, q -> r { guard y == 0; effect y = 1; },
        r -> p { effect x = 0, y = 0; }; }
process B { state p, q, r; init p;
  trans p -> q { guard y == 0; effect y = 1; }, q -> r { guard x == 0; effect x = 1; },
        r -> p { effect x = 0, y = 0; }; }
process Looks { state p, q; init p; trans p -> q { guard x == 1 && y == 1; }, q -> q { guard x == 0 && y == 0; }; }
process Done { state p, q; init p; trans p -> q { }; }
system async;
";

#[test]
fn locks_in_different_order_make_a_cycle() {
    let waiting = stuck(LOCKS);
    let by_name = |name: &str| waiting.waiters.iter().find(|waiter| waiter.name == name).unwrap();
    assert_eq!(names(&waiting, &by_name("A").waits_for), ["B"]);
    assert_eq!(names(&waiting, &by_name("B").waits_for), ["A"]);
    // Who only looks waits for those who would give back, and nobody waits for it.
    assert_eq!(names(&waiting, &by_name("Looks").waits_for), ["A", "B"]);
    assert_eq!(by_name("Done").statements, []);
    assert_eq!(by_name("Done").place.as_deref(), Some("q"));
    let cycles: Vec<_> = waiting.cycles().iter().map(|cycle| names(&waiting, cycle)).collect();
    assert_eq!(cycles, [["A", "B"]]);
    let both = &by_name("Looks").statements[0];
    let told = |reason: &Reason| match reason {
        Reason::False { condition, values } => format!("{condition}: {values:?}"),
        other => panic!("{other:?}"),
    };
    let told: Vec<String> = both.reasons.iter().map(told).collect();
    assert_eq!(told, [r#"x == 0: [("x", "1")]"#, r#"y == 0: [("y", "1")]"#]);
}

#[test]
fn channels_are_full_or_empty() {
    let waiting = stuck(
        "channel {byte} c[2]; channel {byte} d[2];
process Fills { state p; init p; trans p -> p { sync c!1; }; }
process Takes { state p; byte v; init p; trans p -> p { sync d?v; }; }
process Helps { state p; init p; trans p -> p { sync c!1; }; }
system async;
",
    );
    let reasons: Vec<&Reason> =
        waiting.waiters.iter().flat_map(|waiter| &waiter.statements[0].reasons).collect();
    let full = Reason::Full { channel: "c".into(), messages: 2 };
    assert_eq!(reasons, [&full, &Reason::Empty { channel: "d".into() }, &full]);
    // Nobody takes from the one or fills the other: who would fill the full one more is no help.
    assert!(waiting.waiters.iter().all(|waiter| waiter.waits_for.is_empty()), "{waiting:?}");
}

#[test]
fn nobody_waits_for_who_has_nothing_left_to_do() {
    // Only `Ended` would change x, and it does so no more; `Alive` would change y.
    let waiting = stuck(
        "byte x, y, z;
process Ended { state p, q; init q; trans p -> q { effect x = 1; }; }
process Alive { state p, q, r; init p; trans p -> q { guard z == 1; }, q -> r { effect y = 1; }; }
process One { state p, q; init p; trans p -> q { guard x == 1; }; }
process Two { state p, q; init p; trans p -> q { guard y == 1; }; }
system async;
",
    );
    let waits: Vec<_> = waiting.waiters.iter().map(|waiter| names(&waiting, &waiter.waits_for)).collect();
    assert_eq!(waits, [vec![], vec![], vec![], vec!["Alive".to_owned()]]);
}
