//! `pinscher-lab compare`: Spin and Pinscher on the same models in Promela, side by side: how many states and
//! transitions there are, whether an assertion is violated, whether there is an end state that is not valid.
//! A difference is a defect of one of the two.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cli::output::print;
use cli::{Failure, interrupt};
use engine::{Engine, Report, StopReason};
use pinscher::{Error, LoadOptions, by_extension};
use planner::{Choice, Plan, Purpose, Questions, Setup};
use report::words;

use crate::bench::Limits;
use crate::files::find_files;
use crate::options::Compare;
use crate::spin::findings::{Findings, Known};
use crate::spin::verifier::{BuildOptions, Refused, Verifier, installed};
use crate::spin::{PROMELA, is_promela};
use crate::{refusal, search};

/// Mebibytes for Spin's verifier, unless others are asked for.
const MEBIBYTES: u64 = 2000;

/// How the models compare.
#[derive(Default)]
struct Tally {
    same: usize,
    different: usize,
    open: usize,
    excepted: usize,
}

/// What one of the two makes of a model.
enum Side {
    Searched(Findings),
    /// It is no model, and why.
    Refused(String),
    /// Only C tells what it means.
    Code,
    /// There was no time.
    Late(String),
}

/// Compares all models; 1 where something differs, 3 where something is not known.
pub(crate) fn run(options: &Compare, out: &mut dyn Write) -> Result<u8, Failure> {
    let models = models(options)?;
    let version = installed().map_err(|missing| Failure::usage("Spin is not installed", missing))?;
    let engine = search::engine(&options.way)?;
    if !options.quiet {
        print(out, &format!("{}\n", words::shown(&version)))?;
    }
    let mut tally = Tally::default();
    for path in &models {
        if interrupt::token().is_cancelled() {
            tally.open += 1;
            continue;
        }
        let pinschers = by_pinscher(path, options, &engine)?;
        let spins = match pinschers {
            Side::Code => Side::Code,
            _ => by_spin(path, options)?,
        };
        let text = compared(path, &spins, &pinschers, options.quiet, &mut tally);
        print(out, &words::shown_lines(&text))?;
    }
    let Tally { same, different, open, excepted } = tally;
    let code = if excepted > 0 { format!(", {excepted} excepted: C code") } else { String::new() };
    print(out, &format!("{same} models the same, {different} differ, {open} not known{code}\n"))?;
    Ok(match (different, open) {
        (0, 0) => 0,
        (0, _) => 3,
        _ => 1,
    })
}

/// The files, in the order in which they are named.
fn models(options: &Compare) -> Result<Vec<PathBuf>, Failure> {
    let mut models = Vec::new();
    for given in &options.files {
        if given.is_dir() {
            find_files(given, &is_promela, &mut models)?;
        } else if given.is_file() {
            models.push(given.clone());
        } else {
            let help = "name models in Promela, or folders to look for some in";
            return Err(Failure::usage(format!("there is no file {}", given.display()), help));
        }
    }
    let other = |path: &&PathBuf| language(path).is_some_and(|language| language != PROMELA);
    if let Some(path) = models.iter().find(other) {
        let message = format!("{} is not in Promela, which is all that Spin reads", path.display());
        return Err(Failure::usage(message, "name models in Promela"));
    }
    match models.is_empty() {
        true => Err(Failure::usage("there are no models in Promela", "name other files or folders")),
        false => Ok(models),
    }
}

/// The language that a file's name tells.
fn language(path: &Path) -> Option<&'static str> {
    let extension = path.extension().and_then(|extension| extension.to_str())?;
    by_extension(extension).map(|language| language.name)
}

fn by_spin(path: &Path, options: &Compare) -> Result<Side, Failure> {
    let limits = Limits {
        time: Duration::from_secs_f64(options.time),
        memory: Some(options.memory.unwrap_or(MEBIBYTES << 20)),
    };
    let build = BuildOptions { defines: &options.define, is_fast: false };
    match Verifier::build(path, &build, &limits) {
        Ok(verifier) => Ok(match verifier.findings(&limits)? {
            Ok(findings) => Side::Searched(findings),
            Err(said) => Side::Late(said),
        }),
        Err(Refused::File(said)) => Ok(Side::Refused(said)),
        Err(Refused::Late) => Ok(Side::Late("Spin or the C compiler took too long".into())),
        Err(Refused::Interrupted) => Ok(Side::Late("interrupted".into())),
        Err(Refused::Failed(failure)) => Err(failure),
    }
}

