//! A layer as a model. This is the one place that passes on what a layer leaves alone.
//!
//! Forgetting is no option: `clippy::missing_trait_methods` refuses an implementation of [`Model`] below that
//! leaves a part of the interface to its default, and so does a test that reads the interface. A new part
//! that speaks of slots or groups needs a method of [`Translation`], which has no defaults: then each layer
//! that changes them must say what becomes of it. [`Stepper`] has no defaults either.

use std::ops::Deref;

use base::{GroupIx, LabelIx};
use model::waiting::Waiting;
use model::{Calls, Compiled, Dependencies, Inside, Model, Predicate, Signature, Stepper, Value};

use crate::{Changes, Layer, Translation};

/// The model that a layer makes of the one below.
pub struct Over<L>(pub L);

impl<L> Deref for Over<L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.0
    }
}

impl<L: Layer> Over<L> {
    fn translation(&self) -> Option<&dyn Translation> {
        match self.0.contract().changes {
            Changes::States(translation) => Some(translation),
            Changes::Nothing | Changes::Labels(_) => None,
        }
    }
}

#[deny(clippy::missing_trait_methods)]
impl<L: Layer> Model for Over<L> {
    fn signature(&self) -> &Signature {
        match self.0.contract().changes {
            Changes::Nothing => self.0.below().signature(),
            Changes::Labels(labels) => labels.signature(),
            Changes::States(translation) => translation.signature(),
        }
    }

    fn dependencies(&self) -> &Dependencies {
        match self.0.contract().changes {
            Changes::Nothing => self.0.below().dependencies(),
            Changes::Labels(labels) => labels.dependencies(),
            Changes::States(translation) => translation.dependencies(),
        }
    }

    fn initial(&self) -> &[Value] {
        self.translation().map_or_else(|| self.0.below().initial(), |translation| translation.initial())
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        self.0.stepper()
    }

    fn may_fail(&self, group: GroupIx) -> bool {
        match self.translation() {
            Some(translation) => translation.may_fail(group),
            None => self.0.below().may_fail(group),
        }
    }

    fn guards_suffice(&self, group: GroupIx) -> bool {
        match self.translation() {
            Some(translation) => translation.guards_suffice(group),
            None => self.0.below().guards_suffice(group),
        }
    }

    fn has_slow_calls(&self) -> bool {
        self.0.below().has_slow_calls()
    }

    fn label_predicate(&self, label: LabelIx) -> Option<Predicate> {
        match self.0.contract().changes {
            Changes::Nothing => self.0.below().label_predicate(label),
            Changes::Labels(labels) => labels.label_predicate(label),
            Changes::States(translation) => translation.label_predicate(label),
        }
    }

    fn bytes(&self) -> u64 {
        self.0.below().bytes()
    }

    fn unfold(&self, from: &[Value], group: GroupIx, action: Value, to: &[Value]) -> Option<Vec<Inside>> {
        match self.translation() {
            Some(translation) => translation.unfold(from, group, action, to),
            None => self.0.below().unfold(from, group, action, to),
        }
    }

    fn waiting(&self, state: &[Value]) -> Waiting {
        match self.translation() {
            Some(translation) => self.0.below().waiting(&translation.state_below(state)),
            None => self.0.below().waiting(state),
        }
    }

    fn compile(&self, calls: Calls) -> Compiled {
        self.0.below().compile(calls)
    }
}

/// A model that is a layer over another one, whichever layer that is.
pub trait Stacked: Model {
    /// The layer.
    fn layer(&self) -> &dyn Layer;
}

impl<L: Layer> Stacked for Over<L> {
    fn layer(&self) -> &dyn Layer {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// The names of the methods between the line that begins with `start` and the end of that item.
    fn methods<'t>(text: &'t str, start: &str) -> BTreeSet<&'t str> {
        let item = text.split_once(&format!("\n{start}")).expect("the item is there").1;
        let item = item.split_once("\n}\n").expect("the item ends").0;
        let names = item.lines().filter_map(|line| line.strip_prefix("    fn "));
        names.filter_map(|line| line.split_once('(')).map(|(name, _)| name).collect()
    }

    #[test]
    fn no_part_of_a_model_is_forgotten() {
        let interface = methods(include_str!("../../model/src/model.rs"), "pub trait Model");
        let passed_on = methods(include_str!("over.rs"), "impl<L: Layer> Model for Over<L>");
        assert!(interface.contains("unfold") && interface.len() > 10, "{interface:?}");
        assert_eq!(interface, passed_on);
    }
}
