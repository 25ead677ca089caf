//! One model with known answers: it is read, searched, and searched again with its matrices checked.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use base::Source;
use cli::Failure;
use engine::{BigUint, Report, StopReason};
use language::{Form, Monitor, Stated};
use pinscher::{LoadOptions, Loaded};
use planner::{Invariant, Plan, Questions};

use crate::corpus::answers::{can_be_asked, compare, counts_product};
use crate::corpus::comparison::settle;
use crate::corpus::searching::Searching;
use crate::corpus::spin::{compare_text, is_about_text, is_verdict, language};
use crate::corpus::table::Row;
use crate::corpus::tally::Tally;
use crate::{refusal, search};

/// How many states the table says there are: an undisputed value, or else the greatest of the disputed.
fn known_size(rows: &[&Row]) -> Option<BigUint> {
    let sizes = |disputed: bool| {
        let rows = rows.iter().filter(move |row| row.property == "states" && row.disputed == disputed);
        rows.filter_map(|row| row.expected.trim().parse().ok())
    };
    sizes(false).max().or_else(|| sizes(true).max())
}

/// One model and what is known of it.
struct KnownModel<'a> {
    searching: &'a Searching<'a>,
    model: &'a str,
    rows: &'a [&'a Row],
    /// How many states the table says there are, if it does.
    size: Option<BigUint>,
}

/// Compares a model with its rows; the answer tells of each difference, and how it went.
pub(crate) fn text(searching: &Searching<'_>, model: &str, rows: &[&Row], tally: &mut Tally) -> String {
    let subject = KnownModel { searching, model, rows, size: known_size(rows) };
    let mut text = String::new();
    if subject.is_read(&mut text, tally) && subject.is_to_be_searched(tally) {
        text += &subject.searched(tally);
    }
    text
}

