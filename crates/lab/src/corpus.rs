//! `pinscher corpus`: runs all models of a folder whose answers are known, and tells where ours differ.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Source;
use engine::{BigUint, Control, Report, StopReason, Witness};
use model::LoadOptions;

use crate::corpus::comparison::{Comparison, can_be_asked, compare, counts_product};
use crate::corpus::spin::{compare_text, is_about_text, is_refused_for_c, is_verdict, language};
use crate::corpus::table as ;
use crate::corpus::table::Row;
use crate::corpus::tally::Tally;
use pinscher::languages as ;
use pinscher::languages::{Opened, by_extension};
use planner::method::{Choice, Method, choose};
use crate::options::Corpus;
use planner::plan::{Plan, Setup, Told};
use planner::questions::{Invariant, Questions};
use planner::failure::Failure;
use crate::corpus::{nets as corpus_nets, processes as corpus_processes, systems as corpus_systems};
use cli::interrupt;
use report::words;

/// Runs the folder; the exit code tells whether all was as expected.
pub(crate) fn run(options: &Corpus, out: &mut dyn Write) -> Result<u8, Failure> {
    let start = Instant::now();
    let method = match choose(&options.way, None, None)? {
        Choice::One(method) => method,
        // Models of known sizes, all of them small enough.
        Choice::Race([first, _]) => first,
    };
    let rows = corpus_table::read(&options.folder)?;
    let wanted = |path: &str| options.only.as_ref().is_none_or(|only| path.contains(only.as_str()));
    let mut tally = Tally::default();
    let mut files = Vec::new();
    find_files(&options.folder, &|extension| by_extension(extension).is_some(), &mut files)?;
    // Of some files the table says whether they parse.
    let told: HashSet<PathBuf> =
        rows.iter().filter(|row| is_told(row)).map(|row| options.folder.join(&row.model)).collect();
    files.retain(|path| !told.contains(path));
    for path in files.iter().filter(|path| wanted(&path.to_string_lossy())) {
        let model = path.strip_prefix(&options.folder).unwrap_or(path).to_string_lossy();
        if corpus_processes::is_process(&model) && !rows.iter().any(|row| row.model == model) {
            let run = corpus_processes::Run { options, method, model: &model, rows: &[] };
            cli::print(out, &words::shown_lines(&run.text(&mut tally, &settle)))?;
            continue;
        }
        match languages::open(path, None, false, &LoadOptions::default()) {
            Ok(_) => tally.parsed += 1,
            Err(failure) => {
                tally.unparsed += 1;
                let text = format!("DOES NOT PARSE {}\n{failure}", path.display());
                cli::print(out, &words::shown_lines(&text))?;
            }
        }
    }
    let mut models: Vec<&str> = rows.iter().map(|row| row.model.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    for model in models.into_iter().filter(|model| wanted(model)) {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.model == model).collect();
        rows.iter().filter(|row| !row.disputed).for_each(|row| tally.expect(row));
        if interrupt::flag().load(std::sync::atomic::Ordering::Relaxed) {
            tally.unfinished += 1;
            continue;
        }
        if model.ends_with(".pnml") {
            let way = corpus_nets::Way {
                time: options.time.map(Duration::from_secs_f64),
                memory: options.memory,
                threads: options.way.threads as usize,
                examination: options.examination.clone(),
            };
            let text = corpus_nets::text(&options.folder, model, &rows, &way, &mut tally, &settle);
            cli::print(out, &words::shown_lines(&text))?;
            continue;
        }
        if corpus_processes::is_process(model) {
            let run = corpus_processes::Run { options, method, model, rows: &rows };
            cli::print(out, &words::shown_lines(&run.text(&mut tally, &settle)))?;
            continue;
        }
        if corpus_systems::is_system(model) {
            let text = corpus_systems::text(options, model, &rows, &mut tally, &settle);
            cli::print(out, &words::shown_lines(&text))?;
            continue;
        }
        let size = known_size(&rows);
        let run = Run { options, method, model, rows, size };
        let mut text = String::new();
        if run.is_read(&mut text, &mut tally) && run.is_to_be_searched(&mut tally) {
            text += &run.text(&mut tally);
        }
        cli::print(out, &words::shown_lines(&text))?;
    }
    cli::print(out, &tally.show(start.elapsed()))?;
    if let Some(only) = options.only.as_ref().filter(|_| tally.compared_nothing()) {
        let models = if tally.too_large > 0 { "raise --max-states" } else { "correct the text, or leave --only out" };
        return Err(Failure::usage(format!("nothing was compared with --only {only}"), models));
    }
    Ok(tally.exit_code())
}

