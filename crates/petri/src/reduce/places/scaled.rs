//! Places counted from another zero and in larger units. A place that never holds fewer than l tokens is
//! counted from l on; one that changes by multiples of g only holds r + g·x with the same r always, and x is
//! what counts: m ≥ d is x ≥ ⌈(d − r) / g⌉, and m < b is x < ⌈(b − r) / g⌉. Nothing else changes. (With g
//! alone: Thierry-Mieg 2020; the arcs' weights become small enough for agglomeration.)

use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::{FREE, Touch, divisor};

/// By place, the greatest number that divides all changes of it; zero if there are none.
pub(in crate::reduce) fn divisors(work: &Work) -> Vec<u64> {
    let mut divisors = vec![0; work.records.len()];
    for touch in work.living().flat_map(|(_, step)| &step.touches) {
        let common = &mut divisors[touch.place as usize];
        *common = divisor(touch.effect.unsigned_abs(), *common);
    }
    divisors
}

pub(in crate::reduce) fn apply(work: &mut Work) {
    let (limits, divisors) = (work.limits(), divisors(work));
    for place in work.places() {
        let (common, (least, _)) = (divisors[place as usize], limits[place as usize]);
        let record = work.record(place);
        // Constants, and what the question looks at, are not for this rule.
        if record.seen || common == 0 || (common == 1 && least == 0) {
            continue;
        }
        let initial = record.initial;
        let rest = least + (initial - least) % common;
        let rescaled = |touch: &Touch| Touch {
            demand: touch.demand.saturating_sub(rest).div_ceil(common),
            below: if touch.below == FREE { FREE } else { touch.below.saturating_sub(rest).div_ceil(common) },
            effect: touch.effect / common as i64,
            ..*touch
        };
        let touching: Vec<(u32, Touch)> =
            work.touching(place).iter().map(|(t, touch)| (*t, rescaled(touch))).collect();
        if touching.iter().any(|(_, touch)| touch.below == 0) && !work.may_kill() {
            continue;
        }
        for (transition, touch) in touching {
            // Never few enough.
            if touch.below == 0 { work.kill(transition) } else { work.retouch(transition, touch) }
        }
        work.records[place as usize].initial = (initial - rest) / common;
        work.applied.count(Reduction::Scaled);
    }
}
