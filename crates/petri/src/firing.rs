//! The firing rule over flat arrays: for each transition the values that it tests and the amounts that it
//! adds, one after the other in memory, and for each place the transitions that need it marked.
//!
//! A transition waits at one of its input places: the one at which the fewest wait already. While that place
//! is empty nobody looks at the transition, so a marking costs a look at each place and at the transitions
//! that wait at marked ones. (The idea of watching one part of a conjunction is that of SAT solvers' watched
//! literals; here the watch never moves.)

use crate::{Net, Tokens, Transition};
use model::Value;

/// The most tokens that a place can hold in a marking of slots: the greatest number of
/// [`model::Domain::Range`].
pub const MOST_TOKENS: Value = i32::MAX as Value;

/// A place must hold `least ..= most` tokens. Where `least > most` it never does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Test {
    pub place: u32,
    pub least: Value,
    pub most: Value,
}

impl Test {
    #[inline(always)]
    pub(crate) fn holds(self, marking: &[Value]) -> bool {
        let tokens = marking[self.place as usize];
        self.least <= tokens && tokens <= self.most
    }
}

/// What is added to a place: two's complement where it is less than zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shift {
    pub place: u32,
    pub add: u32,
    /// From so many tokens on the sum is more than a slot holds.
    pub limit: Value,
}

impl Shift {
    /// Whether it adds tokens.
    pub(crate) fn is_gain(self) -> bool {
        self.limit <= MOST_TOKENS
    }
}

/// A place that would hold more than [`MOST_TOKENS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Overflow {
    pub place: u32,
}

/// All transitions of a net.
#[derive(Clone, Debug)]
pub(crate) struct Firing {
    tests: Vec<Test>,
    test_ends: Vec<u32>,
    shifts: Vec<Shift>,
    shift_ends: Vec<u32>,
    /// Transitions by the place at which they wait; those that need no token stand behind the last place.
    waiting: Vec<u32>,
    waiting_ends: Vec<u32>,
}

impl Firing {
    pub(crate) fn new(net: &Net) -> Self {
        let mut firing = Self {
            tests: Vec::new(),
            test_ends: vec![0],
            shifts: Vec::new(),
            shift_ends: vec![0],
            waiting: Vec::new(),
            waiting_ends: Vec::new(),
        };
        let mut consumers = vec![0u32; net.places.len()];
        for transition in &net.transitions {
            let start = firing.tests.len();
            firing.tests.extend(tests(transition));
            firing.tests[start..]
                .iter()
                .filter(|test| test.least > 0)
                .for_each(|test| consumers[test.place as usize] += 1);
            firing.test_ends.push(end(&firing.tests));
            firing.shifts.extend(shifts(transition));
            firing.shift_ends.push(end(&firing.shifts));
        }
        firing.wait(&consumers);
        firing
    }

