//! Runs of models in Promela: what is inside their steps, as text, as JSON, as charts, and as trails that
//! Spin replays.

mod common;

use std::process::Command;

use common::{Scratch, pinscher};

/// All ways to go on without a pause, and all ways to pass a message.
const MIXED: &str = "\
mtype = { ack, nak };
chan q = [2] of { mtype, byte };
chan r = [0] of { bool };
byte n;
inline twice(v) { v = v + 1; v++ }
active proctype P() {
  byte x;
  atomic { q!ack(3); n = n + 1; twice(n) }
  d_step { x = 1; do :: x < 4 -> x++ :: else -> break od; n = n + x }
  r!true;
  if :: n > 1 -> goto done :: else -> skip fi;
  for (x : 1 .. 2) { n++ }
done: skip
}
active proctype Q() {
  mtype t; byte v; bool b;
  { q?<t,v>; q?t,eval(v) } unless { n == 77 };
  r?b;
  progress: goto there;
  there: select (v : 2 .. 4);
  assert(n < 5)
}
";

#[test]
fn a_step_is_told_by_its_statements() {
    let scratch = Scratch::new();
    let out = pinscher(&["check", &scratch.file("mixed.pml", MIXED)]).exits(1).out;
    let expected = "
    0  initial state
         q = [], n = 0, P[0] at line 8:3 (x = 0), Q[1] at line 17:5 (t = 0, v = 0, b = false)
    1  P(0): 4 statements in one step
         P(0): q!ack(3)   mixed.pml:8   q!ack,3
           q: [] → [ack,3]
         P(0): n = n + 1   mixed.pml:8
           n: 0 → 1
         P(0): v = v + 1   mixed.pml:5
           n: 1 → 2
         P(0): v++   mixed.pml:5
           n: 2 → 3
";
    assert!(out.contains(expected), "{out}");
    let peek =
        "  Q(1): q?<t,v>   mixed.pml:17   q?<ack,3>\n         Q[1].t: 0 → ack\n         Q[1].v: 0 → 3\n";
    assert!(out.contains(peek), "{out}");
    assert!(
        out.contains("  Q(1): q?t,eval(v)   mixed.pml:17   q?ack,3\n         q: [ack,3] → []\n"),
        "{out}"
    );
    let handed = "  P(0): r!true   mixed.pml:10   r!1\n       Q(1): r?b   mixed.pml:18   r?1\n         Q[1].b: false → true\n";
    assert!(out.contains(handed), "{out}");
    let inside =
        "         P(0): x < 4   mixed.pml:9\n         P(0): x++   mixed.pml:9\n           P[0].x: 1 → 2\n";
    assert!(out.contains(inside), "{out}");
    assert!(out.contains("  assertion violated: Q(1): assert(n < 5)   mixed.pml:21\n"), "{out}");
    assert!(out.contains("         P[0] at line 11:3 (x = 4)\n"), "{out}");
}

/// Every engine, and a model under layers: what is inside is looked up on the plain model.
#[test]
fn all_engines_tell_the_same() {
    let scratch = Scratch::new();
    let file = scratch.file("mixed.pml", MIXED);
    for way in [
        &["--engine", "symbolic"][..],
        &["--merge", "subsume", "--reorder", "reverse"],
        &["--invariant", "n < 5"],
    ] {
        let json = pinscher(&[&["check", &file, "--json"], way].concat()).exits(1).json();
        let properties = json["properties"].as_array().unwrap().iter();
        let witness =
            &properties.clone().find(|property| property["verdict"] == "violated").unwrap()["witness"];
        let first = witness["steps"]
            .as_array()
            .unwrap()
            .iter()
            .find(|step| step["inside"][0]["message"] != serde_json::Value::Null);
        let sent = &first.unwrap()["inside"][0];
        assert_eq!(
            sent["message"],
            serde_json::json!({ "channel": "q", "passing": "sent", "values": ["ack", "3"] }),
            "{way:?}"
        );
        assert_eq!(
            (&sent["processes"][0]["name"], &sent["processes"][0]["number"]),
            (&"P(0)".into(), &0.into())
        );
        assert_eq!(first.unwrap()["inside"].as_array().unwrap().len(), 4);
    }
}

#[test]
fn processes_start_and_end() {
    let scratch = Scratch::new();
    let text = "byte done; chan c = [1] of { byte };\nproctype W(byte k) { c!k; done = done + 1 }\n\
                init { run W(5); run W(6); c?_; (done == 2 && _nr_pr == 1); assert(false) }\n";
    let out = pinscher(&["check", &scratch.file("workers.pml", text), "--chart"]).exits(1).out;
    assert!(
        out.contains("  :init:(0): run W(5)   workers.pml:3\n         W[1] starts with k = 5\n"),
        "{out}"
    );
    assert!(out.contains("W[1] ends\n") && out.contains("         :init:[0] at -end-\n"), "{out}");
    let chart = &out[out.find(" step ").unwrap()..];
    assert!(chart.starts_with(" step     :init:(0)       W(1)          W(2)\n"), "{chart}");
    for what in ["starts", "c!5", "c!6", "c?5", "ends", "assertion violated: :init:(0): assert(false)"] {
        assert!(chart.contains(what), "{what} in {chart}");
    }
}

