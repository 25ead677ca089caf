//! Process algebra with known answers: each text is linearised and explored, its transition system reduced,
//! and that compared. How many states there are before depends on how a tool linearises; there must be no
//! more of them than others have.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{BigUint, Control, Report, StopReason, Witness};
use lts::{Lts, Recorder};
use model::LoadOptions;

use crate::corpus::comparison::Comparison;
use crate::corpus::table::Row;
use crate::corpus::tally::Tally;
use pinscher::languages as ;
use pinscher::languages::Opened;
use planner::method::Method;
use crate::options::Corpus;
use planner::plan::{Plan, Setup, Told};
use planner::questions::Questions;
use planner::failure::Failure;
use cli::interrupt;

/// Bytes that a transition system may take.
const MOST_BYTES: u64 = 4 << 30;

/// How what cannot be analysed yet is refused: time and probability.
const NOT_YET: &str = "is not analysed yet";
/// How a text that is only a part of a specification is refused.
const NO_INIT: &str = "there is no init";

/// Whether a file is a text of process algebra.
pub(crate) fn is_process(path: &str) -> bool {
    path.ends_with(".mcrl2") || path.ends_with(".mcrl")
}

/// The run of one text.
pub(crate) struct Run<'a> {
    pub(crate) options: &'a Corpus,
    pub(crate) method: Method,
    pub(crate) model: &'a str,
    pub(crate) rows: &'a [&'a Row],
}

/// What became of the search.
enum Explored {
    All { states: BigUint, system: Box<Lts> },
    Stopped(StopReason, BigUint),
}

