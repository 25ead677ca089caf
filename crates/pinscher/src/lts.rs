//! `pinscher lts`: writes the transition system that a search went through.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use engine::{StopReason, Verdict};
use model::{LabelKind, Signature};

use crate::options::Lts;
use crate::plan::{Plan, Setup};
use crate::questions::Questions;
use crate::search::Searched;
use crate::{Failure, report_text, search, words};

/// Explores, writes the file, answers the exit code.
pub(crate) fn run(options: &Lts, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let path = &options.output;
    if path.extension().is_none_or(|extension| extension != "etf") {
        return Err(Failure::not_yet(
            format!("writing {}", path.display()),
            "name a file that ends in .etf, the one format so far",
        ));
    }
    let mut setup = Setup::new(&options.search)?.explicit("lts")?;
    let opened = search::open(&options.input, options.search.quiet, errors)?;
    setup.find_all = true;
    let asked = Questions::failures().ask(Arc::clone(&opened.loaded.model))?;
    let plan = Plan::new(asked, &setup)?;
    let top = plan.top(setup.choice.first())?;
    // The rows of the file and the states share the memory there may be.
    let share = setup.limits.memory.map(|limit| limit / 2);
    setup.limits.memory = share;
    let mut writer = match share {
        Some(bytes) => lang_etf::Writer::with_limit(&*top, bytes),
        None => lang_etf::Writer::new(&*top),
    };
    let Searched { mut report, method, why } = search::run(&plan, &setup, options.search.quiet, Some(&mut writer))?;
    if writer.is_full() {
        report.stopped = Some(StopReason::Memory);
    }
    let outcome =
        search::outcome(&opened, &setup, method, why).with_cache(Some(plan.cache_figures(method)?)).with_numbers(report);
    if let Verdict::Unknown(_) = outcome.verdict() {
        // Half a transition system looks like a whole one to whoever reads the file.
        crate::print(out, &report_text::report(&outcome))?;
        let _ = writeln!(errors, "warning: the search is not complete; {} was not written", path.display());
        return Ok(outcome.exit_code());
    }
    write(&writer, path).map_err(|error| Failure::file(path.display(), &error))?;
    if !options.search.quiet {
        let note = statements_note(opened.loaded.model.signature(), path);
        let _ = errors.write_all(note.as_bytes());
    }
    crate::print(out, &report_text::report(&outcome))?;
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
