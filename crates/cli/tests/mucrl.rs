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
        let report =
            pinscher(&["count", RELAY, "--engine", engine, "--check-matrices", "--json"]).exits(0).json();
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
    for together in
        ["a.delta||b.delta||d.delta", "(a.delta||b.delta)||d.delta", "a.delta||(b.delta||d.delta)"]
    {
        let found = count(&format!("{three} init encap({{a,b,c,d,f}},{together})"));
        assert_eq!(found, ("2".into(), "1".into()), "{together}");
    }
}

/// `||_` gives the first step to the left one, `|` to both together; after that both are `||`.
#[test]
fn merges_that_say_who_begins() {
    let scratch = Scratch::new();
    let count = |text: &str| {
        let text = format!(
            "sort D func d,e:->D act a,b,c,x,y:D stop comm a|b=c proc P=a(d).x(d).delta Q=b(d).y(d).delta {text}"
        );
        let report = pinscher(&["count", &scratch.file("m.mcrl", text), "--json"]).exits(0).json();
        let number = |name: &str| report[name].as_str().unwrap().parse::<u32>().unwrap();
        (number("states"), number("transitions"))
    };
    // The left one does `a` first: all of P || Q but what begins with Q or with both.
    assert_eq!(count("init P||Q"), (9, 13));
    assert_eq!(count("init P||_Q"), (7, 8));
    // Together they begin with `c`, then x and y in any order.
    assert_eq!(count("init P|Q"), (5, 5));
    assert_eq!(count("init encap({a,b},P||Q)"), (5, 5));
    // Three do not come together, and data must be the same.
    assert_eq!(count("init P|Q|P"), (1, 0));
    assert_eq!(count("init a(d)|b(e)"), (1, 0));
    assert_eq!(count("proc Z=(a(d)|b(d)).Z init Z"), (1, 1));
    assert_eq!(count("proc Z=(sum(z:D,a(z).x(z))|sum(z:D,b(z))).Z init Z"), (3, 4));
    assert_eq!(count("proc Z=P|Q init encap({stop},Z)"), (5, 5));
    assert_eq!(count("proc Z=P||_Q init hide({stop},Z)"), (7, 8));
    // What would start ever more processes has no linear form.
    let file = scratch.file("bad.mcrl", "act a b c comm a|b=c proc X=a.X init a.(X||_X)");
    assert!(pinscher(&["count", &file]).exits(2).err.contains("`||_` is inside a sequence"));
    let file = scratch.file("bad.mcrl", "act a b c comm a|b=c proc X=a.X Y=b.Y Z=a.(X|Y) init Z");
    assert!(pinscher(&["count", &file]).exits(2).err.contains("two processes that go on are synchronised"));
}

#[test]
fn what_a_model_lacks_is_told_with_its_place() {
    let scratch = Scratch::new();
    let file = scratch.file("bad.mcrl", "act a\nproc X = a.Y\ninit X");
    let run = pinscher(&["count", &file]).exits(2);
    assert!(run.err.contains("bad.mcrl:2:12") && run.err.contains("no action or process `Y`"), "{}", run.err);
}
