//! Slots whose values have names: what can be asked of them, and that their positions never show.

mod common;

use std::sync::Arc;

use base::Interner;
use logic::Predicate;
use model::{Domain, Signature, SlotRole, StateFunction, Type, Value};

/// Slots: price (of "10" "20" "-30"), mixed (of "idle" "2" "1"), P and P2 (of "idle" "busy"), Q (of "busy"
/// "work"), P.busy (a number), x (a number), flag (of "true" "false"), price[0..2] of prices, odd[0..2] of
/// two types, a(1) with a(1).x and b(1,-2), grown and other (of values that appear in the search).
fn signature() -> Signature {
    let names = |names: &[&str]| Type::names("t", names.iter().map(|name| (*name).to_owned()).collect());
    let grown = |values: &[&str]| {
        let table = Interner::<str>::default();
        values.iter().for_each(|value| _ = table.intern(value));
        Type { name: "grown".into(), domain: Domain::Interned(Arc::new(table)) }
    };
    let types = vec![
        Type::range("int", -100, 100),
        names(&["10", "20", "-30"]),
        names(&["idle", "2", "1"]),
        names(&["idle", "busy"]),
        names(&["busy", "work"]),
        names(&["true", "false"]),
        grown(&["red", "5"]),
        grown(&["blue", "red"]),
        names(&["1", "01"]),
        names(&["idle", "busy"]),
    ];
    use SlotRole::{Location, Variable};
    let slots = [
        ("price", 1, Variable),
        ("mixed", 2, Variable),
        ("P", 3, Location),
        ("P2", 9, Location),
        ("Q", 4, Location),
        ("P.busy", 0, Variable),
        ("x", 0, Variable),
        ("flag", 5, Variable),
        ("price[0]", 1, Variable),
        ("price[1]", 1, Variable),
        ("odd[0]", 3, Variable),
        ("odd[1]", 4, Variable),
        ("a(1)", 3, Location),
        ("a(1).x", 0, Variable),
        ("b(1,-2)", 3, Location),
        ("grown", 6, Variable),
        ("other", 7, Variable),
        ("twice", 8, Variable),
    ];
    toys::signature(types, slots)
}

/// price = 20, mixed = 2, P = busy, P2 = busy, Q = busy, P.busy = 7, x = 1, flag = true, price[..] = 10, -30,
/// odd[..] = idle, busy, a(1) = busy, a(1).x = 9, b(1,-2) = idle, grown = red, other = red, twice = 01.
const STATE: [Value; 18] = [1, 1, 1, 1, 0, 7, 1, 0, 0, 2, 0, 0, 1, 9, 0, 0, 1, 1];

fn parse(text: &str) -> Result<Predicate, String> {
    common::parse(text, &signature())
}

fn number(text: &str) -> i64 {
    parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems}")).number(&STATE).unwrap()
}

#[test]
fn integers_as_names_count_as_these_integers() {
    for (text, wanted) in [
        ("price", 20),
        ("price < 10", 0),
        ("price > 10", 1),
        ("price == 20", 1),
        ("20 != price", 0),
        ("price == 1", 0),
        ("price == \"20\"", 1),
        ("price.20", 1),
        ("price.10 + price * 2", 40),
        ("price[1] + 30", 0),
        ("price[x]", -30),
        ("price[x] == -30", 1),
        ("price[x - 1].10", 1),
        ("price == price[0] + 10", 1),
        ("-price", -20),
        ("price && 1", 1),
    ] {
        assert_eq!(number(text), wanted, "{text}");
    }
    assert_eq!(parse("price == 99").unwrap().value(&STATE), Ok(0));
    let mut unlisted = STATE;
    unlisted[0] = 3;
    assert!(parse("price").unwrap().number(&unlisted).is_err());
}

#[test]
fn names_are_compared_with_their_own_values() {
    for (text, wanted) in [
        ("mixed == 2", 1),
        ("mixed == 1", 0),
        ("mixed.2", 1),
        ("P == P2", 1),
        ("P != P2", 0),
        ("(P) == (busy)", 1),
        ("Q == busy", 1),
        ("flag == true", 1),
        ("false == flag", 0),
        ("twice == \"01\"", 1),
        ("twice == 1", 0),
        ("odd[0] == idle && odd[1] == busy", 1),
    ] {
        assert_eq!(number(text), wanted, "{text}");
    }
}

