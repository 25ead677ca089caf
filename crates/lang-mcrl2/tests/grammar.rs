//! What binds how tightly, and how the parts of a text are put together.

mod common;

use common::{init, read, show_expr, show_term, typed};

fn data(sort: &str, expr: &str) -> String {
    typed(
        "map f: Nat -> Nat; g: Nat -> Nat -> Nat;",
        "a, b, c: Bool, i, j: Int, n: Nat, l, m: List(Int)",
        sort,
        expr,
    )
}

#[test]
fn operators_of_data_bind_as_in_the_reference() {
    for (sort, expr, wanted) in [
        ("Bool", "a => b => c", "Implies(a, Implies(b, c))"),
        ("Bool", "a || b && c => a", "Implies(Or(a, And(b, c)), a)"),
        ("Bool", "a && b == c", "And(a, Equal(b, c))"),
        ("Bool", "a == b != c", "NotEqual(Equal(a, b), c)"),
        ("Bool", "i < j == a", "Equal(Less(i, j), a)"),
        ("Bool", "a == i < j", "Equal(a, Less(i, j))"),
        ("Bool", "a != i >= j && b", "And(NotEqual(a, GreaterEqual(i, j)), b)"),
        ("Bool", "!a && b", "And(Not(a), b)"),
        ("Bool", "!a == b", "Equal(Not(a), b)"),
        ("Bool", "i in l ++ m", "In(i, Concat(l, m))"),
        ("Bool", "i in j |> l <| i == a", "Equal(In(i, Cons(j, Snoc(l, i))), a)"),
        ("List(Int)", "i |> j |> l", "Cons(i, Cons(j, l))"),
        ("List(Int)", "l ++ m ++ l", "Concat(Concat(l, m), l)"),
        ("List(Int)", "l <| i + j <| j", "Snoc(Snoc(l, Plus(i, j)), j)"),
        ("Int", "i + j - i", "Minus(Plus(i, j), i)"),
        ("Int", "i * j + i", "Plus(Times(i, j), i)"),
        ("Int", "i - j div 2 mod 3", "Minus(i, Int(Mod(Div(j, 2:Pos), 3:Pos)))"),
        ("Int", "-i * j", "Times(Negate(i), j)"),
        ("Int", "- -i", "Negate(Negate(i))"),
        ("Int", "-l.0", "Negate(ElementAt(l, 0:Nat))"),
        ("Int", "l.0 * l.1", "Times(ElementAt(l, 0:Nat), ElementAt(l, 1:Nat))"),
        ("Int", "-7", "-7:Int"),
        ("Int", "2 * l.0", "Times(2:Int, ElementAt(l, 0:Nat))"),
        ("Nat", "#[l, m].0", "Size(ElementAt(List(l, m), 0:Nat))"),
        ("Nat", "#(l ++ m)", "Size(Concat(l, m))"),
        ("Nat", "f(n) + 1", "Plus(f(n), 1:Nat)"),
        ("Nat", "g(n)(1)", "g(n)[1:Nat]"),
        ("Nat", "g(n)[0 -> 1](2)", "Update(g(n), 0:Nat, 1:Nat)[2:Nat]"),
        ("Nat", "f[0 -> 1][2 -> 3](n)", "Update(Update(&f, 0:Nat, 1:Nat), 2:Nat, 3:Nat)[n]"),
        ("Bool", "forall x: Nat. x > 1 => a", "forall x:Nat.Implies(Greater(x, 1:Nat), a)"),
        (
            "Bool",
            "a && exists x, y: Nat, z: Bool. z && x == y",
            "And(a, exists x:Nat,y:Nat,z:Bool.And(z, Equal(x, y)))",
        ),
        ("Bool", "x && a whr x = b end", "(And(x, a) whr x:Bool=b)"),
        ("Bool", "forall x: Bool. x && y whr y = b end", "(forall x:Bool.And(x, y) whr y:Bool=b)"),
        ("Int", "x + y whr x = 1, y = i end", "(Plus(Int(x), y) whr x:Pos=1:Pos, y:Int=i)"),
        ("Nat -> Nat", "lambda x: Nat. x + 1", "lambda x:Nat.Plus(x, 1:Nat)"),
        ("Set(Nat)", "{ x: Nat | x < 3 }", "set x:Nat|Less(x, 3:Nat)"),
        ("Bag(Nat)", "{ x: Nat | x }", "bag x:Nat|x"),
        ("FBag(Nat)", "{ n: 1, 2: n + 1 }", "BagOf(n, 1:Nat, 2:Nat, Plus(n, 1:Nat))"),
        ("Bool", "a && b && c && a && b", "And(a, b, c, a, b)"),
        ("Bool", "a || b || (c || a) && b", "Or(a, b, And(Or(c, a), b))"),
    ] {
        assert_eq!(data(sort, expr), wanted, "{expr}");
    }
}

