//! Predicates as a user writes them: what they mean, and what is said about wrong ones.

mod common;

use logic::Predicate;
use model::{EvalErrorKind, Signature, SlotRole, StateFunction, Type, Value};

/// Slots: x, y (numbers), P (at `idle`, `wait` or `CS`), P.x, Q (likewise), queue[0..3], `odd name`,
/// arr[0..2] of P's type.
fn signature() -> Signature {
    use SlotRole::{Location, Variable};
    let types = vec![
        Type::range("int", i32::MIN, i32::MAX),
        Type::names("P", ["idle", "wait", "CS"].map(String::from).to_vec()),
    ];
    let slots = [
        ("x", 0, Variable),
        ("y", 0, Variable),
        ("P", 1, Location),
        ("P.x", 0, Variable),
        ("Q", 1, Location),
        ("queue[0]", 0, Variable),
        ("queue[1]", 0, Variable),
        ("queue[2]", 0, Variable),
        ("odd name", 0, Variable),
        ("arr[0]", 1, Variable),
        ("arr[1]", 1, Variable),
    ];
    toys::signature(types, slots)
}

const STATE: [Value; 11] = [3, u32::MAX, 2, 7, 0, 10, 20, 30, 5, 1, 2];

fn parse(text: &str) -> Result<Predicate, String> {
    common::parse(text, &signature())
}

fn number(text: &str) -> i64 {
    parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems}")).number(&STATE).unwrap()
}

fn problems(text: &str) -> String {
    parse(text).err().unwrap_or_else(|| panic!("`{text}` was taken"))
}

#[test]
fn operators_mean_what_they_mean_in_c() {
    for (text, wanted) in [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("7 / 2 * 2 + 7 % 2", 7),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("1 << 3 + 1", 16),
        ("~0 & 6 | 8 ^ 1", 15),
        ("5 & 4 == 4", 1),
        ("1 < 2 == 2 > 1", 1),
        ("2 && 3", 1),
        ("0 || 5", 1),
        ("1 || 0 && 0", 1),
        ("0 -> 1 -> 0", 1),
        ("(0 -> 1) -> 0", 0),
        ("1 -> 0 or 1", 1),
        ("2 <-> 3", 1),
        ("0 <-> 3", 0),
        ("true and not false", 1),
        ("x = 3 imply y = -1", 1),
        ("x == 3 => 0", 0),
        ("-9223372036854775807 - 1", i64::MIN),
        ("-9223372036854775808", i64::MIN),
        ("y - - 9223372036854775807", i64::MAX - 1),
        ("0x10 + 0X0a", 26),
        ("-0x8000000000000000 == -9223372036854775808", 1),
        ("x // the first\n + // and\n // nothing here\r\n y // the second", 2),
        ("- -1", 1),
        ("!!x", 1),
    ] {
        assert_eq!(number(text), wanted, "{text}");
    }
}

#[test]
fn a_not_before_a_comparison_negates_the_comparison() {
    assert_eq!(number("!x == 2"), 1);
    assert_eq!(number("!x == 3"), 0);
    assert_eq!(number("! queue[0] < 5 && 1"), 1);
    assert_eq!(number("(!x) == 0"), 1);
    assert_eq!(number("1 + !x"), 1);
    assert!(problems("!x + 1 == 2").contains("what does `!` negate"), "{}", problems("!x + 1 == 2"));
}

#[test]
fn names_are_slots_cells_members_and_values() {
    for (text, wanted) in [
        ("x", 3),
        ("y", -1),
        ("P.x", 7),
        ("P->x", 7),
        ("P.CS", 1),
        ("P.idle", 0),
        ("P->CS", 1),
        ("P.CS + Q.CS <= 1", 1),
        ("P == CS", 1),
        ("P == \"CS\"", 1),
        ("\"CS\" != P", 0),
        ("idle == Q", 1),
        ("P == Q", 0),
        ("x->y", 1),
        ("x -> y", 1),
        ("queue[1]", 20),
        ("queue[x - 1]", 30),
        ("queue\\[0\\]==10", 1),
        ("`queue[1]`", 20),
        ("`odd name` + 1", 6),
        ("P\\.x", 7),
        ("arr[0].wait", 1),
        ("arr[x - 2].CS", 1),
        ("arr[x - 2] == idle", 0),
        ("P == \"CS\" -> ! queue\\[0\\]==2", 1),
    ] {
        assert_eq!(number(text), wanted, "{text}");
    }
}