#[test]
fn names_are_no_numbers() {
    for (text, wanted) in [
        ("P", "`P` is a name, not a number"),
        ("P > 0", "`P` is a name, not a number"),
        ("P + 1", "`P` is a name, not a number"),
        ("-P", "`P` is a name, not a number"),
        ("!P", "`P` is a name, not a number"),
        ("P && x", "`P` is a name, not a number"),
        ("x -> P", "`P` is a name, not a number"),
        ("price[P]", "`P` is a name, not a number"),
        ("P <-> P2", "`P` is a name, not a number"),
        ("mixed < 2", "`mixed` is a name, not a number"),
        ("twice < 2", "`twice` is a name, not a number"),
        ("grown < 6", "`grown` is a name, not a number"),
        ("P == Q", "names of different lists"),
        ("P == x", "`P` has no value `x`"),
        ("P == 0", "`P` has no value `0`"),
        ("P == x + 1", "`P` has no value `x + 1`"),
        ("P == price", "`P` has no value `price`"),
        ("Q == idle", "`Q` has no value `idle`"),
        ("price == idle", "`price` has no value `idle`"),
        ("price == \"15\"", "`price` has no value `15`"),
        ("mixed == 3", "`mixed` has no value `3`"),
        ("odd[x] == busy", "values of different types"),
    ] {
        let told = parse(text).err().unwrap_or_else(|| panic!("`{text}` was taken"));
        assert!(told.contains(wanted), "`{text}` gave\n{told}");
        assert!(told.contains("^"), "`{text}` gave no place\n{told}");
    }
}

#[test]
fn a_value_beside_a_wrong_operator_is_no_second_problem() {
    let told = parse("P < busy").unwrap_err();
    assert_eq!(told.matches("error:").count(), 1, "{told}");
    assert!(!told.contains("did you mean"), "{told}");
}

#[test]
fn values_that_appear_later_are_compared_by_name() {
    for (text, wanted) in [
        ("grown == red", 1),
        ("grown == \"red\"", 1),
        ("grown != unseen", 1),
        ("grown == 5", 0),
        ("grown.red", 1),
        ("grown.unseen", 0),
        ("grown == other", 1),
        ("grown != other", 0),
        ("grown == P", 0),
    ] {
        assert_eq!(number(text), wanted, "{text}");
    }
}

#[test]
fn a_state_and_a_variable_of_one_name_are_told_apart() {
    let told = parse("P.busy == 7").unwrap_err();
    for wanted in ["`P.busy` is both a state of `P` and a variable", "P == \"busy\"", "P->busy"] {
        assert!(told.contains(wanted), "{wanted} is missing in\n{told}");
    }
    assert_eq!(number("P->busy"), 7);
    assert_eq!(number("P == busy"), 1);
    assert_eq!(number("`P.busy`"), 7);
    assert_eq!(number("P.idle"), 0);
}

#[test]
fn instances_of_templates_need_no_backticks() {
    for (text, wanted) in [
        ("a(1).busy", 1),
        ("a(1)->busy", 1),
        ("a(1).x + 1", 10),
        ("a(1)->x", 9),
        ("a(1) == busy", 1),
        ("b(1,-2).idle", 1),
        ("b(1, - 2) == idle", 1),
        ("`a(1)`.x", 9),
    ] {
        assert_eq!(number(text), wanted, "{text}");
    }
    for (text, wanted) in [
        ("a(2).x", "no slot `a(2).x`"),
        ("a(x).x", "expected an operator"),
        ("a (1)", "expected an operator"),
        ("a(1", "expected an operator"),
        ("a(1,).x", "expected an operator"),
        ("x(1)", "no slot `x(1)`"),
        ("x, x", "expected an operator"),
    ] {
        let told = parse(text).err().unwrap_or_else(|| panic!("`{text}` was taken"));
        assert!(told.contains(wanted), "`{text}` gave\n{told}");
    }
}

#[test]
fn constants_without_a_value_are_refused() {
    for (text, wanted) in [
        ("1 / 0", "division by zero"),
        ("x == 1 % (2 - 2)", "division by zero"),
        ("x > 0 && 1 << 64 > 0", "shift by 64 bits"),
        ("9223372036854775807 + 1 > x", "passes 64 bits"),
        ("- -9223372036854775808", "passes 64 bits"),
        ("1 / (0 && 1)", "division by zero"),
    ] {
        let told = parse(text).err().unwrap_or_else(|| panic!("`{text}` was taken"));
        assert!(told.contains(wanted) && told.contains("^ this has no value"), "`{text}` gave\n{told}");
    }
    assert_eq!(number("price[2 - 1]"), -30);
    assert_eq!(number("1 / (x + 0)"), 1);
}
