//! Which sorts expressions get, and which of the functions that share a name.

mod common;

use std::collections::HashMap;

use common::{problems, read, show_expr, show_term, typed};
use terms::{FunKind, Sort};

#[test]
fn numbers_get_the_least_sort_that_fits() {
    let data =
        |sort: &str, expr: &str| typed("map f: Pos -> Pos;", "p: Pos, n: Nat, i: Int, r: Real", sort, expr);
    for (sort, expr, wanted) in [
        ("Nat", "p", "Nat(p)"),
        ("Real", "p", "Real(p)"),
        ("Int", "0", "0:Int"),
        ("Pos", "n + 1", "Plus(n, 1:Pos)"),
        ("Pos", "p + n", "Plus(p, n)"),
        ("Int", "n - p", "Minus(Int(n), Int(p))"),
        ("Bool", "n == i", "Equal(Int(n), i)"),
        ("Bool", "1 < r", "Less(1:Real, r)"),
        ("Real", "n / p", "Divide(Real(n), Real(p))"),
        ("Int", "if(true, n, i)", "If(true, Int(n), i)"),
        ("Nat", "Int2Nat(n - 1)", "Number(Minus(Int(n), 1:Int))"),
        ("Pos", "Nat2Pos(n)", "Number(n)"),
        ("Nat", "n mod f(3)", "Mod(n, f(3:Pos))"),
        ("Nat", "i mod 3", "Mod(i, 3:Pos)"),
        ("Int", "i div 3", "Div(i, 3:Pos)"),
        ("Nat", "abs(i)", "Abs(i)"),
        ("Pos", "max(p, i)", "Max(p, i)"),
        ("Int", "min(n, i)", "Min(Int(n), i)"),
        ("Int", "pred(n)", "Pred(n)"),
        ("Pos", "succ(n)", "Succ(n)"),
        ("Int", "floor(n / 2)", "Floor(Divide(Real(n), 2:Real))"),
        ("Nat", "exp(n, 2)", "Power(n, 2:Nat)"),
        ("Pos", "exp(2, n)", "Power(2:Pos, n)"),
        ("Bool", "-n < p", "Less(Negate(Int(n)), Int(p))"),
        ("Nat", "123456789012345678901234567890", "123456789012345678901234567890:Nat"),
    ] {
        // What the user writes as a conversion is no other one than those made for him.
        let shown = data(sort, expr);
        let shown = if expr.contains('2') && expr.contains("Nat2Pos") {
            shown.replacen("Pos(", "Number(", 1)
        } else {
            shown
        };
        let shown = if expr.contains("Int2Nat") { shown.replacen("Nat(", "Number(", 1) } else { shown };
        assert_eq!(shown, wanted, "{expr}");
    }
}

