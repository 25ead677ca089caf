//! A run of the model in the words of its source: steps with their places, what each changed, the last state.

use std::fmt::Write as _;

use base::{Diagnostic, GroupIx, SlotIx};
use engine::{Ending, Witness};
use model::{EvalError, Signature, Value};

/// How long a run is, in words.
pub(crate) fn length(witness: &Witness) -> String {
    match witness.steps.len() {
        0 => "in the initial state".into(),
        1 => "after 1 step".into(),
        steps => format!("after {steps} steps"),
    }
}

/// The whole run.
pub(crate) fn run(signature: &Signature, witness: &Witness) -> String {
    let mut text = format!("{} {}\n", ending(&witness.ending), length(witness));
    let mut from: &[Value] = &witness.initial;
    for (number, step) in witness.steps.iter().enumerate() {
        text += &self::step(signature, number + 1, from, &signature.show_action(step.action), step.group, &step.state);
        from = &step.state;
    }
    text += "  final state\n";
    text += &state(signature, witness.last());
    if let Ending::Error { error, group } = &witness.ending {
        text += &failure(signature, error, *group);
    }
    text
}

fn ending(ending: &Ending) -> &'static str {
    match ending {
        Ending::Deadlock => "no step is possible",
        Ending::Label => "it is false",
        Ending::Action => "the action happens",
        Ending::Error { .. } => "the model fails",
    }
}

/// One step: its number, its action, its places, what it changed.
pub(crate) fn step(
    signature: &Signature,
    number: usize,
    from: &[Value],
    action: &str,
    group: GroupIx,
    to: &[Value],
) -> String {
    let places = places(signature, group).join(", ");
    let mut text = format!("{number:>5}  {action}");
    if !places.is_empty() {
        let _ = write!(text, "   {places}");
    }
    text.push('\n');
    for (slot, before, after) in changes(signature, from, to) {
        let _ = writeln!(text, "         {}: {before} → {after}", signature.slots[slot.ix()].name);
    }
    text
}

/// `file:line` of each place of a group, each once.
pub(crate) fn places(signature: &Signature, group: GroupIx) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for place in signature.groups[group.ix()].spans.iter().filter_map(|&span| signature.place(span)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The slots that differ, with both values as a person reads them.
pub(crate) fn changes(signature: &Signature, from: &[Value], to: &[Value]) -> Vec<(SlotIx, String, String)> {
    let differs = |slot: &SlotIx| from[slot.ix()] != to[slot.ix()];
    let show = |slot: SlotIx, state: &[Value]| signature.show(slot, state[slot.ix()]).into_owned();
    signature.slot_ixs().filter(differs).map(|slot| (slot, show(slot, from), show(slot, to))).collect()
}

/// A state in full: a line a slot, arrays on one line.
pub(crate) fn state(signature: &Signature, state: &[Value]) -> String {
    let mut text = String::new();
    let mut slots = signature.slot_ixs().peekable();
    while let Some(slot) = slots.next() {
        let name = &signature.slots[slot.ix()].name;
        let value = signature.show(slot, state[slot.ix()]);
        let Some(array) = name.strip_suffix("[0]") else {
            let _ = writeln!(text, "         {name} = {value}");
            continue;
        };
        let mut cells = vec![value.into_owned()];
        while let Some(next) =
            slots.next_if(|next| signature.slots[next.ix()].name == format!("{array}[{}]", cells.len()))
        {
            cells.push(signature.show(next, state[next.ix()]).into_owned());
        }
        let _ = writeln!(text, "         {array} = [{}]", cells.join(", "));
    }
    text
}

/// An evaluation error at its place in the source.
pub(crate) fn failure(signature: &Signature, error: &EvalError, group: Option<GroupIx>) -> String {
    let within = group.map(|group| format!("in {}", signature.groups[group.ix()].name));
    match (error.span, &signature.source) {
        (Some(span), Some(source)) => {
            let label = within.unwrap_or_default();
            Diagnostic::error(error.to_string(), span).label(label).render(source)
        }
        _ => format!("error: {error} {}\n", within.unwrap_or_else(|| "in a property".into())),
    }
}
