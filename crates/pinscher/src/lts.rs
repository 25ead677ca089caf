//! `pinscher lts`: writes the transition system that a search went through.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use engine::{BigUint, Verdict};
use lts::Recorder;
use model::{LabelKind, Signature};

use crate::exploration::Exploration;
use crate::languages::Opened;
use crate::options::Lts;
use crate::outcome::Outcome;
use crate::plan::Setup;
use crate::watch::Watch;
use crate::{Failure, aut_file, report_text, search, words};

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
    let mut setup = Setup::new(&options.search)?.explicit("lts")?;
    let watch = Watch::new(setup.limits.time, setup.limits.memory);
    let opened = search::open_within(&watch, &options.input, quiet, errors)?;
    setup.limits.time = watch.left();
    match format {
        Format::Aut => write_aut(&opened, setup, options, out, errors),
        Format::Etf => write_etf(&opened, setup, options, out, errors),
    }
}

fn write_aut(
    opened: &Opened,
    setup: Setup,
    options: &Lts,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let exploration = Exploration::new(opened, setup)?;
    let mut recorder = Recorder::new(exploration.model(), exploration.share());
    let searched = exploration.run(options.search.quiet, &mut recorder)?;
    // What it takes to put the transitions in order may be more than there is room for, too.
    let recorded = recorder.finish().ok();
    let outcome = exploration.outcome(searched, recorded.is_none())?;
    let path = &options.output;
    let Some(written) = recorded.filter(|_| !matches!(outcome.verdict(), Verdict::Unknown(_))) else {
        return not_written(&outcome, path, out, errors);
    };
    aut_file::write(&written, path, out)?;
    let transitions = BigUint::from(written.transitions());
    if let Some(seen) = outcome.statistics.transitions.as_ref().filter(|&seen| *seen != transitions)
        && !options.search.quiet
    {
        let _ = writeln!(
            errors,
            "note: {transitions} of {seen} transitions were written: others differ in nothing from these"
        );
    }
    let report = report_text::report(&outcome);
    if aut_file::is_standard(path) {
        // The report would be no part of the file.
        let _ = errors.write_all(report.as_bytes());
    } else {
        crate::print(out, &report)?;
    }
    Ok(outcome.exit_code())
}

fn write_etf(
    opened: &Opened,
    setup: Setup,
    options: &Lts,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let exploration = Exploration::new(opened, setup)?;
    let mut writer = lang_etf::Writer::with_limit(exploration.model(), exploration.share());
    let searched = exploration.run(options.search.quiet, &mut writer)?;
    let outcome = exploration.outcome(searched, writer.is_full())?;
    let path = &options.output;
    if let Verdict::Unknown(_) = outcome.verdict() {
        return not_written(&outcome, path, out, errors);
    }
    write(&writer, path).map_err(|error| Failure::file(path.display(), &error))?;
    if !options.search.quiet {
        let note = statements_note(opened.loaded.model.signature(), path);
        let _ = errors.write_all(note.as_bytes());
    }
    crate::print(out, &report_text::report(&outcome))?;
    Ok(outcome.exit_code())
}

/// Half a transition system looks like a whole one to whoever reads the file.
fn not_written(
    outcome: &Outcome<'_>,
    path: &Path,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let report = report_text::report(outcome);
    if aut_file::is_standard(path) {
        let _ = errors.write_all(report.as_bytes());
        let _ = writeln!(errors, "warning: the search is not complete; nothing was written");
    } else {
        crate::print(out, &report)?;
        let _ = writeln!(errors, "warning: the search is not complete; {} was not written", path.display());
    }
    Ok(outcome.exit_code())
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
