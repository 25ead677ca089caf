//! Places that change together: if every transition changes p by a·x and q by b·x then p and q hold p₀ + a·X
//! and q₀ + b·X in every marking, with the same X. A test of p is one of X, and so one of q: m(p) ≥ d is X ≥
//! ⌈(d − p₀) / a⌉. All tests go to the place that runs out first, mostly without a trace, and the others go.
//! The graph of markings stays as it is up to names. (Berthelot, *Transformations and decompositions of
//! nets*, 1987: doubled places; here with factors, other beginnings, reads and inhibitor arcs.)

use std::collections::HashMap;

use super::scaled::divisors;
use crate::reduce::rules::Reduction;
use crate::reduce::work::touch::{FREE, LARGE, Touch};
use crate::reduce::work::{Reconstruction, Work};

pub(in crate::reduce) fn apply(work: &mut Work) {
    let common = divisors(work);
    // Columns are compared by a number made of them first.
    let mut marks = vec![0u64; work.records.len()];
    for (transition, step) in work.living() {
        for touch in step.touches.iter().filter(|touch| touch.effect != 0) {
            let change = touch.effect / common[touch.place as usize] as i64;
            let mark = &mut marks[touch.place as usize];
            *mark = (*mark ^ u64::from(transition)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
                ^ change as u64;
            *mark = mark.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
    }
    let mut groups: HashMap<u64, Vec<u32>> = HashMap::new();
    for place in work.places().filter(|&place| common[place as usize] > 0) {
        groups.entry(marks[place as usize]).or_default().push(place);
    }
    let mut groups: Vec<Vec<u32>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    for mut group in groups {
        // The first to run out, then what the question looks at, then small steps.
        group.sort_by_key(|&place| {
            let (unit, record) = (common[place as usize], work.record(place));
            (record.initial / unit, !record.seen, unit, place)
        });
        let keeper = group[0];
        let column = changes(work, keeper, common[keeper as usize]);
        for &place in &group[1..] {
            if changes(work, place, common[place as usize]) == column {
                let units = (common[place as usize], common[keeper as usize]);
                if fold(work, place, keeper, units) {
                    work.applied.count(Reduction::SamePlaces);
                }
            }
        }
    }
}

fn changes(work: &mut Work, place: u32, unit: u64) -> Vec<(u32, i64)> {
    let touching = work.touching(place);
    let changing = touching.iter().filter(|(_, touch)| touch.effect != 0);
    changing.map(|&(transition, touch)| (transition, touch.effect / unit as i64)).collect()
}

/// The tests of a place become tests of the other, and it goes. False, and nothing done, if it cannot.
fn fold(work: &mut Work, place: u32, keeper: u32, (unit, kept_unit): (u64, u64)) -> bool {
    let (record, kept) = (work.record(place), work.record(keeper));
    let (seen, initial, kept_initial) = (record.seen, record.initial, kept.initial);
    let whole = unit % kept_unit == 0;
    if seen && !whole {
        return false;
    }
    // That many tokens there are this many here.
    let moved = |tokens: u64| {
        let (missing, unit) = (i128::from(tokens) - i128::from(initial), i128::from(unit));
        let steps = missing.div_euclid(unit) + i128::from(missing.rem_euclid(unit) > 0);
        i128::from(kept_initial) + i128::from(kept_unit) * steps
    };
    let mut folded: Vec<(u32, Option<Touch>)> = Vec::new();
    for (transition, touch) in work.touching(place).into_iter().filter(|(_, touch)| touch.tests()) {
        let mut own = work.touch(transition, keeper).copied().unwrap_or(Touch::new(keeper));
        let demand = if touch.demand > 0 { moved(touch.demand).max(0) } else { 0 };
        let below = if touch.below == FREE { i128::from(FREE) } else { moved(touch.below).max(0) };
        if demand >= i128::from(LARGE) || (touch.below != FREE && below >= i128::from(LARGE)) {
            return false;
        }
        own.demand = own.demand.max(demand as u64);
        own.below = own.below.min(below as u64);
        let never = own.below == 0;
        if never && !work.may_kill() {
            return false;
        }
        folded.push((transition, (!never).then_some(own)));
    }
    for (transition, touch) in folded {
        match touch {
            Some(touch) => work.retouch(transition, touch),
            None => work.kill(transition),
        }
    }
    let factor = (unit / kept_unit) as i64;
    let offset = i128::from(initial) - i128::from(factor) * i128::from(kept_initial);
    let reconstruction = match i64::try_from(offset) {
        Ok(offset) if whole => Reconstruction::Multiple { of: keeper, factor, offset },
        _ => Reconstruction::Lost,
    };
    work.records[keeper as usize].seen |= seen;
    work.forget(place, reconstruction);
    true
}
