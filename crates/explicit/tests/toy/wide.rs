//! A wide model: very many slots and groups, made without a closure each.

use std::time::Duration;

use base::GroupIx;
use model::{Dependencies, EvalError, Model, Signature, Stepper, Successors, Type, Value};
use toys::{Behaviour, BehaviourStepper, frame};

/// Bytes, all zero at first; each group raises the byte of its number, until that is `last`.
pub struct Wide {
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    last: Value,
    pause: Duration,
}

impl Wide {
    pub fn new(slots: usize, groups: usize, last: Value) -> Self {
        let types = vec![Type::range("byte", 0, 255)];
        let mut signature = toys::signature(types, frame::variables('s', slots, 0));
        signature.groups = (0..groups).map(|at| frame::group(at, [])).collect();
        signature.action = Type::names("action", vec!["a0".into()]);
        let mut dependencies = Dependencies::none(slots, groups, 0, 0);
        for group in 0..groups {
            dependencies.read.set(group, group);
            dependencies.may_write.set(group, group);
        }
        Self { signature, dependencies, initial: vec![0; slots], last, pause: Duration::ZERO }
    }

    /// The same, where each group takes this long.
    pub fn slow(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }
}

impl Model for Wide {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(BehaviourStepper(self))
    }
}

impl Behaviour for Wide {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn update(&self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if !self.pause.is_zero() {
            std::thread::sleep(self.pause);
        }
        if from[group.ix()] < self.last {
            to.push(group, 0, from)[group.ix()] += 1;
        }
        Ok(())
    }
}