/// Whether a row says that a file is a model, or is not.
fn is_told(row: &Row) -> bool {
    is_about_text(row) || row.property == "linearises"
}

/// All files below a folder that end as wanted, in the order of their names.
pub(crate) fn find_files(
    folder: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
    found: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(folder.display(), &error);
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    entries.sort_unstable();
    for path in entries {
        if path.is_dir() {
            find_files(&path, is_wanted, found)?;
        } else if path.extension().and_then(|extension| extension.to_str()).is_some_and(is_wanted) {
            found.push(path);
        }
    }
    Ok(())
}

/// How many states the table says there are: an undisputed value, or else the greatest of the disputed.
fn known_size(rows: &[&Row]) -> Option<BigUint> {
    let sizes = |disputed: bool| {
        let rows = rows.iter().filter(move |row| row.property == "states" && row.disputed == disputed);
        rows.filter_map(|row| row.expected.trim().parse().ok())
    };
    sizes(false).max().or_else(|| sizes(true).max())
}

/// The run of one model.
struct Run<'a> {
    options: &'a Corpus,
    method: Method,
    model: &'a str,
    rows: Vec<&'a Row>,
    /// How many states the table says there are, if it does.
    size: Option<BigUint>,
}

impl Run<'_> {
    /// Whether the file is a model, as far as the table asks; tells how the rows about the text compare.
    fn is_read(&self, text: &mut String, tally: &mut Tally) -> bool {
        let about_text: Vec<&&Row> = self.rows.iter().filter(|row| is_about_text(row)).collect();
        if about_text.is_empty() {
            return true;
        }
        let opened = self.open();
        if opened.as_ref().is_err_and(is_refused_for_c) {
            tally.excepted += 1;
            if !self.options.quiet {
                *text += &format!("excepted {}: C code\n", self.model);
            }
            return false;
        }
        for row in about_text {
            *text += &settle(row, compare_text(row, &opened), tally);
        }
        opened.is_ok()
    }

    /// Whether a search can answer something, and not take too long.
    fn is_to_be_searched(&self, tally: &mut Tally) -> bool {
        if self.size.as_ref().is_some_and(|size| *size > BigUint::from(self.options.max_states)) {
            tally.too_large += 1;
            return false;
        }
        if !self.rows.iter().any(|row| !row.disputed && can_be_asked(&row.property)) && self.size.is_none() {
            tally.not_asked += self.rows.len();
            return false;
        }
        true
    }

    fn open(&self) -> Result<Opened, Failure> {
        let path = self.options.folder.join(self.model);
        let product = self.rows.iter().any(|row| counts_product(row));
        languages::open(&path, language(&path, &self.rows), product, &LoadOptions::default())
    }

    /// Runs the model and tells how its rows compare.
    fn text(&self, tally: &mut Tally) -> String {
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
        if let Some(reason) = report.stopped.as_ref().filter(|&reason| *reason != StopReason::EvaluationError) {
            let states = &report.statistics.states;
            // What was found to go wrong does so, however far the search went.
            for row in self.rows.iter().filter(|row| is_verdict(&row.property)) {
                text += &settle(row, compare(row, &report, None), tally);
            }
            match (reason, &self.size) {
                (StopReason::States, Some(size)) => {
                    tally.different += 1;
                    return text + &format!("DIFFERS {}: more than {states} states instead of {size}\n", self.model);
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
        if report.statistics.states <= BigUint::from(self.options.check_matrices_up_to) {
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
        if self.options.quiet && different == 0 { text } else { text + &line }
    }

    /// Runs the model again with its matrices checked; nothing else may change.
    fn check_matrices(&self, plain: &Report<Witness>, tally: &mut Tally) -> String {
        let counts = |report: &Report<Witness>| {
            let statistics = &report.statistics;
            (statistics.states.clone(), statistics.transitions.clone(), statistics.deadlocks.clone(), statistics.levels)
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

    fn explore(&self, check_matrices: bool) -> Result<Report<Witness>, Failure> {
        let opened = self.open()?;
        let asks_verdicts = self.rows.iter().any(|row| is_verdict(&row.property));
        let (deadlock, assertions) = (asks_verdicts, asks_verdicts);
        let questions = Questions { deadlock, assertions, invariants: self.invariants()?, ..Questions::default() };
        let asked = questions.ask(Arc::clone(&opened.loaded.model))?;
        let arrangement = self.options.arrange.wanted();
        let mut setup = Setup { find_all: true, told: Told::Numbers, check_matrices, arrangement, ..Setup::default() };
        setup.eval = self.options.eval;
        setup.limits.time = self.options.time.map(Duration::from_secs_f64);
        // Far more states than expected is a difference already; all of them could be too many.
        let most = match &self.size {
            Some(size) => u64::try_from(size * 2u32 + 1000u32).unwrap_or(u64::MAX),
            None => self.options.max_states,
        };
        // The symbolic engine finds many at once and keeps no such limit.
        setup.limits.states = Some(most).filter(|_| matches!(self.method, Method::Explicit(_)));
        let plan = Plan::new(asked, &setup)?;
        let control = Control::new(setup.engine_limits(plan.cache_bytes())).interrupted_by(interrupt::flag());
        plan.run(self.method, &control, None)
    }

    /// The predicates among the rows. That something is reachable is asked as the invariant that it is not.
    fn invariants(&self) -> Result<Vec<Invariant>, Failure> {
        let mut invariants: Vec<Invariant> = Vec::new();
        for row in &self.rows {
            let name = row.property.clone();
            if invariants.iter().any(|invariant| invariant.name == name) {
                continue;
            }
            if row.property.starts_with("reach:") {
                let source = Source::new(&*name, format!("!({})", row.formula));
                invariants.push(Invariant { name, source });
            } else if let Some(file) = row.property.strip_prefix("invariant:") {
                let path = self.options.folder.join(file);
                let text = std::fs::read_to_string(&path).map_err(|error| Failure::file(path.display(), &error))?;
                let source = Source::new(&*name, text);
                invariants.push(Invariant { name, source });
            }
        }
        Ok(invariants)
    }
}

/// Counts how a row compares; the answer is what there is to tell.
fn settle(row: &Row, comparison: Comparison, tally: &mut Tally) -> String {
    let Row { model, property, expected, source, .. } = row;
    match comparison {
        Comparison::NotAsked => {
            tally.not_asked += 1;
            String::new()
        }
        found if row.disputed => {
            tally.disputed += 1;
            let found = match found {
                Comparison::Different(found) | Comparison::Fewer(found) => found,
                _ => "the same".into(),
            };
            format!("disputed {model}: {property}: {expected} by {source}; found {found}\n")
        }
        Comparison::Same(note) => {
            tally.matches(row);
            note.map_or(String::new(), |note| format!("note {model}: {property}: {note}\n"))
        }
        Comparison::Fewer(found) => {
            tally.has_fewer(row);
            format!("fewer {model}: {property}: {found} of {expected} by {source}: another linearisation\n")
        }
        Comparison::Different(found) => {
            tally.differs(row);
            format!("DIFFERS {model}: {property}: {expected} by {source}; found {found}\n")
        }
    }
}
