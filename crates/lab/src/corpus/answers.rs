//! Compares what a search found with one row of the table of known answers: numbers, and predicates that the
//! table asks about.

use engine::{Answer, BigUint, Evidence, Report, StopReason, Verdict};

use crate::corpus::comparison::Comparison;
use crate::corpus::spin::{compare_verdict, is_verdict};
use crate::corpus::table::Row;

/// Whether this is a kind of row at all: a number, or a formula, which has its logic before a colon.
fn is_known(property: &str) -> bool {
    let numbers = ["sccs", "max_token_in_place", "max_token_per_marking", "property", "atomic_steps"];
    can_be_asked(property)
        || numbers.contains(&property)
        || property.starts_with("states_")
        || property.contains(':')
}

/// Whether rows of this kind can be compared.
pub(crate) fn can_be_asked(property: &str) -> bool {
    matches!(property, "states" | "transitions" | "deadlock_states" | "deadlock" | "bfs_levels")
        || property.starts_with("reach:")
        || property.starts_with("invariant:")
        || is_verdict(property)
}

/// DiVinE 2 counts the states of the system together with its property process; all other sources count the
/// system's.
pub(crate) fn counts_product(row: &Row) -> bool {
    row.source.contains("divine2 test")
}

/// Compares a row with a report; `answer` is that of the row's own predicate, if it has one.
pub(crate) fn compare(row: &Row, report: &Report, answer: Option<&Answer>) -> Comparison {
    let statistics = &report.statistics;
    if !is_known(&row.property) {
        return Comparison::Different("no such kind of row".into());
    }
    if !can_be_asked(&row.property) {
        return Comparison::NotAsked;
    }
    match row.property.as_str() {
        property if is_verdict(property) => compare_verdict(row, report),
        "states" => number(row, Some(&statistics.states)),
        "transitions" => number(row, statistics.transitions.as_ref()),
        "deadlock_states" => number(row, statistics.deadlocks.as_ref()),
        "deadlock" => match &statistics.deadlocks {
            Some(deadlocks) => word(row, if *deadlocks > BigUint::ZERO { "yes" } else { "no" }),
            None => Comparison::NotAsked,
        },
        "bfs_levels" => {
            let levels = statistics.levels;
            let levels =
                if counts_from_zero(row) { levels.map(|levels| levels.saturating_sub(1)) } else { levels };
            number(row, levels.map(BigUint::from).as_ref())
        }
        property if property.starts_with("reach:") => match answer.map(|answer| &answer.verdict) {
            Some(Verdict::Violated) => {
                let evidence = answer.and_then(|answer| answer.evidence.as_ref());
                with_note(word(row, "reachable"), || longer_than_noted(row, evidence?))
            }
            Some(Verdict::Holds) => word(row, "unreachable"),
            Some(Verdict::Unknown(StopReason::Time | StopReason::Memory)) | None => Comparison::NotAsked,
            Some(Verdict::Unknown(reason)) => Comparison::Different(format!("unknown: {}", reason.name())),
        },
        property if property.starts_with("invariant:") => match answer {
            Some(Answer { verdict: Verdict::Unknown(StopReason::Time | StopReason::Memory), .. }) => {
                Comparison::NotAsked
            }
            Some(answer) => with_note(word(row, answer.verdict.name()), || other_violations(row, answer)),
            None => Comparison::NotAsked,
        },
        _ => Comparison::NotAsked,
    }
}

/// LTSmin prints the index of the last level, BEEM how many levels there are.
fn counts_from_zero(row: &Row) -> bool {
    row.source.contains("last level index") || row.source.contains("LTSmin")
}

/// Compares a number, unless the engine does not count this.
fn number(row: &Row, found: Option<&BigUint>) -> Comparison {
    match found {
        None => Comparison::NotAsked,
        Some(found) if row.expected.trim().parse().as_ref() == Ok(found) => Comparison::Same(None),
        Some(found) => Comparison::Different(found.to_string()),
    }
}

