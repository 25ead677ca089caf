//! What Spin says of models in Promela, as the rows of a table have it, and what Pinscher says of the same:
//! whether the text is a model, whether it has a claim, whether an assertion is violated, whether it stops
//! where that is not fine.
//!
//! Spin's own words for the two ways to go wrong are `assertion violated` and `invalid end state`. Its search
//! in depth tells the first one that it comes to; Pinscher finds all, so that Spin's has to be among them.

use std::path::Path;

use engine::{Answer, BigUint, Question, Report, StopReason, Verdict};
use language::{Form, Monitor, Stated};
use pinscher::{Error, Loaded, by_extension};

use crate::corpus::comparison::Comparison;
use crate::corpus::table::Row;

/// The language of models that Spin was asked about and whose name tells none.
const PROMELA: &str = "promela";

/// Whether the row is about the text and not about its states.
pub(crate) fn is_about_text(row: &Row) -> bool {
    matches!(row.property.as_str(), "spin_accepts" | "has_claim")
}

/// Whether the row is about what goes wrong in some state: a search that was not complete may tell, too.
pub(crate) fn is_verdict(property: &str) -> bool {
    matches!(property, "assertion_violated" | "invalid_end_state" | "default_verdict")
}

/// The language to read a model in, if its name does not tell and the table does.
pub(crate) fn language(path: &Path, rows: &[&Row]) -> Option<&'static str> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_told = extension.and_then(by_extension).is_some();
    (!is_told && rows.iter().any(|row| is_about_text(row))).then_some(PROMELA)
}

/// Compares a row about the text.
pub(crate) fn compare_text(row: &Row, loaded: &Result<Loaded, Error>) -> Comparison {
    match (row.property.as_str(), loaded) {
        ("spin_accepts", Ok(_)) => word(row, "yes", String::new),
        ("spin_accepts", Err(error)) => word(row, "no", || first_line(error)),
        (_, Err(_)) => Comparison::NotAsked,
        (_, Ok(loaded)) => {
            let is_claim = |stated: &Stated| {
                matches!(stated.form, Form::Formula(_) | Form::Monitor(Monitor::NeverClaim))
            };
            let has_claim = loaded.stated.iter().any(is_claim);
            word(row, if has_claim { "yes" } else { "no" }, String::new)
        }
    }
}

/// Compares a row about what goes wrong.
pub(crate) fn compare_verdict(row: &Row, report: &Report) -> Comparison {
    let [stops, asserts] = [found(report, is_end), found(report, is_assertion)];
    let fails = report.statistics.errors.as_ref().is_some_and(|errors| *errors > BigUint::ZERO);
    match (row.property.as_str(), row.expected.trim()) {
        // Spin's own search did not come to its end.
        (_, "unknown") => Comparison::NotAsked,
        ("invalid_end_state", _) => stops.compare(row),
        ("assertion_violated", _) => asserts.compare(row),
        (_, "invalid end state") => stops.compare_with("yes", "no invalid end state"),
        (_, "assertion violated") => asserts.compare_with("yes", "no assertion violated"),
        (_, "none") => match (&stops, &asserts) {
            (Occurrence::Yes, _) => Comparison::Different("invalid end state".into()),
            (_, Occurrence::Yes) => Comparison::Different("assertion violated".into()),
            _ if fails => Comparison::Different("the model fails".into()),
            (Occurrence::No, Occurrence::No) => Comparison::Same(None),
            _ => Comparison::NotAsked,
        },
        (_, "other") if fails => Comparison::Same(None),
        (_, "other") if report.stopped.is_none() => Comparison::Different("the model does not fail".into()),
        (_, "other") => Comparison::NotAsked,
        _ => Comparison::Different("no such kind of verdict".into()),
    }
}

/// Whether something goes wrong, if that is known.
enum Occurrence {
    Yes,
    No,
    /// The search did not come to its end.
    Open,
    /// Why else it is not known.
    Unknown(&'static str),
}

impl Occurrence {
    fn compare(&self, row: &Row) -> Comparison {
        let expected = row.expected.trim();
        self.compare_with(expected, if expected == "yes" { "no" } else { "yes" })
    }

    /// Compares with `yes` or `no`; where it is the contrary, that is told in these words.
    fn compare_with(&self, expected: &str, contrary: &str) -> Comparison {
        match (self, expected) {
            (Self::Yes, "yes") | (Self::No, "no") => Comparison::Same(None),
            (Self::Yes, "no") | (Self::No, "yes") => Comparison::Different(contrary.to_owned()),
            (Self::Open, _) => Comparison::NotAsked,
            (Self::Unknown(reason), _) => Comparison::Different(format!("unknown: {reason}")),
            _ => Comparison::Different("no such answer".into()),
        }
    }
}

fn found(report: &Report, is_asked: fn(&Answer) -> bool) -> Occurrence {
    let mut found = Occurrence::No;
    for answer in report.answers.iter().filter(|answer| is_asked(answer)) {
        match &answer.verdict {
            Verdict::Violated => return Occurrence::Yes,
            Verdict::Holds => {}
            Verdict::Unknown(
                StopReason::Time | StopReason::Memory | StopReason::States | StopReason::Interrupted,
            ) => {
                found = Occurrence::Open;
            }
            Verdict::Unknown(reason) => found = Occurrence::Unknown(reason.name()),
        }
    }
    found
}

fn is_end(answer: &Answer) -> bool {
    answer.property.question == Question::NoDeadlock
}

/// What the text asserts: in states, or in the middle of steps.
fn is_assertion(answer: &Answer) -> bool {
    let Answer { property, .. } = answer;
    match property.question {
        Question::Never(_) => true,
        // Not what the table itself asks for.
        Question::Always(_) => !["reach:", "invariant:"].iter().any(|asked| property.name.starts_with(asked)),
        _ => false,
    }
}

fn word(row: &Row, found: &str, why: impl FnOnce() -> String) -> Comparison {
    if row.expected.trim() == found {
        return Comparison::Same(None);
    }
    let why = why();
    Comparison::Different(if why.is_empty() { found.to_owned() } else { format!("{found}: {why}") })
}

fn first_line(error: &Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim);
    let message = lines.next().unwrap_or_default();
    let place = lines.next().filter(|line| line.starts_with("-->")).unwrap_or_default();
    format!("{message} {place}").trim_end().to_owned()
}
