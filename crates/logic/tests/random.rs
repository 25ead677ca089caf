//! Random expressions against a naive evaluator, and noise that must not panic.

use base::{Source, SplitMix64};
use logic::Predicate;
use model::{Signature, SlotRole, Type, Value};

enum Tree {
    Number(i64),
    Slot(usize),
    Cell(Box<Tree>),
    Unary(&'static str, Box<Tree>),
    Binary(Box<Tree>, &'static str, Box<Tree>),
}

const UNARY: &[&str] = &["-", "!", "~"];
const BINARY: &[&str] = &[
    "+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "&&", "||", "->",
    "<->",
];

fn tree(random: &mut SplitMix64, depth: usize) -> Tree {
    match random.below(if depth == 0 { 2 } else { 9 }) {
        0 => Tree::Number(random.below(9) as i64),
        1 => Tree::Slot(random.below(3)),
        2 => Tree::Cell(Box::new(tree(random, depth - 1))),
        3 => Tree::Unary(UNARY[random.below(UNARY.len())], Box::new(tree(random, depth - 1))),
        _ => {
            let left = Box::new(tree(random, depth - 1));
            let sign = BINARY[random.below(BINARY.len())];
            Tree::Binary(left, sign, Box::new(tree(random, depth - 1)))
        }
    }
}

/// How tightly a tree's root binds, as C has it.
fn level(tree: &Tree) -> u8 {
    match tree {
        Tree::Binary(_, sign, _) => match *sign {
            "<->" => 1,
            "->" => 2,
            "||" => 3,
            "&&" => 4,
            "|" => 5,
            "^" => 6,
            "&" => 7,
            "==" | "!=" => 8,
            "<" | "<=" | ">" | ">=" => 9,
            "<<" | ">>" => 10,
            "+" | "-" => 11,
            _ => 12,
        },
        Tree::Unary(..) => 13,
        _ => 14,
    }
}

/// The text of a tree, with no more parentheses than its meaning needs, but around every `!`.
fn show(tree: &Tree) -> String {
    let inside =
        |tree: &Tree, least: u8| if level(tree) < least { format!("({})", show(tree)) } else { show(tree) };
    match tree {
        Tree::Number(number) => number.to_string(),
        Tree::Slot(slot) => ["x", "y", "z"][*slot].to_owned(),
        Tree::Cell(index) => format!("a[{}]", show(index)),
        Tree::Unary("!", operand) => format!("(!{})", inside(operand, 13)),
        Tree::Unary(sign, operand) => format!("{sign} {}", inside(operand, 13)),
        Tree::Binary(left, sign, right) => {
            let own = level(tree);
            let (l, r) = match *sign {
                "->" => (own + 1, own),
                // Chains of comparisons are refused.
                _ if own == 8 || own == 9 => (own + 1, own + 1),
                _ => (own, own + 1),
            };
            format!("{} {sign} {}", inside(left, l), inside(right, r))
        }
    }
}

/// The value of a tree, or nothing where it has none; in 128 bits, so that overflow is seen.
fn value(tree: &Tree, state: &[Value]) -> Option<i64> {
    let narrow = |wide: i128| i64::try_from(wide).ok();
    match tree {
        Tree::Number(number) => Some(*number),
        Tree::Slot(slot) => Some(i64::from(state[*slot].cast_signed())),
        Tree::Cell(index) => {
            let index = usize::try_from(value(index, state)?).ok().filter(|&index| index < 3)?;
            Some(i64::from(state[3 + index].cast_signed()))
        }
        Tree::Unary(sign, operand) => {
            let operand = value(operand, state)?;
            match *sign {
                "-" => narrow(-i128::from(operand)),
                "!" => Some(i64::from(operand == 0)),
                _ => Some(!operand),
            }
        }
        Tree::Binary(left, sign, right) => {
            let l = value(left, state)?;
            match (*sign, l != 0) {
                ("&&", false) => return Some(0),
                ("||", true) | ("->", false) => return Some(1),
                _ => {}
            }
            let r = value(right, state)?;
            let (wl, wr) = (i128::from(l), i128::from(r));
            let shift = || u32::try_from(r).ok().filter(|&bits| bits < 64);
            match *sign {
                "+" => narrow(wl + wr),
                "-" => narrow(wl - wr),
                "*" => narrow(wl * wr),
                "/" => (r != 0).then(|| wl / wr).and_then(narrow),
                "%" => (r != 0).then(|| wl % wr).and_then(narrow),
                "<<" => shift().map(|bits| ((wl as u128) << bits) as i64),
                ">>" => shift().map(|bits| l >> bits),
                "&" => Some(l & r),
                "|" => Some(l | r),
                "^" => Some(l ^ r),
                "<" => Some(i64::from(l < r)),
                "<=" => Some(i64::from(l <= r)),
                ">" => Some(i64::from(l > r)),
                ">=" => Some(i64::from(l >= r)),
                "==" => Some(i64::from(l == r)),
                "!=" => Some(i64::from(l != r)),
                "<->" => Some(i64::from((l != 0) == (r != 0))),
                _ => Some(i64::from(r != 0)),
            }
        }
    }
}

/// Whether some part of the tree looks at no slot and has no value.
fn has_constant_without_value(tree: &Tree) -> bool {
    let without_value = is_constant(tree) && value(tree, &[]).is_none();
    without_value
        || match tree {
            Tree::Number(_) | Tree::Slot(_) => false,
            Tree::Cell(index) => has_constant_without_value(index),
            Tree::Unary(_, operand) => has_constant_without_value(operand),
            Tree::Binary(left, _, right) => {
                has_constant_without_value(left) || has_constant_without_value(right)
            }
        }
}

fn is_constant(tree: &Tree) -> bool {
    match tree {
        Tree::Number(_) => true,
        Tree::Slot(_) | Tree::Cell(_) => false,
        Tree::Unary(_, operand) => is_constant(operand),
        Tree::Binary(left, _, right) => is_constant(left) && is_constant(right),
    }
}

fn signature() -> Signature {
    let names = ["x", "y", "z", "a[0]", "a[1]", "a[2]"];
    let types = vec![Type::range("int", i32::MIN, i32::MAX)];
    toys::signature(types, names.map(|name| (name, 0, SlotRole::Variable)))
}

#[test]
fn random_expressions_have_the_value_of_a_naive_evaluator() {
    let mut random = SplitMix64::new(toys::seed_or(1));
    let signature = signature();
    let (mut with_value, mut without) = (0, 0);
    for _ in 0..20_000 {
        let tree = tree(&mut random, 5);
        let text = show(&tree);
        let predicate = match Predicate::parse(&Source::new("random", &*text), &signature) {
            Ok(predicate) => predicate,
            // Constants are looked at when the text is read.
            Err(problems) if problems.iter().all(|p| p.message.contains("outside `a`")) => continue,
            Err(_) if has_constant_without_value(&tree) => continue,
            Err(problems) => panic!("{text}\n{problems:?}"),
        };
        for _ in 0..3 {
            let state: Vec<Value> = (0..6).map(|_| (random.below(7) as u32).wrapping_sub(2)).collect();
            let wanted = value(&tree, &state);
            assert_eq!(predicate.number(&state).ok(), wanted, "{text} in {state:?}");
            *if wanted.is_some() { &mut with_value } else { &mut without } += 1;
        }
    }
    assert!(
        with_value > 10_000 && without > 1_000,
        "{with_value} with a value, {without} without: too one-sided"
    );
}

#[test]
fn noise_never_panics() {
    const PIECES: &[&str] = &[
        "x",
        "y",
        "a",
        "a[",
        "]",
        "(",
        ")",
        "!",
        "-",
        "->",
        "<->",
        "==",
        "=",
        "<",
        "&&",
        "and",
        "not",
        "0",
        "1",
        ".",
        "\"",
        "`",
        "\\[",
        "\\",
        "99999999999999999999",
        "é",
        "\u{0}",
        "~",
        "/",
        "%",
        "true",
        " ",
        "\n",
        "P",
        ",",
        "a(1)",
        "//",
        "0x1",
        "9223372036854775808",
        "#",
    ];
    let mut random = SplitMix64::new(toys::seed_or(1));
    let signature = signature();
    let mut taken = 0;
    for _ in 0..30_000 {
        let text: String = (0..random.below(12)).map(|_| PIECES[random.below(PIECES.len())]).collect();
        let source = Source::new("noise", text);
        match Predicate::parse(&source, &signature) {
            Ok(predicate) => {
                taken += 1;
                // Errors are fine, panics are not.
                drop(predicate.number(&[0, 1, 2, 3, 4, 5]));
            }
            Err(problems) => assert!(!base::render_all(&problems, &source, 9).is_empty()),
        }
    }
    assert!(taken > 100, "only {taken} texts were predicates: the noise tests too little");
}
