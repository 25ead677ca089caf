//! What can be asked of channels, and of processes by the names that runs give them.

use std::sync::Arc;

use base::{Source, TypeIx};
use logic::Predicate;
use model::{Signature, Slot, SlotRole, StateFunction, Type, Value};

/// Slots: the channels q (two messages of two fields), one (one field) and cs[0..2], x, the processes P[0]
/// with P[0].x and a channel mine, R[1] and R[2] with an x each, and :init:[3].
fn signature() -> Signature {
    let mut slots = Vec::new();
    let mut add = |name: &str, ty: usize, role: SlotRole| {
        slots.push(Slot { name: name.into(), ty: TypeIx::new(ty), span: None, role });
    };
    let length = |channel: &str| SlotRole::ChannelLength(Arc::from(channel));
    let field = |channel: &str, field: usize| SlotRole::ChannelField { channel: Arc::from(channel), field };
    use SlotRole::{Location, Variable};
    add("len(q)", 1, length("q"));
    for (number, cell) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        add(&format!("q.{number}[{cell}]"), 0, field("q", number));
    }
    add("one.count", 2, length("one"));
    add("one[0]", 0, field("one", 0));
    add("len(cs[0])", 1, length("cs[0]"));
    add("len(cs[1])", 1, length("cs[1]"));
    add("x", 0, Variable);
    add("P[0]", 3, Location);
    add("P[0].x", 0, Variable);
    add("len(P[0].mine)", 2, length("P[0].mine"));
    add("R[1]", 3, Location);
    add("R[1].x", 0, Variable);
    add("R[2]", 3, Location);
    add("R[2].x", 0, Variable);
    add(":init:[3]", 3, Location);
    add(":init:[3].x", 0, Variable);
    Signature {
        name: "channels".into(),
        types: vec![
            Type::range("byte", 0, 255),
            Type::range("messages", 0, 2),
            Type::range("messages", 0, 1),
            Type::names("places", vec!["here".into(), "there".into()]),
        ],
        slots,
        groups: vec![],
        guards: vec![],
        labels: vec![],
        action: Type::names("action", vec![]),
        alarms: Vec::new(),
        source: None,
    }
}

/// q holds (10, 30) alone, one is full, cs holds 2 and 0 messages, x is 1.
const STATE: [Value; 19] = [1, 10, 0, 30, 0, 1, 40, 2, 0, 1, 1, 50, 0, 0, 60, 1, 70, 0, 80];

fn parse(text: &str) -> Result<Predicate, String> {
    let source = Source::new("--invariant", text);
    Predicate::parse(&source, &signature()).map_err(|problems| base::render_all(&problems, &source, 99))
}

#[test]
fn channels_are_asked_as_in_promela() {
    for (text, wanted) in [
        ("len(q)", 1),
        ("len (q) * 2 + 1", 3),
        ("empty(q)", 0),
        ("nempty(q)", 1),
        ("full(q)", 0),
        ("nfull(q)", 1),
        ("full(one) && nempty(one)", 1),
        ("len(cs[0])", 2),
        ("full(cs[0]) + empty(cs[1])", 2),
        ("len(cs[x])", 0),
        ("full(cs[x - 1])", 1),
        ("!empty(cs[x])", 0),
        ("empty(P[0].mine)", 1),
        ("nempty(P(0).mine)", 0),
        ("len(P_0.mine) + len(P.mine)", 0),
        ("`len(q)`", 1),
        ("one.count", 1),
    ] {
        let predicate = parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems}"));
        assert_eq!(predicate.number(&STATE).unwrap(), wanted, "{text}");
    }
    let outside = parse("len(cs[x + 1])").unwrap().number(&STATE).unwrap_err();
    assert!(outside.to_string().contains("outside `cs`, which has 2 cells"), "{outside}");
}

#[test]
fn messages_are_cells_by_field_or_by_message() {
    for (text, wanted) in [
        ("q.0[0]", 10),
        ("q.1[0]", 30),
        ("q[0].1", 30),
        ("q[1].1", 0),
        ("q.1[x - 1]", 30),
        ("one[0]", 40),
        ("one[0].0", 40),
    ] {
        let predicate = parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems}"));
        assert_eq!(predicate.number(&STATE).unwrap(), wanted, "{text}");
    }
}

#[test]
fn processes_have_the_names_that_runs_give_them() {
    for (text, wanted) in [
        ("P[0].x", 50),
        ("P(0).x", 50),
        ("P_0.x", 50),
        ("P.x", 50),
        ("R(1).x + R_2.x", 130),
        ("P(0).there", 1),
        ("P(0) == there", 1),
        ("R(2)->there", 1),
        ("init.x", 80),
        ("init[3].x", 80),
        ("init(3).x", 80),
    ] {
        let predicate = parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems}"));
        assert_eq!(predicate.number(&STATE).unwrap(), wanted, "{text}");
    }
}

#[test]
fn what_is_asked_for_is_built_for_engines_that_take_it_apart() {
    for text in ["len(q) < 2", "full(q) -> nempty(one)", "empty(P(0).mine) || P_0.x == 50"] {
        let predicate = parse(text).unwrap();
        assert_eq!(predicate.predicate().unwrap().holds(&STATE), predicate.value(&STATE) == Ok(1), "{text}");
    }
}

#[test]
fn wrong_questions_are_refused_where_they_stand() {
    for (text, wanted) in [
        ("len(qq)", "did you mean `q`"),
        ("1 + len(x)", "1:9"),
        ("len(x)", "no channel `x` that keeps messages"),
        ("len(x)", "those that can be asked are P[0].mine, cs[0], cs[1], one, q"),
        ("len(3)", "asks for a channel"),
        ("len(q", "expected `)`"),
        ("len(q + 1)", "expected `)`"),
        ("full(cs[2])", "did you mean `cs[0]`"),
        ("full(cs)", "no channel `cs`"),
        ("q[0]", "name a field of it: q[0].0"),
        ("q[0].2", "no slot `q[0].2`"),
        ("R.x", "no slot `R.x`"),
        ("R(3).x", "no slot `R(3).x`"),
        ("len", "no slot `len`"),
    ] {
        let told = parse(text).err().unwrap_or_else(|| panic!("`{text}` was taken"));
        assert!(told.contains(wanted), "`{text}` gave\n{told}");
        assert!(told.contains("--invariant:"), "`{text}` gave no place\n{told}");
    }
}
