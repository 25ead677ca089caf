//! What is wrong with a text is told, all of it, in its place; no text makes the reader fail.

use std::path::Path;

use base::{Severity, Source, SplitMix64};

const GOOD: &str = "\
% Two that meet.
sort Bool Nat
func T,F:->Bool
     0:->Nat
     S:Nat->Nat
map  eq:Nat#Nat->Bool
     and:Bool#Bool->Bool
var  n,m:Nat
     b:Bool
rew  eq(n,n)=T
     eq(0,S(n))=F
     eq(S(n),0)=F
     eq(S(n),S(m))=eq(n,m)
     and(T,b)=b
     and(F,b)=F
act  s,r,c:Nat
     stop
comm s|r=c
proc X(n:Nat)=s(n).X(S(n))<|eq(n,n)|>stop.delta
     Y=sum(n:Nat,r(n).Y)+tau
init hide({c},encap({s,r},X(0)||Y))
";

/// Each message with its line and column, in the order of the text.
fn messages(text: &str) -> Vec<String> {
    let source = Source::new("test.mcrl", text);
    let problems = match lang_mucrl::read(&source) {
        Ok((_, warnings)) => warnings,
        Err(problems) => {
            assert!(problems.iter().any(|problem| problem.severity == Severity::Error));
            problems
        }
    };
    let mut all: Vec<(u32, String)> = problems
        .iter()
        .map(|problem| match problem.span {
            Some(span) => {
                let at = source.position(span);
                (span.start, format!("{}:{} {}", at.line, at.column, problem.message))
            }
            None => (0, problem.message.clone()),
        })
        .collect();
    all.sort();
    all.into_iter().map(|(_, message)| message).collect()
}

#[test]
fn a_good_text_has_no_message() {
    assert_eq!(messages(GOOD), [] as [&str; 0]);
}

