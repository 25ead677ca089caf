//! `pinscher-lab bench` from outside: every combination is run, the files say what the table says, and
//! disagreement and failure are seen.

mod common;

use std::path::Path;

use common::{Scratch, WORKER, counters, measure, model, pinscher};

/// The lines of a table, each as its fields by their names. No field of these tests holds a comma.
fn table(path: &Path) -> Vec<impl Fn(&str) -> String> {
    let text = std::fs::read_to_string(path).unwrap();
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = text.lines().map(fields);
    let header = lines.next().unwrap();
    lines
        .map(|line| {
            let header = header.clone();
            move |name: &str| line[header.iter().position(|column| column == name).unwrap()].clone()
        })
        .collect()
}

#[test]
fn every_model_is_run_with_every_combination() {
    let scratch = Scratch::new();
    let (csv, svg) = (scratch.path().join("runs.csv"), scratch.path().join("plots"));
    let models = [model("philosophers.5.dve"), model("crossing.dve"), model("lamp.etf")];
    let mut arguments = vec!["bench", "--strategy", "bfs-prev,sat", "--separate", "on,off", "--time", "60"];
    arguments.extend(models.iter().map(String::as_str));
    arguments.extend(["--csv", csv.to_str().unwrap(), "--svg", svg.to_str().unwrap()]);
    let run = measure(&arguments).exits(0);
    let runs = table(&csv);
    assert_eq!(runs.len(), 3 * 4);
    for run in &runs {
        assert_eq!((run("outcome").as_str(), run("engine").as_str()), ("done", "symbolic"));
        let number =
            |name: &str| run(name).parse::<f64>().unwrap_or_else(|_| panic!("{name}: {}", run(name)));
        assert!(number("memory_bytes") > 1e5 && number("wall_seconds") > 0.0 && number("peak_nodes") > 0.0);
        let counted = pinscher(&["count", &model(&run("model")), "--json"]).json();
        assert_eq!(run("states"), counted["states"].as_str().unwrap(), "{}", run("model"));
    }
    for word in ["philosophers.5.dve", "lamp.etf", "bfs-prev separate=on", "sat separate=off", "3 of 3"] {
        assert!(run.out.contains(word), "{word} is not in\n{}", run.out);
    }
    for name in [
        "separate-off-on-time.svg",
        "strategy-bfs-prev-sat-peak-nodes.svg",
        "strategy-bfs-prev-sat-calls.svg",
    ] {
        let picture = std::fs::read_to_string(svg.join(name)).unwrap();
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{name}");
        // A dot for each model and each value of the other dimension, and two in the legend.
        assert_eq!(picture.matches("<circle ").count(), 6 + 2, "{name}");
        assert!(picture.contains("philosophers.5.dve"), "{name}");
    }
}

#[test]
fn engines_are_compared_and_limits_are_kept() {
    let scratch = Scratch::new();
    scratch.file("worker.etf", WORKER);
    scratch.file("big.etf", counters(6, 30));
    let csv = scratch.path().join("runs.csv");
    let folder = scratch.path().to_str().unwrap();
    let run = measure(&[
        "bench",
        folder,
        "--engine",
        "explicit,symbolic",
        "--time",
        "0.3",
        "--csv",
        csv.to_str().unwrap(),
    ]);
    let run = run.exits(0);
    let outcome = |engine: &str, model: &str| {
        let runs = table(&csv);
        let run = runs.iter().find(|run| run("engine") == engine && run("model") == model).unwrap();
        (run("outcome"), run("states"))
    };
    assert_eq!(outcome("explicit", "worker.etf"), ("done".into(), "4".into()));
    assert_eq!(outcome("explicit", "big.etf"), ("time".into(), String::new()));
    assert_eq!(outcome("symbolic", "big.etf"), ("done".into(), "887503681".into()));
    assert!(run.out.contains("887503681") && run.out.contains("time"), "{}", run.out);
}

