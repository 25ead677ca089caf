//! How slots and groups are arranged before a search: their order, which groups are merged, what is left out.

use std::sync::Arc;

use base::SplitMix64;
use engine::Profile;
use layers::orders::{CountedAccess, GraphKind, SlotOrder};
use layers::{Aspect, Eliminate, Merge, Over, Regrouped, merged, remaining_groups, remaining_slots};
use model::Model;

use crate::error::Error;

/// What the options ask for; what they leave open depends on the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wishes {
    /// The order of slots and groups.
    pub reorder: Option<Reorder>,
    /// Which groups are merged.
    pub merge: Option<Merge>,
    /// What is left out.
    pub eliminate: Option<Eliminate>,
    /// The order that suits the language, for an engine that cares and where none is asked for.
    pub favourite: Option<SlotOrder>,
}

impl Wishes {
    /// With what is best for the engine where nothing else is asked for: a symbolic one lives by the order of
    /// slots, to an explicit one it is all the same. Nothing is left out on its own that one of the aspects
    /// needs.
    pub fn for_engine(self, profile: Profile, aspects: &[Aspect]) -> Arrangement {
        let best = if profile.is_ordered {
            let best = Arrangement::for_sets(aspects);
            Arrangement { reorder: self.favourite.map_or(best.reorder, Reorder::By), ..best }
        } else {
            Arrangement::NONE
        };
        let eliminate = match self.eliminate.unwrap_or(best.eliminate) {
            // It asks for all groups at once, and counts what it gets.
            Eliminate::ConstantsAndRepeats if !profile.is_ordered => Eliminate::Constants,
            eliminate => eliminate,
        };
        let (reorder, merge) = (self.reorder.unwrap_or(best.reorder), self.merge.unwrap_or(best.merge));
        Arrangement { reorder, merge, eliminate }
    }
}

/// How slots and groups are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The order of slots and groups.
    pub reorder: Reorder,
    /// Which groups are merged.
    pub merge: Merge,
    /// What is left out.
    pub eliminate: Eliminate,
}

/// The orders of slots and groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reorder {
    /// As the language gives them.
    None,
    /// Backwards.
    Reverse,
    /// At random, from a seed.
    Random(u64),
    /// Slots by what the matrices say, groups sorted.
    By(SlotOrder),
}

/// Words for the computed orders.
pub const ORDERS: &[(&str, SlotOrder)] = &[
    ("auto", SlotOrder::Auto),
    ("force", SlotOrder::Force),
    ("sloan", SlotOrder::Sloan(GraphKind::Bipartite)),
    ("sloan-total", SlotOrder::Sloan(GraphKind::Total)),
    ("cm", SlotOrder::CuthillMckee(GraphKind::Bipartite)),
    ("cm-total", SlotOrder::CuthillMckee(GraphKind::Total)),
    ("sort", SlotOrder::Sort),
];

impl Arrangement {
    /// Nothing is moved.
    pub const NONE: Self = Self { reorder: Reorder::None, merge: Merge::None, eliminate: Eliminate::Nothing };

    /// What is good for a search by sets of states that is about these aspects.
    fn for_sets(aspects: &[Aspect]) -> Self {
        let best = layers::Regrouping::SYMBOLIC;
        let is_enough = |most: &Eliminate| aspects.iter().all(|aspect| most.preserves().contains(aspect));
        let most = [Eliminate::ConstantsAndLoops, Eliminate::ConstantsAndRepeats].into_iter().find(is_enough);
        let eliminate = most.unwrap_or(best.eliminate);
        Self { reorder: Reorder::By(best.order), merge: best.merge, eliminate }
    }

    /// The layer over a model, unless nothing is to be moved.
    pub fn layer(self, model: Arc<dyn Model>) -> Result<Option<Over<Regrouped>>, Error> {
        if self == Self::NONE {
            return Ok(None);
        }
        let layer = match self.reorder {
            Reorder::By(order) => {
                let (counted, merge, eliminate) = (CountedAccess::Combined, self.merge, self.eliminate);
                Regrouped::by(model, layers::Regrouping { order, counted, merge, eliminate })
            }
            Reorder::None | Reorder::Reverse | Reorder::Random(_) => {
                let mut slots = remaining_slots(&*model, self.eliminate);
                let mut groups = remaining_groups(&*model, self.eliminate, merged(&*model, self.merge));
                match self.reorder {
                    Reorder::Reverse => {
                        slots.reverse();
                        groups.reverse();
                    }
                    Reorder::Random(seed) => {
                        let mut random = SplitMix64::new(seed);
                        random.shuffle(&mut slots);
                        random.shuffle(&mut groups);
                    }
                    Reorder::None | Reorder::By(_) => {}
                }
                Regrouped::new(model, slots, groups)
            }
        };
        layer.map(Some).map_err(|error| Error::Defect(error.to_string()))
    }
}
