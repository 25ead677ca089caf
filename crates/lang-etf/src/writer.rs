//! Writes the part of a model that a search saw as an ETF text. After a complete search that is all of it:
//! reading the text back gives the same states, transitions and deadlocks.
//!
//! A row is the projection of a transition to the slots that its group reads or writes. A state that the row
//! fits agrees with the one it was seen in on everything the group reads, so it has the same transition.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use base::{GroupIx, LabelIx, SlotIx};
use model::{Domain, Model, Observer, Stepper, Successor, Type, Value};

use crate::names::{self, Distinct};
use crate::observed::{SeenGroup, SeenLabel};

/// Collects the transitions of a search, and writes them as ETF.
///
/// Labels become maps without their kind: ETF knows no assertions. Two transitions of one group that differ in
/// nothing are one.
pub struct Writer<'m> {
    model: &'m dyn Model,
    stepper: Box<dyn Stepper + 'm>,
    groups: Vec<SeenGroup>,
    labels: Vec<SeenLabel>,
    scratch: Vec<Value>,
}

impl Observer for Writer<'_> {
    fn transition(&mut self, from: &[Value], to: Successor<'_>) {
        self.groups[to.group.ix()].see(from, &to, &mut self.scratch);
        // Every state but the first is the target of a transition, and where the label's slots stay as they
        // are it was asked before.
        for label in &mut self.labels {
            if !label.same(from, to.state) {
                label.see(to.state, &mut *self.stepper, &mut self.scratch);
            }
        }
    }
}

impl<'m> Writer<'m> {
    /// A writer for searches of this model.
    pub fn new(model: &'m dyn Model) -> Self {
        let (signature, dependencies) = (model.signature(), model.dependencies());
        let slots = signature.slots.len();
        let group = |group: GroupIx| SeenGroup::new(group, slots, dependencies);
        let mut writer = Self {
            model,
            stepper: model.stepper(),
            groups: signature.group_ixs().map(group).collect(),
            labels: signature.label_ixs().map(|label| SeenLabel::new(label, dependencies)).collect(),
            scratch: Vec::new(),
        };
        for label in &mut writer.labels {
            label.see(model.initial(), &mut *writer.stepper, &mut writer.scratch);
        }
        writer
    }

    /// Writes what was seen.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let sorts = self.sorts();
        self.write_header(&sorts, out)?;
        for group in &self.groups {
            self.write_group(group, &sorts, out)?;
        }
        for (label, seen) in self.model.signature().label_ixs().zip(&self.labels) {
            self.write_label(label, seen, &sorts, out)?;
        }
        sorts.types.iter().flatten().chain([&sorts.action, &sorts.label]).try_for_each(|sort| sort.write(out))
    }

    /// How many columns a row has: LTSmin and we refuse a state without slots, so such a model gets one.
    fn width(&self) -> usize {
        self.model.signature().slots.len().max(1)
    }

    fn write_header(&self, sorts: &Sorts, out: &mut impl io::Write) -> io::Result<()> {
        let signature = self.model.signature();
        let mut slot_names = Distinct::default();
        let mut declarations: Vec<String> = signature
            .slot_ixs()
            .map(|slot| {
                let name = slot_names.name(&signature.slots[slot.ix()].name);
                format!("{}:{}", names::name(&name), names::name(&sorts.of(self.model, slot).name))
            })
            .collect();
        let initial = self.model.initial().iter().zip(signature.slot_ixs());
        let mut values: Vec<String> =
            initial.map(|(&value, slot)| sorts.of(self.model, slot).number(value).to_string()).collect();
        if declarations.is_empty() {
            declarations.push("nothing:nothing".to_owned());
            values.push("0".to_owned());
        }
        writeln!(out, "begin state\n{}\nend state", declarations.join(" "))?;
        writeln!(out, "begin edge\naction:{}\nend edge", names::name(&sorts.action.name))?;
        writeln!(out, "begin init\n{}\nend init", values.join(" "))
    }

    fn write_group(&self, group: &SeenGroup, sorts: &Sorts, out: &mut impl io::Write) -> io::Result<()> {
        writeln!(out, "begin trans")?;
        for row in group.rows() {
            let cells = row.cells().map(|(slot, from, to)| {
                let sort = sorts.of(self.model, slot);
                (slot, format!("{}/{}", sort.number(from), sort.number(to)))
            });
            writeln!(out, "{}{}", starred(self.width(), cells), sorts.action.number(row.action))?;
        }
        writeln!(out, "end trans")
    }

    fn write_label(&self, label: LabelIx, seen: &SeenLabel, sorts: &Sorts, out: &mut impl io::Write) -> io::Result<()> {
        writeln!(out, "begin map {}:{}", names::name(&sorts.label_names[label.ix()]), names::name(&sorts.label.name))?;
        for (key, value) in seen.rows() {
            let cells = seen
                .slots
                .iter()
                .zip(key)
                .map(|(&slot, &value)| (slot, sorts.of(self.model, slot).number(value).to_string()));
            writeln!(out, "{}{}", starred(self.width(), cells), sorts.label.number(value))?;
        }
        writeln!(out, "end map")
    }

    /// A sort for every type that a slot has, one for actions, one for labels.
    fn sorts(&self) -> Sorts {
        let signature = self.model.signature();
        let mut used: Vec<Option<Vec<Value>>> = vec![None; signature.types.len()];
        for (slot, &value) in signature.slot_ixs().zip(self.model.initial()) {
            used[signature.slots[slot.ix()].ty.ix()].get_or_insert_default().push(value);
        }
        let mut actions = Vec::new();
        // Only signed numbers are listed by what was seen; the others need no look at the rows.
        let signed = signature.types.iter().chain([&signature.action]).any(Type::is_signed);
        for row in self.groups.iter().filter(|_| signed).flat_map(SeenGroup::rows) {
            actions.push(row.action);
            for (slot, from, to) in row.cells().filter(|&(slot, ..)| signature.type_of(slot).is_signed()) {
                used[signature.slots[slot.ix()].ty.ix()].get_or_insert_default().extend([from, to]);
            }
        }
        let mut distinct = Distinct::default();
        let types = signature.types.iter().zip(used);
        let types = types.map(|(ty, used)| used.map(|used| Sort::of_type(ty, used, &mut distinct))).collect();
        let action = Sort::of_type(&signature.action, actions, &mut distinct);
        let values: Vec<Value> = self.labels.iter().flat_map(SeenLabel::rows).map(|(_, value)| value).collect();
        let signed = values.iter().any(|value| value.cast_signed() < 0);
        let label_type = Type::range("label", if signed { i32::MIN } else { 0 }, i32::MAX);
        let label = Sort::of_type(&label_type, values, &mut distinct);
        let mut label_names = Distinct::default();
        let label_names = signature.labels.iter().map(|label| label_names.name(&label.name)).collect();
        Sorts { types, action, label, label_names }
    }
}

