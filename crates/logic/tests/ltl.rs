//! LTL as Spin writes it: what each text means, and what is wrong with others.

use base::Span;
use logic::ltl::{Dialect, parse, words};
use logic::{Atom, Formula};

/// The formula as it is shown, or the message and the text that it marks.
fn read(text: &str, dialect: Dialect) -> Result<String, (String, String)> {
    let formula = parse(&words(text, 0), Span::new(0, text.len()), dialect);
    formula.map(|formula| formula.to_string()).map_err(|problem| {
        let span = problem.span.unwrap();
        (problem.message, text[span.start as usize..span.end as usize].to_owned())
    })
}

#[test]
fn operators_bind_as_in_spin() {
    for (text, meaning) in [
        ("p", "{p}"),
        ("true", "true"),
        ("[] p", "G {p}"),
        ("always eventually (p > 5)", "G F {p > 5}"),
        ("[]<>p", "G F {p}"),
        ("X next p", "X X {p}"),
        ("! [] p", "!G {p}"),
        ("p -> q -> r", "(!(!{p} || {q}) || {r})"),
        ("p <-> q -> r", "(!({p} <-> {q}) || {r})"),
        ("p implies q equivalent r", "((!{p} || {q}) <-> {r})"),
        ("p || q && r || s", "({p} || ({q} && {r}) || {s})"),
        ("p \\/ q /\\ r", "({p} || ({q} && {r}))"),
        ("p U q U r", "(({p} U {q}) U {r})"),
        ("p U q && r V s || t W u", "((({p} U {q}) && ({r} R {s})) || ({t} W {u}))"),
        ("p until q stronguntil r", "(({p} U {q}) U {r})"),
        ("p weakuntil q release r", "(({p} W {q}) R {r})"),
        ("[] p U q", "(G {p} U {q})"),
        ("[] (p) -> <> (q)", "(!G {p} || F {q})"),
        ("x == 0 U x == 1", "({x == 0} U {x == 1})"),
        ("!p U q", "(!{p} U {q})"),
        ("(p U q)", "({p} U {q})"),
    ] {
        assert_eq!(read(text, Dialect::Spin).as_deref(), Ok(meaning), "{text}");
    }
}

#[test]
fn expressions_stay_text() {
    for (text, meaning) in [
        ("<> (a + b) * 2 > c", Err(("`<>` binds tighter than `*`", "<>"))),
        ("<> ((a + b) * 2 > c)", Ok("F {(a + b) * 2 > c}")),
        ("[] (len(q) < 2)", Ok("G {len(q) < 2}")),
        ("c?[red, 1] -> d??[x]", Ok("(!{c?[red, 1]} || {d??[x]})")),
        ("BS[a_id]@progress || P:x[1] == 2", Ok("({BS[a_id]@progress} || {P:x[1] == 2})")),
        ("(a && b) == c", Ok("{(a && b) == c}")),
        ("(a && b) U c", Ok("(({a} && {b}) U {c})")),
        ("(a | b) & ~c << 2 != -1", Ok("{(a | b) & ~c << 2 != - 1}")),
        ("!a == b", Ok("{!a == b}")),
        ("(c -> 1 : 0) == x", Ok("{(c -> 1:0) == x}")),
        ("true + 1", Ok("{true + 1}")),
        ("m[i].f[j] == 'x'", Ok("{m[i].f[j] == 'x'}")),
        ("c == 'x", Err(("`x` is not expected here", "x"))),
    ] {
        let expected =
            meaning.map(str::to_owned).map_err(|(message, at)| (message.to_owned(), at.to_owned()));
        assert_eq!(read(text, Dialect::Spin), expected, "{text}");
    }
}

#[test]
fn letters_are_operators_where_they_are_said_to_be() {
    assert_eq!(read("G(p -> F q)", Dialect::Letters).as_deref(), Ok("G (!{p} || F {q})"));
    assert_eq!(read("p R q", Dialect::Letters).as_deref(), Ok("({p} R {q})"));
    assert_eq!(read("G(p) && F == R", Dialect::Spin).as_deref(), Ok("({G(p)} && {F == R})"));
}

#[test]
fn an_atom_knows_its_place() {
    let text = "[] (request -> <> x  >\n3)";
    let formula =
        parse(&words(&text.replace("<> x  >\n3", "<> (x  >\n3)"), 100), Span::new(0, 0), Dialect::Spin);
    let Ok(Formula::Globally(inner)) = formula else { panic!("{formula:?}") };
    let Formula::Any(parts) = *inner else { panic!("no implication") };
    let Formula::Finally(atom) = &parts[1] else { panic!("{}", parts[1]) };
    assert_eq!(**atom, Formula::Atom(Atom::Text("x > 3".into(), Some(Span::new(119, 125)))));
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, message, at) in [
        ("", "expected an operand of the formula", ""),
        ("[]", "expected an operand of the formula", ""),
        ("p U", "expected an operand of the formula", ""),
        ("U q", "`q` is not expected here", "q"),
        ("p q", "`q` is not expected here", "q"),
        ("(p && q", "`(` is not closed", "("),
        ("p[1", "`[` is not closed", "["),
        ("p)", "`)` is not expected here", ")"),
        ("p @ 	+", "expected a name", "+"),
        ("c ? x", "expected `[`", "x"),
        ("(p U q) + 1", "`U` binds tighter than `+`", "U"),
        ("-[] p", "`[]` binds tighter than `-`", "[]"),
        ("(p -> 1 : [] q)", "`[]` cannot stand in a choice", "[]"),
    ] {
        assert_eq!(read(text, Dialect::Spin), Err((message.into(), at.into())), "{text}");
    }
}

#[test]
fn very_deep_formulas_are_refused_and_long_ones_read() {
    let too_deep = |text: &str| read(text, Dialect::Spin).unwrap_err().0.contains("nested more than");
    assert!(too_deep(&("(".repeat(100_000) + "p" + &")".repeat(100_000))));
    assert!(too_deep(&("[] ".repeat(100_000) + "p")));
    assert!(too_deep(&("p U ".repeat(100_000) + "p")));
    assert!(too_deep(&("p -> ".repeat(100_000) + "p")));
    for operator in ["+", "&&", "||"] {
        assert!(read(&(format!("p {operator} ").repeat(10_000) + "p"), Dialect::Spin).is_ok(), "{operator}");
    }
}
