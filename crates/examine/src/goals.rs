//! Which predicates hold in some reachable marking: EF φ, and AG φ as what cannot be reached.

use std::time::Duration;

use model::{Predicate, Value};
use petri::state_equation::StateEquation;
use petri::walk::{self, Walker};
use petri::{Net, PlaceIx, Preserves, Reduced, TransitionIx};

use super::searching::{Prepared, Wanted, is_too_large, prepare};
use super::{By, Finding, Found, Hear, Room, constant};
use planner::failure::Failure;

/// A predicate to be reached.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The name of the formula.
    pub id: String,
    /// What is to hold in a reachable marking.
    pub target: Predicate,
    /// What the formula is when one is found.
    pub found_means: bool,
}

impl Goal {
    fn finding(&self, reached: bool, by: By, run: Option<Vec<TransitionIx>>) -> Finding {
        let found = Found::Truth(reached == self.found_means);
        Finding { id: self.id.clone(), found, by, run }
    }
}

/// The time for a walk, for the state equation and for a search, round after round; after the last, what is
/// left is for single goals.
const ROUNDS: [(Duration, Duration, Duration); 3] = [
    (Duration::from_millis(100), Duration::from_millis(200), Duration::from_millis(500)),
    (Duration::from_millis(700), Duration::from_millis(1500), Duration::from_secs(5)),
    (Duration::from_secs(3), Duration::from_secs(5), Duration::from_secs(3600)),
];

/// The same for the first glance at a small net.
const GLANCE: (Duration, Duration, Duration) =
    (Duration::from_millis(2), Duration::from_millis(5), Duration::from_millis(50));

/// Of the time that is left, the last common search leaves this part to single goals.
const KEPT_PART: u32 = 3;

/// Decides the goals as far as time and memory go.
pub fn decide(
    net: &Net,
    goals: Vec<Goal>,
    room: &Room,
    hear: &mut Hear<'_>,
) -> Result<Option<String>, Failure> {
    let mut open = goals;
    open.retain(|goal| match constant(&goal.target) {
        Some(reached) => {
            hear(goal.finding(reached, By::Structure, (reached && room.runs).then(Vec::new)));
            false
        }
        None => true,
    });
    if open.is_empty() {
        return Ok(None);
    }
    let mut quest = Quest::new(net, open, room);
    let mut why = None;
    for (walking, solving, searching) in room.rounds(net, GLANCE, &ROUNDS) {
        quest.walk(walking, hear);
        quest.refute(solving, hear);
        if quest.open.is_empty() || room.is_over() {
            break;
        }
        let part = searching.min(room.left() - room.left() / KEPT_PART);
        if !is_too_large(net, part) {
            let all = quest.open.clone();
            why = quest.search(&all, part, hear)?;
        }
    }
    // One goal looks at few places: more of the net can be left out.
    for (alone, left) in quest.open.clone().into_iter().zip((1..=quest.open.len() as u32).rev()) {
        if room.is_over() {
            break;
        }
        why = quest.search(&[alone], room.left() / left, hear)?.or(why);
    }
    Ok(why)
}

/// Goals that are not decided yet, and who is asked about them in turn: each is made ready once and goes on
/// where it stood.
struct Quest<'n> {
    net: &'n Net,
    room: &'n Room,
    goals: Vec<Goal>,
    /// The numbers of goals that are open.
    open: Vec<usize>,
    walker: Option<Walker<'n>>,
    equation: Option<StateEquation<'n>>,
    /// The last search, and the goals that it was about: with more time it can be tried again.
    search: Option<(Vec<usize>, Reduced, Prepared)>,
}

impl<'n> Quest<'n> {
    fn new(net: &'n Net, goals: Vec<Goal>, room: &'n Room) -> Self {
        let targets: Vec<Predicate> = goals.iter().map(|goal| goal.target.clone()).collect();
        let walker = room.means.walks.then(|| Walker::new(net, &targets, &[], 1)).flatten();
        let open = (0..goals.len()).collect();
        Self { net, room, goals, open, walker, equation: None, search: None }
    }

    /// Nobody is to look for these any longer.
    fn close(&mut self, decided: &[usize]) {
        self.open.retain(|goal| !decided.contains(goal));
        if let Some(walker) = &mut self.walker {
            decided.iter().for_each(|&goal| walker.give_up(goal));
        }
    }

