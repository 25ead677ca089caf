//! `pinscher check net.pnml --property FILE.xml`: the formulas of files of the Model Checking Contest, each
//! with the firing sequence that shows its answer.

use std::path::Path;
use std::sync::Arc;

use engine::Answer;
use lang_pnml::{PnmlNet, Query};
use pinscher::{Check, Formulas, Loaded, Settings};
use report::Outcome;

use crate::Failure;
use crate::advice::hint;
use crate::input::read_text;
use crate::options;
use crate::watch::{self, Watch};

/// Whether a file has formulas about a net in it.
fn has_formulas(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "xml")
}

/// Whether formulas about a net are asked for.
pub(crate) fn is_meant(options: &options::Check) -> bool {
    options.property.iter().any(|file| has_formulas(file))
}

/// Refuses what cannot be asked together with formulas about a net.
pub(crate) fn refuse_others(options: &options::Check) -> Result<(), Failure> {
    let options::Check { deadlock, invariant, action, property, chart, spin_trail, .. } = options;
    let is_alone = property.iter().all(|file| has_formulas(file));
    if *deadlock || !invariant.is_empty() || !action.is_empty() || !is_alone {
        return Err(Failure::usage(
            "formulas of the contest are checked by themselves",
            "ask for the other properties in another run",
        ));
    }
    for (is_given, option) in [(chart.is_some(), "--chart"), (spin_trail.is_some(), "--spin-trail")] {
        if is_given {
            return Err(Failure::usage(
                format!("{option} is for models in Promela"),
                format!("leave {option} out; runs of nets are shown in the report"),
            ));
        }
    }
    Ok(())
}

/// What was found out of the formulas.
pub(crate) fn outcome(
    options: &options::Check,
    loaded: &Loaded,
    settings: Settings,
    mut watch: Watch,
) -> Result<Outcome, Failure> {
    let mut limits = settings.limits.clone();
    if let Some(time) = Check::default_time(loaded).filter(|_| limits.time.is_none()) {
        limits.time = Some(time);
        watch = Watch::new(limits.time, limits.memory);
    }
    let formulas = Formulas::new(loaded)?.settings(settings.clone())?;
    let read = watch.over({
        let (files, net) = (options.property.clone(), Arc::clone(formulas.net()));
        move || -> Result<Vec<Query>, Failure> {
            Ok(files.iter().map(|file| queries(file, &net)).collect::<Result<Vec<_>, _>>()?.concat())
        }
    });
    let queries = read.map_err(|reason| watch::too_late(&reason))??;
    let mut searching = settings;
    searching.limits.time = watch.left();
    let formulas = formulas.queries(queries)?.settings(searching)?;
    let mut answers: Vec<Answer> = Vec::new();
    let done = watch.hearing(
        {
            let formulas = formulas.clone();
            move |tell: &mut dyn FnMut(Answer)| formulas.run(&mut |answer| tell(answer.clone()))
        },
        &mut |answer| answers.push(answer),
    );
    let outcome = match done {
        Ok(outcome) => outcome?,
        Err(reason) => formulas.with(answers, &reason)?,
    };
    Ok(Outcome { limits, hint, ..outcome })
}

/// The formulas in a file.
pub(crate) fn queries(path: &Path, net: &PnmlNet) -> Result<Vec<Query>, Failure> {
    let source = read_text(path, "name a file of formulas of the Model Checking Contest")?;
    lang_pnml::queries(&source, net).map_err(|problems| Failure::text(&problems, &source))
}
