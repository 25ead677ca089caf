//! The greatest value of sums over all reachable markings.

use std::time::Duration;

use lang_pnml::PnmlNet;
use model::Linear;
use petri::state_equation::StateEquation;
use petri::walk::Walker;
use petri::{PlaceIx, Preserves, Rules};

use super::searching::{Wanted, is_too_large, search};
use super::{By, Finding, Found, Hear, Room};
use crate::Failure;

/// Time for a walk, for the state equation and for a search. What a walk reaches and the state equation allows is the bound.
const ROUNDS: [(Duration, Duration, Duration); 2] = [
    (Duration::from_millis(200), Duration::from_secs(1), Duration::from_secs(2)),
    (Duration::from_secs(3), Duration::from_secs(10), Duration::from_secs(3600)),
];

/// Of the time that is left, the search for all sums at once leaves this part to single ones.
const KEPT_PART: u32 = 3;

/// Finds the bounds as far as time and memory go.
pub(crate) fn bounds(
    net: &PnmlNet,
    sums: &[(String, Linear)],
    room: &Room,
    hear: &mut Hear<'_>,
) -> Result<Option<String>, Failure> {
    let net = &net.net;
    let mut open: Vec<(String, Linear)> = sums.to_vec();
    let mut tell = |id: &str, value: i128, by: By| {
        hear(Finding { id: id.to_owned(), found: Found::Number(value.to_string()), by, run: None });
    };
    let mut why = None;
    let mut equation = StateEquation::new(net);
    let wanted: Vec<Linear> = open.iter().map(|(_, sum)| sum.clone()).collect();
    let mut walker = Walker::new(net, &[], &wanted, 1);
    // What the equation allows each of them at most, as far as it was asked.
    let mut uppers: Vec<Option<i128>> = vec![None; open.len()];
    let mut numbers: Vec<usize> = (0..open.len()).collect();
    for (walking, solving, searching) in ROUNDS {
        if open.is_empty() || room.is_over() {
            return Ok(why);
        }
        let stop = room.slice(solving);
        let initially = |sum: &Linear| {
            let terms = sum.terms.iter();
            terms.map(|(place, factor)| i128::from(*factor) * i128::from(net.places[place.ix()].initial)).sum::<i128>()
        };
        for (&number, (_, sum)) in numbers.iter().zip(&open) {
            let most = equation.most(sum, initially(sum), &stop);
            uppers[number] = most.into_iter().chain(uppers[number]).min();
        }
        let stop = room.slice(walking);
        let is_met = |number: usize, seen: &[i128]| uppers[number] == Some(seen[number]);
        if let Some(walker) = &mut walker {
            let are_met = |seen: &[i128]| numbers.iter().all(|&number| is_met(number, seen));
            walker.run(&mut |seen| are_met(&seen.most) || stop());
            let seen = &walker.seen().most;
            let met: Vec<bool> = numbers.iter().map(|&number| is_met(number, seen)).collect();
            for ((id, _), &number) in open.iter().zip(&numbers).zip(&met).filter(|(_, met)| **met).map(|(asked, _)| asked) {
                tell(id, seen[number], By::Equation);
            }
            let mut left = met.iter();
            open.retain(|_| left.next() == Some(&false));
            let mut left = met.iter();
            numbers.retain(|_| left.next() == Some(&false));
        }
        if open.is_empty() || room.is_over() {
            return Ok(why);
        }
        let part = searching.min(room.left() - room.left() / KEPT_PART);
        if !is_too_large(net, part) {
            let before: Vec<String> = open.iter().map(|(id, _)| id.clone()).collect();
            why = searched(net, &mut open, part, room, &mut tell)?;
            let mut before = before.iter();
            numbers.retain(|_| before.next().is_some_and(|id| open.iter().any(|(left, _)| left == id)));
        }
    }
    while !open.is_empty() && !room.is_over() {
        let part = room.left() / open.len() as u32;
        let mut alone = vec![open.remove(0)];
        why = searched(net, &mut alone, part, room, &mut tell)?.or(why);
    }
    Ok(why)
}

fn searched(
    net: &petri::Net,
    open: &mut Vec<(String, Linear)>,
    part: Duration,
    room: &Room,
    tell: &mut dyn FnMut(&str, i128, By),
) -> Result<Option<String>, Failure> {
    let mut support: Vec<PlaceIx> =
        open.iter().flat_map(|(_, sum)| sum.terms.iter().map(|(place, _)| *place)).collect();
    support.sort_unstable();
    support.dedup();
    let mut rules = Rules::default();
    rules.keep_witnesses = false;
    let reduced = petri::reduce(net, &Preserves::Bound { support }, rules, &room.slice(part / 4));
    let Some(sums) = open.iter().map(|(_, sum)| reduced.linear(sum)).collect::<Option<Vec<_>>>() else {
        return Ok(Some("a number of a bound is too large".to_owned()));
    };
    let maxima: Vec<Linear> = sums.iter().map(|(sum, _)| sum.clone()).collect();
    let wanted = Wanted { maxima: &maxima, ..Wanted::of(&reduced.net) };
    let searched = search(&wanted, part, room, &mut |_, _, _, _| {})?;
    if searched.is_complete {
        let by = By::Search { symbolic: searched.symbolic, reduced: reduced.applied.total() > 0 };
        let mut found = sums.iter().zip(&searched.counted.maxima);
        open.retain(|(id, _)| match found.next() {
            Some(((_, offset), Some(most))) => {
                tell(id, most + i128::from(*offset), by);
                false
            }
            _ => true,
        });
    }
    Ok(searched.stopped)
}
