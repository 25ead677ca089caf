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
use crate::property_file::{Kind, kind};
use crate::watch::{self, Watch};

/// Whether formulas about a net are asked for.
pub(crate) fn is_meant(options: &options::Check) -> bool {
    options.property.iter().any(|file| kind(file) == Kind::Contest)
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
            move |send: &mut dyn FnMut(Answer)| formulas.run(&mut |answer| send(answer.clone()))
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
