//! Each construct of the language, as the tree that it becomes. What Spin 6.5.2 accepts and how it groups it
//! was tried out.

mod common;

use common::{body, parse, shown};

/// The statements of a process, as a tree.
fn statements(text: &str) -> String {
    body(&format!("init {{\n{text}\n}}"))
}

/// One expression, grouped.
fn grouped(text: &str) -> String {
    let shown = statements(&format!("x = {text}"));
    shown.strip_prefix("x = ").unwrap().trim_end_matches(';').to_owned()
}

#[test]
fn variables_are_declared() {
    let text = "bit a; bool b = true; byte c = 3, d[2 + 1] = 1; short e; int f[3] = {1, 2, 3}; pid g;
        unsigned h : 3 = 1, i : 5; hidden int j; show byte k; local mtype l; T m; mtype:fruit n = apple;
        chan o = [2] of { byte, mtype:fruit, chan, T }; chan p[2] = [0] of { bool }";
    let expected = "bit a;\nbool b = 1;\nbyte c = 3, d[(2 + 1)] = 1;\nshort e;\nint f[3] = { 1, 2, 3 };\npid g;\n\
        unsigned h : 3 = 1, i : 5;\nhidden int j;\nshow byte k;\nlocal mtype l;\nT m;\nmtype:fruit n = apple;\n\
        chan o = [2] of { byte, mtype:fruit, chan, T };\nchan p[2] = [0] of { bool };\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn constants_and_records_are_declared() {
    assert_eq!(
        shown("mtype { a, b c, } mtype = { d }; mtype:fruit = { e f }"),
        "mtype = { a, b, c };\nmtype = { d };\nmtype:fruit = { e, f };\n"
    );
    assert_eq!(
        shown("typedef T { int x; byte b[3] }; typedef U {\nT t[2]\nchan c = [1] of {T};\n}"),
        "typedef T { int x; byte b[3] };\ntypedef U { T t[2]; chan c = [1] of { T } };\n"
    );
}

#[test]
fn processes_are_declared() {
    let text = "active [2] proctype P(int x; byte y, z) priority 3 provided (x > 0 || full(q)) { skip }
        D_proctype Q() { skip } active D_proctype R() { skip } init priority 5 { skip }";
    assert_eq!(
        shown(text),
        "active [2] proctype P(int x; byte y, z) priority 3 provided (((x > 0) || full(q))) {\n1;\n}\n\
         D_proctype Q() {\n1;\n}\nactive D_proctype R() {\n1;\n}\ninit priority 5 {\n1;\n}\n"
    );
}

#[test]
fn claims_and_traces_are_read() {
    assert_eq!(
        shown("never n { do :: skip od } never { accept: skip }"),
        "never n {\ndo\n:: 1;\nod;\n}\nnever  {\naccept: 1;\n}\n"
    );
    assert_eq!(
        shown("trace { do :: q!_ ; q?_ od } notrace { q?1 }"),
        "trace {\ndo\n:: q!_;\nq?_;\nod;\n}\nnotrace {\nq?1;\n}\n"
    );
}

#[test]
fn formulas_stay_text() {
    let formula = |text: &str| shown(text).trim().to_owned();
    assert_eq!(
        formula("ltl p { [](a->  <>b) && !<>[] P[0]@cs }"),
        "ltl p { [] ( a -> <> b ) && ! <> [] P [ 0 ] @ cs }"
    );
    assert_eq!(formula("#define A (x\\\n == 1)\nltl { A U A /\\ A \\/ A <-> A; }"), {
        "ltl  { ( x == 1 ) U ( x == 1 ) /\\ ( x == 1 ) \\/ ( x == 1 ) <-> ( x == 1 ) }"
    });
    assert_eq!(formula("ltl { [ ] a < > b a[1] [][]c }"), "ltl  { [ ] a < > b a [ 1 ] [] [] c }");
}

