//! The PINS model of a program: its code with the steppers that run it.

use std::sync::OnceLock;

use base::GroupIx;
use model::waiting::Waiting;
use model::{Calls, Compiled, Dependencies, Inside, Model, Signature, Stepper, Value};

use crate::coded::{BuildError, CodedProgram, MOST_STEPS};
use crate::compile::{CompiledStepper, Native, NotCompiled};
use crate::evaluator::Evaluator;
use crate::fold::fold_program;
use crate::going_on::GoingOn;
use crate::going_on::unfold::unfold;
use crate::interpreter::Interpreter;
use crate::program::Program;
use crate::separable::effects;
use crate::waiting::waiting;

/// A program as a model.
pub struct CommandModel {
    coded: CodedProgram,
    /// Machine code for some calls, or why there is none, once someone has asked for it.
    native_states: OnceLock<Result<Native, NotCompiled>>,
    native_groups: OnceLock<Result<Native, NotCompiled>>,
}

impl CommandModel {
    /// Most commands that one step may take unless its maker says otherwise.
    pub const MOST_STEPS: u64 = MOST_STEPS;

    /// The model of a program.
    pub fn new(program: Program) -> Result<Self, BuildError> {
        let program = fold_program(program);
        let mut coded = CodedProgram::new(&program)?;
        let effects = effects(&program, &coded);
        for (group, effect) in coded.signature.groups.iter_mut().zip(effects) {
            group.effect = effect;
        }
        Ok(Self { coded, native_states: OnceLock::new(), native_groups: OnceLock::new() })
    }

    /// The same with another limit on the commands that one step may take where commands go on. A step that
    /// takes more fails as one that this tool cannot tell, not as an error of the model.
    #[must_use]
    pub fn with_most_steps(mut self, most: u64) -> Self {
        self.coded.most_steps = most;
        self
    }

    /// Where the machine code for some calls is kept.
    fn native_cell(&self, calls: Calls) -> &OnceLock<Result<Native, NotCompiled>> {
        match calls {
            Calls::States => &self.native_states,
            Calls::Groups => &self.native_groups,
        }
    }

    /// The machine code for some calls, if someone has asked for it and it could be made.
    fn native(&self, calls: Calls) -> Option<&Native> {
        self.native_cell(calls).get().and_then(|native| native.as_ref().ok())
    }

    /// A stepper of which commands go on, if there are such.
    fn with_followers<'a>(&'a self, evaluator: impl Evaluator + 'a) -> Box<dyn Stepper + 'a> {
        if self.coded.followers.lists.is_empty() {
            Box::new(evaluator)
        } else {
            Box::new(GoingOn::new(&self.coded, evaluator))
        }
    }
}

impl Model for CommandModel {
    fn signature(&self) -> &Signature {
        &self.coded.signature
    }

    fn dependencies(&self) -> &Dependencies {
        &self.coded.dependencies
    }

    fn initial(&self) -> &[Value] {
        &self.coded.initial
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        match (self.native(Calls::States), self.native(Calls::Groups)) {
            (None, None) => self.with_followers(Interpreter::new(&self.coded)),
            (states, groups) => self.with_followers(CompiledStepper::new(&self.coded, states, groups)),
        }
    }

    fn unfold(&self, from: &[Value], group: GroupIx, action: Value, to: &[Value]) -> Option<Vec<Inside>> {
        unfold(&self.coded, from, group, action, to)
    }

    fn waiting(&self, state: &[Value]) -> Waiting {
        waiting(self, &self.coded, state)
    }

    fn compile(&self, calls: Calls) -> Compiled {
        match self.native_cell(calls).get_or_init(|| Native::new(&self.coded, calls)) {
            Ok(native) => Compiled::Done { code_bytes: native.routines.code_bytes() },
            Err(why) => Compiled::Refused(why.to_string()),
        }
    }
}
