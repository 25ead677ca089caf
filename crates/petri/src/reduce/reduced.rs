//! The reduced net, what it tells of the net as it was, and runs of that.

mod rebuild;

use model::{Linear, Predicate};

use super::rules::Applied;
use super::work::log::{NodeIx, Snapshot, Stage};
use super::work::touch::{FREE, Touch, touches_of_net};
use super::work::{Reconstruction, Work};
use crate::{Arc, Net, PlaceIx, Tokens, Transition, TransitionIx, Unit};
use rebuild::rebuild;

/// What a place of the net as it was holds, said by the places of the reduced net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Image {
    /// It holds what this place holds.
    Same(PlaceIx),
    /// It always holds this.
    Constant(Tokens),
    /// It holds `factor` times what the place holds, and `offset` more.
    Multiple {
        /// The place of the reduced net.
        place: PlaceIx,
        /// At least one.
        factor: i64,
        /// In addition.
        offset: i64,
    },
    /// Nothing.
    Lost,
}

/// A reduced net. What it says holds for the question it was made for: of the places that this looks at, none
/// is lost.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The net.
    pub net: Net,
    /// What it tells of each place of the net as it was.
    pub places: Vec<Image>,
    /// Which rules were applied.
    pub applied: Applied,
    stages: Vec<Stage>,
    /// The net as it was, where runs need it.
    original: Snapshot,
    stands_for: Vec<NodeIx>,
    has_runs: bool,
}

impl Reduced {
    /// The net itself, nothing reduced.
    pub(super) fn unreduced(net: &Net) -> Self {
        let transitions = 0..net.transitions.len() as u32;
        let nodes = transitions.clone().map(super::work::log::Node::One).collect();
        Self {
            net: net.clone(),
            places: PlaceIx::all(net.places.len()).map(Image::Same).collect(),
            applied: Applied::default(),
            stages: vec![Stage { nodes, ..Stage::default() }],
            original: Snapshot::default(),
            stands_for: transitions.collect(),
            has_runs: true,
        }
    }

    pub(super) fn new(net: &Net, work: Work) -> Self {
        let needs_original = work.log.stages.first().is_some_and(|stage| !stage.endings.is_empty());
        let original = needs_original.then(|| Snapshot {
            initial: net.places.iter().map(|place| place.initial).collect(),
            transitions: touches_of_net(net).unwrap_or_default(),
        });
        let mut position: Vec<Option<PlaceIx>> = vec![None; work.records.len()];
        for (number, place) in work.places().enumerate() {
            position[place as usize] = Some(PlaceIx::new(number));
        }
        let at = |place: u32| {
            position[place as usize].unwrap_or_else(|| panic!("BUG: an arc to a place that is gone"))
        };
        let transitions = work.living().map(|(_, step)| {
            let model = &net.transitions[step.named_as as usize];
            let is_whole = work.log.keep && !is_plain(&work, step.stands_for);
            let name = if is_whole { format!("{}…", model.name) } else { model.name.clone() };
            transition(name, model, &step.touches, &at)
        });
        let places = work.places().map(|place| {
            let initial = work.record(place).initial;
            crate::Place { initial, ..net.places[place as usize].clone() }
        });
        let keep_units = |unit: &Unit| Unit {
            places: unit.places.iter().filter_map(|place| position[place.ix()]).collect(),
            ..unit.clone()
        };
        let reduced = Net {
            name: net.name.clone(),
            places: places.collect(),
            transitions: transitions.collect(),
            units: if work.units_broken { Vec::new() } else { net.units.iter().map(keep_units).collect() },
            unit_safe: net.unit_safe && !work.units_broken,
            source: net.source.clone(),
        };
        Self {
            net: reduced,
            places: (0..work.records.len() as u32).map(|place| image(&work, &position, place)).collect(),
            applied: work.applied,
            stands_for: work.living().map(|(_, step)| step.stands_for).collect(),
            has_runs: work.log.keep,
            stages: work.log.stages,
            original: original.unwrap_or_default(),
        }
    }

    /// Where a place is now, if it is there as it was.
    pub fn place(&self, was: PlaceIx) -> Option<PlaceIx> {
        match self.places[was.ix()] {
            Image::Same(place) => Some(place),
            _ => None,
        }
    }

    /// The places that always hold the same, and how much; they are not in the net.
    pub fn constants(&self) -> impl Iterator<Item = (PlaceIx, Tokens)> {
        let all = PlaceIx::all(self.places.len()).zip(&self.places);
        all.filter_map(
            |(place, image)| if let Image::Constant(tokens) = image { Some((place, *tokens)) } else { None },
        )
    }

