//! The sorts of a text that is written: how the values of types are numbered, and what they are called.

use std::collections::HashSet;
use std::io;

use base::SlotIx;
use model::{Domain, Signature, Type, Value};

use super::observed::{SeenGroup, SeenLabel};
use crate::names::{self, Distinct};

/// The sorts of a text: one for every type that a slot has, one for actions, one for labels.
pub(crate) struct Sorts<'m> {
    signature: &'m Signature,
    types: Vec<Option<Sort>>,
    pub action: Sort,
    pub label: Sort,
    /// Names that differ.
    pub label_names: Vec<String>,
}

impl<'m> Sorts<'m> {
    /// The sorts for a model, its initial state, and what was seen of it.
    pub fn new<'s>(
        signature: &'m Signature,
        initial: &[Value],
        groups: impl Iterator<Item = &'s SeenGroup>,
        labels: &[SeenLabel],
    ) -> Self {
        let mut used: Vec<Option<HashSet<Value>>> = vec![None; signature.types.len()];
        for (slot, &value) in signature.slot_ixs().zip(initial) {
            used[signature.slots[slot.ix()].ty.ix()].get_or_insert_default().insert(value);
        }
        let mut actions = HashSet::new();
        // Only signed numbers and terms are listed by what was seen; the others need no look at the rows.
        let listed = |ty: &Type| ty.is_signed() || matches!(ty.domain, Domain::Shown(_));
        let any = signature.types.iter().chain([&signature.action]).any(listed);
        for row in groups.filter(|_| any).flat_map(SeenGroup::rows) {
            actions.insert(row.action);
            for (slot, from, to) in row.cells().filter(|&(slot, ..)| listed(signature.type_of(slot))) {
                used[signature.slots[slot.ix()].ty.ix()].get_or_insert_default().extend([from, to]);
            }
        }
        let mut distinct = Distinct::default();
        let types = signature.types.iter().zip(used);
        let types = types.map(|(ty, used)| used.map(|used| Sort::of_type(ty, used, &mut distinct))).collect();
        let action = Sort::of_type(&signature.action, actions, &mut distinct);
        let values: HashSet<Value> = labels.iter().flat_map(SeenLabel::values).collect();
        let signed = values.iter().any(|value| value.cast_signed() < 0);
        let label_type = Type::range("label", if signed { i32::MIN } else { 0 }, i32::MAX);
        let label = Sort::of_type(&label_type, values, &mut distinct);
        let mut label_names = Distinct::default();
        let label_names = signature.labels.iter().map(|label| label_names.name(&label.name)).collect();
        Self { signature, types, action, label, label_names }
    }

    /// The sort of a slot.
    pub fn of(&self, slot: SlotIx) -> &Sort {
        let ty = self.signature.slots[slot.ix()].ty;
        self.types[ty.ix()].as_ref().expect("BUG: the type of a slot is used")
    }

    /// The sections of those sorts that have values.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.types.iter().flatten().chain([&self.action, &self.label]).try_for_each(|sort| sort.write(out))
    }
}

/// How the values of a type are numbered, and their names if they have any.
pub(crate) struct Sort {
    pub name: String,
    values: Values,
}

enum Values {
    /// Numbers without a sign: each is its own number.
    Plain,
    /// Numbers with a sign that were seen, zero first, so that a label is zero where it was; then ascending.
    Signed(Vec<Value>),
    /// Names, in the order of their numbers.
    Names(Vec<String>),
    /// Values that were seen, ascending, and their names.
    Seen(Vec<Value>, Vec<String>),
}

impl Sort {
    fn of_type(ty: &Type, used: HashSet<Value>, names: &mut Distinct) -> Self {
        let name = names.name(if ty.name.is_empty() { "value" } else { &ty.name });
        let mut distinct = Distinct::default();
        let values = match &ty.domain {
            // Numbers of ETF have no sign: negative ones become values of a sort.
            Domain::Range { lo, .. } if *lo < 0 => {
                let mut values: Vec<Value> = used.into_iter().collect();
                values.sort_unstable_by_key(|&value| signed_order(value));
                Values::Signed(values)
            }
            Domain::Range { .. } => Values::Plain,
            Domain::Names(list) => Values::Names(list.iter().map(|name| distinct.value(name)).collect()),
            Domain::Shown(shown) => {
                let mut values: Vec<Value> = used.into_iter().collect();
                values.sort_unstable();
                let names = values.iter().map(|&value| distinct.value(&shown.show(value))).collect();
                Values::Seen(values, names)
            }
            Domain::Interned(table) => {
                let count = u32::try_from(table.len()).unwrap_or(u32::MAX);
                let texts = (0..count).map(|number| table.value(number));
                Values::Names(texts.map(|text| distinct.value(text.as_deref().unwrap_or_default())).collect())
            }
        };
        Self { name, values }
    }

    /// The number that a value has in the text.
    pub fn number(&self, value: Value) -> u32 {
        match &self.values {
            Values::Plain | Values::Names(_) => value,
            Values::Seen(values, _) => {
                values.binary_search(&value).expect("BUG: a value that was not seen") as u32
            }
            Values::Signed(values) => {
                let place = values.binary_search_by_key(&signed_order(value), |&value| signed_order(value));
                place.expect("BUG: a value that was not seen") as u32
            }
        }
    }

    /// Its section, if it has values: without a section a sort is plain numbers.
    fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        match &self.values {
            Values::Plain => Ok(()),
            Values::Signed(values) => {
                self.write_section(values.iter().map(|value| value.cast_signed().to_string()), out)
            }
            Values::Names(names) | Values::Seen(_, names) => self.write_section(names.iter(), out),
        }
    }

    fn write_section(
        &self,
        values: impl ExactSizeIterator<Item = impl AsRef<str>>,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        if values.len() == 0 {
            return Ok(());
        }
        writeln!(out, "begin sort {}", names::name(&self.name))?;
        for value in values {
            writeln!(out, "{}", names::value(value.as_ref()))?;
        }
        writeln!(out, "end sort")
    }
}

fn signed_order(value: Value) -> (bool, i32) {
    (value != 0, value.cast_signed())
}