impl Run<'_> {
    /// Runs the text; the answer tells of each difference, and how it went.
    pub(crate) fn text(&self, tally: &mut Tally, settle: &dyn Fn(&Row, Comparison, &mut Tally) -> String) -> String {
        let start = Instant::now();
        let path = self.options.folder.join(self.model);
        let opened = languages::open(&path, None, false, &LoadOptions::default());
        if let Err(failure) = &opened
            && (is_not_yet(failure) || self.is_fragment(failure))
        {
            tally.excepted += 1;
            let why = failure.to_string();
            return match self.options.quiet {
                true => String::new(),
                false => format!("excepted {}: {}\n", self.model, why.lines().next().unwrap_or_default()),
            };
        }
        let mut text = String::new();
        for row in self.rows.iter().filter(|row| row.property == "linearises") {
            text += &settle(row, linearises(row, &opened), tally);
        }
        let opened = match opened {
            Ok(opened) => opened,
            Err(failure) => {
                let must = self.rows.iter().any(|row| row.property == "linearises" && row.expected == "no");
                if must {
                    return text;
                }
                tally.unparsed += usize::from(self.rows.is_empty());
                return text + &format!("DOES NOT LOAD {}\n{failure}", self.model);
            }
        };
        tally.run += 1;
        let before = (tally.matched, tally.fewer, tally.different);
        match self.explored(&opened, tally) {
            Err(failure) => {
                tally.different += 1;
                let _ = write!(text, "DIFFERS {}\n{failure}", self.model);
            }
            Ok(Explored::Stopped(reason, states)) => {
                tally.unfinished += 1;
                let _ = writeln!(text, "not finished {}: {} after {states} states", self.model, reason.name());
            }
            Ok(Explored::All { states, system }) => {
                let (told, reduced) = self.compared(&states, &system, tally, settle);
                text += &told;
                let (matched, fewer) = (tally.matched - before.0, tally.fewer - before.1);
                let different = tally.different - before.2;
                let word = if different == 0 { "ok" } else { "NOT" };
                if !self.options.quiet || different > 0 {
                    let seconds = start.elapsed().as_secs_f64();
                    let _ = write!(text, "{word} {}: {states} states, ", self.model);
                    let _ = match (matched + fewer + different, fewer) {
                        (0, _) => writeln!(text, "{reduced}, {seconds:.1} s"),
                        (of, 0) => writeln!(text, "{matched} of {of} as expected, {seconds:.1} s"),
                        (of, _) => {
                            writeln!(text, "{matched} of {of} as expected, {fewer} fewer; {reduced}, {seconds:.1} s")
                        }
                    };
                }
            }
        }
        text
    }

    /// How the rows compare, and what is left of the system modulo strong bisimilarity.
    fn compared(
        &self,
        states: &BigUint,
        system: &Lts,
        tally: &mut Tally,
        settle: &dyn Fn(&Row, Comparison, &mut Tally) -> String,
    ) -> (String, String) {
        let mut text = String::new();
        let small =
            match lts::strong::reduce(system, &mut || interrupt::flag().load(std::sync::atomic::Ordering::Relaxed)) {
                Ok(small) => small,
                Err(stopped) => {
                    tally.unfinished += 1;
                    return (format!("not finished {}: {stopped}\n", self.model), "not reduced".to_owned());
                }
            };
        for row in self.rows {
            let same = |found: String| match row.expected.trim() == found {
                true => Comparison::Same(None),
                false => Comparison::Different(found),
            };
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
        (text, format!("{states} states, {transitions} transitions, {deadlocks} deadlocks modulo strong bisimilarity"))
    }

    /// Whether the text is only a part of a specification, and no row says that it is a whole one.
    fn is_fragment(&self, failure: &Failure) -> bool {
        let Failure::Text(text) = failure else { return false };
        self.rows.is_empty() && text.contains(NO_INIT)
    }

    /// The transition system, by explicit search. The symbolic engine, if it is asked for, and the search
    /// that checks matrices must find as many states and deadlocks.
    fn explored(&self, opened: &Opened, tally: &mut Tally) -> Result<Explored, Failure> {
        let explicit = match self.method {
            Method::Explicit(_) => self.method,
            Method::Symbolic(_) => Method::Explicit(explicit::Options::default()),
        };
        let plan = self.plan(opened, false)?;
        let top = plan.top(explicit)?;
        let mut recorder = Recorder::new(&*top, MOST_BYTES);
        let report = plan.run(explicit, &self.control(&plan), Some(&mut recorder))?;
        let states = report.statistics.states.clone();
        if let Some(reason) = report.stopped {
            return Ok(Explored::Stopped(reason, states));
        }
        let Ok(system) = recorder.finish() else { return Ok(Explored::Stopped(StopReason::Memory, states)) };
        if self.method != explicit {
            let other = plan.run(self.method, &self.control(&plan), None)?;
            match other.stopped {
                Some(reason) => return Ok(Explored::Stopped(reason, other.statistics.states)),
                None => self.must_agree(&system, &states, &other, "symbolic")?,
            }
        }
        if states <= BigUint::from(self.options.check_matrices_up_to) {
            tally.matrices_checked += 1;
            let plan = self.plan(opened, true)?;
            let checked = plan.run(explicit, &self.control(&plan), None)?;
            match checked.stopped {
                Some(_) => tally.matrices_checked -= 1,
                None => self.must_agree(&system, &states, &checked, "with matrices checked")?,
            }
        }
        Ok(Explored::All { states, system: Box::new(system) })
    }

    fn plan(&self, opened: &Opened, check_matrices: bool) -> Result<Plan, Failure> {
        let asked = Questions { deadlock: true, ..Questions::default() }.ask(Arc::clone(&opened.loaded.model))?;
        Plan::new(asked, &self.setup(check_matrices))
    }

    fn control(&self, plan: &Plan) -> Control {
        let mut setup = self.setup(false);
        // The symbolic engine keeps no limit of states.
        setup.limits.states = Some(self.options.max_states);
        Control::new(setup.engine_limits(plan.cache_bytes())).interrupted_by(interrupt::flag())
    }

    fn setup(&self, check_matrices: bool) -> Setup {
        let arrangement = self.options.arrange.wanted();
        let mut setup = Setup { find_all: true, told: Told::Numbers, check_matrices, arrangement, ..Setup::default() };
        setup.eval = self.options.eval;
        setup.limits.time = self.options.time.map(Duration::from_secs_f64);
        setup
    }

    fn must_agree(&self, system: &Lts, states: &BigUint, other: &Report<Witness>, how: &str) -> Result<(), Failure> {
        let deadlocks = BigUint::from(system.deadlocks());
        let (others, their_deadlocks) = (&other.statistics.states, other.statistics.deadlocks.as_ref());
        if others == states && their_deadlocks.is_none_or(|theirs| *theirs == deadlocks) {
            return Ok(());
        }
        let theirs = their_deadlocks.map_or_else(|| "?".to_owned(), ToString::to_string);
        let found = format!("{}: {how} {others} states, {theirs} deadlocks", self.model);
        Err(Failure::usage(format!("{found} instead of {states} and {deadlocks}"), "one of the engines is wrong"))
    }
}

fn is_not_yet(failure: &Failure) -> bool {
    let Failure::Text(text) = failure else { return false };
    let errors = text.lines().filter(|line| line.starts_with("error")).count();
    let not_yet = text.matches(NOT_YET).count();
    not_yet > 0 && not_yet == errors
}

fn linearises(row: &Row, opened: &Result<Opened, Failure>) -> Comparison {
    match (row.expected.as_str(), opened) {
        ("yes", Ok(_)) | ("no", Err(_)) => Comparison::Same(None),
        // The other tool came to no end, which says nothing of the text.
        ("no", Ok(_)) if gives_no_reason(row) => Comparison::NotAsked,
        (_, Ok(_)) => Comparison::Different("yes".to_owned()),
        (_, Err(failure)) => Comparison::Different(failure.to_string().lines().next().unwrap_or_default().to_owned()),
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
