//! Formula files: every operator against its meaning, every mistake with its place, and formulas that are far
//! too large.

mod support;

use base::Source;
use lang_pnml::{PnmlNet, Question};
use logic::{Atom, Formula};
use model::{Predicate, Value};

/// Places p and q; t takes two of p and needs q empty; u takes one of q.
fn net() -> PnmlNet {
    support::net(
        "<pnml><net id='n' type='ptnet'><place id='p'/><place id='q'/><transition id='t'/><transition id='u'/>
         <arc id='a' source='p' target='t'><inscription><text>2</text></inscription></arc>
         <arc id='b' source='q' target='t'><type value='inhibitor'/></arc><arc id='c' source='q' target='u'/></net></pnml>",
    )
}

fn read(formula: &str) -> Result<Question, String> {
    let text = format!(
        "<property-set>\n<property><id>x</id><description>d</description><formula>\n{formula}\n</formula></property></property-set>"
    );
    let source = Source::new("formulas.xml", text);
    match lang_pnml::queries(&source, &net()) {
        Ok(queries) => {
            assert!(
                queries.len() == 1 && queries[0].id == "x" && queries[0].description.as_deref() == Some("d")
            );
            Ok(queries[0].question.clone())
        }
        Err(said) => Err(base::render_all(&said, &source, 9)),
    }
}

fn possible(formula: &str) -> Predicate {
    match read(&format!("<exists-path><finally>{formula}</finally></exists-path>")) {
        Ok(Question::Possible(predicate)) => predicate,
        other => panic!("{formula}: {other:?}"),
    }
}

fn number(value: i64) -> String {
    format!("<integer-constant>{value}</integer-constant>")
}

fn count(place: &str) -> String {
    format!("<tokens-count><place>{place}</place></tokens-count>")
}

#[test]
fn operators_mean_what_they_say() {
    let both = "<tokens-count><place>p</place><place>q</place></tokens-count>";
    let is = |name: &str, left: &str, right: &str| format!("<integer-{name}>{left}{right}</integer-{name}>");
    let fireable = |name: &str| format!("<is-fireable><transition>{name}</transition></is-fireable>");
    let (p, q) = (count("p"), count("q"));
    let (a, b) = (is("le", &p, &number(1)), is("gt", &q, &p));
    type Meaning = fn(i64, i64) -> bool;
    let cases: Vec<(String, Meaning)> = vec![
        (is("le", &p, &q), |p, q| p <= q),
        (is("lt", &p, &q), |p, q| p < q),
        (is("ge", &p, &number(2)), |p, _| p >= 2),
        (is("gt", &number(2), &q), |_, q| 2 > q),
        (is("eq", both, &number(3)), |p, q| p + q == 3),
        (is("ne", both, &number(3)), |p, q| p + q != 3),
        (is("le", &is("sum", &p, &p), &is("difference", &q, &number(-1))), |p, q| p + p <= q + 1),
        (is("le", &is("product", &number(3), &p), &q), |p, q| 3 * p <= q),
        (is("le", &number(1), &number(0)), |_, _| false),
        (fireable("t"), |p, q| p >= 2 && q == 0),
        ("<is-fireable><transition>t</transition><transition>u</transition></is-fireable>".into(), |p, q| {
            p >= 2 || q > 0
        }),
        ("<deadlock/>".to_owned() + "", |p, q| p < 2 && q == 0),
        (format!("<negation>{}</negation>", fireable("u")), |_, q| q == 0),
        (format!("<conjunction>{a}{b}<true/></conjunction>"), |p, q| p <= 1 && q > p),
        (format!("<disjunction>{a}{b}<false/></disjunction>"), |p, q| p <= 1 || q > p),
        (format!("<implication>{a}{b}</implication>"), |p, q| p > 1 || q > p),
        (format!("<equivalence>{a}{b}</equivalence>"), |p, q| (p <= 1) == (q > p)),
        (format!("<exclusive-disjunction>{a}{b}</exclusive-disjunction>"), |p, q| (p <= 1) != (q > p)),
        (
            format!(
                "<negation><negation><disjunction>{a}<conjunction>{b}<negation>{a}</negation></conjunction></disjunction></negation></negation>"
            ),
            |p, q| p <= 1 || q > p,
        ),
    ];
    for (formula, meaning) in cases {
        // Alone, "a deadlock can be reached" is a question of its own.
        let predicate = possible(&format!("<conjunction>{formula}<true/></conjunction>"));
        for (p, q) in (0..25).map(|n| (n / 5, n % 5)) {
            assert_eq!(
                predicate.holds(&[p as Value, q as Value]),
                meaning(p, q),
                "{formula} {p} {q}: {predicate:?}"
            );
        }
    }
}

