//! The report for programs: one JSON object, schema `pinscher/1`. Counts can pass 2^53 and are strings.

mod run;
mod waiting;

use engine::{Answer, BigUint, Statistics, Verdict};
use serde::Serialize;

use machine::processor;

use layers::CacheFigures;

pub use self::run::{evidence_json, state_json};

use self::run::Run;
use crate::outcome::{Outcome, SearchFigures};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    model: &'a str,
    language: &'a str,
    /// The engine that searched; none where nothing was searched.
    engine: Option<&'a str>,
    strategy: Option<&'a str>,
    threads: Option<usize>,
    /// Why it was this engine, where nobody asked for one.
    choice: Option<&'static str>,
    verdict: &'static str,
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explored: Option<String>,
    transitions: Option<String>,
    levels: Option<u64>,
    deadlocks: Option<String>,
    properties: Vec<Property<'a>>,
    /// The searches that answered something, where properties were answered one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    searches: Vec<Search<'a>>,
    seconds: Seconds,
    memory_bytes: u64,
    /// Bytes that the states themselves take, where each is kept.
    stored_bytes: Option<u64>,
    nodes: Option<u64>,
    diagrams: Option<Diagrams>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache: Option<Cache<'a>>,
    version: &'static str,
}

#[derive(Serialize)]
struct Property<'a> {
    name: &'a str,
    verdict: &'static str,
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
    violations: Option<String>,
    /// The quantity that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// How it was found out, where that is not simply the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    witness: Option<Run>,
}

/// One search among several, of a net that may have been made smaller.
#[derive(Serialize)]
struct Search<'a> {
    engine: &'static str,
    strategy: &'static str,
    threads: usize,
    reduced: bool,
    slots: usize,
    groups: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explored: Option<String>,
    stored_bytes: Option<u64>,
    nodes: Option<u64>,
    diagrams: Option<Diagrams>,
    cache: Cache<'a>,
    seconds: f64,
}

/// The cache of local transitions: off, thread or shared.
#[derive(Serialize)]
struct Cache<'a> {
    mode: &'static str,
    /// Why it is this mode, where nobody asked for one.
    why: Option<&'a str>,
    /// Calls for a group that were looked up.
    asked: String,
    /// Those that the cache answered.
    hits: String,
    bytes: u64,
}

/// Numbers of decision diagrams. Calls of the model are next-state calls unless they are said to be others.
#[derive(Serialize)]
struct Diagrams {
    peak_nodes: u64,
    relation_nodes: u64,
    short_vectors: String,
    next_state_calls: String,
    guard_calls: String,
    label_calls: String,
    collections: u64,
    seconds: Phases,
}

#[derive(Serialize)]
struct Phases {
    reaching: f64,
    learning: f64,
    answering: f64,
    witnesses: f64,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    search: f64,
    /// Of the processors, for the whole process until now.
    cpu: Option<f64>,
}

/// The report: one object, with a line end.
pub fn json(outcome: &Outcome) -> String {
    let none = Statistics::default();
    let statistics = outcome.statistics.as_ref().unwrap_or(&none);
    let is_searched = outcome.statistics.is_some();
    let when_complete =
        |count: Option<&BigUint>| count.filter(|_| outcome.is_complete()).map(BigUint::to_string);
    let verdict = outcome.verdict();
    let report = Report {
        schema: "pinscher/1",
        model: &outcome.file_name,
        language: outcome.language,
        engine: engine(outcome),
        strategy: (is_searched || outcome.strategy == Outcome::FORMULAS).then_some(outcome.strategy),
        threads: is_searched.then_some(outcome.threads),
        choice: outcome.why,
        verdict: verdict.name(),
        reason: reason(&verdict),
        states: when_complete(is_searched.then_some(&statistics.states)),
        explored: (is_searched && !outcome.is_complete()).then(|| statistics.states.to_string()),
        transitions: when_complete(statistics.transitions.as_ref()),
        levels: statistics.levels.filter(|_| outcome.is_complete()),
        deadlocks: when_complete(statistics.deadlocks.as_ref()),
        properties: outcome.answers.iter().map(|answer| property(outcome, answer)).collect(),
        searches: outcome.searches.iter().map(search).collect(),
        seconds: Seconds {
            load: outcome.load_time.as_secs_f64(),
            search: outcome.time.as_secs_f64(),
            cpu: processor::seconds(),
        },
        memory_bytes: outcome.memory(),
        stored_bytes: statistics.stored,
        nodes: statistics.diagrams.as_ref().map(|diagrams| diagrams.nodes),
        diagrams: statistics.diagrams.as_ref().map(diagrams),
        cache: outcome.cache.as_ref().map(cache),
        version: env!("CARGO_PKG_VERSION"),
    };
    let mut text = serde_json::to_string_pretty(&report).expect("BUG: the report has only string keys");
    text.push('\n');
    text
}

