//! The model file that a command names.

use std::io::Write;
use std::path::Path;

use base::{Source, read_up_to, shown_lines};
use engine::StopReason;
use machine::memory;
use pinscher::{Error, LoadOptions, Loaded};
use report::Outcome;

use crate::Failure;
use crate::advice::hint;
use crate::options::Input;
use crate::watch::{self, Watch};

/// A file of properties is no longer: the contest's longest has less than a hundredth of that.
const MOST_PROPERTIES: u64 = 256 << 20;

/// Loads the model and passes the language's warnings on.
pub(crate) fn open(input: &Input, quiet: bool, errors: &mut dyn Write) -> Result<Loaded, Failure> {
    let loaded = load(input, memory::default_limit())?;
    warn(&loaded, quiet, errors);
    Ok(loaded)
}

/// The same within limits, which hold while the model is made as well.
pub(crate) fn open_within(
    watch: &Watch,
    input: &Input,
    quiet: bool,
    errors: &mut dyn Write,
) -> Result<Loaded, Failure> {
    let (input, memory) = (input.clone(), watch.memory());
    let loaded = watch.over(move || load(&input, memory)).map_err(|reason| watch::too_late(&reason))??;
    warn(&loaded, quiet, errors);
    Ok(loaded)
}

fn load(input: &Input, memory: Option<u64>) -> Result<Loaded, Failure> {
    Ok(pinscher::load(&input.file, &load_options(input, memory))?)
}

/// How the file is to be read.
pub(crate) fn load_options(input: &Input, memory: Option<u64>) -> LoadOptions {
    LoadOptions {
        language: input.lang.clone(),
        with_property: input.with_property,
        // The text, and a model that takes no less. Where nothing fits, the search says so.
        most_bytes: memory.map(|memory| (memory / 2).max(1 << 20)),
        model: language::LoadOptions {
            defines: input.define.clone(),
            max_processes: input.max_processes,
            message_loss: input.message_loss,
        },
    }
}

/// What is found out of a file within limits. `run` loads the model, tells of it, and answers; of a model
/// that is loaded and has no answer in time `unanswered` tells what there is to tell.
pub(crate) fn answered<R>(
    watch: &Watch,
    quiet: bool,
    errors: &mut dyn Write,
    run: R,
    unanswered: impl FnOnce(&Loaded, &StopReason) -> Result<Outcome, Error>,
) -> Result<Outcome, Failure>
where
    R: FnOnce(&mut dyn FnMut(&Loaded)) -> Result<Outcome, Error> + Send + 'static,
{
    let mut model = None;
    let work = move |tell: &mut dyn FnMut(Loaded)| run(&mut |loaded| tell(loaded.clone()));
    let done = watch.hearing(work, &mut |loaded| {
        warn(&loaded, quiet, errors);
        model = Some(loaded);
    });
    let outcome = match (done, model) {
        (Ok(outcome), _) => outcome?,
        (Err(reason), Some(loaded)) => unanswered(&loaded, &reason)?,
        (Err(reason), None) => return Err(watch::too_late(&reason)),
    };
    Ok(Outcome { hint, ..outcome })
}

/// The text in a file that is no model.
pub(crate) fn read_text(path: &Path, help: &str) -> Result<Source, Failure> {
    let shown = path.display();
    let bytes = std::fs::File::open(path).and_then(|file| read_up_to(file, MOST_PROPERTIES));
    let bytes = bytes.map_err(|error| Failure::usage(format!("{shown}: {error}"), help))?;
    let bytes = bytes.ok_or_else(|| {
        Failure::usage(format!("{shown} has more than {}", memory::show_bytes(MOST_PROPERTIES)), help)
    })?;
    Source::from_bytes(shown.to_string(), bytes).map_err(|refused| {
        let (source, problem) = *refused;
        Failure::text(&[problem], &source)
    })
}

fn warn(loaded: &Loaded, quiet: bool, errors: &mut dyn Write) {
    if !quiet {
        // A warning that cannot be written does not change the verdict.
        let _ = errors.write_all(shown_lines(&loaded.shown_warnings()).as_bytes());
        if let Some(why) = &loaded.endless {
            let _ = errors.write_all(shown_lines(&format!("warning: {why}\n")).as_bytes());
        }
    }
}
