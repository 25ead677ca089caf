//! `pinscher reduce`: the smallest transition system that is equivalent to one in a file, or to that of a
//! model.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use engine::Verdict;
use lts::{Lts, Recorder, strong};
use machine::{memory, processor};
use pinscher::{Exploration, Settings, without_room};
use report::{Outcome, words};

use crate::commands::lts::{check_observed, explore};
use crate::input::open_within;
use crate::options::{Equivalence, Reduce};
use crate::output::{self, exit_code, print};
use crate::progress::Teller;
use crate::watch::Watch;
use crate::{Failure, aut_file, interrupt};

/// Reads or explores, reduces, writes the file, tells the sizes.
pub(crate) fn run(options: &Reduce, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let output = options.output.as_deref();
    check_output(output, options.json)?;
    let settings = options.search.settings();
    settings.choice()?;
    let watch = Watch::new(settings.limits.time, settings.limits.memory);
    let start = Instant::now();
    let file = &options.input.file;
    let memory = settings.limits.memory;
    let (language, whole) = if is_of_a_file(options) {
        ("aut", aut_file::read(file, memory)?)
    } else {
        match explored(options, settings, &watch, out, errors)? {
            Ok((language, whole)) => (language, whole),
            Err(code) => return Ok(code),
        }
    };
    let loaded = start.elapsed();
    let reduced = reduce(&whole, options.equivalence, &watch, memory)?;
    let report = Report {
        model: file,
        language,
        equivalence: options.equivalence,
        whole: &whole,
        reduced: &reduced,
        loaded,
        reducing: start.elapsed() - loaded,
    };
    if let Some(path) = output {
        aut_file::write(&reduced, path, out)?;
    }
    let text = if options.json { report.json() } else { report.text() };
    if output.is_some_and(aut_file::is_standard) {
        // The report would be no part of the file.
        let _ = errors.write_all(text.as_bytes());
    } else {
        print(out, &text)?;
    }
    Ok(0)
}

fn check_output(output: Option<&Path>, json: bool) -> Result<(), Failure> {
    let Some(path) = output else { return Ok(()) };
    if !aut_file::is_aut(path) {
        let what = format!("writing {}", path.display());
        return Err(Failure::not_yet(what, "name a file that ends in .aut, the one format so far"));
    }
    if json && aut_file::is_standard(path) {
        let message = "the file and the JSON object cannot both go to the standard output";
        return Err(Failure::usage(message, "name a file: -o OUT.aut"));
    }
    Ok(())
}

/// Whether the system stands in a file and is not that of a model.
pub(crate) fn is_of_a_file(options: &Reduce) -> bool {
    options.input.lang.as_deref().map_or_else(|| aut_file::is_aut(&options.input.file), |lang| lang == "aut")
}

/// The transition system of a model and its language; or, where the search did not come to its end, the exit
/// code after a report.
fn explored(
    options: &Reduce,
    mut settings: Settings,
    watch: &Watch,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<Result<(&'static str, Lts), u8>, Failure> {
    check_observed(&settings)?;
    let loaded = open_within(watch, &options.input, options.search.quiet, errors)?;
    settings.limits.time = watch.left();
    let teller = Teller::unless(options.search.quiet);
    let exploration = Exploration::new(&loaded, &teller.hearing(settings))?;
    let mut recorder = Recorder::new(exploration.model(), exploration.share());
    let outcome = explore(&exploration, &mut recorder, &teller)?;
    let recorded = recorder.finish().ok();
    let outcome = if recorded.is_some() { outcome } else { without_room(outcome) };
    match recorded.filter(|_| !matches!(outcome.verdict(), Verdict::Unknown(_))) {
        Some(whole) => Ok(Ok((loaded.language_name(), whole))),
        None => incomplete(&outcome, options, out, errors).map(Err),
    }
}

fn incomplete(
    outcome: &Outcome,
    options: &Reduce,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let report = output::report(outcome, options.json);
    if options.output.as_deref().is_some_and(aut_file::is_standard) {
        let _ = errors.write_all(report.as_bytes());
    } else {
        print(out, &report)?;
    }
    let _ = writeln!(errors, "warning: the search is not complete; nothing was reduced");
    Ok(exit_code(&outcome.verdict()))
}

fn reduce(whole: &Lts, equivalence: Equivalence, watch: &Watch, memory: Option<u64>) -> Result<Lts, Failure> {
    let what = |why: &str| format!("the system was not reduced yet: {why}");
    let most = memory.unwrap_or(u64::MAX);
    let (held, needed) = (whole.bytes(), strong::bytes(whole));
    if held.saturating_add(needed) > most {
        let why = format!("that may take {} beside the system", memory::show_bytes(needed));
        return Err(Failure::Unknown { reason: "memory", what: what(&why) });
    }
    let interrupted = interrupt::token();
    let mut reason = None;
    let mut stop = || {
        if interrupted.is_cancelled() {
            reason = Some(("interrupted", "it was interrupted"));
        } else if watch.left().is_some_and(|left| left.is_zero()) {
            reason = Some(("time", "the time limit was reached"));
        }
        reason.is_some()
    };
    // A small system is reduced before the reduction looks at the clock.
    let reduced = match equivalence {
        _ if stop() => Err(lts::Stopped),
        Equivalence::Strong => strong::reduce(whole, &mut stop),
    };
    reduced.map_err(|lts::Stopped| {
        let (reason, why) = reason.unwrap_or(("interrupted", "it was interrupted"));
        Failure::Unknown { reason, what: what(why) }
    })
}

/// What there is to tell.
struct Report<'a> {
    model: &'a Path,
    language: &'static str,
    equivalence: Equivalence,
    whole: &'a Lts,
    reduced: &'a Lts,
    loaded: Duration,
    reducing: Duration,
}

impl Report<'_> {
    fn text(&self) -> String {
        let (whole, reduced) = (self.whole, self.reduced);
        let mut text = format!("{:<12} {:>12} {:>12}\n", "", "before", "after");
        for (name, before, after) in [
            ("states", whole.states(), reduced.states()),
            ("transitions", whole.transitions(), reduced.transitions()),
            ("deadlocks", whole.deadlocks(), reduced.deadlocks()),
        ] {
            let _ = writeln!(text, "{name:<12} {before:>12} {after:>12}");
        }
        let (loaded, reducing) = (self.loaded.as_secs_f64(), self.reducing.as_secs_f64());
        let _ = writeln!(text, "time         {reducing:.2} s to reduce, {loaded:.2} s to read");
        text
    }

    fn json(&self) -> String {
        let sizes = |lts: &Lts| {
            serde_json::json!({
                "states": lts.states().to_string(),
                "transitions": lts.transitions().to_string(),
                "deadlocks": lts.deadlocks().to_string(),
            })
        };
        let file = self
            .model
            .file_name()
            .map_or_else(|| self.model.display().to_string(), |name| name.display().to_string());
        let object = serde_json::json!({
            "schema": "pinscher/1",
            "model": words::shown(&file),
            "language": self.language,
            "equivalence": self.equivalence.name(),
            "verdict": "holds",
            "reason": null,
            "before": sizes(self.whole),
            "after": sizes(self.reduced),
            "seconds": {
                "load": self.loaded.as_secs_f64(),
                "reduce": self.reducing.as_secs_f64(),
                "cpu": processor::seconds(),
            },
            "memory_bytes": memory::peak(),
            "version": env!("CARGO_PKG_VERSION"),
        });
        format!("{object:#}\n")
    }
}
