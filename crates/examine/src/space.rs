//! The size of the state space: markings, firings, tokens.

use std::time::Duration;

use engine::{BigInt, Report, StopReason};
use lang_pnml::PnmlNet;
use model::Linear;
use petri::{Net, PlaceIx, bounds, coverability};

use crate::searching::{NetTask, search, technique};
use crate::{Effort, Error, OnAnswer, property};

/// So long it is tried to see that a net is unbounded, where nothing shows that it is not.
const TO_SEE: Duration = Duration::from_secs(2);

/// Why there are infinitely many markings, where that is quick to see.
fn unbounded(net: &Net, effort: &Effort) -> Option<String> {
    if bounds::quick(net).iter().all(Option::is_some) {
        return None;
    }
    let stop = effort.slice(TO_SEE);
    let pump = coverability::unbounded(net, &mut |_| stop())?;
    Some(format!("the net is unbounded: {} can get any number of tokens", net.places[pump.place.ix()].name))
}

/// Counts, if time and memory allow.
pub fn count(
    net: &PnmlNet,
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    let net = &net.net;
    if let Some(why) = unbounded(net, effort) {
        return Ok(Some(StopReason::Unbounded(why)));
    }
    let all = Linear { terms: PlaceIx::all(net.places.len()).map(|place| (place, 1)).collect() };
    let maxima = [all];
    let task = NetTask { maxima: &maxima, ranges: true, transitions: true, ..NetTask::of(net) };
    let searched = search(&task, effort.left(), effort, &mut |_, _| {})?;
    let technique = technique(&searched, false);
    let Report { stopped, statistics, census, .. } = searched.report;
    if stopped.is_some() {
        return Ok(stopped);
    }
    let mut tell = |name: &str, words: &str, number: Option<BigInt>| {
        if let Some(number) = number {
            on_answer(property::number(property::of_the_net(name, words), number, technique));
        }
    };
    tell("STATES", "the number of markings", Some(statistics.states.into()));
    tell("TRANSITIONS", "the number of firings", statistics.transitions.map(BigInt::from));
    tell("MAX_TOKEN_PER_MARKING", "the most tokens in a marking", census.maxima[0].map(BigInt::from));
    let most = census.ranges.map(|ranges| ranges.iter().map(|&(_, most)| most).max().unwrap_or(0));
    tell("MAX_TOKEN_IN_PLACE", "the most tokens in a place", most.map(BigInt::from));
    Ok(None)
}
