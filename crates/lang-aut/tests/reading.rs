//! What is read from small files and random ones, and what is said of wrong ones.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use base::{GroupIx, Source, render_all};
use lang_aut::Refusal;
use language::Loaded;
use model::{Model, Successors, Value};
use toys::seeded;

/// The file piece by piece and as a whole, which are the same model.
fn loaded(text: &str) -> [Loaded; 2] {
    let read = lang_aut::read("test.aut", &mut text.as_bytes(), u64::MAX).expect("it is a system");
    let whole = lang_aut::load(Arc::new(Source::new("test.aut", text))).expect("it is a system");
    [read, whole]
}

fn steps(model: &dyn Model, from: Value) -> Vec<(String, Value)> {
    let mut successors = Successors::new(1);
    model.stepper().all(&[from], &mut successors).unwrap();
    let shown = |action| model.signature().show_action(action).into_owned();
    successors.iter().map(|step| (shown(step.action), step.state[0])).collect()
}

#[test]
fn a_system_is_a_model_with_one_slot() {
    let text = "des (1, 4, 3)\n(1, \"a(1, true)\", 0)\n(1, tau, 1)\n(1, tau, 1)\n(2, i, 0)\n";
    for Loaded { model, warnings, stated, endless } in loaded(text) {
        assert!(warnings.is_empty() && stated.is_empty() && endless.is_none());
        let signature = model.signature();
        assert_eq!((signature.name.as_str(), signature.slots[0].name.as_str()), ("test.aut", "state"));
        assert_eq!((model.initial(), signature.source.is_none()), (&[1][..], true));
        // A transition that the file has twice is two steps, and no label is another one.
        let wanted = [("a(1, true)", 0), ("tau", 1), ("tau", 1)].map(|(label, to)| (label.to_owned(), to));
        assert_eq!(steps(&*model, 1), wanted);
        assert_eq!(steps(&*model, 2), [("i".to_owned(), 0)]);
        assert_eq!((steps(&*model, 0), steps(&*model, 3)), (Vec::new(), Vec::new()));
        assert_eq!(signature.action.named("i"), Some(2));
    }
}

#[test]
fn a_system_without_transitions_is_one_deadlock() {
    for Loaded { model, .. } in loaded("des (0,0,1)\n") {
        assert_eq!((model.initial(), steps(&*model, 0)), (&[0][..], Vec::new()));
    }
}

/// Random systems: all calls of the stepper tell the transitions of the file, and those alone.
#[test]
fn steps_are_the_transitions_of_the_file() {
    let mut random = seeded();
    for _ in 0..200 {
        let (states, labels) = (1 + random.below(12), 1 + random.below(4));
        let edges: Vec<(usize, usize, usize)> = (0..random.below(30))
            .map(|_| (random.below(states), random.below(labels), random.below(states)))
            .collect();
        let initial = random.below(states);
        let lines: String =
            edges.iter().map(|(from, label, to)| format!("({from},\"{label}\",{to})\n")).collect();
        let text = format!("des ({initial},{},{states})\n{lines}", edges.len());
        for Loaded { model, .. } in loaded(&text) {
            let (mut stepper, mut known) = (model.stepper(), BTreeSet::from([initial as Value]));
            let mut waiting = VecDeque::from([initial as Value]);
            while let Some(state) = waiting.pop_front() {
                let wanted: Vec<(String, Value)> = edges
                    .iter()
                    .filter(|edge| edge.0 == state as usize)
                    .map(|edge| (edge.1.to_string(), edge.2 as Value))
                    .collect();
                assert_eq!(steps(&*model, state), wanted, "{text}");
                let mut successors = Successors::new(1);
                stepper.group(GroupIx::new(0), &[state], &mut successors).unwrap();
                stepper.update(GroupIx::new(0), &[state], &mut successors).unwrap();
                stepper.some(0..1, usize::MAX, &[state], &mut successors);
                let targets: Vec<Value> = successors.iter().map(|step| step.state[0]).collect();
                let once: Vec<Value> = wanted.iter().map(|step| step.1).collect();
                assert_eq!(targets, once.repeat(3), "{text}");
                waiting.extend(once.into_iter().filter(|&target| known.insert(target)));
            }
        }
    }
}

