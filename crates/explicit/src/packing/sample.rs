//! A first look at a model: which values its slots have and how much each says about a state, as a short walk
//! at random shows it.
//!
//! Types say what a slot may hold, and most slots hold far less.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{GroupIx, SlotIx, SplitMix64};
use model::{Model, Signature, StopSignal, Successors, Value};

/// Steps of the walk …
const STEPS: usize = 4000;
/// … as long as they take no longer than this.
const PATIENCE: Duration = Duration::from_millis(10);
/// … and as long as there is anything new in so many steps.
const WITHOUT_NEWS: usize = 500;
/// Values that are kept, at most.
const MOST_VALUES: usize = 1 << 20;
/// The walk begins anew after so many steps.
const LENGTH: usize = 250;

/// The slots of a leaf have no more bits than this, as far as their values were seen: so its values are few
/// enough to stay near.
const LEAF_BITS: u32 = 14;

/// What the states of a model are like.
pub(crate) struct Sample {
    /// Bits that the values of each slot need, as far as they are known.
    widths: Vec<u8>,
    /// Some states, one after the other.
    states: Vec<Value>,
    /// The slots of a leaf have no more bits than this.
    pub(crate) leaf_bits: u32,
}

impl Sample {
    /// What the types say, for states that are packed slot by slot.
    pub(crate) fn declared(signature: &Signature) -> Self {
        let widths = signature.slot_ixs().map(|slot| signature.type_of(slot).bits() as u8).collect();
        Self { widths, states: Vec::new(), leaf_bits: 0 }
    }

    /// What some states show, one after the other in a vector.
    #[cfg(test)]
    pub(crate) fn of(signature: &Signature, states: &[Value], leaf_bits: u32) -> Self {
        let mut sample = Self { widths: vec![0; signature.slots.len()], states: Vec::new(), leaf_bits };
        sample.add(signature, states);
        sample
    }

    /// Adds states, one after the other in a vector.
    pub(crate) fn add(&mut self, signature: &Signature, states: &[Value]) {
        for slot in signature.slot_ixs() {
            let (ty, width) = (signature.type_of(slot), &mut self.widths[slot.ix()]);
            let fold = |value: Value| if ty.is_signed() { folded(value) } else { value };
            let values = states.iter().skip(slot.ix()).step_by(signature.slots.len());
            let bits = values.fold(0, |bits, &value| bits | fold(value));
            // A value that its type cannot hold is a defect of the model, to be found by the search.
            *width = (*width).max((u32::BITS - bits.leading_zeros()) as u8).min(ty.bits() as u8);
        }
        self.states.extend_from_slice(states);
    }

    /// Bits that the values of a slot need.
    pub(crate) fn width(&self, slot: SlotIx) -> u32 {
        self.widths[slot.ix()].into()
    }

    /// Some states.
    pub(crate) fn states(&self) -> impl Iterator<Item = &[Value]> {
        self.states.chunks(self.widths.len().max(1))
    }

    /// What a random walk shows that ends when it is told to.
    pub(crate) fn walk(model: &dyn Model, stop: &StopSignal) -> Self {
        let signature = model.signature();
        let initial = model.initial();
        let mut seen = vec![0; initial.len()];
        let mut states = Vec::new();
        // Says whether there is a bit in a value that was in none before.
        let mut note = |state: &[Value]| {
            let news = state.iter().zip(&seen).any(|(value, seen)| value & !seen != 0);
            seen.iter_mut().zip(state).for_each(|(seen, value)| *seen |= value);
            if states.len() < MOST_VALUES {
                states.extend_from_slice(state);
            }
            news
        };
        let started = Instant::now();
        let mut stepper = model.stepper();
        let stop = Arc::clone(stop);
        let is_over: StopSignal = Arc::new(move |bytes| started.elapsed() > PATIENCE || stop(bytes));
        stepper.heed(&is_over);
        let mut successors = Successors::new(initial.len());
        let mut state = initial.to_vec();
        // Any seed does: the same walk each time.
        let mut random = SplitMix64::new(7);
        let groups = signature.groups.len();
        note(&state);
        let mut last_news = 0;
        'walk: for step in 0..STEPS {
            if step > last_news + WITHOUT_NEWS {
                break;
            }
            successors.clear();
            // One group after the other, from any of them on, until one moves: to ask for all may take very
            // long.
            let first = random.below(groups);
            for at in (first..groups).chain(0..first) {
                // A group that fails is no step.
                _ = stepper.group(GroupIx::new(at), &state, &mut successors);
                if is_over(0) {
                    break 'walk;
                }
                if !successors.is_empty() {
                    break;
                }
            }
            if successors.is_empty() || step % LENGTH == LENGTH - 1 {
                state.copy_from_slice(initial);
            } else {
                state.copy_from_slice(successors.state(random.below(successors.len())));
                if note(&state) {
                    last_news = step;
                }
            }
        }
        let mut sample = Self { widths: vec![0; initial.len()], states: Vec::new(), leaf_bits: LEAF_BITS };
        sample.add(signature, &states);
        sample
    }
}

/// A signed value as a number that is small for small values: 0, -1, 1, -2, … are 0, 1, 2, 3, …
fn folded(value: Value) -> u32 {
    value << 1 ^ (value.cast_signed() >> 31).cast_unsigned()
}
