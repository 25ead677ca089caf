//! Process algebra rewrites terms, so calls for groups are slow: what engines do to save them if nothing is
//! said.

mod common;

use common::{Scratch, pinscher};

/// A group with two guards, one of them seldom true, that reads two slots of 61 values each: more short
/// vectors than it is asked for as a whole.
const GRID: &str = "
act a, b, both: Nat # Nat;
proc P(x, y: Nat) = (x < 60) -> a(x, 0) . P(x + 1, y) + (y < 60) -> b(0, y) . P(x, y + 1)
    + (x < 3) -> (y < 60) -> both(x, y) . P(x + 1, y + 1);
init P(0, 0);
";

#[test]
fn guards_are_asked_on_their_own_where_groups_are_asked_often() {
    let scratch = Scratch::new();
    let counted = |text: String, words: &[&str]| {
        let model = scratch.file("grid.mcrl2", text);
        let run =
            pinscher(&[&["count", &model, "--engine", "symbolic", "--json"], words].concat()).exits(0).json();
        let calls =
            |key: &str| run["diagrams"][key].as_str().and_then(|calls| calls.parse::<u64>().ok()).unwrap();
        let counts = ["states", "transitions", "deadlocks"].map(|key| run[key].as_str().unwrap().to_owned());
        (counts, calls("next_state_calls"), calls("guard_calls"))
    };
    let (counts, whole, guards) = counted(GRID.to_owned(), &["--split-guards", "off"]);
    assert_eq!((counts.clone(), guards), (["3721", "7500", "1"].map(str::to_owned), 0));
    let (split, fewer, guards) = counted(GRID.to_owned(), &[]);
    assert_eq!(split, counts);
    assert!(guards > 0 && fewer < whole, "{fewer} calls and {guards} of guards, {whole} without");
    // A group that is asked for little is asked as a whole.
    let (_, _, guards) = counted(GRID.replace("60", "6"), &[]);
    assert_eq!(guards, 0);
}
