//! Random toys from a printed seed: `PINSCHER_SEED=7 cargo test -p layers` runs one of them again.

use std::ops::Range;

use base::SplitMix64;
use model::Value;

use crate::toy::{Array, Assign, Command, Expr, Test, Toy};

/// The numbers below `count` in some order.
pub fn order(random: &mut SplitMix64, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    random.shuffle(&mut order);
    order
}

/// Runs a check on many seeds, or on the one that is asked for; says which one fails.
pub fn for_seeds(count: u64, check: impl Fn(u64)) {
    let asked =
        std::env::var("PINSCHER_SEED").ok().map(|seed| seed.parse().expect("PINSCHER_SEED is a number"));
    for seed in asked.map_or(0..count, |seed: u64| seed..seed + 1) {
        println!("PINSCHER_SEED={seed}");
        check(seed);
    }
}

/// Values are below this.
const MODULUS: Value = 3;

/// A toy of three to seven slots that move, in a vector that is sometimes wider than a word of bits.
pub fn toy(seed: u64) -> Toy {
    let random = &mut SplitMix64::new(seed);
    let moving = 3 + random.below(5);
    let width = if random.below(4) == 0 { 66 + random.below(70) } else { moving };
    // The moving slots are spread over the vector.
    let offset = random.below(width - moving + 1);
    let slots = offset..offset + moving;
    let tests: Vec<Test> = (0..1 + random.below(6))
        .map(|_| Test {
            left: expr(random, &slots),
            less: random.below(2) == 0,
            right: random.below(MODULUS as usize) as Value,
            negated: random.below(3) == 0,
        })
        .collect();
    let rules = (0..1 + random.below(6))
        .map(|_| Command {
            guards: order(random, tests.len()).into_iter().take(random.below(4)).collect(),
            choices: (0..1 + random.below(3)).map(|_| choice(random, &slots)).collect(),
        })
        .collect();
    let labels = (0..random.below(3)).map(|_| expr(random, &slots)).collect();
    let initial = (0..width).map(|_| random.below(2) as Value).collect();
    Toy::new(initial, tests, rules, labels)
}

fn expr(random: &mut SplitMix64, slots: &Range<usize>) -> Expr {
    let at = slot(random, slots);
    match random.below(8) {
        0 | 1 => Expr::Const(random.below(MODULUS as usize) as Value),
        2 | 3 => Expr::Slot(at),
        4 | 5 => Expr::Add(at, 1 + random.below(2) as Value, MODULUS),
        6 => Expr::Next(at, MODULUS - 1),
        _ => Expr::Cell(array(random, slots), at),
    }
}

fn slot(random: &mut SplitMix64, slots: &Range<usize>) -> usize {
    slots.start + random.below(slots.len())
}

fn array(random: &mut SplitMix64, slots: &Range<usize>) -> Array {
    let base = slot(random, slots);
    Array { base, length: (2 + random.below(2)).min(slots.end - base) }
}

/// Dynamic writes are common: they are what copies.
fn choice(random: &mut SplitMix64, slots: &Range<usize>) -> (Value, Vec<Assign>) {
    let assigns = (0..random.below(4)).map(|_| match random.below(2) {
        0 => Assign::Slot(slot(random, slots), expr(random, slots)),
        _ => Assign::Cell(array(random, slots), slot(random, slots), expr(random, slots)),
    });
    let assigns = assigns.collect();
    (random.below(3) as Value, assigns)
}
