//! Reading and writing `.aut` files.

use base::SplitMix64;
use lts::aut::{self, Unread};
use lts::{Builder, Lts, StateIx};

fn read(text: &str) -> Result<Lts, Unread> {
    aut::read(&mut text.as_bytes(), u64::MAX)
}

fn write(lts: &Lts) -> String {
    let mut text = Vec::new();
    aut::write(lts, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn what_is_written_is_read_back_as_it_was() {
    let text =
        "des (1,4,3)\n(0,\"say \"hi\"\",2)\n(1,\"a(1, true)\",0)\n(1,\"a(1, true)\",0)\n(2,\"\\n\",2)\n";
    let lts = read(text).unwrap();
    assert_eq!((lts.states(), lts.transitions(), lts.initial(), lts.deadlocks()), (3, 4, StateIx(1), 0));
    assert_eq!(write(&lts), text);
    assert_eq!(read(&write(&lts)).unwrap(), lts);
}

#[test]
fn transitions_in_any_order_are_sorted_by_their_source() {
    let lts = read("des (0, 4, 3)\r\n\r\n(2, b, 0)\r\n(0, a, 2)\r\n(2, a, 1)\r\n  (0,*,1)").unwrap();
    let wanted = "des (0,4,3)\n(0,\"a\",2)\n(0,\"*\",1)\n(2,\"b\",0)\n(2,\"a\",1)\n";
    assert_eq!(write(&lts), wanted);
}

#[test]
fn a_label_cannot_end_its_line() {
    let mut builder = Builder::new(u64::MAX);
    let action = builder.action("two\nlines").unwrap();
    builder.transition(StateIx(0), action, StateIx(0)).unwrap();
    let lts = builder.finish(1, StateIx(0)).unwrap();
    assert_eq!(write(&lts), "des (0,1,1)\n(0,\"two lines\",0)\n");
}

#[test]
fn all_problems_are_told_with_their_lines() {
    let text = "des (0,9,2)\n(0,a,1)\n(0,a,2)\noops\n\n(3,a,1)\n(0,\"a,1)\n(1,b,0)\n";
    let Err(Unread::Wrong(problems, more)) = read(text) else { panic!("it was read") };
    assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [3, 4, 6, 7]);
    assert_eq!((more, problems[1].text.as_str(), problems[3].column), (0, "oops", 4));
    assert!(problems[0].message.contains("the target 2"), "{:?}", problems[0]);
    assert!(problems[2].message.contains("the source 3"), "{:?}", problems[2]);
}

#[test]
fn a_first_line_that_is_wrong_is_told() {
    for (text, part) in [
        ("", "empty"),
        ("\n\n", "empty"),
        ("digraph {}", "no .aut file"),
        ("des (0,1,1)\n", "1 transitions, but there are 0"),
        ("des (0,0,1)\n(0,a,0)\n", "0 transitions, but there are 1"),
        ("des (2,0,2)\n", "the initial state 2"),
        ("des (0,0,0)\n", "the initial state 0"),
        ("des (0,0,5000000000)\n", "2^32"),
    ] {
        let Err(Unread::Wrong(problems, _)) = read(text) else { panic!("{text} was read") };
        assert!(problems.len() == 1 && problems[0].message.contains(part), "{text}: {problems:?}");
        assert_eq!(problems[0].line, 1);
    }
}

#[test]
fn many_problems_are_counted() {
    let text = format!("des (0,0,1)\n{}", "x\n".repeat(100));
    let Err(Unread::Wrong(problems, more)) = read(&text) else { panic!("it was read") };
    assert_eq!((problems.len(), more), (20, 80));
}

#[test]
fn what_does_not_fit_is_refused_before_it_is_taken() {
    // Four thousand million states would take sixteen gigabytes.
    let huge = aut::read(&mut &b"des (0,0,4000000000)\n"[..], 1 << 30);
    assert!(matches!(huge, Err(Unread::Full)), "{huge:?}");
    let transitions: String = (0..1000).map(|n| format!("({n},\"a{n}\",{})\n", (n + 1) % 1000)).collect();
    let text = format!("des (0,1000,1000)\n{transitions}");
    for bytes in (0..200_000).step_by(1_000) {
        match aut::read(&mut text.as_bytes(), bytes) {
            Ok(lts) => assert!(lts.bytes() <= bytes && bytes > 20_000),
            Err(Unread::Full) => assert!(bytes < 150_000, "{bytes}"),
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let read = aut::read(&mut &b"des (0,1,1)\n(0,\"\xff\",0)\n"[..], u64::MAX);
    let Err(Unread::Wrong(problems, 0)) = read else { panic!("{read:?}") };
    assert!(problems[0].line == 2 && problems[0].message.contains("UTF-8"), "{problems:?}");
}

#[test]
fn a_label_full_of_quotes_is_read_in_one_go() {
    let label = "\" , 1 ".repeat(1 << 20);
    let lts = read(&format!("des (0,1,1)\n(0,\"{label}\",0)\n")).unwrap();
    assert_eq!(lts.labels().next(), Some(label.as_str()));
}

#[test]
fn multi_actions_are_sorted() {
    assert_eq!(
        write(&read("des (0,2,1)\n(0,\"b|a(1)\",0)\n(0,\"a(1)|b\",0)\n").unwrap()).matches("a(1)|b").count(),
        2
    );
}

/// Texts made of the pieces of good ones: never a panic, and what is read is written and read again.
#[test]
fn any_text_is_read_or_refused() {
    let seed = std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7u64);
    println!("PINSCHER_SEED={seed}");
    let pieces = [
        "des",
        "(",
        ")",
        ",",
        "0",
        "1",
        "7",
        "\"",
        "a",
        "|",
        " ",
        "\n",
        "*",
        "99999999999",
        "des (0,1,2)\n",
        "(0,a,1)\n",
    ];
    let mut random = SplitMix64::new(seed);
    let mut next = move |bound: usize| random.below(bound);
    let mut good = 0;
    for _ in 0..50_000 {
        let start = if next(2) == 0 { "des (0,1,2)\n" } else { "" };
        let text = (0..next(10)).fold(start.to_owned(), |text, _| text + pieces[next(pieces.len())]);
        match aut::read(&mut text.as_bytes(), 1 << 20) {
            Ok(lts) => {
                good += 1;
                assert_eq!(read(&write(&lts)).unwrap(), lts, "{text}");
            }
            Err(Unread::Wrong(problems, _)) => assert!(!problems.is_empty()),
            Err(other) => assert!(matches!(other, Unread::Full), "{other:?}"),
        }
    }
    assert!(good > 100, "only {good} were good");
}
