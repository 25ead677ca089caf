//! Models in Promela and DVE from end to end, with both engines: predicates over data, limits of the tool,
//! texts as they are.

mod common;

use common::{Scratch, pinscher};

const PROMELA: &str = "\
mtype = { ack, nak };
chan q = [2] of { mtype, byte };
chan cs[2] = [1] of { byte };
byte a[3];
proctype W(byte n) { chan mine = [1] of { byte }; byte x; x = n; mine!3 }
active [2] proctype P() { byte x; x = _pid + 1; q!ack,x; cs[_pid]!x; a[x] = x }
init { run W(5) }
";

const DVE: &str = "\
byte a[3] = {1, 2, 3};
channel {byte, int} c[2];
process P {
  byte x; byte own[2];
  state s, t; init s;
  trans s -> t { guard x < 2; sync c!{x + 4, -1}; effect own[x] = 7, x = x + 1; }, t -> s { };
}
system async;
";

/// Asks both engines, which must say the same: whether the invariant holds.
fn holds(model: &str, invariant: &str) -> bool {
    let codes = ["explicit", "symbolic"].map(|engine| {
        let run = pinscher(&["check", model, "--engine", engine, "--invariant", invariant, "--json"]);
        let json = run.json();
        let verdict = json["properties"][0]["verdict"].as_str().unwrap().to_owned();
        assert!(verdict == "holds" || verdict == "violated", "{invariant} by {engine}: {json}");
        verdict
    });
    assert_eq!(codes[0], codes[1], "{invariant}");
    codes[0] == "holds"
}

#[test]
fn predicates_ask_for_the_data_of_a_promela_model() {
    let scratch = Scratch::new();
    let model = scratch.file("data.pml", PROMELA);
    for (invariant, wanted) in [
        ("a[0] == 0", true),
        ("a[1] == 0", false),
        ("a[P(0).x] <= 1", true),
        ("a[P_1.x % 3] != 2", false),
        ("len(q) <= 2", true),
        ("len(q) < 2", false),
        ("nfull(q)", false),
        ("full(q) -> q.1[0] != q[1].1", true),
        ("empty(q) || q.0[0] == ack", true),
        ("q[0].1 != 2", false),
        ("empty(cs[0]) || cs[0][0] == 1", true),
        ("nempty(cs[1]) -> P[1].x != 1", true),
        ("empty(cs[a[1]])", false),
        ("empty(W(3).mine)", false),
        ("W.x == 0 || W.x == 5", true),
    ] {
        assert_eq!(holds(&model, invariant), wanted, "{invariant}");
    }
    let run = pinscher(&["check", &model, "--invariant", "len(qq) < 3"]).exits(2);
    assert!(run.err.contains("--invariant:1:5") && run.err.contains("did you mean `q`"), "{}", run.err);
}

#[test]
fn predicates_ask_for_the_data_of_a_dve_model() {
    let scratch = Scratch::new();
    let model = scratch.file("data.dve", DVE);
    for (invariant, wanted) in [
        ("a[P.x] == P.x + 1", true),
        ("P.own[1] == 0", false),
        ("len(c) == P.x", true),
        ("len(c) == c.count", true),
        ("full(c) -> c.0[1] == 5 && c[0].1 == -1", true),
        ("nfull(c)", false),
        ("P.t -> nempty(c)", true),
    ] {
        assert_eq!(holds(&model, invariant), wanted, "{invariant}");
    }
}

/// A path that never ends cannot be shown, and the assertion that fails on it is not forgotten.
#[test]
fn what_the_tool_cannot_tell_is_unknown() {
    let scratch = Scratch::new();
    for (body, holds) in [
        ("atomic { do :: x = 1 - x od }", false),
        ("atomic { if :: assert(x == 1); do :: x = 1 - x od :: skip fi }", false),
        ("d_step { n = 0; do :: n < 6000000 -> n++ :: else -> break od; n = 0 }", true),
    ] {
        let model = scratch.file("long.pml", format!("byte x; int n; active proctype P() {{ {body} }}"));
        for engine in ["explicit", "symbolic"] {
            let run = pinscher(&["check", &model, "--engine", engine, "--json"]);
            let json = run.exits(if holds { 0 } else { 3 }).json();
            let reason = &json["properties"][0]["reason"];
            assert!(holds || reason == "limit", "{body} by {engine}: {json}");
        }
    }
    // What goes round for ever in a `d_step` is seen to do so.
    let model = scratch.file("endless.pml", "byte x; active proctype P() { d_step { do :: x = 1 - x od } }");
    let run = pinscher(&["check", &model]).exits(1);
    assert!(run.out.contains("a d_step does not end"), "{}", run.out);
}

#[test]
fn models_in_latin_1_are_read_with_a_warning() {
    let scratch = Scratch::new();
    for (name, text) in [("old.pml", PROMELA), ("old.dve", DVE)] {
        let model = scratch.file(name, [&b"/* Pr\xFCfung */\n"[..], text.as_bytes()].concat());
        let run = pinscher(&["count", &model]).exits(0);
        assert!(run.err.contains("read as Latin-1") && run.err.contains(":1:6"), "{}", run.err);
    }
}
