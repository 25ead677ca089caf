//! Nets from outside: examinations in the contest's words, formulas for people, pictures, and nets without
//! end.

mod common;

use std::fmt::Write as _;

use common::{Run, Scratch, pinscher, pinscher_with};

const READERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/readers.pnml");
const READERS_FORMULAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/readers.xml");
const TRAINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/trains.pnml");

/// A folder of the contest with this net in it.
fn folder(net: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.file("model.pnml", std::fs::read(net).unwrap());
    scratch
}

fn mcc(folder: &Scratch, examination: &str) -> Run {
    pinscher(&["mcc", folder.path().to_str().unwrap(), examination, "--time", "60"])
}

/// The lines without who found out.
fn answers(run: &Run) -> Vec<String> {
    let mut lines: Vec<String> =
        run.out.lines().map(|line| line.split(" TECHNIQUES ").next().unwrap().to_owned()).collect();
    lines.sort_unstable();
    lines
}

/// A net of places with tokens, and transitions with what they take and give.
fn net(places: &[(&str, &str)], transitions: &[(&str, &[&str], &[&str])]) -> String {
    let mut text = String::from(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='page'>\n",
    );
    for (place, tokens) in places {
        let _ = writeln!(
            text,
            "<place id='{place}'><initialMarking><text>{tokens}</text></initialMarking></place>"
        );
    }
    let mut arcs = 0;
    for (transition, takes, gives) in transitions {
        let _ = writeln!(text, "<transition id='{transition}'/>");
        let before = takes.iter().map(|place| (*place, *transition));
        for (source, target) in before.chain(gives.iter().map(|place| (*transition, *place))) {
            arcs += 1;
            let _ = writeln!(text, "<arc id='arc{arcs}' source='{source}' target='{target}'/>");
        }
    }
    text + "</page></net></pnml>\n"
}

/// Units that promise a safe net, one for each place.
fn promising(net: &str, places: &[&str]) -> String {
    let names: Vec<String> = places.iter().map(|place| format!("u-{place}")).collect();
    let units = places
        .iter()
        .zip(&names)
        .map(|(place, name)| format!("<unit id='{name}'><places>{place}</places><subunits/></unit>"));
    let (count, names, units) = (places.len() + 1, names.join(" "), units.collect::<String>());
    let section = format!(
        "<toolspecific tool='nupn' version='1.1'><structure units='{count}' root='u' safe='true'>\
         <unit id='u'><places/><subunits>{names}</subunits></unit>{units}</structure></toolspecific></net>"
    );
    net.replace("</net>", &section)
}

#[test]
fn a_promise_of_safety_that_is_not_kept_deceives_nobody() {
    for tokens in ["1", "2"] {
        let text = net(&[("p", tokens), ("q", "0")], &[("t", &["p"], &["q", "q"])]);
        let scratch = Scratch::new();
        let file = scratch.file("model.pnml", promising(&text, &["p", "q"]));
        assert_eq!(answers(&mcc(&scratch, "OneSafe").exits(0)), ["FORMULA OneSafe FALSE"]);
        for engine in ["explicit", "symbolic"] {
            let run = pinscher(&["count", &file, "--engine", engine, "--json"]).exits(0).json();
            assert_eq!(run["states"], (tokens.parse::<u32>().unwrap() + 1).to_string(), "{engine}");
        }
        let space = answers(&mcc(&scratch, "StateSpace").exits(0));
        assert!(
            space.contains(&format!("STATE_SPACE MAX_TOKEN_IN_PLACE {}", 2 * tokens.parse::<u32>().unwrap()))
        );
    }
}

#[test]
fn examinations_of_a_net_as_a_whole() {
    let readers = folder(READERS);
    let space = mcc(&readers, "StateSpace").exits(0);
    assert_eq!(
        answers(&space),
        [
            "STATE_SPACE MAX_TOKEN_IN_PLACE 4",
            "STATE_SPACE MAX_TOKEN_PER_MARKING 9",
            "STATE_SPACE STATES 5",
            "STATE_SPACE TRANSITIONS 8"
        ]
    );
    let trains = folder(TRAINS);
    for (examination, of_readers, of_trains) in [
        ("ReachabilityDeadlock", "FALSE", "FALSE"),
        ("QuasiLiveness", "TRUE", "TRUE"),
        ("Liveness", "TRUE", "TRUE"),
        // Two trains are on the track all the time, wherever they are.
        ("StableMarking", "FALSE", "TRUE"),
        ("OneSafe", "FALSE", "FALSE"),
    ] {
        for (folder, expected) in [(&readers, of_readers), (&trains, of_trains)] {
            let run = mcc(folder, examination).exits(0);
            assert_eq!(answers(&run), [format!("FORMULA {examination} {expected}")], "{}", run.err);
        }
    }
}

