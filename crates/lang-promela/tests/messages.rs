//! What is wrong is told where it is, in the words of the user.

mod common;

use base::Source;
use lang_promela::Options;

/// Each message with its line.
fn messages(text: &str) -> Vec<String> {
    let source = Source::new("test.pml", text);
    let problems = lang_promela::parse(&source, &Options::default()).err().unwrap_or_default();
    let line = |problem: &base::Diagnostic| source.position(problem.span.expect("a place")).line;
    problems.iter().map(|problem| format!("{}: {}", line(problem), problem.message)).collect()
}

fn only(text: &str, message: &str) {
    assert_eq!(messages(text), [message], "{text}");
}

/// The whole of the first message.
fn rendered(text: &str) -> String {
    let source = Source::new("test.pml", text);
    lang_promela::parse(&source, &Options::default()).expect_err(text)[0].render(&source)
}

#[test]
fn c_code_is_refused_with_the_reason() {
    only("c_decl { int x = '}'; }\ninit { skip }", "1: `c_decl` cannot be used here");
    only("init { skip;\nc_code [x] { now.x = 1; if (a) { b; } };\nskip }", "2: `c_code` cannot be used here");
    only("init { c_expr { 1 } }", "1: `c_expr` cannot be used here");
    only(
        "c_state \"int x\" \"Global\"\nc_track \"&x\" \"4\" \"Matched\";\ninit { skip }",
        "1: `c_state` cannot be used here",
    );
    assert!(rendered("init { c_code { x } }").contains("C code can neither be analysed nor run"));
}

#[test]
fn what_spin_refuses_is_refused() {
    for (text, message) in [
        ("init { ; skip }", "1: expected a statement before this"),
        ("init { }", "1: expected a statement"),
        ("init { if fi }", "1: expected `::` behind `if`"),
        ("init { if :: fi }", "1: expected a statement"),
        ("init { x = 1 unless x = 2 unless x = 3 }", {
            "1: only one `unless` may follow a statement; write `{ … }` around the first"
        }),
        ("init { L: int x; skip }", "1: a label cannot stand before a declaration"),
        ("init { x = x > 1 -> 2 : 3 }", "1: expected `;` or `->` between statements"),
        ("init { x = y\n+ 1 }", "2: expected a statement"),
        ("init { q!(1, 2) }", "1: expected `)` to close the parenthesis"),
        ("init { !full(q) }", "1: a test of a channel is no value here"),
        ("init { full(q) == 1 }", "1: a test of a channel is no value here"),
        ("init { x = full(q) + 1 }", "1: a test of a channel is no value here"),
        ("init { q!full(q) }", "1: a test of a channel is no value here"),
        ("init { printf(\"a\" \"b\") }", "1: expected `)` behind what is printed"),
        ("init { printf(x) }", "1: expected a text in quotes as what is printed"),
        ("init { x = q?y }", "1: a receive is a statement, no value"),
        ("init { x = eval(y) }", "1: `eval` can stand in the fields of a receive only"),
        ("init { q?x + 1 }", "1: expected `;` or `->` between statements"),
        ("init { q?eval(1), !x }", "1: expected a variable, a constant or `eval(…)` in a receive"),
        ("init { mtype = { a }; skip }", "1: constants are declared outside processes"),
        ("init { select (i : 3 .. 1) }", "1: there is nothing to select from"),
        ("int if;", "1: expected the name of a variable"),
        ("int 3x;", "1: expected the name of a variable"),
        (
            "int x = 0x10;",
            "1: expected a declaration, `proctype`, `init`, `never`, `ltl`, `inline` or `typedef`",
        ),
        ("chan q = [1] of { unsigned };", "1: a message cannot have a field of type `unsigned`"),
        ("chan q = [1] { byte };", "1: expected `of` and the types of a message"),
        ("proctype P(int x, int y) { skip }", "1: expected the name of a variable"),
        ("proctype P { skip }", "1: expected `(` before the parameters"),
        ("active init { skip }", "1: expected `proctype` behind `active`"),
        ("ltl { }", "1: expected a formula"),
        ("init { skip } }", "1: there is no `{` that this could close"),
        ("init { x = 'ab' }", "1: this is not one character"),
        ("init { return 1 }", "1: `return` stands in no `inline`"),
    ] {
        only(text, message);
    }
}

#[test]
fn what_is_not_closed_is_told_where_it_opens() {
    only("int x;\ninit {\nskip;", "2: this `{` is not closed");
    only("init {\nskip;\ndo :: skip\n", "3: this `do` is not closed");
    only("ltl p {\n[] x", "1: this `{` is not closed");
    only("inline f() {\nskip", "1: this `{` is not closed");
    only("init { x = (a + b; y = 1 }", "1: this parenthesis is not closed");
    only("init { do :: skip fi }", "1: expected `od` behind the options");
    only("init { skip\nproctype P() { skip }", "1: this `{` is not closed");
    only("init { if :: atomic { skip\ninline f() { skip }\nint x = 1;", "1: this `{` is not closed");
    assert!(rendered("init { skip\n\nproctype P() { skip }").contains("`proctype` follows in line 3"));
}

