//! Predicates whose build is known: it says the same as the code, in every state, and is there where it
//! should be.

use base::{Source, SplitMix64, TypeIx};
use logic::Predicate;
use model::{Signature, Slot, SlotRole, StateFunction, Type, Value};

/// Slots: x and y from 0 to 3, s from −1 to 1, n of "2" "3" "4", P of "idle" "busy", large from 0 on, a[0]
/// and a[1] from 0 to 3.
fn signature() -> Signature {
    let names = |names: &[&str]| Type::names("t", names.iter().map(|name| (*name).to_owned()).collect());
    let slots = [
        ("x", 0),
        ("y", 0),
        ("s", 1),
        ("n", 2),
        ("P", 3),
        ("large", 4),
        ("a[0]", 0),
        ("a[1]", 0),
        ("odd", 5),
    ];
    let slot = |&(name, ty): &(&str, usize)| Slot {
        name: name.to_owned(),
        ty: TypeIx::new(ty),
        span: None,
        role: SlotRole::Variable,
    };
    Signature {
        name: "builds".into(),
        types: vec![
            Type::range("small", 0, 3),
            Type::range("signed", -1, 1),
            names(&["2", "3", "4"]),
            names(&["idle", "busy"]),
            Type::range("large", 0, i32::MAX),
            names(&["1", "3"]),
        ],
        slots: slots.iter().map(slot).collect(),
        groups: vec![],
        guards: vec![],
        labels: vec![],
        action: Type::names("action", vec![]),
        alarms: Vec::new(),
        source: None,
    }
}

fn parse(text: &str) -> Predicate {
    Predicate::parse(&Source::new("test", text), &signature())
        .unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

fn states() -> impl Iterator<Item = Vec<Value>> {
    let large = [0, 1, i32::MAX as Value];
    (0..4 * 4 * 3 * 3 * 2 * 3 * 2).map(move |number: u32| {
        let digit = |place: u32, values: u32| number / place % values;
        let signed = digit(16, 3).wrapping_sub(1);
        let own =
            [digit(1, 4), digit(4, 4), signed, digit(48, 3), digit(144, 2), large[digit(288, 3) as usize]];
        own.into_iter().chain([digit(1, 4), digit(4, 4), digit(864, 2)]).collect()
    })
}

fn check(text: &str, predicate: &Predicate) {
    let build = predicate.predicate().expect("a build");
    for state in states() {
        assert_eq!(predicate.value(&state), Ok(build.holds(&state).into()), "{text} in {state:?}: {build:?}");
    }
}

#[test]
fn sums_and_logic_have_a_build() {
    for text in [
        "x <= 2",
        "x + 2*y - 3 > n",
        "x == y && !(x > 2) || y",
        "-(x - y) * 3 != 4 - 2*x",
        "x <= 1 -> y <= 1 -> P.busy",
        "P == \"busy\" <-> x + y == 3",
        "P.idle != (x < 2)",
        "(x < 2) == 1",
        "1 > (x < 2)",
        "(x < 2) ^ (y < 2)",
        "(x < 2) & (y < 2) | P.idle",
        "n >= 3",
        "large * 4 - 4 * x > 7",
        "large == 2147483647",
        "a[0] < a[1]",
        "true",
        "x",
        "!x",
        "3 > 2 && x",
    ] {
        check(text, &parse(text));
    }
}

/// What is not a comparison of sums, and what may fail or is not what the slot holds.
#[test]
fn all_else_has_none() {
    for text in [
        "x * y > 1",
        "x / 2 > 0",
        "x % 2 == 0",
        "a[x] > 1",
        "s > 0",
        "s == 0",
        "P.idle + P.busy == 1",
        "x << 1 > 2",
        "~x == 1",
        "odd > 1",
        "(x && y) + 1 > 1",
        "large * 9000000000000 > 0",
        "large * 4294967296 + large * 4294967296 > 0",
    ] {
        assert!(parse(text).predicate().is_none(), "{text}");
    }
}

#[test]
fn random_texts() {
    let seed: u64 = std::env::var("PINSCHER_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    println!("PINSCHER_SEED={seed}");
    let mut random = SplitMix64::new(seed);
    let mut below = |end: u64| random.below(end as usize) as u64;
    fn text(depth: u32, below: &mut impl FnMut(u64) -> u64) -> String {
        const LEAVES: [&str; 12] =
            ["x", "y", "s", "n", "P.busy", "large", "0", "1", "2", "9223372036854775807", "a[1]", "odd"];
        const SIGNS: [&str; 16] =
            ["+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "->", "<->", "&", "^", "|"];
        match below(if depth == 0 { 1 } else { 6 }) {
            0 => LEAVES[below(12) as usize].into(),
            1 => format!("!({})", text(depth - 1, below)),
            2 => format!("-({})", text(depth - 1, below)),
            _ => {
                let sign = SIGNS[below(16) as usize];
                format!("({}) {sign} ({})", text(depth - 1, below), text(depth - 1, below))
            }
        }
    }
    let (mut with, mut without) = (0, 0);
    for _ in 0..1500 {
        let text = text(4, &mut below);
        // Constants without a value are refused.
        let Ok(predicate) = Predicate::parse(&Source::new("random", &*text), &signature()) else { continue };
        if predicate.predicate().is_some() {
            check(&text, &predicate);
            with += 1;
        } else {
            without += 1;
        }
    }
    assert!(with > 300 && without > 300, "{with} with a build, {without} without");
}