#[test]
fn a_deadlock_ends_liveness() {
    let scratch = Scratch::new();
    scratch.file(
        "model.pnml",
        net(&[("p", "3"), ("q", "0")], &[("t", &["p"], &["q"]), ("never", &["q", "p", "p", "p"], &[])]),
    );
    for (examination, expected) in [
        ("ReachabilityDeadlock", "TRUE"),
        ("Liveness", "FALSE"),
        ("QuasiLiveness", "FALSE"),
        ("StableMarking", "FALSE"),
    ] {
        let run = mcc(&scratch, examination).exits(0);
        assert_eq!(answers(&run), [format!("FORMULA {examination} {expected}")], "{}", run.err);
    }
}

#[test]
fn formulas_of_a_file_are_all_answered() {
    let readers = folder(READERS);
    readers.file("ReachabilityCardinality.xml", std::fs::read(READERS_FORMULAS).unwrap());
    let run = mcc(&readers, "ReachabilityCardinality").exits(0);
    assert_eq!(
        answers(&run),
        [
            "FORMULA how-many-are-busy 3",
            "FORMULA nobody-reads-what-is-being-written TRUE",
            "FORMULA two-may-write FALSE"
        ]
    );
    let run = pinscher(&["check", READERS, "--property", READERS_FORMULAS]).exits(1);
    assert!(run.out.contains("violated  two-may-write: no such marking can be reached"), "{}", run.out);
    assert!(run.out.contains("how-many-are-busy: at most 3"), "{}", run.out);
}

#[test]
fn what_can_be_reached_is_shown() {
    let scratch = Scratch::new();
    let text = net(
        &[("start", "1"), ("middle", "0"), ("end", "0")],
        &[("go", &["start"], &["middle"]), ("arrive", &["middle"], &["end"])],
    );
    let model = scratch.file("way.pnml", text);
    let formulas = scratch.file(
        "way.xml",
        "<property-set><property><id>arrives</id><formula><exists-path><finally><integer-le>\
         <integer-constant>1</integer-constant><tokens-count><place>end</place></tokens-count>\
         </integer-le></finally></exists-path></formula></property></property-set>",
    );
    let json = pinscher(&["check", &model, "--property", &formulas, "--json"]).exits(0).json();
    let property = &json["properties"][0];
    assert_eq!((&json["verdict"], &property["verdict"]), (&"holds".into(), &"holds".into()));
    let actions: Vec<&str> = property["witness"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["go", "arrive"]);
    let text = pinscher(&["check", &model, "--property", &formulas]).exits(0).out;
    assert!(text.contains("arrives: it is reached after 2 steps"), "{text}");
}

#[test]
fn an_unbounded_net_is_said_to_be_one() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "model.pnml",
        net(&[("p", "1"), ("q", "0")], &[("make", &["p"], &["p", "q"]), ("use", &["q"], &[])]),
    );
    let run = pinscher(&["count", &model]).exits(3);
    assert!(run.out.starts_with("unknown: unbounded: the net is unbounded"), "{}", run.out);
    assert!(run.out.contains("q gets more tokens each time"), "{}", run.out);
    let run = mcc(&scratch, "StateSpace").exits(3);
    assert_eq!(run.out, "CANNOT_COMPUTE\n");
    assert!(run.err.contains("unbounded"), "{}", run.err);
    // What is violated is found all the same.
    let run = pinscher(&["check", &model, "--invariant", "q < 5", "--quiet"]).exits(1);
    assert!(run.out.contains("after 5 steps"), "{}", run.out);
}

/// A ring of many places with one token: nothing may be kept for each pair of place and transition, and
/// nothing be done for each.
#[test]
fn a_large_ring_takes_no_square_of_anything() {
    const COUNT: usize = 20_000;
    let places: Vec<String> = (0..COUNT).map(|at| format!("p{at}")).collect();
    let names: Vec<String> = (0..COUNT).map(|at| format!("t{at}")).collect();
    let arcs: Vec<[&str; 2]> =
        (0..COUNT).map(|at| [&places[at][..], &places[(at + 1) % COUNT][..]]).collect();
    let marked: Vec<(&str, &str)> =
        places.iter().enumerate().map(|(at, place)| (&place[..], if at == 0 { "1" } else { "0" })).collect();
    let transitions: Vec<(&str, &[&str], &[&str])> =
        names.iter().zip(&arcs).map(|(name, arc)| (&name[..], &arc[..1], &arc[1..])).collect();
    let scratch = Scratch::new();
    let model = scratch.file("model.pnml", net(&marked, &transitions));
    let limits = ["--time", "60", "--memory", "1G", "--quiet"];
    let run = pinscher(&[&["count", &model, "--engine", "symbolic"], &limits[..]].concat()).exits(0);
    assert!(run.out.starts_with("states       20000\ntransitions  20000\n"), "{}", run.out);
    assert_eq!(
        answers(&mcc(&scratch, "ReachabilityDeadlock").exits(0)),
        ["FORMULA ReachabilityDeadlock FALSE"]
    );
    assert_eq!(answers(&mcc(&scratch, "Liveness").exits(0)), ["FORMULA Liveness TRUE"]);
}

