//! The reading of an expression is the cheapest one: against a naive search through all sorts for all its
//! parts.

mod common;

use base::{Source, SplitMix64};
use processes::{ProcessSpec, ProcessTermKind};
use terms::{Expr, Kind, Op, SortIx};

/// A sort, as the naive search knows it: a plain one, in some lists.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ty {
    plain: usize,
    lists: usize,
}

const PLAIN: [&str; 7] = ["Pos", "Nat", "Int", "Real", "Bool", "A", "B"];
const NUMBERS: usize = 4;
const BOOL: Ty = Ty { plain: 4, lists: 0 };
const MOST_LISTS: usize = 4;

const DECLARED: &str = "sort A = struct nil | a(Nat); B = struct nil | b(Bool);
    map f: Nat -> Nat; f: Int -> Bool; f: A -> B; f: Nat # Int -> A; f: Int # Nat -> A; g: Pos -> Int; g: List(Int) -> Nat; g: B # Real -> Nat; h: List(Int) # Real -> A; h: List(Real) # Nat -> A;
    glob p: Pos; n: Nat; i: Int; r: Real; t: Bool; x: A; y: B; l: List(Nat); m: List(List(Int));";

/// A function of one sort, by its arguments and its result: numbers of plain sorts and how many lists are
/// around them.
type Declared = (&'static str, &'static [(usize, usize)], (usize, usize));

/// What the text declares, and some of what is built in.
const FUNCTIONS: [Declared; 26] = [
    ("f", &[(1, 0)], (1, 0)),
    ("f", &[(2, 0)], (4, 0)),
    ("f", &[(5, 0)], (6, 0)),
    ("f", &[(1, 0), (2, 0)], (5, 0)),
    ("f", &[(2, 0), (1, 0)], (5, 0)),
    ("g", &[(0, 0)], (2, 0)),
    ("g", &[(2, 1)], (1, 0)),
    ("g", &[(6, 0), (3, 0)], (1, 0)),
    ("h", &[(2, 1), (3, 0)], (5, 0)),
    ("h", &[(3, 1), (1, 0)], (5, 0)),
    ("a", &[(1, 0)], (5, 0)),
    ("b", &[(4, 0)], (6, 0)),
    ("+", &[(0, 0), (0, 0)], (0, 0)),
    ("+", &[(0, 0), (1, 0)], (0, 0)),
    ("+", &[(1, 0), (0, 0)], (0, 0)),
    ("+", &[(1, 0), (1, 0)], (1, 0)),
    ("+", &[(2, 0), (2, 0)], (2, 0)),
    ("+", &[(3, 0), (3, 0)], (3, 0)),
    ("*", &[(0, 0), (0, 0)], (0, 0)),
    ("*", &[(1, 0), (1, 0)], (1, 0)),
    ("*", &[(2, 0), (2, 0)], (2, 0)),
    ("*", &[(3, 0), (3, 0)], (3, 0)),
    ("succ", &[(0, 0)], (0, 0)),
    ("succ", &[(1, 0)], (0, 0)),
    ("succ", &[(2, 0)], (2, 0)),
    ("succ", &[(3, 0)], (3, 0)),
];

