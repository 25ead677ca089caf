//! Why there is no step: after a run to a deadlock, and where a simulation stands still.

mod common;

use common::{Scratch, WORKER, pinscher, pinscher_with};
use serde_json::{Value, json};

fn philosophers() -> String {
    format!("{}/../../models/philosophers.5.dve", env!("CARGO_MANIFEST_DIR"))
}

/// What is said below the last state of a run to a deadlock.
fn why(arguments: &[&str]) -> String {
    let out = pinscher(&[&["check"], arguments].concat()).exits(1).out;
    let (_, why) =
        out.split_once("  why there is no step\n").unwrap_or_else(|| panic!("nothing told: {out}"));
    why.to_owned()
}

fn told(arguments: &[&str]) -> Value {
    let report = pinscher(&[&["check", "--json"], arguments].concat()).exits(1).json();
    report["properties"][0]["witness"]["waiting"].clone()
}

#[test]
fn philosophers_wait_in_a_circle() {
    // Layers have slots of their own order; what is told is in the words of the model below them.
    for extra in [&[][..], &["--engine", "symbolic", "--reorder", "reverse"]] {
        let why = why(&[&[philosophers().as_str()], extra].concat());
        for line in [
            "         Philosopher(0) at hungry waits: hungry->eating (philosophers.5.dve:13): taken[1] == 0 is false \
             (taken[1] = 1)\n",
            "         Philosopher(4) waits for Philosopher(0)\n",
            "  a cycle of waiting: Philosopher(0) → Philosopher(1) → Philosopher(2) → Philosopher(3) → \
             Philosopher(4) → Philosopher(0)\n",
        ] {
            assert!(why.contains(line), "{line}: {why}");
        }
        assert!(why.lines().count() <= 20, "{why}");
    }
}

/// The consumer waits before it takes a second message, and so the channel stays full; the third process waits
/// for a message that the consumer would hand over later.
const FULL: &str = "#define SIZE 2
chan q = [SIZE] of { byte };
chan ack = [0] of { byte };
byte count;
active proctype Producer() { do :: q!7; count++ :: count > 20 -> break od }
active proctype Consumer() {
  byte m;
  q?m;
  (count < 1);
  ack!m
}
active proctype Third() { byte x; ack?x }
active proctype Brief() { skip }
";

#[test]
fn processes_wait_for_channels_conditions_and_partners() {
    let scratch = Scratch::new();
    let model = scratch.file("full.pml", FULL);
    let why = why(&[&model]);
    for line in [
        "           q!7 (full.pml:5): channel q is full (2 messages)\n",
        "           count > 20 (full.pml:5): false (count = 3)\n",
        "         Consumer[1] at line 9 waits: (count < 1) (full.pml:9): false (count = 3)\n",
        "         Third[2] at line 12 waits: ack?x (full.pml:12): partner Consumer[1] is at line 9, not at line 10\n",
        "         Third[2] waits for Consumer[1]\n",
        "  a cycle of waiting: Producer[0] → Consumer[1] → Producer[0]\n",
    ] {
        assert!(why.contains(line), "{line}: {why}");
    }
    assert_eq!(why.matches("a cycle").count(), 1, "{why}");
    let waiting = told(&[&model]);
    assert_eq!(waiting["cycles"], json!([["Producer[0]", "Consumer[1]"]]));
    let kinds = |waiter: usize, statement: usize| {
        waiting["waiters"][waiter]["statements"][statement]["reasons"][0]["kind"].clone()
    };
    assert_eq!([kinds(0, 0), kinds(0, 1), kinds(2, 0)], ["full", "condition", "partner"]);
    assert_eq!(waiting["waiters"][2]["waits_for"], json!(["Consumer[1]"]));
}

#[test]
fn a_process_that_has_ended_waits_for_nobody() {
    let scratch = Scratch::new();
    let text = "chan q = [1] of { byte };\nactive proctype Reader() { byte m; q?m }\nactive proctype Brief() { skip }\n\
                active proctype Late() { byte m; q?m }\n";
    let why = why(&[&scratch.file("ended.pml", text)]);
    assert!(why.contains("Reader[0] at line 2 waits: q?m (ended.pml:2): channel q is empty\n"), "{why}");
    assert!(why.contains("Brief[1] at -end- has come to its end\n"), "{why}");
    assert!(!why.contains(" waits for ") && !why.contains("a cycle"), "{why}");
}

