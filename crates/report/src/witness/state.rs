//! A state as people read it: arrays and channels as a whole, the variables of a process beside it, and
//! nothing of a process that is not there.
//!
//! The slots of a channel belong together by their roles ([`SlotRole`]). What else belongs together is told
//! by names. `a[0]`, `a[1]` and so on are the cells of an array. What begins with the name of a process and a
//! dot is the process's own. A process whose first place is called `-` comes and goes: where it stands there,
//! it does not exist.

use base::SlotIx;
use model::{Domain, Signature, SlotRole, Value};

use crate::words;

/// How far lines of a state reach.
pub const WIDEST: usize = 110;

/// The name of the place of a process that is not there.
const NOWHERE: &str = "-";

/// Slots that are one thing to a person.
enum Thing {
    Single(SlotIx),
    Array(Vec<SlotIx>),
    /// How many messages there are, and the cells of each field.
    Channel(SlotIx, Vec<Vec<SlotIx>>),
    /// Where a process stands that comes and goes.
    Process(SlotIx),
}

struct Named {
    name: String,
    thing: Thing,
    /// The process that it belongs to, if that comes and goes: where it stands.
    owner: Option<SlotIx>,
}

/// Whether the slot is where a process stands that comes and goes.
pub fn comes_and_goes(signature: &Signature, slot: SlotIx) -> bool {
    let is_place = signature.slots[slot.ix()].role == SlotRole::Location;
    let first = match &signature.type_of(slot).domain {
        Domain::Names(names) => names.first().map(String::as_str),
        _ => None,
    };
    is_place && first == Some(NOWHERE)
}

