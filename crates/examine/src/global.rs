//! Questions about a net as a whole: deadlock, liveness, stability, safety.
//!
//! The contest asks them of a coloured net's own places and transitions: a transition can fire if one of its
//! bindings can, a place holds what it holds of all colours.

use std::collections::HashMap;
use std::time::Duration;

use lang_pnml::PnmlNet;
use model::{Linear, Predicate};
use petri::state_equation::StateEquation;
use petri::walk::{self, Walker};
use petri::{PlaceIx, Preserves, Reduced, TransitionIx, siphons};

use super::goals::{self, Goal};
use super::searching::{Prepared, Searched, Wanted, is_too_large, prepare};
use super::{By, Examination, Finding, Found, Hear, Room};
use planner::failure::Failure;

/// A first walk, before anything else is asked.
const STROLL: Duration = Duration::from_millis(200);

/// A longer one, and time for the state equation, where a short search had no answer.
const LONG_WALK: Duration = Duration::from_secs(3);

/// So many siphons are looked at for one without a marked trap.
const MOST_SIPHONS: usize = 10_000;

/// The time for the first search.
const SHORT_SEARCH: Duration = Duration::from_secs(2);

/// A walk and a search for the first glance at a small net, and those of the rounds after it.
const GLANCE: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));
const ROUNDS: [(Duration, Duration); 2] = [(STROLL, SHORT_SEARCH), (LONG_WALK, Duration::MAX)];

/// One who walks about in the net, if that is wanted.
fn walker<'n>(net: &'n petri::Net, room: &Room) -> Option<Walker<'n>> {
    room.means.walks.then(|| Walker::new(net, &[], &[], 1)).flatten()
}

/// An answer to the whole examination.
fn truth(examination: Examination, truth: bool, by: By) -> Finding {
    Finding { id: examination.name().to_owned(), found: Found::Truth(truth), by, run: None }
}

/// Whether a marking can be reached in which nothing can fire.
pub fn deadlock(
    net: &PnmlNet,
    id: &str,
    room: &Room,
    hear: &mut Hear<'_>,
) -> Result<Option<String>, Failure> {
    let net = &net.net;
    let mut tell = |found: bool, by: By, run: Option<Vec<TransitionIx>>| {
        hear(Finding { id: id.to_owned(), found: Found::Truth(found), by, run });
    };
    let mut why = None;
    let mut walker = walker(net, room);
    let mut ready: Option<(Reduced, Prepared)> = None;
    for (walking, searching) in room.rounds(net, GLANCE, &ROUNDS) {
        if room.is_over() {
            break;
        }
        let stop = room.slice(walking);
        if let Some(walker) = &mut walker {
            walker.run(&mut |seen| seen.deadlock.is_some() || stop());
            if let Some(run) = &walker.seen().deadlock {
                let run = room.runs.then(|| walk::shortened(net, run));
                tell(true, By::Walk, run);
                return Ok(None);
            }
        }
        if room.means.structure && siphons::never_dead(net, MOST_SIPHONS, &room.slice(walking)) {
            tell(false, By::Structure, None);
            return Ok(None);
        }
        let part = searching.min(room.left());
        if is_too_large(net, part) || !room.means.search {
            continue;
        }
        if ready.is_none() {
            let reduced = petri::reduce(net, &Preserves::Deadlock, room.rules(), &room.slice(part / 4));
            if room.means.structure
                && reduced.applied.total() > 0
                && siphons::never_dead(&reduced.net, MOST_SIPHONS, &room.slice(walking))
            {
                tell(false, By::Structure, None);
                return Ok(None);
            }
            let prepared = prepare(&Wanted { deadlock: true, ..Wanted::of(&reduced.net) }, room)?;
            ready = Some((reduced, prepared));
        }
        let Some((reduced, prepared)) = &ready else {
            panic!("BUG: a search that was made ready is not there")
        };
        let mut done = false;
        let searched = prepared.search(part, room, &mut |_, reached, symbolic, run| {
            let by = By::Search { symbolic, reduced: reduced.applied.total() > 0 };
            let run = match run.map(|run| reduced.original_run(run)) {
                Some(Some(run)) if is_stuck(net, &run) => Some(run),
                Some(_) => return,
                None if reached && room.runs => return,
                None => None,
            };
            done = true;
            tell(reached, by, run);
        })?;
        if done {
            return Ok(None);
        }
        why = searched.stopped;
        // What had no time to get smaller gets another chance.
        ready = ready.filter(|_| part > SHORT_SEARCH);
    }
    Ok(why)
}

