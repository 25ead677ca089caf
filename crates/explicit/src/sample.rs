//! A first look at a model: which values its slots have and how much each says about a state, as a short walk at random shows it.
//!
//! Types say what a slot may hold, and most slots hold far less.

use std::time::{Duration, Instant};

use base::{GroupIx, SlotIx};
use model::{Model, Signature, Successors, Value};

/// Steps of the walk …
const STEPS: usize = 4000;
/// … as long as they take no longer than this.
const PATIENCE: Duration = Duration::from_millis(10);
/// … and as long as there is anything new in so many steps.
const BORED: usize = 500;
/// Values that are kept, at most.
const MOST_VALUES: usize = 1 << 20;
/// The walk begins anew after so many steps.
const LENGTH: usize = 250;

/// The slots of a leaf have no more bits than this, as far as their values were seen: so its values are few enough to stay near.
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
    pub(crate) fn of(signature: &Signature, states: Vec<Value>, leaf_bits: u32) -> Self {
        let mut sample = Self::declared(signature);
        for (slot, width) in sample.widths.iter_mut().enumerate() {
            let bits =
                states.iter().skip(slot).step_by(signature.slots.len().max(1)).fold(0, |bits, value| bits | value);
            *width = (*width).min((u32::BITS - bits.leading_zeros()) as u8);
        }
        Self { states, leaf_bits, ..sample }
    }

    /// Bits that the values of a slot need.
    pub(crate) fn width(&self, slot: SlotIx) -> u32 {
        self.widths[slot.ix()].into()
    }

    /// Some states.
    pub(crate) fn states(&self) -> impl Iterator<Item = &[Value]> {
        self.states.chunks(self.widths.len().max(1))
    }

    /// What a random walk shows.
    pub(crate) fn walk(model: &dyn Model) -> Self {
        let signature = model.signature();
        let initial = model.initial();
        let signed: Vec<bool> = signature.slot_ixs().map(|slot| signature.type_of(slot).is_signed()).collect();
        let mut bits = vec![0; initial.len()];
        let mut states = Vec::new();
        // Says whether a value needs more bits than those before.
        let mut note = |state: &[Value]| {
            let mut news = false;
            for (slot, &value) in state.iter().enumerate() {
                let folded =
                    if signed[slot] { value << 1 ^ (value.cast_signed() >> 31).cast_unsigned() } else { value };
                news |= folded & !bits[slot] != 0;
                bits[slot] |= folded;
            }
            if states.len() < MOST_VALUES {
                states.extend_from_slice(state);
            }
            news
        };
        let mut stepper = model.stepper();
        let mut successors = Successors::new(initial.len());
        let mut state = initial.to_vec();
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut below = |bound: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % bound as u64) as usize
        };
        let groups = signature.groups.len();
        let started = Instant::now();
        note(&state);
        let mut last_news = 0;
        'walk: for step in 0..STEPS {
            if step > last_news + BORED {
                break;
            }
            successors.clear();
            // One group after the other, from any of them on, until one moves: to ask for all may take very long.
            let first = below(groups.max(1));
            for at in (first..groups).chain(0..first) {
                // A group that fails is no step.
                _ = stepper.group(GroupIx::new(at), &state, &mut successors);
                if started.elapsed() > PATIENCE {
                    break 'walk;
                }
                if !successors.is_empty() {
                    break;
                }
            }
            if successors.is_empty() || step % LENGTH == LENGTH - 1 {
                state.copy_from_slice(initial);
            } else {
                state.copy_from_slice(successors.state(below(successors.len())));
                if note(&state) {
                    last_news = step;
                }
            }
        }
        let declared = signature.slot_ixs().map(|slot| signature.type_of(slot).bits());
        // A value that its type cannot hold is a defect of the model, to be found by the search.
        let widths = declared.zip(&bits).map(|(most, bits)| most.min(u32::BITS - bits.leading_zeros()) as u8).collect();
        Self { widths, states, leaf_bits: LEAF_BITS }
    }
}
