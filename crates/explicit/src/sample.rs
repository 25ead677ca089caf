//! A first look at a model: how much each slot says about a state, as a short walk at random shows it.
//!
//! Types say what a slot may hold, and most slots hold far less.

use std::time::{Duration, Instant};

use base::GroupIx;
use model::{Model, Successors, Value};

/// Steps of the walk …
const STEPS: usize = 2000;
/// … as long as they take no longer than this.
const PATIENCE: Duration = Duration::from_millis(10);
/// The walk begins anew after so many steps.
const LENGTH: usize = 250;

/// About how many bits each slot takes in the states of a random walk.
pub(crate) fn bits(model: &dyn Model) -> Vec<f32> {
    let initial = model.initial();
    let mut seen = vec![[0u64; 4]; initial.len()];
    let mut note = |state: &[Value]| {
        for (seen, value) in seen.iter_mut().zip(state) {
            // Of more than 256 values some fall together, which makes no difference here.
            seen[*value as usize / 64 % 4] |= 1 << (value % 64);
        }
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
    let groups = model.signature().groups.len();
    let started = Instant::now();
    note(&state);
    'walk: for step in 0..STEPS {
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
            note(&state);
        }
    }
    let count = |seen: [u64; 4]| seen.iter().map(|word| word.count_ones()).sum::<u32>();
    seen.into_iter().map(|seen| (count(seen) as f32).log2()).collect()
}