#[test]
fn questions_have_their_forms() {
    let p = format!("<integer-le>{}{}</integer-le>", count("p"), number(0));
    let ask = |formula: String| read(&formula).unwrap();
    let not = |formula: String| format!("<negation>{formula}</negation>");
    let ef = |formula: &str| format!("<exists-path><finally>{formula}</finally></exists-path>");
    let ag = |formula: &str| format!("<all-paths><globally>{formula}</globally></all-paths>");
    assert!(matches!(ask(ef(&p)), Question::Possible(_)));
    assert!(matches!(ask(ag(&p)), Question::Always(_)));
    assert_eq!(ask(not(ef(&not(p.clone())))), ask(ag(&p)));
    assert_eq!(ask(not(ag(&p))), ask(ef(&not(p.clone()))));
    assert_eq!(ask(format!("<invariant>{p}</invariant>")), ask(ag(&p)));
    assert_eq!(ask(format!("<impossibility>{p}</impossibility>")), ask(ag(&not(p.clone()))));
    assert!(matches!(ask(p.clone()), Question::Initially(_)));
    assert_eq!(ask(ef("<deadlock/>")), Question::Deadlock);
    assert_eq!(ask(not(not(ef("<deadlock/>")))), Question::Deadlock);
    assert_eq!(ask(ag(&not("<deadlock/>".into()))), Question::NoDeadlock);
    assert_eq!(ask(not(ef("<deadlock/>"))), Question::NoDeadlock);
    let Question::Bound(sum) =
        ask("<place-bound><place>q</place><place>p</place><place>q</place></place-bound>".into())
    else {
        panic!("no bound")
    };
    assert_eq!(sum.value(&[10, 1]), 12);
    let until =
        format!("<all-paths><until><before>{p}</before><reach><next>{p}</next></reach></until></all-paths>");
    let Question::Temporal(formula) = ask(until) else { panic!("no path") };
    let Question::Possible(predicate) = ask(ef(&p)) else { panic!("no predicate") };
    let p_holds = Formula::Atom(Atom::Linear(predicate));
    assert_eq!(formula, Formula::all_paths(Formula::until(p_holds.clone(), Formula::next(p_holds))));
    assert!(matches!(
        ask(format!("<conjunction>{}{}</conjunction>", ef(&p), ag(&p))),
        Question::Temporal(Formula::All(_))
    ));
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (formula, message) in [
        ("<is-fireable><transition>tt</transition></is-fireable>", "did you mean `t`?"),
        ("<place-bound><place>zebra</place></place-bound>", "the net has no place `zebra`"),
        (
            "<conjunction><integer-constant>1</integer-constant><true/></conjunction>",
            "takes formulas about a marking",
        ),
        ("<integer-le><true/><true/></integer-le>", "<integer-le> takes numbers"),
        ("<integer-le><true/></integer-le>", "<integer-le> takes 2 formulas, and has 1"),
        ("<integer-max/>", "takes 2 formulas"),
        ("<negation/>", "<negation> takes 1 formulas, and has 0"),
        ("<perhaps/>", "<perhaps> is not known in formulas"),
        ("<integer-constant>1</integer-constant>", "<integer-constant> is no question"),
        ("<integer-constant>99999999999999999999</integer-constant>", "is no number of 64 bits"),
        ("", "<formula> holds not one formula"),
        ("<true/><true/>", "<formula> holds not one formula"),
        ("<true>", "</formula> where </true> is due"),
    ] {
        let said = read(formula).unwrap_err();
        assert!(said.contains(message) && said.contains("formulas.xml:"), "{formula}\n{said}");
    }
    let net = net();
    let refused =
        |text: &str| lang_pnml::queries(&Source::new("f", text), &net).unwrap_err()[0].message.clone();
    assert_eq!(refused("<pnml/>"), "<pnml> holds no formulas");
    assert_eq!(refused(""), "the file is empty");
    let twice = "<property><id>x</id><formula><true/></formula></property>".repeat(2);
    assert_eq!(refused(&format!("<property-set>{twice}</property-set>")), "two formulas are called `x`");
    assert_eq!(
        refused("<property-set><property><id>x</id></property></property-set>"),
        "<property> has no <formula>"
    );
}

#[test]
fn formulas_of_very_many_levels_are_read() {
    let nested = |open: &str, inside: &str, close: &str| {
        // A tag alone is little text: a million of them; else as many as fit a test.
        let depth = if open.len() + close.len() < 40 { 1_000_000 } else { 100_000 };
        open.repeat(depth) + inside + &close.repeat(depth)
    };
    let a = format!("<integer-le>{}{}</integer-le>", count("p"), number(1));
    let b = format!("<integer-le>{}{}</integer-le>", count("q"), number(1));
    let plain = possible(&a);
    assert_eq!(possible(&nested("<negation>", &a, "</negation>")), plain);
    assert_eq!(possible(&nested("<conjunction>", &a, "</conjunction>")), plain);
    let chain = possible(&nested(&format!("<conjunction>{b}"), &a, "</conjunction>"));
    assert!(matches!(&chain, Predicate::All(parts) if parts.len() == 2), "{chain:?}");
    assert_eq!(possible(&nested("<conjunction>", &a, &format!("{b}</conjunction>"))).slots().len(), 2);
    // Changes between "all" and "any" stay, and are too many.
    let ladder = nested(&format!("<conjunction>{b}<negation>"), &a, "</negation></conjunction>");
    assert!(matches!(read(&ladder), Ok(Question::TooLarge(_))));
    assert!(matches!(read(&nested("<next>", &a, "</next>")), Ok(Question::TooLarge(_))));
    // Twice as large with every level.
    let doubled = nested(&format!("<equivalence>{b}"), &a, "</equivalence>");
    assert!(matches!(read(&doubled), Ok(Question::TooLarge(_))));
}
