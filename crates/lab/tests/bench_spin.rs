//! `pinscher-lab bench --spin` from outside: with Spin where it is installed, and without it everywhere.

mod common;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Run, Scratch, WORKER, measure, program, spin_is_there, tools};

/// Three counters that go round on their own: 100³ states, enough for Spin's clock.
const ROUNDS: &str = "byte a, b, c;
active proctype A() { do :: atomic { a < 99 -> a++ } :: atomic { a == 99 -> a = 0 } od }
active proctype B() { do :: atomic { b < 99 -> b++ } :: atomic { b == 99 -> b = 0 } od }
active proctype C() { do :: atomic { c < 99 -> c++ } :: atomic { c == 99 -> c = 0 } od }
";

/// Far more states than can be seen in a second.
const ENDLESS: &str = "int a, b; active proctype A() { do :: a++ od } active proctype B() { do :: b++ od }";

/// Runs the binary where no other program is found, and temporary files go into this folder.
fn alone(arguments: &[&str], folder: &Path) -> Run {
    program();
    Run::of(tools().args(arguments).env("PATH", folder).env("TMPDIR", folder).output().unwrap())
}

/// The words of each line that begins with this one.
fn lines<'t>(text: &'t str, first: &str) -> Vec<Vec<&'t str>> {
    text.lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|words: &Vec<&str>| words.first() == Some(&first))
        .collect()
}

#[test]
fn without_spin_the_message_says_what_to_install_and_pinscher_runs() {
    let scratch = Scratch::new();
    let (worker, rounds) = (scratch.file("worker.etf", WORKER), scratch.file("rounds.pml", ROUNDS));
    let run = alone(&["bench", "--spin", &rounds, &worker], scratch.path()).exits(0);
    let message: Vec<&str> = run.err.lines().filter(|line| line.starts_with("no ratios: ")).collect();
    assert_eq!(message.len(), 1, "{}", run.err);
    assert!(message[0].contains("install") && message[0].contains("spin"), "{}", run.err);
    // A header of its own, four rows, and the summary's title.
    let rows = lines(&run.out, "worker.etf");
    assert_eq!(rows.len(), 5, "{}", run.out);
    assert!(rows[..4].iter().all(|row| row[3] == "4") && !run.out.contains("times Spin"), "{}", run.out);
    assert!(
        run.out.contains("bytes a state: ") && run.out.contains("2 threads over 1 thread: "),
        "{}",
        run.out
    );
    // Pinscher reads Promela, too.
    alone(&["bench", "--spin", &rounds], scratch.path()).exits(0);
}

#[test]
fn spin_and_pinscher_are_compared() {
    let scratch = Scratch::new();
    let (worker, rounds) = (scratch.file("worker.etf", WORKER), scratch.file("rounds", ROUNDS));
    let csv = scratch.path().join("runs.csv");
    if !spin_is_there() {
        return;
    }
    let arguments = ["bench", "--spin", &rounds, &worker, "--store", "tree", "--csv", csv.to_str().unwrap()];
    let run = measure(&arguments).exits(0);
    let spins = &lines(&run.out, "rounds")[0];
    assert_eq!(spins[1..4], ["Spin", "#1", "1000000"], "{}", run.out);
    let rows = lines(&run.out, "worker.etf");
    for (row, threads) in rows[..2].iter().zip(["threads=1", "threads=2"]) {
        assert_eq!(row[1..4], ["store=tree", threads, "4"], "{}", run.out);
        assert!(row.ends_with(&["rounds", "#1"]), "{}", run.out);
        let ratio: f64 = row[row.len() - 3].parse().unwrap();
        let speed = |row: &[&str]| -> f64 {
            row[row.iter().position(|word| word.contains('.') && word.len() > 4).unwrap() + 1]
                .parse()
                .unwrap()
        };
        let (own, spin) = (speed(&row[1..]), speed(&spins[1..]));
        // Both are shown as whole numbers.
        assert!((ratio - own / spin).abs() <= 0.01 + ratio * (1.0 / own + 1.0 / spin), "{}", run.out);
    }
    assert!(run.out.contains("times Spin with store=tree threads="), "{}", run.out);
    let table = std::fs::read_to_string(csv).unwrap();
    // Spin on the one, Pinscher on both with one and two threads.
    assert_eq!(table.lines().count(), 1 + 5, "{table}");
    for run in ["\nrounds,spin,dfs,", "\nrounds,explicit,bfs,", "\nworker.etf,explicit,bfs,"] {
        assert!(table.contains(run), "{table}");
    }
}

