//! µCRL from outside: models, and their twins in mCRL2.

mod common;

use common::{Scratch, pinscher};

const RELAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/relay.mcrl");

/// The relay of the example in mCRL2, with that language's own lists.
const RELAY_TWIN: &str = "
sort Num = struct one | two | three;
map next: Num -> Num;
eqn next(one) = two; next(two) = three; next(three) = one;
act send, take, in', give, get, out, good, missed: Num; kick;
proc Sender(n: Num) = send(n) . Sender(next(n));
     Relay(q: List(Num)) =
         (#q < 2) -> sum n: Num . take(n) . Relay(n |> q)
       + (q != []) -> give(rhead(q)) . Relay(rtail(q))
       + (q != []) -> kick . Relay([]);
     Receiver(n: Num) = sum m: Num . get(m) . ((n == m) -> good(m) <> missed(n)) . Receiver(next(m));
init hide({in', out}, allow({in', out, good, missed, kick}, comm({send|take -> in', give|get -> out},
       Sender(one) || Relay([]) || Receiver(one))));
";

/// Sizes before and after reduction.
fn sizes(file: &str) -> (String, String) {
    let report = pinscher(&["reduce", file, "--json"]).exits(0).json();
    (report["before"].to_string(), report["after"].to_string())
}

/// Whether two models have the same transition system modulo strong bisimilarity.
fn agree(scratch: &Scratch, one: &str, other: &str) -> bool {
    let read = |model: &str, name: &str| {
        let file = scratch.path().join(name);
        pinscher(&["lts", model, "-o", file.to_str().unwrap(), "--quiet"]).exits(0);
        let text = std::fs::read(file).unwrap();
        lts::aut::read(&mut &*text, u64::MAX).unwrap()
    };
    lts::strong::bisimilar(&read(one, "one.aut"), &read(other, "other.aut"), &mut || false).unwrap()
}

#[test]
fn the_relay_is_what_its_twin_is() {
    let scratch = Scratch::new();
    let twin = scratch.file("relay.mcrl2", RELAY_TWIN);
    assert_eq!(sizes(RELAY).1, sizes(&twin).1);
    assert!(agree(&scratch, RELAY, &twin));
    let other = scratch.file("other.mcrl2", RELAY_TWIN.replace("#q < 2", "#q < 3"));
    assert!(!agree(&scratch, RELAY, &other));
    let counts = |engine: &str| {
        let report = pinscher(&["count", RELAY, "--engine", engine, "--check-matrices", "--json"]).exits(0).json();
        (report["states"].clone(), report["transitions"].clone(), report["deadlocks"].clone())
    };
    assert_eq!(counts("explicit"), counts("symbolic"));
    let run = pinscher(&["check", RELAY, "--action", "missed*"]).exits(1);
    assert!(run.out.contains("missed(two)") || run.out.contains("missed(one)"), "{}", run.out);
}

#[test]
fn communication_is_between_two_and_again_with_a_third() {
    let scratch = Scratch::new();
    let count = |text: &str| {
        let report = pinscher(&["count", &scratch.file("c.mcrl", text), "--json"]).exits(0).json();
        (report["states"].as_str().unwrap().to_owned(), report["transitions"].as_str().unwrap().to_owned())
    };
    // Two that can go alone or together; then together only; then not at all.
    let two = "act a b c comm a|b=c ";
    assert_eq!(count(&format!("{two} init a.delta||b.delta")), ("4".into(), "5".into()));
    assert_eq!(count(&format!("{two} init encap({{a,b}},a.delta||b.delta)")), ("2".into(), "1".into()));
    assert_eq!(count(&format!("{two} init encap({{a,b,c}},a.delta||b.delta)")), ("1".into(), "0".into()));
    // Three: e is a, b and d together, however the parts are put in parentheses.
    let three = "act a b c d e f comm a|b=c c|d=e b|d=f a|f=e ";
    for together in ["a.delta||b.delta||d.delta", "(a.delta||b.delta)||d.delta", "a.delta||(b.delta||d.delta)"] {
        let found = count(&format!("{three} init encap({{a,b,c,d,f}},{together})"));
        assert_eq!(found, ("2".into(), "1".into()), "{together}");
    }
}

#[test]
fn what_a_model_lacks_is_told_with_its_place() {
    let scratch = Scratch::new();
    let file = scratch.file("bad.mcrl", "act a\nproc X = a.Y\ninit X");
    let run = pinscher(&["count", &file]).exits(2);
    assert!(run.err.contains("bad.mcrl:2:12") && run.err.contains("no action or process `Y`"), "{}", run.err);
}
