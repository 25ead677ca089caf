//! A model as engines see it.

use base::{GroupIx, LabelIx};

use crate::waiting::{Waiting, Words, by_guards};
use crate::{Dependencies, Inside, Predicate, Signature, Stepper, Value};

/// A model: what an engine can know without running it, and the means to run it.
///
/// Four parts are required. The others are optional; their defaults are right for every model, and an engine
/// does better where it is told more.
pub trait Model: Send + Sync {
    /// Slots and their types, groups, guards, labels, where each stands in the source.
    fn signature(&self) -> &Signature;
    /// The matrices.
    fn dependencies(&self) -> &Dependencies;
    /// The initial state.
    fn initial(&self) -> &[Value];
    /// The means to run it; one per worker, all mutable scratch lives there.
    fn stepper(&self) -> Box<dyn Stepper + '_>;

    /// Whether some state, whose slots hold values of their types, may make the group fail. Saying so of one
    /// that never does is always allowed. A group with an
    /// [`Effect`](crate::Effect) never fails.
    fn may_fail(&self, group: GroupIx) -> bool {
        self.signature().groups[group.ix()].effect.is_none()
    }

    /// Whether the group has a successor wherever all its guards are true, or fails there. Where a condition
    /// chooses values that guards do not know, as in a sum of process algebra, it need not. Of a group
    /// without guards nothing is said.
    fn guards_suffice(&self, _group: GroupIx) -> bool {
        true
    }

    /// Whether a call takes as long as many operations on sets of states, as where terms are rewritten.
    /// Engines then do more to save calls.
    fn has_slow_calls(&self) -> bool {
        false
    }

    /// The predicate that says where a state label is not zero, over the slots of this model, if its build is
    /// known. Such a label never fails.
    fn label_predicate(&self, _label: LabelIx) -> Option<Predicate> {
        None
    }

    /// Bytes that the model holds and that become more while it runs: the terms that its values are made of,
    /// say.
    fn bytes(&self) -> u64 {
        0
    }

    /// What happens inside a step of a group: a path from the state to the successor with that action, of one
    /// where the step is one. `None` for a model that does not know, and where there is no such step. A layer
    /// answers for its own states and groups.
    fn unfold(&self, _from: &[Value], _group: GroupIx, _action: Value, _to: &[Value]) -> Option<Vec<Inside>> {
        None
    }

    /// What waits in a state without successors, and for what. The default is what guards and matrices tell.
    /// A layer answers for its own states, in the words of the model below.
    fn waiting(&self, state: &[Value]) -> Waiting {
        by_guards((self.signature(), self.dependencies()), self.stepper(), state, &|_| Words::Name)
    }

    /// Makes machine code of the model for some calls, if it can. Steppers that are asked for after that run
    /// it, and do the same as before. To ask again changes nothing. A layer passes the wish on.
    fn compile(&self, _calls: Calls) -> Compiled {
        Compiled::Nothing
    }
}

/// The calls of a stepper that an engine lives by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// [`Stepper::all`] and [`Stepper::label`]: explicit search.
    States,
    /// [`Stepper::group`], [`Stepper::update`], [`Stepper::guard`] and [`Stepper::label`]: symbolic search.
    Groups,
}

/// What became of the wish for machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compiled {
    /// Steppers run machine code from now on.
    Done {
        /// How many bytes of it there are.
        code_bytes: usize,
    },
    /// There is nothing to compile: this kind of model runs as fast as it can.
    Nothing,
    /// It cannot be compiled, and is interpreted as before. Why: "it has more than 100000 commands".
    Refused(String),
}

/// The accessors of a [`Model`] that returns its fields `signature`, `dependencies` and `initial`: all three,
/// or those that are named.
///
/// ```
/// use model::{Dependencies, Model, Signature, Stepper, Value, from_fields};
///
/// struct Table {
///     signature: Signature,
///     dependencies: Dependencies,
///     initial: Vec<Value>,
/// }
///
/// impl Model for Table {
///     from_fields!(signature, dependencies, initial);
///
///     fn stepper(&self) -> Box<dyn Stepper + '_> {
///         unreachable!("this example is not run")
///     }
/// }
/// ```
#[macro_export]
macro_rules! from_fields {
    (@signature) => {
        fn signature(&self) -> &$crate::Signature {
            &self.signature
        }
    };
    (@dependencies) => {
        fn dependencies(&self) -> &$crate::Dependencies {
            &self.dependencies
        }
    };
    (@initial) => {
        fn initial(&self) -> &[$crate::Value] {
            &self.initial
        }
    };
    ($($part:ident),+) => {
        $($crate::from_fields!(@$part);)+
    };
}
