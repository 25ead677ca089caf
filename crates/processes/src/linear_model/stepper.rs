//! The stepper of a linear process. Which groups can be enabled is looked up by the values of single slots
//! ([`Dispatch`]); then the other guards are asked, once in each state; and then sums are solved.

use std::sync::Arc;

use base::{GroupIx, GuardIx, LabelIx};
use model::{EvalError, EvalErrorKind, Stepper, StopSignal, Successors, Truth, Value};
use terms::{Data, EvalFault, Evaluator, SortIx, Term};

use super::LinearModel;
use super::code::{GroupCode, GuardAnswer, LabelCode, SumCode, Write};
use super::dispatch::Dispatch;
use super::sum_cache::{Lookup, SumCache};

/// Runs a linear process; one for each thread.
pub(crate) struct LinearStepper<'m> {
    model: &'m LinearModel,
    evaluator: Evaluator<'m>,
    environment: Vec<Term>,
    dispatch: Dispatch,
    /// Groups that may be enabled, a bit each.
    candidates: Vec<u64>,
    /// What guards said of the state with this number.
    answers: Vec<(u32, GuardAnswer)>,
    state: u32,
    scratch: Scratch,
    cache: SumCache,
}

/// Buffers for values.
#[derive(Default)]
struct Scratch {
    values: Vec<Value>,
    arguments: Vec<Term>,
}

impl<'m> LinearStepper<'m> {
    pub(crate) fn new(model: &'m LinearModel) -> Self {
        let dispatch = Dispatch::new(model);
        Self {
            model,
            evaluator: model.data.evaluator(),
            environment: vec![Term::FALSE; model.environment],
            candidates: vec![0; model.groups.len().div_ceil(64)],
            dispatch,
            answers: vec![(0, GuardAnswer::No); model.guards.len()],
            state: 0,
            scratch: Scratch::default(),
            cache: SumCache::new(model),
        }
    }

    fn start(&mut self, from: &[Value]) {
        fill(&mut self.environment, from);
        self.state = self.state.wrapping_add(1);
        if self.state == 0 {
            self.answers.fill((0, GuardAnswer::No));
            self.state = 1;
        }
    }

    /// What a guard says of the state in the environment.
    fn ask(&mut self, guard: usize) -> GuardAnswer {
        if self.answers[guard].0 == self.state {
            return self.answers[guard].1;
        }
        let answer = answer(&mut self.evaluator, self.model, guard, &self.environment);
        self.answers[guard] = (self.state, answer);
        answer
    }

    /// Why a group has no answer: none of its guards is false, and one cannot be told.
    fn unknown(&mut self, group: usize, guard: usize) -> EvalError {
        let model = self.model;
        let text = &model.signature.guards[guard].name;
        let kind = match self.evaluator.truth(&model.guards[guard].code, &self.environment) {
            Ok(terms::Truth::Stuck(term)) => undecided(&model.data, term, &format!("condition `{text}`")),
            Err(EvalFault::Interrupted) => EvalErrorKind::Interrupted,
            Err(fault) if fault.is_limit() => EvalErrorKind::Limit(format!("condition `{text}`: {fault}")),
            Err(fault) => EvalErrorKind::Other(format!("condition `{text}`: {fault}")),
            // It was interrupted when it was asked first.
            Ok(_) => EvalErrorKind::Interrupted,
        };
        EvalError { kind, span: model.groups[group].span }
    }

    /// The successors through a group of the state in the environment, if its guards hold.
    fn guarded(&mut self, group: usize, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let model = self.model;
        let mut unknown = None;
        for &guard in &model.groups[group].guards {
            match self.ask(guard) {
                GuardAnswer::No => return Ok(()),
                GuardAnswer::Yes => {}
                GuardAnswer::Unknown => unknown = unknown.or(Some(guard)),
            }
        }
        match unknown {
            None => self.fire(group, from, to),
            Some(guard) => Err(self.unknown(group, guard)),
        }
    }

    /// The successors through a group whose guards hold.
    #[inline]
    fn fire(&mut self, group: usize, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let code = &self.model.groups[group];
        let before = to.len();
        let fired = match &code.sum {
            None => emit(&mut self.evaluator, code, group, &self.environment, from, &mut self.scratch, to),
            Some(sum) => self.solve(sum, group, from, to),
        };
        fired.map_err(|fault| {
            to.truncate(before);
            self.failure(group, &fault)
        })
    }

    /// The successors for all solutions of the sum of a group.
    fn solve(
        &mut self,
        sum: &SumCode,
        group: usize,
        from: &[Value],
        to: &mut Successors,
    ) -> Result<(), EvalFault> {
        let Self { model, evaluator, environment, scratch, cache, .. } = self;
        let code = &model.groups[group];
        let variables = from.len()..from.len() + sum.variables;
        match cache.ask(group, &sum.slots, environment) {
            Lookup::Hit(at) => {
                for solution in at.step_by(sum.variables) {
                    let values = cache.values(group, solution..solution + sum.variables);
                    environment[variables.clone()].copy_from_slice(values);
                    emit(evaluator, code, group, environment, from, scratch, to)?;
                }
                Ok(())
            }
            Lookup::Miss => {
                let begin = cache.begin(group);
                let solved = evaluator.solve(&sum.code, environment, &mut |evaluator, environment| {
                    cache.add(group, &environment[variables.clone()]);
                    emit(evaluator, code, group, environment, from, scratch, to)
                });
                cache.end(group, begin, solved.is_ok());
                solved
            }
            Lookup::Off => evaluator.solve(&sum.code, environment, &mut |evaluator, environment| {
                emit(evaluator, code, group, environment, from, scratch, to)
            }),
        }
    }

