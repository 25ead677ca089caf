//! What the preprocessor leaves, as `gcc -E` does: all expected texts are gcc's.

use base::{Severity, Source};

use super::{Options, preprocess};

/// The words with spaces between them, `/` where a line ends.
fn expanded_with(text: &str, defines: &[(&str, &str)]) -> String {
    let source = Source::new("t.pml", text);
    let defines = defines.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let result = preprocess(&source, &Options { defines });
    let errors = result.problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    assert_eq!(errors, 0, "{}", base::render_all(&result.problems, &source, 9));
    let words = &result.words[..result.words.len() - 1];
    let shown = words.iter().enumerate().map(|(at, word)| {
        let line = if word.newline && at > 0 { "/ " } else { "" };
        format!("{line}{}", result.symbols.text(word.text))
    });
    shown.collect::<Vec<_>>().join(" ")
}

fn expanded(text: &str) -> String {
    expanded_with(text, &[])
}

/// The messages of a text, with their lines.
fn messages(text: &str) -> Vec<String> {
    let source = Source::new("t.pml", text);
    let result = preprocess(&source, &Options::default());
    let shown = |problem: &base::Diagnostic| {
        let line = problem.span.map_or(0, |span| source.position(span).line);
        format!("{line}: {}", problem.message)
    };
    result.problems.iter().map(shown).collect()
}

#[test]
fn names_stand_for_words() {
    assert_eq!(expanded("#define N 3\n#define M N + 1\nx = M;"), "x = 3 + 1 ;");
    assert_eq!(expanded("#define A B\n#define B A\nA B"), "A B");
    assert_eq!(expanded("#define E\nx E\nE y"), "x / y");
    assert_eq!(expanded("#define N 1\nN\n#undef N\nN"), "1 / N");
    assert_eq!(expanded("#define f (x)\nf(1)"), "( x ) ( 1 )");
}

#[test]
fn arguments_are_expanded_before_they_go_in() {
    assert_eq!(expanded("#define N 2\n#define f(x) x * x\nf(N+1)"), "2 + 1 * 2 + 1");
    assert_eq!(expanded("#define f(x) x\nf(f(f(1)))"), "1");
    assert_eq!(expanded("#define f(x) g(x)\n#define g(x) f(x)\nf(1)"), "f ( 1 )");
    assert_eq!(expanded("#define f(x, y) x:y\nf((a, b), [c)d)"), "( a , b ) : [ c d )");
    assert_eq!(expanded("#define f() 1\n#define g(x) <x>\nf() f g() g"), "1 f < > g");
    assert_eq!(expanded("#define g(x) x g\ng(1)(2)"), "1 g ( 2 )");
    assert_eq!(expanded("#define h g\n#define g(x) x\nh(1) h\n(2)"), "1 2");
    // A name that was shut once stays so, also where its macro is open again.
    assert_eq!(expanded("#define A A B\n#define f(x) x x\nf(A)"), "A B A B");
    assert_eq!(expanded("#define x x1(y)\n#define x1(z) z x\n x"), "y x");
}

#[test]
fn texts_are_made_and_words_pasted() {
    assert_eq!(
        expanded(
            r#"#define s(x) #x
s(a+ b  "c\n" 'd')"#
        ),
        r#""a+ b \"c\\n\" 'd'""#
    );
    assert_eq!(expanded("#define p(a, b) a##b\np(x, 1) p(, y) p(z, ) p(1, 2) p(-, >)"), "x1 y z 12 ->");
    assert_eq!(expanded("#define N 3\n#define p(a) a##a a\np(N)"), "NN 3");
    assert_eq!(expanded("#define v(...) <__VA_ARGS__>\nv(1, 2) v()"), "< 1 , 2 > < >");
    assert_eq!(expanded("#define v(x, r...) <x, ## r>\nv(1, 2, 3) v(1)"), "< 1 , 2 , 3 > < 1 >");
}

