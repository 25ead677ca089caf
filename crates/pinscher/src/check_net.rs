//! `pinscher check net.pnml --property FILE.xml`: the formulas of a file of the Model Checking Contest, each
//! with the firing sequence that shows it.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Ending, Step, Witness};
use lang_pnml::{PnmlNet, Query, Question};
use model::Successors;
use petri::TransitionIx;
use serde_json::{Value, json};

use crate::examine::{Finding, Found, Means, Room, formulas};
use crate::languages::Opened;
use crate::mcc::read_queries;
use crate::options::Check;
use crate::watch::{self, Watch};
use crate::{Failure, memory, processor, report_json, search, witness_text, words};

/// Whether a file of formulas about a net is asked for.
pub(crate) fn is_meant(options: &Check) -> bool {
    options.property.iter().any(|file| file.extension().is_some_and(|extension| extension == "xml"))
}

/// Checks, prints the report, answers the exit code.
pub(crate) fn run(options: &Check, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let started = Instant::now();
    let alone =
        options.property.iter().all(|file| file.extension().is_some_and(|extension| extension == "xml"));
    if options.deadlock || !options.invariant.is_empty() || !options.action.is_empty() || !alone {
        return Err(Failure::usage(
            "formulas of the contest are checked by themselves",
            "ask for the other properties in another run",
        ));
    }
    let until = options.search.time.map(|seconds| started + Duration::from_secs_f64(seconds));
    let memory = options.search.memory.or_else(memory::default_limit);
    let watch = Watch::until(until, memory);
    let opened = search::open_within(&watch, &options.input, options.search.quiet, errors)?;
    if opened.language.name != "pnml" {
        return Err(Failure::usage(
            format!("{} is no net, and formulas in .xml are about nets", opened.file_name),
            "write --invariant EXPR, or --property FILE.inv",
        ));
    }
    let (source, files) = (Arc::clone(&opened.source), options.property.clone());
    let read = watch.over(move || -> Result<_, Failure> {
        let net = lang_pnml::read(&source).map_err(|problems| Failure::text(&problems, &source))?;
        let queries =
            files.iter().map(|file| read_queries(file, &net)).collect::<Result<Vec<_>, _>>()?.concat();
        let mut names = HashSet::new();
        if let Some(query) = queries.iter().find(|query| !names.insert(&query.id)) {
            let message = format!("two formulas are called {}", words::shown(&query.id));
            return Err(Failure::usage(message, "check their files one by one"));
        }
        Ok((Arc::new(net), Arc::new(queries)))
    });
    let (net, queries) = read.map_err(|reason| watch::too_late(&reason))??;
    let room =
        Room { until, memory, threads: options.search.way.threads as usize, runs: true, means: Means::ALL };
    let mut findings: Vec<Finding> = Vec::new();
    let examined = {
        let (net, queries) = (Arc::clone(&net), Arc::clone(&queries));
        let work = move |tell: &mut dyn FnMut(Finding)| formulas(&net, &queries, &room, tell);
        watch.hearing(work, &mut |finding| findings.push(finding))
    };
    let why = examined.unwrap_or_else(|reason| Ok(Some(reason.name().to_owned())))?;
    let report = Checked { opened: &opened, net: &net, queries: &queries, findings: &findings, why, started };
    crate::print(out, &if options.json { report.json() } else { report.text() })?;
    Ok(report.verdict().1)
}

struct Checked<'a> {
    opened: &'a Opened,
    net: &'a PnmlNet,
    queries: &'a [Query],
    findings: &'a [Finding],
    /// Why not all was found out.
    why: Option<String>,
    started: Instant,
}

