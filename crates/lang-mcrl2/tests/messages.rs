//! What is wrong with a text is said at its place, with advice; and no text, however broken, does more harm
//! than that.

mod common;

use base::Source;
use common::problems;

#[test]
fn each_error_of_grammar_is_said_at_its_place() {
    for (text, wanted) in [
        ("", "1:1: the specification has no `init`"),
        ("act a;\n", "2:1: the specification has no `init`"),
        ("act a; init a; init a;", "1:16: the specification has a second `init`"),
        ("\u{1}\u{2}", "1:1: this is no word of mCRL2"),
        (
            "a; init delta;",
            "1:1: expected `sort`, `cons`, `map`, `var`, `eqn`, `act`, `glob`, `proc` or `init`",
        ),
        ("init", "1:5: expected a process"),
        ("init delta", "1:11: expected `;` behind the initial process"),
        ("init (delta;", "1:12: expected `)`"),
        ("act sum; init delta;", "1:5: expected the name of an action"),
        ("act; init delta;", "1:4: expected the name of an action"),
        ("act init delta;", "1:5: expected a declaration behind `act`"),
        ("sort D = ; init delta;", "1:10: expected a sort"),
        ("sort D = struct ; init delta;", "1:17: expected the name of a constructor"),
        ("sort D = List(; init delta;", "1:15: expected a sort"),
        ("sort D = Nat # Nat; init delta;", "1:10: a product is no sort by itself"),
        ("map f: Nat -> ; init delta;", "1:15: expected a sort"),
        ("map f Nat; init delta;", "1:7: expected `:` and the sort"),
        ("var n: Nat; act a; init a;", "1:13: expected `eqn` behind the variables of equations"),
        ("map f: Nat; eqn f; init delta;", "1:18: expected `=` behind the left side of the equation"),
        ("map f: Nat; eqn f = ; init delta;", "1:21: expected an expression"),
        ("map f: Nat; eqn f = 007; init delta;", "1:21: a number does not begin with 0"),
        ("act a; init true -> a <> ;", "1:26: expected a process"),
        ("act a; init a . ;", "1:17: expected a process"),
        ("act a; init a + + a;", "1:17: expected a process"),
        ("act a; init comm({a|a -> tau}, a);", "1:26: expected the name of an action"),
        ("act a: Nat; init a(1;", "1:21: expected `)` behind the arguments"),
        ("act a: Nat; init a([1, 2);", "1:25: expected `]` behind the elements"),
        ("act a: Nat; init a({1: 2, 3});", "1:28: expected `:` and how often the element is there"),
        ("act a: Nat; init a(forall x: Nat x);", "1:34: expected `.` behind the variables"),
        ("act a: Nat; init a(x whr x = 1);", "1:31: expected `end` behind what is bound by `whr`"),
        ("proc P(x: Nat = delta; init P;", "1:15: expected `)` behind the parameters"),
        ("act a; init sum x: Nat a;", "1:24: expected `.` behind the variables"),
    ] {
        assert_eq!(problems(text)[0], wanted, "{text}");
    }
}