#[test]
fn one_change_gives_one_message() {
    let mut wrong = Vec::new();
    for (from, to, wanted) in [
        ("sort Bool Nat", "sort Bool Nat Nat", "2:15 the sort `Nat` is declared twice"),
        ("T,F:->Bool", "T,F,U:->Bool", "3:10 `U` would be a value of sort Bool beside T and F"),
        ("0:->Nat", "0,0:->Nat", "4:8 the function `0` is declared twice for these arguments"),
        ("S:Nat->Nat", "S:Nat->Nut", "5:13 there is no sort `Nut`"),
        ("var  n,m:Nat", "var  n,n,m:Nat", "8:8 the variable `n` is there twice"),
        ("eq(0,S(n))=F", "eq(0,b)=F", "11:6 no function `eq` takes (Nat, Bool)"),
        ("eq(0,S(n))=F", "eq(0,S(n))=0", "11:6 the left side is of sort Bool, the right side of sort Nat"),
        ("eq(0,S(n))=F", "eq(0,S(n))=eq(m,m)", "11:20 the variable `m` is not on the left side"),
        ("eq(0,S(n))=F", "n=0", "11:6 an equation for a variable would be one for everything"),
        ("eq(0,S(n))=F", "T=F", "11:6 T and F are values: there are no equations for them"),
        ("eq(0,S(n))=F", "eq(0,k)=F", "11:11 there is no function or variable `k`"),
        ("eq(0,S(n))=F", "equ(0,n)=F", "11:6 there is no function `equ`"),
        ("eq(0,S(n))=F", "eq(0,S)=F", "11:11 the function `S` takes arguments"),
        ("     stop\n", "     stop stop\n", "17:11 the action `stop` is declared twice for these arguments"),
        ("comm s|r=c", "comm s|r=stop", "18:10 there is no action `stop` with arguments (Nat)"),
        ("comm s|r=c", "comm s|r=c r|s=s", "18:12 `r` and `s` communicate to two different actions"),
        ("comm s|r=c", "comm s|q=c", "18:8 there is no action `q`"),
        ("comm s|r=c", "comm s|r=c s|stop=c", "18:12 `s` and `stop` have no arguments in common"),
        ("X(n:Nat)=", "X(n:Nat,n:Nat)=", "19:14 the parameter `n` is there twice"),
        ("Y=sum", "X(k:Nat)=delta Y=sum", "20:6 the process `X` is declared twice for these parameters"),
        ("Y=sum", "stop=delta Y=sum", "20:6 `stop` is an action with these arguments, too"),
        ("s(n).X(S(n))", "s(n).X", "19:20 `X` takes other arguments than no arguments"),
        ("s(n).X(S(n))", "s(n,n).X(n)", "19:15 `s` takes other arguments than (Nat, Nat)"),
        ("s(n).X(S(n))", "s(n).Z", "19:20 there is no action or process `Z`"),
        ("<|eq(n,n)|>", "<|n|>", "19:29 a condition is of sort Bool"),
        ("hide({c}", "hide({d}", "21:12 there is no action `d`"),
        ("hide({c}", "rename({c->stop}", "21:17 there is no action `stop` with arguments (Nat)"),
        ("hide({c}", "rename({c->s,c->r}", "21:19 `c` is renamed twice"),
        ("init ", "init delta init ", "21:12 there is more than one init"),
        ("X(0)||Y", "X(0)||Y|Y", "21:34 `||`, `|` and `||_` bind equally strong"),
        ("X(0)||Y", "X(0)@0||Y", "21:27 time, `@`, is not analysed yet"),
        ("func T,F", "func F", "the sort Bool has no value `T`"),
        ("Y=sum(n:Nat", "Y=sum(n", "20:13 expected `:`, found `,`"),
        ("X(0)||Y))", "X(0)||Y)", "22:1 expected `)`, found the end of the text"),
        (
            "X(0)||Y))",
            "X(0)||Y)))",
            "21:36 expected a section: sort, func, map, var, rew, act, comm, proc or init, found `)`",
        ),
        ("% Two", "/* Two", "1:1 this comment has no end"),
        ("init", "in!t", "21:3 `!` means nothing here"),
    ] {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        let found = messages(&text);
        // Where a word is missing, what stands behind it may be told, too.
        let follows = wanted.contains("expected") || ["in!t", "func F", "/* Two"].contains(&to);
        if !found.contains(&wanted.to_owned()) || (found.len() != 1 && !follows) {
            wrong.push(format!("{from} → {to}: {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let text = GOOD
        .replace("0:->Nat", "0:->Not")
        .replace("Y=sum(n:Nat,r(n).Y)", "Y=sum(n:Nit,q.Y)+p")
        .replace("act  s", "act  5:Bool#Net s");
    let found = messages(&text);
    for wanted in [
        "4:10 there is no sort `Not`",
        "there is no sort `Net`",
        "there is no sort `Nit`",
        "no action or process `p`",
    ] {
        assert!(found.iter().any(|message| message.contains(wanted)), "{wanted}: {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
    // A section that is wrong does not hide the next one.
    let found = messages("sort func T:->Bool act : proc X(=a init (");
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(messages(""), ["there is no init"]);
}

#[test]
fn terms_may_be_deep_but_not_too_deep() {
    let number = |depth: usize| format!("{}0{}", "S(".repeat(depth), ")".repeat(depth));
    let text = |depth: usize| GOOD.replace("X(0)", &format!("X({})", number(depth)));
    assert_eq!(messages(&text(900)), [] as [&str; 0]);
    for depth in [1_100, 1_000_000] {
        assert_eq!(messages(&text(depth)), ["21:2022 terms are nested deeper than 1000 levels"]);
    }
    for (open, close) in [("(", ")"), ("sum(x:Nat,", ")"), ("delta<|T|>", ""), ("hide({},", ")")] {
        let text = |depth: usize| {
            GOOD.replace("X(0)", &format!("{}X(0){}", open.repeat(depth), close.repeat(depth)))
        };
        assert_eq!(messages(&text(900)), [] as [&str; 0], "{open}");
        let found = messages(&text(1_000_000));
        assert!(found.len() == 1 && found[0].contains("nested deeper"), "{found:?}");
    }
    // A long chain is not deep.
    for sign in ["+", ".", "||"] {
        let chain = format!("X(0){}", format!("{sign}tau").repeat(100_000));
        assert_eq!(messages(&GOOD.replace("X(0)", &chain)), [] as [&str; 0]);
    }
}

/// Texts with words taken out, put twice, or put elsewhere: an answer or messages inside the text, never a
/// panic.
#[test]
fn texts_that_were_changed_anyhow_are_read_or_refused() {
    let seed =
        std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_116u64);
    println!("PINSCHER_SEED={seed}");
    let mut random = SplitMix64::new(seed);
    let mut below = move |bound: usize| random.below(bound);
    let signs = [
        "(", ")", "{", "}", ",", ".", "+", "|", "||", "||_", "<|", "|>", "->", "=", "#", ":", "@", "é",
        "sort", "init",
    ];
    let mut good = 0;
    for round in 0..5_000 {
        let mut text: Vec<String> =
            GOOD.split_inclusive(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
        for _ in 0..1 + below(3) {
            let (at, other) = (below(text.len()), below(text.len()));
            match below(4) {
                0 => _ = text.remove(at),
                1 => text.insert(at, signs[below(signs.len())].to_owned()),
                2 => text.swap(at, other),
                _ => text[at] = text[other].clone(),
            }
        }
        let text = text.concat();
        let source = Source::new("test.mcrl", text.as_str());
        match lang_mucrl::read(&source) {
            Ok((spec, _)) => {
                good += 1;
                assert!(!spec.names.is_empty() || round > 0);
            }
            Err(problems) => {
                assert!(!problems.is_empty(), "PINSCHER_SEED={seed}, round {round}: {text}");
                for span in problems.iter().filter_map(|problem| problem.span) {
                    let inside = span.start <= span.end && span.end as usize <= text.len();
                    assert!(inside, "PINSCHER_SEED={seed}, round {round}: {text}");
                }
            }
        }
    }
    assert!((25..4_900).contains(&good), "{good} were good");
}

/// Files of others, where these are at hand: all have the grammar of µCRL, and those that are whole are
/// understood.
#[test]
fn published_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/mucrl");
    if !folder.is_dir() {
        return;
    }
    let (mut folders, mut whole, mut parts) = (vec![folder], 0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "mcrl") {
                continue;
            }
            let source =
                Source::from_bytes(path.display().to_string(), std::fs::read(&path).unwrap()).unwrap();
            let tree = lang_mucrl::parse(&source)
                .unwrap_or_else(|problems| panic!("{}", base::render_all(&problems, &source, 9)));
            if tree.inits.is_empty() {
                parts += 1;
                continue;
            }
            whole += 1;
            if let Err(problems) = lang_mucrl::read(&source) {
                panic!("{}", base::render_all(&problems, &source, 9));
            }
        }
    }
    assert!(whole > 10 && parts == 4, "{whole} whole, {parts} parts");
}
