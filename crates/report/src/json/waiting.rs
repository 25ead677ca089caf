//! Who waits for what, for programs.

use model::Signature;
use model::waiting::{Blocked, Reason, Waiter, Waiting};
use serde::Serialize;

use crate::waiting::because;

/// What stands still in a state without successors.
#[derive(Serialize)]
pub(super) struct Standstill {
    waiters: Vec<Who>,
    /// How many more wait.
    others: usize,
    /// Who waits for whom in a circle, by names: the last one for the first.
    cycles: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct Who {
    name: String,
    /// Where a process stands; null for a group.
    at: Option<String>,
    statements: Vec<Statement>,
    waits_for: Vec<String>,
}

#[derive(Serialize)]
struct Statement {
    statement: String,
    places: Vec<String>,
    reasons: Vec<Why>,
}

#[derive(Serialize)]
struct Why {
    kind: &'static str,
    text: String,
    /// The condition, channel, process, place or action that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Holds>,
    /// How many tokens a place lacks, or has too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<u64>,
}

#[derive(Serialize)]
struct Holds {
    slot: String,
    value: String,
}

impl Standstill {
    pub(super) fn new(signature: &Signature, waiting: &Waiting) -> Self {
        let name = |&at: &usize| waiting.waiters[at].name.clone();
        let who = |waiter: &Waiter| Who {
            name: waiter.name.clone(),
            at: waiter.place.clone(),
            statements: waiter.statements.iter().map(|blocked| statement(signature, blocked)).collect(),
            waits_for: waiter.waits_for.iter().map(name).collect(),
        };
        Self {
            waiters: waiting.waiters.iter().map(who).collect(),
            others: waiting.others,
            cycles: waiting.cycles().iter().map(|cycle| cycle.iter().map(name).collect()).collect(),
        }
    }
}

fn statement(signature: &Signature, blocked: &Blocked) -> Statement {
    let mut places: Vec<String> = Vec::new();
    for place in blocked.spans.iter().filter_map(|&span| signature.place(span)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Statement { statement: blocked.name.clone(), places, reasons: blocked.reasons.iter().map(why).collect() }
}

fn why(reason: &Reason) -> Why {
    let (kind, about, tokens) = match reason {
        Reason::False { condition, .. } => ("condition", Some(condition), None),
        Reason::Full { channel, .. } => ("full", Some(channel), None),
        Reason::Empty { channel } => ("empty", Some(channel), None),
        Reason::Partner { process, .. } => ("partner", Some(process), None),
        Reason::Tokens { place, needed, there } => {
            ("tokens", Some(place), Some(needed.saturating_sub(*there)))
        }
        Reason::TooManyTokens { place, most, there } => {
            ("too-many-tokens", Some(place), Some(there.saturating_sub(*most)))
        }
        Reason::NoValue => ("no-value", None, None),
        Reason::NotAllowed { action } => ("not-allowed", Some(action), None),
    };
    let values = match reason {
        Reason::False { values, .. } => values.as_slice(),
        _ => &[],
    };
    let values =
        values.iter().map(|(slot, value)| Holds { slot: slot.clone(), value: value.clone() }).collect();
    Why { kind, text: because(reason), about: about.cloned(), values, tokens }
}