/// Whether a firing sequence ends where nothing can fire.
fn is_stuck(net: &petri::Net, run: &[TransitionIx]) -> bool {
    walk::replay(net, run).is_some_and(|marking| {
        net.transitions.iter().all(|transition| {
            let enough = |arc: &petri::Arc| u64::from(marking[arc.place.ix()]) >= arc.weight;
            !transition.takes.iter().chain(&transition.needs).all(enough)
                || transition.forbids.iter().any(enough)
        })
    })
}

/// Whether each transition can fire some time.
pub fn quasi_liveness(net: &PnmlNet, room: &Room, hear: &mut Hear<'_>) -> Result<Option<String>, Failure> {
    const WHAT: Examination = Examination::QuasiLiveness;
    let families: Vec<&[TransitionIx]> = net.transitions.values().map(Vec::as_slice).collect();
    if families.iter().any(|family| family.is_empty()) {
        hear(truth(WHAT, false, By::Structure));
        return Ok(None);
    }
    let all = |enabled: &[bool]| {
        families.iter().all(|family| family.iter().any(|transition| enabled[transition.ix()]))
    };
    let mut why = None;
    let mut walker = walker(&net.net, room);
    let (mut equation, mut prepared) = (None, None);
    for (walking, searching) in room.rounds(&net.net, GLANCE, &ROUNDS) {
        if room.is_over() {
            break;
        }
        let none = vec![false; net.net.transitions.len()];
        let enabled = walker.as_mut().map_or(&none, |walker| {
            let stop = room.slice(walking);
            walker.run(&mut |seen| all(&seen.enabled) || stop());
            &walker.seen().enabled
        });
        if all(enabled) {
            hear(truth(WHAT, true, By::Walk));
            return Ok(None);
        }
        let equation = equation.get_or_insert_with(|| StateEquation::new(&net.net));
        let stop = room.slice(walking);
        let mut is_dead = |transition: &TransitionIx| {
            room.means.structure && !stop() && equation.is_dead(*transition, &stop)
        };
        let unseen =
            families.iter().filter(|family| !family.iter().any(|transition| enabled[transition.ix()]));
        if unseen.into_iter().any(|family| family.iter().all(&mut is_dead)) {
            hear(truth(WHAT, false, By::Equation));
            return Ok(None);
        }
        let part = searching.min(room.left());
        if is_too_large(&net.net, part) || !room.means.search {
            continue;
        }
        let searched = enabled_groups(net, &mut prepared, part, room)?;
        let by = By::Search { symbolic: searched.symbolic, reduced: false };
        match searched.counted.enabled {
            Some(enabled) if all(&enabled) => hear(truth(WHAT, true, by)),
            Some(_) if searched.is_complete => hear(truth(WHAT, false, by)),
            _ => {
                why = searched.stopped;
                continue;
            }
        }
        return Ok(None);
    }
    Ok(why)
}

/// Searches for the transitions that can fire; what was made ready once is used again.
fn enabled_groups(
    net: &PnmlNet,
    prepared: &mut Option<Prepared>,
    part: Duration,
    room: &Room,
) -> Result<Searched, Failure> {
    let ready = match prepared.take() {
        Some(ready) => ready,
        None => prepare(&Wanted { enabled: true, ..Wanted::of(&net.net) }, room)?,
    };
    prepared.insert(ready).search(part, room, &mut |_, _, _, _| {})
}

/// Whether each transition can fire again from every marking.
pub fn liveness(net: &PnmlNet, room: &Room, hear: &mut Hear<'_>) -> Result<Option<String>, Failure> {
    const WHAT: Examination = Examination::Liveness;
    let families: Vec<Vec<TransitionIx>> = net.transitions.values().cloned().collect();
    if families.is_empty() || families.iter().any(Vec::is_empty) {
        hear(truth(WHAT, families.is_empty(), By::Structure));
        return Ok(None);
    }
    let mut walker = walker(&net.net, room);
    let mut prepared = None;
    let mut why = None;
    for (walking, searching) in room.rounds(&net.net, GLANCE, &[(STROLL, Duration::MAX)]) {
        if room.is_over() {
            break;
        }
        let stop = room.slice(walking);
        let is_dead = walker.as_mut().is_some_and(|walker| {
            walker.run(&mut |seen| seen.deadlock.is_some() || stop());
            walker.seen().deadlock.is_some()
        });
        if is_dead {
            hear(truth(WHAT, false, By::Walk));
            return Ok(None);
        }
        // Of a coloured transition one binding is enough, and that is another question.
        if !net.coloured
            && room.means.structure
            && let Some(live) = siphons::is_live(&net.net, MOST_SIPHONS, &room.slice(walking))
        {
            hear(truth(WHAT, live, By::Structure));
            return Ok(None);
        }
        if !room.means.search {
            continue;
        }
        let ready = match prepared.take() {
            Some(ready) => ready,
            None => prepare(&Wanted { live: &families, ..Wanted::of(&net.net) }, room)?,
        };
        let searched =
            prepared.insert(ready).search(searching.min(room.left()), room, &mut |_, _, _, _| {})?;
        match &searched.counted.live {
            Some(live) if searched.is_complete => {
                let by = By::Search { symbolic: searched.symbolic, reduced: false };
                hear(truth(WHAT, live.iter().all(|live| *live), by));
                return Ok(None);
            }
            _ => why = searched.stopped,
        }
    }
    Ok(why)
}

