//! Questions about a net as a whole: deadlock, liveness, stability, safety.
//!
//! The contest asks them of a coloured net's own places and transitions: a transition can fire if one of its
//! bindings can, a place holds what it holds of all colours.

use std::collections::HashMap;
use std::time::Duration;

use engine::{Answer, Property, Report, StopReason, Technique};
use lang_pnml::PnmlNet;
use model::{Linear, Predicate};
use petri::state_equation::StateEquation;
use petri::walk::{self, Walker};
use petri::{PlaceIx, Preserves, Reduced, TransitionIx, siphons};
use planner::Searched;

use crate::goals::{self, Goal};
use crate::searching::{NetTask, Prepared, is_too_large, prepare, technique};
use crate::{Effort, Error, Examination, OnAnswer, property};

/// A first walk, before anything else is asked.
const FIRST_WALK: Duration = Duration::from_millis(200);

/// A longer one, and time for the state equation, where a short search had no answer.
const LONG_WALK: Duration = Duration::from_secs(3);

/// So many siphons are looked at for one without a marked trap.
const MOST_SIPHONS: usize = 10_000;

/// The time for the first search.
const SHORT_SEARCH: Duration = Duration::from_secs(2);

/// A walk and a search for the first glance at a small net, and those of the rounds after it.
const GLANCE: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));
const ROUNDS: [(Duration, Duration); 2] = [(FIRST_WALK, SHORT_SEARCH), (LONG_WALK, Duration::MAX)];

/// The random walk in a net, where walks are among the means.
fn walker<'n>(net: &'n petri::Net, effort: &Effort) -> Option<Walker<'n>> {
    effort.means.walks.then(|| Walker::new(net, &[], &[], 1)).flatten()
}

/// An answer to the whole examination.
fn truth(examination: Examination, holds: bool, technique: Technique) -> Answer {
    let words = match examination {
        Examination::QuasiLiveness => "each transition can fire some time",
        Examination::Liveness => "each transition can fire again, from every marking",
        _ => "some place holds as many tokens in all markings",
    };
    property::truth(property::of_the_net(examination.name(), words), holds, technique)
}

/// Whether a marking can be reached in which nothing can fire.
pub fn deadlock(
    net: &PnmlNet,
    property: Property,
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    let net = &net.net;
    let mut why = None;
    let mut walker = walker(net, effort);
    let mut ready: Option<(Reduced, Prepared)> = None;
    for (walking, searching) in effort.rounds(net, GLANCE, &ROUNDS) {
        if effort.is_over() {
            break;
        }
        let stop = effort.slice(walking);
        if let Some(walker) = &mut walker {
            walker.run(&mut |seen| seen.deadlock.is_some() || stop());
            if let Some(run) = &walker.seen().deadlock {
                let run = effort.witnessed_on.is_some().then(|| walk::shortened(net, run));
                on_answer(property::reached(&property, run.as_deref(), None, Technique::RandomWalk, effort));
                return Ok(None);
            }
        }
        if effort.means.structure && siphons::never_dead(net, MOST_SIPHONS, &effort.slice(walking)) {
            on_answer(property::unreachable(&property, Technique::Structure));
            return Ok(None);
        }
        let part = searching.min(effort.left());
        if is_too_large(net, part) || !effort.means.search {
            continue;
        }
        if ready.is_none() {
            let reduced = petri::reduce(net, &Preserves::Deadlock, effort.rules(), &effort.slice(part / 4));
            if effort.means.structure
                && reduced.applied.total() > 0
                && siphons::never_dead(&reduced.net, MOST_SIPHONS, &effort.slice(walking))
            {
                on_answer(property::unreachable(&property, Technique::Structure));
                return Ok(None);
            }
            let prepared = prepare(&NetTask { deadlock: true, ..NetTask::of_reduced(&reduced) }, effort)?;
            ready = Some((reduced, prepared));
        }
        let Some((reduced, prepared)) = &ready else {
            panic!("BUG: a search that was made ready is not there")
        };
        let (answer, stopped) = search_deadlock(&property, reduced, prepared, part, effort)?;
        if let Some(answer) = answer {
            on_answer(answer);
            return Ok(None);
        }
        why = stopped;
        // What had no time to get smaller gets another chance.
        ready = ready.filter(|_| part > SHORT_SEARCH);
    }
    Ok(why)
}

/// What the engines find out of a deadlock of a reduced net, or why they do not.
fn search_deadlock(
    property: &Property,
    reduced: &Reduced,
    prepared: &Prepared,
    part: Duration,
    effort: &Effort,
) -> Result<(Option<Answer>, Option<StopReason>), Error> {
    let mut answer = None;
    let searched = prepared.search(part, effort, &mut |_, found| {
        answer = Some(property::of_search(property, None, found, reduced, effort));
    })?;
    Ok((answer, searched.report.stopped))
}

