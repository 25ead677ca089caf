//! What is wrong with a text is said at its place, with advice; and no text, however broken, does more harm
//! than that.

use std::sync::Arc;

use base::{Severity, Source, SplitMix64};

/// The first message of a text that is wrong: `line:column: message`.
fn first_problem(text: &str) -> String {
    let source = Arc::new(Source::new("test.dve", text));
    let Err(mut problems) = lang_dve::load(Arc::clone(&source)) else {
        panic!("nothing is wrong with {text}")
    };
    problems.sort_by_key(|problem| problem.span.map(|span| span.start));
    let first = &problems[0];
    assert_eq!(first.severity, Severity::Error);
    let at = source.position(first.span.expect("a place"));
    assert!(!first.render(&source).is_empty());
    format!("{}:{}: {}", at.line, at.column, first.message)
}

#[test]
fn each_error_is_said_at_its_place() {
    let process = "process P { state s; init s; }\nsystem async;";
    for (text, wanted) in [
        ("".to_owned(), "1:1: the `system` line is missing"),
        ("byte x;\n".to_owned(), "2:1: the `system` line is missing"),
        ("\u{1}\u{2}".to_owned(), "1:1: this is no word of DVE"),
        ("/* no end".to_owned(), "1:1: this comment does not end"),
        ("system async;".to_owned(), "1:1: the model has no process"),
        (format!("byte a[1099511627776];\n{process}"), "1:8: this number is too large"),
        (format!("byte a[2000000000];\n{process}"), "1:8: an array cannot have 2000000000 cells"),
        (format!("byte a[0];\n{process}"), "1:8: an array cannot have 0 cells"),
        (format!("byte a[1000000], b[1000000];\n{process}"), "1:20: an array cannot have 1000000 cells"),
        (format!("int x = 99999999999999999999999;\n{process}"), "1:9: this number is too large"),
        (format!("byte x = 256;\n{process}"), "1:10: value 256 does not fit `x`"),
        (format!("byte x, x;\n{process}"), "1:9: `x` is declared twice"),
        (format!("byte x = {{1}};\n{process}"), "1:10: `x` is not an array"),
        (format!("byte a[2] = 1;\n{process}"), "1:13: `a` is an array"),
        (format!("channel c[3];\n{process}"), "1:9: a channel that holds messages needs their types"),
        (format!("byte state;\n{process}"), "1:6: expected the name of a variable"),
        ("process P { state s; init t; } system async;".to_owned(), "1:27: state `t` is not known"),
        ("process P { state s; } system async;".to_owned(), "1:9: process `P` has no initial state"),
        ("process P { init s; } system async;".to_owned(), "1:9: process `P` has no state"),
        ("process P { state s, s; init s; } system async;".to_owned(), "1:22: state `s` is declared twice"),
        (
            "process P { state s; init s; } process P { state s; init s; } system async;".to_owned(),
            "1:40: process `P` is declared twice",
        ),
        (process.replace("async;", "async P;"), "2:14: expected `;` at the end of the `system` line"),
        (
            "process P { state s; init s; } system async property L;".to_owned(),
            "1:54: process `L` is not known",
        ),
    ] {
        assert_eq!(first_problem(&text), wanted, "{text}");
    }
}

#[test]
fn each_error_in_a_transition_is_said_at_its_place() {
    for (transition, wanted) in [
        ("guard y == 1;", "1:10: variable `y` is not known"),
        ("guard Q.s;", "1:10: process `Q` is not known"),
        ("guard P.t;", "1:12: state `t` is not known"),
        ("guard P->z == 0;", "1:13: variable `z` is not known"),
        ("guard x[0] == 1;", "1:10: `x` is not an array"),
        ("guard c == 1;", "1:10: `c` is a channel"),
        ("guard x == ;", "1:15: expected an expression"),
        ("guard (x == 1;", "1:17: expected `)`"),
        ("guard x == 1", "1:17: expected `;` behind the guard"),
        ("effect n = 1;", "1:11: this cannot be assigned"),
        ("effect x + 1 = 2;", "1:11: this cannot be assigned"),
        ("effect x == 2;", "1:17: expected `=` behind what is assigned"),
        ("sync d!;", "1:9: channel `d` is not known"),
        ("sync x!;", "1:9: `x` is not a channel"),
        ("sync c!{1, 2};", "1:4: channel `c` passes 1 values, not 2"),
        ("sync c?(x + 1);", "1:11: this cannot be assigned"),
        ("sync c;", "1:10: expected `!` to send or `?` to receive"),
        ("effect x = 1; guard y;", "1:24: variable `y` is not known"),
    ] {
        // The transition stands alone on a line, so that columns are those of its text plus three.
        let text = format!(
            "byte x, a[2]; const byte n = 1; channel {{byte}} c;\nprocess P {{ state s; init s; trans s -> s\n{{  {transition} }}; }}\nsystem async;"
        );
        let problem = first_problem(&text);
        let (line, rest) = problem.split_once(':').unwrap();
        assert_eq!(line, "3", "{transition}: {problem}");
        assert_eq!(format!("1:{rest}"), wanted, "{transition}");
    }
}

