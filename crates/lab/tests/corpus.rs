//! `pinscher-lab corpus` from outside: it must see every kind of difference, and nothing where there is none.

mod common;

use common::{Scratch, WORKER, counters, lab};

const HEADER: &str = "model,property,expected,source,formula,note\n";
const RIGHT: &str = "\
worker.etf,states,4,here,,
worker.etf,transitions,4,here,,
worker.etf,deadlock,yes,here,,
worker.etf,deadlock_states,1,here,,
worker.etf,bfs_levels,4,BEEM,,
worker.etf,bfs_levels,3,LTSmin (last level index),,
worker.etf,reach:stuck,reachable,here,(P.stuck),witness length 3
worker.etf,reach:never,unreachable,here,\"x > 2 && P == \"\"work\"\"\",
worker.etf,invariant:safe.inv,holds,here,x <= 2,
worker.etf,sccs,2,here,,
";

fn folder(rows: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.file("worker.etf", WORKER);
    scratch.file("safe.inv", "x <= 2");
    scratch.file("expected.csv", format!("{HEADER}{rows}"));
    scratch
}

#[test]
fn right_answers_are_counted() {
    let scratch = folder(RIGHT);
    let run = lab(&["corpus", scratch.path().to_str().unwrap()]).exits(0);
    assert!(run.out.contains("9 compared, 9 matched, 0 differ"), "{}", run.out);
    assert!(run.out.contains("matrices of 1 checked, 0 wrong"), "{}", run.out);
    assert!(!run.out.contains("note"), "{}", run.out);
}

#[test]
fn each_wrong_answer_is_told() {
    for (right, wrong) in [
        ("states,4", "states,5"),
        ("transitions,4", "transitions,3"),
        ("deadlock,yes", "deadlock,no"),
        ("deadlock_states,1", "deadlock_states,0"),
        ("bfs_levels,4", "bfs_levels,3"),
        ("bfs_levels,3", "bfs_levels,4"),
        ("stuck,reachable", "stuck,unreachable"),
        ("never,unreachable", "never,reachable"),
        ("safe.inv,holds", "safe.inv,violated"),
    ] {
        assert!(RIGHT.contains(right));
        let scratch = folder(&RIGHT.replace(right, wrong));
        let run = lab(&["corpus", scratch.path().to_str().unwrap(), "--quiet"]).exits(1);
        assert!(run.out.contains("9 compared, 8 matched, 1 differ"), "{wrong}: {}", run.out);
        assert!(run.out.contains("DIFFERS worker.etf: "), "{wrong}: {}", run.out);
    }
}

#[test]
fn a_model_without_a_known_size_is_run_as_far_as_the_limit_goes() {
    let rows: String =
        RIGHT.lines().filter(|row| !row.contains(",states,")).map(|row| format!("{row}\n")).collect();
    let scratch = folder(&rows);
    let run = lab(&["corpus", scratch.path().to_str().unwrap()]).exits(0);
    assert!(run.out.contains("8 compared, 8 matched, 0 differ"), "{}", run.out);
    let run = lab(&["corpus", scratch.path().to_str().unwrap(), "--max-states", "3"]).exits(0);
    assert!(run.out.contains("1 too large") && run.out.contains("0 compared"), "{}", run.out);
}

/// What Spin says of a model can be asked in any language.
const SPINS: &str = "\
worker.etf,spin_accepts,yes,Spin,,
worker.etf,has_claim,no,Spin,,
worker.etf,states,4,Spin,,
worker.etf,transitions,4,Spin,,
worker.etf,atomic_steps,0,Spin,,
worker.etf,assertion_violated,no,Spin,,
worker.etf,invalid_end_state,yes,Spin,,
worker.etf,default_verdict,invalid end state,Spin,,
broken.etf,spin_accepts,no,Spin,,
";