#[test]
fn one_text_yields_several_messages() {
    let text = "int x = ;\ninit {\n x = ;\n y = 1;\n if :: ) -> skip :: else fi;\n goto 3;\n}\nproctype 4() { ; }\nbyte = 3;";
    assert_eq!(
        messages(text),
        [
            "1: expected an expression",
            "3: expected an expression",
            "5: expected a statement",
            "6: expected a label",
            "8: expected the name of the process",
            "9: expected the name of a variable",
        ]
    );
    let many = format!("init {{ {} skip }}", "x = ;\n".repeat(100));
    assert_eq!(messages(&many).len(), 20);
}

#[test]
fn inlines_are_checked_where_they_are_used() {
    only("inline f(a) { skip }\ninit { f(1, 2) }", "2: `inline f` takes 1 arguments");
    only("inline f(a) { skip }\ninit { f() }", "2: `inline f` takes 1 arguments");
    only("inline f(a, b) { skip }\ninit { f(1, ) }", "2: an argument is missing here");
    only("inline f() { f() }\ninit { f() }", "1: `inline f` uses itself");
    only("inline f() { g() }\ninit { f() }\ninline g() { skip }", "1: there is no `inline g` before this");
    only("inline f() { skip }\ninline f() { skip }", "2: `inline f` is defined already");
    only("inline f() { skip }\ninit { x = 1 + f() }", "2: `inline f` is a statement, no value");
    only("inline f() { }\ninit { f() }", "1: expected a statement");
    only("inline f() { return 1 }\ninit { f() }", "1: this `return` has nothing to give its value to");
    only("inline f(a { skip }", "1: expected `)` behind the parameters");
    only("proctype P() { skip }\ninit { P() }", "2: `P` is a process");
    // Used twice, wrong once; and the use is named.
    only("inline f(a) {\nx = a = 2 }\ninit { f(1);\nf(2) }", "2: expected `;` or `->` between statements");
    assert!(
        rendered("inline f(a) {\nx = a = 2 }\ninit {\nf(1) }")
            .contains("in `inline f`, as it is used in line 4")
    );
}

#[test]
fn a_message_about_a_macro_points_at_its_use() {
    let text = "#define BAD x = = 1\n\ninit {\n  BAD;\n}";
    only(text, "4: expected an expression");
    assert_eq!(
        rendered(text),
        "error: expected an expression\n  --> test.pml:4:3\n4 |   BAD;\n  |   ^^^ found `=`, in the expansion of `BAD`\n"
    );
}

#[test]
fn deep_and_long_texts_end_in_a_message() {
    const MANY: usize = 1_000_000;
    const SOME: usize = 20_000;
    for (many, open, close) in [
        (MANY, "(", ")"),
        (MANY, "{ ", " }"),
        (MANY, "1 + ", ""),
        (SOME, "- ", ""),
        (SOME, "! ", ""),
        (SOME, "if :: ", " fi"),
        (SOME, "atomic { ", " }"),
        (SOME, "a[", "]"),
        (SOME, "a.", ""),
        (SOME, "(1 -> 2 : ", ")"),
        (SOME, "1 || ", ""),
        (SOME, "run P(", ")"),
        (SOME, "enabled(", ")"),
        (SOME, "for (i : 1 .. 2) { ", " }"),
    ] {
        let text = format!("init {{ {}1{} }}", open.repeat(many), close.repeat(many));
        assert_eq!(messages(&text), ["1: this is nested deeper, or longer, than can be read"], "{open}");
    }
    // Long without being deep is fine.
    for (many, before, text, behind) in [
        (MANY, "", "x = 1; ", "skip"),
        (SOME, "", "L: ", "skip"),
        (SOME, "x = 1", ";", ""),
        (SOME, "q!1", ", 1", ""),
        (SOME, "q?(1", ", 1", ")"),
        (SOME, "", "x\n", ""),
    ] {
        let text = format!("init {{ {before}{}{behind} }}", text.repeat(many));
        assert_eq!(messages(&text), Vec::<String>::new(), "{before}{behind}");
    }
}

#[test]
fn inlines_that_never_end_end() {
    let doubling: String = (0..30).map(|n| format!("inline f{}() {{ f{n}(); f{n}() }}\n", n + 1)).collect();
    let text = format!("inline f0() {{ skip }}\n{doubling}init {{ f30() }}");
    let problems = messages(&text);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].ends_with("inlines make more than 4 million words here"), "{problems:?}");
}
