//! Groups that change nothing: left out where only invariants are asked for, and there alone.

mod common;

use common::{Run, Scratch, pinscher};

/// A lamp that is lit for good and then only shines: the loop is all that keeps it from a deadlock.
const LAMP: &str =
    "process Lamp { state off, lit; init off; trans off -> lit {}, lit -> lit {}; } system async;";

/// The same with a loop that fails where the lamp is lit.
const FAILING: &str = "byte x; process Lamp { state off, lit; init off; \
                       trans off -> lit { effect x = 1; }, off -> off { guard 6 / (1 - x) == 6; }, \
                       lit -> lit { guard 6 / (1 - x) == 6; }; } system async;";

/// A table whose second group only reads. It has two successors in one state, so that it is no separable
/// effect.
const TABLE: &str = "begin state\nx:int\nend state\nbegin edge\na:int\nend edge\nbegin init\n0\nend init\n\
                     begin trans\n0/1 0\nend trans\nbegin trans\n1/1 1\n1/1 2\nend trans\n";

const EXPLICIT: &[&str] = &["--engine", "explicit"];
const SYMBOLIC: &[&str] = &["--engine", "symbolic"];
const LOOPS: &[&str] = &["--eliminate", "loops"];

fn run(command: &str, file: &str, options: &[&[&str]]) -> Run {
    let mut arguments = vec![command, file, "--json", "--quiet"];
    arguments.extend(options.concat());
    pinscher(&arguments)
}

/// Each model with a predicate that holds in it, one that does not, and the pattern of its loop's action.
const MODELS: [(&str, &str, [&str; 3]); 2] = [
    ("lamp.dve", LAMP, ["Lamp.off or Lamp.lit", "Lamp.off", "Lamp.lit->lit"]),
    ("table.etf", TABLE, ["x <= 1", "x == 0", "2"]),
];

#[test]
fn invariants_do_not_need_them() {
    let folder = Scratch::new();
    for (name, text, [holds, fails, _]) in MODELS {
        let file = &folder.file(name, text);
        for merge in [&["--merge", "none"], &["--merge", "subsume"]] {
            for (invariant, code) in [(holds, 0), (fails, 1)] {
                let ask: &[&str] = &["--all", "--invariant", invariant];
                let whole = run("check", file, &[ask, merge, EXPLICIT]).exits(code).json();
                assert_eq!((&whole["states"], &whole["deadlocks"]), (&"2".into(), &"0".into()), "{name}");
                assert!(whole["transitions"].is_string(), "{name}");
                // Which of them are left out on its own, and which because that is asked for.
                for options in [&[SYMBOLIC, merge][..], &[SYMBOLIC, LOOPS, merge], &[EXPLICIT, LOOPS, merge]]
                {
                    let less = run("check", file, &[&[ask], options].concat()).exits(code).json();
                    assert_eq!(less["states"], whole["states"], "{name} {options:?}");
                    assert_eq!(less["properties"], whole["properties"], "{name} {options:?}");
                    assert!(
                        less["deadlocks"].is_null() && less["transitions"].is_null(),
                        "{name} {options:?}: {less}"
                    );
                }
                let kept: &[&str] = &["--eliminate", "constants"];
                for options in [kept, &["--check-matrices"]] {
                    let all = run("check", file, &[ask, merge, SYMBOLIC, options]).exits(code).json();
                    assert_eq!(all["deadlocks"], whole["deadlocks"], "{name} {options:?}");
                }
            }
        }
    }
}

#[test]
fn what_needs_them_keeps_them_or_is_refused() {
    let folder = Scratch::new();
    for (name, text, [holds, _, action]) in MODELS {
        let file = &folder.file(name, text);
        for engine in [EXPLICIT, SYMBOLIC] {
            let deadlock: &[&str] = &["--invariant", holds, "--deadlock"];
            let acts: &[&str] = &["--invariant", holds, "--action", action];
            for (ask, code, lost) in [(deadlock, 0, "deadlocks"), (acts, 1, "actions"), (&[], 0, "deadlocks")]
            {
                run("check", file, &[ask, engine]).exits(code);
                let refused = run("check", file, &[ask, engine, LOOPS]).exits(2);
                let error = refused.json()["error"].to_string();
                assert!(error.contains(lost) && error.contains("--eliminate constants"), "{name}: {error}");
            }
            let all = run("count", file, &[engine]).exits(0).json();
            assert_eq!((&all["states"], &all["deadlocks"]), (&"2".into(), &"0".into()), "{name}");
            let less = run("count", file, &[engine, LOOPS]).exits(0).json();
            assert_eq!(less["states"], "2", "{name}");
            assert!(less["deadlocks"].is_null() && less["transitions"].is_null(), "{name}: {less}");
        }
    }
    let (file, out) = (folder.file("lamp.dve", LAMP), folder.path().join("out.etf"));
    let write = ["lts", &file, "-o", out.to_str().unwrap(), "--quiet"];
    pinscher(&write).exits(0);
    pinscher(&[&write, LOOPS].concat()).exits(2);
}

/// A lamp with two switches that do the same.
const SWITCHES: &str = "process Lamp { state off, lit; init off; trans off -> lit {}, off -> lit {}, lit -> lit {}; } system async;";

#[test]
fn groups_that_do_the_same_are_counted_and_named() {
    let folder = Scratch::new();
    let file = &folder.file("switches.dve", SWITCHES);
    let repeats: &[&str] = &["--eliminate", "repeats"];
    for engine in [EXPLICIT, SYMBOLIC] {
        for options in
            [&[], repeats, &["--eliminate", "constants"], &["--eliminate", "repeats", "--merge", "equal"]]
        {
            let all = run("count", file, &[engine, options]).exits(0).json();
            let numbers = [&all["states"], &all["transitions"], &all["deadlocks"]];
            assert_eq!(
                numbers,
                ["2", "3", "0"].map(serde_json::Value::from).each_ref(),
                "{engine:?} {options:?}"
            );
        }
        run("check", file, &[engine, &["--action", "Lamp.lit->lit"]]).exits(1);
    }
    let refused = run("check", file, &[SYMBOLIC, repeats, &["--action", "Lamp.lit->lit"]]).exits(2).json();
    assert!(refused["error"].to_string().contains("actions"), "{refused}");
}

/// What a search does not see to fail is said not to.
#[test]
fn a_loop_that_may_fail_stays() {
    let folder = Scratch::new();
    let file = &folder.file("failing.dve", FAILING);
    for options in [&[EXPLICIT][..], &[SYMBOLIC], &[SYMBOLIC, LOOPS], &[EXPLICIT, LOOPS]] {
        let ask: &[&str] = &["--all", "--invariant", "x <= 1"];
        let report = run("check", file, &[&[ask], options].concat()).exits(1).json();
        let properties = report["properties"].as_array().unwrap();
        let verdicts: Vec<_> = properties.iter().map(|it| (&it["name"], &it["verdict"])).collect();
        let wanted = [("invariant x <= 1", "unknown"), ("errors", "violated")];
        let wanted = wanted.map(|(name, verdict)| (name.into(), verdict.into()));
        assert_eq!(verdicts, wanted.each_ref().map(|(name, verdict)| (name, verdict)), "{options:?}");
        assert_eq!(properties[1]["witness"]["length"], 1, "{options:?}");
    }
}