#[test]
fn the_right_side_is_looked_at_only_where_it_matters() {
    for text in ["0 && 1 / (x - 3)", "1 || 1 / (x - 3)", "0 -> 1 / (x - 3)", "x == 4 && queue[x] == 0 || 1"] {
        assert!(parse(text).unwrap().value(&STATE).is_ok(), "{text}");
    }
    let error = |text: &str| parse(text).unwrap().value(&STATE).unwrap_err();
    assert_eq!(error("1 / (x - 3)").kind, EvalErrorKind::DivisionByZero);
    assert_eq!(error("1 % (x - 3)").kind, EvalErrorKind::DivisionByZero);
    assert_eq!(error("1 << y").kind, EvalErrorKind::ShiftAmount(-1));
    assert_eq!(error("1 << x + 61").kind, EvalErrorKind::ShiftAmount(64));
    let outside = EvalErrorKind::IndexOutOfRange { array: "queue".into(), index: 3, length: 3 };
    assert_eq!(error("queue[x]").kind, outside);
    assert_eq!(error("1 / (x - 3)").span, None);
    assert!(matches!(error("9223372036854775807 + x").kind, EvalErrorKind::Other(_)));
    assert!(matches!(error("(-9223372036854775807 - 1) / y").kind, EvalErrorKind::Other(_)));
}

#[test]
fn it_reads_the_slots_it_names_and_no_others() {
    let reads = |text: &str| parse(text).unwrap().reads().iter().map(|slot| slot.ix()).collect::<Vec<_>>();
    assert_eq!(reads("y + x + x"), [0, 1]);
    assert_eq!(reads("queue[x]"), [0, 5, 6, 7]);
    assert_eq!(reads("queue[1 ]"), [6]);
    assert_eq!(reads("P == CS && P.x"), [2, 3]);
}

#[test]
fn wrong_predicates_are_refused_with_advice() {
    for (text, wanted) in [
        ("", "the predicate is empty"),
        ("qeue[1]", "did you mean `queue"),
        ("xx", "did you mean `x`"),
        ("P.CSS", "did you mean `CS`"),
        ("P == CSS", "did you mean `CS`"),
        ("P == \"SC\"", "its values are idle, wait, CS"),
        ("queue", "name one of its cells"),
        ("queue[3]", "its cells are 0 to 2"),
        ("queue[-1]", "its cells are 0 to 2"),
        ("x[y]", "`x` is not an array"),
        ("nothing[y]", "no slot `nothing`"),
        ("x.foo", "no value or part `foo`"),
        ("\"CS\"", "a text stands for nothing here"),
        ("x +", "an operand is missing"),
        ("(x", "expected `)`"),
        ("queue[x", "expected `]`"),
        ("x y", "expected an operator or the end"),
        ("x)", "expected an operator or the end"),
        ("x == 'a'", "has no meaning here"),
        ("\"a", "the quotation does not end"),
        ("0 <= x <= 3", "comparisons do not chain"),
        ("x == y == 1", "comparisons do not chain"),
        ("99999999999999999999", "does not fit 64 bits"),
        ("9223372036854775808", "does not fit 64 bits"),
        ("x - 9223372036854775808", "does not fit 64 bits"),
        ("0xFFFFFFFFFFFFFFFF", "does not fit 64 bits"),
        ("1x", "neither a number nor a name"),
        ("0x", "neither a number nor a name"),
        ("0xg", "neither a number nor a name"),
        ("x // + 1\n)", "expected an operator or the end"),
        ("x\n+ (y", "opened at line 2, character 3"),
        ("P.", "expected a name after the dot"),
    ] {
        let told = problems(text);
        assert!(told.contains(wanted), "`{text}` gave\n{told}");
        assert!(told.contains("--invariant:"), "`{text}` gave no place\n{told}");
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let told = problems("foo + bar == 99999999999999999999 && P == nowhere # 1");
    for wanted in ["`foo`", "`bar`", "64 bits", "`nowhere`", "`#`"] {
        assert!(told.contains(wanted), "{wanted} is missing in\n{told}");
    }
}

#[test]
fn nesting_is_limited_and_length_is_not() {
    let deep = |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    for (open, close) in
        [("(", ")"), ("!", ""), ("-", ""), ("queue[", "]"), ("1+(", ")"), ("1->", ""), ("1<(", ")")]
    {
        assert!(problems(&deep(open, close, 100_000)).contains("nested more than"), "{open}");
    }
    assert!(parse(&deep("(", ")", 150)).is_ok());
    assert_eq!(number(&deep("1 + (", ")", 90)), 91);
    assert_eq!(number(&format!("0{}", " + 1".repeat(100_000))), 100_000);
    assert_eq!(number(&format!("1{}", " && 1".repeat(100_000))), 1);
}
