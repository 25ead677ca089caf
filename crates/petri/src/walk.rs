//! Random walks: what is easy to reach is found by walking about, long before a search is done. Many contest
//! tools begin so; the distance that leads a greedy walk is that of Jensen, Larsen, Srba & co., "TAPAAL and
//! reachability analysis of P/T nets", 2016.
//!
//! A walk is cut into runs from the initial marking. Each has a temper, its way to choose, and a length, and
//! both change from run to run, so that nets that need long runs and nets that need many are both served.
//! Every run that a walk answers was replayed.

mod circuit;
mod enabled;
mod follow;
mod shorten;
mod temper;

use model::{Linear, Predicate, Value};

use crate::firing::{Firing, tests};
use base::SplitMix64;

use crate::{Net, TransitionIx};
use circuit::{Amounts, Circuit, Levels};
use enabled::{Position, Watchers};
#[cfg(test)]
pub(crate) use shorten::fire;
pub use shorten::{replay, shortened};
use temper::Temper;

/// Work between two questions whether to stop: a step, and …
const BREATH: u32 = 1 << 10;
/// … each so many transitions that a step has to look at.
const LOOKS: u64 = 256;
/// Lengths of runs: the shortest, and how often it doubles before it starts again.
const SHORTEST: u64 = 200;
const DOUBLINGS: u32 = 12;
/// … and the longest, since the way is remembered.
const LONGEST: u64 = 1 << 22;

/// What walks saw. All of it can be reached.
#[derive(Clone, Debug)]
pub struct Seen {
    /// For each goal a firing sequence to a marking where it holds.
    pub goals: Vec<Option<Vec<TransitionIx>>>,
    /// A firing sequence to a marking where nothing is enabled.
    pub deadlock: Option<Vec<TransitionIx>>,
    /// For each bound the greatest value seen.
    pub most: Vec<i128>,
    /// The transitions that were enabled somewhere.
    pub enabled: Vec<bool>,
    /// For each place the most tokens seen.
    pub most_tokens: Vec<Value>,
    /// Some place got more tokens than can be counted.
    pub overflow: bool,
    /// How many transitions fired.
    pub steps: u64,
}

impl Seen {
    /// The places that a transition changes that was enabled somewhere: their marking is not stable.
    pub fn changed(&self, net: &Net) -> Vec<bool> {
        let mut changed = vec![false; net.places.len()];
        for (transition, _) in net.transitions.iter().zip(&self.enabled).filter(|(_, seen)| **seen) {
            crate::firing::changes(transition).into_iter().for_each(|(place, _)| changed[place] = true);
        }
        changed
    }

    /// How many goals were not reached.
    pub fn open_goals(&self) -> usize {
        self.goals.iter().filter(|goal| goal.is_none()).count()
    }
}

/// One who walks about in a net.
pub struct Walker<'n> {
    net: &'n Net,
    goals: Vec<Predicate>,
    bounds: Vec<Linear>,
    watchers: Watchers,
    /// Goals that the circuit has: what was reached is left out when it is built anew.
    watched: Vec<usize>,
    circuit: Circuit,
    start: (Position, Levels),
    position: Position,
    levels: Levels,
    /// By how much each transition changes sums, once it was asked for.
    amounts: Vec<Option<Amounts>>,
    /// The greatest value of each sum.
    greatest: Vec<i128>,
    trail: Vec<u32>,
    fired: Vec<u32>,
    random: SplitMix64,
    runs: u64,
    /// Goals that nobody asks for any longer.
    given_up: Vec<bool>,
    seen: Seen,
}

/// Walks until `stop` says so: it is asked many times a second, and sees what was found so far.
pub fn walk(
    net: &Net,
    goals: &[Predicate],
    bounds: &[Linear],
    seed: u64,
    stop: &mut dyn FnMut(&Seen) -> bool,
) -> Option<Seen> {
    let mut walker = Walker::new(net, goals, bounds, seed)?;
    walker.run(stop);
    Some(walker.seen)
}