fn things(signature: &Signature) -> Vec<Named> {
    let name = |slot: SlotIx| signature.slots[slot.ix()].name.as_str();
    let role = |slot: SlotIx| &signature.slots[slot.ix()].role;
    let mut things: Vec<Named> = Vec::new();
    let processes: Vec<SlotIx> =
        signature.slot_ixs().filter(|&slot| comes_and_goes(signature, slot)).collect();
    // The slots of a process follow it.
    let mut process: Option<SlotIx> = None;
    let mut slots = signature.slot_ixs().peekable();
    while let Some(slot) = slots.next() {
        let is_place = *role(slot) == SlotRole::Location;
        if is_place {
            process = processes.binary_search(&slot).is_ok().then_some(slot);
        }
        let own = name(slot);
        let (name, thing) = if process == Some(slot) {
            (own.to_owned(), Thing::Process(slot))
        } else if let SlotRole::ChannelLength(channel) = role(slot) {
            let mut fields: Vec<Vec<SlotIx>> = Vec::new();
            while let Some(cell) = slots.next_if(|&next| field_of(channel, role(next)).is_some()) {
                let field = field_of(channel, role(cell)).unwrap_or_default();
                fields.resize(fields.len().max(field + 1), Vec::new());
                fields[field].push(cell);
            }
            (channel.to_string(), Thing::Channel(slot, fields))
        } else if let (Some(array), false) = (own.strip_suffix("[0]"), is_place) {
            let mut cells = vec![slot];
            while let Some(next) = slots.next_if(|&next| name(next) == format!("{array}[{}]", cells.len())) {
                cells.push(next);
            }
            (array.to_owned(), Thing::Array(cells))
        } else {
            (own.to_owned(), Thing::Single(slot))
        };
        let is_own = |process: &SlotIx| {
            let process = &signature.slots[process.ix()].name;
            name.strip_prefix(process.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        let owner = process.filter(|process| *process != slot && is_own(process));
        things.push(Named { name, thing, owner });
    }
    things
}

/// The field that a slot is of, if it is a cell of this channel.
fn field_of(channel: &str, role: &SlotRole) -> Option<usize> {
    match role {
        SlotRole::ChannelField { channel: own, field } if **own == *channel => Some(*field),
        _ => None,
    }
}

impl Named {
    fn slots(&self) -> Vec<SlotIx> {
        match &self.thing {
            Thing::Single(slot) | Thing::Process(slot) => vec![*slot],
            Thing::Array(cells) => cells.clone(),
            Thing::Channel(length, fields) => {
                std::iter::once(length).chain(fields.iter().flatten()).copied().collect()
            }
        }
    }

    fn value(&self, signature: &Signature, state: &[Value]) -> String {
        let show = |slot: &SlotIx| words::value(signature, *slot, state);
        match &self.thing {
            Thing::Single(slot) | Thing::Process(slot) => show(slot),
            Thing::Array(cells) => format!("[{}]", cells.iter().map(show).collect::<Vec<_>>().join(", ")),
            Thing::Channel(length, fields) => {
                let message = |at: usize| {
                    let values = fields.iter().filter_map(|cells| cells.get(at)).map(show);
                    values.collect::<Vec<_>>().join(",")
                };
                let messages: Vec<String> = (0..state[length.ix()] as usize).map(message).collect();
                format!("[{}]", messages.join(" | "))
            }
        }
    }

    /// The name as its owner calls it.
    fn own_name(&self, signature: &Signature) -> &str {
        let owner = self.owner.map_or(0, |owner| signature.slots[owner.ix()].name.len() + 1);
        &self.name[owner..]
    }
}

/// `name = value` of each thing; the variables of a process that comes and goes beside it, in parentheses.
pub fn equations(signature: &Signature, state: &[Value]) -> Vec<String> {
    let mut equations: Vec<String> = Vec::new();
    let mut own: Vec<String> = Vec::new();
    let is_there = |process: SlotIx| state[process.ix()] != 0;
    // Backwards: what a process has is known before the process is.
    for named in things(signature).iter().rev() {
        let value = named.value(signature, state);
        match (&named.thing, named.owner) {
            (Thing::Process(slot), _) => {
                own.reverse();
                if is_there(*slot) {
                    let beside =
                        if own.is_empty() { String::new() } else { format!(" ({})", own.join(", ")) };
                    equations.push(format!("{} at {value}{beside}", words::shown(&named.name)));
                }
                own.clear();
            }
            (_, Some(_)) => own.push(format!("{} = {value}", words::shown(named.own_name(signature)))),
            (_, None) => equations.push(format!("{} = {value}", words::shown(&named.name))),
        }
    }
    equations.reverse();
    equations
}

/// What is different in a second state. Where processes that come and go stand is told only if they are to
/// be.
pub fn changes(signature: &Signature, from: &[Value], to: &[Value], with_places: bool) -> Vec<String> {
    let mut changes: Vec<String> = Vec::new();
    for named in things(signature) {
        let slots = named.slots();
        let starts = |process: SlotIx| from[process.ix()] == 0 && to[process.ix()] != 0;
        let ends = |process: SlotIx| from[process.ix()] != 0 && to[process.ix()] == 0;
        if let Some(owner) = named.owner {
            // What it starts with is told there, and with it all is gone.
            if starts(owner) && slots.iter().any(|slot| to[slot.ix()] != 0) {
                let (name, value) = (named.own_name(signature), named.value(signature, to));
                if let Some(line) = changes.last_mut() {
                    let between = if line.ends_with(" starts") { " with" } else { "," };
                    *line += &format!("{between} {} = {value}", words::shown(name));
                }
            }
            if starts(owner) || ends(owner) {
                continue;
            }
        }
        if slots.iter().all(|slot| from[slot.ix()] == to[slot.ix()]) {
            continue;
        }
        let arrow =
            |name: &str, before: String, after: String| format!("{}: {before} → {after}", words::shown(name));
        match &named.thing {
            Thing::Process(slot) if starts(*slot) => {
                changes.push(format!("{} starts", words::shown(&named.name)))
            }
            Thing::Process(slot) if ends(*slot) => {
                changes.push(format!("{} ends", words::shown(&named.name)))
            }
            Thing::Process(_) if !with_places => {}
            Thing::Array(cells) => {
                for cell in cells.iter().filter(|cell| from[cell.ix()] != to[cell.ix()]) {
                    let (before, after) =
                        (words::value(signature, *cell, from), words::value(signature, *cell, to));
                    changes.push(arrow(&signature.slots[cell.ix()].name, before, after));
                }
            }
            _ => changes.push(arrow(&named.name, named.value(signature, from), named.value(signature, to))),
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::Source;
    use language::LoadOptions;
    use model::Model;

    use super::*;

    fn model(text: &str) -> Arc<dyn Model> {
        lang_promela::load(Arc::new(Source::new("m.pml", text)), &LoadOptions::default())
            .expect("it is a model")
            .model
    }

    #[test]
    fn a_state_is_told_by_processes_and_channels() {
        let model = model(
            "mtype = { go, stop }; chan q = [3] of { mtype, byte }; chan one = [2] of { bool }; byte a[2]; bool b = true;\n\
             proctype P(byte x) { chan own = [1] of { byte }; own!x; x = 2 }\ninit { q!go,3; run P(7); q!stop,0 }",
        );
        let signature = model.signature();
        let at = |name: &str| signature.slots.iter().position(|slot| slot.name == name).expect(name);
        let mut state = model.initial().to_vec();
        let first = ["q = []", "one = []", "a = [0, 0]", "b = true", ":init:[0] at line 3:8"];
        assert_eq!(equations(signature, &state), first);
        let from = state.clone();
        for (slot, value) in
            [("len(q)", 2), ("q.0[0]", 2), ("q.1[0]", 3), ("q.0[1]", 1), ("a[1]", 4), ("b", 0)]
        {
            state[at(slot)] = value;
        }
        for (slot, value) in [("P[1]", 1), ("P[1].x", 7), ("len(P[1].own)", 1), ("P[1].own[0]", 7)] {
            state[at(slot)] = value;
        }
        let told = equations(signature, &state);
        assert!(
            told.contains(&"q = [go,3 | stop,0]".into()) && told.contains(&"a = [0, 4]".into()),
            "{told:?}"
        );
        assert!(told.contains(&"P[1] at line 2:50 (x = 7, own = [7])".into()), "{told:?}");
        let changed = changes(signature, &from, &state, false);
        let expected = [
            "q: [] → [go,3 | stop,0]",
            "a[1]: 0 → 4",
            "b: true → false",
            "P[1] starts with x = 7, own = [7]",
        ];
        assert_eq!(changed, expected);
        assert!(changes(signature, &state, &from, false).contains(&"P[1] ends".into()));
        let mut moved = state.clone();
        (moved[at("P[1]")], moved[at("P[1].x")]) = (2, 2);
        assert_eq!(changes(signature, &state, &moved, false), ["P[1].x: 7 → 2"]);
        assert_eq!(changes(signature, &state, &moved, true).len(), 2);
    }

    /// Channels are known by roles, whatever a language calls their slots.
    #[test]
    fn a_channel_of_another_language_is_told_as_a_whole() {
        let text = "channel {byte, int} c[2]; byte a[2];\nprocess P { state s; init s; trans s -> s { sync c!{1, 2}; }; }\n\
                    process Q { byte x, y; state s; init s; trans s -> s { sync c?{x, y}; }; }\nsystem async;\n";
        let loaded = lang_dve::load(Arc::new(Source::new("m.dve", text)));
        let model = loaded.unwrap_or_else(|problems| panic!("{problems:?}")).model;
        let signature = model.signature();
        let mut state = model.initial().to_vec();
        let from = state.clone();
        let named = |name: &str| signature.slots.iter().position(|slot| slot.name == name).expect(name);
        for (slot, value) in [("c.count", 2), ("c.0[0]", 1), ("c.0[1]", 3), ("c.1[0]", 2), ("c.1[1]", 4)] {
            state[named(slot)] = value;
        }
        assert_eq!(changes(signature, &from, &state, true), ["c: [] → [1,2 | 3,4]"]);
        assert!(equations(signature, &state).contains(&"a = [0, 0]".into()));
    }
}
