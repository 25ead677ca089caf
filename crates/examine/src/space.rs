//! The size of the state space: markings, firings, tokens.

use std::time::Duration;

use lang_pnml::PnmlNet;
use model::Linear;
use petri::{Net, PlaceIx, bounds, coverability};

use super::searching::{Wanted, search};
use super::{By, Finding, Found, Hear, Room};
use planner::failure::Failure;

/// So long it is tried to see that a net is unbounded, where nothing shows that it is not.
const TO_SEE: Duration = Duration::from_secs(2);

/// Why there are infinitely many markings, where that is quick to see.
fn unbounded(net: &Net, room: &Room) -> Option<String> {
    if bounds::quick(net).iter().all(Option::is_some) {
        return None;
    }
    let pump = coverability::unbounded(net, &room.slice(TO_SEE))?;
    Some(format!("the net is unbounded: {} can get any number of tokens", net.places[pump.place.ix()].name))
}

/// Counts, if time and memory allow.
pub fn count(net: &PnmlNet, room: &Room, hear: &mut Hear<'_>) -> Result<Option<String>, Failure> {
    let net = &net.net;
    if let Some(why) = unbounded(net, room) {
        return Ok(Some(why));
    }
    let all = Linear { terms: PlaceIx::all(net.places.len()).map(|place| (place, 1)).collect() };
    let maxima = [all];
    let wanted = Wanted { maxima: &maxima, ranges: true, transitions: true, ..Wanted::of(net) };
    let searched = search(&wanted, room.left(), room, &mut |_, _, _, _| {})?;
    if !searched.is_complete {
        return Ok(searched.stopped);
    }
    let by = By::Search { symbolic: searched.symbolic, reduced: false };
    let mut tell = |id: &str, number: Option<String>| {
        if let Some(number) = number {
            hear(Finding { id: id.to_owned(), found: Found::Number(number), by, run: None });
        }
    };
    tell("STATES", Some(searched.statistics.states.to_string()));
    tell("TRANSITIONS", searched.statistics.transitions.map(|transitions| transitions.to_string()));
    let ranges = searched.counted.ranges;
    let most = ranges.map(|ranges| ranges.iter().map(|&(_, most)| most).max().unwrap_or(0));
    tell("MAX_TOKEN_PER_MARKING", searched.counted.maxima[0].map(|most| most.to_string()));
    tell("MAX_TOKEN_IN_PLACE", most.map(|most| most.to_string()));
    Ok(None)
}
