//! What every searching command does: open the file, ask, plan, run under control.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use engine::{Answer, Control, Counted, Decided, Limits, Report, Statistics, Verdict, Witness};
use model::{LoadOptions, Observer};

use crate::caching::Figures;
use crate::languages::{self, Opened};
use crate::method::{Choice, Method};
use crate::options::Input;
use crate::outcome::Outcome;
use crate::plan::{Plan, Setup};
use crate::progress::Teller;
use crate::questions::Asked;
use crate::watch::{self, Watch};
use crate::{Failure, interrupt, race, words};

/// Opens the input and passes the language's warnings on.
pub(crate) fn open(input: &Input, quiet: bool, errors: &mut dyn Write) -> Result<Opened, Failure> {
    let opened = load(input)?;
    warn(&opened, quiet, errors);
    Ok(opened)
}

/// The same within limits, which hold while the model is made as well.
pub(crate) fn open_within(
    watch: &Watch,
    input: &Input,
    quiet: bool,
    errors: &mut dyn Write,
) -> Result<Opened, Failure> {
    let input = input.clone();
    let opened = watch.over(move || load(&input)).map_err(|reason| watch::too_late(&reason))??;
    warn(&opened, quiet, errors);
    Ok(opened)
}

fn load(input: &Input) -> Result<Opened, Failure> {
    let options = LoadOptions {
        defines: input.define.clone(),
        max_processes: input.max_processes,
        message_loss: input.message_loss,
    };
    languages::open(&input.file, input.lang.as_deref(), input.with_property, &options)
}

fn warn(opened: &Opened, quiet: bool, errors: &mut dyn Write) {
    if !quiet {
        // A warning that cannot be written does not change the verdict.
        let _ = errors.write_all(words::shown_lines(&opened.warnings()).as_bytes());
        if let Some(why) = &opened.loaded.endless {
            let _ = errors.write_all(words::shown_lines(&format!("warning: {why}\n")).as_bytes());
        }
    }
}

/// What a search came to.
pub(crate) struct Searched {
    pub(crate) report: Report<Witness>,
    /// The method that it is of.
    pub(crate) method: Method,
    /// Why it is this method, where pinscher chose it.
    pub(crate) why: Option<&'static str>,
}

/// Someone who hears each answer at once, and whether it is the symbolic engine's; and the flag that ends the
/// search when enough is known.
#[derive(Clone)]
pub(crate) struct Listening {
    pub(crate) answers: Option<Sender<(Decided, bool)>>,
    pub(crate) enough: Arc<AtomicBool>,
}

/// Runs a plan under limits and Ctrl-C, without a word of progress, while someone listens.
pub(crate) fn run_heard(plan: &Plan, setup: &Setup, listening: Listening) -> Result<Searched, Failure> {
    run_with(plan, setup, None, &|control, method| {
        let control = control.abandoned_by(Arc::clone(&listening.enough));
        let symbolic = matches!(method, Method::Symbolic(_));
        match listening.answers.clone() {
            // Who has heard enough does not listen any longer.
            Some(answers) => control.decided_to(move |decided| _ = answers.send((decided, symbolic))),
            None => control,
        }
    })
}

/// Plans and runs, within limits that hold while the plan is made as well; also what the cache did. A search
/// that was left to itself answers nothing, and says why.
pub(crate) fn plan_and_run(
    watch: &Watch,
    asked: Asked,
    setup: &Setup,
    quiet: bool,
) -> Result<(Searched, Option<Figures>), Failure> {
    let (method, properties) = (setup.choice.first(), asked.properties.clone());
    let (watch, mut setup) = (*watch, setup.clone());
    let done = watch.over(move || {
        let plan = Plan::new(asked, &setup)?;
        setup.limits.time = watch.left();
        let searched = run(&plan, &setup, quiet, None)?;
        let figures = plan.cache_figures(searched.method)?;
        Ok((searched, Some(figures)))
    });
    done.unwrap_or_else(|reason| {
        let unknown =
            |property| Answer { property, verdict: Verdict::Unknown(reason.clone()), violations: None };
        let answers = properties.into_iter().map(unknown).collect();
        let (statistics, counted) = (Statistics::default(), Counted::default());
        let report = Report { answers, stopped: Some(reason.clone()), statistics, counted };
        Ok((Searched { report, method, why: None }, None))
    })
}

/// Runs a plan under limits, Ctrl-C and progress.
pub(crate) fn run(
    plan: &Plan,
    setup: &Setup,
    quiet: bool,
    observer: Option<&mut dyn Observer>,
) -> Result<Searched, Failure> {
    let teller = (!quiet).then(Teller::new);
    let searched = run_with(plan, setup, observer, &|control, _| match teller.clone() {
        Some(teller) => control.heard_by(move |progress| teller.hear(progress)),
        None => control,
    });
    if let Some(teller) = teller {
        teller.done();
    }
    searched
}

/// Runs a plan under limits and Ctrl-C, each engine with a control that others may have added to.
fn run_with(
    plan: &Plan,
    setup: &Setup,
    observer: Option<&mut dyn Observer>,
    add: &(dyn Fn(Control, Method) -> Control + Sync),
) -> Result<Searched, Failure> {
    setup.check_memory(plan.cache_bytes())?;
    let limits = setup.engine_limits(plan.cache_bytes());
    let control =
        |limits: Limits, method| add(Control::new(limits).interrupted_by(interrupt::flag()), method);
    match setup.choice {
        Choice::One(method) => plan.run(method, &control(limits, method), observer).map(|report| Searched {
            report,
            method,
            why: None,
        }),
        Choice::Race(methods) => {
            let racer = |method, limits, stop: &Arc<AtomicBool>| {
                plan.run(method, &control(limits, method).abandoned_by(Arc::clone(stop)), None)
            };
            race::race(methods, &limits, &racer)
        }
    }
}

/// The outcome of a search with this method, before its report.
pub(crate) fn outcome<'a>(
    opened: &'a Opened,
    setup: &Setup,
    method: Method,
    why: Option<&'static str>,
) -> Outcome<'a> {
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
