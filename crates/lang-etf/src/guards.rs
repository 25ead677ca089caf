//! Guards, found in the tables. Meijer 2014, definition 4.5, asks that a group has a successor exactly where
//! all its guards are true. Where the tests of a slot are independent of the rest the slot gets a guard of
//! its own, shared by all groups that test it for the same values; one guard for all the rest says that a row
//! fits.

use std::collections::HashMap;

use base::{GuardIx, Span};
use model::{Guard, Signature, Truth, Value};

use crate::index::Index;
use crate::relation::Uniform;

/// More values than these are not shown in the name of a guard.
const SHOWN: usize = 8;

/// A guard that is run: true where one of the tests finds its key. Without tests it is never true.
#[derive(Debug)]
pub(crate) struct Condition {
    tests: Vec<Test>,
}

#[derive(Debug)]
struct Test {
    slots: Vec<u32>,
    index: Index,
}

impl Condition {
    pub fn truth(&self, state: &[Value]) -> Truth {
        let fits = |test: &Test| !test.index.find(&test.slots, state).is_empty();
        if self.tests.iter().any(fits) { Truth::True } else { Truth::False }
    }

    /// The slots it looks at.
    pub fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.tests.iter().flat_map(|test| test.slots.iter().copied())
    }
}

/// The guards of all groups.
#[derive(Default)]
pub(crate) struct Guards {
    pub conditions: Vec<Condition>,
    pub named: Vec<Guard>,
    by_values: HashMap<(u32, Vec<Value>), GuardIx>,
}

impl Guards {
    /// The guards of a group with these rows. `signature` has its slots and types.
    pub fn of_group(
        &mut self,
        parts: &[Uniform],
        group: usize,
        header: Span,
        signature: &Signature,
    ) -> Vec<GuardIx> {
        let [rows] = parts else {
            // Without a test in some row every state has a successor, and no guard is needed.
            if parts.iter().any(|part| part.slots.is_empty()) {
                return Vec::new();
            }
            let tests =
                parts.iter().map(|part| test(part, &(0..part.slots.len()).collect::<Vec<_>>())).collect();
            return vec![self.add(Condition { tests }, format!("a row of trans {group} fits"), header)];
        };
        let separate = rows.separate_tests();
        let (alone, rest): (Vec<usize>, Vec<usize>) =
            (0..rows.slots.len()).partition(|&column| separate[column]);
        let mut guards: Vec<GuardIx> =
            alone.into_iter().map(|column| self.one_slot(rows, column, header, signature)).collect();
        if !rest.is_empty() {
            let condition = Condition { tests: vec![test(rows, &rest)] };
            let names: Vec<&str> = rest
                .iter()
                .map(|&column| signature.slots[rows.slots[column] as usize].name.as_str())
                .collect();
            guards.push(self.add(
                condition,
                format!("a row of trans {group} fits {}", names.join(", ")),
                header,
            ));
        }
        guards
    }

    /// "The slot has one of the values that the column is tested for."
    fn one_slot(&mut self, rows: &Uniform, column: usize, header: Span, signature: &Signature) -> GuardIx {
        let (slot, values) = (rows.slots[column], rows.tested_values(column));
        if let Some(&known) = self.by_values.get(&(slot, values.clone())) {
            return known;
        }
        let slot_ix = base::SlotIx::new(slot as usize);
        let shown: Vec<String> =
            values.iter().take(SHOWN).map(|&value| signature.show(slot_ix, value).into_owned()).collect();
        let name = &signature.slots[slot as usize].name;
        let text = match values.len() {
            1 => format!("{name} = {}", shown[0]),
            count if count > SHOWN => format!("{name} in {{{}, …}}", shown.join(", ")),
            _ => format!("{name} in {{{}}}", shown.join(", ")),
        };
        let (index, _) = Index::new(1, &values, values.len());
        let guard = self.add(Condition { tests: vec![Test { slots: vec![slot], index }] }, text, header);
        self.by_values.insert((slot, values), guard);
        guard
    }

    fn add(&mut self, condition: Condition, name: String, header: Span) -> GuardIx {
        let guard = GuardIx::new(self.conditions.len());
        self.conditions.push(condition);
        self.named.push(Guard { name, span: Some(header) });
        guard
    }
}

/// "Some row fits in these columns."
fn test(rows: &Uniform, columns: &[usize]) -> Test {
    let keys: Vec<Value> =
        (0..rows.len()).flat_map(|row| columns.iter().map(move |&column| rows.from(row, column))).collect();
    let (index, _) = Index::new(columns.len(), &keys, rows.len());
    Test { slots: columns.iter().map(|&column| rows.slots[column]).collect(), index }
}