/// The engine that searched; `auto` where it was one for some of the properties and another one for others.
fn engine(outcome: &Outcome) -> Option<&'static str> {
    if outcome.statistics.is_some() {
        return Some(outcome.engine);
    }
    let techniques = outcome.answers.iter().filter_map(|answer| answer.technique);
    let mut engines = techniques.filter_map(|technique| technique.engine().map(|engine| engine.name));
    let first = engines.next()?;
    Some(if engines.all(|engine| engine == first) { first } else { "auto" })
}

fn search(figures: &SearchFigures) -> Search<'_> {
    let SearchFigures { engine, is_reduced, slots, groups, statistics, is_complete, cache: cached } = figures;
    let states = || statistics.states.to_string();
    Search {
        engine: engine.name,
        strategy: engine.strategy,
        threads: engine.threads,
        reduced: *is_reduced,
        slots: *slots,
        groups: *groups,
        states: is_complete.then(states),
        explored: (!is_complete).then(states),
        stored_bytes: statistics.stored,
        nodes: statistics.diagrams.as_ref().map(|diagrams| diagrams.nodes),
        diagrams: statistics.diagrams.as_ref().map(diagrams),
        cache: cache(cached),
        seconds: statistics.time.as_secs_f64(),
    }
}

fn diagrams(diagrams: &engine::Diagrams) -> Diagrams {
    Diagrams {
        peak_nodes: diagrams.peak_nodes,
        relation_nodes: diagrams.relation_nodes,
        short_vectors: diagrams.short_vectors.to_string(),
        next_state_calls: diagrams.next_state_calls.to_string(),
        guard_calls: diagrams.guard_calls.to_string(),
        label_calls: diagrams.label_calls.to_string(),
        collections: diagrams.collections,
        seconds: Phases {
            reaching: diagrams.reaching.as_secs_f64(),
            learning: diagrams.learning.as_secs_f64(),
            answering: diagrams.answering.as_secs_f64(),
            witnesses: diagrams.witnesses.as_secs_f64(),
        },
    }
}

fn cache(figures: &CacheFigures) -> Cache<'_> {
    Cache {
        mode: figures.mode,
        why: figures.why.as_deref(),
        asked: figures.asked.to_string(),
        hits: figures.hits.to_string(),
        bytes: figures.bytes,
    }
}

fn reason(verdict: &Verdict) -> Option<&'static str> {
    verdict.reason().map(engine::StopReason::name)
}

fn property<'a>(outcome: &Outcome, answer: &'a Answer) -> Property<'a> {
    Property {
        name: &answer.property.name,
        verdict: answer.verdict.name(),
        reason: reason(&answer.verdict),
        explanation: answer.verdict.reason().map(|reason| outcome.explain(reason)),
        violations: answer.violations.as_ref().map(BigUint::to_string),
        value: answer.value.as_ref().map(ToString::to_string),
        by: answer.technique.map(engine::Technique::words),
        witness: answer.evidence.as_ref().map(|evidence| Run::of_model(&*outcome.model, evidence)),
    }
}
