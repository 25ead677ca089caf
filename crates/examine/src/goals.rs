//! Which predicates hold in some reachable marking: EF φ, and AG φ as what cannot be reached.

use std::time::Duration;

use engine::{Answer, Property, StopReason, Technique};
use model::Predicate;
use petri::state_equation::StateEquation;
use petri::walk::{self, Walker};
use petri::{Net, PlaceIx, Preserves, Reduced, TransitionIx};

use crate::constant::constant;
use crate::searching::{NetTask, Prepared, is_too_large, prepare};
use crate::{Effort, Error, OnAnswer, property};

/// A predicate to be reached.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The property that a marking with it decides.
    pub property: Property,
    /// What is to hold in a reachable marking.
    pub target: Predicate,
}

impl Goal {
    /// The answer where a marking with it can be reached.
    fn reached(&self, run: Option<&[TransitionIx]>, technique: Technique, effort: &Effort) -> Answer {
        property::reached(&self.property, run, Some(&self.target), technique, effort)
    }

    /// The answer where none can be.
    fn unreachable(&self, technique: Technique) -> Answer {
        property::unreachable(&self.property, technique)
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
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    let mut open = goals;
    open.retain(|goal| match constant(&goal.target) {
        Some(true) => {
            on_answer(goal.reached(Some(&[]), Technique::Structure, effort));
            false
        }
        Some(false) => {
            on_answer(goal.unreachable(Technique::Structure));
            false
        }
        None => true,
    });
    if open.is_empty() {
        return Ok(None);
    }
    let mut portfolio = Portfolio::new(net, open, effort);
    let mut why = None;
    for (walking, solving, searching) in effort.rounds(net, GLANCE, &ROUNDS) {
        portfolio.walk(walking, on_answer);
        portfolio.refute(solving, on_answer);
        if portfolio.open.is_empty() || effort.is_over() {
            break;
        }
        let part = searching.min(effort.left() - effort.left() / KEPT_PART);
        if !is_too_large(net, part) {
            let all = portfolio.open.clone();
            why = portfolio.search(&all, part, on_answer)?;
        }
    }
    // One goal looks at few places: more of the net can be left out.
    for (alone, left) in portfolio.open.clone().into_iter().zip((1..=portfolio.open.len() as u32).rev()) {
        if effort.is_over() {
            break;
        }
        why = portfolio.search(&[alone], effort.left() / left, on_answer)?.or(why);
    }
    Ok(why)
}

/// `Portfolio` holds the goals that are not decided yet and the methods that are tried on them in turn. Each
/// method is made ready once and goes on where it stood.
struct Portfolio<'n> {
    net: &'n Net,
    effort: &'n Effort,
    goals: Vec<Goal>,
    /// The numbers of goals that are open.
    open: Vec<usize>,
    walker: Option<Walker<'n>>,
    equation: Option<StateEquation<'n>>,
    /// The last search, and the goals that it was about: with more time it can be tried again.
    search: Option<(Vec<usize>, Reduced, Prepared)>,
}

impl<'n> Portfolio<'n> {
    fn new(net: &'n Net, goals: Vec<Goal>, effort: &'n Effort) -> Self {
        let targets: Vec<Predicate> = goals.iter().map(|goal| goal.target.clone()).collect();
        let walker = effort.means.walks.then(|| Walker::new(net, &targets, &[], 1)).flatten();
        let open = (0..goals.len()).collect();
        Self { net, effort, goals, open, walker, equation: None, search: None }
    }

    /// Nobody is to look for these any longer.
    fn close(&mut self, decided: &[usize]) {
        self.open.retain(|goal| !decided.contains(goal));
        if let Some(walker) = &mut self.walker {
            decided.iter().for_each(|&goal| walker.give_up(goal));
        }
    }

    fn walk(&mut self, part: Duration, on_answer: &mut OnAnswer<'_>) {
        let (Some(walker), open) = (&mut self.walker, &self.open) else { return };
        let stop = self.effort.slice(part);
        walker.run(&mut |seen| open.iter().all(|&goal| seen.goals[goal].is_some()) || stop());
        let reached: Vec<usize> =
            open.iter().copied().filter(|&goal| walker.seen().goals[goal].is_some()).collect();
        for &goal in &reached {
            let run = walker.seen().goals[goal].as_ref().filter(|_| self.effort.witnessed_on.is_some());
            let run = run.map(|run| walk::shortened(self.net, run));
            on_answer(self.goals[goal].reached(run.as_deref(), Technique::RandomWalk, self.effort));
        }
        self.close(&reached);
    }

    fn refute(&mut self, part: Duration, on_answer: &mut OnAnswer<'_>) {
        if self.open.is_empty() || self.effort.is_over() || !self.effort.means.structure {
            return;
        }
        let equation = self.equation.get_or_insert_with(|| StateEquation::new(self.net));
        let (stop, goals) = (self.effort.slice(part), self.open.len() as u32);
        let mut refuted = Vec::new();
        for &goal in &self.open {
            let share = self.effort.slice(part / goals * 2);
            if !stop() && equation.refutes(&self.goals[goal].target, &|| stop() || share()) {
                on_answer(self.goals[goal].unreachable(Technique::StateEquation));
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
        on_answer: &mut OnAnswer<'_>,
    ) -> Result<Option<StopReason>, Error> {
        if !self.effort.means.search {
            return Ok(None);
        }
        let until = self.effort.slice(part);
        if self.search.as_ref().is_none_or(|(before, ..)| before != asked) {
            self.search = None;
            let mut support: Vec<PlaceIx> =
                asked.iter().flat_map(|&goal| self.goals[goal].target.slots()).collect();
            support.sort_unstable();
            support.dedup();
            let stop = self.effort.slice(part / 4);
            let reduced =
                petri::reduce(self.net, &Preserves::Reachability { support }, self.effort.rules(), &stop);
            let is_reduced = !stop();
            let targets = asked.iter().map(|&goal| reduced.predicate(&self.goals[goal].target)).collect();
            let targets: Option<Vec<Predicate>> = targets;
            let Some(targets) = targets else {
                return Ok(Some(property::too_large()));
            };
            let prepared =
                prepare(&NetTask { targets: &targets, ..NetTask::of_reduced(&reduced) }, self.effort)?;
            // What had no time to get smaller gets another chance next time.
            let before = if is_reduced { asked.to_vec() } else { Vec::new() };
            self.search = Some((before, reduced, prepared));
        }
        let Some((_, reduced, prepared)) = &self.search else {
            panic!("BUG: a search that was made ready is not there")
        };
        let mut decided = Vec::new();
        let left = if until() { Duration::ZERO } else { part };
        let searched = prepared.search(left, self.effort, &mut |number, answer| {
            let goal = &self.goals[asked[number]];
            decided.push(asked[number]);
            on_answer(property::of_search(&goal.property, Some(&goal.target), answer, reduced, self.effort));
        })?;
        self.close(&decided);
        Ok(searched.report.stopped)
    }
}