#[test]
fn a_benchmark_goes_on_where_it_was_left() {
    let scratch = Scratch::new();
    let worker = scratch.file("worker.etf", WORKER);
    let csv = scratch.path().join("runs.csv");
    let bench = |more: &[&str]| {
        let arguments = [&["bench", &worker, "--csv", csv.to_str().unwrap()][..], more].concat();
        measure(&arguments).exits(0)
    };
    bench(&["--strategy", "bfs"]);
    let first = std::fs::read_to_string(&csv).unwrap();
    let run = bench(&["--strategy", "bfs,chain", "--resume", "--repeat", "2"]);
    assert_eq!(run.err.lines().count(), 3, "{}", run.err);
    let second = std::fs::read_to_string(&csv).unwrap();
    assert!(second.starts_with(&first) && second.lines().count() == 5, "{second}");
    bench(&["--strategy", "bfs"]);
    assert_eq!(table(&csv).len(), 1);
    measure(&["bench", &worker, "--resume"]).exits(2);
}

#[test]
fn disagreement_is_loud() {
    let scratch = Scratch::new();
    let worker = scratch.file("worker.etf", WORKER);
    let csv = scratch.path().join("runs.csv");
    measure(&["bench", &worker, "--strategy", "bfs", "--csv", csv.to_str().unwrap()]).exits(0);
    // As if a run with another strategy had counted otherwise.
    let text = std::fs::read_to_string(&csv).unwrap();
    std::fs::write(&csv, text.replace(",done,4,", ",done,5,").replace(",bfs,", ",chain,")).unwrap();
    let csv = csv.to_str().unwrap();
    let run = measure(&["bench", &worker, "--strategy", "bfs", "--csv", csv, "--resume"]).exits(1);
    assert!(run.out.contains("DISAGREE worker.etf: 4 states with"), "{}", run.out);
}

#[test]
fn models_that_are_wrong_fail_and_the_others_are_run() {
    let scratch = Scratch::new();
    scratch.file("worker.etf", WORKER);
    scratch.file("broken.etf", "begin");
    let folder = scratch.path().to_str().unwrap();
    let run = measure(&["bench", folder]).exits(1);
    assert!(run.out.contains("FAILED broken.etf") && run.out.contains("1 of 2"), "{}", run.out);
    measure(&["bench", folder, "--only", "worker"]).exits(0);
    for (arguments, wanted) in [
        (&["bench", folder, "--only", "wroker"][..], "no models"),
        (&["bench", "gone.etf"], "there is no file gone.etf"),
        (&["bench", folder, "--strategy", "bsf"], "there is no strategy `bsf`"),
        (&["bench", folder, "--engine", "explicit", "--strategy", "sat"], "no engine has such a combination"),
        (&["bench", folder, "--csv", "/nowhere/at/all.csv"], "/nowhere/at/all.csv"),
        (&["bench", "--ldd", folder, "--strategy", "dfs"], "not searched by `dfs`"),
    ] {
        let run = measure(arguments).exits(2);
        assert!(run.err.contains(wanted), "{arguments:?}: {}", run.err);
    }
}

/// A dump with one slot that goes from 0 to 1.
fn dump() -> Vec<u8> {
    let int = |number: i32| number.to_le_bytes().to_vec();
    let long = |number: u64| number.to_le_bytes().to_vec();
    // A value, the end of the vector below it, and nothing beside it.
    let last = |value: u64, down: u64| [long(value << 48), long(down << 17)].concat();
    [
        [int(1), int(-1), long(1), last(0, 1), long(2)].concat(),
        [int(1), int(1), int(1), int(0), int(0)].concat(),
        [long(2), last(1, 1), last(0, 3), long(4)].concat(),
    ]
    .concat()
}

#[test]
fn dumps_are_searched_by_all_strategies() {
    let scratch = Scratch::new();
    let (file, csv) = (scratch.file("two.ldd", dump()), scratch.path().join("runs.csv"));
    measure(&["bench", "--ldd", &file, "--csv", csv.to_str().unwrap()]).exits(0);
    let runs = table(&csv);
    let strategies: Vec<String> = runs.iter().map(|run| run("strategy")).collect();
    assert_eq!(strategies, ["bfs", "chain", "sat"]);
    assert!(runs.iter().all(|run| run("states") == "2" && run("outcome") == "done"));
    let broken = scratch.file("broken.ldd", &dump()[..9]);
    let run = measure(&["bench", "--ldd", &broken]).exits(1);
    assert!(run.out.contains("FAILED broken.ldd"), "{}", run.out);
    let told = run.out.matches("broken.ldd: byte 8: this is no dump of decision diagrams\n").count();
    assert_eq!(told, 1, "once for all strategies: {}", run.out);
}
