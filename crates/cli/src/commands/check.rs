//! `pinscher check`: asks the properties of a model and reports the verdicts.

use std::io::Write;
use std::path::{Path, PathBuf};

use base::Source;
use pinscher::Settings;
use planner::{Invariant, Questions};
use report::witness::spin_trail;
use report::{Outcome, chart, title};

use crate::Failure;
use crate::advice::INVARIANT;
use crate::commands::check_net;
use crate::input::{answered, load_options, open_within, read_text};
use crate::options::Check;
use crate::output::{exit_code, print, report, write};
use crate::progress::Teller;
use crate::property_file::{self, Kind};
use crate::watch::Watch;

/// Why a property in another kind of file is not checked.
const OTHER_LOGICS: &str = "only predicates, in files that end in .inv, and formulas about nets, in files that end in .xml, can be checked so far";

/// Checks, prints the report, answers the exit code.
pub(crate) fn run(options: &Check, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    check_chart(options)?;
    let settings = Settings { find_all: options.all, ..options.search.settings() };
    let outcome = if check_net::is_meant(options) {
        let watch = Watch::new(settings.limits.time, settings.limits.memory);
        let loaded = open_within(&watch, &options.input, options.search.quiet, errors)?;
        check_net::outcome(options, &loaded, settings, watch)?
    } else {
        searched(options, settings, errors)?
    };
    print(out, &report(&outcome, options.json))?;
    show_run(options, &outcome, out, errors)?;
    Ok(exit_code(&outcome.verdict()))
}

/// What a search of the model says of the properties.
fn searched(options: &Check, settings: Settings, errors: &mut dyn Write) -> Result<Outcome, Failure> {
    let (Check { input, property, .. }, quiet) = (options, options.search.quiet);
    let questions = questions(options)?;
    let watch = Watch::new(settings.limits.time, settings.limits.memory);
    let teller = Teller::unless(quiet);
    let check = pinscher::Check::of_file(&input.file, &load_options(input, settings.limits.memory))
        .settings(teller.hearing(settings));
    let mut check = match questions {
        Some(questions) => check.questions(questions),
        None => check.everything(),
    };
    for file in property.iter().filter(|file| !is_predicate(file)) {
        check = check.unchecked(&file.display().to_string(), OTHER_LOGICS);
    }
    let searching = check.clone();
    let outcome = answered(
        &watch,
        quiet,
        errors,
        move |hear| searching.run_hearing(hear),
        |loaded, reason| check.unanswered(loaded, reason),
    );
    teller.done();
    outcome
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
    outcome: &Outcome,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<(), Failure> {
    if options.chart.is_none() && options.spin_trail.is_none() {
        return Ok(());
    }
    let violated = outcome.answers.iter().filter(|answer| answer.verdict.is_violated());
    let Some((answer, evidence)) =
        violated.filter_map(|answer| Some((answer, answer.evidence.as_ref()?))).next()
    else {
        if !options.search.quiet {
            // A remark that cannot be written does not change the verdict.
            let _ = errors.write_all(b"no property is violated: there is no run to show or to write\n");
        }
        return Ok(());
    };
    let run = evidence.run();
    if let Some(file) = &options.chart {
        let chart = chart::chart(outcome.signature(), run)?;
        if is_standard(file) {
            print(out, &format!("\n{}", chart::text::text(&chart)))?;
        } else {
            let title = format!("{}: {}", outcome.file_name, title(&answer.property));
            write(file, &chart::svg::picture(&chart, &title))?;
        }
    }
    if let Some(file) = &options.spin_trail {
        let named = if is_standard(file) {
            PathBuf::from(format!("{}.trail", outcome.file_name))
        } else {
            file.clone()
        };
        write(&named, &spin_trail::trail(run)?)?;
    }
    Ok(())
}

/// The properties that are named; none where all that the file states is meant.
fn questions(options: &Check) -> Result<Option<Questions>, Failure> {
    let Check { deadlock, invariant, action, property, .. } = options;
    if !deadlock && invariant.is_empty() && action.is_empty() && property.is_empty() {
        return Ok(None);
    }
    let texts = invariant.iter().map(|text| from_argument(text));
    let predicates = property.iter().filter(|file| is_predicate(file)).map(|file| from_file(file));
    let invariants = texts.chain(predicates).collect::<Result<_, _>>()?;
    for file in property.iter().filter(|file| !is_predicate(file)) {
        // Of a file that is not there nobody can say that its logic cannot be checked.
        property_file::check(file, &read(file)?, &options.input)?;
    }
    let (deadlock, actions) = (*deadlock, action.clone());
    Ok(Some(Questions { deadlock, assertions: false, errors: true, invariants, actions }))
}

/// The invariant that an argument means: its text, or what stands in the file behind an `@`.
fn from_argument(argument: &str) -> Result<Invariant, Failure> {
    match argument.strip_prefix('@') {
        Some(path) => from_file(Path::new(path)),
        None => {
            let name = format!("invariant {argument}");
            Ok(Invariant { name, source: Source::new(INVARIANT, argument) })
        }
    }
}

/// The invariant in a file.
fn from_file(path: &Path) -> Result<Invariant, Failure> {
    Ok(Invariant { name: format!("invariant @{}", path.display()), source: read(path)? })
}

fn read(path: &Path) -> Result<Source, Failure> {
    read_text(path, "name a file with a predicate in it")
}

/// Whether the file has a predicate in it: all that can be checked so far.
fn is_predicate(file: &Path) -> bool {
    property_file::kind(file) == Kind::Predicate
}
