//! `pinscher check`: asks the properties of a model and reports the verdicts.

use std::io::Write;
use std::sync::Arc;

use crate::options::Check;
use crate::plan::Plan;
use crate::questions::{Invariant, Questions};
use crate::{Failure, report_json, report_text, search};

/// Checks, prints the report, answers the exit code.
pub(crate) fn run(options: &Check, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let mut setup = search::setup(&options.search, errors)?;
    setup.find_all = options.all;
    let questions = questions(options)?;
    let opened = search::open(&options.input, options.search.quiet, errors)?;
    let asked = questions.ask(Arc::clone(&opened.loaded.model))?;
    let plan = Plan::new(asked, &setup)?;
    let report = search::run(&plan, &setup, options.search.quiet, None)?;
    // Who names properties asks for those alone.
    let unchecked = if questions.assertions { opened.loaded.unchecked.as_slice() } else { &[] };
    let outcome = search::outcome(&opened, &setup).with_answers(report, unchecked);
    let text = if options.json { report_json::report(&outcome) } else { report_text::report(&outcome) };
    crate::print(out, &text)?;
    Ok(outcome.exit_code())
}

/// The properties that are named, or all that the file states.
fn questions(options: &Check) -> Result<Questions, Failure> {
    if !options.deadlock && options.invariant.is_empty() && options.action.is_empty() {
        return Ok(Questions::everything());
    }
    Ok(Questions {
        deadlock: options.deadlock,
        assertions: false,
        errors: true,
        invariants: options.invariant.iter().map(|text| Invariant::from_argument(text)).collect::<Result<_, _>>()?,
        actions: options.action.clone(),
    })
}