#[test]
fn each_error_of_sorts_and_names_is_said_at_its_place() {
    for (text, wanted) in [
        ("sort D = E; init delta;", "1:10: sort `E` is not known"),
        ("sort D = D; init delta;", "1:10: sort `D` is defined by itself"),
        ("sort D = E; E = List(D); init delta;", "1:22: sort `D` is defined by itself"),
        ("sort D = List(D); init delta;", "1:15: sort `D` is defined by itself"),
        (
            "sort D = struct c(D -> Nat) | d; init delta;",
            "1:19: sort `D` contains itself in a function, a set or a bag",
        ),
        (
            "sort D = struct c(E) | d; E = Set(D); init delta;",
            "1:35: sort `D` contains itself in a function, a set or a bag",
        ),
        ("sort D = struct c(D); init delta;", "1:17: sort `D` has no values"),
        ("sort D; cons c: E -> D; d: D -> E; sort E; init delta;", "1:14: sort `D` has no values"),
        ("sort D; D = Nat; init delta;", "1:9: sort `D` is declared twice"),
        (
            "sort D = struct c(p: Nat, p: Nat); init delta;",
            "1:27: projection `p` takes two arguments of one constructor",
        ),
        ("sort D = struct c?p | d?p; init delta;", "1:25: `p` is declared twice with the same sort"),
        ("sort D; cons d: D; map d: D; init delta;", "1:24: `d` is declared twice with the same sort"),
        ("cons c: Nat; init delta;", "1:9: sort `Nat` has its constructors already"),
        ("map f: Nat; init sum f: Nat . tau;", "1:22: variable `f` has the name of a function"),
        (
            "map f: Nat -> Nat; var n: Nat; eqn f(0) = n; init delta;",
            "1:43: variable `n` is not on the left side of the equation",
        ),
        (
            "map f: Nat -> Nat; var n: Nat; eqn f(n) = true; init delta;",
            "1:36: the sides of this equation have different sorts",
        ),
        (
            "map f: Nat -> Nat; var n: Nat; eqn n = f(n); init delta;",
            "1:36: the left side of an equation is a function with its arguments",
        ),
        (
            "map f: Nat -> Nat; var n, n: Nat; eqn f(n) = n; init delta;",
            "1:27: variable `n` is declared twice",
        ),
        ("map f: Nat -> Nat; var n: Nat; eqn n -> f(n) = n; init delta;", "1:36: a `Bool` is wanted here"),
        ("init a;", "1:6: action or process `a` is not known"),
        ("init P();", "1:6: process `P` is not known"),
        ("act a; init a();", "1:13: action `a` is written without `()`"),
        ("act a; proc a = delta; init a;", "1:13: `a` is an action and a process"),
        ("proc P = delta; P = tau; init P;", "1:17: process `P` is declared twice"),
        ("proc P(x: Nat, x: Bool) = delta; init P(1, true);", "1:16: variable `x` is declared twice"),
        ("proc P(x: Nat) = P(y = 1); init P(1);", "1:20: process `P` with parameter `y` is not known"),
        ("proc P(x: Nat) = P(x = 1, x = 2); init P(1);", "1:27: parameter `x` is given two values"),
        ("proc P(x: Nat) = delta; init P();", "1:30: process `P` is not given its parameter `x`"),
        ("proc P(x: Nat) = delta; init P(true);", "1:30: `P` does not take `Bool`"),
        ("proc P(x: Nat) = delta; init P;", "1:30: `P` is not given its arguments"),
        ("act a: Nat # Bool; init a(1, 2);", "1:25: `a` does not take `Pos` and `Pos`"),
        ("act a: Nat; init a(x);", "1:20: variable or function `x` is not known"),
        ("act a: Nat; init a(1 + true);", "1:22: `+` does not take `Pos` and `Bool`"),
        ("act a: Nat; init a(if(1, 2, 3));", "1:20: `if` does not take `Pos`, `Pos` and `Pos`"),
        ("act a: Bool; init a(true && 1);", "1:29: `&&` wants a `Bool`"),
        ("act a: Bool; init a(forall x: Nat . x);", "1:37: `forall` wants a `Bool`"),
        (
            "act a: List(Nat); init a([1, true]);",
            "1:30: this element is of another sort than those before it",
        ),
        ("act a: Nat; init a(1(2));", "1:20: this cannot be applied to `Pos`"),
        ("act a: Nat; init a((lambda x: Nat . x)(true));", "1:21: this cannot be applied to `Bool`"),
        ("act a: Nat; init a(1[2 -> 3]);", "1:20: this cannot be updated with `Pos` and `Pos`"),
        (
            "act a: Nat; init a(#{ x: Nat | [x] });",
            "1:32: what tells the elements is a `Bool` for a set, a `Nat` for a bag",
        ),
        ("act a: Nat; init a(#[]);", "1:21: the sort of this is not known"),
        ("act a; init (1) -> a;", "1:14: a `Bool` is wanted here"),
        ("act a; init a @ true;", "1:17: a `Real` is wanted here"),
        ("act a; init hide({b}, a);", "1:19: action `b` is not known"),
        ("act a; b: Nat; init rename({a -> b}, a);", "1:29: actions `a` and `b` have no sorts in common"),
        ("act a, b; init rename({a -> b, a -> b}, a);", "1:32: action `a` is renamed twice"),
        ("act a; b: Nat; init comm({a|a -> b}, a);", "1:27: actions `a` and `b` have no sorts in common"),
        ("act a, b, c; init comm({a|b -> c, a|a -> c}, a);", "1:35: action `a` communicates in two ways"),
        ("act a, b; init comm({a -> b}, a);", "1:22: one action alone does not communicate"),
        ("act a: Nat; init a(x + y whr x = 1, x = 2, y = 3 end);", "1:37: variable `x` is bound twice"),
    ] {
        assert_eq!(problems(text)[0], wanted, "{text}");
    }
}