impl<'n> Walker<'n> {
    /// One who stands at the initial marking. `None` when that does not fit slots.
    pub fn new(net: &'n Net, goals: &[Predicate], bounds: &[Linear], seed: u64) -> Option<Self> {
        let marking = replay(net, &[])?;
        let watchers = Watchers::new(Firing::new(net), net.places.len());
        let circuit = Circuit::new(net.places.len(), goals, bounds);
        let levels = circuit.levels(&marking);
        let position = Position::new(&watchers, marking);
        let mut seen = Seen {
            goals: (0..goals.len()).map(|goal| circuit.holds(&levels, goal).then(Vec::new)).collect(),
            deadlock: position.enabled().is_empty().then(Vec::new),
            most: (0..bounds.len()).map(|bound| levels.sums[circuit.bound(bound)]).collect(),
            enabled: vec![false; net.transitions.len()],
            most_tokens: position.marking.clone(),
            overflow: false,
            steps: 0,
        };
        position.enabled().iter().for_each(|&transition| seen.enabled[transition as usize] = true);
        Some(Self {
            net,
            goals: goals.to_vec(),
            bounds: bounds.to_vec(),
            watchers,
            watched: (0..goals.len()).collect(),
            greatest: levels.sums.clone(),
            circuit,
            start: (position.clone(), levels.clone()),
            position,
            levels,
            amounts: vec![None; net.transitions.len()],
            trail: Vec::new(),
            fired: vec![0; net.transitions.len()],
            random: SplitMix64::new(seed),
            runs: 0,
            given_up: vec![false; goals.len()],
            seen,
        })
    }

    /// What was seen so far.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    /// A goal was decided elsewhere: no walk is led to it any longer.
    pub fn give_up(&mut self, goal: usize) {
        self.given_up[goal] = true;
    }

    /// Walks on until `stop` says so: it is asked many times a second, and sees what was found so far.
    pub fn run(&mut self, stop: &mut dyn FnMut(&Seen) -> bool) {
        if self.start.0.enabled().is_empty() || stop(&self.seen) {
            return;
        }
        let mut breath = BREATH;
        loop {
            let run = self.runs;
            self.runs += 1;
            self.go_back();
            let temper = self.temper(run);
            let length = self.length(run);
            if self.one_run(temper, length, &mut breath, stop) {
                return;
            }
        }
    }

    /// Back to the initial marking: step by step after a short way, else by a copy.
    fn go_back(&mut self) {
        if self.trail.len() * 8 < self.net.transitions.len() + self.circuit.size() {
            while let Some(transition) = self.trail.pop() {
                self.position.undo(&self.watchers, transition as usize);
                let amounts = self.amounts[transition as usize].as_deref().unwrap_or_default();
                self.circuit.change(&mut self.levels, amounts, true, |_, _| {});
            }
            self.levels.hit = false;
        } else {
            self.trail.clear();
            self.position.reset(&self.start.0);
            self.levels.reset(&self.start.1);
        }
        let open = |goal: &usize| self.seen.goals[*goal].is_none() && !self.given_up[*goal];
        let left = self.watched.iter().filter(|goal| open(goal)).count();
        if left * 2 < self.watched.len() || left < self.watched.len() && left == 0 {
            self.watched.retain(|goal| self.seen.goals[*goal].is_none() && !self.given_up[*goal]);
            self.rebuild();
        }
    }

    /// Makes the circuit anew with the goals that are watched.
    fn rebuild(&mut self) {
        let goals = self.watched.iter().map(|&goal| &self.goals[goal]);
        self.circuit = Circuit::new(self.net.places.len(), goals, &self.bounds);
        self.start.1 = self.circuit.levels(&self.start.0.marking);
        self.levels = self.start.1.clone();
        self.amounts.fill(None);
        self.greatest = self.levels.sums.clone();
        for (bound, &most) in self.seen.most.iter().enumerate() {
            self.greatest[self.circuit.bound(bound)] = most;
        }
    }

    /// Short runs often, long ones seldom; in large nets nothing happens in few steps.
    fn length(&mut self, run: u64) -> u64 {
        let shortest = SHORTEST.max(self.net.transitions.len() as u64 / 8);
        let doublings = (run + 1).trailing_zeros() * 2 + self.random.below(3) as u32;
        (shortest << doublings.min(DOUBLINGS)).min(LONGEST)
    }

