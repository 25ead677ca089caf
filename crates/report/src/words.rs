//! Names, values and places of a model as people read them. A file can put anything into a name: what would
//! move the cursor, colour the screen or fake a line of the report is shown escaped.

use std::borrow::Cow;
use std::path::Path;

use base::{GroupIx, SlotIx, Source, Span};
use model::{Domain, Message, Passing, Signature, Value};

/// The text on one line, its control characters escaped.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control())
}

/// A text of several lines, its control characters but for line ends escaped.
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control() && c != '\n')
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_bad(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_nothing_else_is() {
        assert_eq!(shown("a\u{1b}[31mb\nc\u{9b}"), "a\\u{1b}[31mb\\nc\\u{9b}");
        assert_eq!(shown_lines("a\u{7f}\nb"), "a\\u{7f}\nb");
        assert!(matches!(shown("é → \\ \"x\""), Cow::Borrowed(_)));
    }
}
