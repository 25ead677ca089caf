//! The cache of local transitions: its words on the command line, what reports say of it, its bound.

mod common;

use common::{Scratch, counters, pinscher};
use serde_json::{Value, json};

fn number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_report_tells_the_hit_rate() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.etf", counters(4, 9));
    for (mode, threads) in [("thread", "1"), ("shared", "1"), ("thread", "3"), ("shared", "3")] {
        let way = ["count", &model, "--engine", "explicit", "--cache", mode, "--threads", threads];
        let run = pinscher(&[&way[..], &["--json"]].concat()).exits(0).json();
        assert_eq!(run["states"], "10000");
        let cache = &run["cache"];
        assert_eq!((&cache["mode"], &cache["why"]), (&json!(mode), &Value::Null));
        // Each of four groups has ten short vectors, which each thread learns once, or all together.
        let (asked, hits) = (number(&cache["asked"]), number(&cache["hits"]));
        assert!(asked >= 40_000, "{run}");
        assert!(asked - hits >= 40 && asked - hits <= 1_000, "{run}");
        assert!((1_000..4 << 20).contains(&number(&cache["bytes"])), "{run}");
        let text = pinscher(&way).exits(0).out;
        let line = text.lines().find(|line| line.starts_with("cache  ")).expect(&text);
        assert!(line.contains(mode) && line.contains("look-ups answered"), "{line}");
        assert!(line.contains("99.") || line.contains("98."), "{line}");
    }
}

#[test]
fn the_option_may_stand_alone() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.etf", counters(3, 5));
    for (words, mode) in [
        (&["--cache"][..], "thread"),
        (&["--cache", "--threads", "2"], "shared"),
        (&["--cache", "on"], "thread"),
        (&["--cache=shared"], "shared"),
        (&["--cache", "off"], "off"),
        (&[], "off"),
    ] {
        let way = [&["count", &model, "--engine", "explicit", "--json"], words].concat();
        assert_eq!(pinscher(&way).exits(0).json()["cache"]["mode"], mode, "{words:?}");
    }
    let run = pinscher(&["count", &model, "--cache", "often"]).exits(2);
    assert!(run.err.contains("thread") && run.err.contains("shared"), "{}", run.err);
}

#[test]
fn auto_says_why() {
    let scratch = Scratch::new();
    let small = scratch.file("small.etf", counters(3, 5));
    let large = scratch.file("large.etf", counters(4, 9));
    let single = scratch.file("single.etf", counters(1, 9));
    let dve = format!("{}/../../models/tickets.3.dve", env!("CARGO_MANIFEST_DIR"));
    for (model, words, why) in [
        (&small, &["--engine", "explicit"][..], "216 states only"),
        (&single, &["--engine", "explicit"], "nearly all slots"),
        (&large, &["--engine", "explicit"], "a trial of "),
        (&large, &["--engine", "symbolic"], "once for each combination of values"),
        (&large, &["--engine", "explicit", "--check-matrices"], "matrices"),
        (&large, &["--engine", "explicit", "--memory", "100M"], "memory"),
        (&dve, &["--engine", "explicit"], "machine code"),
        (&dve, &["--engine", "explicit", "--invariant", "1 == 1"], "machine code"),
    ] {
        let command = if words.contains(&"--invariant") { "check" } else { "count" };
        let json = pinscher(&[&[command, model, "--json"], words].concat()).exits(0).json();
        let said = json["cache"]["why"].as_str().expect("a reason");
        // On a busy machine few states can be tried.
        let is_tried =
            why == "a trial of " && (said.contains("too few states") || said.contains("one call takes"));
        assert!(said.contains(why) || is_tried, "{said}");
        let text = pinscher(&[&[command, model], words].concat()).exits(0).out;
        // People are told what was measured, and not what goes without saying.
        assert_eq!(text.lines().any(|line| line.starts_with("cache  ")), why == "a trial of ", "{text}");
    }
}

/// A group with very many short vectors, one of which most states share with others.
fn wide(scratch: &Scratch) -> String {
    let counts = ["a", "b", "c", "d"]
        .map(|name| format!("s -> s {{ effect {name} = ({name} + 1) % 90; }}"))
        .join(", ");
    let counting = format!("byte a, b, c, d;\nprocess P {{ state s; init s; trans {counts}; }}\n");
    let looking = "process Q { state q; init q; trans q -> q { guard a + b + c < 1000; }; }\nsystem async;\n";
    scratch.file("wide.dve", counting + looking)
}

#[test]
fn the_cache_stays_in_its_quarter_and_the_process_in_its_limit() {
    let scratch = Scratch::new();
    let model = wide(&scratch);
    let way = ["count", &model, "--engine", "explicit", "--memory", "40M", "--states", "400000", "--json"];
    for (mode, threads) in [("thread", "2"), ("shared", "2"), ("shared", "1")] {
        let run = pinscher(&[&way[..], &["--cache", mode, "--threads", threads]].concat()).exits(3).json();
        let bytes = number(&run["cache"]["bytes"]);
        assert!((1 << 20..=10 << 20).contains(&bytes), "{run}");
        assert!(number(&run["memory_bytes"]) <= 46 << 20, "{run}");
    }
}
