//! Process algebra with known answers: each text is linearised and explored, its transition system reduced,
//! and that compared. How many states there are before depends on how a tool linearises; there must be no
//! more of them than others have.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use cli::{Failure, interrupt};
use engine::{BigUint, Engine, Report, StopReason};
use lts::{Lts, Recorder};
use pinscher::{Error, LoadOptions, Loaded};
use planner::{Plan, Questions, Setup, engines};

use crate::corpus::comparison::{Comparison, same, settle};
use crate::corpus::searching::{Searching, is_explicit};
use crate::corpus::table::Row;
use crate::corpus::tally::Tally;
use crate::{refusal, search};

/// Bytes that a transition system may take.
const MOST_BYTES: u64 = 4 << 30;

/// Whether a file is a text of process algebra.
pub(crate) fn is_process(path: &str) -> bool {
    path.ends_with(".mcrl2") || path.ends_with(".mcrl")
}

/// One text and what is known of it.
struct ProcessText<'a> {
    searching: &'a Searching<'a>,
    model: &'a str,
    rows: &'a [&'a Row],
}

/// What became of the search.
enum Explored {
    All { states: BigUint, system: Box<Lts> },
    Stopped(StopReason, BigUint),
}

/// Compares a text with its rows; the answer tells of each difference, and how it went.
pub(crate) fn text(searching: &Searching<'_>, model: &str, rows: &[&Row], tally: &mut Tally) -> String {
    ProcessText { searching, model, rows }.text(tally)
}

