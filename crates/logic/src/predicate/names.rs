//! What names mean: slots, arrays of slots, named values; and what to say of names that mean nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use base::{Diagnostic, SlotIx, Span, closest};
use model::{Domain, Signature, SlotRole, Type, Value};

use super::code::{Array, Integers, Reading};

/// The names of a signature.
pub(crate) struct Names<'a> {
    signature: &'a Signature,
    slots: HashMap<&'a str, SlotIx>,
    /// The slots of lengths by the names of channels.
    lengths: BTreeMap<&'a str, SlotIx>,
    integers: Integers,
}

impl<'a> Names<'a> {
    pub(crate) fn new(signature: &'a Signature) -> Self {
        let slots =
            signature.slot_ixs().map(|slot| (signature.slots[slot.ix()].name.as_str(), slot)).collect();
        let integers = signature.types.iter().map(integers).collect();
        Self { signature, slots, lengths: lengths(signature).collect(), integers }
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

    /// The slot of the length of a channel.
    pub(crate) fn length(&self, channel: &str) -> Option<SlotIx> {
        self.lengths.get(channel).copied()
    }

    /// The names of channels that keep messages, in order.
    pub(crate) fn channels(&self) -> Vec<&'a str> {
        self.lengths.keys().copied().collect()
    }

    /// The name that the slots of a process have, of which this may be another one. Slots say `P[2]` where
    /// runs say `P(2)`; people write `P_2`, too, or `P` where there is only one.
    pub(crate) fn process_name(&self, name: String) -> String {
        let has_member = |slot: &&str| slot.strip_prefix(&*name).is_some_and(|rest| rest.starts_with('.'));
        if self.slots.contains_key(&*name) || self.slots.keys().any(has_member) {
            return name;
        }
        let (process, number) =
            match name.strip_suffix([')', ']']).and_then(|name| name.rsplit_once(['(', '['])) {
                Some((process, number)) => (process, Some(number)),
                None => match name.rsplit_once('_') {
                    Some((process, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                        (process, Some(number))
                    }
                    _ => (name.as_str(), None),
                },
            };
        // The initial process of Promela has a name that is no word.
        let names = [process.to_owned(), format!(":{process}:")];
        let is_meant = |slot: &&str| {
            let told = slot.strip_suffix(']').and_then(|slot| slot.rsplit_once('['));
            told.is_some_and(|(process, pid)| {
                names.iter().any(|name| name == process) && number.is_none_or(|number| number == pid)
            })
        };
        let locations = self.slots.iter().filter(|(_, slot)| self.is_process(**slot)).map(|(name, _)| *name);
        let mut meant = locations.filter(is_meant);
        match (meant.next(), meant.next()) {
            (Some(only), None) => only.to_owned(),
            _ => name,
        }
    }

    /// The cells `name[0]`, `name[1]`, … as far as they go.
    pub(crate) fn array(&self, name: &str) -> Option<Array> {
        let cells: Vec<SlotIx> =
            (0..).map_while(|index: usize| self.slot(&format!("{name}[{index}]"))).collect();
        let cells: Vec<_> = cells.into_iter().map(|cell| (cell, self.reading(cell))).collect();
        (!cells.is_empty()).then(|| Array { name: name.to_owned(), cells })
    }

    /// Whether the slot's values have names, which may be integers.
    pub(crate) fn has_names(&self, slot: SlotIx) -> bool {
        !matches!(self.signature.type_of(slot).domain, Domain::Range { .. })
    }

    /// What the content of the slot means as a number, if it does.
    pub(crate) fn reading(&self, slot: SlotIx) -> Reading {
        let ty = self.signature.slots[slot.ix()].ty;
        match self.signature.types[ty.ix()].domain {
            Domain::Range { .. } => Reading::Signed,
            _ if self.integers[ty.ix()].is_some() => Reading::Integer(ty),
            _ => Reading::Position,
        }
    }

    /// The type of a slot.
    pub(crate) fn type_of(&self, slot: SlotIx) -> &'a Type {
        self.signature.type_of(slot)
    }

    /// What the positions of integers mean, by type.
    pub(crate) fn into_integers(self) -> Integers {
        self.integers
    }

    /// The value of the slot's type with this name.
    pub(crate) fn value(&self, slot: SlotIx, name: &str) -> Option<Value> {
        self.type_of(slot).named(name)
    }