    fn temper(&mut self, run: u64) -> Temper {
        // Led walks and free ones take turns.
        if run % 2 == 1 {
            let (goals, bounds) = (self.watched.len(), self.bounds.len());
            let led = goals + bounds + usize::from(self.seen.deadlock.is_none());
            let pick = self.random.below(led.max(1));
            let is_open =
                |at: usize| self.seen.goals[self.watched[at]].is_none() && !self.given_up[self.watched[at]];
            return match pick {
                _ if led == 0 => Temper::Rare,
                _ if pick < goals && is_open(pick) => Temper::Towards(pick),
                _ if pick < goals => Temper::Rare,
                _ if pick < goals + bounds => Temper::Up(self.circuit.bound(pick - goals)),
                _ => Temper::Starve,
            };
        }
        [Temper::Any, Temper::Rare, Temper::Newest, Temper::Few][(run / 2 % 4) as usize]
    }

    /// A run from the initial marking. Answers whether to stop.
    fn one_run(
        &mut self,
        temper: Temper,
        length: u64,
        breath: &mut u32,
        stop: &mut dyn FnMut(&Seen) -> bool,
    ) -> bool {
        let mut looks = self.position.looks;
        for _ in 0..length {
            let work = 1 + (self.position.looks - looks) / LOOKS;
            looks = self.position.looks;
            *breath = breath.saturating_sub(u32::try_from(work).unwrap_or(u32::MAX));
            if *breath == 0 {
                *breath = BREATH;
                self.tell_bounds();
                if stop(&self.seen) {
                    return true;
                }
            }
            if self.position.enabled().is_empty() {
                self.note_dead();
                break;
            }
            let transition = temper.choose(self);
            if !self.step(transition) {
                break;
            }
        }
        false
    }

    #[inline(always)]
    fn learn_amounts(&mut self, transition: usize) {
        if self.amounts[transition].is_none() {
            self.amounts[transition] = Some(self.circuit.amounts(self.watchers.firing().shifts(transition)));
        }
    }

    #[inline(always)]
    fn step(&mut self, transition: usize) -> bool {
        let (most_tokens, enabled) = (&mut self.seen.most_tokens, &mut self.seen.enabled);
        let changed = |place: usize, after| most_tokens[place] = most_tokens[place].max(after);
        let fired =
            self.position.fire(&self.watchers, transition, changed, |transition| enabled[transition] = true);
        if fired.is_err() {
            self.seen.overflow = true;
            return false;
        }
        self.trail.push(transition as u32);
        self.fired[transition] = self.fired[transition].saturating_add(1);
        self.seen.steps += 1;
        if self.circuit.sums() > 0 {
            self.learn_amounts(transition);
            let greatest = &mut self.greatest;
            let amounts = self.amounts[transition].as_deref().unwrap_or_default();
            self.circuit.change(&mut self.levels, amounts, false, |sum, value| {
                greatest[sum] = greatest[sum].max(value);
            });
            if self.levels.hit {
                self.note_goals();
            }
        }
        true
    }

    /// Looks which goals hold.
    fn note_goals(&mut self) {
        self.levels.hit = false;
        for at in 0..self.circuit.goals() {
            let goal = self.watched[at];
            if self.seen.goals[goal].is_none() && self.circuit.holds(&self.levels, at) {
                self.seen.goals[goal] = Some(self.replayed(|_, marking| self.goals[goal].holds(marking)));
            }
        }
    }

    /// Looks whether it stands in a dead marking.
    fn note_dead(&mut self) {
        if self.position.enabled().is_empty() && self.seen.deadlock.is_none() {
            self.seen.deadlock = Some(self.replayed(is_dead));
        }
    }

    fn tell_bounds(&mut self) {
        for (bound, most) in self.seen.most.iter_mut().enumerate() {
            *most = self.greatest[self.circuit.bound(bound)];
        }
    }

    /// The trail without its loops, replayed: where it ends, this must hold.
    fn replayed(&self, holds: impl Fn(&Net, &[Value]) -> bool) -> Vec<TransitionIx> {
        let trail: Vec<TransitionIx> =
            self.trail.iter().map(|&transition| TransitionIx::new(transition as usize)).collect();
        let good =
            |trail: &[TransitionIx]| replay(self.net, trail).is_some_and(|marking| holds(self.net, &marking));
        let short = shortened(self.net, &trail);
        if good(&short) {
            return short;
        }
        assert!(good(&trail), "BUG: a walk that cannot be replayed");
        trail
    }
}

/// Whether nothing is enabled.
fn is_dead(net: &Net, marking: &[Value]) -> bool {
    let is_enabled = |transition| tests(transition).iter().all(|test| test.holds(marking));
    !net.transitions.iter().any(is_enabled)
}