    /// Finds each transition that can ever be enabled a place to wait at.
    fn wait(&mut self, consumers: &[u32]) {
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); consumers.len() + 1];
        for transition in 0..self.len() {
            let range = self.test_range(transition);
            if self.tests[range.clone()].iter().any(|test| test.least > test.most) {
                continue;
            }
            let load = |test: &Test| (at[test.place as usize].len(), consumers[test.place as usize]);
            let inputs = range.clone().filter(|&test| self.tests[test].least > 0);
            match inputs.min_by_key(|&test| load(&self.tests[test])) {
                Some(test) => {
                    // What it waits for is tested first.
                    self.tests.swap(range.start, test);
                    at[self.tests[range.start].place as usize].push(transition as u32);
                }
                None => at[consumers.len()].push(transition as u32),
            }
        }
        for transitions in at {
            self.waiting.extend(transitions);
            self.waiting_ends.push(end(&self.waiting));
        }
    }

    /// How many transitions there are.
    pub(crate) fn len(&self) -> usize {
        self.test_ends.len() - 1
    }

    #[inline(always)]
    fn test_range(&self, transition: usize) -> std::ops::Range<usize> {
        self.test_ends[transition] as usize..self.test_ends[transition + 1] as usize
    }

    /// What a transition tests, each place once.
    #[inline(always)]
    pub(crate) fn tests(&self, transition: usize) -> &[Test] {
        &self.tests[self.test_range(transition)]
    }

    /// What a transition changes, places ascending.
    #[inline(always)]
    pub(crate) fn shifts(&self, transition: usize) -> &[Shift] {
        &self.shifts[self.shift_ends[transition] as usize..self.shift_ends[transition + 1] as usize]
    }

    /// Whether a transition can fire.
    #[inline(always)]
    pub(crate) fn is_enabled(&self, transition: usize, marking: &[Value]) -> bool {
        self.tests(transition).iter().all(|test| test.holds(marking))
    }

    /// Visits the transitions that can fire, in an order that is the same each time.
    #[inline(always)]
    pub(crate) fn enabled(&self, marking: &[Value], mut visit: impl FnMut(usize)) {
        let mut start = 0;
        let free = std::iter::once(&1);
        for (&tokens, &end) in marking.iter().chain(free).zip(&self.waiting_ends) {
            let end = end as usize;
            if tokens > 0 {
                for &transition in &self.waiting[start..end] {
                    if self.is_enabled(transition as usize, marking) {
                        visit(transition as usize);
                    }
                }
            }
            start = end;
        }
    }

    /// Fires a transition that is enabled. Where a place would overflow the marking is of no use afterwards.
    #[inline(always)]
    pub(crate) fn fire(&self, transition: usize, marking: &mut [Value]) -> Result<(), Overflow> {
        for shift in self.shifts(transition) {
            let tokens = &mut marking[shift.place as usize];
            if *tokens >= shift.limit {
                return Err(Overflow { place: shift.place });
            }
            *tokens = tokens.wrapping_add(shift.add);
        }
        Ok(())
    }
}

fn end<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or_else(|_| panic!("BUG: a net of more than 2^32 arcs"))
}

/// What a transition tests: ascending, each place once.
pub(crate) fn tests(transition: &Transition) -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::with_capacity(transition.takes.len() + transition.needs.len());
    let least = |weight: Tokens| match Value::try_from(weight) {
        Ok(weight) if weight <= MOST_TOKENS => (weight, Value::MAX),
        // No place ever holds so many.
        _ => (Value::MAX, 0),
    };
    for arc in transition.takes.iter().chain(&transition.needs) {
        let (least, most) = least(arc.weight);
        tests.push(Test { place: arc.place.ix() as u32, least, most });
    }
    for arc in &transition.forbids {
        let test = |least, most| Test { place: arc.place.ix() as u32, least, most };
        match arc.weight.checked_sub(1) {
            Some(most) => tests.push(test(0, Value::try_from(most).unwrap_or(Value::MAX))),
            None => tests.push(test(Value::MAX, 0)),
        }
    }
    tests.sort_by_key(|test| test.place);
    tests.dedup_by(|next, first| {
        let same = next.place == first.place;
        if same {
            (first.least, first.most) = (first.least.max(next.least), first.most.min(next.most));
        }
        same
    });
    tests.retain(|test| (test.least, test.most) != (0, Value::MAX));
    tests
}

/// What a transition changes: ascending, each place once.
pub(crate) fn shifts(transition: &Transition) -> Vec<Shift> {
    let shift = |(place, change): (usize, i128)| {
        let place = place as u32;
        if change < 0 {
            // Past what a slot holds it is never enabled, and what is added does not matter.
            return Shift { place, add: (change as u32), limit: Value::MAX };
        }
        let limit = (i128::from(MOST_TOKENS) + 1 - change).max(0);
        Shift { place, add: change as u32, limit: limit as Value }
    };
    changes(transition).into_iter().map(shift).collect()
}

/// By how much a transition changes its places: ascending, none by zero. A row of the incidence matrix.
pub(crate) fn changes(transition: &Transition) -> Vec<(usize, i128)> {
    let takes = transition.takes.iter().map(|arc| (arc.place.ix(), -i128::from(arc.weight)));
    let gives = transition.gives.iter().map(|arc| (arc.place.ix(), i128::from(arc.weight)));
    let mut all: Vec<(usize, i128)> = takes.chain(gives).collect();
    all.sort_by_key(|(place, _)| *place);
    all.dedup_by(|next, first| {
        let same = next.0 == first.0;
        if same {
            first.1 += next.1;
        }
        same
    });
    all.retain(|(_, change)| *change != 0);
    all
}