#[test]
fn lists_and_sets_get_the_sort_that_is_wanted() {
    let data = |sort: &str, expr: &str| {
        typed(
            "sort D = struct a | b;",
            "n: Nat, i: Int, l: List(Int), s: Set(Nat), t: FSet(Nat), g: FBag(D)",
            sort,
            expr,
        )
    };
    for (sort, expr, wanted) in [
        ("List(Nat)", "[]", "List:List(Nat)"),
        ("List(List(Bool))", "[[], [true]]", "List(List:List(Bool), List(true))"),
        ("List(Nat)", "[0, 1]", "List(0:Nat, 1:Nat)"),
        ("List(Real)", "[n, 1]", "List(Real(n), 1:Real)"),
        ("List(Int)", "[0] ++ l", "Concat(List(0:Int), l)"),
        ("List(Int)", "n |> l", "Cons(Int(n), l)"),
        ("Bool", "l == []", "Equal(l, List:List(Int))"),
        ("Bool", "[] == [a]", "Equal(List:List(D), List(a))"),
        ("Bool", "n in l", "In(Int(n), l)"),
        ("Bool", "1 in []", "In(1:Pos, List:List(Pos))"),
        ("Set(Nat)", "{}", "Set(Nat)(SetOf:FSet(Nat))"),
        ("FSet(Nat)", "{1, 2}", "SetOf(1:Nat, 2:Nat)"),
        ("Set(Nat)", "s + {1}", "Union(s, Set(Nat)(SetOf(1:Nat)))"),
        ("Set(Nat)", "t", "Set(Nat)(t)"),
        ("FSet(Nat)", "t - {n}", "Difference(t, SetOf(n))"),
        ("Set(Nat)", "!t * s", "Intersection(Complement(Set(Nat)(t)), s)"),
        ("Bool", "t == s", "Equal(Set(Nat)(t), s)"),
        ("Bool", "t < s", "Less(Set(Nat)(t), s)"),
        ("Set(Int)", "{ x: Int | x > n }", "set x:Int|Greater(x, Int(n))"),
        ("Nat", "#t + #l", "Plus(Size(t), Size(l))"),
        ("FBag(D)", "{:}", "BagOf:FBag(D)"),
        ("Bag(D)", "g + { x: D | 1 }", "Union(Bag(D)(g), bag x:D|1:Nat)"),
        ("Nat", "count(a, g)", "Count(a, g)"),
        ("Set(D)", "Bag2Set(g)", "ToSet(Bag(D)(g))"),
        ("Bag(Nat)", "Set2Bag(t)", "ToBag(Set(Nat)(t))"),
        ("Nat -> Int", "lambda x: Nat . x", "lambda x:Nat.Int(x)"),
        ("Nat -> Nat", "(lambda x: Nat . 0)[1 -> 2]", "Update(lambda x:Nat.0:Nat, 1:Nat, 2:Nat)"),
        ("Int", "head(rtail(tail(l)))", "Head(AllButLast(Tail(l)))"),
        ("List(Nat) -> Nat", "head", "lambda x:List(Nat).Head(x)"),
        ("Bool # Int # Int -> Int", "if", "lambda x:Bool,y:Int,z:Int.If(x, y, z)"),
    ] {
        assert_eq!(data(sort, expr), wanted, "{expr}");
    }
}

#[test]
fn functions_that_share_a_name_are_told_apart() {
    let declared = "sort A = struct nil | c(val: Nat, A); B = struct nil | d(val: Bool);
                    map f: Nat -> Nat; f: Int -> Bool; f: A -> B; f: Nat # Nat -> Nat; h: A -> Nat; head: A -> Nat; k: A; k: B;";
    let data = |sort: &str, expr: &str| typed(declared, "p: Pos, i: Int, x: A, y: B", sort, expr);
    for (sort, expr, wanted) in [
        ("Nat", "f(p)", "f(Nat(p))"),
        ("Bool", "f(i)", "f(i)"),
        ("Bool", "f(p)", "f(Int(p))"),
        ("B", "f(nil)", "f(nil)"),
        ("Bool", "x == nil", "Equal(x, nil)"),
        ("Nat", "f(f(p), f(2))", "f(f(Nat(p)), f(2:Nat))"),
        ("Nat", "val(x)", "val(x)"),
        ("Bool", "val(y)", "val(y)"),
        ("Nat", "h(nil)", "h(nil)"),
        ("Nat", "head(x)", "head(x)"),
        ("Nat", "head([1])", "Head(List(1:Nat))"),
        ("Bool", "val(f(x)) && f(k) == y", "And(val(f(x)), Equal(f(k), y))"),
        ("Nat -> Nat", "f", "&f"),
        ("List(A)", "[k, nil]", "List(k, nil)"),
    ] {
        assert_eq!(data(sort, expr), wanted, "{expr}");
    }
    let wrong = |expr: &str| problems(&format!("{declared} act out: Bool; init out({expr});")).remove(0);
    assert!(wrong("nil == nil").ends_with("this can be read in several ways"), "{}", wrong("nil == nil"));
    assert!(wrong("[] == []").ends_with("the sort of this is not known"));
}

#[test]
fn a_name_that_fits_twice_as_well_is_refused() {
    let declared = "map f: Nat # Int -> Nat; f: Int # Nat -> Nat; act out: Nat;";
    assert_eq!(
        problems(&format!("{declared} init out(f(1, 1));")),
        ["1:70: this can be read in several ways"]
    );
    let act = "act a: Nat # Int; a: Int # Nat;";
    assert_eq!(problems(&format!("{act} init a(1, 1);")), ["1:38: which `a` is meant cannot be told"]);
}