enum Tree {
    /// A name or a numeral, of these sorts.
    Leaf(&'static str, Vec<Ty>),
    /// A list of these.
    List(Vec<Tree>),
    Apply(&'static str, Vec<Tree>),
}

/// The least number of steps that make numbers wider, and in how many ways it can be reached. `None` if it
/// cannot have the sort.
type Cost = Option<(u32, u64)>;

fn better(one: Cost, other: Cost) -> Cost {
    match (one, other) {
        (Some((a, n)), Some((b, m))) if a == b => Some((a, n.saturating_add(m))),
        (Some((a, _)), Some((b, _))) => {
            if a < b {
                one
            } else {
                other
            }
        }
        (one, None) => one,
        (None, other) => other,
    }
}

fn together(one: Cost, other: Cost) -> Cost {
    let ((a, n), (b, m)) = (one?, other?);
    Some((a + b, n.saturating_mul(m)))
}

fn all_types() -> impl Iterator<Item = Ty> {
    (0..=MOST_LISTS).flat_map(|lists| (0..PLAIN.len()).map(move |plain| Ty { plain, lists }))
}

fn listed(ty: Ty) -> Ty {
    Ty { lists: ty.lists + 1, ..ty }
}

/// The cost of a tree as one of a sort, made wider at the end if need be.
fn wide(tree: &Tree, ty: Ty) -> Cost {
    let mut best = own(tree, ty);
    if ty.lists == 0 && ty.plain < NUMBERS {
        for narrower in 0..ty.plain {
            let steps = Some(((ty.plain - narrower) as u32, 1));
            best = better(best, together(own(tree, Ty { plain: narrower, lists: 0 }), steps));
        }
    }
    best
}

fn own(tree: &Tree, ty: Ty) -> Cost {
    match tree {
        Tree::Leaf(_, types) => types.contains(&ty).then_some((0, 1)),
        Tree::List(elements) if ty.lists > 0 => {
            let element = Ty { lists: ty.lists - 1, ..ty };
            elements.iter().try_fold((0, 1), |sum, tree| together(Some(sum), wide(tree, element)))
        }
        Tree::List(_) => None,
        Tree::Apply(name, arguments) => {
            let mut best = None;
            let mut try_with = |wanted: &[Ty], result: Ty| {
                if result == ty && wanted.len() == arguments.len() {
                    let costs = arguments.iter().zip(wanted).map(|(tree, &ty)| wide(tree, ty));
                    best = better(best, costs.fold(Some((0, 1)), together));
                }
            };
            for (known, wanted, (plain, lists)) in FUNCTIONS {
                if known == *name {
                    let wanted: Vec<Ty> = wanted.iter().map(|&(plain, lists)| Ty { plain, lists }).collect();
                    try_with(&wanted, Ty { plain, lists });
                }
            }
            for s in all_types() {
                match *name {
                    "==" => try_with(&[s, s], BOOL),
                    "if" => try_with(&[BOOL, s, s], s),
                    "|>" => try_with(&[s, listed(s)], listed(s)),
                    "head" => try_with(&[listed(s)], s),
                    _ => {}
                }
            }
            best
        }
    }
}

fn show(tree: &Tree) -> String {
    let all = |trees: &[Tree]| trees.iter().map(show).collect::<Vec<_>>().join(", ");
    match tree {
        Tree::Leaf(name, _) => (*name).to_owned(),
        Tree::List(elements) => format!("[{}]", all(elements)),
        Tree::Apply(name @ ("==" | "+" | "*" | "|>"), operands) => {
            format!("({} {name} {})", show(&operands[0]), show(&operands[1]))
        }
        Tree::Apply(name, arguments) => format!("{name}({})", all(arguments)),
    }
}

fn leaf(random: &mut impl FnMut(usize) -> usize) -> Tree {
    let ty = |plain, lists| Ty { plain, lists };
    let (name, types) = match random(12) {
        0 => ("0", vec![ty(1, 0)]),
        1 => ("7", vec![ty(0, 0)]),
        2 => ("p", vec![ty(0, 0)]),
        3 => ("n", vec![ty(1, 0)]),
        4 => ("i", vec![ty(2, 0)]),
        5 => ("r", vec![ty(3, 0)]),
        6 => ("t", vec![BOOL]),
        7 => ("x", vec![ty(5, 0)]),
        8 => ("y", vec![ty(6, 0)]),
        9 => ("nil", vec![ty(5, 0), ty(6, 0)]),
        10 => ("l", vec![ty(1, 1)]),
        _ => ("m", vec![ty(2, 2)]),
    };
    Tree::Leaf(name, types)
}

fn number(random: &mut impl FnMut(usize) -> usize) -> Tree {
    let (name, plain) = [("p", 0), ("n", 1), ("i", 2), ("7", 0), ("0", 1)][random(5)];
    Tree::Leaf(name, vec![Ty { plain, lists: 0 }])
}

fn grow(depth: usize, random: &mut impl FnMut(usize) -> usize) -> Tree {
    if depth == 0 {
        return leaf(random);
    }
    let (name, arity) = match random(16) {
        0 => return leaf(random),
        1 => {
            let elements = random(4);
            return Tree::List((0..elements).map(|_| grow(depth - 1, random)).collect());
        }
        2 | 3 => ("f", 1 + random(2)),
        4 | 5 => ("g", 1 + random(2)),
        6 => ("a", 1),
        7 => ("b", 1),
        8 => ("+", 2),
        9 => ("*", 2),
        10 => ("succ", 1),
        11 => ("==", 2),
        12 => ("if", 3),
        13 | 14 => {
            // A list of numbers and a number, most often: others do not fit.
            let list = (0..random(5)).map(|_| number(random)).collect();
            return Tree::Apply("h", vec![Tree::List(list), grow(depth - 1, random)]);
        }
        _ => {
            if random(2) == 0 {
                ("|>", 2)
            } else {
                ("head", 1)
            }
        }
    };
    Tree::Apply(name, (0..arity).map(|_| grow(depth - 1, random)).collect())
}

/// How many steps numbers are made wider in an expression.
fn steps(expr: &Expr) -> u32 {
    let all = |parts: &[Expr]| parts.iter().map(steps).sum::<u32>();
    match &*expr.kind {
        Kind::Number(value) => {
            let own = if *value == 0.into() { SortIx::NAT } else { SortIx::POS };
            expr.sort.0 - own.0
        }
        Kind::Op(Op::Number, parts) => expr.sort.0 - parts[0].sort.0 + all(parts),
        Kind::Op(_, parts) | Kind::Call(_, parts) => all(parts),
        Kind::Var(_) => 0,
        other => panic!("{other:?}"),
    }
}

fn read(text: &str) -> Result<ProcessSpec, String> {
    let source = Source::new("test.mcrl2", text);
    lang_mcrl2::read(&source).map(|(all, _)| all).map_err(|problems| problems[0].message.clone())
}

#[test]
fn the_cheapest_reading_is_taken() {
    let seed: u64 = std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("PINSCHER_SEED={seed}");
    let mut numbers = SplitMix64::new(seed);
    let mut random = |end: usize| numbers.below(end);
    let (mut fine, mut tied, mut refused) = (0, 0, 0);
    for _ in 0..8000 {
        let depth = 1 + random(3);
        let tree = grow(depth, &mut random);
        // Most trees fit no sort; of those that fit some, one is asked for.
        let fitting: Vec<Ty> = all_types().filter(|&ty| wide(&tree, ty).is_some()).collect();
        let ty = match fitting.is_empty() {
            true => Ty { plain: random(PLAIN.len()), lists: random(2) },
            false => fitting[random(fitting.len())],
        };
        let sort = format!("{}{}{}", "List(".repeat(ty.lists), PLAIN[ty.plain], ")".repeat(ty.lists));
        let text = format!("{DECLARED} act out: {sort}; init out({});", show(&tree));
        match (wide(&tree, ty), read(&text)) {
            (Some((cost, _)), Ok(all)) => {
                let ProcessTermKind::Action(_, arguments) = &*all.init.kind else { panic!("no action") };
                assert_eq!(
                    steps(&arguments[0]),
                    cost,
                    "{text}\n{}",
                    common::show_expr(&all.data, &arguments[0])
                );
                assert_eq!(all.data.sorts.show(arguments[0].sort), sort);
                fine += 1;
            }
            // Where parts can be of any sort, the naive search finds one way for each sort there is.
            (Some((_, ways)), Err(message)) => {
                let may = message.contains("several ways") || message.contains("is not known");
                assert!(may && ways > 1, "{text}\n{message}, of {ways} ways");
                tied += 1;
            }
            (None, Ok(_)) => panic!("accepted: {text}"),
            (None, Err(_)) => refused += 1,
        }
    }
    println!("{fine} fine, {tied} with several readings, {refused} refused");
    assert!(
        fine > 1000 && tied > 10 && refused > 1000,
        "{fine} fine, {tied} with several readings, {refused} refused"
    );
}