/// What is said of a wrong file is the same for its pieces and its whole.
fn messages(text: &str) -> String {
    let Err(Refusal::Wrong(lines, pieces)) = lang_aut::read("test.aut", &mut text.as_bytes(), u64::MAX)
    else {
        panic!("this should not be a system:\n{text}")
    };
    let source = Arc::new(Source::new("test.aut", text));
    let Err(whole) = lang_aut::load(Arc::clone(&source)) else { panic!("it was read:\n{text}") };
    let messages = render_all(&pieces, &lines, 50);
    assert_eq!(messages, render_all(&whole, &source, 50));
    messages
}

#[test]
fn wrong_lines_are_told_with_their_places() {
    let text = messages("des (0,9,2)\n(0,a,1)\n\n(0,\"é\" 1)\r\n(0,a,2)\n");
    assert!(
        text.contains("expected `,` after the label\n  --> test.aut:4:8\n4 | (0,\"é\" 1)\n  |        ^\n"),
        "{text}"
    );
    assert!(text.contains("the target 2") && text.contains("test.aut:5:1\n5 | (0,a,2)"), "{text}");
    assert!(messages("\n\ndes (0,2,2)\n(0,a,1)\n").contains("test.aut:3:1\n3 | des (0,2,2)"));
    assert!(messages("").contains("the file is empty") && messages("\n\n").contains("test.aut:1:1"));
    assert!(messages("digraph {}").contains("test.aut:1:1\n1 | digraph {}"));
}

#[test]
fn a_place_in_a_long_line_is_found() {
    let text = messages(&format!("des (0,1,2)\n(0,\"{}\" 1)\n", "x".repeat(3000)));
    assert!(text.contains("test.aut:2:3007") && text.lines().all(|line| line.len() < 200), "{text}");
}

#[test]
fn lines_beside_those_that_are_told_are_counted() {
    let wrong = |lines| messages(&format!("des (0,0,1)\n{}", "x\n".repeat(lines)));
    assert!(!wrong(20).contains("beside them"));
    assert!(wrong(21).contains("one line is wrong beside them"));
    assert!(
        wrong(100).contains("80 lines are wrong beside them") && wrong(100).matches("error:").count() == 20
    );
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let bytes = b"des (0,2,1)\n(0,\"a\",0)\n(0,\"\xff\xff\",0)\n";
    let Err(Refusal::Wrong(source, messages)) = lang_aut::read("test.aut", &mut &bytes[..], u64::MAX) else {
        panic!("it was read")
    };
    let text = render_all(&messages, &source, 50);
    assert!(text.contains("not text in UTF-8\n  --> test.aut:3:1"), "{text}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let read = |text: &str, bytes| lang_aut::read("test.aut", &mut text.as_bytes(), bytes);
    assert!(matches!(read("des (0,0,4000000000)\n", 1 << 30), Err(Refusal::Full)));
    assert!(lang_aut::load(Arc::new(Source::new("test.aut", "des (0,0,4000000000)\n"))).is_err());
    // Labels are there twice: in the system, and as names of actions.
    let lines: String = (0..1000).map(|n| format!("(0,\"{}{n}\",0)\n", "x".repeat(1000))).collect();
    let text = format!("des (0,1000,1)\n{lines}");
    for bytes in (0..5_000_000).step_by(100_000) {
        match read(&text, bytes) {
            Ok(loaded) => assert!(loaded.model.bytes() <= bytes && bytes >= 2_000_000, "{bytes}"),
            Err(Refusal::Full) => assert!(bytes < 4_000_000, "{bytes}"),
            Err(other) => panic!("{other:?}"),
        }
    }
}