fn by_pinscher(path: &Path, options: &Compare, engine: &Arc<dyn Engine>) -> Result<Side, Failure> {
    let reading = LoadOptions {
        language: Some(PROMELA.to_owned()),
        with_property: false,
        model: language::LoadOptions { defines: options.define.clone(), ..language::LoadOptions::default() },
        ..LoadOptions::default()
    };
    let loaded = match pinscher::load(path, &reading) {
        Ok(loaded) => loaded,
        Err(error) if refusal::is_for_c(&error) => return Ok(Side::Code),
        Err(error @ Error::Text { .. }) => return Ok(Side::Refused(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    let questions = Questions { errors: false, ..Questions::everything() };
    let asked = questions.ask(Arc::clone(&loaded.model))?;
    let (choice, purpose, eval) = (Choice::One(Arc::clone(engine)), Purpose::Numbers, options.eval.into());
    let mut setup = Setup { choice, find_all: true, purpose, eval, ..Setup::default() };
    setup.limits.time = Some(Duration::from_secs_f64(options.time));
    setup.limits.memory = options.memory.or(setup.limits.memory);
    let report = search::run(&Plan::new(asked, &setup)?, &setup, None)?;
    Ok(Side::Searched(findings(&report)))
}

/// The findings of Pinscher, in Spin's terms.
fn findings(report: &Report) -> Findings {
    let statistics = &report.statistics;
    let is_whole = report.stopped.is_none();
    Findings {
        states: Some(statistics.states.to_string()).filter(|_| is_whole),
        transitions: statistics.transitions.as_ref().map(ToString::to_string).filter(|_| is_whole),
        assertion: Known::of_assertions(report),
        end_state: Known::of_end_states(report),
        fails: match &report.stopped {
            Some(StopReason::EvaluationError) => Known::Yes,
            None => Known::No,
            Some(_) => Known::Unknown,
        },
        why: report.stopped.as_ref().map(|reason| reason.name().to_owned()),
    }
}

/// How a model compares: a line that says it, and a line for each of the two.
fn compared(path: &Path, spins: &Side, pinschers: &Side, quiet: bool, tally: &mut Tally) -> String {
    let name = path.display();
    let (word, about) = match (spins, pinschers) {
        (_, Side::Code) | (Side::Code, _) => ("excepted", "C code".to_owned()),
        (Side::Late(why), _) | (_, Side::Late(why)) => ("unknown", why.clone()),
        (Side::Refused(_), Side::Refused(_)) => ("same", "both refuse it".to_owned()),
        (Side::Refused(said), Side::Searched(_)) => ("DIFFERS", format!("Spin alone refuses it\n{said}")),
        (Side::Searched(_), Side::Refused(said)) => ("DIFFERS", format!("Pinscher alone refuses it\n{said}")),
        (Side::Searched(spins), Side::Searched(pinschers)) => match spins.differences(pinschers) {
            differences if !differences.is_empty() => ("DIFFERS", differences.join(", ")),
            _ if spins.is_known() && pinschers.is_known() => ("same", String::new()),
            _ => ("unknown", String::new()),
        },
    };
    match word {
        "same" => tally.same += 1,
        "DIFFERS" => tally.different += 1,
        "unknown" => tally.open += 1,
        _ => tally.excepted += 1,
    }
    if quiet && matches!(word, "same" | "excepted") {
        return String::new();
    }
    let about = about.trim_end();
    let mut text = format!("{word} {name}{}{about}\n", if about.is_empty() { "" } else { ": " });
    if let (Side::Searched(spins), Side::Searched(pinschers)) = (spins, pinschers) {
        for (who, findings) in [("Spin", spins), ("Pinscher", pinschers)] {
            let _ = writeln!(text, "  {who:<9} {findings}");
        }
    }
    text
}