    #[cold]
    fn failure(&self, group: usize, fault: &EvalFault) -> EvalError {
        let kind = match fault {
            EvalFault::Undecided(term) => undecided(&self.model.data, *term, "a condition on sum variables"),
            EvalFault::Interrupted => EvalErrorKind::Interrupted,
            fault if fault.is_limit() => EvalErrorKind::Limit(fault.to_string()),
            fault => EvalErrorKind::Other(fault.to_string()),
        };
        EvalError { kind, span: self.model.groups[group].span }
    }
}

/// What is said of a condition that did not reduce. It is an error of the model where the equations do not
/// say what it is, and a limit where they may.
fn undecided(data: &Data, term: Term, what: &str) -> EvalErrorKind {
    let shown = data.show(term, SortIx::BOOL);
    match data.could_reduce(term) {
        true => EvalErrorKind::Limit(format!("{what} cannot be decided: {shown}")),
        false => EvalErrorKind::Other(format!("{what} does not reduce to true or false: {shown}")),
    }
}

/// What a guard says.
pub(crate) fn answer(
    evaluator: &mut Evaluator<'_>,
    model: &LinearModel,
    guard: usize,
    environment: &[Term],
) -> GuardAnswer {
    match evaluator.truth(&model.guards[guard].code, environment) {
        Ok(terms::Truth::True) => GuardAnswer::Yes,
        Ok(terms::Truth::False) => GuardAnswer::No,
        Ok(terms::Truth::Stuck(_)) | Err(_) => GuardAnswer::Unknown,
    }
}

/// Appends the successor for the values in the environment.
#[inline]
fn emit(
    evaluator: &mut Evaluator<'_>,
    code: &GroupCode,
    group: usize,
    environment: &[Term],
    from: &[Value],
    scratch: &mut Scratch,
    to: &mut Successors,
) -> Result<(), EvalFault> {
    let label = match &code.label {
        LabelCode::Constant(label) => *label,
        LabelCode::Whole(code) => evaluator.eval(code, environment)?.0,
        LabelCode::Sorted { arguments, runs, label } => {
            scratch.arguments.clear();
            for argument in arguments {
                scratch.arguments.push(evaluator.eval(argument, environment)?);
            }
            for &(start, width, count) in runs {
                sort_run(&mut scratch.arguments[start..start + width * count], width);
            }
            evaluator.eval(label, &scratch.arguments)?.0
        }
    };
    scratch.values.clear();
    for (_, write) in &code.writes {
        scratch.values.push(match write {
            Write::Constant(value) => *value,
            Write::Copy(place) => environment[*place].0,
            Write::Compute(code) => evaluator.eval(code, environment)?.0,
        });
    }
    let target = to.push(GroupIx::new(group), label, from);
    for ((slot, _), value) in code.writes.iter().zip(&scratch.values) {
        target[*slot] = *value;
    }
    Ok(())
}

/// Puts pieces of this width in order.
fn sort_run(terms: &mut [Term], width: usize) {
    for end in (width..terms.len()).step_by(width) {
        let mut at = end;
        while at > 0 && terms[at - width..at] > terms[at..at + width] {
            let (before, after) = terms.split_at_mut(at);
            before[at - width..].swap_with_slice(&mut after[..width]);
            at -= width;
        }
    }
}

/// A state as an environment.
fn fill(environment: &mut [Term], state: &[Value]) {
    for (place, value) in environment.iter_mut().zip(state) {
        *place = Term(*value);
    }
}

impl Stepper for LinearStepper<'_> {
    fn heed(&mut self, stop: &StopSignal) {
        self.evaluator.heed(Arc::clone(stop));
    }

    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.start(from);
        self.guarded(group.ix(), from, to)
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        fill(&mut self.environment, from);
        self.fire(group.ix(), from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        fill(&mut self.environment, from);
        match answer(&mut self.evaluator, self.model, guard.ix(), &self.environment) {
            GuardAnswer::No => Truth::False,
            GuardAnswer::Yes => Truth::True,
            GuardAnswer::Unknown => Truth::Maybe,
        }
    }

    fn label(&mut self, _label: LabelIx, _from: &[Value]) -> Result<Value, EvalError> {
        panic!("BUG: a linear process has no labels of its own")
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.start(from);
        let before = to.len();
        let model = self.model;
        self.dispatch.candidates(from, &mut self.candidates, &mut |guard| {
            answer(&mut self.evaluator, model, guard, &self.environment)
        });
        for word in 0..self.candidates.len() {
            let mut bits = self.candidates[word];
            while bits != 0 {
                let group = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if let Err(error) = self.candidate(group, from, to) {
                    to.truncate(before);
                    return Err(error);
                }
            }
        }
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

impl LinearStepper<'_> {
    /// The successors through a group that no guard of a single slot forbids.
    #[inline]
    fn candidate(&mut self, group: usize, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if self.dispatch.is_unsure() {
            return self.guarded(group, from, to);
        }
        let model = self.model;
        for &guard in &model.groups[group].guards[self.dispatch.single(group)..] {
            match self.ask(guard) {
                GuardAnswer::No => return Ok(()),
                GuardAnswer::Yes => {}
                GuardAnswer::Unknown => return self.guarded(group, from, to),
            }
        }
        self.fire(group, from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_in_order() {
        let mut terms = [3, 1, 2, 9, 2, 8, 3, 0].map(Term);
        sort_run(&mut terms, 2);
        assert_eq!(terms, [2, 8, 2, 9, 3, 0, 3, 1].map(Term));
        let mut terms = [3, 1, 2].map(Term);
        sort_run(&mut terms, 1);
        assert_eq!(terms, [1, 2, 3].map(Term));
        let mut terms = [3, 1, 2].map(Term);
        sort_run(&mut terms, 3);
        assert_eq!(terms, [3, 1, 2].map(Term));
    }
}