#[test]
fn operators_of_processes_bind_as_in_the_reference() {
    let declared = "act a, b, c; d: Nat; proc P(x: Nat, y: Bool) = a; Q = b;";
    for (process, wanted) in [
        ("a + b . c", "[a + [b . c]]"),
        ("a . b . c + b + c", "[[a . b . c] + b + c]"),
        ("sum n: Nat . d(n) . a + b", "[[sum n:Nat. [d(n) . a]] + b]"),
        ("sum n: Nat . d(n) || b + c", "[[sum n:Nat. [d(n) || b]] + c]"),
        ("a . sum n: Nat . d(n) . b + c", "[[a . [sum n:Nat. [d(n) . b]]] + c]"),
        ("a || b ||_ c || a", "[a || [b ||_ c] || a]"),
        ("a ||_ b ||_ c", "[a ||_ [b ||_ c]]"),
        ("true -> a . b + c", "[[true -> [a . b]] + c]"),
        ("true -> a <> b . c + c", "[[true -> a <> [b . c]] + c]"),
        ("true -> a + b <> c", "[true -> [a + b] <> c]"),
        ("true -> false -> a <> b", "[true -> [false -> a <> b]]"),
        ("true -> false -> a <> b <> c", "[true -> [false -> a <> b] <> c]"),
        ("true -> a <> false -> b <> c", "[true -> a <> [false -> b <> c]]"),
        ("true -> a + false -> b <> c", "[[true -> a] + [false -> b <> c]]"),
        ("true -> sum f: Nat -> Bool . a <> b", "[true -> [sum f:Nat -> Bool. a] <> b]"),
        ("(1 < 2) -> a . (2 < 3) -> b <> c", "[Less(1:Pos, 2:Pos) -> [a . [Less(2:Pos, 3:Pos) -> b <> c]]]"),
        ("!true -> a || b", "[[Not(true) -> a] || b]"),
        ("a << b . c << a", "[[a << [b . c]] << a]"),
        ("a . b @ 3 . c", "[a . [b @ 3:Real] . c]"),
        ("a | b @ (1 + 2)", "[[a | b] @ Real(Plus(1:Pos, 2:Pos))]"),
        ("a|b|c . a", "[[a | b | c] . a]"),
        ("dist n: Nat [1 / 2] . d(n) + a", "[[dist n:Nat[Divide(1:Real, 2:Real)]. d(n)] + a]"),
        ("P(1, true) || Q", "[P(1:Nat, true) || Q]"),
        ("P(y = true, x = 0)", "P(0:Nat, true)"),
        ("Q()", "Q"),
        ("(a + b) . (c)", "[[a + b] . c]"),
        ("allow({a, b|a, d}, a)", "allow({a, a|b, d}, a)"),
        ("hide({a, b}, block({c}, a . tau . delta))", "hide({a|b}, block({c}, [a . tau . delta]))"),
        ("rename({a -> b, c -> a}, comm({c|a|b -> b}, a))", "rename({a->b, c->a}, comm({a|b|c->b}, a))"),
        ("allow({}, comm({}, a))", "allow({}, comm({}, a))"),
    ] {
        assert_eq!(init(&format!("{declared} init {process};")), wanted, "{process}");
    }
}

#[test]
fn the_parts_of_a_text_come_in_any_order() {
    let all = read(
        "% A comment; proc not a process
         init P(d1, 0);
         proc P(d: D, n: Nat) = sum e': D . (e' != d && n < N) -> a(e') . P(d = e', n = n + 1);
              Q(n: Nat) = P(n = n, d = d1) + P(d1, n);
         act a: D; b, c: D # Nat;
         eqn N = 3;
         var d, e: D; n: Nat;
         eqn next(d1) = d2;
             n > 1 && is_d3(d) -> f(d, n) = d;
         map N: Nat; next: D -> D; f: D # Nat -> D;
         sort D = struct d1 | d2 | d3(val: Nat)?is_d3;",
    );
    let shown: Vec<String> = all.processes.iter().map(|process| show_term(&all, &process.body)).collect();
    assert_eq!(
        shown,
        [
            "[sum e':D. [And(NotEqual(e', d), Less(n, N)) -> [a(e') . P(e', Plus(n, 1:Nat))]]]",
            "[P(d1, n) + P(d1, n)]"
        ]
    );
    let equations = all.data.equations.iter().map(|equation| {
        let condition =
            equation.condition.as_ref().map_or(String::new(), |c| show_expr(&all.data, c) + " -> ");
        format!(
            "{condition}{} = {}",
            show_expr(&all.data, &equation.left),
            show_expr(&all.data, &equation.right)
        )
    });
    let equations: Vec<String> = equations.collect();
    assert_eq!(equations, ["N = 3:Nat", "next(d1) = d2", "And(Greater(n, 1:Nat), is_d3(d)) -> f(d, n) = d"]);
    let vars: Vec<usize> = all.data.equations.iter().map(|equation| equation.vars.len()).collect();
    assert_eq!(vars, [0, 0, 2]);
}