#[test]
fn operators_bind_as_in_spin() {
    // From loose to tight; each is read from the left.
    let ranks: [&[&str]; 10] = [
        &["||"],
        &["&&"],
        &["|"],
        &["^"],
        &["&"],
        &["==", "!="],
        &[">", "<", ">=", "<="],
        &["<<", ">>"],
        &["+", "-"],
        &["*", "/", "%"],
    ];
    let operators: Vec<(usize, &str)> = ranks
        .iter()
        .enumerate()
        .flat_map(|(rank, signs)| signs.iter().map(move |&sign| (rank, sign)))
        .collect();
    for &(one, left) in &operators {
        for &(other, right) in &operators {
            let expected = if one >= other {
                format!("((a {left} b) {right} c)")
            } else {
                format!("(a {left} (b {right} c))")
            };
            assert_eq!(grouped(&format!("a {left} b {right} c")), expected);
        }
    }
    assert_eq!(grouped("- a * ~b + !c == - -d"), "((((-a) * (~b)) + (!c)) == (-(-d)))");
    assert_eq!(grouped("!a.b[c].d"), "(!a.b[c].d)");
}

#[test]
fn operands_of_all_kinds_are_read() {
    for (text, expected) in [
        ("'a' + '\\n' + '\\\\' + '\\0'", "(((97 + 10) + 92) + 48)"),
        ("true + false + skip", "((1 + 0) + 1)"),
        ("(a -> b : c)", "(a -> b : c)"),
        ("(a > 1 -> (b) : c + 1) + 1", "(((a > 1) -> b : (c + 1)) + 1)"),
        ("run P(1, x + 1) priority 4", "run P(1, (x + 1)) priority 4"),
        ("len(q) + len(a[1].q)", "(len(q) + len(a[1].q))"),
        (
            "(full(q) || empty(q)) && nfull(q) && nempty(q) && x",
            "((((full(q) || empty(q)) && nfull(q)) && nempty(q)) && x)",
        ),
        ("q?[1, eval(x), y] && q??[a(b, -1)]", "(q?[1, eval(x), y] && q??[a, b, -1])"),
        (
            "enabled(1) + pc_value(x) + get_priority(_pid)",
            "((enabled(1) + pc_value(x)) + get_priority(_pid))",
        ),
        ("timeout || np_", "(timeout || np_)"),
        ("P@l + P[1]@l", "(P@l + P[1]@l)"),
        ("in", "in"),
    ] {
        assert_eq!(grouped(text), expected);
    }
}

#[test]
fn a_colon_behind_a_process_names_its_variable() {
    let text = "proctype P() { int x; skip } init { P:x == 1; P[2]:x[1] == 1; (P:x -> 1 : 2); L: x == 1 }";
    assert_eq!(body(text), "(P:x == 1); (P[2]:x[1] == 1); (P:x -> 1 : 2); L: (x == 1);");
    // Before its process, the same is a label.
    assert_eq!(
        body("init { P: x == 1 } proctype P() { skip }").lines().next(),
        Some("P: (x == 1); } proctype P() { 1;")
    );
}

#[test]
fn statements_of_all_kinds_are_read() {
    for (text, expected) in [
        ("x = 1; a[2].b = y", "x = 1; a[2].b = y;"),
        ("x++; a[i]--", "x = (x + 1); a[i] = (a[i] - 1);"),
        ("q!1; q!a, b + 1; q!a(b, c); q!!1, 2; q!(1)", "q!1; q!a, (b + 1); q!a, b, c; q!!1, 2; q!1;"),
        (
            "q?1; q?x, eval(y + 1), -1; q?a(b, c); q?(x, y); q?(x(y))",
            "q?1; q?x, eval((y + 1)), -1; q?a, b, c; q?x, y; q?x, y;",
        ),
        ("q??x; q?<x, y>; q??<x>", "q??x; q?<x, y>; q??<x>;"),
        ("if :: x -> y = 1; :: else fi", "if :: x; y = 1; :: else; fi;"),
        (
            "do :: x == 1 -> break :: else skip :: timeout od",
            "do :: (x == 1); break; :: else; 1; :: timeout; od;",
        ),
        ("for (i : 1 .. N + 1) { x = i }", "for (i : 1 .. (N + 1)) { x = i; };"),
        (
            "for (i in a); { x = i } for (m.f in q) { skip }",
            "for (i in a) { x = i; }; for (m.f in q) { 1; };",
        ),
        (
            "atomic { x = 1 } d_step { x = 1; y = 2 } { skip }",
            "atomic { x = 1; }; d_step { x = 1; y = 2; }; { 1; };",
        ),
        (
            "{ x = 1 } unless { y = 1 }; x = 1 unless L: y = 2",
            "{ x = 1; } unless { y = 1; }; x = 1 unless L: y = 2;",
        ),
        ("L: M: x = 1; goto L; N: ; O:", "L: M: x = 1; goto L; N: 1; O: 1;"),
        ("assert(x > 1); assert x; printf(\"a\\n\"); printf(\"%d %e\", x, y); printm(m)", {
            "assert((x > 1)); assert(x); printf(\"a\\n\"); printf(\"%d %e\", x, y); printm(m);"
        }),
        ("xr q, r[1]; xs q; set_priority(_pid, 3)", "xr q, r[1]; xs q; set_priority(_pid, 3);"),
        ("int x, y = 2; T t; t.x = 1", "int x, y = 2; T t; t.x = 1;"),
        ("(x); !x; -1; q?[x]; len(q) > 1; run P()", "x; (!x); (-1); q?[x]; (len(q) > 1); run P();"),
        ("pid p = run P(); if :: run P() -> skip fi", "pid p = run P(); if :: run P(); 1; fi;"),
        ("else; skip", "else; 1;"),
        ("select (a_b : 1 .. 3); select (i : 0 .. n)", "select (a_b : 1 .. 3); select (i : 0 .. n);"),
    ] {
        assert_eq!(statements(text), expected, "{text}");
    }
}

