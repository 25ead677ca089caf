//! How slots and groups are arranged before a search: their order, which groups are merged, what is left out.

use std::sync::Arc;

use layers::orders::{Counted, GraphKind, SlotOrder};
use layers::{Aspect, Eliminate, Merge, Regrouped, merged, remaining_groups, remaining_slots};
use model::Model;

use crate::Failure;
use crate::method::Method;
use crate::random::Random;

/// What the options ask for; what they leave open depends on the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) reorder: Option<Reorder>,
    pub(crate) merge: Option<Merge>,
    pub(crate) eliminate: Option<Eliminate>,
    /// The order that suits the language, for an engine that cares and where none is asked for.
    pub(crate) favourite: Option<SlotOrder>,
}

impl Wishes {
    /// With what is best for the engine where nothing else is asked for: the symbolic one lives by the order
    /// of slots, to the explicit one it is all the same. Nothing is left out on its own that one of the
    /// aspects needs.
    pub(crate) fn for_engine(self, method: Method, aspects: &[Aspect]) -> Arrangement {
        let best = match method {
            Method::Explicit(_) => Arrangement::NONE,
            Method::Symbolic(_) => {
                let best = Arrangement::symbolic(aspects);
                Arrangement { reorder: self.favourite.map_or(best.reorder, Reorder::By), ..best }
            }
        };
        let eliminate = match (self.eliminate.unwrap_or(best.eliminate), method) {
            // It asks for all groups at once, and counts what it gets.
            (Eliminate::ConstantsAndRepeats, Method::Explicit(_)) => Eliminate::Constants,
            (eliminate, _) => eliminate,
        };
        let (reorder, merge) = (self.reorder.unwrap_or(best.reorder), self.merge.unwrap_or(best.merge));
        Arrangement { reorder, merge, eliminate }
    }
}

/// How slots and groups are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrangement {
    pub(crate) reorder: Reorder,
    pub(crate) merge: Merge,
    pub(crate) eliminate: Eliminate,
}

/// The orders of slots and groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reorder {
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
pub(crate) const ORDERS: &[(&str, SlotOrder)] = &[
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
    pub(crate) const NONE: Self =
        Self { reorder: Reorder::None, merge: Merge::None, eliminate: Eliminate::Nothing };

    /// What is good for a symbolic search that is about these aspects.
    fn symbolic(aspects: &[Aspect]) -> Self {
        let best = layers::Arrangement::SYMBOLIC;
        let is_enough = |most: &Eliminate| aspects.iter().all(|aspect| most.preserves().contains(aspect));
        let most = [Eliminate::ConstantsAndLoops, Eliminate::ConstantsAndRepeats].into_iter().find(is_enough);
        let eliminate = most.unwrap_or(best.eliminate);
        Self { reorder: Reorder::By(best.order), merge: best.merge, eliminate }
    }

    /// The layer over a model, unless nothing is to be moved.
    pub(crate) fn layer(self, model: Arc<dyn Model>) -> Result<Option<Regrouped>, Failure> {
        if self == Self::NONE {
            return Ok(None);
        }
        let layer = match self.reorder {
            Reorder::By(order) => {
                let (counted, merge, eliminate) = (Counted::Combined, self.merge, self.eliminate);
                Regrouped::by(model, layers::Arrangement { order, counted, merge, eliminate })
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
                        let mut random = Random::new(seed);
                        random.shuffle(&mut slots);
                        random.shuffle(&mut groups);
                    }
                    Reorder::None | Reorder::By(_) => {}
                }
                Regrouped::new(model, slots, groups)
            }
        };
        layer.map(Some).map_err(|error| Failure::Defect(error.to_string()))
    }
}