#[test]
fn all_errors_are_said_at_once() {
    let text = "byte x, x;\nprocess P { state s; init t; trans s -> u { guard y; effect z = 1; }, s -> s { guard ; }, s -> s { guard w; }; }\nsystem async;";
    let source = Arc::new(Source::new("test.dve", text));
    // Reading comes first: what was not read has no names to look up.
    let Err(problems) = lang_dve::load(Arc::clone(&source)) else { panic!() };
    assert_eq!(problems.len(), 1);
    let text = text.replace("guard ;", "guard 1;");
    let Err(problems) = lang_dve::load(Arc::new(Source::new("test.dve", text))) else { panic!() };
    assert_eq!(problems.len(), 6, "{problems:#?}");
}

#[test]
fn near_names_are_suggested() {
    let text =
        "byte counter; process P { state s; init s; trans s -> s { guard conter > 0; }; } system async;";
    let Err(problems) = lang_dve::load(Arc::new(Source::new("test.dve", text))) else { panic!() };
    assert_eq!(problems[0].label, "not declared; did you mean `counter`?");
}

#[test]
fn what_is_probably_not_meant_is_a_warning() {
    let warnings = |text: &str| {
        let loaded = lang_dve::load(Arc::new(Source::new("test.dve", text)));
        let loaded = loaded.unwrap_or_else(|problems| panic!("{problems:#?}"));
        loaded.warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
    };
    let with = |guard: &str| {
        format!(
            "byte x, a[2] = {{1, 2, 3}}; process P {{ state s; init s; trans s -> s {{ guard {guard}; }}; }} system async;"
        )
    };
    assert_eq!(warnings(&with("x")), ["3 initial values for 2 cells"]);
    assert!(warnings(&with("a == 0")).contains(&"`a` is an array".to_owned()));
    assert!(warnings(&with("a[2] == 0")).contains(&"index 2 is outside `a`".to_owned()));
    assert!(warnings(&with("x or x and x")).contains(&"`or` before `and` without parentheses".to_owned()));
    assert!(warnings(&with("(x | x & x)")).contains(&"`|` before `&` without parentheses".to_owned()));
    for fine in ["(x or x) and x", "x and x or x", "x or (x and x)", "(x | x) & x"] {
        assert_eq!(warnings(&with(fine)).len(), 1, "{fine}");
    }
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    for (open, close) in [("(", ")"), ("not ", ""), ("-", ""), ("a[", "]"), ("x + (", ")")] {
        let nest = format!("{}x{}", open.repeat(100_000), close.repeat(100_000));
        let text = format!(
            "byte x, a[1]; process P {{ state s; init s; trans s -> s {{ guard {nest}; }}; }} system async;"
        );
        assert!(first_problem(&text).contains("nested deeper"), "{open}");
    }
    let chain = "x + ".repeat(100_000);
    let text = format!(
        "byte x; process P {{ state s; init s; trans s -> s {{ guard {chain} x; }}; }} system async;"
    );
    assert!(first_problem(&text).contains("nested deeper"));
    let text = format!(
        "{} process P {{ state s; init s; }} {} system async;",
        "for (i : 1 .. 2) {".repeat(50_000),
        "}".repeat(50_000)
    );
    assert!(first_problem(&text).contains("nested deeper"));
}

#[test]
fn expressions_that_use_each_other_in_a_circle_are_refused() {
    let text = "process P { state s; init s; } expression a() { b() } expression b() { a() } system async;";
    assert!(first_problem(text).contains("uses itself"));
}

#[test]
fn too_many_combinations_are_refused() {
    let process =
        |n: usize| format!("process P{n} {{ state s; init s; trans {}; }}", ["s -> s {}"; 10].join(","));
    let text = format!("{} system sync;", (0..12).map(process).collect::<String>());
    assert!(first_problem(&text).contains("ways for all processes to move"));
}

