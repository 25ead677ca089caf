//! `pinscher lts`: writes the transition system that a search went through.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use engine::{BigUint, Verdict};
use lts::Recorder;
use model::{LabelKind, Signature};
use pinscher::{Exploration, Loaded, Settings, without_room};
use report::{Outcome, words};

use crate::advice::hint;
use crate::input::open_within;
use crate::options::Lts;
use crate::output::{exit_code, print};
use crate::progress::Teller;
use crate::watch::Watch;
use crate::{Failure, aut_file};

/// The formats, by the names of files.
enum Format {
    Aut,
    Etf,
}

/// Explores, writes the file, answers the exit code.
pub(crate) fn run(options: &Lts, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let (path, quiet) = (&options.output, options.search.quiet);
    let format = match path.extension().and_then(|extension| extension.to_str()) {
        Some("etf") => Format::Etf,
        _ if aut_file::is_aut(path) => Format::Aut,
        _ => {
            let what = format!("writing {}", path.display());
            return Err(Failure::not_yet(what, "name a file that ends in .aut or .etf, the formats so far"));
        }
    };
    let mut settings = options.search.settings();
    check_observed(&settings)?;
    let watch = Watch::new(settings.limits.time, settings.limits.memory);
    let loaded = open_within(&watch, &options.input, quiet, errors)?;
    settings.limits.time = watch.left();
    match format {
        Format::Aut => write_aut(&loaded, &settings, options, out, errors),
        Format::Etf => write_etf(&loaded, &settings, options, out, errors),
    }
}

/// Refuses, before any work, an engine that does not see every transition.
pub(crate) fn check_observed(settings: &Settings) -> Result<(), Failure> {
    let choice = settings.choice()?;
    planner::Setup { choice, ..planner::Setup::default() }.observed()?;
    Ok(())
}

/// Explores while an observer writes down what it sees, with progress.
pub(crate) fn explore(
    exploration: &Exploration,
    observer: &mut dyn model::Observer,
    teller: &Teller,
) -> Result<Outcome, Failure> {
    let outcome = exploration.run(observer);
    teller.done();
    Ok(Outcome { hint, ..outcome? })
}

fn write_aut(
    loaded: &Loaded,
    settings: &Settings,
    options: &Lts,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let teller = Teller::unless(options.search.quiet);
    let exploration = Exploration::new(loaded, &teller.hearing(settings.clone()))?;
    let mut recorder = Recorder::new(exploration.model(), exploration.share());
    let outcome = explore(&exploration, &mut recorder, &teller)?;
    // What it takes to put the transitions in order may be more than there is room for, too.
    let recorded = recorder.finish().ok();
    let outcome = if recorded.is_some() { outcome } else { without_room(outcome) };
    let path = &options.output;
    let Some(written) = recorded.filter(|_| !matches!(outcome.verdict(), Verdict::Unknown(_))) else {
        return not_written(&outcome, path, out, errors);
    };
    aut_file::write(&written, path, out)?;
    let transitions = BigUint::from(written.transitions());
    if let Some(seen) = transitions_seen(&outcome).filter(|&seen| *seen != transitions)
        && !options.search.quiet
    {
        let _ = writeln!(
            errors,
            "note: {transitions} of {seen} transitions were written: others differ in nothing from these"
        );
    }
    let report = report::text(&outcome);
    if aut_file::is_standard(path) {
        // The report would be no part of the file.
        let _ = errors.write_all(report.as_bytes());
    } else {
        print(out, &report)?;
    }
    Ok(exit_code(&outcome.verdict()))
}

fn write_etf(
    loaded: &Loaded,
    settings: &Settings,
    options: &Lts,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let teller = Teller::unless(options.search.quiet);
    let exploration = Exploration::new(loaded, &teller.hearing(settings.clone()))?;
    let mut writer = lang_etf::Writer::with_limit(exploration.model(), exploration.share());
    let outcome = explore(&exploration, &mut writer, &teller)?;
    let outcome = if writer.is_full() { without_room(outcome) } else { outcome };
    let path = &options.output;
    if let Verdict::Unknown(_) = outcome.verdict() {
        return not_written(&outcome, path, out, errors);
    }
    write(&writer, path).map_err(|error| Failure::file(path.display(), &error))?;
    if !options.search.quiet {
        let note = statements_note(loaded.model.signature(), path);
        let _ = errors.write_all(note.as_bytes());
    }
    print(out, &report::text(&outcome))?;
    Ok(exit_code(&outcome.verdict()))
}

/// How many transitions the search saw.
fn transitions_seen(outcome: &Outcome) -> Option<&BigUint> {
    outcome.statistics.as_ref()?.transitions.as_ref()
}

/// Half a transition system looks like a whole one to whoever reads the file.
fn not_written(
    outcome: &Outcome,
    path: &Path,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let report = report::text(outcome);
    if aut_file::is_standard(path) {
        let _ = errors.write_all(report.as_bytes());
        let _ = writeln!(errors, "warning: the search is not complete; nothing was written");
    } else {
        print(out, &report)?;
        let _ = writeln!(errors, "warning: the search is not complete; {} was not written", path.display());
    }
    Ok(exit_code(&outcome.verdict()))
}

/// How to ask what the model states in the file that was written, which states nothing.
fn statements_note(signature: &Signature, path: &Path) -> String {
    const SHOWN: usize = 5;
    let mut text = String::new();
    if let Some(end) = signature.end_label() {
        let name = words::shown(&signature.labels[end.ix()].name);
        text += &format!(
            "note: ETF does not say where it is fine to stop; the label `{name}` does, and deadlocks are all states without steps\n"
        );
    }
    if !signature.alarms.is_empty() {
        text += "note: ETF has no alarms; those of the model are actions like all others, to be asked by --action\n";
    }
    let asserted = signature.labels.iter().filter(|label| label.kind == LabelKind::Assertion);
    let names: Vec<&str> = asserted.map(|label| label.name.as_str()).collect();
    if names.is_empty() {
        return text;
    }
    text += "note: ETF has no assertions; those of the model became labels, to be asked by name:\n";
    for name in names.iter().take(SHOWN) {
        text += &format!("  pinscher check {} --invariant '{}'\n", path.display(), words::shown(name));
    }
    if names.len() > SHOWN {
        text += &format!("  … and {} more; `pinscher show` lists them\n", names.len() - SHOWN);
    }
    text
}

fn write(writer: &lang_etf::Writer, path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writer.write(&mut file)?;
    file.flush()
}
