//! `show` and `simulate` from outside.

mod common;

use common::{Scratch, WORKER, counters, pinscher, pinscher_with};

#[test]
fn show_lists_slots_groups_and_the_matrix() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let out = pinscher(&["show", &model]).exits(0).out;
    assert!(out.starts_with("worker.etf (etf): 2 slots, 4 groups"), "{out}");
    assert!(out.contains("P  place {idle, asking, work, stuck}, initially idle"), "{out}");
    let out = pinscher(&["show", &model, "--matrix"]).exits(0).out;
    let rows: Vec<&str> = out.lines().take(5).collect();
    assert_eq!(rows, ["  01", "0 +-", "1 ++", "2 ++", "3 ++"]);
    let out = pinscher(&["show", &model, "--groups"]).exits(0).out;
    assert!(out.contains("writes     P, x") && out.contains("worker.etf:10"), "{out}");
    assert_eq!(out.matches("  effect     separable\n").count(), 4, "{out}");
}

#[test]
fn the_matrix_is_shown_as_it_is_arranged_and_measured() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let show = |extra: &[&str]| pinscher(&[&["show", &model, "--matrix"], extra].concat()).exits(0).out;
    // Spans of 1, 2, 2 and 2 of two slots, all beginning at the top: weighted twice.
    let plain = show(&[]);
    assert!(plain.contains("event span 7 (0.8750)   weighted 14.0 (1.7500)   longest 2"), "{plain}");
    let reverse = show(&["--reorder", "reverse"]);
    let rows: Vec<&str> = reverse.lines().take(5).collect();
    assert_eq!(rows, ["  01", "0 ++", "1 ++", "2 ++", "3 -+"]);
    assert!(reverse.contains("event span 7 (0.8750)   weighted 13.0 (1.6250)"), "{reverse}");
    let merged = show(&["--merge", "equal"]);
    assert!(
        merged.lines().take(3).eq(["  01", "0 +-", "1 ++"]) && merged.contains("event span 3"),
        "{merged}"
    );
    let subsumed = show(&["--merge", "subsume", "--reorder", "auto"]);
    assert!(subsumed.contains("event span 2 (1.0000)   weighted 4.0 (2.0000)"), "{subsumed}");
    let picture = scratch.path().join("matrix.svg");
    pinscher(&["show", &model, "--svg", picture.to_str().unwrap(), "--merge", "subsume"]).exits(0);
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert_eq!(svg.matches("reads and writes").count(), 2 + 1, "two cells and the legend");
}

#[test]
fn the_picture_is_an_svg_with_a_tooltip_a_cell() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let picture = scratch.path().join("matrix.svg");
    pinscher(&["show", &model, "--svg", picture.to_str().unwrap()]).exits(0);
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("reads and writes").count(), 7 + 1, "seven cells and the legend");
    assert_eq!(svg.matches("<title>").count(), svg.matches("</title>").count());
    // The matrix is narrower than its legend, which ends with the longest entry.
    let number = |text: &str| text.split('"').next().unwrap().parse::<usize>().unwrap();
    let width = number(svg.split_once("width=\"").unwrap().1);
    let last = number(svg.rsplit_once("<text x=\"").unwrap().1);
    assert!(last + 7 * "reads and writes".len() <= width, "the legend is cut off at {width}");
    // A large matrix shrinks.
    let model = scratch.file("wide.etf", counters(900, 1));
    pinscher(&["show", &model, "--svg", picture.to_str().unwrap()]).exits(0);
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("width=\"1820\""), "{}", &svg[..200]);
}

#[test]
fn a_simulation_obeys_piped_commands() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let run =
        pinscher_with(&["simulate", &model], "1\n1\n2\np\nt\n1\nb\nnonsense\n77\n\nw\nh\nr 99999999\nq\nt\n")
            .exits(0);
    for wanted in [
        "P: idle → asking",
        "P = stuck",
        "a deadlock",
        "    0  initial state",
        "    3  break ",
        "there is no step 1 here",
        "`nonsense` is no command",
        "there is no step 77 here",
        "there is no witness",
        "take the last step back",
        "no number of steps",
    ] {
        assert!(run.out.contains(wanted), "{wanted} is missing in\n{}", run.out);
    }
    assert_eq!(run.out.matches("    0  initial state\n    1").count(), 1, "q did not quit:\n{}", run.out);
    assert!(
        run.out.starts_with("initial state (h for help)\n         P = idle\n         x = 0\n    1  ask "),
        "{}",
        run.out
    );
    let help: Vec<&str> =
        run.out.lines().filter(|line| line.contains("take the") || line.contains("follow the")).collect();
    assert_eq!(help.len(), 4);
    assert!(help.iter().all(|line| line.find("take").or(line.find("follow")) == Some(11)), "{help:#?}");
}

#[test]
fn a_simulation_ends_with_its_input() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    pinscher_with(&["simulate", &model], "").exits(0);
    pinscher_with(&["simulate", &model], "1").exits(0);
    pinscher_with(&["simulate", &model], "\u{0}\u{7f}é\n-1\n0\n99999999999999999999999\nr x\nr -3\n")
        .exits(0);
}