#[test]
fn a_plain_select_is_a_choice() {
    assert_eq!(statements("select (i : 1..3)"), "if :: i = 1; :: i = 2; :: i = 3; fi;");
    assert_eq!(statements("select (i : 1 .. 34)"), "select (i : 1 .. 34);");
    assert!(statements("select (i : 1 .. 33)").starts_with("if :: i = 1;"));
    assert_eq!(statements("select (i : 1 .. (3))"), "select (i : 1 .. 3);");
    assert_eq!(statements("select (i :\n1 .. 3)"), "select (i : 1 .. 3);");
    assert_eq!(body("inline f() { select (i : 1 .. 3) } init { f() }"), "{ select (i : 1 .. 3); };");
}

#[test]
fn the_end_of_a_line_ends_a_statement_that_can_end() {
    for (text, expected) in [
        ("x = 1\ny = 2\n", "x = 1; y = 2;"),
        ("x = y\n- 1", "x = y; (-1);"),
        ("x = (y\n- 1)", "x = (y - 1);"),
        ("x = y -\n1", "x = (y - 1);"),
        ("x++\nif\n:: a\n-> b\n:: else\nfi\ny", "x = (x + 1); if :: a; b; :: else; fi; y;"),
        ("q!a\n(b)", "q!a; b;"),
        ("q!a (b)", "q!a, b;"),
        ("{ a }\nunless { b }", "{ a; } unless { b; };"),
        ("for (i : 1 .. 2)\n{ a }", "for (i : 1 .. 2) { a; };"),
        (
            "int a[2]\nbyte b = 2\nchan q = [1] of { byte }\nskip",
            "int a[2]; byte b = 2; chan q = [1] of { byte }; 1;",
        ),
        ("{ a } b", "{ a; }; b;"),
        ("a ;; -> ; b ;;", "a; b;"),
        ("a\n\n\n;\n\nb", "a; b;"),
        ("timeout\nx", "timeout; x;"),
    ] {
        assert_eq!(statements(text), expected, "{text}");
    }
    assert_eq!(body("typedef T { int x } init { T\nt\nt.x = 1 }"), "T t; t.x = 1;");
    // Outside bodies a line is no more than space.
    assert_eq!(
        shown("int\nx\n=\n1\n,\ny\nproctype\nP\n(\n)\n{ skip }"),
        "int x = 1, y;\nproctype P() {\n1;\n}\n"
    );
}

