//! The stepper that runs machine code. Where that meets a fault the interpreter runs instead, and says what
//! happened.

use base::{GroupIx, GuardIx, LabelIx};
use model::{EvalError, Spare, Stepper, Successors, Truth, Value};
use native::{RoutineIx, Rows};

use super::Native;
use crate::coded::CodedProgram;
use crate::evaluator::{Advance, Evaluator};
use crate::interpreter::Interpreter;

/// To copy a state of so many cells takes longer than to interpret a step in place.
const WIDE: usize = 256;

pub(crate) struct CompiledStepper<'a> {
    states: Option<&'a Native>,
    groups: Option<&'a Native>,
    interpreter: Interpreter<'a>,
}

impl<'a> CompiledStepper<'a> {
    /// Runs what there is, and interprets the rest.
    pub fn new(coded: &'a CodedProgram, states: Option<&'a Native>, groups: Option<&'a Native>) -> Self {
        Self { states, groups, interpreter: Interpreter::new(coded) }
    }
}

/// Appends the successors that a routine finds; nothing is appended where it meets a fault.
#[inline]
fn run(native: &Native, (routine, argument): (RoutineIx, i64), from: &[Value], to: &mut Successors) -> bool {
    let need = native.routines.need(routine);
    let Spare { vectors, heads, copied, copied_end } = to.spare(need.rows, need.cells, need.marks);
    let rows = Rows { cells: vectors, tags: heads, marks: copied, marked: copied_end };
    let count = native.routines.run(routine, argument, from, rows);
    to.take(count.unwrap_or(0));
    count.is_some()
}

impl Evaluator for CompiledStepper<'_> {
    fn list(&mut self, list: u32, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if let Some(native) = self.states.or(self.groups) {
            let before = to.len();
            let (parts, first_only) = native.lists.parts(list);
            let is_done = |to: &Successors| first_only && to.len() > before;
            if parts.iter().all(|&part| is_done(to) || run(native, part, from, to)) {
                return Ok(());
            }
            to.truncate(before);
        }
        self.interpreter.list(list, from, to)
    }

    fn advance(
        &mut self,
        list: u32,
        cells: &mut [Value],
        untouched: &mut Vec<u64>,
    ) -> Result<Advance, EvalError> {
        // Machine code makes a new state of each step.
        match cells.len() < WIDE {
            true => Ok(Advance::Undone),
            false => self.interpreter.advance(list, cells, untouched),
        }
    }
}

impl Stepper for CompiledStepper<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if let Some(native) = self.groups
            && run(native, native.groups[group.ix()], from, to)
        {
            return Ok(());
        }
        self.interpreter.group(group, from, to)
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if let Some(native) = self.groups {
            let (routine, number) = native.groups[group.ix()];
            if run(native, (routine, number + 1), from, to) {
                return Ok(());
            }
        }
        self.interpreter.update(group, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        let native = self.groups.and_then(|native| Some((native, native.guards[guard.ix()]?)));
        match native.and_then(|(native, (routine, number))| native.routines.value(routine, number, from)) {
            Some(0) => Truth::False,
            Some(_) => Truth::True,
            // A comparison with a constant, which needs no machine code, or a fault.
            None => self.interpreter.guard(guard, from),
        }
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        let native = self.states.or(self.groups).map(|native| (native, native.labels[label.ix()]));
        match native.and_then(|(native, (routine, number))| native.routines.value(routine, number, from)) {
            Some(value) => Ok(value.clamp(i32::MIN.into(), i32::MAX.into()) as Value),
            None => self.interpreter.label(label, from),
        }
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if let Some(native) = self.states {
            let before = to.len();
            if native.all.iter().all(|&routine| run(native, (routine, 0), from, to)) {
                return Ok(());
            }
            to.truncate(before);
        }
        self.interpreter.all(from, to)
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
