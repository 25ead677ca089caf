//! What every searching command does: open the file, ask, plan, run under control.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use engine::{Control, Limits, Report, Statistics, Witness};
use model::{LoadOptions, Observer};

use crate::languages::{self, Opened};
use crate::method::{Choice, Method};
use crate::options::Input;
use crate::outcome::Outcome;
use crate::plan::{Plan, Setup};
use crate::progress::Teller;
use crate::{Failure, interrupt, race, words};

/// Opens the input and passes the language's warnings on.
pub(crate) fn open(input: &Input, quiet: bool, errors: &mut dyn Write) -> Result<Opened, Failure> {
    let options = LoadOptions {
        defines: input.define.clone(),
        max_processes: input.max_processes,
        message_loss: input.message_loss,
    };
    let opened = languages::open(&input.file, input.lang.as_deref(), input.with_property, &options)?;
    if !quiet {
        // A warning that cannot be written does not change the verdict.
        let _ = errors.write_all(words::shown_lines(&opened.warnings()).as_bytes());
    }
    Ok(opened)
}

/// What a search came to.
pub(crate) struct Searched {
    pub(crate) report: Report<Witness>,
    /// The method that it is of.
    pub(crate) method: Method,
    /// Why it is this method, where pinscher chose it.
    pub(crate) why: Option<&'static str>,
}

/// Runs a plan under limits, Ctrl-C and progress.
pub(crate) fn run(
    plan: &Plan,
    setup: &Setup,
    quiet: bool,
    observer: Option<&mut dyn Observer>,
) -> Result<Searched, Failure> {
    setup.check_memory(plan.cache_bytes())?;
    let limits = setup.engine_limits(plan.cache_bytes());
    let teller = (!quiet).then(Teller::new);
    let control = |limits: Limits| {
        let control = Control::new(limits).interrupted_by(interrupt::flag());
        match teller.clone() {
            Some(teller) => control.heard_by(move |progress| teller.hear(progress)),
            None => control,
        }
    };
    let searched = match setup.choice {
        Choice::One(method) => {
            plan.run(method, &control(limits), observer).map(|report| Searched { report, method, why: None })
        }
        Choice::Race(methods) => {
            let racer = |method, limits, stop: &Arc<AtomicBool>| {
                plan.run(method, &control(limits).interrupted_by(Arc::clone(stop)), None)
            };
            race::race(methods, &limits, &racer)
        }
    };
    if let Some(teller) = teller {
        teller.done();
    }
    searched
}

/// The outcome of a search with this method, before its report.
pub(crate) fn outcome<'a>(opened: &'a Opened, setup: &Setup, method: Method, why: Option<&'static str>) -> Outcome<'a> {
    Outcome {
        signature: opened.loaded.model.signature(),
        file_name: &opened.file_name,
        language: opened.language.name,
        engine: method.engine_name(),
        strategy: method.strategy_name(),
        why,
        answers: Vec::new(),
        stopped: None,
        statistics: Statistics::default(),
        load_time: opened.time,
        limits: setup.limits.clone(),
        find_all: setup.find_all,
        failure: None,
        cache: None,
    }
}