#[test]
fn confinements_of_the_contest_are_numbers_or_nothing() {
    let readers = folder(READERS);
    let run = |name: &str, value: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pinscher"));
        let output = command.arg("mcc").arg(readers.path()).arg("OneSafe").env(name, value).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for name in ["BK_TIME_CONFINEMENT", "BK_MEMORY_CONFINEMENT"] {
        for value in ["", "3600", " 1e3 "] {
            let (code, out, err) = run(name, value);
            assert!(code == Some(0) && out.starts_with("FORMULA OneSafe"), "{name}={value}: {out}{err}");
        }
        for value in ["0", "-1", "an hour", "nan", "1e999"] {
            let (code, out, err) = run(name, value);
            assert_eq!((code, &out[..]), (Some(2), "CANNOT_COMPUTE\n"), "{name}={value}: {err}");
            assert!(err.contains(&format!("{name} is `{value}`")), "{err}");
        }
    }
}

#[test]
fn what_cannot_be_examined_is_said() {
    let readers = folder(READERS);
    assert_eq!(mcc(&readers, "LTLCardinality").exits(3).out, "DO_NOT_COMPETE\n");
    let run = mcc(&readers, "Beauty").exits(2);
    assert!(run.err.contains("no examination Beauty") && run.err.contains("StateSpace"), "{}", run.err);
    let run = mcc(&readers, "UpperBounds").exits(2);
    assert!(run.err.contains("UpperBounds.xml"), "{}", run.err);
    assert_eq!(run.out, "CANNOT_COMPUTE\n");
    let run = pinscher(&["mcc", "/no/such/folder", "StateSpace"]).exits(2);
    assert!(run.err.contains("model.pnml"), "{}", run.err);
}

#[test]
fn a_net_is_drawn() {
    let scratch = Scratch::new();
    let picture = scratch.path().join("net.svg");
    pinscher(&["show", READERS, "--svg", picture.to_str().unwrap()]).exits(0);
    let svg = std::fs::read_to_string(&picture).unwrap();
    let count = |what: &str| svg.matches(what).count();
    assert_eq!((count("class=\"place\""), count("class=\"transition\""), count("class=\"arc\"")), (5, 4, 12));
    // Three tickets, four readers and two writers.
    assert_eq!(count("class=\"token\""), 9);
    let many: Vec<String> = (0..700).map(|number| format!("p{number}")).collect();
    let places: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "1")).collect();
    let large = scratch.file("large.pnml", net(&places, &[]));
    let run = pinscher(&["show", &large, "--svg", picture.to_str().unwrap()]).exits(2);
    assert!(run.err.contains("too many for a picture"), "{}", run.err);
}

/// What a place cannot hold is a limit of the tool, and no violation: not in a search, not in a formula.
#[test]
fn more_tokens_than_can_be_counted_are_unknown() {
    let scratch = Scratch::new();
    let text = net(&[("a", "3"), ("p", "2147483646")], &[("t", &["a"], &["p"])]);
    let model = scratch.file("over.pnml", text);
    let told = "place `p` would hold 2147483648 tokens, and at most 2147483647 can be counted";
    for engine in ["explicit", "symbolic"] {
        let arguments = ["check", &model, "--engine", engine, "--invariant", "a > 0", "--json"];
        let run = pinscher(&arguments).exits(3).json();
        assert_eq!((&run["verdict"], &run["reason"]), (&"unknown".into(), &"limit".into()), "{run}");
        let properties = run["properties"].as_array().unwrap();
        assert!(properties.iter().all(|property| property["reason"] == "limit"), "{run}");
        let run = pinscher(&["count", &model, "--engine", engine]).exits(3);
        assert!(run.out.contains(told), "{}", run.out);
        // What is violated on the way there is violated.
        let run = pinscher(&["check", &model, "--engine", engine, "--invariant", "a > 2"]).exits(1);
        assert!(run.out.contains("violated"), "{}", run.out);
    }
    let run = pinscher_with(&["simulate", &model], "1\nq\n").exits(0);
    assert!(run.out.contains(told) && run.out.contains("a limit of pinscher"), "{}", run.out);
}