/// Whether some place holds as many tokens in all markings.
pub fn stable_marking(net: &PnmlNet, room: &Room, hear: &mut Hear<'_>) -> Result<Option<String>, Failure> {
    const WHAT: Examination = Examination::StableMarking;
    let changes = changes(net);
    // A place is stable when no transition that can fire changes how much it holds.
    let some = |fires: &dyn Fn(usize) -> bool| {
        let mut changed = vec![false; net.places.len()];
        let fired = changes.iter().enumerate().filter(|(transition, _)| fires(*transition));
        fired.flat_map(|(_, places)| places).for_each(|&place| changed[place] = true);
        changed.contains(&false)
    };
    if some(&|_| true) {
        hear(truth(WHAT, true, By::Structure));
        return Ok(None);
    }
    let mut why = None;
    let mut walker = walker(&net.net, room);
    let mut prepared = None;
    for (walking, searching) in room.rounds(&net.net, GLANCE, &ROUNDS) {
        if room.is_over() {
            break;
        }
        let is_decided = |seen: &walk::Seen| !some(&|transition| seen.enabled[transition]);
        let is_seen = walker.as_mut().is_some_and(|walker| {
            let stop = room.slice(walking);
            walker.run(&mut |seen| is_decided(seen) || stop());
            is_decided(walker.seen())
        });
        if is_seen {
            hear(truth(WHAT, false, By::Walk));
            return Ok(None);
        }
        let part = searching.min(room.left());
        if is_too_large(&net.net, part) || !room.means.search {
            continue;
        }
        let Searched { counted, is_complete, symbolic, stopped, .. } =
            enabled_groups(net, &mut prepared, part, room)?;
        let by = By::Search { symbolic, reduced: false };
        match counted.enabled.map(|enabled| some(&|transition| enabled[transition])) {
            Some(false) => hear(truth(WHAT, false, by)),
            Some(true) if is_complete => hear(truth(WHAT, true, by)),
            _ => {
                why = stopped;
                continue;
            }
        }
        return Ok(None);
    }
    Ok(why)
}

/// For each transition the places of the file, in any order that is the same, whose tokens of all colours
/// together it changes.
fn changes(net: &PnmlNet) -> Vec<Vec<usize>> {
    let mut file_place = vec![0; net.net.places.len()];
    for (number, places) in net.places.values().enumerate() {
        places.iter().for_each(|place| file_place[place.ix()] = number);
    }
    let of = |transition: &petri::Transition| {
        let mut change: HashMap<usize, i128> = HashMap::new();
        for arc in &transition.takes {
            *change.entry(file_place[arc.place.ix()]).or_default() -= i128::from(arc.weight);
        }
        for arc in &transition.gives {
            *change.entry(file_place[arc.place.ix()]).or_default() += i128::from(arc.weight);
        }
        change.into_iter().filter(|(_, change)| *change != 0).map(|(place, _)| place).collect()
    };
    net.net.transitions.iter().map(of).collect()
}

/// Whether no place ever holds more than one token.
pub fn one_safe(net: &PnmlNet, room: &Room, hear: &mut Hear<'_>) -> Result<Option<String>, Failure> {
    const WHAT: Examination = Examination::OneSafe;
    let two = |family: &Vec<PlaceIx>| {
        let sum = Linear::new(family.iter().map(|&place| (place, -1))).unwrap_or_default();
        Predicate::AtMost(sum, -2)
    };
    let parts: Vec<Predicate> = net.places.values().map(two).collect();
    let goal = Goal { id: WHAT.name().to_owned(), target: Predicate::Any(parts), found_means: false };
    goals::decide(&net.net, vec![goal], room, hear)
}