#[test]
fn what_spin_does_not_take_is_told_and_the_others_are_run() {
    if !spin_is_there() {
        return;
    }
    let scratch = Scratch::new();
    let (worker, broken) =
        (scratch.file("worker.etf", WORKER), scratch.file("broken.pml", "active proctype P() { x = ; }"));
    let run = measure(&["bench", "--spin", &broken, &worker]).exits(1);
    assert!(
        run.err.contains("broken.pml: Spin does not take it") && run.err.contains("undeclared variable: x"),
        "{}",
        run.err
    );
    assert!(run.out.contains("FAILED broken.pml Spin: wrong-input"), "{}", run.out);
    assert_eq!(lines(&run.out, "worker.etf").len(), 5, "{}", run.out);
}

/// The binary with Spin on a model without end, its temporary files in this folder.
fn endless(scratch: &Scratch, folder: &Path, seconds: &str) -> Child {
    std::fs::create_dir(folder).unwrap();
    let file = scratch.file("endless.pml", ENDLESS);
    program();
    let mut command = tools();
    command.args(["bench", "--spin", &file, "--time", seconds, "--memory", "4G"]).env("TMPDIR", folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What it said, once it is gone with all that it made and started.
fn end(child: Child, folder: &Path) -> Run {
    let output = child.wait_with_output().unwrap();
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
    assert!(!is_searching(folder));
    Run::of(output)
}

/// Whether a verifier from this folder is at work, where the system tells.
fn is_searching(folder: &Path) -> bool {
    let folder = folder.to_str().unwrap();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .any(|line| line.starts_with(folder) && line.contains("/pan"))
}

#[test]
fn limits_are_kept_and_nothing_is_left_behind() {
    if !spin_is_there() {
        return;
    }
    let scratch = Scratch::new();
    let folder = scratch.path().join("temporary");
    let run = end(endless(&scratch, &folder, "3"), &folder).exits(0);
    // The time, or on a fast machine the depth.
    assert!(run.out.contains("not all states: "), "{}", run.out);
    assert!(run.err.contains("endless.pml: warning: Spin's search is not complete: "), "{}", run.err);
}

#[test]
#[cfg(target_os = "linux")]
fn a_person_can_interrupt_and_nothing_is_left_behind() {
    if !spin_is_there() {
        return;
    }
    let scratch = Scratch::new();
    let folder = scratch.path().join("temporary");
    let child = endless(&scratch, &folder, "100");
    let started = Instant::now();
    while !is_searching(&folder) {
        assert!(started.elapsed() < Duration::from_secs(60), "no verifier was run");
        std::thread::sleep(Duration::from_millis(50));
    }
    // To the program alone, as a terminal does not: it must tell its own.
    let line = format!("kill -s INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success());
    let run = end(child, &folder).exits(3);
    assert!(run.out.contains("interrupted: not all was run"), "{}", run.out);
    assert!(started.elapsed() < Duration::from_secs(70));
}

#[test]
fn options_that_have_no_meaning_are_refused() {
    for option in
        [&["--ldd"][..], &["--engine", "symbolic"], &["--resume"], &["--svg", "plots"], &["--effects", "on"]]
    {
        let run = measure(&[&["bench", "--spin", "x.pml"][..], option].concat()).exits(2);
        assert!(run.err.contains("cannot be used with"), "{}", run.err);
    }
}