#[test]
fn charts_have_arrows() {
    let scratch = Scratch::new();
    let file = scratch.file("mixed.pml", MIXED);
    let out = pinscher(&["check", &file, "--chart"]).exits(1).out;
    let chart = "
 step       P(0)          Q(1)
    1      q!ack,3          |
";
    assert!(out.contains(chart) && out.contains("|-----r!1---->|\n"), "{out}");
    let picture = scratch.path().join("run.svg").display().to_string();
    pinscher(&["check", &file, "--chart", &picture, "--json"]).exits(1).json();
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert_eq!(svg.matches("class=\"life\"").count(), 2);
    // The message that a channel kept, and the one that was handed over.
    assert_eq!(svg.matches("class=\"message\"").count(), 2);
    assert!(svg.contains(">q!ack,3<") && svg.contains(">r!1<") && svg.ends_with("</svg>\n"), "{svg}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let scratch = Scratch::new();
    let mixed = scratch.file("mixed.pml", MIXED);
    let account = format!("{}/../../models/account.dve", env!("CARGO_MANIFEST_DIR"));
    for (arguments, said) in [
        (&["check", &mixed, "--chart", "run.png"][..], "ends in .svg"),
        (&["check", &mixed, "--chart", "--json"], "--json prints one JSON object"),
        (&["check", &account, "--chart"], "a chart needs a language"),
        (&["check", &account, "--spin-trail"], "only be written for a model in Promela"),
    ] {
        let err = pinscher(arguments).exits(2).err;
        assert!(err.contains(said), "{err}");
    }
    let fine = scratch.file("fine.pml", "active proctype P() { skip }");
    let run = pinscher(&["check", &fine, "--chart", "--spin-trail"]).exits(0);
    assert!(run.err.contains("no property is violated"), "{}", run.err);
}

/// The end of a run, by Spin, from the trail.
fn replayed(scratch: &Scratch, file: &str, more: &[&str]) -> Option<String> {
    let trail = scratch.path().join("run.trail").display().to_string();
    pinscher(&[&["check", file, "--spin-trail", &trail], more].concat()).exits(1);
    let run = Command::new("spin")
        .args(["-t", "-p", "-k", &trail, file])
        .current_dir(scratch.path())
        .output()
        .ok()?;
    let out = String::from_utf8_lossy(&run.stdout).into_owned();
    for lost in ["no matching", "stop error", "transition failed", "invalid statement", "no process"] {
        assert!(!out.contains(lost), "{file}: {out}\n{}", std::fs::read_to_string(&trail).unwrap());
    }
    Some(out)
}

#[test]
fn spin_replays_trails_to_the_same_end() {
    // The text, what is asked for, and what Spin says at the end.
    let cases: &[(&str, &str, &[&str], &[&str])] = &[
        (
            "mixed",
            MIXED,
            &[],
            &["text of failed assertion: assert((n<5))", "n = 7", "mixed.pml:11 (state 22)"],
        ),
        (
            "unless",
            "byte n;\nactive proctype A() { do :: n < 3 -> n++ od unless { n == 2 -> n = 9 };\n atomic { n == 9 -> n = 10; assert(n == 9); n = 11 } }",
            &[],
            &["text of failed assertion: assert((n==9))", "n = 10"],
        ),
        (
            "simple",
            "byte n;\nactive proctype A() { n = 1 unless n == 7; n = 2;\n n == 3 }\nactive proctype B() { n == 2; n = 5 }",
            &["--deadlock"],
            &["#processes: 1", "n = 5", "simple.pml:3"],
        ),
        (
            "stuck",
            "chan c = [0] of { byte, byte }; byte n;\nproctype S(byte k) { c!k,1; d_step { n = n + 1; if :: k == 1 -> n = n + 4 :: else fi }; c!k,2;\n c!k,3 }\n\
             init { byte k; atomic { run S(1); run S(2) }; do :: c?k,1 :: c?k,2 -> break od;\n n == 100 }",
            &["--deadlock"],
            &["#processes: 3", "stuck.pml:5"],
        ),
        (
            "claims",
            "byte n;\nactive proctype A() { n = 1 }\nnever { do :: n < 3 :: n > 5 -> break od }\n\
             active proctype B() { n == 1; progress: goto there; there: assert(false) }\nltl small { [] (n < 9) }",
            &[],
            &["text of failed assertion: assert(0)", "n = 1"],
        ),
        (
            "passed",
            "byte n;\nactive proctype A() { atomic { n = 1; assert(n == 0); n = 2 };\n n == 3 }",
            &["--deadlock"],
            &["n = 2", "passed.pml:3"],
        ),
        (
            "labels",
            "byte n;\nactive proctype A() { do :: n < 2 -> n++; if :: n == 2 -> accept: break :: else fi od; L: if :: n == 2 -> n = 3; goto L :: else fi;\n\
             assert(n == 2) }\nactive proctype W() { A@L; n = 5 }",
            &[],
            &["text of failed assertion: assert((n==2))"],
        ),
    ];
    for (name, text, asked, ends) in cases {
        let scratch = Scratch::new();
        let file = scratch.file(&format!("{name}.pml"), text);
        // Without Spin there is nothing to compare with.
        let Some(out) = replayed(&scratch, &file, asked) else { return };
        let assertion = out.rfind("spin: text of failed").filter(|_| asked.is_empty());
        let from = assertion.or_else(|| out.rfind("spin: trail ends")).unwrap();
        for end in *ends {
            assert!(out[from..].contains(end), "{name}: {end} in {out}");
        }
    }
}

#[test]
fn a_trail_that_is_not_known_is_not_written() {
    let scratch = Scratch::new();
    // Spin makes the statements of such an escape in an order of its own.
    let text =
        "byte n;\nactive proctype A() { n = 1; for (n : 1 .. 2) { skip } unless n == 9; assert(false) }";
    let trail = scratch.path().join("run.trail").display().to_string();
    let run = pinscher(&["check", &scratch.file("odd.pml", text), "--spin-trail", &trail]);
    assert!(run.exits(2).err.contains("which number Spin gives to"));
    assert!(!std::path::Path::new(&trail).exists());
}
