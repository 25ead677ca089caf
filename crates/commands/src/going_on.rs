//! Commands that go on: the successors of a group as the ends of the paths that begin with its command.
//!
//! [`GoingOn`] is a stepper on top of either evaluator. The evaluator finds the first steps as if no command
//! went on. Then each first step is replaced by the ends of its paths (`paths`). Example: an atomic sequence
//! `x = 1; x = 2` is two commands, and the second is inner. The first step leads to `x == 1`, which is no
//! state; the only successor has `x == 2`.

mod on_path;
mod paths;
pub(crate) mod unfold;

use base::{GroupIx, GuardIx, LabelIx};
use model::{EvalError, Stepper, Successor, Successors, Truth, Value};

use self::paths::{FirstStep, Paths};
use crate::coded::CodedProgram;
use crate::evaluator::Evaluator;

/// The stepper of a model some commands of which go on.
pub(crate) struct GoingOn<'a, E> {
    coded: &'a CodedProgram,
    evaluator: E,
    /// First steps that are to go on.
    firsts: Successors,
    paths: Paths<'a>,
}

impl<'a, E: Evaluator> GoingOn<'a, E> {
    pub fn new(coded: &'a CodedProgram, evaluator: E) -> Self {
        Self { coded, evaluator, firsts: Successors::new(coded.cell_map.slots), paths: Paths::new(coded) }
    }

    /// Replaces the first steps that are in the buffer from `start` on, and that go on, by the ends of their
    /// paths.
    fn go_on(&mut self, start: usize, to: &mut Successors) -> Result<(), EvalError> {
        let coded = self.coded;
        let goes_on = |group: GroupIx| coded.commands[group.ix()].list.is_some();
        let Some(first) = (start..to.len()).find(|&at| goes_on(to.group(at))) else { return Ok(()) };
        let mut skipped = 0;
        if start == 0 {
            // Nothing else is in the buffer: it is taken as a whole.
            std::mem::swap(to, &mut self.firsts);
            to.clear();
            (0..first).for_each(|at| append(self.firsts.get(at), to));
            skipped = first;
        } else {
            self.firsts.clear();
            (first..to.len()).for_each(|at| append(to.get(at), &mut self.firsts));
            to.truncate(first);
        }
        for at in skipped..self.firsts.len() {
            let step = self.firsts.get(at);
            if !goes_on(step.group) {
                append(step, to);
                continue;
            }
            let copied = &coded.group_copies[step.group.ix()];
            let first_step = FirstStep { group: step.group, action: step.action, copied };
            if let Err(error) = self.paths.ends(&mut self.evaluator, step, first_step, to) {
                to.truncate(start);
                return Err(error);
            }
        }
        Ok(())
    }
}

#[inline]
fn append(step: Successor<'_>, to: &mut Successors) {
    to.push(step.group, step.action, step.state);
    if !step.copied_words().is_empty() {
        to.mark_copied(step.copied_words());
    }
}

impl<E: Evaluator> Stepper for GoingOn<'_, E> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let start = to.len();
        self.evaluator.group(group, from, to)?;
        self.go_on(start, to)
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let start = to.len();
        self.evaluator.update(group, from, to)?;
        self.go_on(start, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        self.evaluator.guard(guard, from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.evaluator.label(label, from)
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let start = to.len();
        self.evaluator.all(from, to)?;
        self.go_on(start, to)
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