    fn walk(&mut self, part: Duration, hear: &mut Hear<'_>) {
        let (Some(walker), open) = (&mut self.walker, &self.open) else { return };
        let stop = self.room.slice(part);
        walker.run(&mut |seen| open.iter().all(|&goal| seen.goals[goal].is_some()) || stop());
        let reached: Vec<usize> =
            open.iter().copied().filter(|&goal| walker.seen().goals[goal].is_some()).collect();
        for &goal in &reached {
            let run = walker.seen().goals[goal].as_ref().filter(|_| self.room.runs);
            let run = run.map(|run| walk::shortened(self.net, run));
            hear(self.goals[goal].finding(true, By::Walk, run));
        }
        self.close(&reached);
    }

    fn refute(&mut self, part: Duration, hear: &mut Hear<'_>) {
        if self.open.is_empty() || self.room.is_over() || !self.room.means.structure {
            return;
        }
        let equation = self.equation.get_or_insert_with(|| StateEquation::new(self.net));
        let (stop, goals) = (self.room.slice(part), self.open.len() as u32);
        let mut refuted = Vec::new();
        for &goal in &self.open {
            let share = self.room.slice(part / goals * 2);
            if !stop() && equation.refutes(&self.goals[goal].target, &|| stop() || share()) {
                hear(self.goals[goal].finding(false, By::Equation, None));
                refuted.push(goal);
            }
        }
        self.close(&refuted);
    }

    /// Asks both engines for some goals at once, on the net without what does not bear upon them.
    fn search(
        &mut self,
        asked: &[usize],
        part: Duration,
        hear: &mut Hear<'_>,
    ) -> Result<Option<String>, Failure> {
        if !self.room.means.search {
            return Ok(None);
        }
        let until = self.room.slice(part);
        if self.search.as_ref().is_none_or(|(before, ..)| before != asked) {
            self.search = None;
            let mut support: Vec<PlaceIx> =
                asked.iter().flat_map(|&goal| self.goals[goal].target.slots()).collect();
            support.sort_unstable();
            support.dedup();
            let stop = self.room.slice(part / 4);
            let reduced =
                petri::reduce(self.net, &Preserves::Reachability { support }, self.room.rules(), &stop);
            let is_reduced = !stop();
            let targets = asked.iter().map(|&goal| reduced.predicate(&self.goals[goal].target)).collect();
            let targets: Option<Vec<Predicate>> = targets;
            let Some(targets) = targets else {
                return Ok(Some("a number of a formula is too large".to_owned()));
            };
            let prepared = prepare(&Wanted { targets: &targets, ..Wanted::of(&reduced.net) }, self.room)?;
            // What had no time to get smaller gets another chance next time.
            let before = if is_reduced { asked.to_vec() } else { Vec::new() };
            self.search = Some((before, reduced, prepared));
        }
        let Some((_, reduced, prepared)) = &self.search else {
            panic!("BUG: a search that was made ready is not there")
        };
        let is_reduced = reduced.applied.total() > 0;
        let mut decided = Vec::new();
        let left = if until() { Duration::ZERO } else { part };
        let searched = prepared.search(left, self.room, &mut |number, reached, by, run| {
            let goal = &self.goals[asked[number]];
            let by = By::Search { symbolic: by, reduced: is_reduced };
            let run = match run.map(|run| reduced.original_run(run)) {
                // A run that cannot be told, or does not show what it should, is a defect: nothing is said
                // then.
                Some(run) => match run.filter(|run| shows(self.net, run, &goal.target)) {
                    Some(run) => Some(run),
                    None => return,
                },
                None if reached && self.room.runs => return,
                None => None,
            };
            decided.push(asked[number]);
            hear(goal.finding(reached, by, run));
        })?;
        self.close(&decided);
        Ok(searched.stopped)
    }
}

/// Whether a firing sequence leads to a marking where the predicate holds.
fn shows(net: &Net, run: &[TransitionIx], target: &Predicate) -> bool {
    let marking: Option<Vec<Value>> = walk::replay(net, run);
    marking.is_some_and(|marking| target.holds(&marking))
}