impl ProcessText<'_> {
    fn text(&self, tally: &mut Tally) -> String {
        let start = Instant::now();
        let path = self.searching.options.folder.join(self.model);
        let loaded = pinscher::load(path, &LoadOptions::default());
        if let Err(error) = &loaded
            // A text that no row speaks of may be only a part of a specification.
            && (refusal::is_not_yet(error) || (self.rows.is_empty() && refusal::is_for_a_part(error)))
        {
            tally.excepted += 1;
            let why = error.to_string();
            return match self.searching.options.quiet {
                true => String::new(),
                false => format!("excepted {}: {}\n", self.model, why.lines().next().unwrap_or_default()),
            };
        }
        let mut text = String::new();
        for row in self.rows.iter().filter(|row| row.property == "linearises") {
            text += &settle(row, linearises(row, &loaded), tally);
        }
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(error) => {
                let must = self.rows.iter().any(|row| row.property == "linearises" && row.expected == "no");
                if must {
                    return text;
                }
                tally.unparsed += usize::from(self.rows.is_empty());
                return text + &format!("DOES NOT LOAD {}\n{}", self.model, Failure::from(error));
            }
        };
        tally.run += 1;
        let before = (tally.matched, tally.fewer, tally.different);
        match self.explored(&loaded, tally) {
            Err(failure) => {
                tally.different += 1;
                let _ = write!(text, "DIFFERS {}\n{failure}", self.model);
            }
            Ok(Explored::Stopped(reason, states)) => {
                tally.unfinished += 1;
                let _ =
                    writeln!(text, "not finished {}: {} after {states} states", self.model, reason.name());
            }
            Ok(Explored::All { states, system }) => {
                let (told, reduced) = self.compared(&states, &system, tally);
                text += &told;
                let (matched, fewer) = (tally.matched - before.0, tally.fewer - before.1);
                let different = tally.different - before.2;
                let word = if different == 0 { "ok" } else { "NOT" };
                if !self.searching.options.quiet || different > 0 {
                    let seconds = start.elapsed().as_secs_f64();
                    let _ = write!(text, "{word} {}: {states} states, ", self.model);
                    let _ = match (matched + fewer + different, fewer) {
                        (0, _) => writeln!(text, "{reduced}, {seconds:.1} s"),
                        (of, 0) => writeln!(text, "{matched} of {of} as expected, {seconds:.1} s"),
                        (of, _) => {
                            writeln!(
                                text,
                                "{matched} of {of} as expected, {fewer} fewer; {reduced}, {seconds:.1} s"
                            )
                        }
                    };
                }
            }
        }
        text
    }

    /// How the rows compare, and what is left of the system modulo strong bisimilarity.
    fn compared(&self, states: &BigUint, system: &Lts, tally: &mut Tally) -> (String, String) {
        let mut text = String::new();
        let small = match lts::strong::reduce(system, &mut || interrupt::token().is_cancelled()) {
            Ok(small) => small,
            Err(stopped) => {
                tally.unfinished += 1;
                return (format!("not finished {}: {stopped}\n", self.model), "not reduced".to_owned());
            }
        };
        for row in self.rows {
            let same = |found: String| same(row, found);
            let comparison = match row.property.as_str() {
                "states_strong_bisim" => same(small.states().to_string()),
                "transitions_strong_bisim" => same(small.transitions().to_string()),
                "states_lps2lts" | "states" => no_more(row, states),
                "deadlock" => same(if system.deadlocks() > 0 { "yes" } else { "no" }.to_owned()),
                "linearises" => continue,
                _ => Comparison::NotAsked,
            };
            text += &settle(row, comparison, tally);
        }
        let (states, transitions, deadlocks) = (small.states(), small.transitions(), small.deadlocks());
        (
            text,
            format!(
                "{states} states, {transitions} transitions, {deadlocks} deadlocks modulo strong bisimilarity"
            ),
        )
    }

    /// The transition system, by explicit search. The symbolic engine, if it is asked for, and the search
    /// that checks matrices must find as many states and deadlocks.
    fn explored(&self, loaded: &Loaded, tally: &mut Tally) -> Result<Explored, Failure> {
        let asked = &self.searching.engine;
        let explicit = if is_explicit(&**asked) { Arc::clone(asked) } else { engines::explicit(1) };
        let (plan, setup) = self.plan(loaded, &explicit, false)?;
        let top = plan.top(0)?;
        let mut recorder = Recorder::new(&*top, MOST_BYTES);
        let report = search::run(&plan, &setup, Some(&mut recorder))?;
        let states = report.statistics.states.clone();
        if let Some(reason) = report.stopped {
            return Ok(Explored::Stopped(reason, states));
        }
        let Ok(system) = recorder.finish() else { return Ok(Explored::Stopped(StopReason::Memory, states)) };
        if !is_explicit(&**asked) {
            let (plan, setup) = self.plan(loaded, asked, false)?;
            let other = search::run(&plan, &setup, None)?;
            match other.stopped {
                Some(reason) => return Ok(Explored::Stopped(reason, other.statistics.states)),
                None => self.must_agree(&system, &states, &other, "symbolic")?,
            }
        }
        if states <= BigUint::from(self.searching.options.check_matrices_up_to) {
            tally.matrices_checked += 1;
            let (plan, setup) = self.plan(loaded, &explicit, true)?;
            let checked = search::run(&plan, &setup, None)?;
            match checked.stopped {
                Some(_) => tally.matrices_checked -= 1,
                None => self.must_agree(&system, &states, &checked, "with matrices checked")?,
            }
        }
        Ok(Explored::All { states, system: Box::new(system) })
    }

    fn plan(
        &self,
        loaded: &Loaded,
        engine: &Arc<dyn Engine>,
        check_matrices: bool,
    ) -> Result<(Plan, Setup), Failure> {
        let questions = Questions { deadlock: true, ..Questions::default() };
        let most = Some(self.searching.options.max_states);
        let setup = self.searching.setup(engine, check_matrices, most);
        Ok((Plan::new(questions.ask(Arc::clone(&loaded.model))?, &setup)?, setup))
    }

    fn must_agree(&self, system: &Lts, states: &BigUint, other: &Report, how: &str) -> Result<(), Failure> {
        let deadlocks = BigUint::from(system.deadlocks());
        let (others, their_deadlocks) = (&other.statistics.states, other.statistics.deadlocks.as_ref());
        if others == states && their_deadlocks.is_none_or(|theirs| *theirs == deadlocks) {
            return Ok(());
        }
        let theirs = their_deadlocks.map_or_else(|| "?".to_owned(), ToString::to_string);
        let found = format!("{}: {how} {others} states, {theirs} deadlocks", self.model);
        Err(Failure::usage(
            format!("{found} instead of {states} and {deadlocks}"),
            "one of the engines is wrong",
        ))
    }
}

fn linearises(row: &Row, loaded: &Result<Loaded, Error>) -> Comparison {
    match (row.expected.as_str(), loaded) {
        ("yes", Ok(_)) | ("no", Err(_)) => Comparison::Same(None),
        // The other tool came to no end, which says nothing of the text.
        ("no", Ok(_)) if gives_no_reason(row) => Comparison::NotAsked,
        (_, Ok(_)) => Comparison::Different("yes".to_owned()),
        (_, Err(error)) => {
            Comparison::Different(error.to_string().lines().next().unwrap_or_default().to_owned())
        }
    }
}

/// Whether a tool failed without a word: its time is the last that is told.
fn gives_no_reason(row: &Row) -> bool {
    row.source.rsplit_once("cpu=").is_some_and(|(_, rest)| rest.trim().parse::<f64>().is_ok())
}

/// There are as many states as this says at most. That there are fewer is told, for it says nothing of
/// whether they are the right ones: what is left modulo strong bisimilarity does.
fn no_more(row: &Row, states: &BigUint) -> Comparison {
    match row.expected.trim().parse::<BigUint>() {
        Ok(most) if *states == most => Comparison::Same(None),
        Ok(most) if *states < most => Comparison::Fewer(states.to_string()),
        _ => Comparison::Different(states.to_string()),
    }
}