#[test]
fn a_line_ends_where_gcc_ends_it() {
    assert_eq!(expanded("a\nb /* x\n y */ c"), "a / b / c");
    assert_eq!(expanded("#define f(a, b) a b c\nf(1,\n2) x\nf(1,\n2)\ny"), "1 2 c / x / 1 2 c / y");
    assert_eq!(expanded("#define f(a) a\nf(1\n#undef f\n) f(2)"), "1 / f ( 2 )");
    assert_eq!(expanded("a \\\n + b\nc\\\nd e"), "a / + b / cd / e");
    assert_eq!(expanded("a\rb"), "a / b");
}

#[test]
fn numbers_are_those_of_c_and_then_those_of_spin() {
    assert_eq!(expanded("#define N 3\nx : 0..N y"), "x : 0 .. N y");
    assert_eq!(expanded("#define N 3\n0 .. N 0 ..N"), "0 .. 3 0 .. 3");
    assert_eq!(messages("#define N 3\n0..N"), ["2: macro `N` is not expanded here"]);
    assert_eq!(expanded("10abc 0x1F"), "10 abc 0 x1F");
}

#[test]
fn conditions_choose_lines() {
    let chosen = |condition: &str| {
        expanded(&format!("#define T 5\n#define E\n#if {condition}\n1\n#else\n0\n#endif")) == "1"
    };
    for yes in [
        "1",
        "T == 5",
        "defined(T) && defined T",
        "!defined(X)",
        "X == 0",
        "-1 < 0",
        "0x10 == 16 && 010 == 8",
        "'a' == 97",
        "1 ? 2 : 0",
        "0 && 1/0 || 1",
        "1 || 1/0",
        "(1 + 2) * 3 == 9",
        "1 + 2 * 3 == 7",
        "~0 == -1",
        "7 % 4 == 3",
        "1 << 3 == 8",
        "10u == 10L",
        "!!T",
        "defined __LINE__",
        "1 ? 1 : 1/0",
    ] {
        assert!(chosen(yes), "{yes}");
    }
    for no in ["0", "T == 6", "defined(X)", "defined(E) - 1", "3 > 4", "0 ? 1 : 0", "1 == 1 == 2"] {
        assert!(!chosen(no), "{no}");
    }
    assert_eq!(expanded("#ifdef A\n1\n#elif 1\n2\n#elif 1/0\n3\n#else\n4\n#endif\n5"), "2 / 5");
    assert_eq!(expanded("#if 0\ndon't \"read\n#if 1\n#else\n#endif\n#bogus\n#elif 0\n#else\nx\n#endif"), "x");
    assert_eq!(expanded_with("#ifndef N\n#define N 1\n#endif\nN", &[("N", "2 + 3")]), "2 + 3");
    assert_eq!(expanded("  #  define N 1 // one\n # ifdef N /* x */\nN\n#endif"), "1");
}

#[test]
fn lines_for_others_are_passed_over() {
    assert_eq!(expanded("#pragma x\n#line 7\n#ident \"v\"\n# 12 \"file\"\n#\na"), "a");
    assert_eq!(expanded("a\nb __LINE__ __FILE__\n"), "a / b 2 \"t.pml\"");
}

