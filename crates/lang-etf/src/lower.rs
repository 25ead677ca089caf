//! From an ETF text as it was read to a model: types from sorts, actions from edge labels, matrices, guards
//! and tables from rows.
//!
//! The matrices. A row with `a/b` in a column makes a step only where the slot holds `a`, so the slot is
//! read. It is possibly written if `a ≠ b` in some row, and surely if besides no row has `*` there. A row
//! with `*` copies the slot; where other rows write it the successor says so.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base::{Diagnostic, Problems, Source, TypeIx};
use model::{Dependencies, Domain, Group, Label, LabelKind, Signature, Slot, SlotRole, Type, Value};

use crate::dispatch::Dispatch;
use crate::file::{Declaration, File, Map, Rows, Section};
use crate::guards::Guards;
use crate::relation::{Uniform, partition};
use crate::run::{GroupTables, TableModel};
use crate::sorts::Resolved;
use crate::table::{Table, ValueTable};

/// The model of a text. It is of no use if there is an error among the problems.
pub(crate) fn lower(file: File, source: &Arc<Source>, problems: &mut Problems) -> TableModel {
    let File { slots, edge_labels, initial, groups, maps, sorts } = file;
    let sorts = sorts.resolve(problems);
    let initial = initial.iter().zip(&slots).map(|(&value, slot)| sorts.value(slot.sort, value)).collect();
    let mut actions = Actions::new(&edge_labels, &sorts, groups.len());
    let parts: Vec<Vec<Uniform>> = groups
        .iter()
        .enumerate()
        .map(|(number, group)| partition(&group.rows, &actions.of_rows(&group.rows, number)))
        .collect();
    let mut signature = Signature {
        name: source.name().to_owned(),
        slots: named_slots(&slots),
        groups: Vec::new(),
        guards: Vec::new(),
        labels: named_labels(&maps),
        action: actions.into_type(),
        alarms: Vec::new(),
        types: sorts.types.clone(),
        source: Some(Arc::clone(source)),
    };
    let mut guards = Guards::default();
    for (number, (parts, Section { header, .. })) in parts.iter().zip(&groups).enumerate() {
        let guards = guards.of_group(parts, number, *header, &signature);
        let effect = match &parts[..] {
            [rows] => rows.effect(),
            _ => None,
        };
        let name = group_name(parts, number, &signature);
        signature.groups.push(Group { name, guards, spans: vec![*header], effect });
    }
    let mut dependencies = Dependencies::none(slots.len(), groups.len(), guards.conditions.len(), maps.len());
    for (number, condition) in guards.conditions.iter().enumerate() {
        condition.slots().for_each(|slot| dependencies.tests.set(number, slot as usize));
    }
    let labels: Vec<ValueTable> = maps.iter().map(|map| value_table(map, &sorts, problems)).collect();
    for (number, label) in labels.iter().enumerate() {
        label.slots().for_each(|slot| dependencies.label_reads.set(number, slot as usize));
    }
    let tables =
        parts.iter().enumerate().map(|(number, parts)| tables(parts, number, &mut dependencies)).collect();
    let dispatch = Dispatch::new(&parts, slots.len());
    signature.guards = guards.named;
    TableModel {
        signature,
        dependencies,
        initial,
        groups: tables,
        conditions: guards.conditions,
        labels,
        dispatch,
    }
}

/// The slots; those without a name get one that no other has.
fn named_slots(declarations: &[Declaration]) -> Vec<Slot> {
    let mut taken: HashSet<String> = declarations.iter().filter_map(|slot| slot.name.clone()).collect();
    let mut unnamed = |number: usize| {
        let mut name = format!("_{number}");
        while !taken.insert(name.clone()) {
            name.push('\'');
        }
        name
    };
    let slot = |(number, slot): (usize, &Declaration)| Slot {
        name: slot.name.clone().unwrap_or_else(|| unnamed(number)),
        ty: TypeIx::new(slot.sort),
        span: Some(slot.span),
        role: SlotRole::Variable,
    };
    declarations.iter().enumerate().map(slot).collect()
}

fn named_labels(maps: &[Map]) -> Vec<Label> {
    let label = |(number, Map { declaration, .. }): (usize, &Map)| Label {
        name: declaration.name.clone().unwrap_or_else(|| format!("map {number}")),
        kind: LabelKind::Plain,
        span: Some(declaration.span),
    };
    maps.iter().enumerate().map(label).collect()
}

/// A group whose rows all carry one action bears its name.
fn group_name(parts: &[Uniform], number: usize, signature: &Signature) -> String {
    let mut actions = parts.iter().flat_map(|part| (0..part.len()).map(|row| part.action(row)));
    match actions.next() {
        Some(first) if actions.all(|action| action == first) => signature.show_action(first).into_owned(),
        _ => format!("trans {number}"),
    }
}