#[test]
fn all_errors_are_said_at_once() {
    let text = "act a: Nat; b
        proc P(x: Nat = delta; Q = a( . b;
        map f: Nat -> ;
        init a(1;";
    assert_eq!(problems(text).len(), 5, "{:#?}", problems(text));
    let text = "sort D = E; act a: Nat; proc P(x: F) = b + a(true) + a(y) . Q + hide({c}, a(1)); init P(d);";
    assert_eq!(problems(text).len(), 8, "{:#?}", problems(text));
    // What is not known is told once.
    assert_eq!(problems("init a . a + b . a + a(c) + a(c);").len(), 2);
}

#[test]
fn near_names_are_suggested() {
    for (text, wanted) in [
        ("act counter; init conter;", "counter"),
        ("sort Data; map f: Dat; init delta;", "Data"),
        ("act a: Nat; init sum number: Nat . a(nummber);", "number"),
        ("act a: Nat; init a(heed([1]));", "head"),
        ("proc P(value: Nat) = P(valu = 1); init P(1);", "value"),
    ] {
        let source = Source::new("test.mcrl2", text);
        let Err(problems) = lang_mcrl2::read(&source) else { panic!("{text}") };
        assert_eq!(problems[0].label, format!("not declared; did you mean `{wanted}`?"), "{text}");
    }
}

#[test]
fn what_is_often_written_wrong_is_told_with_advice() {
    for (text, wanted, advice) in [
        ("act a; proc P(n: Nat) = (n = 0) -> a; init P(1);", "1:28: expected `)`", "`==` compares"),
        (
            "act a; proc P(n: Nat) = n > 0 -> a; init P(1);",
            "1:27: expected a process",
            "a condition stands in parentheses: `(n > 0) -> p`",
        ),
        (
            "act a: Nat; proc P(n: Nat) = a(n) . P(n := 0); init P(1);",
            "1:41: expected `)` behind the arguments",
            "a parameter is given a value by `=`: `P(n = 0)`",
        ),
        (
            "act a; proc P(n: Nat) = a . P(n - 1); init P(1);",
            "1:29: `P` does not take `Int`",
            "it takes `Nat`; `Int2Nat` makes a `Nat` of an `Int`",
        ),
        (
            "act a: Nat; init a(4 / 2);",
            "1:18: `a` does not take `Real`",
            "it takes `Nat`; `Real2Nat` makes a `Nat` of a `Real`",
        ),
        (
            "act a: Nat; proc P(n: Nat) = a(n mod n); init P(1);",
            "1:34: `mod` does not take `Nat` and `Nat`",
            "it takes `Nat` and `Pos`; or `Int` and `Pos`; `Nat2Pos` makes a `Pos` of a `Nat`",
        ),
        // No function makes a positive number of this one.
        ("act a: Pos; init a(0);", "1:18: `a` does not take `Nat`", "it takes `Pos`"),
        ("act a: Nat # Nat; init a(1 - 2);", "1:24: `a` does not take `Int`", "it takes `Nat` and `Nat`"),
        (
            "act a: Nat; proc P(n: Nat) = a(n) . P(n = n - 1); init P(1);",
            "1:43: a `Nat` is wanted here",
            "`Int2Nat` makes a `Nat` of an `Int`",
        ),
    ] {
        let source = Source::new("test.mcrl2", text);
        let Err(told) = lang_mcrl2::read(&source) else { panic!("{text}") };
        assert_eq!((&*problems(text)[0], told[0].help.as_deref()), (wanted, Some(advice)), "{text}");
    }
}

#[test]
fn what_is_probably_not_meant_is_a_warning() {
    for (text, wanted) in [
        ("sort D = struct a; D = struct a; init delta;", "sort `D` is declared twice"),
        ("map f: Nat; f: Nat; init delta;", "`f` is declared twice with the same sort"),
        ("act a, a; init delta;", "action `a` is declared twice"),
        ("act a; init hide({a, a}, a);", "`hide` names `a` twice"),
    ] {
        let (_, warnings) = lang_mcrl2::read(&Source::new("test.mcrl2", text)).expect(text);
        assert_eq!(warnings.iter().map(|warning| warning.message.as_str()).collect::<Vec<_>>(), [wanted]);
    }
}
