//! Any text ends in a tree or in messages inside the text. `PINSCHER_SEED` repeats a run.

use std::sync::Arc;

use base::{Source, SplitMix64, render_all};
use lang_promela::{Options, load, parse};
use language::LoadOptions;

/// A text with most constructs, so that a change of a word makes most mistakes.
const MODEL: &str = r#"#define N 3
#define max(a, b) (a > b -> a : b)
#define glue(a, b) a##b
#if N > 2 && defined(max)
mtype = { ping, pong };
#else
#error "N"
#endif
typedef Pair { byte left; short right[N] }
chan link[2] = [N] of { mtype, byte, Pair };
unsigned few : 3 = 1; hidden int count; Pair pairs[2];
inline send(c, m) {
  int twice;
  twice = m * 2
  c!m, twice, pairs[0]
}
inline best(x) { return max(x, 1) }
active [N - 1] proctype Peer(byte me; chan out, in_) priority 2 provided (count < 10 || nfull(link[0])) {
  byte i; Pair p;
  xr in_; xs out;
start:
  do
  :: in_?ping(i, p) -> atomic { send(out, pong); count++ }
  :: in_??<eval(me), 'x', -1> -> d_step { i = p.right[i] << 1 | ~i; }
  :: in_?[pong, i] && len(out) > 0 -> select (i : 1 .. 3)
  :: timeout -> goto glue(sta, rt)
  :: else -> break
  od
  for (i : 0 .. N) { printf("%d\n", i) }
  for (i in p.right) { skip; assert(i != 7) } unless { out!!ping, 1, p; i = best(i) }
  if :: run Peer(1, out, in_) > 0 :: Peer[1]@start :: Peer:i == 1 :: enabled(_pid) fi
}
never claim { T0: if :: !np_ -> goto T0 :: (count == 1) -> goto accept_all fi; accept_all: skip }
ltl safe { [] (count <= 10 -> <> (count == 0)) }
trace { do :: link[0]?_ od }
init { atomic { run Peer(1, link[0], link[1]) } }
"#;

const PIECES: [&str; 48] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    "->",
    "::",
    ":",
    ",",
    ".",
    "..",
    "!",
    "!!",
    "?",
    "??",
    "<",
    ">",
    "=",
    "==",
    "-",
    "--",
    "#",
    "##",
    "\\",
    "\n",
    "\\\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "if",
    "fi",
    "do",
    "od",
    "inline",
    "#define x(",
    "#if",
    "#endif",
    "#include",
    "unless",
    "else",
    "é",
    "\0",
    "$",
    "c_code {",
];

fn read(text: &str) -> bool {
    let source = Source::new("garbage.pml", text);
    match parse(&source, &Options::default()) {
        Ok(_) => true,
        Err(problems) => {
            assert!(!problems.is_empty() && problems.len() <= 30, "{} messages", problems.len());
            for span in problems.iter().filter_map(|problem| problem.span) {
                assert!(span.start <= span.end && span.end as usize <= text.len() + 1, "{span:?}");
            }
            assert!(!render_all(&problems, &source, 20).is_empty());
            false
        }
    }
}

#[test]
fn the_text_itself_is_fine() {
    assert!(read(MODEL));
}

#[test]
fn every_start_and_every_end_of_a_text_is_read() {
    for at in 0..=MODEL.len() {
        read(&MODEL[..at]);
        read(&MODEL[at..]);
    }
}

#[test]
fn changed_texts_are_read() {
    let seed =
        std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_116u64);
    println!("PINSCHER_SEED={seed}");
    let mut random = SplitMix64::new(seed);
    let mut fine = 0;
    for _ in 0..20_000 {
        let mut text = MODEL.to_owned();
        for _ in 0..=random.below(4) {
            let mut place = || {
                let mut at = random.below(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let (one, other) = (place(), place());
            let (from, to) = (one.min(other), one.max(other));
            match random.below(5) {
                0 => text.insert_str(from, PIECES[random.below(PIECES.len())]),
                1 => {
                    // A few characters become one piece.
                    let end = (from..=text.len()).filter(|&at| text.is_char_boundary(at)).take(8).last();
                    text.replace_range(from..end.unwrap_or(from), PIECES[random.below(PIECES.len())]);
                }
                2 => {
                    let cut = text[from..to].to_owned();
                    text.insert_str(from, &cut);
                }
                3 => drop(text.drain(from..to)),
                _ => {
                    let words: Vec<&str> = MODEL.split_whitespace().collect();
                    text.insert_str(from, words[random.below(words.len())]);
                }
            }
        }
        fine += usize::from(read(&text));
    }
    // Some changes are harmless, most are not.
    assert!((100..10_000).contains(&fine), "{fine}");
}

/// Taken apart the last type would have 2^40 fields, and nobody lives to see them.
#[test]
fn types_that_hold_each_other_twice_are_refused_in_time() {
    let double = |n: u32| format!("typedef T{} {{ T{n} a; T{n} b }};\n", n + 1);
    let types: String = (0..40).map(double).collect();
    for used in ["T40 t;", "chan q = [1] of { T40 };", "proctype P(T40 t) { skip }"] {
        let text = format!("typedef T0 {{ byte a }};\n{types}{used}\ninit {{ skip }}");
        let source = Arc::new(Source::new("garbage.pml", text));
        let problems = load(source, &LoadOptions::default()).err().expect("2^40 cells");
        let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(messages, ["type `T21` has too many cells"], "{used}");
    }
    let many = "typedef T { byte a[1024] }; T t[1025]; init { skip }";
    let problems = load(Arc::new(Source::new("garbage.pml", many)), &LoadOptions::default()).err();
    assert_eq!(problems.expect("too many")[0].message, "`t` has too many cells");
}
