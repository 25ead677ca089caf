//! What every searching command does: open the file, ask, plan, run under control.

use std::io::Write;

use engine::{Control, Limits, Report, Statistics, Witness};
use model::Observer;

use crate::languages::{self, Opened};
use crate::method::{Choice, Method};
use crate::options::{Input, Search};
use crate::outcome::Outcome;
use crate::plan::{Plan, Setup};
use crate::progress::Teller;
use crate::{Failure, interrupt, turns, words};

/// Opens the input and passes the language's warnings on.
pub(crate) fn open(input: &Input, quiet: bool, errors: &mut dyn Write) -> Result<Opened, Failure> {
    let opened = languages::open(&input.file, input.lang.as_deref(), input.with_property)?;
    if !quiet {
        // A warning that cannot be written does not change the verdict.
        let _ = errors.write_all(words::shown_lines(&opened.warnings()).as_bytes());
    }
    Ok(opened)
}

/// What the options mean, with a word about those that do not have their full effect yet.
pub(crate) fn setup(options: &Search, errors: &mut dyn Write) -> Result<Setup, Failure> {
    let setup = Setup::new(options)?;
    if options.way.threads > 1 && !options.quiet && matches!(setup.choice.first(), Method::Explicit(_)) {
        let _ = writeln!(errors, "warning: the explicit engine does not search with several threads yet; it takes one");
    }
    Ok(setup)
}

/// Runs a plan under limits, Ctrl-C and progress. The answer says which method it is of.
pub(crate) fn run(
    plan: &Plan,
    setup: &Setup,
    quiet: bool,
    observer: Option<&mut dyn Observer>,
) -> Result<(Report<Witness>, Method), Failure> {
    setup.check_memory()?;
    match setup.choice {
        Choice::One(method) => Ok((run_once(plan, method, setup.engine_limits(), quiet, observer)?, method)),
        Choice::Turns => turns::take_turns(setup.limits.time, setup.threads, |method, time| {
            run_once(plan, method, Limits { time, ..setup.engine_limits() }, quiet, None)
        }),
    }
}

fn run_once(
    plan: &Plan,
    method: Method,
    limits: Limits,
    quiet: bool,
    observer: Option<&mut dyn Observer>,
) -> Result<Report<Witness>, Failure> {
    let mut control = Control::new(limits).interrupted_by(interrupt::flag());
    let teller = (!quiet).then(Teller::new);
    if let Some(teller) = teller.clone() {
        control = control.heard_by(move |progress| teller.hear(progress));
    }
    let report = plan.run(method, &control, observer);
    if let Some(teller) = teller {
        teller.done();
    }
    report
}

/// The outcome of a search with this method, before its report.
pub(crate) fn outcome<'a>(opened: &'a Opened, setup: &Setup, method: Method) -> Outcome<'a> {
    Outcome {
        signature: opened.loaded.model.signature(),
        file_name: &opened.file_name,
        language: opened.language.name,
        engine: method.engine_name(),
        strategy: method.strategy_name(),
        answers: Vec::new(),
        stopped: None,
        statistics: Statistics::default(),
        load_time: opened.time,
        limits: setup.limits.clone(),
        find_all: setup.find_all,
        failure: None,
    }
}