impl Checked<'_> {
    fn finding(&self, query: &Query) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == query.id)
    }

    /// Why a formula has no answer: its own reason, or that of them all.
    fn reason(&self, query: &Query) -> Option<String> {
        match &query.question {
            Question::TooLarge(reason) => Some(reason.clone()),
            Question::Temporal(_) => Some("formulas of CTL and LTL cannot be checked yet".to_owned()),
            _ => self.why.clone(),
        }
    }

    /// The verdict over all formulas, and the exit code. A bound that is known holds.
    fn verdict(&self) -> (&'static str, u8) {
        let found = |query| self.finding(query).map(|finding| &finding.found);
        if self.queries.iter().any(|query| found(query) == Some(&Found::Truth(false))) {
            ("violated", 1)
        } else if self.queries.iter().any(|query| found(query).is_none()) {
            ("unknown", 3)
        } else {
            ("holds", 0)
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for query in self.queries {
            let id = words::shown(&query.id);
            let _ = match self.finding(query) {
                Some(Finding { found: Found::Truth(truth), by, run, .. }) => {
                    let word = if *truth { "holds" } else { "violated" };
                    let run = run.as_ref().map_or(String::new(), |run| format!("{}; ", firings(run.len())));
                    writeln!(text, "{word:<9} {id}: {} ({run}{})", asked(&query.question), by.words())
                }
                Some(Finding { found: Found::Number(number), by, .. }) => {
                    writeln!(text, "{:<9} {id}: at most {number} ({})", "known", by.words())
                }
                None => {
                    let why = self.reason(query).unwrap_or_else(|| "it was not found out".to_owned());
                    writeln!(
                        text,
                        "{:<9} {id}: {} ({})",
                        "unknown",
                        asked(&query.question),
                        words::shown(&why)
                    )
                }
            };
        }
        let _ = writeln!(
            text,
            "\n{:<12} {} places, {} transitions\n{:<12} {:.2} s ({:.2} s to load)",
            "net",
            self.net.net.places.len(),
            self.net.net.transitions.len(),
            "time",
            self.started.elapsed().as_secs_f64(),
            self.opened.time.as_secs_f64()
        );
        let signature = self.opened.loaded.model.signature();
        for query in self.queries {
            if let Some(run) = self.finding(query).and_then(|finding| finding.run.as_ref())
                && let Some(witness) = self.witness(run)
            {
                let _ = write!(text, "\n{}: {}\n", words::shown(&query.id), firings(run.len()));
                text += &witness_text::body(signature, &witness);
            }
        }
        text
    }

    fn json(&self) -> String {
        let signature = self.opened.loaded.model.signature();
        let property = |query: &Query| -> Value {
            let finding = self.finding(query);
            let (verdict, value) = match finding.map(|finding| &finding.found) {
                Some(Found::Truth(true)) => ("holds", Value::Null),
                Some(Found::Truth(false)) => ("violated", Value::Null),
                Some(Found::Number(number)) => ("holds", Value::from(number.as_str())),
                None => ("unknown", Value::Null),
            };
            let run = finding.and_then(|finding| finding.run.as_ref()).and_then(|run| self.witness(run));
            json!({
                "name": query.id,
                "verdict": verdict,
                "reason": finding.is_none().then(|| self.reason(query)).flatten(),
                "value": value,
                "by": finding.map(|finding| finding.by.words()),
                "witness": run.map(|run| report_json::witness(signature, &run)),
            })
        };
        let (verdict, _) = self.verdict();
        let report = json!({
            "schema": "pinscher/1",
            "model": self.opened.file_name,
            "language": self.opened.language.name,
            "engine": "auto",
            "strategy": "formulas",
            "verdict": verdict,
            "reason": (verdict == "unknown").then(|| self.why.clone()).flatten(),
            "explored": Value::Null,
            "transitions": Value::Null,
            "levels": Value::Null,
            "deadlocks": Value::Null,
            "properties": self.queries.iter().map(property).collect::<Vec<_>>(),
            "seconds": {
                "load": self.opened.time.as_secs_f64(),
                "search": (self.started.elapsed().saturating_sub(self.opened.time)).as_secs_f64(),
                "cpu": processor::seconds(),
            },
            "memory_bytes": memory::peak(),
            "nodes": Value::Null,
            "version": env!("CARGO_PKG_VERSION"),
        });
        format!("{report:#}\n")
    }

    /// A firing sequence as a run of the model; none where it is none.
    fn witness(&self, run: &[TransitionIx]) -> Option<Witness> {
        let model = &self.opened.loaded.model;
        let mut stepper = model.stepper();
        let mut state = model.initial().to_vec();
        let mut steps = Vec::with_capacity(run.len());
        let mut successors = Successors::new(state.len());
        for &group in run {
            successors.clear();
            stepper.group(group, &state, &mut successors).ok()?;
            let next = successors.iter().next()?;
            state = next.state.to_vec();
            steps.push(Step { group, action: next.action, state: state.clone(), inside: Vec::new() });
        }
        Some(Witness { initial: model.initial().to_vec(), steps, ending: Ending::Label })
    }
}

fn firings(count: usize) -> String {
    match count {
        0 => "the initial marking shows it".to_owned(),
        1 => "1 firing shows it".to_owned(),
        count => format!("{count} firings show it"),
    }
}

/// What kind of question it is, in words.
fn asked(question: &Question) -> &'static str {
    match question {
        Question::Possible(_) => "such a marking can be reached",
        Question::Always(_) => "all reachable markings are so",
        Question::Initially(_) => "the initial marking is so",
        Question::Bound(_) => "the most tokens",
        Question::Deadlock => "a deadlock can be reached",
        Question::NoDeadlock => "no deadlock can be reached",
        Question::Temporal(_) => "a formula of temporal logic",
        Question::TooLarge(_) => "a formula",
    }
}
