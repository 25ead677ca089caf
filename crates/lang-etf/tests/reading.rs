//! What is read from small texts, and what is said of wrong ones.

mod support;

use base::{GroupIx, LabelIx, Severity, SlotIx};
use model::{Access, Domain, Successors};
use support::{Counts, counts, errors, explore, load};

/// The example of the manual page, in its way of writing: bare words, slots without names.
const MANUAL: &str = "begin state\n_:_  _:_\nend state\nbegin edge\naction:action\nend edge\nbegin init\n0 0\nend init\n\
    begin trans\n0/1 * 0\nend trans\nbegin trans\n* 0/1 1\nend trans\n\
    begin map shape:shape\n0 * square\n1 * circle\nend map\n\
    begin map multiplicity:multiplicity\n0 0 1\n0 1 0\n1 0 0\n1 1 1\nend map\n\
    begin sort action\na\nb\nend sort\nbegin sort multiplicity\nsingle\ndouble\nend sort\n";

/// A text with these trans sections over slots `x` and `y`.
fn with_sections(sections: &str) -> String {
    format!(
        "begin state\nx:nat y:nat\nend state\nbegin edge\nend edge\nbegin init\n0 0\nend init\n{sections}\n"
    )
}

#[test]
fn the_example_of_the_manual_page() {
    let loaded = load(MANUAL);
    assert_eq!(loaded.warnings, []);
    let (found, _) = explore(&*loaded.model, &mut ());
    assert_eq!(found, Counts { states: 4, transitions: 4, deadlocks: 1 });
    let signature = loaded.model.signature();
    assert_eq!(signature.groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(
        signature.labels.iter().map(|label| label.name.as_str()).collect::<Vec<_>>(),
        ["shape", "multiplicity"]
    );
    let mut stepper = loaded.model.stepper();
    assert_eq!(stepper.label(LabelIx::new(0), &[1, 0]), Ok(1));
    assert_eq!(stepper.label(LabelIx::new(1), &[0, 0]), Ok(1));
    assert!(stepper.label(LabelIx::new(0), &[7, 0]).is_err());
    assert!(!loaded.model.dependencies().label_reads(LabelIx::new(0), SlotIx::new(1)));
}

#[test]
fn comments_blank_lines_escapes_and_line_ends_are_read() {
    let text = "% a comment\r\nbegin state\r\nGear\\.dir:int % here too\r\n pos\\[0\\] : \\end\r\nend state\r\n\
        begin edge\r\nend edge\r\nbegin init\r\n0\r\n0\r\nend init\r\n\r\nbegin trans\r\n\r\n  0/1*\r\n\t1 / 0 *%x\r\nend trans\r\n\
        begin sort \\end\r\n\"x \\\"y\\\"\" #7a#\r\nend sort";
    let loaded = load(text);
    let signature = loaded.model.signature();
    assert_eq!(
        signature.slots.iter().map(|slot| slot.name.as_str()).collect::<Vec<_>>(),
        ["Gear.dir", "pos[0]"]
    );
    assert_eq!(signature.show(SlotIx::new(1), 0), "x \"y\"");
    assert_eq!(signature.show(SlotIx::new(1), 1), "z");
    assert_eq!(counts(text), Counts { states: 2, transitions: 2, deadlocks: 0 });
}

#[test]
fn a_sort_is_names_or_a_range() {
    let text = "begin state\na:named b:empty c:none\nend state\nbegin edge\nend edge\nbegin init\n1 0 9\nend init\n\
        begin trans\n* 0/3 *\nend trans\nbegin sort empty\nend sort\nbegin sort named\noff on\nend sort\n";
    let loaded = load(text);
    let signature = loaded.model.signature();
    assert!(
        matches!(&signature.type_of(SlotIx::new(0)).domain, Domain::Names(names) if names[..] == ["off", "on"])
    );
    assert!(matches!(signature.type_of(SlotIx::new(1)).domain, Domain::Range { lo: 0, hi: 3 }));
    assert!(matches!(signature.type_of(SlotIx::new(2)).domain, Domain::Range { lo: 0, hi: 9 }));
}

#[test]
fn actions_come_from_edge_labels() {
    let action = |edge: &str, labels: &str, sort: &str| {
        let text = format!(
            "begin state\nx:nat\nend state\nbegin edge\n{edge}\nend edge\nbegin init\n0\nend init\n\
             begin trans\nend trans\nbegin trans\n0/1 {labels}\nend trans\n{sort}"
        );
        let loaded = load(&text);
        let mut successors = Successors::new(1);
        loaded.model.stepper().all(&[0], &mut successors).unwrap();
        loaded.model.signature().show_action(successors.get(0).action).into_owned()
    };
    let sort = "begin sort act\nsend\nreceive\nend sort\n";
    assert_eq!(action("", "", ""), "trans 1");
    assert_eq!(action("a:act", "1", sort), "receive");
    assert_eq!(action("a:act", "\"lose it\"", sort), "lose it");
    assert_eq!(action("a:act", "7", ""), "7");
    assert_eq!(action("a:act n:nat", "0 5", sort), "a=send, n=5");
}

#[test]
fn matrices_say_what_rows_do() {
    let text = with_sections(
        "begin trans\n0/1 2/2\n1/1 2/2\nend trans\nbegin trans\n0/1 *\n* 0/1\nend trans\nbegin trans\n3/3 *\nend trans\n\
         begin trans\nend trans\nbegin trans\n* *\nend trans",
    );
    let loaded = load(&text);
    let dependencies = loaded.model.dependencies();
    let access =
        |group: usize| [0, 1].map(|slot| dependencies.access(GroupIx::new(group), SlotIx::new(slot)));
    assert_eq!(access(0), [Access::Both, Access::Read]);
    assert!(dependencies.must_write(GroupIx::new(0), SlotIx::new(0)));
    assert_eq!(access(1), [Access::Both, Access::Both]);
    assert!(!dependencies.must_write(GroupIx::new(1), SlotIx::new(0)));
    assert_eq!(access(2), [Access::Read, Access::None]);
    assert_eq!(access(3), [Access::None, Access::None]);
    let mut successors = Successors::new(2);
    loaded.model.stepper().group(GroupIx::new(1), &[0, 0], &mut successors).unwrap();
    let seen: Vec<_> = successors
        .iter()
        .map(|s| (s.state.to_vec(), [0, 1].map(|slot| s.copied(SlotIx::new(slot)))))
        .collect();
    assert_eq!(seen, [(vec![1, 0], [false, true]), (vec![0, 1], [true, false])]);
}

#[test]
fn guards_are_shared_and_name_their_values() {
    let loaded = load(&with_sections(
        "begin trans\n0/1 2/2\n0/1 3/3\nend trans\nbegin trans\n0/2 *\nend trans\nbegin trans\nend trans\n\
         begin trans\n0/0 0/0\n1/1 1/1\nend trans\nbegin trans\n* *\nend trans",
    ));
    let signature = loaded.model.signature();
    let names = |group: usize| -> Vec<&str> {
        signature.groups[group]
            .guards
            .iter()
            .map(|guard| signature.guards[guard.ix()].name.as_str())
            .collect()
    };
    assert_eq!(names(0), ["x = 0", "y in {2, 3}"]);
    assert_eq!(names(1), ["x = 0"]);
    assert_eq!(names(2), ["a row of trans 2 fits"]);
    assert_eq!(names(3), ["a row of trans 3 fits x, y"]);
    assert_eq!(names(4), [] as [&str; 0]);
    assert_eq!(signature.groups[0].guards[0], signature.groups[1].guards[0]);
}

#[test]
fn a_section_is_a_set_of_transitions() {
    // The same row twice, a row that covers another, and two rows that meet in one state.
    let text = with_sections("begin trans\n0/1 *\n0/1 *\n0/1 0/0\n* 0/0\n1/1 *\nend trans");
    assert_eq!(counts(&text), Counts { states: 2, transitions: 3, deadlocks: 0 });
}

#[test]
fn the_last_row_of_a_map_counts() {
    let loaded = load(&with_sections("begin map m:nat\n0 * 1\n* 0 2\n0 * 3\nend map"));
    assert_eq!(
        loaded.warnings.iter().map(|problem| problem.severity).collect::<Vec<_>>(),
        [Severity::Warning]
    );
    let mut stepper = loaded.model.stepper();
    assert_eq!(
        [[0, 0], [0, 1], [1, 0]].map(|state| stepper.label(LabelIx::new(0), &state).unwrap()),
        [3, 3, 2]
    );
}

#[test]
fn an_empty_file_is_pointed_at_its_beginning() {
    for text in ["", "\n\n", "% nothing"] {
        let said = errors(text);
        assert!(said.contains("there is nothing in this file") && said.contains("test.etf:1:1"), "{said}");
    }
}

#[test]
fn all_errors_are_told_at_once() {
    let said = errors(
        "begin state\nx:nat x:nat y\nend state\nbegin edge\na:act\nend edge\nbegin init\n0\nend init\n\
         begin trans\n0/1 0\n0 0 0\n0/1 * 0\n0/99999999999 * 0\n0/1 * * 1\n0/-1 * 0\nend trans\n\
         begin sort act\n\"a\"\n\"a\"\n12\n\"b\nend sort\nbegin foo\nend foo\nbegin init\nend init\n",
    );
    for wanted in [
        "`x` is declared twice",
        "a declaration needs a sort",
        "the initial state has 1 value, but the state has 2 slots",
        "column 2 must be `*` or `from/to`",
        "column 1 must be `*` or `from/to`",
        "this number is too large",
        "a label cannot look like the column of a slot",
        "value `a` is listed twice in sort `act`",
        "a value of a sort cannot be a bare number",
        "this value is not closed",
        "there are no `foo` sections",
        "there is more than one `init` section",
    ] {
        assert!(said.contains(wanted), "no {wanted:?} in\n{said}");
    }
    assert!(said.lines().filter(|line| line.starts_with("error")).count() >= 13, "{said}");
}

#[test]
fn a_message_shows_the_place_and_the_way_out() {
    let said = errors(&with_sections("begin trans\n0/1 3\nend trans"));
    assert_eq!(
        said,
        "error: column 2 must be `*` or `from/to`\n  --> test.etf:10:5\n10 | 0/1 3\n   |     ^ the column of slot `y`\n  \
         help: a row has 2 columns: 2 slots, then 0 edge labels\n\n"
    );
}

#[test]
fn each_mistake_has_its_message() {
    let state = "begin state\nx:nat\nend state\n";
    let edge = "begin edge\nend edge\n";
    let init = "begin init\n0\nend init\n";
    let body = format!("{state}{edge}{init}");
    for (text, wanted) in [
        (format!("{edge}{state}{init}"), "the `edge` section must be the second one"),
        (format!("{state}{init}"), "the sections `state` and `edge` must come before this one"),
        (state.to_owned(), "there is no `edge` section"),
        (format!("{state}{edge}"), "there is no `init` section"),
        (format!("{state}{state}{edge}{init}"), "there is more than one `state` section"),
        (format!("hello\n{body}"), "a section should begin here"),
        (format!("begin state\nend state\n{edge}{init}"), "the state has no slots"),
        (format!("begin state\nx.y:nat\nend state\n{edge}{init}"), "`.` cannot stand in a name"),
        (format!("begin state\nx:\nend state\n{edge}{init}"), "a name is missing"),
        (format!("begin stat\nx:nat\nend stat\n{edge}{init}"), "did you mean `state`?"),
        (format!("{body}begin trans\n0/1\n"), "this `trans` section is not closed"),
        (format!("{body}begin trans\n0/1\nbegin trans\nend trans\n"), "this `trans` section is not closed"),
        (format!("{body}begin trans\n0/1\nend map\n"), "this ends another section than `trans`"),
        (format!("{body}begin trans\n0/1 7\nend trans\n"), "this row is too long"),
        (format!("{body}begin trans\n0/\nend trans\n"), "column 1 must be `*` or `from/to`"),
        (format!("{body}begin map m:nat\n0\nend map\n"), "this row is too short"),
        (format!("{body}begin map m:nat\n0/1 1\nend map\n"), "column 1 must be `*` or a number"),
        (format!("{body}begin map m:nat\n0 #zz#\nend map\n"), "this is not hexadecimal"),
        (
            format!("{body}begin map m:nat\n0 1\nend map\nbegin map m:nat\n0 1\nend map\n"),
            "map `m` is there twice",
        ),
        (format!("{body}begin map\nend map\n"), "a name is missing"),
        (format!("{body}begin sort\nend sort\n"), "a name is missing"),
        (
            format!("{body}begin sort nat\na\nend sort\nbegin sort nat\nend sort\n"),
            "sort `nat` has a second section",
        ),
        (
            format!("{body}begin trans\n0/2\nend trans\nbegin sort nat\na b\nend sort\n"),
            "so there is no value 2",
        ),
    ] {
        let said = errors(&text);
        assert!(said.contains(wanted), "no {wanted:?} for\n{text}\nbut\n{said}");
    }
}

#[test]
fn a_misspelt_sort_is_a_warning() {
    let text = with_sections("begin sort Nat\na b\nend sort");
    let warnings = load(&text).warnings;
    assert!(warnings.iter().any(|warning| warning.label.contains("did you mean `nat`")), "{warnings:?}");
}

#[test]
fn a_flood_of_errors_is_cut() {
    let text = with_sections(&format!("begin trans\n{}end trans", "0/1\n".repeat(100_000)));
    assert!(errors(&text).lines().filter(|line| line.starts_with("error")).count() <= 50);
}
