//! The greatest value of sums over all reachable markings.

use std::time::Duration;

use lang_pnml::PnmlNet;
use model::Linear;
use petri::state_equation::StateEquation;
use petri::walk::Walker;
use petri::{Net, PlaceIx, Preserves};

use super::searching::{Wanted, is_too_large, search};
use super::{By, Finding, Found, Hear, Room};
use planner::failure::Failure;

/// Time for a walk, for the state equation and for a search. What a walk reaches and the state equation
/// allows is the bound.
const ROUNDS: [(Duration, Duration, Duration); 2] = [
    (Duration::from_millis(200), Duration::from_secs(1), Duration::from_secs(2)),
    (Duration::from_secs(3), Duration::from_secs(10), Duration::from_secs(3600)),
];

/// The same for the first glance at a small net.
const GLANCE: (Duration, Duration, Duration) =
    (Duration::from_millis(2), Duration::from_millis(20), Duration::from_millis(50));

/// Of the time that is left, the search for all sums at once leaves this part to single ones.
const KEPT_PART: u32 = 3;

/// A sum whose greatest value is not known yet.
struct Open {
    id: String,
    sum: Linear,
    /// Its number for the walker.
    number: usize,
    /// What the state equation allows it at most.
    upper: Option<i128>,
}

/// Finds the bounds as far as time and memory go.
pub fn bounds(
    net: &PnmlNet,
    sums: &[(String, Linear)],
    room: &Room,
    hear: &mut Hear<'_>,
) -> Result<Option<String>, Failure> {
    let net = &net.net;
    let open = |(number, (id, sum)): (usize, &(String, Linear))| Open {
        id: id.clone(),
        sum: sum.clone(),
        number,
        upper: None,
    };
    let mut open: Vec<Open> = sums.iter().enumerate().map(open).collect();
    let mut tell = |id: &str, value: i128, by: By| {
        hear(Finding { id: id.to_owned(), found: Found::Number(value.to_string()), by, run: None });
    };
    let mut why = None;
    let mut equation = StateEquation::new(net);
    let wanted: Vec<Linear> = sums.iter().map(|(_, sum)| sum.clone()).collect();
    let mut walker = room.means.walks.then(|| Walker::new(net, &[], &wanted, 1)).flatten();
    for (walking, solving, searching) in room.rounds(net, GLANCE, &ROUNDS) {
        let stop = room.slice(solving);
        for Open { sum, upper, .. } in open.iter_mut().filter(|_| room.means.structure) {
            *upper = equation.most(sum, initially(net, sum), &stop).into_iter().chain(*upper).min();
        }
        if let Some(walker) = &mut walker {
            let stop = room.slice(walking);
            let is_met = |open: &Open, seen: &[i128]| open.upper == Some(seen[open.number]);
            walker.run(&mut |seen| open.iter().all(|open| is_met(open, &seen.most)) || stop());
            let seen = &walker.seen().most;
            open.retain(|open| {
                let is_met = is_met(open, seen);
                if is_met {
                    tell(&open.id, seen[open.number], By::Equation);
                }
                !is_met
            });
        }
        if open.is_empty() || room.is_over() {
            return Ok(why);
        }
        let part = searching.min(room.left() - room.left() / KEPT_PART);
        if !is_too_large(net, part) {
            why = searched(net, &mut open, part, room, &mut tell)?;
        }
    }
    while !open.is_empty() && !room.is_over() {
        let part = room.left() / open.len() as u32;
        let mut alone = vec![open.remove(0)];
        why = searched(net, &mut alone, part, room, &mut tell)?.or(why);
    }
    Ok(why)
}

/// What a sum is in the beginning.
fn initially(net: &Net, sum: &Linear) -> i128 {
    let terms = sum.terms.iter();
    terms.map(|(place, factor)| i128::from(*factor) * i128::from(net.places[place.ix()].initial)).sum()
}

fn searched(
    net: &Net,
    open: &mut Vec<Open>,
    part: Duration,
    room: &Room,
    tell: &mut dyn FnMut(&str, i128, By),
) -> Result<Option<String>, Failure> {
    if !room.means.search {
        return Ok(None);
    }
    let mut support: Vec<PlaceIx> =
        open.iter().flat_map(|open| open.sum.terms.iter().map(|(place, _)| *place)).collect();
    support.sort_unstable();
    support.dedup();
    let mut rules = room.rules();
    rules.keep_witnesses = false;
    let reduced = petri::reduce(net, &Preserves::Bound { support }, rules, &room.slice(part / 4));
    let Some(sums) = open.iter().map(|open| reduced.linear(&open.sum)).collect::<Option<Vec<_>>>() else {
        return Ok(Some("a number of a bound is too large".to_owned()));
    };
    let maxima: Vec<Linear> = sums.iter().map(|(sum, _)| sum.clone()).collect();
    let wanted = Wanted { maxima: &maxima, ..Wanted::of(&reduced.net) };
    let searched = search(&wanted, part, room, &mut |_, _, _, _| {})?;
    if searched.is_complete {
        let by = By::Search { symbolic: searched.symbolic, reduced: reduced.applied.total() > 0 };
        let mut found = sums.iter().zip(&searched.counted.maxima);
        open.retain(|open| match found.next() {
            Some(((_, offset), Some(most))) => {
                tell(&open.id, most + i128::from(*offset), by);
                false
            }
            _ => true,
        });
    }
    Ok(searched.stopped)
}
