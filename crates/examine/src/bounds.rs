//! The greatest value of sums over all reachable markings.

use std::time::Duration;

use engine::{Property, Report, StopReason, Technique};
use lang_pnml::PnmlNet;
use model::Linear;
use petri::state_equation::StateEquation;
use petri::walk::Walker;
use petri::{Net, PlaceIx, Preserves};

use crate::searching::{NetTask, is_too_large, search, technique};
use crate::{Effort, Error, OnAnswer, property};

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
    property: Property,
    sum: Linear,
    /// Its number for the walker.
    number: usize,
    /// What the state equation allows it at most.
    upper: Option<i128>,
}

/// Finds the bounds as far as time and memory go.
pub fn bounds(
    net: &PnmlNet,
    sums: Vec<(Property, Linear)>,
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    let net = &net.net;
    let maxima: Vec<Linear> = sums.iter().map(|(_, sum)| sum.clone()).collect();
    let open = |(number, (property, sum))| Open { property, sum, number, upper: None };
    let mut open: Vec<Open> = sums.into_iter().enumerate().map(open).collect();
    let mut tell = |property: &Property, value: i128, technique: Technique| {
        on_answer(property::number(property.clone(), value, technique));
    };
    let mut why = None;
    let mut equation = StateEquation::new(net);
    let mut walker = effort.means.walks.then(|| Walker::new(net, &[], &maxima, 1)).flatten();
    for (walking, solving, searching) in effort.rounds(net, GLANCE, &ROUNDS) {
        let stop = effort.slice(solving);
        for Open { sum, upper, .. } in open.iter_mut().filter(|_| effort.means.structure) {
            *upper = equation.most(sum, initially(net, sum), &stop).into_iter().chain(*upper).min();
        }
        if let Some(walker) = &mut walker {
            let stop = effort.slice(walking);
            let is_met = |open: &Open, seen: &[i128]| open.upper == Some(seen[open.number]);
            walker.run(&mut |seen| open.iter().all(|open| is_met(open, &seen.most)) || stop());
            let seen = &walker.seen().most;
            open.retain(|open| {
                let is_met = is_met(open, seen);
                if is_met {
                    tell(&open.property, seen[open.number], Technique::StateEquation);
                }
                !is_met
            });
        }
        if open.is_empty() || effort.is_over() {
            return Ok(why);
        }
        let part = searching.min(effort.left() - effort.left() / KEPT_PART);
        if !is_too_large(net, part) {
            why = searched(net, &mut open, part, effort, &mut tell)?;
        }
    }
    while !open.is_empty() && !effort.is_over() {
        let part = effort.left() / open.len() as u32;
        let mut alone = vec![open.remove(0)];
        why = searched(net, &mut alone, part, effort, &mut tell)?.or(why);
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
    effort: &Effort,
    tell: &mut dyn FnMut(&Property, i128, Technique),
) -> Result<Option<StopReason>, Error> {
    if !effort.means.search {
        return Ok(None);
    }
    let mut support: Vec<PlaceIx> =
        open.iter().flat_map(|open| open.sum.terms.iter().map(|(place, _)| *place)).collect();
    support.sort_unstable();
    support.dedup();
    let mut rules = effort.rules();
    rules.keep_witnesses = false;
    let reduced = petri::reduce(net, &Preserves::Bound { support }, rules, &effort.slice(part / 4));
    let Some(sums) = open.iter().map(|open| reduced.linear(&open.sum)).collect::<Option<Vec<_>>>() else {
        return Ok(Some(property::too_large()));
    };
    let maxima: Vec<Linear> = sums.iter().map(|(sum, _)| sum.clone()).collect();
    let task = NetTask { maxima: &maxima, ..NetTask::of_reduced(&reduced) };
    let searched = search(&task, part, effort, &mut |_, _| {})?;
    let Report { stopped, census, .. } = &searched.report;
    if stopped.is_none() {
        let technique = technique(&searched, task.is_reduced);
        let mut found = sums.iter().zip(&census.maxima);
        open.retain(|open| match found.next() {
            Some(((_, offset), Some(most))) => {
                tell(&open.property, most + i128::from(*offset), technique);
                false
            }
            _ => true,
        });
    }
    Ok(searched.report.stopped)
}
