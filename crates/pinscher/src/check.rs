//! `pinscher check`: asks the properties of a model and reports the verdicts.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::Span;
use engine::Verdict;
use model::Unchecked;

use crate::options::Check;
use crate::outcome::Outcome;
use crate::plan::Setup;
use crate::questions::{Invariant, Questions};
use crate::search::Searched;
use crate::watch::Watch;
use crate::{Failure, chart, chart_svg, chart_text, check_net, report_json, report_text, search, spin_trail};

/// A violation of a model with infinitely many states is looked for so long, unless an option says otherwise.
const ENDLESS: Duration = Duration::from_secs(60);

/// Checks, prints the report, answers the exit code.
pub(crate) fn run(options: &Check, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    check_chart(options)?;
    if check_net::is_meant(options) {
        return check_net::run(options, out, errors);
    }
    let mut setup = Setup::new(&options.search)?;
    setup.find_all = options.all;
    let questions = questions(options)?;
    let mut watch = Watch::new(setup.limits.time, setup.limits.memory);
    let opened = search::open_within(&watch, &options.input, options.search.quiet, errors)?;
    setup.arrangement.favourite = opened.language.favourite_order();
    if opened.loaded.endless.is_some() && setup.limits.time.is_none() {
        setup.limits.time = Some(ENDLESS);
        watch = Watch::new(setup.limits.time, setup.limits.memory);
    }
    let asked = questions.ask(Arc::clone(&opened.loaded.model))?;
    let (searched, figures) = search::plan_and_run(&watch, asked, &setup, options.search.quiet)?;
    let Searched { report, method, why } = searched;
    // Who names properties asks for those alone.
    let stated = if questions.assertions { opened.loaded.unchecked.as_slice() } else { &[] };
    let unchecked: Vec<Unchecked> = stated.iter().cloned().chain(other_logics(options)).collect();
    let outcome =
        search::outcome(&opened, &setup, method, why).with_cache(figures).with_answers(report, &unchecked);
    let text = if options.json { report_json::report(&outcome) } else { report_text::report(&outcome) };
    crate::print(out, &text)?;
    show_run(options, &outcome, out, errors)?;
    Ok(outcome.exit_code())
}

/// Refuses a chart that could not be written, before any work.
fn check_chart(options: &Check) -> Result<(), Failure> {
    match options.chart.as_deref() {
        Some(file) if is_standard(file) && options.json => {
            Err(Failure::usage("--json prints one JSON object and no chart", "name a file: --chart run.svg"))
        }
        Some(file) if !is_standard(file) && file.extension().is_none_or(|extension| extension != "svg") => {
            Err(Failure::usage(
                format!("a chart is a picture in a file that ends in .svg, not {}", file.display()),
                "write --chart run.svg, or --chart behind the model's name for a chart as text",
            ))
        }
        _ => Ok(()),
    }
}

/// Whether no file was named.
fn is_standard(file: &Path) -> bool {
    file == Path::new("-")
}

/// The run to the first violation in other forms, as far as they are asked for.
fn show_run(
    options: &Check,
    outcome: &Outcome<'_>,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<(), Failure> {
    if options.chart.is_none() && options.spin_trail.is_none() {
        return Ok(());
    }
    let violated = outcome.answers.iter().find_map(|answer| match &answer.verdict {
        Verdict::Violated(witness) => Some((answer, witness)),
        _ => None,
    });
    let Some((answer, witness)) = violated else {
        if !options.search.quiet {
            // A remark that cannot be written does not change the verdict.
            let _ = errors.write_all(b"no property is violated: there is no run to show or to write\n");
        }
        return Ok(());
    };
    if let Some(file) = &options.chart {
        let chart = chart::chart(outcome.signature, witness)?;
        if is_standard(file) {
            crate::print(out, &format!("\n{}", chart_text::text(&chart)))?;
        } else {
            let title = format!("{}: {}", outcome.file_name, answer.title);
            write(file, &chart_svg::picture(&chart, &title))?;
        }
    }
    if let Some(file) = &options.spin_trail {
        let named = if is_standard(file) {
            PathBuf::from(format!("{}.trail", outcome.file_name))
        } else {
            file.clone()
        };
        write(&named, &spin_trail::trail(witness)?)?;
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| Failure::file(file.display(), &error))
}

/// The properties that are named, or all that the file states.
fn questions(options: &Check) -> Result<Questions, Failure> {
    let named = options.deadlock
        || !(options.invariant.is_empty() && options.action.is_empty() && options.property.is_empty());
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
        reason: "only predicates, in files that end in .inv, and formulas about nets, in files that end in .xml, can be checked so far".to_owned(),
    })
}
