//! Nets with known answers: each examination that the table has rows of is made within the time, and its
//! answers are compared.
//!
//! Each is made by the program, `pinscher mcc`, in a process of its own: what one leaves behind when its time
//! or memory is over does not weigh on the next.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use cli::Failure;
use examine::Examination;

use crate::Program;
use crate::child::{self, Ended, Role};
use crate::corpus::comparison::{same, settle};
use crate::corpus::table::Row;
use crate::corpus::tally::Tally;

/// The time for each examination, unless an option says otherwise.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// How long after its time an examination may still be heard; it keeps its time by itself.
const PATIENCE: Duration = Duration::from_secs(30);

/// How nets are examined.
pub(crate) struct Examiner {
    pub(crate) program: Program,
    pub(crate) time: Option<Duration>,
    pub(crate) memory: Option<u64>,
    pub(crate) threads: usize,
    /// Only this examination.
    pub(crate) examination: Option<String>,
}

/// Whether a file is a net.
pub(crate) fn is_net(model: &str) -> bool {
    model.ends_with(".pnml")
}

/// What a row is about: the examination, and what its answer is called there.
fn asks(row: &Row) -> Option<(Examination, String)> {
    let number = |id: &str| Some((Examination::StateSpace, id.to_owned()));
    match row.property.as_str() {
        "states" => number("STATES"),
        "transitions" => number("TRANSITIONS"),
        "max_token_in_place" => number("MAX_TOKEN_IN_PLACE"),
        "max_token_per_marking" => number("MAX_TOKEN_PER_MARKING"),
        property => {
            let (name, id) = property.split_once(':').unwrap_or((property, property));
            let examination = Examination::ALL.into_iter().find(|examination| examination.name() == name)?;
            Some((examination, id.to_owned()))
        }
    }
}

/// Whether a formula of a file is the one that a table means. Names may differ by a year: `…-2025-07` is
/// `…-07`.
fn is_meant(id: &str, in_table: &str) -> bool {
    if id == in_table {
        return true;
    }
    match (id.rsplit_once('-'), in_table.rsplit_once('-')) {
        (Some((head, last)), Some((wanted, number))) => {
            last == number
                && head.rsplit_once('-').is_some_and(|(name, year)| name == wanted && is_year(year))
        }
        _ => false,
    }
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Examines a net; the answer tells of each difference, and how it went.
pub(crate) fn text(
    folder: &Path,
    model: &str,
    rows: &[&Row],
    examiner: &Examiner,
    tally: &mut Tally,
) -> String {
    let start = Instant::now();
    let path = folder.join(model);
    tally.run += 1;
    let (mut text, mut line) = (String::new(), String::new());
    let before = (tally.matched, tally.different);
    let mut unanswered = 0;
    let named = |examination: &Examination| {
        examiner.examination.as_ref().is_none_or(|name| name == examination.name())
    };
    for examination in Examination::ALL.into_iter().filter(named) {
        let asked: Vec<(&Row, String)> = rows
            .iter()
            .filter_map(|row| asks(row).filter(|(about, _)| *about == examination).map(|(_, id)| (*row, id)))
            .collect();
        if asked.is_empty() {
            continue;
        }
        let began = Instant::now();
        let findings = findings(&path, examination, examiner);
        let findings = match findings {
            Ok(findings) => findings,
            Err(failure) => {
                tally.different += 1;
                let _ = write!(text, "DIFFERS {model}: {}\n{failure}", examination.name());
                continue;
            }
        };
        let mut answered = 0;
        for (row, id) in &asked {
            let Some((_, found)) = findings.iter().find(|(name, _)| is_meant(name, id)) else {
                unanswered += 1;
                continue;
            };
            answered += 1;
            text += &settle(row, same(row, found.clone()), tally);
        }
        let seconds = began.elapsed().as_secs_f64();
        let _ = write!(line, " {} {answered}/{} in {seconds:.1} s", examination.name(), asked.len());
    }
    if unanswered > 0 {
        tally.unfinished += 1;
    }
    let (matched, different) = (tally.matched - before.0, tally.different - before.1);
    let word = if different == 0 { "ok" } else { "NOT" };
    let _ = writeln!(
        text,
        "{word} {model}: {matched} of {} as expected, {unanswered} without an answer, {:.1} s;{line}",
        matched + different,
        start.elapsed().as_secs_f64()
    );
    text
}

/// Names and answers of an examination.
fn findings(
    path: &Path,
    examination: Examination,
    examiner: &Examiner,
) -> Result<Vec<(String, String)>, Failure> {
    let time = examiner.time.unwrap_or(USUAL_TIME);
    let mut command = examiner.program.command();
    command.arg("mcc").arg(path).arg(examination.name());
    command.args(["--time", &time.as_secs_f64().to_string(), "--threads", &examiner.threads.to_string()]);
    if let Some(bytes) = examiner.memory {
        command.args(["--memory", &bytes.to_string()]);
    }
    let output = child::run(command, Role::Searcher, time.saturating_add(PATIENCE));
    let output = output.map_err(|error| Failure::file("a process for an examination", &error))?;
    match output.ended {
        // All was answered, or not all.
        Ended::Itself(status) if matches!(status.code(), Some(0 | 3)) => {}
        Ended::Interrupted => {}
        ended => {
            let shown = path.display();
            let help = format!("see `pinscher mcc {shown} {}`", examination.name());
            return Err(Failure::usage(format!("{shown}: the examination broke off: {ended:?}"), help));
        }
    }
    Ok(String::from_utf8_lossy(&output.text).lines().filter_map(answer).collect())
}

/// The name and the answer in a line of the contest.
fn answer(line: &str) -> Option<(String, String)> {
    let mut words = line.split_whitespace();
    let (Some("FORMULA" | "STATE_SPACE"), Some(id), Some(found), Some("TECHNIQUES")) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return None;
    };
    Some((id.to_owned(), found.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_the_words_of_the_contest() {
        let pair = |id: &str, found: &str| Some((id.to_owned(), found.to_owned()));
        assert_eq!(answer("FORMULA Net-00 TRUE TECHNIQUES EXPLICIT"), pair("Net-00", "TRUE"));
        assert_eq!(answer("STATE_SPACE STATES 12 TECHNIQUES DECISION_DIAGRAMS"), pair("STATES", "12"));
        assert_eq!(answer("FORMULA Net-00 CANNOT_COMPUTE"), None);
        assert_eq!(answer("CANNOT_COMPUTE"), None);
    }

    #[test]
    fn names_may_differ_by_a_year() {
        assert!(is_meant("Net-PT-01-UpperBounds-07", "Net-PT-01-UpperBounds-07"));
        assert!(is_meant("Net-PT-01-UpperBounds-2025-07", "Net-PT-01-UpperBounds-07"));
        assert!(!is_meant("Net-PT-01-UpperBounds-2025-08", "Net-PT-01-UpperBounds-07"));
        assert!(!is_meant("Net-PT-02-UpperBounds-2025-07", "Net-PT-01-UpperBounds-07"));
        assert!(!is_meant("Net-PT-01-UpperBounds-abcd-07", "Net-PT-01-UpperBounds-07"));
    }
}
