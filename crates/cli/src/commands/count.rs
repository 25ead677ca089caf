//! `pinscher count`: explores a model and reports how large it is.

use std::io::Write;

use pinscher::Count;

use crate::Failure;
use crate::input::{answered, load_options};
use crate::options;
use crate::output::{exit_code, print, report};
use crate::progress::Teller;
use crate::watch::Watch;

/// Counts, prints the report; the exit code tells whether all states were seen.
pub(crate) fn run(
    options: &options::Count,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let (settings, quiet) = (options.search.settings(), options.search.quiet);
    let watch = Watch::new(settings.limits.time, settings.limits.memory);
    let teller = Teller::unless(quiet);
    let (file, loading) = (&options.input.file, load_options(&options.input, settings.limits.memory));
    let count = Count::of_file(file, &loading).settings(teller.hearing(settings));
    let counting = count.clone();
    let outcome = answered(
        &watch,
        quiet,
        errors,
        move |hear| counting.run_hearing(hear),
        |loaded, reason| count.uncounted(loaded, reason),
    );
    teller.done();
    let outcome = outcome?;
    print(out, &report(&outcome, options.json))?;
    Ok(exit_code(&outcome.verdict()))
}
