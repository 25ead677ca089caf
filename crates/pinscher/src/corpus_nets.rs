//! Nets with known answers: each examination that the table has rows of is made within the time, and its answers are compared.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lang_pnml::PnmlNet;

use crate::corpus_compare::Comparison;
use crate::corpus_table::Row;
use crate::corpus_tally::Tally;
use crate::examine::{Examination, Finding, Found, Means, Room, examine};
use crate::mcc::{read_net, read_queries};
use crate::watch::Watch;
use crate::{Failure, memory};

/// The time for each examination, unless an option says otherwise.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// How nets are examined.
pub(crate) struct Way {
    pub(crate) time: Option<Duration>,
    pub(crate) memory: Option<u64>,
    pub(crate) threads: usize,
    /// Only this examination.
    pub(crate) examination: Option<String>,
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

/// Whether a formula of a file is the one that a table means. Names may differ by a year: `…-2025-07` is `…-07`.
fn is_meant(id: &str, in_table: &str) -> bool {
    if id == in_table {
        return true;
    }
    match (id.rsplit_once('-'), in_table.rsplit_once('-')) {
        (Some((head, last)), Some((wanted, number))) => {
            last == number && head.rsplit_once('-').is_some_and(|(name, year)| name == wanted && is_year(year))
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
    way: &Way,
    tally: &mut Tally,
    settle: &dyn Fn(&Row, Comparison, &mut Tally) -> String,
) -> String {
    let start = Instant::now();
    let path = folder.join(model);
    let net = match read_net(&path) {
        Ok(net) => Arc::new(net),
        Err(failure) => {
            tally.different += 1;
            return format!("DIFFERS {model}\n{failure}");
        }
    };
    tally.run += 1;
    let (mut text, mut line) = (String::new(), String::new());
    let before = (tally.matched, tally.different);
    let mut unanswered = 0;
    let named = |examination: &Examination| way.examination.as_ref().is_none_or(|name| name == examination.name());
    for examination in Examination::ALL.into_iter().filter(named) {
        let asked: Vec<(&Row, String)> = rows
            .iter()
            .filter_map(|row| asks(row).filter(|(about, _)| *about == examination).map(|(_, id)| (*row, id)))
            .collect();
        if asked.is_empty() {
            continue;
        }
        let began = Instant::now();
        let findings = findings(&net, &path, examination, way);
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
            let found = findings.iter().find(|finding| is_meant(&finding.id, id)).map(|finding| &finding.found);
            let Some(found) = found else {
                unanswered += 1;
                continue;
            };
            answered += 1;
            text += &settle(row, compare(row, found), tally);
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

fn findings(net: &Arc<PnmlNet>, path: &Path, examination: Examination, way: &Way) -> Result<Vec<Finding>, Failure> {
    let until = Some(Instant::now() + way.time.unwrap_or(USUAL_TIME));
    let room = Room {
        until,
        memory: way.memory.or_else(memory::default_limit),
        threads: way.threads,
        runs: false,
        means: Means::ALL,
    };
    let queries = match examination.has_file() {
        true => read_queries(&path.with_file_name(format!("{}.xml", examination.name())), net)?,
        false => Vec::new(),
    };
    let mut findings = Vec::new();
    let (net, watch) = (Arc::clone(net), Watch::until(room.until, room.memory));
    let work = move |tell: &mut dyn FnMut(Finding)| examine(&net, examination, &queries, &room, tell);
    match watch.hearing(work, &mut |finding| findings.push(finding)) {
        Ok(examined) => examined.map(|_| findings),
        // What was heard before its time was over counts.
        Err(_) => Ok(findings),
    }
}

fn compare(row: &Row, found: &Found) -> Comparison {
    let found = match found {
        Found::Truth(true) => "TRUE",
        Found::Truth(false) => "FALSE",
        Found::Number(number) => number,
    };
    if row.expected.trim() == found { Comparison::Same(None) } else { Comparison::Different(found.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_differ_by_a_year() {
        assert!(is_meant("Net-PT-01-UpperBounds-07", "Net-PT-01-UpperBounds-07"));
        assert!(is_meant("Net-PT-01-UpperBounds-2025-07", "Net-PT-01-UpperBounds-07"));
        assert!(!is_meant("Net-PT-01-UpperBounds-2025-08", "Net-PT-01-UpperBounds-07"));
        assert!(!is_meant("Net-PT-02-UpperBounds-2025-07", "Net-PT-01-UpperBounds-07"));
        assert!(!is_meant("Net-PT-01-UpperBounds-abcd-07", "Net-PT-01-UpperBounds-07"));
    }
}
