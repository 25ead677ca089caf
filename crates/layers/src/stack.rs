//! Layers on a model, each over the one before. Differs from LTSmin's chain of wrappers: each layer says what
//! it requires and preserves, and an unsound stack is an error, not a wrong answer.
//!
//! An example: of a net someone asks for deadlocks, `--eliminate all` leaves out the transitions that change
//! nothing, and a state where only such a transition is enabled becomes a deadlock. [`Stack::push`] refuses
//! the layer `regroup` then, because it does not preserve deadlocks, which the property needs.

use std::sync::Arc;

use base::{GroupIx, SlotIx};
use model::{Linear, Model, Path, Value};

use crate::{Aspect, Changes, Error, Layer, Need, Over, Stacked, Translation};

/// Layers on a plain model, each over the one before.
pub struct Stack {
    plain: Arc<dyn Model>,
    needs: Vec<Need>,
    layers: Vec<Arc<dyn Stacked>>,
}

impl Stack {
    /// The stack without layers, of which nothing is asked.
    pub fn new(plain: Arc<dyn Model>) -> Self {
        Self::for_needs(plain, Vec::new())
    }

    /// The stack without layers. Each layer will have to preserve what is needed.
    pub fn for_needs(plain: Arc<dyn Model>, needs: Vec<Need>) -> Self {
        Self { plain, needs, layers: Vec::new() }
    }

    /// The model at the bottom, which witnesses speak of.
    pub fn plain(&self) -> &Arc<dyn Model> {
        &self.plain
    }

    /// The model at the top: what an engine is given, and what the next layer wraps.
    pub fn top(&self) -> Arc<dyn Model> {
        match self.layers.last() {
            // Named, because only a move lets an `Arc` of a layer become an `Arc` of a model.
            Some(layer) => Arc::<dyn Stacked>::clone(layer),
            None => Arc::clone(&self.plain),
        }
    }

    /// The layers, from the bottom up.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = &dyn Layer> + ExactSizeIterator {
        self.layers.iter().map(|layer| layer.layer())
    }

    /// The layers with slots or groups of their own, from the bottom up.
    fn translations(&self) -> impl DoubleEndedIterator<Item = &dyn Translation> {
        self.layers().filter_map(|layer| match layer.contract().changes {
            Changes::States(translation) => Some(translation),
            Changes::Nothing | Changes::Labels(_) => None,
        })
    }

    /// Puts a layer, made over [`Stack::top`], on the stack. Refuses one whose requirements are not met, and
    /// one that does not preserve what is needed.
    pub fn push<L: Layer + 'static>(&mut self, layer: Arc<Over<L>>) -> Result<(), Error> {
        let (contract, below) = (layer.contract(), layer.below());
        let name = || contract.name.to_owned();
        // Thin pointers: the same model may be seen through two vtables.
        if !std::ptr::addr_eq(Arc::as_ptr(below), Arc::as_ptr(&self.top())) {
            return Err(Error::NotOnTop { layer: name() });
        }
        if let Some(&requirement) = contract.requires.iter().find(|needed| !needed.is_met_by(&**below)) {
            return Err(Error::Unmet { layer: name(), requirement, model: below.signature().name.clone() });
        }
        if let Some(need) = self.needs.iter().find(|need| !contract.preserves.contains(&need.aspect)) {
            return Err(Error::Lost { layer: name(), need: need.clone() });
        }
        self.layers.push(layer);
        Ok(())
    }

    /// Whether every layer preserves this, so that what is found of it at the top holds of the plain model.
    pub fn preserves(&self, aspect: Aspect) -> bool {
        self.layers().all(|layer| layer.contract().preserves.contains(&aspect))
    }

    /// A sum of slots of the plain model as one of slots of the top, and what is to be added to it.
    pub fn sum_above(&self, sum: &Linear) -> (Linear, i128) {
        self.translations().fold((sum.clone(), 0), |(sum, constant), layer| {
            let (sum, more) = layer.sum_above(&sum);
            (sum, constant + more)
        })
    }

    /// The group of the top that does what a group of the plain model does, and nothing else; none where it
    /// is left out or merged with others.
    pub fn group_above(&self, group: GroupIx) -> Option<GroupIx> {
        self.translations().try_fold(group, |group, layer| layer.group_above(group))
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
        self.translations().try_fold(slot, |slot, layer| layer.slot_above(slot))
    }

    /// The state of the plain model that a state of the top stands for.
    pub fn state_below(&self, state: &[Value]) -> Vec<Value> {
        self.translations().rev().fold(state.to_vec(), |state, layer| layer.state_below(&state))
    }

    /// The path of the plain model that a path of the top stands for.
    pub fn path_below(&self, path: Path) -> Path {
        self.translations().rev().fold(path, |path, layer| layer.path_below(path))
    }
}
