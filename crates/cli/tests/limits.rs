//! Limits: memory, time and Ctrl-C end a search with what was explored, exit code 3.

mod common;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Run, Scratch, counters, pinscher};

/// 31^6 states: more than any of these tests waits for.
fn endless(scratch: &Scratch) -> String {
    scratch.file("endless.etf", counters(6, 30))
}

#[test]
fn the_memory_limit_is_kept() {
    let scratch = Scratch::new();
    let model = endless(&scratch);
    let limits = ["--memory", "60M", "--time", "50", "--json"];
    // Where an engine is not named, the other one has its turn then.
    let run = pinscher(&[&["check", &model], &limits[..]].concat()).exits(1).json();
    assert_eq!(run["engine"], "symbolic");
    assert!(run["memory_bytes"].as_u64().unwrap() <= 66 << 20, "{run}");
    let run = pinscher(&[&["check", &model, "--engine", "explicit"], &limits[..]].concat()).exits(3).json();
    assert_eq!(run["reason"], "memory");
    assert!(run["explored"].as_str().unwrap().parse::<u64>().unwrap() > 10_000);
    let taken = run["memory_bytes"].as_u64().unwrap();
    assert!(taken <= 66 << 20, "{taken} bytes were taken");
}

/// Where an action happens is written down while a closure runs, outside the diagrams: that counts, too.
#[test]
fn the_memory_limit_is_kept_where_an_action_is_seen_very_often() {
    let scratch = Scratch::new();
    let counts = ["a", "b", "c", "d"]
        .map(|name| format!("s -> s {{ effect {name} = ({name} + 1) % 45; }}"))
        .join(",\n");
    let counting = format!("byte a, b, c, d;\nprocess P {{ state s; init s; trans {counts}; }}\n");
    let looking =
        "process Q { state q; init q; trans q -> q { guard a + b + c + d < 1000; }; }\nsystem async;\n";
    let model = scratch.file("often.dve", counting + looking);
    let way =
        ["--engine", "symbolic", "--strategy", "sat", "--split-guards", "off", "--memory", "40M", "--json"];
    let run = pinscher(&[&["check", &model, "--action", "Q.q->q"], &way[..]].concat()).json();
    assert!(run["memory_bytes"].as_u64().unwrap() <= 46 << 20, "{run}");
}

