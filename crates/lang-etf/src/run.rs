//! The model of an ETF text: tables, and the stepper that looks states up in them.

use base::{GroupIx, GuardIx, LabelIx};
use model::{Dependencies, EvalError, EvalErrorKind, Model, Signature, Stepper, Successors, Truth, Value};

use crate::dispatch::Dispatch;
use crate::guards::Condition;
use crate::table::{Table, ValueTable};

/// A model in tables.
pub(crate) struct TableModel {
    pub signature: Signature,
    pub dependencies: Dependencies,
    pub initial: Vec<Value>,
    pub groups: Vec<GroupTables>,
    pub conditions: Vec<Condition>,
    pub labels: Vec<ValueTable>,
    pub dispatch: Dispatch,
}

/// The tables of a group.
pub(crate) struct GroupTables {
    /// Tables by the slots that they test.
    pub all: Vec<Table>,
    /// The same without the tests that the guards make, if they make any that matter.
    pub update: Option<Table>,
}

impl Model for TableModel {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(TableStepper { model: self })
    }

    /// A table has a row or it has none.
    fn may_fail(&self, _group: GroupIx) -> bool {
        false
    }
}

/// Tables are only read, so a stepper has no state of its own.
struct TableStepper<'m> {
    model: &'m TableModel,
}

impl TableStepper<'_> {
    fn step(&self, group: GroupIx, from: &[Value], to: &mut Successors) {
        let before = to.len();
        for table in &self.model.groups[group.ix()].all {
            // Rows that test different slots can make the same step; the group, a set, has it once.
            table.step(group, from, to, before..to.len());
        }
    }
}

impl Stepper for TableStepper<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.step(group, from, to);
        Ok(())
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        match &self.model.groups[group.ix()].update {
            Some(table) => table.step(group, from, to, 0..0),
            None => self.step(group, from, to),
        }
        Ok(())
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        self.model.conditions[guard.ix()].truth(from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.model.labels[label.ix()].value(from).ok_or_else(|| {
            let label = &self.model.signature.labels[label.ix()];
            let message = format!("no row of map `{}` fits this state", label.name);
            EvalError { kind: EvalErrorKind::Other(message), span: label.span }
        })
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.model.dispatch.visit(from, |group| self.step(group, from, to));
        Ok(())
    }

    fn some(
        &mut self,
        groups: std::ops::Range<usize>,
        most: usize,
        from: &[Value],
        to: &mut Successors,
    ) -> model::Part {
        model::some_groups(self, groups, most, from, to)
    }
}
