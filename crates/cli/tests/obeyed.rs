//! Each option of each command is obeyed or refused, in each form of the command. For every one there is a
//! line in the table with a command line on which it makes a difference; an option without a line fails the
//! test, and so does one that makes no difference.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::{Scratch, WORKER, pinscher};
use serde_json::Value;

/// A form of a command begins with `==`, the command, and a command line. Below it are its options: the name
/// of the field, what is added to the command line, what is added once more, and what that does:
///
/// - `changes`: the output, the file that is written, the messages or the exit code; times aside;
/// - `refused …`: with this in the message;
/// - `same …`: nothing but time and memory, for this reason.
const TABLE: &str = include_str!("obeyed.table");

/// A line of the table.
struct Line {
    form: String,
    option: String,
    before: String,
    given: String,
    effect: String,
}

/// Four rings of three places with one token each. A token moves on only while another ring's token is where
/// it has to be: ring, place before, place behind, and that other place. Neither the structure of the net nor
/// its equations show which places are never marked together; and nothing of it can be left out.
const RINGS: [(usize, usize, usize, &str); 13] = [
    (0, 0, 1, "p11"),
    (0, 1, 2, "p11"),
    (0, 2, 0, "p10"),
    (1, 0, 1, "p00"),
    (1, 1, 2, "p22"),
    (1, 2, 0, "p00"),
    (2, 0, 1, "p31"),
    (2, 1, 2, "p02"),
    (2, 2, 0, "p11"),
    // The way back touches the same places as the way there.
    (2, 1, 0, "p31"),
    (3, 0, 1, "p20"),
    (3, 1, 2, "p00"),
    (3, 2, 0, "p21"),
];

/// The net of [`RINGS`].
fn rings() -> String {
    let mut text = String::from(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='page'>\n",
    );
    for (ring, place) in (0..4).flat_map(|ring| (0..3).map(move |place| (ring, place))) {
        let tokens = u32::from(place == 0);
        let _ = writeln!(
            text,
            "<place id='p{ring}{place}'><initialMarking><text>{tokens}</text></initialMarking></place>"
        );
    }
    for (number, (ring, from, to, other)) in RINGS.into_iter().enumerate() {
        let _ = writeln!(text, "<transition id='t{number}'/>");
        let (from, to) = (format!("p{ring}{from}"), format!("p{ring}{to}"));
        for (at, place) in [&*from, other].into_iter().enumerate() {
            let _ = writeln!(text, "<arc id='in{number}.{at}' source='{place}' target='t{number}'/>");
        }
        for (at, place) in [&*to, other].into_iter().enumerate() {
            let _ = writeln!(text, "<arc id='out{number}.{at}' source='t{number}' target='{place}'/>");
        }
    }
    text + "</page></net></pnml>\n"
}

/// A formula about it that holds, which only a search shows.
const APART: &str = "<property-set><property><id>apart</id><formula><all-paths><globally><integer-le>\
    <tokens-count><place>p12</place><place>p00</place></tokens-count>\
    <integer-constant>1</integer-constant></integer-le></globally></all-paths></formula></property></property-set>";

/// The forms, each with its command, and the lines, each with the command line of its form.
fn table() -> (Vec<(String, String)>, Vec<Line>) {
    let (mut forms, mut lines) = (Vec::new(), Vec::new());
    for text in TABLE.lines().filter(|text| !text.trim().is_empty() && !text.starts_with('#')) {
        if let Some(form) = text.strip_prefix("== ") {
            let (command, form) = form.split_once(": ").expect("a command and a command line");
            forms.push((command.to_owned(), form.to_owned()));
            continue;
        }
        let parts: Vec<String> = text.split('|').map(|part| part.trim().to_owned()).collect();
        let [option, before, given, effect] = parts.try_into().expect("four parts");
        let form = forms.last().expect("lines belong to a form").1.clone();
        lines.push(Line { form, option, before, given, effect });
    }
    (forms, lines)
}

