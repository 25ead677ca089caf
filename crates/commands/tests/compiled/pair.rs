//! Two steppers of one model that must do the same: the interpreter, and machine code.

use base::{GroupIx, GuardIx, LabelIx};
use model::{Calls, Compiled, Model, Stepper, Successors, Value};

/// Two steppers of one model that must do the same.
pub struct Pair<'a> {
    model: &'a dyn Model,
    pub interpreted: Box<dyn Stepper + 'a>,
    pub compiled: Box<dyn Stepper + 'a>,
    pub wanted: Successors,
    pub found: Successors,
}

impl<'a> Pair<'a> {
    pub fn new(model: &'a dyn Model) -> Self {
        let interpreted = model.stepper();
        for calls in [Calls::States, Calls::Groups] {
            let compiled = model.compile(calls);
            assert!(matches!(compiled, Compiled::Done { .. }), "{compiled:?}");
        }
        let width = model.initial().len();
        let buffer = || Successors::new(width);
        Self { model, interpreted, compiled: model.stepper(), wanted: buffer(), found: buffer() }
    }

    /// What is in the buffers, in order, with everything that is known of each successor.
    fn same_rows(&self, what: &str, state: &[Value]) {
        let rows = |buffer: &Successors| -> Vec<_> {
            let row =
                |s: model::Successor<'_>| (s.group, s.action, s.state.to_vec(), s.copied_words().to_vec());
            buffer.iter().map(row).collect()
        };
        assert_eq!(rows(&self.found), rows(&self.wanted), "{what} of {state:?}");
    }

    /// Asks for everything in a state. The buffers are not emptied between some calls: both append.
    pub fn check(&mut self, state: &[Value]) {
        let signature = self.model.signature();
        self.wanted.clear();
        self.found.clear();
        for group in GroupIx::all(signature.groups.len()) {
            let wanted = self.interpreted.group(group, state, &mut self.wanted);
            assert_eq!(
                self.compiled.group(group, state, &mut self.found),
                wanted,
                "group {group:?} of {state:?}"
            );
            self.same_rows("group", state);
            if group.ix() % 3 == 0 {
                self.wanted.clear();
                self.found.clear();
            }
            let wanted = self.interpreted.update(group, state, &mut self.wanted);
            assert_eq!(
                self.compiled.update(group, state, &mut self.found),
                wanted,
                "update {group:?} of {state:?}"
            );
            self.same_rows("update", state);
        }
        for guard in GuardIx::all(signature.guards.len()) {
            let wanted = self.interpreted.guard(guard, state);
            assert_eq!(self.compiled.guard(guard, state), wanted, "guard {guard:?} of {state:?}");
        }
        for label in LabelIx::all(signature.labels.len()) {
            let wanted = self.interpreted.label(label, state);
            assert_eq!(self.compiled.label(label, state), wanted, "label {label:?} of {state:?}");
        }
        self.check_all(state);
    }

    pub fn check_all(&mut self, state: &[Value]) {
        let wanted = self.interpreted.all(state, &mut self.wanted);
        assert_eq!(self.compiled.all(state, &mut self.found), wanted, "all of {state:?}");
        self.same_rows("all", state);
    }
}
