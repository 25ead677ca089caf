//! `pinscher check`: asks the properties of a model and reports the verdicts.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use base::Span;
use model::Unchecked;

use crate::options::Check;
use crate::plan::{Plan, Setup};
use crate::questions::{Invariant, Questions};
use crate::search::Searched;
use crate::{Failure, report_json, report_text, search};

/// Checks, prints the report, answers the exit code.
pub(crate) fn run(options: &Check, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let mut setup = Setup::new(&options.search)?;
    setup.find_all = options.all;
    let questions = questions(options)?;
    let opened = search::open(&options.input, options.search.quiet, errors)?;
    let asked = questions.ask(Arc::clone(&opened.loaded.model))?;
    let plan = Plan::new(asked, &setup)?;
    let Searched { report, method, why } = search::run(&plan, &setup, options.search.quiet, None)?;
    // Who names properties asks for those alone.
    let stated = if questions.assertions { opened.loaded.unchecked.as_slice() } else { &[] };
    let unchecked: Vec<Unchecked> = stated.iter().cloned().chain(other_logics(options)).collect();
    let outcome = search::outcome(&opened, &setup, method, why)
        .with_cache(plan.cache_figures(method)?)
        .with_answers(report, &unchecked);
    let text = if options.json { report_json::report(&outcome) } else { report_text::report(&outcome) };
    crate::print(out, &text)?;
    Ok(outcome.exit_code())
}

/// The properties that are named, or all that the file states.
fn questions(options: &Check) -> Result<Questions, Failure> {
    let named =
        options.deadlock || !(options.invariant.is_empty() && options.action.is_empty() && options.property.is_empty());
    if !named {
        return Ok(Questions::everything());
    }
    let files = options.property.iter().map(|file| Invariant::from_file(file));
    let files: Vec<Invariant> = files.collect::<Result<_, _>>()?;
    let predicates = files.into_iter().zip(&options.property).filter(|(_, file)| is_predicate(file));
    let texts = options.invariant.iter().map(|text| Invariant::from_argument(text));
    Ok(Questions {
        deadlock: options.deadlock,
        assertions: false,
        errors: true,
        invariants: texts.chain(predicates.map(|(invariant, _)| Ok(invariant))).collect::<Result<_, _>>()?,
        actions: options.action.clone(),
    })
}

/// Whether the file has a predicate in it: all that can be checked so far.
fn is_predicate(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "inv")
}

/// The files with properties of logics that no engine can check yet.
fn other_logics(options: &Check) -> impl Iterator<Item = Unchecked> {
    let others = options.property.iter().filter(|file| !is_predicate(file));
    others.map(|file| Unchecked {
        name: file.display().to_string(),
        span: Span::new(0, 0),
        reason: "only predicates, in files that end in .inv, can be checked so far".to_owned(),
    })
}
