//! The net while it is reduced: touches by transition, for each place the transitions that touch it, and how
//! many of which kind.

pub(super) mod log;
pub(super) mod touch;

use super::Preserves;
use super::rules::{Applied, Reduction, Reductions};
use crate::Net;
use log::{Log, NodeIx};
use touch::{FREE, LARGE, Touch, touches_of_net};

/// How many tokens a place has, told by what is left of the net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reconstruction {
    /// It is still there.
    Here,
    /// It always holds this.
    Constant(u64),
    /// It holds `factor` times what the other holds, and `offset` more.
    Multiple { of: u32, factor: i64, offset: i64 },
    /// What it would hold cannot be said from the places that are left.
    Lost,
}

/// A place while its net is reduced.
#[derive(Clone, Debug)]
pub(super) struct PlaceRecord {
    pub initial: u64,
    pub reconstruction: Reconstruction,
    /// The question looks at it.
    pub seen: bool,
    /// Transitions that touch it, and some that no longer do.
    touching: Vec<u32>,
    /// How many transitions ask for tokens of it.
    pub demanders: usize,
    /// How many want it to have few.
    pub inhibited: usize,
    /// How many leave more than they find.
    pub producers: usize,
    /// How many leave fewer.
    pub consumers: usize,
}

impl PlaceRecord {
    fn count(&mut self, touch: &Touch, more: bool) {
        let add = |number: &mut usize, yes: bool| {
            *number = if more { *number + usize::from(yes) } else { *number - usize::from(yes) };
        };
        add(&mut self.demanders, touch.demand > 0);
        add(&mut self.inhibited, touch.below != FREE);
        add(&mut self.producers, touch.effect > 0);
        add(&mut self.consumers, touch.effect < 0);
    }
}

/// Transitions by place.
pub(super) struct Index {
    starts: Vec<usize>,
    transitions: Vec<u32>,
}

impl Index {
    pub fn of(&self, place: u32) -> &[u32] {
        &self.transitions[self.starts[place as usize]..self.starts[place as usize + 1]]
    }
}

/// A transition at work.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub touches: Vec<Touch>,
    pub alive: bool,
    /// The sequence that it stands for.
    pub stands_for: NodeIx,
    /// The transition of the net as it was whose name it bears.
    pub named_as: u32,
}

/// The net at work.
pub(super) struct Work<'a> {
    pub question: &'a Preserves,
    pub rules: Reductions,
    pub records: Vec<PlaceRecord>,
    pub steps: Vec<Step>,
    /// How many transitions are left.
    pub alive: usize,
    /// How many there were.
    pub were: usize,
    pub log: Log,
    pub applied: Applied,
    /// Places became one that are not of the same unit.
    pub units_broken: bool,
    /// Places whose transitions changed since somebody looked.
    pub changed: Vec<u32>,
}

impl<'a> Work<'a> {
    /// `None` if numbers of the net are too large for us.
    pub fn new(net: &Net, question: &'a Preserves, rules: Reductions) -> Option<Self> {
        let touches = touches_of_net(net)?;
        let new = |initial| PlaceRecord {
            initial,
            reconstruction: Reconstruction::Here,
            seen: false,
            touching: Vec::new(),
            demanders: 0,
            inhibited: 0,
            producers: 0,
            consumers: 0,
        };
        let mut work = Self {
            question,
            rules,
            records: net.places.iter().map(|place| new(place.initial)).collect(),
            steps: Vec::with_capacity(touches.len()),
            alive: 0,
            were: touches.len(),
            log: Log::new(rules.keep_witnesses),
            applied: Applied::default(),
            units_broken: false,
            changed: Vec::new(),
        };
        if let Preserves::Reachability { support } | Preserves::Bound { support } = question {
            support.iter().for_each(|place| work.records[place.ix()].seen = true);
        }
        for (number, touches) in (0..).zip(touches) {
            let stands_for = work.log.one(number);
            work.add(touches, stands_for, number);
        }
        Some(work)
    }

    /// Whether a rule is wanted, and the question allows it.
    pub fn may(&self, rule: Reduction) -> bool {
        self.rules.wants(rule) && rule.allowed(self.question)
    }

    /// Whether a transition that can never fire may be left out.
    pub fn may_kill(&self) -> bool {
        Reduction::Dead.allowed(self.question)
    }

    /// The places that are left.
    pub fn places(&self) -> impl Iterator<Item = u32> + use<> {
        let here: Vec<u32> = (0..)
            .zip(&self.records)
            .filter(|(_, record)| record.reconstruction == Reconstruction::Here)
            .map(|(p, _)| p)
            .collect();
        here.into_iter()
    }

    /// The transitions that are left.
    pub fn living(&self) -> impl Iterator<Item = (u32, &Step)> {
        (0..).zip(&self.steps).filter(|(_, step)| step.alive)
    }

    pub fn record(&self, place: u32) -> &PlaceRecord {
        &self.records[place as usize]
    }

    pub fn step(&self, transition: u32) -> &Step {
        &self.steps[transition as usize]
    }

    /// What a transition has to do with a place.
    pub fn touch(&self, transition: u32, place: u32) -> Option<&Touch> {
        let step = self.step(transition);
        let at = step.touches.binary_search_by_key(&place, |touch| touch.place).ok()?;
        step.alive.then(|| &step.touches[at])
    }