    /// A sum over the places as they were as one over those of the net, and what is to be added to it. `None`
    /// if it has a place that is lost, or numbers do not fit.
    pub fn linear(&self, sum: &Linear) -> Option<(Linear, i64)> {
        let mut offset = 0i64;
        let mut terms = Vec::with_capacity(sum.terms.len());
        for &(place, by) in &sum.terms {
            let (more, term) = match self.places[place.ix()] {
                Image::Same(place) => (0, Some((place, by))),
                Image::Constant(tokens) => (i64::try_from(tokens).ok()?, None),
                Image::Multiple { place, factor, offset } => (offset, Some((place, by.checked_mul(factor)?))),
                Image::Lost => return None,
            };
            offset = offset.checked_add(by.checked_mul(more)?)?;
            terms.extend(term);
        }
        Some((Linear::new(terms)?, offset))
    }

    /// A predicate over the places as they were as one over those of the net. `None` if it looks at a place
    /// that is lost, or numbers do not fit.
    pub fn predicate(&self, predicate: &Predicate) -> Option<Predicate> {
        Some(match predicate {
            Predicate::Constant(value) => Predicate::Constant(*value),
            Predicate::AtMost(sum, most) => {
                let (sum, offset) = self.linear(sum)?;
                let most = most.checked_sub(offset)?;
                if sum.terms.is_empty() {
                    Predicate::Constant(most >= 0)
                } else {
                    Predicate::AtMost(sum, most)
                }
            }
            Predicate::All(parts) => {
                Predicate::All(parts.iter().map(|part| self.predicate(part)).collect::<Option<_>>()?)
            }
            Predicate::Any(parts) => {
                Predicate::Any(parts.iter().map(|part| self.predicate(part)).collect::<Option<_>>()?)
            }
        })
    }

    /// A run of the net as it was that shows what this run of the net shows: it ends with the same tokens
    /// where the question looks, or in a deadlock if this one does. `None` if runs were not kept, or it is
    /// too long to write down.
    pub fn original_run(&self, run: &[TransitionIx]) -> Option<Vec<TransitionIx>> {
        if !self.has_runs {
            return None;
        }
        let nodes = run.iter().map(|transition| self.stands_for[transition.ix()]).collect();
        let run = rebuild(&self.stages, &self.original, nodes)?;
        Some(run.into_iter().map(|transition| TransitionIx::new(transition as usize)).collect())
    }
}

/// Whether a sequence is one transition.
fn is_plain(work: &Work, node: NodeIx) -> bool {
    let stage = work.log.stages.last();
    stage.is_none_or(|stage| matches!(stage.nodes[node as usize], super::work::log::Node::One(_)))
}

fn image(work: &Work, position: &[Option<PlaceIx>], place: u32) -> Image {
    let (mut place, mut factor, mut offset) = (place, 1i64, 0i64);
    loop {
        match work.record(place).reconstruction {
            Reconstruction::Here => {
                let Some(place) = position[place as usize] else { panic!("BUG: a place without a position") };
                let same = factor == 1 && offset == 0;
                return if same { Image::Same(place) } else { Image::Multiple { place, factor, offset } };
            }
            Reconstruction::Constant(tokens) => {
                let tokens = i128::from(tokens) * i128::from(factor) + i128::from(offset);
                return u64::try_from(tokens).map_or(Image::Lost, Image::Constant);
            }
            Reconstruction::Multiple { of, factor: by, offset: more } => {
                // factor·(by·m + more) + offset
                let next = factor.checked_mul(more).and_then(|more| more.checked_add(offset));
                let (Some(by), Some(next)) = (factor.checked_mul(by), next) else { return Image::Lost };
                (place, factor, offset) = (of, by, next);
            }
            Reconstruction::Lost => return Image::Lost,
        }
    }
}

fn transition(
    name: String,
    model: &Transition,
    touches: &[Touch],
    at: &impl Fn(u32) -> PlaceIx,
) -> Transition {
    let arcs = |weight: &dyn Fn(&Touch) -> Tokens| {
        // Counted first: there can be millions of these lists.
        let mut all = Vec::with_capacity(touches.iter().filter(|touch| weight(touch) > 0).count());
        let arcs = touches.iter().map(|touch| Arc { place: at(touch.place), weight: weight(touch) });
        all.extend(arcs.filter(|arc| arc.weight > 0));
        all
    };
    Transition {
        name,
        takes: arcs(&|touch| touch.demand),
        gives: arcs(&|touch| touch.demand.wrapping_add_signed(touch.effect)),
        needs: Vec::new(),
        forbids: arcs(&|touch| if touch.below == FREE { 0 } else { touch.below }),
        span: model.span,
    }
}