/// A good text, to be broken.
const GOOD: &str = "const byte n = 2; byte x, a[n] = {1, 2}; int y = -1; channel c, {byte} d[2];
    process P { byte z; state s, t; init s; commit t; assert s: z < 9;
    trans s -> t { guard x < n and a[x] > 0 or not (P.s); sync c!z; effect x = x + 1, a[x] = y % 3; }, -> s { sync d?z; }; }
    process Q { state q; init q; trans q -> q { sync c?x; }, q -> q { guard P->z == 0; sync d!(1 << 2); }; }
    property process L { state l; init l; accept l; trans l -> l { guard P.t; }; }
    expression e() { x == 1 } property ltl f \"G(e)\"
    system async;";

#[test]
fn broken_texts_do_no_harm() {
    let good = GOOD.replace("channel c, {byte} d[2];", "channel c; channel {byte} d[2];");
    assert!(lang_dve::load(Arc::new(Source::new("good", good.as_str()))).is_ok());
    let seed =
        std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_115u64);
    let mut random = SplitMix64::new(seed);
    let mut next = |bound: usize| random.below(bound);
    let words: Vec<&str> = good.split_inclusive([' ', ';', ',', '(', ')', '{', '}', '[', ']']).collect();
    for round in 0..3000 {
        let mut broken: Vec<&str> = words.clone();
        for _ in 0..=next(4) {
            let (at, other) = (next(broken.len()), next(words.len()));
            match next(4) {
                0 if broken.len() > 1 => drop(broken.remove(at)),
                1 => broken.insert(at, words[other]),
                2 => broken[at] = words[other],
                _ => broken.truncate(at.max(1)),
            }
        }
        let text = broken.concat();
        let source = Arc::new(Source::new("broken", text.as_str()));
        match lang_dve::load(Arc::clone(&source)) {
            Ok(loaded) => {
                // It means something else now; it must still run.
                let model = loaded.model;
                let mut buffer = model::Successors::new(model.initial().len());
                let _ = model.stepper().all(model.initial(), &mut buffer);
            }
            Err(problems) => {
                assert!(!problems.is_empty(), "PINSCHER_SEED={seed}, round {round}: {text}");
                for problem in problems {
                    let span = problem.span.expect("a place");
                    assert!(
                        span.start <= span.end && span.end as usize <= text.len(),
                        "PINSCHER_SEED={seed}: {text}"
                    );
                    problem.render(&source);
                }
            }
        }
    }
}

#[test]
fn short_texts_that_mean_very_much_are_refused() {
    let with = |items: String| {
        format!("process P {{ state s; init s; trans s -> s {{ guard e59(); }}; }} {items} system async;")
    };
    // Named expressions that are deep when they are written out.
    let chain = " + 1".repeat(900);
    let deep = |n: usize| match n {
        0 => "expression e0() { 1 }".to_owned(),
        _ => format!("expression e{n}() {{ e{}(){chain} }}", n - 1),
    };
    let text = with((0..60).map(deep).collect());
    assert!(first_problem(&text).contains("nested deeper"), "{}", first_problem(&text));
    // … or large.
    let double = |n: usize| match n {
        0 => "expression e0() { 1 }".to_owned(),
        _ => format!("expression e{n}() {{ e{0}() + e{0}() }}", n - 1),
    };
    let text = with((0..60).map(double).collect());
    assert!(first_problem(&text).contains("too large"), "{}", first_problem(&text));
    // Loops without end.
    for body in ["property ltl p \"x\"", "for (y : 0 .. 2147483647) { }", "expression f() { 1 }"] {
        let text =
            format!("process P {{ state s; init s; }} for (x : 0 .. 2147483647) {{ {body} }} system async;");
        assert!(first_problem(&text).contains("go round more than"), "{body}");
    }
    // Channels that are moved up place by place, and processes that all meet each other.
    let receive = ["s -> s { sync c?x; }"; 300].join(",");
    let text = format!(
        "byte x; channel {{byte}} c[200000]; process P {{ state s; init s; trans {receive}; }} system async;"
    );
    assert!(first_problem(&text).contains("too large"), "{}", first_problem(&text));
    let meet = ["s -> s { sync c!; }, s -> s { sync c?; }"; 1000].join(",");
    let process = |name: &str| format!("process {name} {{ state s; init s; trans {meet}; }}");
    let text = format!("channel c; {} {} system async;", process("P"), process("Q"));
    assert!(first_problem(&text).contains("too large"), "{}", first_problem(&text));
}
