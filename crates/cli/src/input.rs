//! The model file that a command names.

use std::io::Write;
use std::path::Path;

use base::Source;
use pinscher::{LoadOptions, Loaded};
use report::words;

use crate::Failure;
use crate::options::Input;
use crate::watch::{self, Watch};

/// Loads the model and passes the language's warnings on.
pub(crate) fn open(input: &Input, quiet: bool, errors: &mut dyn Write) -> Result<Loaded, Failure> {
    let loaded = load(input)?;
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
    let input = input.clone();
    let loaded = watch.over(move || load(&input)).map_err(|reason| watch::too_late(&reason))??;
    warn(&loaded, quiet, errors);
    Ok(loaded)
}

fn load(input: &Input) -> Result<Loaded, Failure> {
    let options = LoadOptions {
        language: input.lang.clone(),
        with_property: input.with_property,
        model: language::LoadOptions {
            defines: input.define.clone(),
            max_processes: input.max_processes,
            message_loss: input.message_loss,
        },
    };
    Ok(pinscher::load(&input.file, &options)?)
}

/// The text in a file that is no model.
pub(crate) fn read_text(path: &Path, help: &str) -> Result<Source, Failure> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| Failure::usage(format!("{shown}: {error}"), help))?;
    Source::from_bytes(shown.to_string(), bytes).map_err(|refused| {
        let (source, problem) = *refused;
        Failure::text(&[problem], &source)
    })
}

fn warn(loaded: &Loaded, quiet: bool, errors: &mut dyn Write) {
    if !quiet {
        // A warning that cannot be written does not change the verdict.
        let _ = errors.write_all(words::shown_lines(&loaded.shown_warnings()).as_bytes());
        if let Some(why) = &loaded.endless {
            let _ = errors.write_all(words::shown_lines(&format!("warning: {why}\n")).as_bytes());
        }
    }
}
