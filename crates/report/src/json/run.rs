//! Runs for programs: states, steps with what they change, the statements inside, how a run ends.

use base::GroupIx;
use engine::{Ending, Evidence};
use model::{Domain, Inside, Model, Mover, Passing, Signature, StatementNumber, Value as SlotValue};
use serde::Serialize;
use serde_json::{Map, Value};

use super::waiting::Standstill;
use crate::outcome::ending_name;

#[derive(Serialize)]
pub(super) struct Run {
    length: usize,
    initial: Map<String, Value>,
    steps: Vec<Step>,
    /// After so many steps the loop begins, in a run without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_from: Option<usize>,
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<RunError>,
    /// Who waits for what in the last state of a run to a deadlock.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<Standstill>,
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
        waiting: None,
    }
}

impl Run {
    /// The run of a model: where it ends in a deadlock, with who waits for what.
    pub(super) fn of_model(model: &dyn Model, evidence: &Evidence) -> Self {
        let (signature, witness) = (model.signature(), evidence.run());
        let is_stuck = matches!(witness.ending, Ending::Deadlock);
        let waiting = is_stuck.then(|| Standstill::new(signature, &model.waiting(witness.last())));
        Self { waiting, ..run(signature, evidence) }
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
