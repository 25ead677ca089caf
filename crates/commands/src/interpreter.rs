//! The interpreter: runs the code of a model.

use base::{GroupIx, GuardIx, LabelIx, Runs};
use model::{EvalError, Stepper, Successors, Truth, Value};

use crate::arithmetic::{apply, number};
use crate::code::machine::evaluate;
use crate::code::{CodeRange, Store, fit};
use crate::coded::{CodedProgram, GuardCode, StepCode};
use crate::evaluator::{Advance, Evaluator};
use crate::fault::{Fault, FaultKind, Site};

impl CodedProgram {
    fn describe(&self, fault: Fault) -> EvalError {
        let at = match fault.site {
            Site::Instr(at) => self.code.instr_at[at as usize],
            Site::Store(at) => self.code.store_at[at as usize],
        };
        EvalError { kind: fault.kind.describe(&self.cell_map.cells, &self.code.tables), span: at.0 }
    }
}

/// Runs a model's code. The scratch is allocated once.
pub(crate) struct Interpreter<'a> {
    coded: &'a CodedProgram,
    stack: Vec<i64>,
    /// Values of a parallel assignment that are computed but not yet stored.
    pending: Vec<(u32, Value)>,
    /// Slots of the current update that are not written so far.
    copied: Vec<u64>,
    /// The state and the scratch variables, for models that have any.
    cells: Vec<Value>,
}

impl<'a> Interpreter<'a> {
    pub fn new(coded: &'a CodedProgram) -> Self {
        Self {
            coded,
            stack: vec![0; coded.code.depth + 1],
            pending: Vec::new(),
            copied: Vec::new(),
            cells: vec![0; coded.cell_map.width],
        }
    }

    #[inline]
    fn evaluate(&mut self, range: CodeRange, state: &[Value]) -> Result<i64, Fault> {
        evaluate(&self.coded.code, range, state, &mut self.stack)
    }

    #[inline]
    pub(crate) fn guard_value(&mut self, guard: GuardIx, state: &[Value]) -> Result<i64, Fault> {
        match self.coded.guards[guard.ix()] {
            GuardCode::Compare(op, slot, value) => {
                Ok(apply(op, number(state[slot as usize]), i64::from(value))
                    .expect("BUG: comparisons do not fail"))
            }
            GuardCode::Code(range) => self.evaluate(range, state),
        }
    }

    /// Whether all guards are true. One that is false decides, even if another fails.
    #[inline]
    pub(crate) fn enabled(&mut self, guards: &[GuardIx], state: &[Value]) -> Result<bool, Fault> {
        let mut failed = None;
        for &guard in guards {
            match self.guard_value(guard, state) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(fault) => failed = failed.or(Some(fault)),
            }
        }
        failed.map_or(Ok(true), Err)
    }

    /// Appends the successor of a command whose guards are true.
    #[inline]
    fn run(&mut self, group: u32, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let coded = self.coded;
        let command = &coded.commands[group as usize];
        if let Some((kind, at)) = &command.fail {
            return Err(EvalError { kind: kind.clone(), span: at.0 });
        }
        mark(&command.copied, coded.cell_map.slots, &mut self.copied);
        let target = to.push(GroupIx::new(group as usize), command.action, from);
        let result = if coded.cell_map.width == coded.cell_map.slots {
            self.steps(&command.steps, target)
        } else {
            let mut cells = std::mem::take(&mut self.cells);
            cells[..from.len()].copy_from_slice(from);
            let result = self.steps(&command.steps, &mut cells);
            target.copy_from_slice(&cells[..from.len()]);
            self.cells = cells;
            result
        };
        match result {
            Ok(()) => {
                if !self.copied.is_empty() {
                    to.mark_copied(&self.copied);
                }
                Ok(())
            }
            Err(fault) => {
                to.truncate(to.len() - 1);
                Err(coded.describe(fault))
            }
        }
    }

    #[inline]
    fn steps(&mut self, steps: &[StepCode], cells: &mut [Value]) -> Result<(), Fault> {
        for step in steps {
            if step.end == step.start + 1 {
                let (slot, value) = self.store(step.start, cells)?;
                write(slot, value, cells, &mut self.copied);
            } else {
                self.pending.clear();
                for store in step.start..step.end {
                    let assigned = self.store(store, cells)?;
                    self.pending.push(assigned);
                }
                for &(slot, value) in &self.pending {
                    write(slot, value, cells, &mut self.copied);
                }
            }
        }
        Ok(())
    }

    /// The slot and the value that a store is about.
    #[inline]
    pub(crate) fn store(&mut self, store: u32, cells: &[Value]) -> Result<(u32, Value), Fault> {
        let cell_map = &self.coded.cell_map;
        let fault = |kind| Fault { kind, site: Site::Store(store) };
        match self.coded.code.stores[store as usize] {
            Store::Constant { slot, value } => Ok((slot, value)),
            Store::Slot { slot, variable, value } => {
                let value = self.evaluate(value, cells)?;
                Ok((slot, fit(&cell_map.cells[variable as usize], variable, value).map_err(fault)?))
            }
            Store::Cell { variable, index, value } => {
                let value = self.evaluate(value, cells)?;
                let index = self.evaluate(index, cells)?;
                let array = &cell_map.cells[variable as usize];
                if index < 0 || index >= i64::from(array.length) {
                    return Err(fault(FaultKind::Index { variable, index }));
                }
                let slot = array.base + index as u32;
                Ok((slot, fit(array, variable, value).map_err(fault)?))
            }
        }
    }
}

