//! `pinscher-lab compare` from outside: Spin and Pinscher on the project's models in Promela.

mod common;

use common::{Scratch, WORKER, lab, model, spin_is_there, tools};

/// The words of the line that tells what one of the two found.
fn line<'t>(text: &'t str, who: &str) -> Vec<&'t str> {
    let found = text.lines().filter(|line| line.starts_with("  "));
    let mut lines = found.map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.find(|words| words.first() == Some(&who)).unwrap_or_else(|| panic!("no {who} in\n{text}"))
}

#[test]
fn the_models_of_the_project_are_the_same_for_spin() {
    if !spin_is_there() {
        return;
    }
    let folder = model("");
    let run = lab(&["compare", &folder]).exits(0);
    assert!(run.out.contains("3 models the same, 0 differ, 0 not known"), "{}", run.out);
    for engine in ["explicit", "symbolic"] {
        let run = lab(&[
            "compare",
            &model("sliding.window.pml"),
            "-DNUMBERS=2",
            "--engine",
            engine,
            "--time",
            "100",
        ]);
        let run = run.exits(0);
        let (spin, own) = (line(&run.out, "Spin"), line(&run.out, "Pinscher"));
        assert_eq!(spin[1], own[1], "{}", run.out);
        assert!(run.out.matches("assertion violated: yes").count() == 2, "{}", run.out);
    }
}

#[test]
fn what_goes_wrong_goes_wrong_for_both() {
    if !spin_is_there() {
        return;
    }
    let scratch = Scratch::new();
    for (name, text, wanted) in [
        ("stuck.pml", "byte x; active proctype P() { x = 1; x == 2 }", "invalid end state: yes"),
        ("fine.pml", "byte x; active proctype P() { x = 1; end: x == 2 }", "invalid end state: no"),
        (
            "wrong.pml",
            "byte x; active proctype P() { atomic { x = 1; assert(x == 2); x = 2 } }",
            "assertion violated: yes",
        ),
        ("refused.pml", "active proctype P() { y = 1 }", "both refuse it"),
    ] {
        let run = lab(&["compare", &scratch.file(name, text)]).exits(0);
        assert!(
            run.out.starts_with("Spin") && run.out.contains(&format!("same {}", scratch.path().display()))
        );
        assert!(run.out.contains(wanted), "{name}: {}", run.out);
        let run = lab(&["compare", "--quiet", &scratch.file(name, text)]).exits(0);
        assert_eq!(run.out, "1 models the same, 0 differ, 0 not known\n");
    }
    let code = scratch.file("code.pml", "c_code { int x; } active proctype P() { skip }");
    let run = lab(&["compare", &code]).exits(0);
    assert!(run.out.contains("1 excepted: C code"), "{}", run.out);
}

#[test]
fn what_is_not_in_promela_is_refused() {
    let scratch = Scratch::new();
    let worker = scratch.file("worker.etf", WORKER);
    for (file, wanted) in [
        (worker.as_str(), "not in Promela"),
        (scratch.path().to_str().unwrap(), "no models in Promela"),
        ("no/such/file.pml", "there is no file"),
    ] {
        let run = lab(&["compare", file]).exits(2);
        assert!(run.err.contains(wanted), "{file}: {}", run.err);
    }
    let output = tools().args(["compare", &model("turns.pml")]).env("PATH", scratch.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("install Spin"));
}
