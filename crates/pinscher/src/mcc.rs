//! `pinscher mcc`: an examination of the Model Checking Contest, in the contest's words.
//!
//! Each answer is printed as soon as it is known. What the contest says of time and memory is obeyed:
//! `BK_TIME_CONFINEMENT` is in seconds, `BK_MEMORY_CONFINEMENT` in megabytes.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Source;
use lang_pnml::{PnmlNet, Query};

use crate::examine::{Examination, Finding, Found, Means, Room, examine};
use crate::options::Mcc;
use crate::watch::Watch;
use crate::{Failure, memory, words};

/// Of the time of the contest this part is left unused, that the last words are heard.
const SPARE_PART: f64 = 0.02;

/// The examinations of the contest that are about logics that cannot be checked yet.
const LATER: [&str; 4] = ["CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"];

/// Examines and prints; the exit code tells whether all was answered.
pub(crate) fn run(options: &Mcc, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let started = Instant::now();
    if LATER.contains(&options.examination.as_str()) {
        crate::print(out, "DO_NOT_COMPETE\n")?;
        return Ok(3);
    }
    let examination = named(&options.examination)?;
    let room = match room(options, started) {
        Ok(room) => room,
        Err(failure) => return cannot_compute(failure, out),
    };
    let (mut asked, mut heard): (Vec<String>, HashSet<String>) = Default::default();
    let mut failed = None;
    let (folder, watch) = (options.folder.clone(), Watch::until(room.until, room.memory));
    let work = move |tell: &mut dyn FnMut(Told)| examined(&folder, examination, &room, tell);
    let why = watch.hearing(work, &mut |told| match told {
        Told::Asked(ids) => asked = ids,
        Told::Found(finding) => {
            let printed = crate::print(out, &line(examination, &finding));
            failed = failed.take().or(printed.err());
            heard.insert(finding.id);
        }
    });
    let why = match why.unwrap_or_else(|reason| Ok(Some(reason.name().to_owned()))) {
        Ok(why) => why,
        Err(failure) => {
            return if heard.is_empty() { cannot_compute(failure, out) } else { Err(failure) };
        }
    };
    if let Some(failure) = failed {
        return Err(failure);
    }
    let missing: Vec<&String> = asked.iter().filter(|id| !heard.contains(*id)).collect();
    if heard.is_empty() {
        crate::print(out, "CANNOT_COMPUTE\n")?;
    } else {
        for id in &missing {
            crate::print(out, &format!("FORMULA {id} CANNOT_COMPUTE\n"))?;
        }
    }
    let is_answered = !heard.is_empty() && missing.is_empty();
    if let Some(why) = why.filter(|_| !is_answered) {
        // A remark that cannot be written does not change the answers.
        let _ = errors.write_all(words::shown_lines(&format!("not all was found out: {why}\n")).as_bytes());
    }
    Ok(if is_answered { 0 } else { 3 })
}

/// Fails. The contest listens to this output alone, so it is told.
fn cannot_compute(failure: Failure, out: &mut dyn Write) -> Result<u8, Failure> {
    crate::print(out, "CANNOT_COMPUTE\n")?;
    Err(failure)
}

/// What is told while a net is examined.
enum Told {
    /// The names of the formulas that are asked.
    Asked(Vec<String>),
    /// An answer.
    Found(Finding),
}

/// Reads and examines; answers why not all was found out, where that is known.
fn examined(
    folder: &Path,
    examination: Examination,
    room: &Room,
    tell: &mut dyn FnMut(Told),
) -> Result<Option<String>, Failure> {
    let path = if folder.is_file() { folder.to_owned() } else { folder.join("model.pnml") };
    let net = read_net(&path)?;
    let queries = match examination.has_file() {
        true => read_queries(&path.with_file_name(format!("{}.xml", examination.name())), &net)?,
        false => Vec::new(),
    };
    tell(Told::Asked(queries.iter().map(|query| query.id.clone()).collect()));
    examine(&net, examination, &queries, room, &mut |finding| tell(Told::Found(finding)))
}

fn line(examination: Examination, finding: &Finding) -> String {
    let word = if examination == Examination::StateSpace { "STATE_SPACE" } else { "FORMULA" };
    let found = match &finding.found {
        Found::Truth(true) => "TRUE",
        Found::Truth(false) => "FALSE",
        Found::Number(number) => number,
    };
    format!("{word} {} {found} TECHNIQUES {}\n", finding.id, finding.by.techniques())
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
fn room(options: &Mcc, started: Instant) -> Result<Room, Failure> {
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
    let memory = memory.or_else(memory::default_limit);
    Ok(Room { until, memory, threads: options.threads as usize, runs: false, means: Means::ALL })
}

/// The net in a file.
fn read_net(path: &Path) -> Result<PnmlNet, Failure> {
    let source = Arc::new(read(path)?);
    lang_pnml::read(&source).map_err(|problems| Failure::text(&problems, &source))
}

/// The formulas in a file.
pub(crate) fn read_queries(path: &Path, net: &PnmlNet) -> Result<Vec<Query>, Failure> {
    let source = read(path)?;
    lang_pnml::queries(&source, net).map_err(|problems| Failure::text(&problems, &source))
}

fn read(path: &Path) -> Result<Source, Failure> {
    let shown = path.display();
    let help =
        "name a folder of the contest: with model.pnml, and a file for each examination that has formulas";
    let bytes = std::fs::read(path).map_err(|error| Failure::usage(format!("{shown}: {error}"), help))?;
    Source::from_bytes(shown.to_string(), bytes).map_err(|refused| {
        let (source, problem) = *refused;
        Failure::text(&[problem], &source)
    })
}
