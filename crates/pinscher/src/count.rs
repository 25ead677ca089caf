//! `pinscher count`: explores a model and reports how large it is.

use std::io::Write;
use std::sync::Arc;

use engine::StopReason;

use crate::options::Count;
use crate::outcome::Outcome;
use crate::plan::{Setup, Told};
use crate::questions::Questions;
use crate::search::Searched;
use crate::watch::Watch;
use crate::{Failure, report_json, report_text, search};

/// Counts, prints the report; the exit code tells whether all states were seen.
pub(crate) fn run(options: &Count, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let mut setup = Setup::new(&options.search)?;
    let watch = Watch::new(setup.limits.time, setup.limits.memory);
    let opened = search::open_within(&watch, &options.input, options.search.quiet, errors)?;
    (setup.find_all, setup.told) = (true, Told::Numbers);
    setup.arrangement.favourite = opened.language.favourite_order();
    if let Some(why) = &opened.loaded.endless {
        let method = setup.choice.first();
        let mut outcome = search::outcome(&opened, &setup, method, None);
        outcome.stopped = Some(StopReason::Unbounded(why.clone()));
        return finish(&outcome, options.json, out);
    }
    let asked = Questions::failures().ask(Arc::clone(&opened.loaded.model))?;
    let (searched, figures) = search::plan_and_run(&watch, asked, &setup, options.search.quiet)?;
    let Searched { report, method, why } = searched;
    let outcome = search::outcome(&opened, &setup, method, why).with_cache(figures).with_numbers(report);
    finish(&outcome, options.json, out)
}

fn finish(outcome: &Outcome<'_>, json: bool, out: &mut dyn Write) -> Result<u8, Failure> {
    let text = if json { report_json::report(outcome) } else { report_text::report(outcome) };
    crate::print(out, &text)?;
    Ok(outcome.exit_code())
}