#[test]
fn the_time_limit_is_kept() {
    let scratch = Scratch::new();
    let model = endless(&scratch);
    let start = Instant::now();
    let run =
        pinscher(&["count", &model, "--engine", "explicit", "--memory", "4G", "--time", "0.5"]).exits(3);
    assert!(run.out.starts_with("unknown: time: the time limit of 0.5 s was reached"), "{}", run.out);
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// Starts a search that would not end, to be ended by signals.
fn start(scratch: &Scratch) -> Child {
    let model = endless(scratch);
    Command::new(env!("CARGO_BIN_EXE_pinscher"))
        .args(["check", &model, "--engine", "explicit", "--memory", "4G", "--time", "50", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the process wants to hear of signals itself. A machine under load may take its time to start
/// it.
fn listens(child: &Child) {
    const HANGUP_INTERRUPT_TERMINATE: u64 = 1 | 1 << 1 | 1 << 14;
    let status = format!("/proc/{}/status", child.id());
    loop {
        // Where the system has no such file, a moment must do.
        let Ok(text) = std::fs::read_to_string(&status) else {
            return std::thread::sleep(Duration::from_secs(3));
        };
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
        if caught & HANGUP_INTERRUPT_TERMINATE == HANGUP_INTERRUPT_TERMINATE {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "there is no way to send a signal");
}

fn ended(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("the process was killed instead of asked"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn an_interrupt_ends_the_search_with_a_report() {
    let scratch = Scratch::new();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let child = start(&scratch);
        listens(&child);
        send(signal, &child);
        // `timeout` sends its signal twice; that is one wish.
        send(signal, &child);
        // An interruption may come before the model is loaded.
        let run = ended(child).exits(3);
        assert_eq!(run.json()["reason"], "interrupted", "{signal}: {}", run.out);
    }
}

#[test]
fn the_symbolic_engine_counts_what_the_explicit_one_cannot() {
    let scratch = Scratch::new();
    let model = endless(&scratch);
    let run =
        pinscher(&["count", &model, "--engine", "symbolic", "--memory", "60M", "--json"]).exits(0).json();
    assert_eq!(run["states"], 31u64.pow(6).to_string());
    assert_eq!(run["engine"], "symbolic");
    assert_eq!(run["transitions"], (6 * 30 * 31u64.pow(5)).to_string());
    assert!(run["nodes"].as_u64().unwrap() > 0 && run["diagrams"]["peak_nodes"].as_u64().unwrap() > 0);
    assert!(run["memory_bytes"].as_u64().unwrap() <= 66 << 20);
}

#[test]
fn an_incomplete_symbolic_search_says_what_it_has() {
    let scratch = Scratch::new();
    let model = endless(&scratch);
    let bfs = ["count", &model, "--engine", "symbolic", "--strategy", "bfs-prev", "--json"];
    let run = pinscher(&[&bfs[..], &["--depth", "3"]].concat()).exits(3).json();
    assert_eq!((run["reason"].as_str(), run["states"].as_str()), (Some("depth"), None));
    // The ways to take at most three steps among six counters: 9 over 3.
    assert_eq!(run["explored"], "84");
    let run = pinscher(&[&bfs[..], &["--time", "0"]].concat()).exits(3).json();
    assert_eq!(run["reason"], "time");
    assert!(run["explored"].is_string());
}

/// Four numbers that get mixed up: a state space that suits no diagram.
const MIXED: &str = "byte a, b, c, d;
process A { state s; init s; trans s -> s { effect a = (a * 5 + b) % 251; }; }
process B { state s; init s; trans s -> s { effect b = (b * 3 + c + 1) % 251; }; }
process C { state s; init s; trans s -> s { effect c = (c * 7 + d + 3) % 251; }; }
process D { state s; init s; trans s -> s { effect d = (d * 11 + a) % 251; }; }
";

/// A state that was reached was reached, whatever ends the search afterwards.
#[test]
fn a_violation_that_was_reached_before_a_limit_is_told() {
    let scratch = Scratch::new();
    let early =
        "process V { byte v = 0; state a, b; init a; trans a -> b { effect v = 1; }; assert b: v == 0; }\n";
    let model = scratch.file("early.dve", format!("{MIXED}{early}system async;\n"));
    for strategy in ["bfs", "bfs-prev", "chain", "chain-prev", "sat-fix"] {
        let way = [
            "check",
            &model,
            "--all",
            "--engine",
            "symbolic",
            "--strategy",
            strategy,
            "--memory",
            "40M",
            "--json",
        ];
        let run = pinscher(&way).exits(1).json();
        assert!(run["memory_bytes"].as_u64().unwrap() <= 44 << 20, "{strategy}");
        let properties = run["properties"].as_array().unwrap();
        let verdicts: Vec<&str> =
            properties.iter().map(|property| property["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts.iter().filter(|verdict| **verdict == "violated").count(), 1, "{strategy}: {run}");
        assert!(verdicts.iter().all(|verdict| *verdict != "holds"), "{strategy}: {run}");
        assert!(properties.iter().any(|property| property["reason"] == "memory"), "{strategy}: {run}");
    }
}

#[test]
fn limits_and_strategies_that_do_not_go_together_are_refused() {
    let scratch = Scratch::new();
    let model = endless(&scratch);
    for (options, wanted) in [
        (&["--engine", "symbolic", "--strategy", "dfs"][..], "--engine explicit --strategy dfs"),
        (&["--engine", "explicit", "--strategy", "chain"], "--engine symbolic --strategy chain"),
        (&["--engine", "symbolic", "--states", "10"], "leave --states out"),
        (&["--engine", "symbolic", "--depth", "10"], "--strategy bfs"),
        (&["--engine", "explicit", "--separate", "off"], "--engine symbolic"),
    ] {
        let run = pinscher(&[&["count", &model], options].concat()).exits(2);
        assert!(run.err.contains(wanted), "{}", run.err);
    }
}

/// A process that starts others for ever: past the limit nothing is known, whatever is asked.
#[test]
fn more_processes_than_there_may_be_are_unknown() {
    let scratch = Scratch::new();
    let text = "byte n;\nproctype B() { n++; n--; do :: n > 200 -> break od }\nactive proctype A() { do :: run B() od }\n";
    let model = scratch.file("more.pml", text);
    for engine in ["explicit", "symbolic"] {
        let limits = ["--max-processes", "4", "--engine", engine, "--json"];
        let run = pinscher(&[&["check", &model], &limits[..]].concat()).exits(3).json();
        assert_eq!((&run["verdict"], &run["reason"]), (&"unknown".into(), &"processes".into()), "{run}");
        let properties = run["properties"].as_array().unwrap();
        assert!(properties.iter().all(|property| property["verdict"] == "unknown"), "{run}");
        let run = pinscher(&[&["count", &model], &limits[..]].concat()).exits(3).json();
        assert_eq!(run["reason"], "processes", "{run}");
    }
}
