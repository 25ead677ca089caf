//! Writes the part of a model that a search saw as an ETF text. After a complete search that is all of it:
//! reading the text back gives the same states, transitions and deadlocks.
//!
//! A row is the projection of a transition to the slots that its group reads or writes. A state that the row
//! fits agrees with the one it was seen in on everything the group reads, so it has the same transition.

mod observed;
mod rows;
mod sorts;

use std::fmt::Write as _;
use std::io;

use base::{LabelIx, SlotIx};
use model::{Model, Observer, Stepper, Successor, Value};

use crate::names::{self, Distinct};
use observed::{SeenGroup, SeenLabel};
use rows::Room;
use sorts::Sorts;

/// Collects the transitions of a search, and writes them as ETF.
///
/// Labels become maps without their kind: ETF knows no assertions. Two transitions of one group that differ
/// in nothing are one.
///
/// What was seen is held in memory until it is written: some two or three times the length of the text. A
/// writer [with a limit](Writer::with_limit) stops collecting there, and then has nothing to write.
pub struct Writer<'m> {
    model: &'m dyn Model,
    stepper: Box<dyn Stepper + 'm>,
    /// Those of which a transition was seen.
    groups: Vec<Option<SeenGroup>>,
    labels: Vec<SeenLabel>,
    scratch: Vec<Value>,
    room: Room,
}

impl Observer for Writer<'_> {
    fn transition(&mut self, from: &[Value], to: Successor<'_>) {
        if self.room.is_full() {
            return;
        }
        let group = &mut self.groups[to.group.ix()];
        if group.is_none() {
            *group = SeenGroup::new(to.group, from.len(), self.model.dependencies(), &mut self.room);
        }
        if let Some(group) = group {
            group.see(from, &to, &mut self.scratch, &mut self.room);
        }
        // Every state but the first is the target of a transition, and where the label's slots stay as they
        // are it was asked before.
        for label in &mut self.labels {
            if !label.same(from, to.state) {
                label.see(to.state, &mut *self.stepper, &mut self.scratch, &mut self.room);
            }
        }
    }
}

impl<'m> Writer<'m> {
    /// A writer for searches of this model.
    pub fn new(model: &'m dyn Model) -> Self {
        Self::with_limit(model, u64::MAX)
    }

    /// A writer that holds no more than this many bytes. Where that is not enough it
    /// [is full](Writer::is_full), and there is nothing to write.
    pub fn with_limit(model: &'m dyn Model, bytes: u64) -> Self {
        let (signature, dependencies) = (model.signature(), model.dependencies());
        let mut room = Room::new(bytes);
        let own = signature.groups.len() * size_of::<Option<SeenGroup>>()
            + signature.labels.len() * size_of::<SeenLabel>();
        let groups = if room.take(own) { signature.groups.len() } else { 0 };
        // Without room for all labels the writer is full, and no one looks at those that there are.
        let mut labels = Vec::new();
        labels
            .extend(signature.label_ixs().map_while(|label| SeenLabel::new(label, dependencies, &mut room)));
        let groups = std::iter::repeat_with(|| None).take(groups).collect();
        let mut writer = Self { model, stepper: model.stepper(), groups, labels, scratch: Vec::new(), room };
        for label in &mut writer.labels {
            label.see(model.initial(), &mut *writer.stepper, &mut writer.scratch, &mut writer.room);
        }
        writer
    }

    /// Bytes that are held, and that will be needed to put what was seen in order.
    pub fn bytes(&self) -> u64 {
        self.room.used() + (self.scratch.capacity() * size_of::<Value>()) as u64
    }

    /// Whether something that was seen found no room.
    pub fn is_full(&self) -> bool {
        self.room.is_full()
    }

    /// Writes what was seen. A writer that is full writes nothing, and answers
    /// [`io::ErrorKind::OutOfMemory`].
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        if self.is_full() {
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, "the tables do not fit the memory limit"));
        }
        let signature = self.model.signature();
        let sorts = Sorts::new(signature, self.model.initial(), self.groups.iter().flatten(), &self.labels);
        self.write_header(&sorts, out)?;
        for group in &self.groups {
            self.write_group(group.as_ref(), &sorts, out)?;
        }
        for (label, seen) in signature.label_ixs().zip(&self.labels) {
            self.write_label(label, seen, &sorts, out)?;
        }
        sorts.write(out)
    }

    /// How many columns a row has: LTSmin and we refuse a state without slots, so such a model gets one.
    fn width(&self) -> usize {
        self.model.signature().slots.len().max(1)
    }

    fn write_header(&self, sorts: &Sorts<'_>, out: &mut impl io::Write) -> io::Result<()> {
        let signature = self.model.signature();
        let mut slot_names = Distinct::default();
        let mut declarations: Vec<String> = signature
            .slot_ixs()
            .map(|slot| {
                let name = slot_names.name(&signature.slots[slot.ix()].name);
                format!("{}:{}", names::name(&name), names::name(&sorts.of(slot).name))
            })
            .collect();
        let initial = self.model.initial().iter().zip(signature.slot_ixs());
        let mut values: Vec<String> =
            initial.map(|(&value, slot)| sorts.of(slot).number(value).to_string()).collect();
        if declarations.is_empty() {
            declarations.push("nothing:nothing".to_owned());
            values.push("0".to_owned());
        }
        writeln!(out, "begin state\n{}\nend state", declarations.join(" "))?;
        writeln!(out, "begin edge\naction:{}\nend edge", names::name(&sorts.action.name))?;
        writeln!(out, "begin init\n{}\nend init", values.join(" "))
    }

    fn write_group(
        &self,
        group: Option<&SeenGroup>,
        sorts: &Sorts<'_>,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        writeln!(out, "begin trans")?;
        for row in group.into_iter().flat_map(SeenGroup::sorted_rows) {
            let cells = row.cells().map(|(slot, from, to)| {
                let sort = sorts.of(slot);
                (slot, format!("{}/{}", sort.number(from), sort.number(to)))
            });
            writeln!(out, "{}{}", starred(self.width(), cells), sorts.action.number(row.action))?;
        }
        writeln!(out, "end trans")
    }

    fn write_label(
        &self,
        label: LabelIx,
        seen: &SeenLabel,
        sorts: &Sorts<'_>,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        writeln!(
            out,
            "begin map {}:{}",
            names::name(&sorts.label_names[label.ix()]),
            names::name(&sorts.label.name)
        )?;
        for (key, value) in seen.sorted_rows() {
            let cells = seen
                .slots
                .iter()
                .zip(key)
                .map(|(&slot, &value)| (slot, sorts.of(slot).number(value).to_string()));
            writeln!(out, "{}{}", starred(self.width(), cells), sorts.label.number(value))?;
        }
        writeln!(out, "end map")
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
