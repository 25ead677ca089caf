//! `pinscher lts`: writes the transition system that a search went through.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::Arc;

use engine::Verdict;

use crate::options::Lts;
use crate::plan::Plan;
use crate::questions::Questions;
use crate::{Failure, report_text, search};

/// Explores, writes the file, answers the exit code.
pub(crate) fn run(options: &Lts, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let path = &options.output;
    if path.extension().is_none_or(|extension| extension != "etf") {
        return Err(Failure::not_yet(
            format!("writing {}", path.display()),
            "name a file that ends in .etf, the one format so far",
        ));
    }
    let setup = search::setup(&options.search, errors)?;
    let opened = search::open(&options.input, options.search.quiet, errors)?;
    let asked = Questions::default().ask(Arc::clone(&opened.loaded.model))?;
    let plan = Plan::new(asked, &setup)?;
    let top = plan.top();
    let mut writer = lang_etf::Writer::new(&*top);
    let report = search::run(&plan, &setup, options.search.quiet, Some(&mut writer))?;
    let outcome = search::outcome(&opened, &setup).with_answers(report, &[]);
    if let Verdict::Unknown(_) = outcome.verdict() {
        // Half a transition system looks like a whole one to whoever reads the file.
        crate::print(out, &report_text::report(&outcome))?;
        let _ = writeln!(errors, "warning: the search is not complete; {} was not written", path.display());
        return Ok(outcome.exit_code());
    }
    write(&writer, path).map_err(|error| Failure::file(path.display(), &error))?;
    crate::print(out, &report_text::report(&outcome))?;
    Ok(outcome.exit_code())
}

fn write(writer: &lang_etf::Writer, path: &std::path::Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writer.write(&mut file)?;
    file.flush()
}