/// Whether each transition can fire some time.
pub fn quasi_liveness(
    net: &PnmlNet,
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    const WHAT: Examination = Examination::QuasiLiveness;
    let families: Vec<&[TransitionIx]> = net.transitions.values().map(Vec::as_slice).collect();
    if families.iter().any(|family| family.is_empty()) {
        on_answer(truth(WHAT, false, Technique::Structure));
        return Ok(None);
    }
    let all = |enabled: &[bool]| {
        families.iter().all(|family| family.iter().any(|transition| enabled[transition.ix()]))
    };
    let mut why = None;
    let mut walker = walker(&net.net, effort);
    let (mut equation, mut prepared) = (None, None);
    for (walking, searching) in effort.rounds(&net.net, GLANCE, &ROUNDS) {
        if effort.is_over() {
            break;
        }
        let none = vec![false; net.net.transitions.len()];
        let enabled = walker.as_mut().map_or(&none, |walker| {
            let stop = effort.slice(walking);
            walker.run(&mut |seen| all(&seen.enabled) || stop());
            &walker.seen().enabled
        });
        if all(enabled) {
            on_answer(truth(WHAT, true, Technique::RandomWalk));
            return Ok(None);
        }
        let equation = equation.get_or_insert_with(|| StateEquation::new(&net.net));
        let stop = effort.slice(walking);
        let mut is_dead = |transition: &TransitionIx| {
            effort.means.structure && !stop() && equation.is_dead(*transition, &stop)
        };
        let unseen =
            families.iter().filter(|family| !family.iter().any(|transition| enabled[transition.ix()]));
        if unseen.into_iter().any(|family| family.iter().all(&mut is_dead)) {
            on_answer(truth(WHAT, false, Technique::StateEquation));
            return Ok(None);
        }
        let part = searching.min(effort.left());
        if is_too_large(&net.net, part) || !effort.means.search {
            continue;
        }
        let searched = enabled_groups(net, &mut prepared, part, effort)?;
        let technique = technique(&searched, false);
        let Report { stopped, census, .. } = searched.report;
        match census.enabled {
            Some(enabled) if all(&enabled) => on_answer(truth(WHAT, true, technique)),
            Some(_) if stopped.is_none() => on_answer(truth(WHAT, false, technique)),
            _ => {
                why = stopped;
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
    effort: &Effort,
) -> Result<Searched, Error> {
    let ready = match prepared.take() {
        Some(ready) => ready,
        None => prepare(&NetTask { enabled: true, ..NetTask::of(&net.net) }, effort)?,
    };
    prepared.insert(ready).search(part, effort, &mut |_, _| {})
}

/// Whether each transition can fire again from every marking.
pub fn liveness(
    net: &PnmlNet,
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    const WHAT: Examination = Examination::Liveness;
    let families: Vec<Vec<TransitionIx>> = net.transitions.values().cloned().collect();
    if families.is_empty() || families.iter().any(Vec::is_empty) {
        on_answer(truth(WHAT, families.is_empty(), Technique::Structure));
        return Ok(None);
    }
    let mut walker = walker(&net.net, effort);
    let mut prepared = None;
    let mut why = None;
    for (walking, searching) in effort.rounds(&net.net, GLANCE, &[(FIRST_WALK, Duration::MAX)]) {
        if effort.is_over() {
            break;
        }
        let stop = effort.slice(walking);
        let is_dead = walker.as_mut().is_some_and(|walker| {
            walker.run(&mut |seen| seen.deadlock.is_some() || stop());
            walker.seen().deadlock.is_some()
        });
        if is_dead {
            on_answer(truth(WHAT, false, Technique::RandomWalk));
            return Ok(None);
        }
        // Of a coloured transition one binding is enough, and that is another question.
        if !net.coloured
            && effort.means.structure
            && let Some(live) = siphons::is_live(&net.net, MOST_SIPHONS, &effort.slice(walking))
        {
            on_answer(truth(WHAT, live, Technique::Structure));
            return Ok(None);
        }
        if !effort.means.search {
            continue;
        }
        let ready = match prepared.take() {
            Some(ready) => ready,
            None => prepare(&NetTask { live: &families, ..NetTask::of(&net.net) }, effort)?,
        };
        let searched = prepared.insert(ready).search(searching.min(effort.left()), effort, &mut |_, _| {})?;
        match &searched.report.census.live {
            Some(live) if searched.report.stopped.is_none() => {
                on_answer(truth(WHAT, live.iter().all(|live| *live), technique(&searched, false)));
                return Ok(None);
            }
            _ => why = searched.report.stopped,
        }
    }
    Ok(why)
}

/// Whether some place holds as many tokens in all markings.
pub fn stable_marking(
    net: &PnmlNet,
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
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
        on_answer(truth(WHAT, true, Technique::Structure));
        return Ok(None);
    }
    let mut why = None;
    let mut walker = walker(&net.net, effort);
    let mut prepared = None;
    for (walking, searching) in effort.rounds(&net.net, GLANCE, &ROUNDS) {
        if effort.is_over() {
            break;
        }
        let is_decided = |seen: &walk::Seen| !some(&|transition| seen.enabled[transition]);
        let is_seen = walker.as_mut().is_some_and(|walker| {
            let stop = effort.slice(walking);
            walker.run(&mut |seen| is_decided(seen) || stop());
            is_decided(walker.seen())
        });
        if is_seen {
            on_answer(truth(WHAT, false, Technique::RandomWalk));
            return Ok(None);
        }
        let part = searching.min(effort.left());
        if is_too_large(&net.net, part) || !effort.means.search {
            continue;
        }
        let searched = enabled_groups(net, &mut prepared, part, effort)?;
        let technique = technique(&searched, false);
        let Report { stopped, census, .. } = searched.report;
        match census.enabled.map(|enabled| some(&|transition| enabled[transition])) {
            Some(false) => on_answer(truth(WHAT, false, technique)),
            Some(true) if stopped.is_none() => on_answer(truth(WHAT, true, technique)),
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
pub fn one_safe(
    net: &PnmlNet,
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    const WHAT: Examination = Examination::OneSafe;
    let two = |family: &Vec<PlaceIx>| {
        let sum = Linear::new(family.iter().map(|&place| (place, -1))).unwrap_or_default();
        Predicate::AtMost(sum, -2)
    };
    let parts: Vec<Predicate> = net.places.values().map(two).collect();
    let goal = Goal { property: property::never(WHAT.name()), target: Predicate::Any(parts) };
    goals::decide(&net.net, vec![goal], effort, on_answer)
}
