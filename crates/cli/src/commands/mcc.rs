//! `pinscher mcc`: an examination of the Model Checking Contest, in the contest's words.
//!
//! Each answer is printed as soon as it is known. What the contest says of time and memory is obeyed:
//! `BK_TIME_CONFINEMENT` is in seconds, `BK_MEMORY_CONFINEMENT` in megabytes.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Answer, Limits, StopReason, Technique, Verdict};
use examine::{Effort, Examination, Means, examine};
use lang_pnml::PnmlNet;
use machine::memory;
use planner::{Choice, Setup};
use report::words;

use super::check_net::queries;
use crate::input::read_text;
use crate::options::Mcc;
use crate::output::print;
use crate::watch::Watch;
use crate::{Failure, interrupt};

/// Of the time of the contest this part is left unused, that the last words are heard.
const SPARE_PART: f64 = 0.02;

/// The examinations of the contest that are about logics that cannot be checked yet.
const LATER: [&str; 4] = ["CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"];

/// Examines and prints; the exit code tells whether all was answered.
pub(crate) fn run(options: &Mcc, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let started = Instant::now();
    if LATER.contains(&options.examination.as_str()) {
        print(out, "DO_NOT_COMPETE\n")?;
        return Ok(3);
    }
    let examination = named(&options.examination)?;
    let effort = match effort(options, started) {
        Ok(effort) => effort,
        Err(failure) => return cannot_compute(failure, out),
    };
    let (mut asked, mut answered): (Vec<String>, HashSet<String>) = Default::default();
    let mut failed = None;
    let folder = options.folder.clone();
    let watch = Watch::until(effort.until, effort.setup.limits.memory);
    let work = move |send: &mut dyn FnMut(Message)| examined(&folder, examination, &effort, send);
    let why = watch.hearing(work, &mut |message| match message {
        Message::Asked(names) => asked = names,
        Message::Answered(answer) => {
            if let Some(line) = line(examination, &answer) {
                failed = failed.take().or(print(out, &line).err());
                answered.insert(answer.property.name);
            }
        }
    });
    let why = match why.unwrap_or_else(|reason| Ok(Some(reason))) {
        Ok(why) => why,
        Err(failure) => {
            return if answered.is_empty() { cannot_compute(failure, out) } else { Err(failure) };
        }
    };
    if let Some(failure) = failed {
        return Err(failure);
    }
    let missing: Vec<&String> = asked.iter().filter(|name| !answered.contains(*name)).collect();
    if answered.is_empty() {
        print(out, "CANNOT_COMPUTE\n")?;
    } else {
        for name in &missing {
            print(out, &format!("FORMULA {name} CANNOT_COMPUTE\n"))?;
        }
    }
    let is_answered = !answered.is_empty() && missing.is_empty();
    if let Some(why) = why.filter(|_| !is_answered) {
        let why = report::explain(&why, &Limits::default());
        // A remark that cannot be written does not change the answers.
        let _ = errors.write_all(words::shown_lines(&format!("not all was found out: {why}\n")).as_bytes());
    }
    Ok(if is_answered { 0 } else { 3 })
}

/// Fails. The contest listens to this output alone, so it is told.
fn cannot_compute(failure: Failure, out: &mut dyn Write) -> Result<u8, Failure> {
    print(out, "CANNOT_COMPUTE\n")?;
    Err(failure)
}

/// What the thread that examines a net sends.
enum Message {
    /// The names of the formulas that are asked.
    Asked(Vec<String>),
    /// An answer.
    Answered(Box<Answer>),
}

/// Reads and examines; answers why not all was found out, where that is known.
fn examined(
    folder: &Path,
    examination: Examination,
    effort: &Effort,
    send: &mut dyn FnMut(Message),
) -> Result<Option<StopReason>, Failure> {
    let path = if folder.is_file() { folder.to_owned() } else { folder.join("model.pnml") };
    let net = read_net(&path)?;
    let queries = match examination.has_file() {
        true => queries(&path.with_file_name(format!("{}.xml", examination.name())), &net)?,
        false => Vec::new(),
    };
    send(Message::Asked(queries.iter().map(|query| query.id.clone()).collect()));
    Ok(examine(&net, examination, &queries, effort, &mut |answer| send(Message::Answered(Box::new(answer))))?)
}