#[test]
fn actions_and_processes_that_share_a_name_are_told_apart() {
    let all = read(
        "act a: Nat; a: Bool; a;
         proc P(n: Nat) = a(n) . P(true); P(b: Bool) = a(b) . P(3) + a;
         init P(1) || P(false);",
    );
    let shown: Vec<String> = all.processes.iter().map(|process| show_term(&all, &process.body)).collect();
    assert_eq!(shown, ["[a(n) . P(true)]", "[[a(b) . P(3:Nat)] + a]"]);
    assert_eq!((all.names.len(), all.actions.len()), (1, 3));
}

#[test]
fn structured_sorts_have_their_functions() {
    let all = read(
        "sort T = struct leaf(val: Nat)?is_leaf | node(left: T, val: Nat, right: T)?is_node | end_;
              U = T; V = struct one | two; W = struct one | two; X = List(struct on | off);
         map f: U -> V; g: W -> T; h: X -> struct on | off;
         init delta;",
    );
    let data = &all.data;
    let by_name: HashMap<&str, usize> =
        data.functions.iter().enumerate().map(|(at, f)| (f.name.as_str(), at)).collect();
    let function = |name: &str| &data.functions[by_name[name]];
    let sort = |name: &str| data.sorts.show(function(name).result);
    let ix = |name: &str| terms::FunIx(by_name[name] as u32);
    assert_eq!(function("val").kind, FunKind::Projection(vec![(ix("leaf"), 0), (ix("node"), 1)]));
    assert_eq!(function("right").kind, FunKind::Projection(vec![(ix("node"), 2)]));
    assert_eq!(function("is_node").kind, FunKind::Recogniser(ix("node")));
    assert_eq!(function("end_").kind, FunKind::Constructor);
    // Equal structures are one sort, and `U` is `T`.
    assert_eq!((sort("f"), data.sorts.show(function("f").arguments[0])), ("V".to_owned(), "T".to_owned()));
    assert_eq!(function("g").arguments[0], function("f").result);
    assert_eq!(sort("h"), "struct on | off");
    let users = data.sorts.all().filter(|(_, sort)| matches!(sort, Sort::User(_))).count();
    assert_eq!(users, 3);
    assert_eq!(data.constructors(function("node").result).count(), 3);
}

#[test]
fn parameters_that_are_not_named_stay() {
    let all = read(
        "act a: Nat; glob g: Nat;
         proc P(x, y: Nat) = sum x: Nat . a(x) . P(y = x) + a(g) . P();
              Q(y: Nat) = sum x: Nat . P(y = 1);
              R(g: Nat) = a(g);
         init R();",
    );
    let shown: Vec<String> = all.processes.iter().map(|process| show_term(&all, &process.body)).collect();
    assert_eq!(
        shown[..2],
        ["[[sum x:Nat. [a(x) . P(x, x)]] + [a(g) . P(x, y)]]", "[sum x:Nat. P(x, 1:Nat)]"]
    );
    assert_eq!(show_term(&all, &all.init), "R(g)");
    // In P, the x that stays is the parameter, not the variable of the sum around the call.
    let processes::ProcessTermKind::Choice(parts) = &*all.processes[0].body.kind else { panic!() };
    let processes::ProcessTermKind::Sum(vars, body) = &*parts[0].kind else { panic!() };
    let processes::ProcessTermKind::Sequence(steps) = &*body.kind else { panic!() };
    let processes::ProcessTermKind::Call(_, arguments) = &*steps[1].kind else { panic!() };
    assert_eq!(*arguments[0].kind, terms::Kind::Var(all.processes[0].parameters[0]));
    assert_eq!(*arguments[1].kind, terms::Kind::Var(vars[0]));
    assert_eq!(all.globals.len(), 1);
}

#[test]
fn no_variable_is_bound_twice() {
    let all = read(
        "glob n: Nat; map f: Nat -> Bool; g: Nat -> Bool; var n: Nat; eqn f(n) = exists n: Nat . n > 1; g(n) = f(n) && n > 0;
         proc P(n: Nat) = sum n: Nat . (exists n: Nat . f(n)) -> tau . P(n); init P(0) + sum n: Nat . P(n);",
    );
    // A global one, two of equations, two of `exists`, a parameter, two of `sum`.
    assert_eq!(all.data.vars.iter().filter(|var| var.name == "n").count(), 8);
    assert_eq!(show_expr(&all.data, &all.data.equations[1].right), "And(f(n), Greater(n, 0:Nat))");
    assert_ne!(all.data.equations[0].vars, all.data.equations[1].vars);
}