/// Makes a bit set of slots; an empty one is no words at all.
#[inline]
pub(crate) fn mark(slots: &Runs, count: usize, words: &mut Vec<u64>) {
    words.clear();
    if !slots.is_empty() {
        words.resize(count.div_ceil(64), 0);
        slots.words().for_each(|(word, bits)| words[word] |= bits);
    }
}

/// Assigns a cell, which is no longer one that is left as it was.
#[inline]
fn write(slot: u32, value: Value, cells: &mut [Value], untouched: &mut [u64]) {
    cells[slot as usize] = value;
    if let Some(word) = untouched.get_mut(slot as usize / 64) {
        *word &= !(1 << (slot % 64));
    }
}

impl Evaluator for Interpreter<'_> {
    fn advance(
        &mut self,
        list: u32,
        cells: &mut [Value],
        untouched: &mut Vec<u64>,
    ) -> Result<Advance, EvalError> {
        let coded = self.coded;
        let list = &coded.followers.lists[list as usize];
        let mut only = None;
        for &command in &list.commands {
            match self.enabled(&coded.commands[command as usize].guards, cells) {
                Ok(false) => {}
                Ok(true) if only.is_some() => return Ok(Advance::Undone),
                Ok(true) => only = Some(command),
                // Which failure counts is said in one place.
                Err(_) => return Ok(Advance::Undone),
            }
            if list.first_only && only.is_some() {
                break;
            }
        }
        let Some(number) = only else { return Ok(Advance::Nowhere) };
        let command = &coded.commands[number as usize];
        if command.fail.is_some() {
            return Ok(Advance::Undone);
        }
        std::mem::swap(&mut self.copied, untouched);
        let result = self.steps(&command.steps, cells);
        std::mem::swap(&mut self.copied, untouched);
        result.map(|()| Advance::By(number)).map_err(|fault| coded.describe(fault))
    }

    fn list(&mut self, list: u32, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let coded = self.coded;
        let list = &coded.followers.lists[list as usize];
        let before = to.len();
        for &command in &list.commands {
            let result = match self.enabled(&coded.commands[command as usize].guards, from) {
                Ok(true) => self.run(command, from, to),
                Ok(false) => continue,
                Err(fault) => Err(coded.describe(fault)),
            };
            if result.is_err() {
                to.truncate(before);
                return result;
            }
            if list.first_only {
                break;
            }
        }
        Ok(())
    }
}

impl Stepper for Interpreter<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let coded = self.coded;
        match self.enabled(&coded.commands[group.ix()].guards, from) {
            Ok(true) => self.run(group.ix() as u32, from, to),
            Ok(false) => Ok(()),
            Err(fault) => Err(coded.describe(fault)),
        }
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.run(group.ix() as u32, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        match self.guard_value(guard, from) {
            Ok(0) => Truth::False,
            Ok(_) => Truth::True,
            Err(_) => Truth::Maybe,
        }
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        let value =
            self.evaluate(self.coded.labels[label.ix()], from).map_err(|fault| self.coded.describe(fault))?;
        // A value that no slot can hold stays what it is to a question: zero or not.
        Ok(value.clamp(i32::MIN.into(), i32::MAX.into()) as Value)
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let coded = self.coded;
        let before = to.len();
        let result = coded.dispatch.for_each(from, |group| {
            match self.enabled(&coded.commands[group as usize].other_guards, from) {
                Ok(true) => self.run(group, from, to),
                Ok(false) => Ok(()),
                Err(fault) => Err(coded.describe(fault)),
            }
        });
        if result.is_err() {
            to.truncate(before);
        }
        result
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