/// The line of an answer; none of one that is unknown.
fn line(examination: Examination, answer: &Answer) -> Option<String> {
    let word = if examination == Examination::StateSpace { "STATE_SPACE" } else { "FORMULA" };
    let found = match (&answer.verdict, &answer.value) {
        (Verdict::Unknown(_), _) => return None,
        (_, Some(number)) => number.to_string(),
        (Verdict::Holds, None) => "TRUE".to_owned(),
        (Verdict::Violated, None) => "FALSE".to_owned(),
    };
    let techniques = answer.technique.map(techniques).unwrap_or_default();
    Some(format!("{word} {} {found} TECHNIQUES {techniques}\n", answer.property.name))
}

/// The words of the contest for how an answer was found out.
fn techniques(technique: Technique) -> String {
    match technique {
        Technique::Structure => "TOPOLOGICAL".to_owned(),
        Technique::RandomWalk => "RANDOM_WALK".to_owned(),
        Technique::StateEquation => "STATE_EQUATION".to_owned(),
        Technique::Search { engine, is_reduced: false } => engine.contest.to_owned(),
        Technique::Search { engine, is_reduced: true } => format!("{} STRUCTURAL_REDUCTION", engine.contest),
    }
}

/// The examination with this name.
fn named(name: &str) -> Result<Examination, Failure> {
    Examination::ALL.into_iter().find(|examination| examination.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Examination::ALL.iter().map(|examination| examination.name()).collect();
        Failure::usage(
            format!("there is no examination {name}"),
            format!("the examinations are {}", names.join(", ")),
        )
    })
}

/// What the options say of time and memory, or else the contest.
fn effort(options: &Mcc, started: Instant) -> Result<Effort, Failure> {
    let contest = |name: &str| -> Result<Option<f64>, Failure> {
        let Some(text) = std::env::var_os(name).filter(|text| !text.is_empty()) else { return Ok(None) };
        let number = text.to_str().and_then(|text| text.trim().parse().ok());
        let number = number.filter(|number: &f64| number.is_finite() && *number > 0.0);
        let help = "write a number greater than zero, or leave it unset";
        let wrong = || format!("{name} is `{}`", words::shown(&text.to_string_lossy()));
        number.map(Some).ok_or_else(|| Failure::usage(wrong(), help))
    };
    let seconds = match options.time {
        Some(seconds) => Some(seconds),
        None => contest("BK_TIME_CONFINEMENT")?.map(|seconds| seconds * (1.0 - SPARE_PART)),
    };
    let until = seconds.map(|seconds| {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(u64::from(u32::MAX)));
        started + time
    });
    let memory = match options.memory {
        Some(bytes) => Some(bytes),
        None => contest("BK_MEMORY_CONFINEMENT")?.map(|megabytes| (megabytes * f64::from(1 << 20)) as u64),
    };
    let limits = Limits { memory: memory.or_else(memory::default_limit), ..Limits::default() };
    let threads = options.threads as usize;
    Ok(Effort {
        until,
        cancel: interrupt::token(),
        setup: Setup { choice: Choice::race(threads), limits, ..Setup::default() },
        threads,
        witnessed_on: None,
        means: Means::ALL,
        on_search: None,
    })
}

/// The net in a file.
fn read_net(path: &Path) -> Result<PnmlNet, Failure> {
    let help =
        "name a folder of the contest: with model.pnml, and a file for each examination that has formulas";
    let source = Arc::new(read_text(path, help)?);
    lang_pnml::read(&source).map_err(|problems| Failure::text(&problems, &source))
}
