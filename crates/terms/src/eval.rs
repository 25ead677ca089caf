//! The evaluator: one for each thread.
//!
//! `run` is the machine that runs units; `apply` gives functions their arguments. The built-in functions are
//! in `ops` (numbers and truth values), `lists`, `sets`, `bags` and `equality`; `elements` has the values of
//! finite sorts; `interval` is what is known of a number without a value, `polynomial` of one that is
//! computed from it. `solve` finds the solutions of sums and quantifiers.
//!
//! The machine has stacks of its own, so a recursion may be as deep as there is memory. Only what runs a unit
//! from inside a built-in function uses the stack of the thread.

mod apply;
mod bags;
mod elements;
mod equality;
mod interval;
mod lists;
mod ops;
mod polynomial;
mod run;
mod sets;
mod solve;

use std::sync::Arc;

use crate::code::{Unit, UnitIx};
use crate::store::Recent;
use crate::{Code, Data, EvalFault, FunIx, Term};

pub use solve::OnSolution;
use solve::Unbound;

/// Evaluates expressions; one for each thread.
pub struct Evaluator<'d> {
    pub(crate) data: &'d Data,
    pub(crate) recent: Recent,
    pub(crate) stack: Vec<u32>,
    frames: Vec<Frame<'d>>,
    /// The first place of the stack that a run inside the present one may use.
    pub(crate) top: usize,
    /// Steps until it is looked whether to go on.
    pub(crate) steps: u64,
    /// Steps that may follow these.
    left: u64,
    /// Who wants to go on.
    stop: Option<StopSignal>,
    /// Runs inside runs.
    pub(crate) depth: u32,
    /// What is known of variables without a value, by their numbers.
    pub(crate) open: Vec<Unbound>,
    /// Searches inside searches.
    pub(crate) searches: u32,
    /// How often searches have split.
    pub(crate) splits: u64,
    /// How many of these splits were wasted, in the present evaluation or the search that it is a part of.
    pub(crate) in_vain: u64,
    /// Environments of quantifiers.
    pub(crate) environments: Vec<Vec<Term>>,
}

#[derive(Clone, Copy)]
struct Frame<'d> {
    unit: &'d Unit,
    pc: u32,
    fp: u32,
    to: u16,
}

/// What a condition comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// True.
    True,
    /// False.
    False,
    /// Neither: this term of sort `Bool`.
    Stuck(Term),
}

impl Truth {
    pub(crate) fn of(term: u32) -> Self {
        match term {
            0 => Self::False,
            1 => Self::True,
            _ => Self::Stuck(Term(term)),
        }
    }
}

/// Says whether to stop; it is given the bytes that all terms take by now.
pub type StopSignal = Arc<dyn Fn(u64) -> bool + Send + Sync>;

/// After so many steps it is looked whether to go on: about a thousand times a second.
const SLICE: u64 = 1 << 16;
/// A function without arguments that takes more steps is not evaluated in advance.
const STEPS_OF_A_CONSTANT: u64 = 1_000_000;
/// Runs inside runs take space on the thread's own stack.
const MOST_DEPTH: u32 = 100;
/// Words of the stack: 256 MiB.
const MOST_STACK: usize = 1 << 26;
/// Calls inside calls: another 200 MiB.
const MOST_FRAMES: usize = 1 << 23;

impl Data {
    /// One that evaluates, for one thread.
    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(self, Recent::new(), 1 << 12)
    }

    /// The same for a single short evaluation: it is made at once, and is slower if there are many.
    pub(crate) fn brief_evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(self, Recent::small(), 1 << 5)
    }
}

impl<'d> Evaluator<'d> {
    fn new(data: &'d Data, recent: Recent, stack: usize) -> Self {
        Self {
            data,
            recent,
            stack: vec![0; stack],
            frames: Vec::new(),
            top: 0,
            steps: SLICE.min(data.step_limit),
            left: data.step_limit,
            stop: None,
            depth: 0,
            open: Vec::new(),
            searches: 0,
            splits: 0,
            in_vain: 0,
            environments: Vec::new(),
        }
    }