#[test]
fn inlines_are_blocks_with_arguments_in() {
    let text = "inline g(a) { a = 2; x.a = a * 2 }\ninline h(a, b) {\n\tg(a)\n\tL: x = b\n\tg(b) }\ninit { h(u, v); g(q[1]) }";
    assert_eq!(
        body(text),
        "{ { u = 2; x.u = (u * 2); }; L: x = v; { v = 2; x.v = (v * 2); }; }; { q[1] = 2; x.q[1] = (q[1] * 2); };"
    );
    let simple = "inline swap(a, b) { int t; t = a; a = b; b = t }\ninit { swap(x, y[1]); swap(y[1], x) }";
    assert_eq!(body(simple), "{ int t; t = x; x = y[1]; y[1] = t; }; { int t; t = y[1]; y[1] = x; x = t; };");
    // Arguments are words: no parentheses come with them.
    assert_eq!(body("inline f(a) { x = 2 * a }\ninit { f(u + v); f((u + v)); f((u -> 1 : 2)) }"), {
        "{ x = ((2 * u) + v); }; { x = (2 * (u + v)); }; { x = (2 * (u -> 1 : 2)); };"
    });
    // Lines in an argument end nothing.
    assert_eq!(body("inline f(a) { x = a }\ninit { f(u\n- v) }"), "{ x = (u - v); };");
    // A use needs no semicolon behind it, and its arguments may hold commas in parentheses.
    assert_eq!(body("inline f(a, b) { q!a; if :: b fi }\ninit { f(1, q?[1, 2]) f(2, x) skip }"), {
        "{ q!1; if :: q?[1, 2]; fi; }; { q!2; if :: x; fi; }; 1;"
    });
    assert_eq!(body("inline f() { skip }\ninit { L: f() unless f() }"), "L: { 1; } unless { 1; };");
}

#[test]
fn an_inline_may_return_a_value() {
    let text =
        "inline g(a) { return a + 1 }\ninline f(a) { int y; y = g(a); return y + 1 }\ninit { x[1] = f(2) }";
    assert_eq!(body(text), "{ int y; { y = (2 + 1); }; x[1] = (y + 1); };");
}

#[test]
fn spans_are_the_users_own_text() {
    let text = "#define INC(v) v = v + 1\n#define ONE 1\ninline f(a) { x = a; INC(a) }\ninit {\n f(y);\n z = ONE;\n (p ->\n 1 : 2) }";
    let source = base::Source::new("t.pml", text);
    let (spec, _) = lang_promela::parse(&source, &lang_promela::Options::default()).unwrap();
    let lang_promela::ast::Unit::Process(init) = &spec.units[0] else { panic!("no init") };
    let statements = &init.body.statements;
    let slices = |statements: &[lang_promela::ast::Statement]| {
        statements.iter().map(|statement| source.slice(statement.span).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(slices(statements), ["f(y)", "z = ONE", "(p ->\n 1 : 2)"]);
    let lang_promela::ast::StatementKind::Block(inside) = &statements[0].kind else { panic!("no block") };
    // Statements of the body stand in the body, arguments at the use.
    assert_eq!(slices(&inside.statements), ["x = a", "INC(a)"]);
    let lang_promela::ast::StatementKind::Assign(_, value) = &inside.statements[0].kind else {
        panic!("no assignment")
    };
    assert_eq!((source.slice(value.span), source.position(value.span).line), ("y", 5));
}

#[test]
fn numbers_have_32_bits() {
    let (spec, warnings) = parse("int x = 2147483648; int y = 4294967295;").unwrap();
    assert_eq!(common::show(&spec), "int x = -2147483648;\nint y = -1;\n");
    assert_eq!(warnings.len(), 2);
}

/// Spin passes over the end of a comment that did not begin; not so inside one expression.
#[test]
fn the_end_of_no_comment_is_passed_over_with_a_warning() {
    for text in [
        "byte x; */ init { x = 1; x = 2 }",
        "byte x; init { x = 1 */; x = 2 }",
        "byte x; init { x = 1; */ x = 2 }",
        "*/ byte x; */ init { x = 1; x = 2 } */",
        "#define A 1 */\nbyte x; init { x = A; x = 2 }",
    ] {
        let (spec, warnings) = parse(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        assert_eq!(common::show(&spec), "byte x;\ninit {\nx = 1;\nx = 2;\n}\n", "{text}");
        assert_eq!(warnings.len(), 1, "{text}");
        assert_eq!(warnings[0].message, "this `*/` ends no comment");
    }
    for text in ["byte x, y; init { x = y */ 3 }", "byte x, y; init { x = y * / 3 }", "/* a /* b */ c */"] {
        assert!(parse(text).is_err(), "{text}");
    }
    // The comment goes first.
    assert!(parse("byte x; init { x = x */**/ 3 }").unwrap().1.is_empty());
}
