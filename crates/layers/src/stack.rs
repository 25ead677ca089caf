//! What a layer is, and the stack of them that a planner builds. Differs from LTSmin's chain of wrappers:
//! each layer says what it requires and preserves, and an unsound stack is an error, not a wrong answer.

use std::sync::Arc;

use base::{GroupIx, SlotIx};
use model::{Linear, Model, Value};

use crate::Error;

/// A model over another model.
pub trait Layer: Model {
    /// What users call it.
    fn name(&self) -> &str;

    /// The model below.
    fn inner(&self) -> &Arc<dyn Model>;

    /// What the model below must have, beyond matrices that keep their promises.
    fn requires(&self) -> &[Requirement] {
        &[]
    }

    /// What is the same above and below.
    fn preserves(&self) -> &[Aspect] {
        Aspect::ALL
    }

    /// A sum of slots of the inner model as one of slots of this one, and what is to be added to it: what
    /// slots that are left out hold.
    fn sum_above(&self, sum: &Linear) -> (Linear, i128) {
        (sum.clone(), 0)
    }

    /// The group of this model that does what a group of the inner model does, and nothing else; none where
    /// it is left out or merged with others.
    fn group_above(&self, group: GroupIx) -> Option<GroupIx> {
        Some(group)
    }

    /// The slot of this model that holds what a slot of the inner model does; none where it is left out, and
    /// holds its initial value always.
    fn slot_above(&self, slot: SlotIx) -> Option<SlotIx> {
        Some(slot)
    }

    /// The state of the inner model that a state of this one stands for: the same, unless slots are moved or
    /// left out.
    fn state_back(&self, state: &[Value]) -> Vec<Value> {
        state.to_vec()
    }
}

/// Something a layer can need of the model below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// Some group names the guards that enable it.
    Guards,
}

impl Requirement {
    /// Whether the model has it. A model without groups lacks nothing.
    pub fn is_met_by(self, model: &dyn Model) -> bool {
        let groups = &model.signature().groups;
        match self {
            Self::Guards => groups.is_empty() || groups.iter().any(|group| !group.guards.is_empty()),
        }
    }
}

impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Guards => "guards",
        })
    }
}

/// What a question can be about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aspect {
    /// How many states are reachable, and which.
    States,
    /// How many transitions there are.
    Transitions,
    /// Whether a state without successors is reachable.
    Deadlocks,
    /// Whether a state in which the model fails is reachable.
    Errors,
    /// Which values the state labels take in reachable states.
    Labels,
    /// Which actions occur.
    Actions,
}

impl Aspect {
    /// All of them: what a layer preserves that only changes how states are written down or computed.
    pub const ALL: &[Self] =
        &[Self::States, Self::Transitions, Self::Deadlocks, Self::Errors, Self::Labels, Self::Actions];

    /// All that can be counted, and not which actions occur.
    pub const NUMBERS: &[Self] =
        &[Self::States, Self::Transitions, Self::Deadlocks, Self::Errors, Self::Labels];
}

impl std::fmt::Display for Aspect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::States => "the set of states",
            Self::Transitions => "the number of transitions",
            Self::Deadlocks => "deadlocks",
            Self::Errors => "evaluation errors",
            Self::Labels => "the values of state labels",
            Self::Actions => "the actions that occur",
        })
    }
}

/// Layers on a plain model, each over the one before.
pub struct Stack {
    plain: Arc<dyn Model>,
    layers: Vec<Arc<dyn Layer>>,
}

impl Stack {
    /// The stack without layers.
    pub fn new(plain: Arc<dyn Model>) -> Self {
        Self { plain, layers: Vec::new() }
    }

    /// The model at the bottom, which witnesses speak of.
    pub fn plain(&self) -> &Arc<dyn Model> {
        &self.plain
    }

    /// The model at the top: what an engine is given, and what the next layer wraps.
    pub fn top(&self) -> Arc<dyn Model> {
        match self.layers.last() {
            // Named, because only a move lets an `Arc` of a layer become an `Arc` of a model.
            Some(layer) => Arc::<dyn Layer>::clone(layer),
            None => Arc::clone(&self.plain),
        }
    }

    /// The layers, from the bottom up.
    pub fn layers(&self) -> &[Arc<dyn Layer>] {
        &self.layers
    }

    /// Puts a layer, made over [`Stack::top`], on the stack; refuses one whose requirements are not met.
    pub fn push(&mut self, layer: Arc<dyn Layer>) -> Result<(), Error> {
        let name = || layer.name().to_owned();
        // Thin pointers: the same model may be seen through two vtables.
        if !std::ptr::addr_eq(Arc::as_ptr(layer.inner()), Arc::as_ptr(&self.top())) {
            return Err(Error::NotOnTop { layer: name() });
        }
        let below = layer.inner();
        if let Some(&requirement) =
            layer.requires().iter().find(|requirement| !requirement.is_met_by(&**below))
        {
            return Err(Error::Unmet { layer: name(), requirement, model: below.signature().name.clone() });
        }
        self.layers.push(layer);
        Ok(())
    }

    /// Whether an answer about this, found at the top, holds of the plain model.
    pub fn answers(&self, aspect: Aspect) -> Result<(), Error> {
        match self.layers.iter().find(|layer| !layer.preserves().contains(&aspect)) {
            Some(layer) => Err(Error::Lost { layer: layer.name().to_owned(), aspect }),
            None => Ok(()),
        }
    }

    /// A sum of slots of the plain model as one of slots of the top, and what is to be added to it.
    pub fn sum_above(&self, sum: &Linear) -> (Linear, i128) {
        self.layers.iter().fold((sum.clone(), 0), |(sum, constant), layer| {
            let (sum, more) = layer.sum_above(&sum);
            (sum, constant + more)
        })
    }

    /// The group of the top that does what a group of the plain model does, and nothing else; none where it
    /// is left out or merged with others.
    pub fn group_above(&self, group: GroupIx) -> Option<GroupIx> {
        self.layers.iter().try_fold(group, |group, layer| layer.group_above(group))
    }

    /// How many groups of the plain model each group of the top does the steps of, where that is not one
    /// each: some were left out, as others do the same. A group that is merged of several has the steps of
    /// all of them, each for itself, and counts once.
    pub fn weights(&self) -> Option<Vec<u64>> {
        let mut weights = vec![0; self.top().signature().groups.len()];
        for group in self.plain.signature().group_ixs().filter_map(|group| self.group_above(group)) {
            weights[group.ix()] += 1;
        }
        weights.iter_mut().for_each(|weight| *weight = (*weight).max(1));
        weights.iter().any(|&weight| weight > 1).then_some(weights)
    }

    /// The slot of the top that holds what a slot of the plain model does; none where it is left out, and
    /// holds its initial value always.
    pub fn slot_above(&self, slot: SlotIx) -> Option<SlotIx> {
        self.layers.iter().try_fold(slot, |slot, layer| layer.slot_above(slot))
    }

    /// The state of the plain model that a state of the top stands for.
    pub fn state_back(&self, state: &[Value]) -> Vec<Value> {
        self.layers.iter().rev().fold(state.to_vec(), |state, layer| layer.state_back(&state))
    }
}
