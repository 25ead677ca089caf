//! Texts that are too deep, too long, cut off or changed at random: messages, never a crash.

mod common;

use std::time::{Duration, Instant};

use base::{Source, SplitMix64, render_all};
use common::problems;

const SMALL: [&str; 4] = [
    "sort D = struct d1 | d2(val: Nat)?is_d2; L = List(D);
     map f: D # L -> L; N: Pos; g: Nat -> Nat -> Bool;
     var d, e: D; l: L; n: Nat;
     eqn N = 3; f(d, []) = [d]; d == e -> f(d, e |> l) = l <| d; f(d2(n), l) = if(n > 1, l, [d1] ++ l);
         g = lambda x: Nat . lambda y: Nat . x + y < N;
     act r, s, c: D; tick;
     proc P(l: L, n: Nat) = sum d: D . (#l < N && !(d in l)) -> r(d) . P(l = d |> l) + (n > 0) -> tick . P(n = Int2Nat(n - 1)) <> s(head(l)) . P(tail(l), n);
     init hide({tick}, allow({c, tick}, comm({r|s -> c}, P([], 2) || P([d2(1)], 0))));",
    "act a: Set(Nat) # FBag(Bool); b: Real; glob x: Nat;
     proc X = a({ n: Nat | n < x }, {true: 1, false: 0}) . b(1 / 2) @ 3 . X + tau << delta;
     init block({b}, X ||_ rename({b -> b}, X) | X);",
    "sort E; cons e, s: E; map f: E -> E; k: Nat -> Nat; var x: E; eqn f(f(x)) = x whr y = x end;
     act a: Bool; init a(forall x: E . exists y: E . f(x) == y => x != s) . a(k[1 -> 2](3) == 4) . dist b: Bool [1/2] . a(b);",
    "map f: Nat -> Nat; f: Int -> Bool; f: Nat # Nat -> Nat; act a: Nat; a: Bool; init a(f(f(1), f(0))) + a(f(f(1))) + a(f(-1));",
];

/// Reads a text; whatever comes of it, messages can be shown, and it does not take long.
fn survive(text: &str) {
    let source = Source::new("test.mcrl2", text);
    let begun = Instant::now();
    if let Err(problems) = lang_mcrl2::read(&source) {
        assert!(!problems.is_empty());
        assert!(!render_all(&problems, &source, 10).is_empty());
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{text}");
}

fn seed() -> u64 {
    let seed = std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    println!("PINSCHER_SEED={seed}");
    seed
}

#[test]
fn the_small_texts_are_fine() {
    for text in SMALL {
        common::read(text);
    }
}

#[test]
fn texts_that_are_cut_off_are_refused() {
    for text in SMALL {
        for end in 0..text.len() {
            survive(&text[..end]);
        }
    }
}

#[test]
fn texts_that_are_changed_at_random_do_no_harm() {
    let mut random = SplitMix64::new(seed());
    let words: Vec<&str> =
        SMALL.iter().flat_map(|text| text.split_inclusive(|c: char| !c.is_alphanumeric())).collect();
    for round in 0..3000 {
        let text = SMALL[round % SMALL.len()];
        let mut words_of: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
        for _ in 0..=random.below(3) {
            let at = random.below(words_of.len());
            let other = words[random.below(words.len())];
            match random.below(4) {
                0 => drop(words_of.remove(at)),
                1 => words_of.insert(at, other),
                2 => words_of[at] = other,
                _ => {
                    let to = random.below(words_of.len());
                    words_of.swap(at, to);
                }
            }
        }
        survive(&words_of.concat());
    }
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    let deep = 1_000_000;
    for (before, open, middle, close, behind) in [
        ("act a: Nat; init a(", "(", "1", ")", ");"),
        ("act a: Nat; init a(", "-", "1", "", ");"),
        ("act a: Bool; init a(", "!", "true", "", ");"),
        ("act a: List(Nat); init a(", "1 |> ", "[]", "", ");"),
        ("act a: List(Nat); init a(", "[", "", "]", ");"),
        ("act a: Nat; init a(", "{", "", "}", ");"),
        ("act a: Bool; init a(", "true => ", "true", "", ");"),
        ("act a: Bool; init a(", "forall x: Nat . ", "true", "", ");"),
        ("act a: Nat; init a(", "succ(", "1", ")", ");"),
        ("map f: Nat; eqn f = ", "1 + (", "1", ")", "; init delta;"),
        ("map f: Nat; eqn f = 1", " + 1", "", "", "; init delta;"),
        ("map f: Nat; eqn f = f", "(1)", "", "", "; init delta;"),
        ("map f: Nat; eqn f = f", "[1 -> 2]", "", "", "; init delta;"),
        ("map f: Nat; eqn f = 1", " whr x = 1 end", "", "", "; init delta;"),
        ("map f: ", "List(", "Nat", ")", "; init delta;"),
        ("map f: ", "Nat -> ", "Nat", "", "; init delta;"),
        ("map f: ", "(", "Nat", ")", "; init delta;"),
        ("sort D = ", "struct c(", "Nat", ")", "; init delta;"),
        ("init ", "(", "delta", ")", ";"),
        ("init ", "true -> ", "delta", "", ";"),
        ("init ", "true -> delta <> ", "delta", "", ";"),
        ("init ", "true -> ", "delta", " <> delta", ";"),
        ("init ", "sum x: Nat . ", "delta", "", ";"),
        ("init ", "hide({}, ", "delta", ")", ";"),
        ("init ", "delta . (", "delta", ")", ";"),
        ("init ", "delta ||_ ", "delta", "", ";"),
        ("init delta", " << delta", "", "", ";"),
        ("init delta", " @ 1", "", "", ";"),
    ] {
        let text = format!("{before}{}{middle}{}{behind}", open.repeat(deep), close.repeat(deep));
        let told = problems(&text);
        assert!(told[0].contains("nested deeper"), "{open}: {}", told[0]);
    }
}

#[test]
fn what_is_just_not_too_deep_is_read() {
    for (before, open, middle, close, behind, times) in [
        ("act a: Nat; init a(", "(1 + ", "1", ")", ");", 390),
        ("act a: Nat; init a(", "succ(", "1", ")", ");", 390),
        ("act a: List(Nat); init a(", "1 |> ", "[]", "", ");", 390),
        ("map f: Nat -> Nat; act a: Nat; init a(", "f(f(1) + ", "1", ")", ");", 390),
        ("act a; init ", "a . (", "a", ")", ";", 190),
        ("act a; init ", "true -> a <> ", "a", "", ";", 390),
        ("act a; init ", "sum x: Nat . ", "a", "", ";", 390),
        ("map f: Nat; eqn f = 1", " + 1", "", "", "; init delta;", 998),
    ] {
        common::read(&format!("{before}{}{middle}{}{behind}", open.repeat(times), close.repeat(times)));
    }
}

#[test]
fn long_chains_are_read() {
    let long = 200_000;
    common::read(&format!("act a; init a{};", " + a".repeat(long)));
    common::read(&format!("act a; init a{};", " . a".repeat(long)));
    common::read(&format!("act a; init a{};", " || a".repeat(long)));
    common::read(&format!("act a: Bool; init a(true{});", " && true".repeat(long)));
    common::read(&format!("act a: Bool; init a(true{});", " || 1 < 2".repeat(long)));
    common::read(&format!("act a: List(Int); init a([0{}]);", ", 1".repeat(long)));
    common::read(&format!("act a: FBag(Int); init a({{0: 1{}}});", ", 1: 2".repeat(long)));
    common::read(&format!(
        "sort D = struct a{}; init delta;",
        (0..long).map(|n| format!(" | a{n}")).collect::<String>()
    ));
    common::read(&format!("act a{}; init a;", (0..long).map(|n| format!(", a{n}")).collect::<String>()));
    let equations: String = (0..20_000).map(|n| format!("f(m, {n}) = m; ")).collect();
    common::read(&format!("map f: Nat # Nat -> Nat; var m, n: Nat; eqn {equations} init delta;"));
}

#[test]
fn sorts_that_need_each_other_in_a_long_row_are_refused() {
    let row: String = (1..100_000).map(|n| format!("D{n} = D{}; ", n - 1)).rev().collect();
    assert!(problems(&format!("sort {row} D0 = Nat; init delta;"))[0].contains("longer row"));
    let row: String = (1..2000).map(|n| format!("D{n} = List(D{}); ", n - 1)).collect();
    assert!(problems(&format!("sort D0 = Nat; {row} init delta;"))[0].contains("nested deeper"));
    // Short to write, long when written out: all names are of one sort each.
    let row: String = (1..100).map(|n| format!("D{n} = D{0} # D{0} -> D{0}; ", n - 1)).collect();
    survive(&format!("sort D0 = Nat; {row} act a: D99; init a(true);"));
}

#[test]
fn overloading_piled_up_is_refused_in_time() {
    let sorts: String = (0..150).map(|n| format!("S{n}, ")).collect();
    let maps: String = (0..150).map(|n| format!("f: S{n} # S{n} -> S{n}; c: S{n}; ")).collect();
    let mut expr = "c".to_owned();
    for _ in 0..10 {
        expr = format!("f({expr}, {expr})");
    }
    let text = format!("sort {sorts} T; map {maps} act a: S1; init a({expr});");
    survive(&text);
    assert!(problems(&text)[0].contains("too many ways"));
}
