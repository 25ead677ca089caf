//! The report for programs: one JSON object, schema `pinscher/1`. Counts can pass 2^53 and are strings.

use base::GroupIx;
use engine::{Answer, BigUint, Ending, Evidence, Statistics, Verdict};
use model::{Domain, Inside, Mover, Passing, Signature, StatementNumber, Value as SlotValue};
use serde::Serialize;
use serde_json::{Map, Value};

use machine::processor;

use layers::CacheFigures;

use crate::outcome::{Outcome, SearchFigures, ending_name};

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

#[derive(Serialize)]
struct Run {
    length: usize,
    initial: Map<String, Value>,
    steps: Vec<Step>,
    /// After so many steps the loop begins, in a run without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_from: Option<usize>,
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<RunError>,
}

#[derive(Serialize)]
struct Step {
    action: String,
    group: String,
    places: Vec<String>,
    changes: Vec<Change>,
    state: Map<String, Value>,
    /// The statements that the step is made of, where the language tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inside: Vec<Statement>,
}

#[derive(Serialize)]
struct Statement {
    action: String,
    processes: Vec<Process>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
    changes: Vec<Change>,
}

/// A process that moves.
#[derive(Serialize)]
struct Process {
    process: u32,
    name: String,
    statement: String,
    place: Option<String>,
    /// The number that other tools for the language give to the statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
}

#[derive(Serialize)]
struct Message {
    channel: String,
    /// `sent`, `received`, `seen` or `handed`.
    passing: &'static str,
    values: Vec<String>,
}

#[derive(Serialize)]
struct Change {
    slot: String,
    from: Value,
    to: Value,
}

#[derive(Serialize)]
struct RunError {
    message: String,
    place: Option<String>,
    group: Option<String>,
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
        witness: answer.evidence.as_ref().map(|evidence| run(outcome.signature(), evidence)),
    }
}

/// What shows a verdict, as a value of its own.
pub fn evidence_json(signature: &Signature, evidence: &Evidence) -> Value {
    serde_json::to_value(run(signature, evidence)).expect("BUG: a run has only string keys")
}

fn run(signature: &Signature, evidence: &Evidence) -> Run {
    let witness = evidence.run();
    let mut before = &witness.initial;
    let steps = witness
        .steps
        .iter()
        .map(|step| {
            let changes = changes(signature, before, &step.state);
            let inside = inside(signature, before, &step.inside);
            before = &step.state;
            Step {
                action: signature.show_action(step.action).into_owned(),
                group: signature.groups[step.group.ix()].name.clone(),
                places: places(signature, step.group),
                changes,
                state: state(signature, &step.state),
                inside,
            }
        })
        .collect();
    let error = match &witness.ending {
        Ending::Error { error, group } => Some(RunError {
            message: error.to_string(),
            place: error.span.and_then(|span| signature.place(span)),
            group: group.map(|group| signature.groups[group.ix()].name.clone()),
        }),
        _ => None,
    };
    let (length, initial) = (witness.steps.len(), state(signature, &witness.initial));
    Run {
        length,
        initial,
        steps,
        loop_from: evidence.loop_from(),
        ending: ending_name(&witness.ending),
        error,
    }
}

fn changes(signature: &Signature, before: &[SlotValue], after: &[SlotValue]) -> Vec<Change> {
    let changed = signature.slot_ixs().filter(|slot| before[slot.ix()] != after[slot.ix()]);
    changed
        .map(|slot| Change {
            slot: signature.slots[slot.ix()].name.clone(),
            from: value(signature, slot.ix(), before),
            to: value(signature, slot.ix(), after),
        })
        .collect()
}

/// The statements of a step; none where nobody knows who moves.
fn inside<'a>(signature: &Signature, mut before: &'a [SlotValue], inside: &'a [Inside]) -> Vec<Statement> {
    if inside.iter().any(|one| one.movers.is_empty()) {
        return Vec::new();
    }
    let statement = |one: &Inside, changes: Vec<Change>| Statement {
        action: one.action.clone(),
        processes: one
            .movers
            .iter()
            .enumerate()
            .map(|(at, mover)| process(signature, one, at, mover))
            .collect(),
        message: one.message.as_ref().map(|message| Message {
            channel: message.channel.clone(),
            passing: match message.passing {
                Passing::Sent => "sent",
                Passing::Received => "received",
                Passing::Seen => "seen",
                Passing::Handed => "handed",
            },
            values: message.values.clone(),
        }),
        changes,
    };
    let mut statements = Vec::with_capacity(inside.len());
    for one in inside {
        statements.push(statement(one, changes(signature, before, &one.state)));
        before = &one.state;
    }
    statements
}

fn process(signature: &Signature, inside: &Inside, at: usize, mover: &Mover) -> Process {
    Process {
        process: mover.process,
        name: mover.name.clone(),
        statement: mover.words.clone(),
        place: inside.spans.get(at).and_then(|&span| signature.place(span)),
        number: match mover.statement {
            StatementNumber::Known(number) => Some(number),
            StatementNumber::Unknown | StatementNumber::Part => None,
        },
    }
}

/// `file:line` of each place of a group, each once, the file as it was named.
fn places(signature: &Signature, group: GroupIx) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for place in signature.groups[group.ix()].spans.iter().filter_map(|&span| signature.place(span)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// A state by the names of its slots.
pub fn state_json(signature: &Signature, state: &[SlotValue]) -> Map<String, Value> {
    self::state(signature, state)
}

fn state(signature: &Signature, state: &[SlotValue]) -> Map<String, Value> {
    signature
        .slots
        .iter()
        .enumerate()
        .map(|(at, slot)| (slot.name.clone(), value(signature, at, state)))
        .collect()
}

/// Numbers stay numbers; all other values are what a person reads.
fn value(signature: &Signature, at: usize, state: &[SlotValue]) -> Value {
    let ty = &signature.types[signature.slots[at].ty.ix()];
    match ty.domain {
        Domain::Range { .. } => Value::from(state[at].cast_signed()),
        _ => Value::from(ty.show(state[at]).into_owned()),
    }
}