fn word(row: &Row, found: &str) -> Comparison {
    let expected = row.expected.trim().to_ascii_lowercase();
    // Tables differ in how they say no.
    let same = expected == found || (found == "unreachable" && expected == "not reachable");
    if same { Comparison::Same(None) } else { Comparison::Different(found.to_owned()) }
}

fn with_note(comparison: Comparison, note: impl FnOnce() -> Option<String>) -> Comparison {
    match comparison {
        Comparison::Same(None) => Comparison::Same(note()),
        other => other,
    }
}

/// A shortest run can be no longer than someone else's run.
fn longer_than_noted(row: &Row, evidence: &Evidence) -> Option<String> {
    let noted = number_after(&row.note, "witness length ")?;
    let found = evidence.run().steps.len();
    (found as u64 > noted).then(|| format!("the shortest run has {found} steps, the source's {noted}"))
}

fn other_violations(row: &Row, answer: &Answer) -> Option<String> {
    let (before, _) = row.note.split_once(" violating states")?;
    let noted: BigUint = before.rsplit(' ').next()?.parse().ok()?;
    let found = answer.violations.as_ref()?;
    (noted != *found).then(|| format!("{found} states violate it, {noted} by the source"))
}

fn number_after(text: &str, words: &str) -> Option<u64> {
    let rest = &text[text.find(words)? + words.len()..];
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Statistics;

    fn row(property: &str, expected: &str, source: &str) -> Row {
        let [model, formula, note] = [const { String::new() }; 3];
        let (property, expected, source) = (property.into(), expected.into(), source.into());
        Row { model, property, expected, source, formula, note, disputed: false }
    }

    #[test]
    fn a_misspelt_row_is_no_match() {
        for property in ["States", "deadlocks", ""] {
            let compared = compare(&row(property, "10", ""), &report(), None);
            assert!(matches!(compared, Comparison::Different(_)), "{property}");
        }
        for property in ["sccs", "ltl:p", "ctl:q", "states_branching"] {
            assert_eq!(
                compare(&row(property, "10", ""), &report(), None),
                Comparison::NotAsked,
                "{property}"
            );
        }
    }

    fn report() -> Report {
        let statistics = Statistics {
            states: 10u32.into(),
            levels: Some(4),
            deadlocks: Some(1u32.into()),
            ..Statistics::default()
        };
        Report { answers: Vec::new(), stopped: None, statistics, census: engine::CensusReport::default() }
    }

    #[test]
    fn numbers_and_words_are_compared() {
        let same = |row: &Row| matches!(compare(row, &report(), None), Comparison::Same(_));
        assert!(same(&row("states", "10", "")));
        assert!(!same(&row("states", "11", "")));
        assert!(same(&row("deadlock", "yes", "")));
        assert!(!same(&row("deadlock", "no", "")));
        assert_eq!(compare(&row("sccs", "3", ""), &report(), None), Comparison::NotAsked);
    }

    #[test]
    fn what_is_not_counted_is_not_compared() {
        assert_eq!(compare(&row("transitions", "3", ""), &report(), None), Comparison::NotAsked);
        let huge = "340282366920938463463374607431768211456";
        let mut report = report();
        report.statistics.states = huge.parse().unwrap();
        assert_eq!(compare(&row("states", huge, ""), &report, None), Comparison::Same(None));
    }

    #[test]
    fn levels_are_counted_as_their_source_counts_them() {
        let compare = |row: &Row| compare(row, &report(), None);
        assert_eq!(compare(&row("bfs_levels", "4", "BEEM stat.xml")), Comparison::Same(None));
        assert_eq!(compare(&row("bfs_levels", "3", "LTSmin-sym (last level index)")), Comparison::Same(None));
        assert_eq!(compare(&row("bfs_levels", "4", "LTSmin")), Comparison::Different("3".into()));
    }

    #[test]
    fn a_number_is_found_in_a_note() {
        assert_eq!(number_after("witness length 16; UNRELIABLE", "witness length "), Some(16));
        assert_eq!(number_after("nothing", "witness length "), None);
    }
}