/// The columns of a row, those that do not matter as `*`, a blank behind each.
fn starred(width: usize, cells: impl Iterator<Item = (SlotIx, String)>) -> String {
    let mut line = String::with_capacity(3 * width);
    let mut next = 0;
    for (slot, cell) in cells {
        line.extend(std::iter::repeat_n("* ", slot.ix() - next));
        let _ = write!(line, "{cell} ");
        next = slot.ix() + 1;
    }
    line.extend(std::iter::repeat_n("* ", width - next));
    line
}

/// The sorts of a text.
struct Sorts {
    /// For each type of the model, if a slot has it.
    types: Vec<Option<Sort>>,
    action: Sort,
    label: Sort,
    label_names: Vec<String>,
}

impl Sorts {
    fn of(&self, model: &dyn Model, slot: SlotIx) -> &Sort {
        let ty = model.signature().slots[slot.ix()].ty;
        self.types[ty.ix()].as_ref().expect("BUG: the type of a slot is used")
    }
}

/// A sort: how the values of a type are numbered, and their names if they have any.
struct Sort {
    name: String,
    values: Vec<String>,
    /// None where a value is its own number.
    positions: Option<HashMap<Value, u32>>,
}

impl Sort {
    fn of_type(ty: &Type, mut used: Vec<Value>, names: &mut Distinct) -> Self {
        let name = names.name(if ty.name.is_empty() { "value" } else { &ty.name });
        let mut distinct = Distinct::default();
        let (values, positions) = match &ty.domain {
            // Numbers of ETF have no sign: negative ones become values of a sort. Zero comes first, so that a
            // label is zero where it was.
            Domain::Range { lo, .. } if *lo < 0 => {
                used.sort_unstable_by_key(|&value| (value != 0, value.cast_signed()));
                used.dedup();
                let values = used.iter().map(|value| value.cast_signed().to_string()).collect();
                (values, Some((used.into_iter().zip(0..)).collect()))
            }
            Domain::Range { .. } => (Vec::new(), None),
            Domain::Names(list) => (list.iter().map(|name| distinct.value(name)).collect(), None),
            Domain::Interned(table) => {
                let count = u32::try_from(table.len()).unwrap_or(u32::MAX);
                let texts = (0..count).map(|number| table.value(number));
                (texts.map(|text| distinct.value(text.as_deref().unwrap_or_default())).collect(), None)
            }
        };
        Self { name, values, positions }
    }

    fn number(&self, value: Value) -> u32 {
        self.positions.as_ref().map_or(value, |positions| positions.get(&value).copied().unwrap_or(value))
    }

    /// Its section, if it has values: without a section a sort is plain numbers.
    fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        writeln!(out, "begin sort {}", names::name(&self.name))?;
        for value in &self.values {
            writeln!(out, "{}", names::value(value))?;
        }
        writeln!(out, "end sort")
    }
}