/// What is seen of a run, without what differs from one time to the next.
fn seen(files: &Scratch, words: &str) -> String {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let folder = files.path().to_str().unwrap();
    let words = words.replace("MODELS", models).replace("FILES", folder);
    let written = ["out.aut", "out.svg"].map(|name| files.path().join(name));
    for file in &written {
        let _ = std::fs::remove_file(file);
    }
    let run = pinscher(&words.split_whitespace().collect::<Vec<_>>());
    assert!(!run.err.contains("panicked"), "{words}: {}", run.err);
    let out = match serde_json::from_str::<Value>(&run.out) {
        Ok(mut report) => {
            forget_times(&mut report);
            report.to_string()
        }
        Err(_) => run.out.lines().filter(|line| !is_of_time(line)).collect::<Vec<_>>().join("\n"),
    };
    let err: Vec<&str> = run.err.lines().filter(|line| !is_of_time(line)).collect();
    let written = written.map(|file| std::fs::read_to_string(file).unwrap_or_default()).join("\n");
    format!("exit code {}\n{out}\n{}\n{written}", run.code, err.join("\n"))
}

fn is_of_time(line: &str) -> bool {
    line.starts_with("time ") || line.starts_with("memory ")
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(object) => {
            // Which means answers first is a matter of time, too.
            for key in ["seconds", "memory_bytes", "stored_bytes", "bytes", "by"] {
                object.remove(key);
            }
            object.values_mut().for_each(forget_times);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}

#[test]
fn each_option_has_a_line_in_each_form_of_its_command() {
    let (forms, lines) = table();
    for command in cli::command_line().get_subcommands() {
        let of_command: Vec<_> = forms.iter().filter(|(name, _)| name == command.get_name()).collect();
        assert!(!of_command.is_empty(), "no form of {}", command.get_name());
        for (_, form) in of_command {
            for option in command.get_arguments().map(|option| option.get_id().as_str()) {
                let is_its = |line: &&Line| line.form == *form && line.option == option;
                assert!(lines.iter().any(|line| is_its(&line)), "no line about {option} of `{form}`");
            }
        }
    }
}

#[test]
fn each_option_is_obeyed_or_refused() {
    let files = Scratch::new();
    files.file("worker.etf", WORKER);
    files.file("two.aut", "des (0, 2, 3)\n(0, \"a\", 1)\n(0, \"a\", 2)\n");
    files.file("never.inv", "x < 1");
    // A slot that never changes, a group that changes nothing, one that does the same as another, and one
    // that touches no other slots than another; a process that states a property; and a warning, for more
    // values than there are cells.
    files.file(
        "arranged.dve",
        "byte x, y, z, k = 3;\nbyte few[1] = {1, 2};\n\
         process P { state s; init s; trans\n\
         s -> s { guard x < 3; effect x = x + 1; },\n\
         s -> s { guard x < 3; effect x = x + 1; },\n\
         s -> s { guard x < 2 and y < 2; effect x = x + 1, y = y + 1; },\n\
         s -> s { guard y < k; effect y = y + 1; },\n\
         s -> s { guard z < x; effect z = z + 1; },\n\
         s -> s { guard x == 1; };\n}\n\
         property process Sees { state waits, sees; init waits; accept sees; trans\n\
         waits -> waits { guard x < 3; }, waits -> sees { guard x == 3; }, sees -> sees { };\n}\n\
         system async property Sees;\n",
    );
    files.file("rings.pnml", rings());
    files.file("rings.xml", APART);
    let net = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/readers.pnml"));
    files.file("model.pnml", net.unwrap());
    let witness = "check MODELS/account.dve --json"
        .replace("MODELS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../models"));
    let report = pinscher(&witness.split_whitespace().collect::<Vec<_>>()).exits(1).out;
    files.file("report.json", report);
    let mut wrong = Vec::new();
    for Line { form, option, before, given, effect } in &table().1 {
        let (kind, text) = effect.split_once(' ').unwrap_or((effect, ""));
        if given.is_empty() {
            assert!(kind == "same" && !text.is_empty(), "{option} of `{form}` is not tried");
            continue;
        }
        let without = seen(&files, &format!("{form} {before}"));
        let with = seen(&files, &format!("{form} {before} {given}"));
        let is_right = match kind {
            "changes" => with != without,
            "refused" => with.starts_with("exit code 2\n") && with.contains(text),
            "same" => with == without && !text.is_empty(),
            _ => panic!("`{effect}` is no effect"),
        };
        if !is_right {
            wrong.push(format!(
                "`{form} {before} {given}`: not {effect}\nwithout:\n{without}\nwith:\n{with}\n"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
