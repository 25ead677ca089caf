//! Which transitions are enabled, kept up to date from firing to firing: each transition counts the tests
//! that fail, and a place that changes tells only the transitions that test it.

use crate::firing::{Firing, Overflow, Test};
use model::Value;

/// Where a transition is in no list.
const NOWHERE: u32 = u32::MAX;

/// A transition that tests a place.
#[derive(Clone, Copy)]
struct Watcher {
    transition: u32,
    least: Value,
    most: Value,
}

/// Who tests what: made once for a net.
pub(super) struct Watchers {
    firing: Firing,
    all: Vec<Watcher>,
    ends: Vec<u32>,
}

impl Watchers {
    pub(super) fn new(firing: Firing, places: usize) -> Self {
        let mut of: Vec<Vec<Watcher>> = vec![Vec::new(); places];
        for transition in 0..firing.len() {
            for &Test { place, least, most } in firing.tests(transition) {
                of[place as usize].push(Watcher { transition: transition as u32, least, most });
            }
        }
        let mut ends = vec![0];
        let mut all = Vec::new();
        for watchers in of {
            all.extend(watchers);
            ends.push(all.len() as u32);
        }
        Self { firing, all, ends }
    }

    pub(super) fn firing(&self) -> &Firing {
        &self.firing
    }

    #[inline(always)]
    fn of(&self, place: usize) -> &[Watcher] {
        &self.all[self.ends[place] as usize..self.ends[place + 1] as usize]
    }
}

/// A marking and what is enabled in it.
#[derive(Clone)]
pub(super) struct Position {
    pub marking: Vec<Value>,
    failing: Vec<u32>,
    /// The enabled transitions, those that became so last at the end, more or less.
    enabled: Vec<u32>,
    at: Vec<u32>,
    /// What became enabled in the middle of a firing, and may not be at its end.
    fresh: Vec<u32>,
    /// How often it looked whether a test comes out otherwise.
    pub looks: u64,
}

impl Position {
    pub(super) fn new(watchers: &Watchers, marking: Vec<Value>) -> Self {
        let count = watchers.firing.len();
        let failing = |transition| {
            watchers.firing.tests(transition).iter().filter(|test| !test.holds(&marking)).count()
        };
        let failing: Vec<u32> = (0..count).map(|transition| failing(transition) as u32).collect();
        let mut position = Self {
            marking,
            failing: Vec::new(),
            enabled: Vec::new(),
            at: vec![NOWHERE; count],
            fresh: Vec::new(),
            looks: 0,
        };
        (0..count)
            .filter(|&transition| failing[transition] == 0)
            .for_each(|transition| position.enable(transition as u32));
        position.failing = failing;
        position
    }

    /// Becomes a copy of another, without new memory.
    pub(super) fn reset(&mut self, other: &Self) {
        self.marking.copy_from_slice(&other.marking);
        self.failing.copy_from_slice(&other.failing);
        self.at.copy_from_slice(&other.at);
        self.enabled.clear();
        self.enabled.extend_from_slice(&other.enabled);
    }

    #[inline(always)]
    pub(super) fn enabled(&self) -> &[u32] {
        &self.enabled
    }

    #[inline(always)]
    pub(super) fn is_enabled(&self, transition: u32) -> bool {
        self.at[transition as usize] != NOWHERE
    }

    #[inline(always)]
    fn enable(&mut self, transition: u32) {
        self.at[transition as usize] = self.enabled.len() as u32;
        self.enabled.push(transition);
    }

    #[inline(always)]
    fn disable(&mut self, transition: u32) {
        let at = std::mem::replace(&mut self.at[transition as usize], NOWHERE) as usize;
        self.enabled.swap_remove(at);
        if let Some(&moved) = self.enabled.get(at) {
            self.at[moved as usize] = at as u32;
        }
    }

    /// Fires an enabled transition; tells of each place that changes what it has, and of each transition that
    /// becomes enabled.
    #[inline(always)]
    pub(super) fn fire(
        &mut self,
        watchers: &Watchers,
        transition: usize,
        changed: impl FnMut(usize, Value),
        enabled: impl FnMut(usize),
    ) -> Result<(), Overflow> {
        let shifts = watchers.firing.shifts(transition);
        if let Some(full) = shifts.iter().find(|shift| self.marking[shift.place as usize] >= shift.limit) {
            return Err(Overflow { place: full.place });
        }
        self.change(watchers, transition, false, changed, enabled);
        Ok(())
    }

    /// Goes back to before a transition fired.
    pub(super) fn undo(&mut self, watchers: &Watchers, transition: usize) {
        self.change(watchers, transition, true, |_, _| {}, |_| {});
    }

    #[inline(always)]
    fn change(
        &mut self,
        watchers: &Watchers,
        transition: usize,
        back: bool,
        mut changed: impl FnMut(usize, Value),
        mut enabled: impl FnMut(usize),
    ) {
        for shift in watchers.firing.shifts(transition) {
            let place = shift.place as usize;
            let before = self.marking[place];
            let after = if back { before.wrapping_sub(shift.add) } else { before.wrapping_add(shift.add) };
            self.marking[place] = after;
            changed(place, after);
            self.looks += watchers.of(place).len() as u64;
            for watcher in watchers.of(place) {
                let was = watcher.least <= before && before <= watcher.most;
                let is = watcher.least <= after && after <= watcher.most;
                if was == is {
                    continue;
                }
                let failing = &mut self.failing[watcher.transition as usize];
                if is {
                    *failing -= 1;
                    if *failing == 0 {
                        self.enable(watcher.transition);
                        self.fresh.push(watcher.transition);
                    }
                } else {
                    *failing += 1;
                    if *failing == 1 {
                        self.disable(watcher.transition);
                    }
                }
            }
        }
        for &transition in &self.fresh {
            if self.failing[transition as usize] == 0 {
                enabled(transition as usize);
            }
        }
        self.fresh.clear();
    }
}