#[test]
fn what_is_wrong_is_told_at_its_line() {
    for (text, message) in [
        ("#define f(x) x\n\nf(1, 2)", "3: macro `f` takes 1 arguments"),
        ("#define f(x, y) x\nf(1)", "2: macro `f` takes 2 arguments"),
        ("#define f(x) x\nf(1", "2: the arguments of macro `f` do not end"),
        ("x\n#if 1\ny", "2: this condition does not end"),
        ("x\n#else", "2: there is no `#if` before this"),
        ("x\n#endif", "2: there is no `#if` that this could end"),
        ("#if 1\n#else\n#else\n#endif", "3: this stands behind the `#else` of the same `#if`"),
        ("#if 0\n#else\n#elif 1\n#endif", "3: this stands behind the `#else` of the same `#if`"),
        ("#if\n#endif", "1: expected a condition here"),
        ("#if 1 +\n#endif", "1: expected a value behind this"),
        ("#if (1\n#endif", "1: expected `)` here"),
        ("#if 1 2\n#endif", "1: expected an operator here"),
        ("#if 1/0\n#endif", "1: this divides by zero"),
        ("#define 3", "1: expected the name of a macro behind `#define`"),
        ("#define f(x", "1: the parameters of macro `f` cannot be read"),
        ("#define f(x, x) x", "1: the parameters of macro `f` cannot be read"),
        ("#define f(x) #y", "1: `#` needs a parameter of the macro behind it"),
        ("#define f ## x", "1: `##` needs a word on either side"),
        ("#define p(a, b) a##b\np(;, x)", "2: `;` and `x` make no word together"),
        ("#define A 1\n#define A 2", "2: macro `A` is defined anew"),
        ("#includ \"x\"", "1: there is no directive `#includ`"),
        ("#include", "1: expected a file behind `#include`"),
        ("#error no good", "1: #error no good"),
        ("x\n/* y", "2: this comment does not end"),
        ("\"x", "1: this text does not end on its line"),
        ("x = 'a", "1: this character does not end"),
        ("x = \u{3b1}\u{3b2};", "1: this is no word of Promela"),
    ] {
        assert_eq!(messages(text), [message], "{text}");
    }
    assert_eq!(messages("#define A 1\n#define A  1 // same\n"), Vec::<String>::new());
}

#[test]
fn a_word_of_a_macro_stands_where_the_user_wrote_the_macro() {
    let text = "#define M(x) N + x\n#define N 1\n y = M(z);";
    let source = Source::new("t.pml", text);
    let result = preprocess(&source, &Options::default());
    let shown: Vec<(&str, &str, Option<&str>)> = result.words[2..5]
        .iter()
        .map(|word| {
            (
                result.symbols.text(word.text),
                source.slice(word.span),
                word.origin.map(|o| result.symbols.text(o)),
            )
        })
        .collect();
    assert_eq!(shown, [("1", "M(z)", Some("M")), ("+", "M(z)", Some("M")), ("z", "z", None)]);
}

#[test]
fn macros_that_never_end_end() {
    let doubling: String = (0..64).map(|n| format!("#define a{n} a{} a{}\n", n + 1, n + 1)).collect();
    assert_eq!(messages(&format!("{doubling}a0")), ["65: macros make more than 4 million words here"]);
    let arguments: String = (0..64).map(|n| format!("#define f{n}(x) f{}(x x)\n", n + 1)).collect();
    assert_eq!(messages(&format!("{arguments}f0(y)")), ["65: macros make more than 4 million words here"]);
    // Expanded arguments that go nowhere are work too.
    let lost: String = (0..64).map(|n| format!("#define g{n}(x) g{}(g{}(x))\n", n + 1, n + 1)).collect();
    let problems = messages(&format!("{lost}#define g64(x)\ng0(y)"));
    assert_eq!(problems, ["66: macros make more than 4 million words here"]);
    let deep = format!("#define f(x) x\n{}1{}", "f(".repeat(1000), ")".repeat(1000));
    assert_eq!(messages(&deep), ["2: macros are nested deeper here than can be read"]);
    let deep = format!("#define f(x) x\n{}1{}", "f(".repeat(1_000_000), ")".repeat(1_000_000));
    assert_eq!(messages(&deep), ["2: macros make more than 4 million words here"]);
    let deep = format!("#if {}1{}\n#endif", "(".repeat(1_000_000), ")".repeat(1_000_000));
    assert_eq!(messages(&deep), ["1: this is nested deeper than can be read"]);
    assert_eq!(messages(&format!("#if {}1\n#endif", "!".repeat(1_000_000))), Vec::<String>::new());
}

#[test]
fn definitions_from_outside_must_be_names() {
    let options = Options { defines: vec![("1x".into(), "2".into())] };
    let result = preprocess(&Source::new("t.pml", "x"), &options);
    assert_eq!(result.problems.len(), 1);
    assert_eq!(result.problems[0].span, None);
}