impl KnownModel<'_> {
    /// Whether the file is a model, as far as the table asks; tells how the rows about the text compare.
    fn is_read(&self, text: &mut String, tally: &mut Tally) -> bool {
        let about_text: Vec<&&Row> = self.rows.iter().filter(|row| is_about_text(row)).collect();
        if about_text.is_empty() {
            return true;
        }
        let loaded = self.load();
        if loaded.as_ref().is_err_and(refusal::is_for_c) {
            tally.excepted += 1;
            if !self.searching.options.quiet {
                let _ = writeln!(text, "excepted {}: C code", self.model);
            }
            return false;
        }
        for row in about_text {
            *text += &settle(row, compare_text(row, &loaded), tally);
        }
        loaded.is_ok()
    }

    /// Whether a search can answer something, and not take too long.
    fn is_to_be_searched(&self, tally: &mut Tally) -> bool {
        if self.size.as_ref().is_some_and(|size| *size > BigUint::from(self.searching.options.max_states)) {
            tally.too_large += 1;
            return false;
        }
        if !self.rows.iter().any(|row| !row.disputed && can_be_asked(&row.property)) && self.size.is_none() {
            tally.not_asked += self.rows.len();
            return false;
        }
        true
    }

    fn load(&self) -> Result<Loaded, pinscher::Error> {
        let path = self.searching.options.folder.join(self.model);
        let language = language(&path, self.rows).map(str::to_owned);
        let options = LoadOptions { language, ..LoadOptions::default() };
        let loaded = pinscher::load(&path, &options)?;
        let is_process = |stated: &Stated| stated.form == Form::Monitor(Monitor::PropertyProcess);
        let has_process = loaded.stated.iter().any(is_process);
        if !has_process || !self.rows.iter().any(|row| counts_product(row)) {
            return Ok(loaded);
        }
        pinscher::load(&path, &LoadOptions { with_property: true, ..options })
    }

    /// Searches the model and tells how its rows compare.
    fn searched(&self, tally: &mut Tally) -> String {
        tally.run += 1;
        let start = Instant::now();
        let report = match self.explore(false) {
            Ok(report) => report,
            Err(failure) => {
                tally.different += 1;
                return format!("DIFFERS {}\n{failure}", self.model);
            }
        };
        let mut text = String::new();
        // A model that fails somewhere is explored to its end all the same.
        if let Some(reason) = report.stopped.as_ref().filter(|&reason| *reason != StopReason::EvaluationError)
        {
            let states = &report.statistics.states;
            // What was found to go wrong does so, however far the search went.
            for row in self.rows.iter().filter(|row| is_verdict(&row.property)) {
                text += &settle(row, compare(row, &report, None), tally);
            }
            match (reason, &self.size) {
                (StopReason::States, Some(size)) => {
                    tally.different += 1;
                    return text
                        + &format!("DIFFERS {}: more than {states} states instead of {size}\n", self.model);
                }
                (StopReason::States, None) => {
                    tally.too_large += 1;
                    return text;
                }
                _ => {}
            }
            tally.unfinished += 1;
            return text + &format!("not finished {}: {} after {states} states\n", self.model, reason.name());
        }
        let before = (tally.matched, tally.different);
        for row in self.rows.iter().filter(|row| !is_about_text(row)) {
            let answer = report.answers.iter().find(|answer| answer.property.name == row.property);
            text += &settle(row, compare(row, &report, answer), tally);
        }
        if report.statistics.states <= BigUint::from(self.searching.options.check_matrices_up_to) {
            text += &self.check_matrices(&report, tally);
        }
        let (matched, different) = (tally.matched - before.0, tally.different - before.1);
        let line = format!(
            "{} {}: {} states, {matched} of {} as expected, {:.1} s{}\n",
            if different == 0 { "ok" } else { "NOT" },
            self.model,
            report.statistics.states,
            matched + different,
            start.elapsed().as_secs_f64(),
            match &report.statistics.errors {
                Some(errors) if *errors > BigUint::ZERO => format!("; the model fails in {errors} states"),
                _ => String::new(),
            }
        );
        if self.searching.options.quiet && different == 0 { text } else { text + &line }
    }

    /// Runs the model again with its matrices checked; nothing else may change.
    fn check_matrices(&self, plain: &Report, tally: &mut Tally) -> String {
        let counts = |report: &Report| {
            let statistics = &report.statistics;
            (
                statistics.states.clone(),
                statistics.transitions.clone(),
                statistics.deadlocks.clone(),
                statistics.levels,
            )
        };
        tally.matrices_checked += 1;
        match self.explore(true) {
            Ok(checked) if checked.stopped != plain.stopped => {
                tally.matrices_checked -= 1;
                tally.unfinished += 1;
                format!("not finished {}: its matrices are not checked to the end\n", self.model)
            }
            Ok(checked) if counts(&checked) == counts(plain) => String::new(),
            Ok(_) => {
                tally.matrices_wrong += 1;
                format!("MATRICES {}: it counts otherwise when they are checked\n", self.model)
            }
            Err(failure) => {
                tally.matrices_wrong += 1;
                format!("MATRICES {}\n{failure}", self.model)
            }
        }
    }

    fn explore(&self, check_matrices: bool) -> Result<Report, Failure> {
        let loaded = self.load()?;
        let asks_verdicts = self.rows.iter().any(|row| is_verdict(&row.property));
        let (deadlock, assertions) = (asks_verdicts, asks_verdicts);
        let questions =
            Questions { deadlock, assertions, invariants: self.invariants()?, ..Questions::default() };
        let asked = questions.ask(Arc::clone(&loaded.model))?;
        // Far more states than expected is a difference already; all of them could be too many.
        let most = match &self.size {
            Some(size) => u64::try_from(size * 2u32 + 1000u32).unwrap_or(u64::MAX),
            None => self.searching.options.max_states,
        };
        let setup = self.searching.setup(&self.searching.engine, check_matrices, Some(most));
        search::run(&Plan::new(asked, &setup)?, &setup, None)
    }

    /// The predicates among the rows. That something is reachable is asked as the invariant that it is not.
    fn invariants(&self) -> Result<Vec<Invariant>, Failure> {
        let mut invariants: Vec<Invariant> = Vec::new();
        for row in self.rows {
            let name = row.property.clone();
            if invariants.iter().any(|invariant| invariant.name == name) {
                continue;
            }
            if row.property.starts_with("reach:") {
                let source = Source::new(&*name, format!("!({})", row.formula));
                invariants.push(Invariant { name, source });
            } else if let Some(file) = row.property.strip_prefix("invariant:") {
                let path = self.searching.options.folder.join(file);
                let text =
                    std::fs::read_to_string(&path).map_err(|error| Failure::file(path.display(), &error))?;
                let source = Source::new(&*name, text);
                invariants.push(Invariant { name, source });
            }
        }
        Ok(invariants)
    }
}
