//! What a layer says of itself. Nothing here has a default: a layer that forgets to say something does not
//! compile.

use std::sync::Arc;

use base::{GroupIx, LabelIx, SlotIx};
use model::{Dependencies, Inside, Linear, Model, Path, Predicate, Signature, Stepper, Value};

use crate::{Aspect, Requirement};

/// A layer over a model. [`Over`](crate::Over) makes a model of it.
pub trait Layer: Send + Sync {
    /// The model below.
    fn below(&self) -> &Arc<dyn Model>;

    /// What the layer is and does to the model below.
    fn contract(&self) -> Contract<'_>;

    /// The means to run the model above.
    fn stepper(&self) -> Box<dyn Stepper + '_>;
}

/// What a layer is and does to the model below.
pub struct Contract<'a> {
    /// What users call the layer.
    pub name: &'a str,
    /// What the model below must have, beyond matrices that keep their promises.
    pub requires: &'a [Requirement],
    /// What is the same above and below.
    pub preserves: &'a [Aspect],
    /// What is known of the model above without running it, as far as it is not the same below.
    pub changes: Changes<'a>,
}

/// What is known of a model without running it, as far as a layer changes it. All else is passed on from the
/// model below.
pub enum Changes<'a> {
    /// Nothing: the layer changes only how the model is run.
    Nothing,
    /// The labels: there are more of them, behind those of the model below.
    Labels(&'a dyn MoreLabels),
    /// Slots or groups, and with them what states are.
    States(&'a dyn Translation),
}

/// The labels of a layer that has more than the model below. Slots, groups, guards and all labels of the
/// model below keep their numbers.
pub trait MoreLabels {
    /// The signature of the model below, with more labels.
    fn signature(&self) -> &Signature;

    /// The matrices of the model below, with rows for more labels.
    fn dependencies(&self) -> &Dependencies;

    /// What [`Model::label_predicate`] says.
    fn label_predicate(&self, label: LabelIx) -> Option<Predicate>;
}

/// Between a layer with slots or groups of its own and the model below. Labels keep their numbers.
///
/// Questions go up: what speaks of slots and groups of the model below is said in those of the layer. Answers
/// come back down: states and paths of the layer become those of the model below. A path is taken as a whole,
/// as it need not be as long below as above.
pub trait Translation {
    /// What [`Model::signature`] says.
    fn signature(&self) -> &Signature;

    /// What [`Model::dependencies`] says.
    fn dependencies(&self) -> &Dependencies;

    /// What [`Model::initial`] says.
    fn initial(&self) -> &[Value];

    /// What [`Model::may_fail`] says.
    fn may_fail(&self, group: GroupIx) -> bool;

    /// What [`Model::guards_suffice`] says.
    fn guards_suffice(&self, group: GroupIx) -> bool;

    /// What [`Model::label_predicate`] says.
    fn label_predicate(&self, label: LabelIx) -> Option<Predicate>;

    /// What [`Model::unfold`] says.
    fn unfold(&self, from: &[Value], group: GroupIx, action: Value, to: &[Value]) -> Option<Vec<Inside>>;

    /// A sum of slots of the model below as one of slots of this one, and what is to be added to it: what
    /// slots that are left out hold.
    fn sum_above(&self, sum: &Linear) -> (Linear, i128);

    /// The group of this model that does what a group of the model below does, and nothing else; none where
    /// it is left out or merged with others.
    fn group_above(&self, group: GroupIx) -> Option<GroupIx>;

    /// The slot of this model that holds what a slot of the model below does; none where it is left out, and
    /// holds its initial value always.
    fn slot_above(&self, slot: SlotIx) -> Option<SlotIx>;

    /// The state of the model below that a state of this one stands for.
    fn state_below(&self, state: &[Value]) -> Vec<Value>;

    /// The path of the model below that a path of this one stands for.
    fn path_below(&self, path: Path) -> Path;
}
