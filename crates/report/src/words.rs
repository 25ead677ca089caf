//! Names, values and places of a model as people read them, escaped where a terminal would obey them.

use std::borrow::Cow;
use std::path::Path;

pub use base::{shown, shown_lines};

use base::{GroupIx, SlotIx, Source, Span};
use model::{Domain, Message, Passing, Signature, Value};

/// The name of a slot.
pub fn slot(signature: &Signature, slot: SlotIx) -> Cow<'_, str> {
    shown(&signature.slots[slot.ix()].name)
}

/// The value of a slot in a state.
pub fn value(signature: &Signature, slot: SlotIx, state: &[Value]) -> String {
    let (ty, value) = (signature.type_of(slot), state[slot.ix()]);
    if let (Domain::Range { lo: 0, hi: 1 }, "bool", 0 | 1) = (&ty.domain, ty.name.as_str(), value) {
        return (value == 1).to_string();
    }
    shown(&ty.show(value)).into_owned()
}

/// A message that is passed, as the language writes it: `q!3,true`. One that is handed over looks different
/// to who sends it and to who receives it.
pub fn message(message: &Message, is_first: bool) -> String {
    let (before, after) = match message.passing {
        Passing::Sent => ("!", ""),
        Passing::Handed if is_first => ("!", ""),
        Passing::Received | Passing::Handed => ("?", ""),
        Passing::Seen => ("?<", ">"),
    };
    shown(&format!("{}{before}{}{after}", message.channel, message.values.join(","))).into_owned()
}

/// An action.
pub fn action(signature: &Signature, action: Value) -> String {
    shown(&signature.show_action(action)).into_owned()
}

/// The name of a group.
pub fn group(signature: &Signature, group: GroupIx) -> Cow<'_, str> {
    shown(&signature.groups[group.ix()].name)
}

/// `file:line` of a span, the file without its folders: the reader knows which model it is.
pub fn place(signature: &Signature, span: Span) -> Option<String> {
    let source = signature.source.as_ref()?;
    Some(shown(&format!("{}:{}", file_name(source, span), source.position(span).line)).into_owned())
}

/// The name of the file that a span is in, without its folders.
pub fn file_name(source: &Source, span: Span) -> &str {
    let name = source.name_at(span);
    Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or(name)
}

/// The places of a group, each once.
pub fn places(signature: &Signature, group: GroupIx) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for place in signature.groups[group.ix()].spans.iter().filter_map(|&span| place(signature, span)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}