#[test]
fn of_an_array_the_cell_is_told_that_matters() {
    let scratch = Scratch::new();
    let text = "byte a[9];\nbyte other;\nactive proctype P() { byte i = 3; (a[i] + other == 2) }\n";
    let why = why(&[&scratch.file("cells.pml", text)]);
    assert!(why.contains("a[3] = 0") && why.contains("P[0].i = 3") && !why.contains("a[4]"), "{why}");
}

#[test]
fn two_sides_of_a_synchronisation_wait_for_each_other() {
    let scratch = Scratch::new();
    let text = "channel c, d;\nprocess A { state p, q; init p; trans p -> q { sync c!; }, q -> p { sync d?; }; }\n\
                process B { state r, s; init r; trans r -> s { sync d!; }, s -> r { sync c?; }; }\nsystem async;\n";
    let why = why(&[&scratch.file("cross.dve", text)]);
    assert!(why.contains("(cross.dve:2): partner B is at r, not at s\n"), "{why}");
    assert!(why.contains("  a cycle of waiting: A → B → A\n"), "{why}");
}

const NET: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="a"><initialMarking><text>1</text></initialMarking></place><place id="b"/>
<transition id="t"/>
<transition id="u"/>
<arc id="1" source="a" target="t"/><arc id="2" source="t" target="b"/>
<arc id="3" source="b" target="u"><inscription><text>3</text></inscription></arc>
</page></net></pnml>
"#;

#[test]
fn transitions_lack_tokens() {
    let scratch = Scratch::new();
    let net = scratch.file("net.pnml", NET);
    let why = why(&[&net, "--deadlock"]);
    let lines = "         t (net.pnml:4): place a lacks 1 token (has 0 of 1)\n         \
                 u (net.pnml:5): place b lacks 2 tokens (has 1 of 3)\n";
    assert_eq!(why, lines);
    let waiting = told(&[&net, "--deadlock"]);
    assert_eq!(waiting["waiters"][1]["statements"][0]["reasons"][0]["tokens"], 2);
    assert_eq!((&waiting["waiters"][1]["at"], &waiting["others"]), (&Value::Null, &0.into()));
}

#[test]
fn conditions_of_actions_are_told() {
    let scratch = Scratch::new();
    let text = "act put, get, pass: Nat;\nproc P = put(0) . P;\n     Q(m: Nat) = (m < 3) -> get(m) . Q(m + 1);\n\
                init allow({pass}, comm({put|get -> pass}, P || Q(0)));\n";
    let why = why(&[&scratch.file("once.mcrl2", text), "--deadlock"]);
    assert!(why.contains("pass(0)") && why.contains("0 == Q.m is false (Q.m = 1)\n"), "{why}");
}

#[test]
fn a_simulation_says_why_it_stands_still() {
    let scratch = Scratch::new();
    let text = "chan q = [1] of { byte };\nactive proctype P() { byte m; q?m }\n";
    let out = pinscher_with(&["simulate", &scratch.file("stuck.pml", text)], "q\n").exits(0).out;
    let told = "  no step is possible: a deadlock\n  why there is no step\n         P[0] at line 2 waits: q?m \
                (stuck.pml:2): channel q is empty\n";
    assert!(out.contains(told), "{out}");
    // Where it is fine to stop nobody asks why.
    let ended = scratch.file("ended.pml", "active proctype P() { skip }\n");
    let out = pinscher_with(&["simulate", &ended], "r 9\nq\n").exits(0).out;
    assert!(out.contains("fine to stop here") && !out.contains("why there is no step"), "{out}");
}

#[test]
fn a_model_without_guards_tells_what_it_can() {
    let scratch = Scratch::new();
    let out = pinscher(&["check", &scratch.file("worker.etf", WORKER)]).exits(1).out;
    assert!(out.contains("deadlock"), "{out}");
}
