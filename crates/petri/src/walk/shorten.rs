//! Firing sequences: replayed, and without their loops.

use std::collections::HashMap;

use model::Value;

use crate::firing::{MOST_TOKENS, shifts, tests};
use crate::{Net, TransitionIx};

/// The marking that a firing sequence leads to; `None` if it cannot be fired.
pub fn replay(net: &Net, sequence: &[TransitionIx]) -> Option<Vec<Value>> {
    let mut marking = Vec::with_capacity(net.places.len());
    for place in &net.places {
        marking.push(Value::try_from(place.initial).ok().filter(|&tokens| tokens <= MOST_TOKENS)?);
    }
    for &transition in sequence {
        fire(net, transition, &mut marking)?;
    }
    Some(marking)
}

/// Fires a transition by the book.
pub(crate) fn fire(net: &Net, transition: TransitionIx, marking: &mut [Value]) -> Option<()> {
    let transition = net.transitions.get(transition.ix())?;
    if !tests(transition).iter().all(|test| test.holds(marking)) {
        return None;
    }
    for shift in shifts(transition) {
        let tokens = &mut marking[shift.place as usize];
        *tokens = (*tokens < shift.limit).then(|| tokens.wrapping_add(shift.add))?;
    }
    Some(())
}

/// The sequence without what leads back to a marking that it was at before. Markings are told apart by a
/// hash, so who needs to be sure replays it.
pub fn shortened(net: &Net, sequence: &[TransitionIx]) -> Vec<TransitionIx> {
    let scatter = |place: usize, tokens: Value| {
        let mut word = (place as u64) << 32 | u64::from(tokens);
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    };
    let Some(mut marking) = replay(net, &[]) else { return sequence.to_vec() };
    let mut hash =
        marking.iter().enumerate().fold(0u64, |hash, (place, &tokens)| hash ^ scatter(place, tokens));
    let mut kept: Vec<(TransitionIx, u64)> = Vec::new();
    let mut known = HashMap::from([(hash, 0usize)]);
    for &transition in sequence {
        for shift in shifts(&net.transitions[transition.ix()]) {
            let place = shift.place as usize;
            let after = marking[place].wrapping_add(shift.add);
            hash ^= scatter(place, marking[place]) ^ scatter(place, after);
            marking[place] = after;
        }
        match known.get(&hash) {
            Some(&length) => kept.drain(length..).for_each(|(_, gone)| {
                // The marking in which the loop closes stays known.
                if gone != hash {
                    known.remove(&gone);
                }
            }),
            None => {
                kept.push((transition, hash));
                known.insert(hash, kept.len());
            }
        }
    }
    kept.into_iter().map(|(transition, _)| transition).collect()
}
