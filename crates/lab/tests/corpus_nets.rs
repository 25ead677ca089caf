//! `pinscher-lab corpus` over nets, which the program `pinscher` examines.

mod common;

use common::{Run, Scratch, lab, measure, model};

const ROWS: &str = "\
readers.pnml,states,5,here,,
readers.pnml,transitions,8,here,,
readers.pnml,max_token_in_place,4,here,,
readers.pnml,max_token_per_marking,9,here,,
readers.pnml,OneSafe,FALSE,here,,
readers.pnml,UpperBounds:how-many-are-busy,3,here,,
";

fn folder(rows: &str) -> Scratch {
    let scratch = Scratch::new();
    for (name, source) in [("readers.pnml", "readers.pnml"), ("UpperBounds.xml", "readers.xml")] {
        scratch.file(name, std::fs::read(model(source)).unwrap());
    }
    scratch.file("expected.csv", format!("model,property,expected,source,formula,note\n{rows}"));
    scratch
}

fn compared(rows: &str, more: &[&str]) -> Run {
    let scratch = folder(rows);
    measure(&[&["corpus", scratch.path().to_str().unwrap()], more].concat())
}

#[test]
fn nets_are_examined_and_compared() {
    let run = compared(ROWS, &[]).exits(0);
    assert!(run.out.contains("6 compared, 6 matched, 0 differ"), "{}", run.out);
    assert!(run.out.contains("StateSpace 4/4") && run.out.contains("OneSafe 1/1"), "{}", run.out);
    let run = compared(ROWS, &["--examination", "OneSafe"]).exits(0);
    assert!(run.out.contains("1 compared, 1 matched, 0 differ"), "{}", run.out);
    for (right, wrong) in [("states,5", "states,6"), ("FALSE", "TRUE"), ("busy,3", "busy,4")] {
        assert!(ROWS.contains(right));
        let run = compared(&ROWS.replace(right, wrong), &[]).exits(1);
        assert!(run.out.contains("6 compared, 5 matched, 1 differ"), "{wrong}: {}", run.out);
    }
}

#[test]
fn without_the_program_nothing_is_compared() {
    let scratch = folder(ROWS);
    let run = lab(&["corpus", scratch.path().to_str().unwrap(), "--program", "no/such/program"]).exits(2);
    assert!(run.err.contains("there is no program no/such/program"), "{}", run.err);
}