    /// The transitions that touch a place, and how; ascending.
    pub fn touching(&mut self, place: u32) -> Vec<(u32, Touch)> {
        let mut list = std::mem::take(&mut self.records[place as usize].touching);
        list.sort_unstable();
        list.dedup();
        let mut touches = Vec::with_capacity(list.len());
        list.retain(|&transition| match self.touch(transition, place) {
            Some(touch) => {
                touches.push((transition, *touch));
                true
            }
            None => false,
        });
        self.records[place as usize].touching = list;
        touches
    }

    /// A new transition.
    pub fn add(&mut self, touches: Vec<Touch>, stands_for: NodeIx, named_as: u32) -> u32 {
        let number =
            u32::try_from(self.steps.len()).unwrap_or_else(|_| panic!("BUG: more than 2^32 transitions"));
        for touch in &touches {
            self.records[touch.place as usize].touching.push(number);
        }
        self.steps.push(Step { touches, alive: true, stands_for, named_as });
        self.alive += 1;
        self.count(number, true);
        number
    }

    /// The transition goes.
    pub fn kill(&mut self, transition: u32) {
        if self.step(transition).alive {
            self.count(transition, false);
            self.steps[transition as usize].alive = false;
            self.steps[transition as usize].touches = Vec::new();
            self.alive -= 1;
        }
    }

    /// Other touches for a transition.
    pub fn replace(&mut self, transition: u32, mut touches: Vec<Touch>) {
        self.count(transition, false);
        touches.retain(|touch| !touch.is_nothing());
        for touch in &touches {
            if self.touch(transition, touch.place).is_none() {
                self.records[touch.place as usize].touching.push(transition);
            }
        }
        self.steps[transition as usize].touches = touches;
        self.count(transition, true);
    }

    /// Another touch of the same place.
    pub fn retouch(&mut self, transition: u32, touch: Touch) {
        let touches = &mut self.steps[transition as usize].touches;
        let record = &mut self.records[touch.place as usize];
        match touches.binary_search_by_key(&touch.place, |touch| touch.place) {
            Ok(at) => {
                record.count(&touches[at], false);
                if touch.is_nothing() {
                    touches.remove(at);
                } else {
                    touches[at] = touch;
                    record.count(&touch, true);
                }
            }
            Err(at) if !touch.is_nothing() => {
                touches.insert(at, touch);
                record.touching.push(transition);
                record.count(&touch, true);
            }
            Err(_) => {}
        }
        self.changed.push(touch.place);
    }

    /// The place goes, and all that touches it with it.
    pub fn forget(&mut self, place: u32, reconstruction: Reconstruction) {
        for (transition, _) in self.touching(place) {
            self.retouch(transition, Touch::new(place));
        }
        self.records[place as usize].reconstruction = reconstruction;
        self.records[place as usize].touching = Vec::new();
    }

    fn count(&mut self, transition: u32, more: bool) {
        for touch in &self.steps[transition as usize].touches {
            self.records[touch.place as usize].count(touch, more);
            self.changed.push(touch.place);
        }
    }

    /// By place the transitions that touch it in such a way, ascending: for whoever looks at most of the net.
    pub fn index(&self, wanted: impl Fn(&Touch) -> bool) -> Index {
        let mut starts = vec![0; self.records.len() + 1];
        let all = || self.living().flat_map(|(t, step)| step.touches.iter().map(move |touch| (t, touch)));
        for (_, touch) in all().filter(|(_, touch)| wanted(touch)) {
            starts[touch.place as usize + 1] += 1;
        }
        for place in 0..self.records.len() {
            starts[place + 1] += starts[place];
        }
        let mut ends = starts.clone();
        let mut transitions = vec![0; starts[self.records.len()]];
        for (transition, touch) in all().filter(|(_, touch)| wanted(touch)) {
            let end = &mut ends[touch.place as usize];
            transitions[*end] = transition;
            *end += 1;
        }
        Index { starts, transitions }
    }

    /// What a place is sure to hold in every marking, and what it can hold at most ([`FREE`] if that is not
    /// known), by place.
    ///
    /// A transition that takes leaves at least what it asked for less what it took; one that gives finds less
    /// than its inhibitor arc allows.
    pub fn limits(&self) -> Vec<(u64, u64)> {
        let mut limits: Vec<(u64, u64)> =
            self.records.iter().map(|record| (record.initial, record.initial)).collect();
        for touch in self.living().flat_map(|(_, step)| &step.touches) {
            let (least, most) = &mut limits[touch.place as usize];
            let size = touch.effect.unsigned_abs();
            if touch.effect < 0 {
                *least = (*least).min(touch.demand - size);
            }
            if touch.effect > 0 {
                let after = if touch.below == FREE {
                    FREE
                } else {
                    touch.below.saturating_sub(1).saturating_add(size)
                };
                *most = (*most).max(after);
            }
        }
        limits
    }

    /// Tokens more in the beginning; false, and nothing done, if that is too many.
    pub fn start_with(&mut self, touches: &[Touch], times: u64) -> bool {
        let after = |touch: &Touch| {
            let change = i128::from(touch.effect) * i128::from(times);
            u64::try_from(i128::from(self.record(touch.place).initial) + change)
                .ok()
                .filter(|tokens| *tokens < LARGE)
        };
        let Some(after) = touches.iter().map(after).collect::<Option<Vec<u64>>>() else { return false };
        for (touch, tokens) in touches.iter().zip(after) {
            self.records[touch.place as usize].initial = tokens;
        }
        true
    }
}