    /// The value with this name, which may appear only later in the search if the slot's type is of that
    /// kind.
    pub(crate) fn later_value(&self, slot: SlotIx, name: &str) -> Option<Value> {
        match &self.type_of(slot).domain {
            // Within one table, equal numbers are equal names.
            Domain::Interned(table) => Some(table.intern(name)),
            _ => self.value(slot, name),
        }
    }

    /// The number that a value of the slot is in the code.
    pub(crate) fn number(&self, slot: SlotIx, value: Value) -> i64 {
        let integers = self.integers[self.signature.slots[slot.ix()].ty.ix()].as_deref();
        integers.and_then(|integers| integers.get(value as usize).copied()).unwrap_or(i64::from(value))
    }

    /// Whether a name has the same position in the types of both slots.
    pub(crate) fn same_positions(&self, left: SlotIx, right: SlotIx) -> bool {
        match (&self.type_of(left).domain, &self.type_of(right).domain) {
            (Domain::Names(left), Domain::Names(right)) => left == right,
            (Domain::Interned(left), Domain::Interned(right)) => Arc::ptr_eq(left, right),
            (Domain::Shown(left), Domain::Shown(right)) => Arc::ptr_eq(left, right),
            _ => false,
        }
    }

    /// Whether the slot tells where a process stands.
    pub(crate) fn is_process(&self, slot: SlotIx) -> bool {
        self.signature.slots[slot.ix()].role == SlotRole::Location
    }

    /// Whether `left->right` means the member `left.right` and not an implication.
    pub(crate) fn is_member(&self, left: &str, right: &str) -> bool {
        self.slot(left).is_some_and(|slot| {
            self.is_process(slot)
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
        let channel = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map(|(name, _)| name);
        if let Some(channel) = channel.filter(|channel| self.length(channel).is_some()) {
            return problem
                .label("a message, or a place for one that is not there")
                .help(format!("name a field of it: {name}.0, which is {channel}.0[…]"));
        }
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
        let problem = if self.is_process(slot) {
            Diagnostic::error(
                format!("process `{owner}` has neither a state nor a variable `{member}`"),
                span,
            )
        } else {
            Diagnostic::error(format!("slot `{owner}` has no value or part `{member}`"), span)
        };
        let values = self.value_names(slot);
        let problem = hint(problem, member, values.iter().map(String::as_str).chain(members));
        listing(problem, "its values are", &values)
    }

    /// What to say of names where a number is wanted: `what` is their text in the predicate.
    pub(crate) fn no_number(&self, slot: SlotIx, what: &str, span: Span) -> Diagnostic {
        let values = self.value_names(slot);
        let example = values.first().map_or("a name", |name| name.as_str());
        let problem = Diagnostic::error(format!("`{what}` is a name, not a number"), span)
            .label("names can be compared by == and != only")
            .help(format!("compare it with one of its values: {what} == \"{example}\""));
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
            Domain::Range { .. } | Domain::Shown(_) => Vec::new(),
            Domain::Names(names) => names.clone(),
            Domain::Interned(table) => {
                (0..).map_while(|number| table.value(number)).map(|value| value.to_string()).collect()
            }
        }
    }
}

/// The integers that the names of a type are, if all are: each another one, so that the same number is the
/// same name.
fn integers(ty: &Type) -> Option<Arc<[i64]>> {
    let Domain::Names(names) = &ty.domain else { return None };
    let integers: Arc<[i64]> = names.iter().map(|name| integer(name)).collect::<Option<_>>()?;
    let distinct: HashSet<i64> = integers.iter().copied().collect();
    (!integers.is_empty() && distinct.len() == integers.len()).then_some(integers)
}

/// The decimal integer that a name is, if it is one.
fn integer(name: &str) -> Option<i64> {
    let digits = name.strip_prefix('-').unwrap_or(name);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse().ok())?
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
    let before = problem.help.as_ref().map_or(String::new(), |help| format!("{help}; "));
    let list = names[..names.len().min(SHOWN)].join(", ");
    problem.help(format!("{before}{what} {list}{rest}"))
}

/// The channels of a signature, each with the slot of its length.
fn lengths(signature: &Signature) -> impl Iterator<Item = (&str, SlotIx)> {
    signature.slot_ixs().filter_map(|slot| match &signature.slots[slot.ix()].role {
        SlotRole::ChannelLength(channel) => Some((&**channel, slot)),
        _ => None,
    })
}
