//! `pinscher count`: explores a model and reports how large it is.

use std::io::Write;

use pinscher::Count;
use report::Outcome;

use crate::Failure;
use crate::advice::hint;
use crate::input::open_within;
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
    let settings = options.search.settings();
    settings.choice()?;
    let limits = settings.limits.clone();
    let watch = Watch::new(limits.time, limits.memory);
    let loaded = open_within(&watch, &options.input, options.search.quiet, errors)?;
    let teller = Teller::unless(options.search.quiet);
    let mut searching = teller.hearing(settings);
    searching.limits.time = watch.left();
    let count = Count::new(&loaded).settings(searching);
    let done = watch.over({
        let count = count.clone();
        move || count.run()
    });
    teller.done();
    let outcome = match done {
        Ok(outcome) => outcome?,
        Err(reason) => count.uncounted(&reason)?,
    };
    let outcome = Outcome { limits, hint, ..outcome };
    print(out, &report(&outcome, options.json))?;
    Ok(exit_code(&outcome.verdict()))
}
