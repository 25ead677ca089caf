//! A run of the model in the words of its source: where it begins, steps with their places, what each changed, the
//! last state.

use std::fmt::Write as _;

use base::{Diagnostic, GroupIx, SlotIx};
use engine::{Ending, Step, Witness};
use model::{EvalError, Signature, Value};

use crate::words;

/// How far lines of a state reach.
const WIDEST: usize = 110;

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
    if witness.steps.is_empty() {
        text += "  initial state\n";
    } else {
        text += "    0  initial state\n";
        text += &compact_state(signature, from);
        for (number, step) in witness.steps.iter().enumerate() {
            text += &self::step(signature, number + 1, from, step);
            from = &step.state;
        }
        text += "  final state\n";
    }
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
pub(crate) fn step(signature: &Signature, number: usize, from: &[Value], step: &Step) -> String {
    let places = words::places(signature, step.group).join(", ");
    let mut text = format!("{number:>5}  {}", words::action(signature, step.action));
    if !places.is_empty() {
        let _ = write!(text, "   {places}");
    }
    text.push('\n');
    let changed = |slot: &SlotIx| from[slot.ix()] != step.state[slot.ix()];
    for slot in signature.slot_ixs().filter(changed) {
        let (before, after) = (words::value(signature, slot, from), words::value(signature, slot, &step.state));
        let _ = writeln!(text, "         {}: {before} → {after}", words::slot(signature, slot));
    }
    text
}

/// A state in full: a line a slot, arrays on one line.
pub(crate) fn state(signature: &Signature, state: &[Value]) -> String {
    equations(signature, state).iter().map(|equation| format!("         {equation}\n")).collect()
}

/// A state on as few lines as it takes.
pub(crate) fn compact_state(signature: &Signature, state: &[Value]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for equation in equations(signature, state) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + equation.chars().count() <= WIDEST => {
                let _ = write!(line, ", {equation}");
            }
            _ => lines.push(format!("         {equation}")),
        }
    }
    lines.join(",\n") + "\n"
}

/// `name = value` of each slot, and of each array as a whole.
fn equations(signature: &Signature, state: &[Value]) -> Vec<String> {
    let mut equations = Vec::new();
    let mut slots = signature.slot_ixs().peekable();
    while let Some(slot) = slots.next() {
        let name = &signature.slots[slot.ix()].name;
        let value = words::value(signature, slot, state);
        let Some(array) = name.strip_suffix("[0]") else {
            equations.push(format!("{} = {value}", words::shown(name)));
            continue;
        };
        let mut cells = vec![value];
        while let Some(next) =
            slots.next_if(|next| signature.slots[next.ix()].name == format!("{array}[{}]", cells.len()))
        {
            cells.push(words::value(signature, next, state));
        }
        equations.push(format!("{} = [{}]", words::shown(array), cells.join(", ")));
    }
    equations
}

/// An evaluation error at its place in the source.
pub(crate) fn failure(signature: &Signature, error: &EvalError, group: Option<GroupIx>) -> String {
    let within = group.map(|group| format!("in {}", words::group(signature, group)));
    let text = match (error.span, &signature.source) {
        (Some(span), Some(source)) => {
            let label = within.unwrap_or_default();
            let text = Diagnostic::error(error.to_string(), span).label(label).render(source);
            let arrow = |name: &str| format!("\n  --> {name}:");
            text.replacen(&arrow(source.name_at(span)), &arrow(words::file_name(source, span)), 1)
        }
        _ => format!("error: {error} {}\n", within.unwrap_or_else(|| "in a label".into())),
    };
    words::shown_lines(&text).into_owned()
}