/// Fills the group's rows of the matrices and makes its tables.
fn tables(parts: &[Uniform], group: usize, dependencies: &mut Dependencies) -> GroupTables {
    for part in parts {
        for (column, &slot) in part.slots.iter().enumerate() {
            dependencies.read.set(group, slot as usize);
            dependencies.update_read.set(group, slot as usize);
            if part.changes(column) {
                dependencies.may_write.set(group, slot as usize);
            }
        }
    }
    let written: Vec<usize> = dependencies.may_write.ones(group).collect();
    let tests = |part: &Uniform, slot: usize| part.slots.iter().any(|&tested| tested as usize == slot);
    let (sure, unsure): (Vec<usize>, Vec<usize>) =
        written.into_iter().partition(|&slot| parts.iter().all(|part| tests(part, slot)));
    sure.into_iter().for_each(|slot| dependencies.must_write.set(group, slot));
    let copied = |part: &Uniform| {
        let mut words = Vec::new();
        for &slot in unsure.iter().filter(|&&slot| !tests(part, slot)) {
            words.resize(dependencies.read.columns().div_ceil(64), 0);
            words[slot / 64] |= 1 << (slot % 64);
        }
        words
    };
    let all =
        parts.iter().map(|part| Table::new(part, &vec![false; part.slots.len()], copied(part))).collect();
    let update = match parts {
        [rows] => update_table(rows, group, dependencies),
        _ => None,
    };
    GroupTables { all, update }
}

/// The table for states where all guards are true, if that is less than the whole table.
fn update_table(rows: &Uniform, group: usize, dependencies: &mut Dependencies) -> Option<Table> {
    let ignored = rows.ignored();
    for (&slot, _) in rows.slots.iter().zip(&ignored).filter(|&(_, &ignored)| ignored) {
        dependencies.update_read.clear(group, slot as usize);
    }
    ignored.contains(&true).then(|| Table::new(rows, &ignored, Vec::new()))
}

/// The table of a map. LTSmin takes the last of two rows that differ only in their value; a person meant one.
fn value_table(map: &Map, sorts: &Resolved, problems: &mut Problems) -> ValueTable {
    let sort = map.declaration.sort;
    let rows = &map.rows;
    let meaning = meanings(&sorts.types[sort]);
    let value = |row: usize| {
        let value = sorts.value(sort, rows.labels(row, 1)[0]);
        meaning.as_ref().and_then(|meaning| meaning.get(value as usize).copied()).unwrap_or(value)
    };
    let values: Vec<Value> = (0..rows.len()).map(value).collect();
    let mut known: HashMap<Vec<(u32, Value)>, Value> = HashMap::with_capacity(rows.len());
    for (row, &value) in values.iter().enumerate() {
        let key = rows.cells(row).iter().map(|cell| (cell.slot, cell.from)).collect();
        if known.insert(key, value).is_some_and(|other| other != value) {
            problems.push(
                Diagnostic::warning("an earlier row gives the same states another value", rows.span(row))
                    .label("this one counts")
                    .help("remove one of the two rows"),
            );
        }
    }
    ValueTable::new(rows, &values)
}

/// What the values of a label's sort mean to whoever asks whether the label is zero: numbers what they say,
/// truth values one and zero, wherever the sort lists them. Others mean their position.
fn meanings(ty: &Type) -> Option<Vec<Value>> {
    let Domain::Names(names) = &ty.domain else { return None };
    let number = |name: &String| match name.as_str() {
        "true" => Some(1),
        "false" => Some(0),
        _ => name.parse::<i32>().ok().map(i32::cast_unsigned),
    };
    names.iter().map(number).collect()
}

/// The actions: the edge label if there is one, all of them if there are several, else the group's number.
struct Actions<'a> {
    edge_labels: &'a [Declaration],
    sorts: &'a Resolved,
    groups: usize,
    combined: HashMap<Vec<Value>, Value>,
    names: Vec<String>,
}

impl<'a> Actions<'a> {
    fn new(edge_labels: &'a [Declaration], sorts: &'a Resolved, groups: usize) -> Self {
        Self { edge_labels, sorts, groups, combined: HashMap::new(), names: Vec::new() }
    }

    /// The action of each row.
    fn of_rows(&mut self, rows: &Rows, group: usize) -> Vec<Value> {
        let width = self.edge_labels.len();
        let mut action = |row: usize| {
            let labels = self.edge_labels.iter().zip(rows.labels(row, width));
            let values: Vec<Value> =
                labels.map(|(label, &value)| self.sorts.value(label.sort, value)).collect();
            match values[..] {
                [] => group as Value,
                [value] => value,
                _ => self.combine(values),
            }
        };
        (0..rows.len()).map(&mut action).collect()
    }

    fn combine(&mut self, values: Vec<Value>) -> Value {
        if let Some(&known) = self.combined.get(&values) {
            return known;
        }
        let shown: Vec<String> = (self.edge_labels.iter().zip(&values))
            .map(|(label, &value)| {
                format!(
                    "{}={}",
                    label.name.as_deref().unwrap_or("_"),
                    self.sorts.types[label.sort].show(value)
                )
            })
            .collect();
        let action = self.names.len() as Value;
        self.names.push(shown.join(", "));
        self.combined.insert(values, action);
        action
    }

    fn into_type(self) -> Type {
        match self.edge_labels {
            [] => Type::names("action", (0..self.groups).map(|group| format!("trans {group}")).collect()),
            [label] => self.sorts.types[label.sort].clone(),
            _ => Type::names("action", self.names),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_does_not_depend_on_the_order_of_a_sort() {
        let ty = |names: &[&str]| Type::names("t", names.iter().map(|&name| name.to_owned()).collect());
        assert_eq!(meanings(&ty(&["true", "false"])), Some(vec![1, 0]));
        assert_eq!(meanings(&ty(&["3", "0", "-1"])), Some(vec![3, 0, u32::MAX]));
        assert_eq!(meanings(&ty(&["red", "0"])), None);
        assert_eq!(meanings(&Type::range("t", 0, 3)), None);
    }
}