#[test]
fn random_steps_are_the_same_for_the_same_seed() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.etf", counters(4, 9));
    let random = |seed: &str| pinscher(&["simulate", &model, "--random", "12", "--seed", seed]).exits(0).out;
    assert_eq!(random("7"), random("7"));
    assert_ne!(random("7"), random("8"));
    assert!(random("7").contains("   12  trans"), "{}", random("7"));
    assert!(random("7").contains("after step 12"));
    let stuck = pinscher(&["simulate", &model, "--random", "40"]).exits(0).out;
    assert!(stuck.contains("no step is possible here"), "{stuck}");
}

#[test]
fn a_simulation_follows_a_witness() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let report = pinscher(&["check", &model, "--json"]).exits(1).out;
    let file = scratch.file("report.json", &report);
    let run = pinscher_with(&["simulate", &model, "--along", &file], "w\nw all\np\nw\n").exits(0);
    for wanted in ["P = stuck", "a deadlock", "the witness ends here"] {
        assert!(run.out.contains(wanted), "{wanted} is missing in\n{}", run.out);
    }
    // The witness breaks in its third step; finishing instead leaves it.
    let run = pinscher_with(&["simulate", &model, "--along", &file], "w\nw\n1\nw\nb\nw all\np\n").exits(0);
    assert!(run.out.contains("the run has left the witness") && run.out.contains("P = stuck"), "{}", run.out);
}

#[test]
fn a_simulation_tells_what_a_witness_shows() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let ends = |options: &[&str], commands: &str| {
        let report = pinscher(&[&["check", &model, "--json"], options].concat()).exits(1).out;
        let file = scratch.file("report.json", &report);
        let out = pinscher_with(&["simulate", &model, "--along", &file], commands).exits(0).out;
        out.lines().last().unwrap().to_owned()
    };
    assert_eq!(ends(&["--deadlock"], "w all\n"), "the witness ends here: no step is possible");
    assert_eq!(ends(&["--deadlock"], "w\nw\nw\n"), "the witness ends here: no step is possible");
    assert_eq!(ends(&["--deadlock"], "w all\nw\n"), "the witness ends here: no step is possible");
    assert_eq!(ends(&["--invariant", "x < 1"], "w all\n"), "the witness ends here: invariant x < 1 is false");
    assert_eq!(ends(&["--invariant", "x > 0"], "w\n"), "the witness ends here: invariant x > 0 is false");
    let past = ends(&["--invariant", "x > 0"], "1\nw\n");
    assert_eq!(past, "the run is past the end of the witness; go back with b");
    let forbidden = ends(&["--action", "start"], "w all\n");
    assert_eq!(forbidden, "the witness ends here: the last step is what is forbidden by: action start");
    let failing = format!("{}/../../models/odometer.dve", env!("CARGO_MANIFEST_DIR"));
    let report = scratch.file("report.json", pinscher(&["check", &failing, "--json"]).exits(1).out);
    let out = pinscher_with(&["simulate", &failing, "--along", &report], "w all\n").exits(0).out;
    assert!(
        out.contains("the witness ends here: the model fails: value 256 does not fit `kilometres`"),
        "{out}"
    );
}

#[test]
fn a_simulation_tells_of_assertions_that_are_false() {
    let model = format!("{}/../../models/account.dve", env!("CARGO_MANIFEST_DIR"));
    let remark = "assertion Auditor.counting: balance == booked is false here";
    let out = pinscher_with(&["simulate", &model], "1\n2\n1\n1\n1\n").exits(0).out;
    assert_eq!(out.matches(remark).count(), 1, "{out}");
    assert!(out.contains(&format!("after step 5\n  {remark}\n")), "{out}");
    let scratch = Scratch::new();
    let report = scratch.file("report.json", pinscher(&["check", &model, "--json"]).exits(1).out);
    let out = pinscher_with(&["simulate", &model, "--along", &report], "w all\n").exits(0).out;
    assert_eq!(out.matches(remark).count(), 1, "{out}");
}

#[test]
fn nodes_of_a_search_that_was_cut_short_are_said_to_be_so() {
    let scratch = Scratch::new();
    let picture = scratch.path().join("nodes.svg");
    let nodes = ["--nodes", picture.to_str().unwrap()];
    let worker = scratch.file("worker.etf", WORKER);
    let run = pinscher(&[&["show", &worker], &nodes[..]].concat()).exits(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    assert!(std::fs::read_to_string(&picture).unwrap().contains(" states in "));
    // 251^5 states, and relations of 251^2 rows to be learned.
    let turns = |own| {
        format!(
            "process {own} {{ byte {own}; state q; init q; trans q -> q {{ effect {own} = sum; }}, q -> q {{ effect sum = (sum * 3 + {own} + 1) % 251; }}; }}\n"
        )
    };
    let model = format!("byte sum = 1;\n{}system async;\n", ["a", "b", "c", "d"].map(turns).concat());
    let model = scratch.file("sums.dve", model);
    let run =
        pinscher(&[&["show", &model, "--time", "0.5", "--strategy", "bfs"], &nodes[..]].concat()).exits(3);
    assert!(run.err.starts_with("unknown: time: the time limit of 0.5 s was reached; "), "{}", run.err);
    assert!(std::fs::read_to_string(&picture).unwrap().contains(" states so far in "));
}
