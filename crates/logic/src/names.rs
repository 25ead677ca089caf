//! What names mean: slots, arrays of slots, named values; and what to say of names that mean nothing.

use std::collections::HashMap;

use base::{Diagnostic, SlotIx, Span, closest};
use model::{Domain, Signature, SlotRole, Value};

use crate::code::Array;

/// The names of a signature.
pub(crate) struct Names<'a> {
    signature: &'a Signature,
    slots: HashMap<&'a str, SlotIx>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(signature: &'a Signature) -> Self {
        let slots = signature.slot_ixs().map(|slot| (signature.slots[slot.ix()].name.as_str(), slot)).collect();
        Self { signature, slots }
    }

    /// The slot with this name.
    pub(crate) fn slot(&self, name: &str) -> Option<SlotIx> {
        self.slots.get(name).copied()
    }

    /// Whether a slot has this name, or begins with it and goes on with a member or an index.
    pub(crate) fn begins(&self, name: &str) -> bool {
        let goes_on = |slot: &str| slot.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[']));
        self.slots.contains_key(name) || self.slots.keys().any(|slot| goes_on(slot))
    }

    /// The cells `name[0]`, `name[1]`, … as far as they go.
    pub(crate) fn array(&self, name: &str) -> Option<Array> {
        let cells: Vec<SlotIx> = (0..).map_while(|index: usize| self.slot(&format!("{name}[{index}]"))).collect();
        let first = *cells.first()?;
        Some(Array { name: name.to_owned(), signed: !self.has_named_values(first), cells })
    }

    /// Whether the slot's values have names.
    pub(crate) fn has_named_values(&self, slot: SlotIx) -> bool {
        !matches!(self.signature.type_of(slot).domain, Domain::Range { .. })
    }

    /// The value of the slot's type with this name.
    pub(crate) fn value(&self, slot: SlotIx, name: &str) -> Option<Value> {
        self.signature.type_of(slot).named(name)
    }

    /// The value with this name, which may appear only later in the search if the slot's type is of that kind.
    pub(crate) fn text_value(&self, slot: SlotIx, text: &str) -> Option<Value> {
        match &self.signature.type_of(slot).domain {
            Domain::Interned(table) => Some(table.intern(text)),
            _ => self.value(slot, text),
        }
    }

    /// Whether `left->right` means the member `left.right` and not an implication.
    pub(crate) fn is_member(&self, left: &str, right: &str) -> bool {
        self.slot(left).is_some_and(|slot| {
            self.signature.slots[slot.ix()].role == SlotRole::Location
                && (self.value(slot, right).is_some() || self.begins(&format!("{left}.{right}")))
        })
    }

    /// What to say of a name that means nothing.
    pub(crate) fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        if let Some((owner, member)) = name.rsplit_once('.')
            && let Some(slot) = self.slot(owner)
        {
            return self.unknown_member(slot, owner, member, span);
        }
        let problem = Diagnostic::error(format!("the model has no slot `{name}`"), span);
        if self.array(name).is_some() {
            return problem
                .label("an array")
                .help(format!("name one of its cells: {name}[0], or {name}[i] with a computed index"));
        }
        let bases = self.slots.keys().map(|slot| slot.split_once('[').map_or(*slot, |(array, _)| array));
        let known = self.slots.keys().copied().chain(bases);
        hint(problem, name, known).help("`pinscher show FILE` lists the slots of the model")
    }

    fn unknown_member(&self, slot: SlotIx, owner: &str, member: &str, span: Span) -> Diagnostic {
        let prefix = format!("{owner}.");
        let members = self.slots.keys().filter_map(|name| name.strip_prefix(&prefix));
        let problem = if self.signature.slots[slot.ix()].role == SlotRole::Location {
            Diagnostic::error(format!("process `{owner}` has neither a state nor a variable `{member}`"), span)
        } else {
            Diagnostic::error(format!("slot `{owner}` has no value or part `{member}`"), span)
        };
        let values = self.value_names(slot);
        let problem = hint(problem, member, values.iter().map(String::as_str).chain(members));
        listing(problem, "its values are", &values)
    }

    /// What to say of a name that is no value of the slot it is compared with.
    pub(crate) fn unknown_value(&self, slot: SlotIx, name: &str, span: Span) -> Diagnostic {
        let owner = &self.signature.slots[slot.ix()].name;
        let values = self.value_names(slot);
        let problem = Diagnostic::error(format!("`{owner}` has no value `{name}`"), span);
        listing(hint(problem, name, values.iter().map(String::as_str)), "its values are", &values)
    }

    fn value_names(&self, slot: SlotIx) -> Vec<String> {
        match &self.signature.type_of(slot).domain {
            Domain::Range { .. } => Vec::new(),
            Domain::Names(names) => names.clone(),
            Domain::Interned(table) => {
                (0..).map_while(|number| table.value(number)).map(|value| value.to_string()).collect()
            }
        }
    }
}

fn hint<'a>(problem: Diagnostic, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    // The order of a hash table must not show in a message.
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    match closest(name, known) {
        Some(near) => problem.label(format!("not known; did you mean `{near}`?")),
        None => problem.label("not known"),
    }
}

fn listing(problem: Diagnostic, what: &str, names: &[String]) -> Diagnostic {
    const SHOWN: usize = 12;
    if names.is_empty() {
        return problem;
    }
    let rest = if names.len() > SHOWN { ", …" } else { "" };
    problem.help(format!("{what} {}{rest}", names[..names.len().min(SHOWN)].join(", ")))
}
