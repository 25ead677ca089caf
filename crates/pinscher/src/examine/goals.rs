//! Which predicates hold in some reachable marking: EF φ, and AG φ as what cannot be reached.

use std::time::Duration;

use model::{Predicate, Value};
use petri::state_equation::StateEquation;
use petri::{Net, PlaceIx, Preserves, Rules, TransitionIx, walk};

use super::searching::{Wanted, search};
use super::{By, Finding, Found, Hear, Room, constant};
use crate::Failure;

/// A predicate to be reached.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The name of the formula.
    pub(crate) id: String,
    /// What is to hold in a reachable marking.
    pub(crate) target: Predicate,
    /// What the formula is when one is found.
    pub(crate) found_means: bool,
}

impl Goal {
    fn finding(&self, reached: bool, by: By, run: Option<Vec<TransitionIx>>) -> Finding {
        let found = Found::Truth(reached == self.found_means);
        Finding { id: self.id.clone(), found, by, run }
    }
}

/// The time for a walk, for the state equation and for a search, round after round; after the last, what is left is for single goals.
const ROUNDS: [(Duration, Duration, Duration); 3] = [
    (Duration::from_millis(100), Duration::from_millis(200), Duration::from_millis(500)),
    (Duration::from_millis(700), Duration::from_millis(1500), Duration::from_secs(5)),
    (Duration::from_secs(3), Duration::from_secs(5), Duration::from_secs(3600)),
];

/// Of the time that is left, the last common search leaves this part to single goals.
const KEPT_PART: u32 = 3;

/// Decides the goals as far as time and memory go.
pub(crate) fn decide(net: &Net, goals: Vec<Goal>, room: &Room, hear: &mut Hear<'_>) -> Result<Option<String>, Failure> {
    let mut open = goals;
    open.retain(|goal| match constant(&goal.target) {
        Some(reached) => {
            hear(goal.finding(reached, By::Structure, (reached && room.runs).then(Vec::new)));
            false
        }
        None => true,
    });
    let mut why = None;
    for (round, (walking, solving, searching)) in ROUNDS.into_iter().enumerate() {
        walked(net, &mut open, walking, round as u64, room, hear);
        refuted(net, &mut open, solving, room, hear);
        if open.is_empty() || room.is_over() {
            break;
        }
        let part = searching.min(room.left() - room.left() / KEPT_PART);
        why = searched(net, &mut open, part, room, hear)?;
    }
    // One goal looks at few places: more of the net can be left out.
    while open.len() > 1 && !room.is_over() {
        let part = room.left() / open.len() as u32;
        let mut alone = vec![open.remove(0)];
        why = searched(net, &mut alone, part, room, hear)?.or(why);
    }
    if open.len() == 1 && !room.is_over() {
        why = searched(net, &mut open, room.left(), room, hear)?.or(why);
    }
    Ok(why)
}

fn walked(net: &Net, open: &mut Vec<Goal>, part: Duration, seed: u64, room: &Room, hear: &mut Hear<'_>) {
    let targets: Vec<Predicate> = open.iter().map(|goal| goal.target.clone()).collect();
    let stop = room.slice(part);
    let Some(seen) = walk::walk(net, &targets, &[], seed + 1, &mut |seen| seen.open_goals() == 0 || stop()) else {
        return;
    };
    let mut goals = seen.goals.into_iter();
    open.retain(|goal| match goals.next().flatten() {
        Some(run) => {
            let run = room.runs.then(|| walk::shortened(net, &run));
            hear(goal.finding(true, By::Walk, run));
            false
        }
        None => true,
    });
}

fn refuted(net: &Net, open: &mut Vec<Goal>, part: Duration, room: &Room, hear: &mut Hear<'_>) {
    let stop = room.slice(part);
    let mut equation = StateEquation::new(net);
    let mut asked = 0;
    let goals = open.len() as u32;
    open.retain(|goal| {
        asked += 1;
        let share = room.slice(part / goals * 2);
        let is_refuted = !stop() && equation.refutes(&goal.target, &|| stop() || share());
        if is_refuted {
            hear(goal.finding(false, By::Equation, None));
        }
        !is_refuted
    });
}

/// Asks both engines for all goals at once, on the net without what does not bear upon them.
fn searched(
    net: &Net,
    open: &mut Vec<Goal>,
    part: Duration,
    room: &Room,
    hear: &mut Hear<'_>,
) -> Result<Option<String>, Failure> {
    let mut support: Vec<PlaceIx> = open.iter().flat_map(|goal| goal.target.slots()).collect();
    support.sort_unstable();
    support.dedup();
    let mut rules = Rules::default();
    rules.keep_witnesses = room.runs;
    let reduced = petri::reduce(net, &Preserves::Reachability { support }, rules, &room.slice(part / 4));
    let targets: Option<Vec<Predicate>> = open.iter().map(|goal| reduced.predicate(&goal.target)).collect();
    let Some(targets) = targets else { return Ok(Some("a number of a formula is too large".to_owned())) };
    let is_reduced = reduced.applied.total() > 0;
    let wanted = Wanted { targets: &targets, ..Wanted::of(&reduced.net) };
    let mut done = vec![false; open.len()];
    let searched = search(&wanted, part, room, &mut |number, reached, by, run| {
        let goal = &open[number];
        let by = By::Search { symbolic: by, reduced: is_reduced };
        let run = match run.map(|run| reduced.original_run(run)) {
            // A run that cannot be told, or does not show what it should, is a defect: nothing is said then.
            Some(run) => match run.filter(|run| shows(net, run, &goal.target)) {
                Some(run) => Some(run),
                None => return,
            },
            None if reached && room.runs => return,
            None => None,
        };
        done[number] = true;
        hear(goal.finding(reached, by, run));
    })?;
    let mut done = done.into_iter();
    open.retain(|_| !done.next().unwrap_or(false));
    Ok(searched.stopped)
}

/// Whether a firing sequence leads to a marking where the predicate holds.
fn shows(net: &Net, run: &[TransitionIx], target: &Predicate) -> bool {
    let marking: Option<Vec<Value>> = walk::replay(net, run);
    marking.is_some_and(|marking| target.holds(&marking))
}