#[test]
fn what_spin_says_is_compared() {
    let outcome = |rows: &str, more: &[&str]| {
        let scratch = folder(rows);
        scratch.file("broken.etf", "begin");
        lab(&[&["corpus", scratch.path().to_str().unwrap()], more].concat())
    };
    let run = outcome(SPINS, &[]).exits(0);
    assert!(run.out.contains("8 compared, 8 matched, 0 differ"), "{}", run.out);
    let sums: Vec<Vec<&str>> = run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    for (about, rows, matched, rest) in [("spin_accepts", "2", "2", "0"), ("atomic_steps", "1", "0", "1")] {
        let words = [about, rows, "rows,", matched, "matched,", "0", "differ,", rest, "not", "compared"];
        assert!(sums.iter().any(|line| line[..] == words), "{words:?} is missing in\n{}", run.out);
    }
    for (right, wrong, told) in [
        ("worker.etf,spin_accepts,yes", "worker.etf,spin_accepts,no", "found yes"),
        ("broken.etf,spin_accepts,no", "broken.etf,spin_accepts,yes", "found no: error"),
        ("has_claim,no", "has_claim,yes", "found no"),
        ("assertion_violated,no", "assertion_violated,yes", "found no"),
        ("invalid_end_state,yes", "invalid_end_state,no", "found yes"),
        ("default_verdict,invalid end state", "default_verdict,none", "found invalid end state"),
        (
            "default_verdict,invalid end state",
            "default_verdict,assertion violated",
            "found no assertion violated",
        ),
        ("default_verdict,invalid end state", "default_verdict,other", "found the model does not fail"),
        ("default_verdict,invalid end state", "default_verdict,nonsense", "no such kind of verdict"),
    ] {
        assert!(SPINS.contains(right));
        let run = outcome(&SPINS.replace(right, wrong), &[]).exits(1);
        assert!(
            run.out.contains("8 compared, 7 matched, 1 differ") && run.out.contains(told),
            "{wrong}: {}",
            run.out
        );
    }
    // What Spin does not know is not compared.
    let run = outcome(&SPINS.replace("invalid_end_state,yes", "invalid_end_state,unknown"), &[]).exits(0);
    assert!(run.out.contains("7 compared, 7 matched, 0 differ"), "{}", run.out);
    // A search that is cut off has seen what it has seen: nothing goes wrong in the first three states.
    let sizeless = SPINS.replace("worker.etf,states,4,Spin,,\nworker.etf,transitions,4,Spin,,\n", "");
    let run = outcome(&sizeless, &["--max-states", "3"]).exits(0);
    assert!(
        run.out.contains("4 compared, 4 matched, 0 differ") && run.out.contains("1 too large"),
        "{}",
        run.out
    );
    let run = outcome(&sizeless, &["--max-states", "4"]).exits(0);
    assert!(run.out.contains("6 compared, 6 matched, 0 differ"), "{}", run.out);
}

#[test]
fn notes_are_told_and_do_not_fail() {
    let scratch = folder(&RIGHT.replace("witness length 3", "witness length 2"));
    let run = lab(&["corpus", scratch.path().to_str().unwrap()]).exits(0);
    assert!(run.out.contains("the shortest run has 3 steps, the source's 2"), "{}", run.out);
}

#[test]
fn disputed_values_are_told_and_do_not_fail() {
    let scratch = folder(RIGHT);
    scratch.file("disputed.csv", format!("{HEADER}worker.etf,states,5,elsewhere,,\n"));
    let run = lab(&["corpus", scratch.path().to_str().unwrap()]).exits(0);
    assert!(run.out.contains("disputed worker.etf: states: 5 by elsewhere; found 4"), "{}", run.out);
}

#[test]
fn files_that_do_not_parse_and_models_that_are_not_there_fail() {
    let scratch = folder(RIGHT);
    scratch.file("broken.etf", "begin");
    let run = lab(&["corpus", scratch.path().to_str().unwrap()]).exits(1);
    assert!(run.out.contains("DOES NOT PARSE") && run.out.contains("1 do not parse"), "{}", run.out);
    let scratch = folder("gone.etf,states,4,here,,\n");
    lab(&["corpus", scratch.path().to_str().unwrap()]).exits(1);
}

#[test]
fn large_models_are_left_out_and_unfinished_ones_are_not_passed() {
    let scratch = folder(&format!("{RIGHT}big.etf,states,887503681,here,,\n"));
    scratch.file("big.etf", counters(6, 30));
    let path = scratch.path().to_str().unwrap();
    let run = lab(&["corpus", path]).exits(0);
    assert!(run.out.contains("1 too large"), "{}", run.out);
    let run =
        lab(&["corpus", path, "--max-states", "999999999", "--time", "0.3", "--check-matrices-up-to", "0"]);
    assert!(run.out.contains("not finished big.etf: time"), "{}", run.out);
    let run = run.exits(3);
    assert!(run.out.contains("matrices of 0 checked"), "{}", run.out);
    let run = lab(&["corpus", path, "--only", "worker"]).exits(0);
    assert!(run.out.contains("1 files parsed"), "{}", run.out);
    for (only, wanted) in [("wroker", "correct the text"), ("big", "raise --max-states")] {
        let run = lab(&["corpus", path, "--only", only]).exits(2);
        assert!(run.err.contains("nothing was compared") && run.err.contains(wanted), "{}", run.err);
    }
    // Many more states than expected end the run of a model.
    let scratch = folder("big.etf,states,10,here,,\n");
    scratch.file("big.etf", counters(6, 30));
    let run = lab(&["corpus", scratch.path().to_str().unwrap()]).exits(1);
    assert!(run.out.contains("more than"), "{}", run.out);
}