    /// The specification that it evaluates by.
    pub fn data(&self) -> &'d Data {
        self.data
    }

    /// What an expression comes to in an environment.
    ///
    /// # Errors
    /// An evaluation that does not end, or no room for terms.
    #[inline]
    pub fn eval(&mut self, code: &Code, env: &[Term]) -> Result<Term, EvalFault> {
        if let Some(known) = code.immediate.at_once(env) {
            return Ok(Term(known));
        }
        self.fresh();
        let fp = self.top;
        self.reserve(fp + code.loads.len(), None)?;
        for (at, &from) in code.loads.iter().enumerate() {
            self.stack[fp + at] = env[from as usize].0;
        }
        self.run(code.unit, fp).map(Term)
    }

    /// Whether a condition holds in an environment.
    ///
    /// # Errors
    /// An evaluation that does not end, or no room for terms.
    #[inline]
    pub fn truth(&mut self, code: &Code, env: &[Term]) -> Result<Truth, EvalFault> {
        self.eval(code, env).map(|term| Truth::of(term.0))
    }

    /// What a closed expression comes to, given no more steps than these.
    pub(crate) fn eval_within(&mut self, code: &Code, steps: u64) -> Result<Term, EvalFault> {
        match code.immediate.at_once(&[]) {
            Some(known) => Ok(Term(known)),
            None => {
                self.fresh();
                self.give(steps);
                self.run(code.unit, 0).map(Term)
            }
        }
    }

    /// Gives a new evaluation all its steps; one inside another has those of the other.
    #[inline]
    pub(crate) fn fresh(&mut self) {
        if self.depth == 0 {
            if self.data.step_limit < u64::MAX || self.left < u64::MAX {
                self.give(self.data.step_limit);
            }
            self.top = 0;
            self.frames.clear();
            if self.searches == 0 {
                self.in_vain = 0;
            }
        }
    }

    /// What a unit without arguments comes to, given a limited number of steps.
    pub(crate) fn constant(&mut self, unit: UnitIx) -> Result<u32, EvalFault> {
        self.fresh();
        self.give(STEPS_OF_A_CONSTANT);
        self.run(unit, 0)
    }

    /// From now on an evaluation that takes long asks now and then whether to stop. Where it is to, that is
    /// an [`EvalFault::Interrupted`].
    pub fn heed(&mut self, stop: StopSignal) {
        self.stop = Some(stop);
    }

    /// No more steps than these.
    fn give(&mut self, steps: u64) {
        self.steps = SLICE.min(steps);
        self.left = if steps == u64::MAX { steps } else { steps - self.steps };
    }

    /// A piece of work outside of units that takes about as long as so many steps.
    #[inline]
    pub(crate) fn charge(&mut self, steps: u64) -> Result<(), EvalFault> {
        match self.steps.checked_sub(steps) {
            Some(less) => {
                self.steps = less;
                Ok(())
            }
            None => self.pause(None),
        }
    }

    /// All steps of a slice are done: whether to go on with the next.
    #[cold]
    #[inline(never)]
    pub(crate) fn pause(&mut self, function: Option<FunIx>) -> Result<(), EvalFault> {
        self.steps = 0;
        if self.stop.as_ref().is_some_and(|stop| stop(self.data.store.bytes())) {
            return Err(EvalFault::Interrupted);
        }
        if self.left == 0 {
            return Err(EvalFault::TooLong { function: self.name(function) });
        }
        self.steps = SLICE.min(self.left);
        if self.left < u64::MAX {
            self.left -= self.steps;
        }
        Ok(())
    }

    /// Room on the stack up to this place.
    #[inline]
    pub(crate) fn reserve(&mut self, to: usize, function: Option<FunIx>) -> Result<(), EvalFault> {
        if to <= self.stack.len() {
            return Ok(());
        }
        self.grow(to, function)
    }

    #[cold]
    fn grow(&mut self, to: usize, function: Option<FunIx>) -> Result<(), EvalFault> {
        if to > MOST_STACK {
            return Err(EvalFault::TooDeep { function: self.name(function) });
        }
        self.stack.resize((to * 2).min(MOST_STACK), 0);
        Ok(())
    }

    fn name(&self, function: Option<FunIx>) -> String {
        function.map_or_else(
            || "an expression".to_owned(),
            |function| self.data.spec.functions[function.ix()].name.clone(),
        )
    }

    /// Runs a unit whose arguments are on the stack from `fp` on.
    pub(crate) fn run(&mut self, unit: UnitIx, fp: usize) -> Result<u32, EvalFault> {
        let (base, top) = (self.frames.len(), self.top);
        if self.depth >= MOST_DEPTH {
            return Err(EvalFault::TooDeep { function: self.name(self.data.units.get(unit).function) });
        }
        self.depth += 1;
        let answer = self.go(unit, fp, base);
        self.depth -= 1;
        self.frames.truncate(base);
        self.top = top;
        answer
    }
}
