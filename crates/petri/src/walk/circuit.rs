//! Predicates as a circuit of gates, kept up to date from firing to firing: a transition changes the sums it
//! touches by amounts that are known before, a sum that passes a limit turns an atom, and an atom that turns
//! tells the gates above it, no further than something turns.

use std::collections::HashMap;

use model::{Linear, Predicate, Value};

use crate::firing::Shift;

/// What a gate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Constant(bool),
    /// The sum is at most this.
    Atom(u32, i128),
    All,
    Any,
}

/// By how much a transition changes sums.
pub(super) type Amounts = Box<[(u32, i128)]>;

/// Lists one after the other.
#[derive(Default)]
struct Lists<T> {
    all: Vec<T>,
    ends: Vec<u32>,
}

impl<T: Copy> Lists<T> {
    fn new(lists: impl IntoIterator<Item = Vec<T>>) -> Self {
        let mut own = Self { all: Vec::new(), ends: vec![0] };
        for list in lists {
            own.all.extend(list);
            own.ends.push(own.all.len() as u32);
        }
        own
    }

    #[inline(always)]
    fn of(&self, at: usize) -> &[T] {
        &self.all[self.ends[at] as usize..self.ends[at + 1] as usize]
    }
}

/// The build of all goals and sums.
pub(super) struct Circuit {
    kinds: Vec<Kind>,
    children: Lists<u32>,
    parents: Lists<u32>,
    /// For each sum the atoms over it: their limits and gates.
    atoms: Lists<(i128, u32)>,
    /// For each place the sums that it is in, and its factors there.
    terms: Lists<(u32, i128)>,
    sums: Vec<Linear>,
    /// The gates of goals.
    goals: Vec<u32>,
    is_goal: Vec<bool>,
    /// The sums of bounds.
    bounds: Vec<u32>,
}

/// What holds now.
#[derive(Clone)]
pub(super) struct Levels {
    pub sums: Vec<i128>,
    holds: Vec<bool>,
    /// Children that hold (of an `Any`) or do not (of an `All`).
    counts: Vec<u32>,
    /// Some goal came to hold, perhaps for a moment only, since this was last set to false.
    pub hit: bool,
}

impl Levels {
    /// Becomes a copy of another, without new memory.
    pub(super) fn reset(&mut self, other: &Self) {
        self.sums.copy_from_slice(&other.sums);
        self.holds.copy_from_slice(&other.holds);
        self.counts.copy_from_slice(&other.counts);
        self.hit = false;
    }
}

/// What is being built.
#[derive(Default)]
struct Builder {
    gates: Vec<(Kind, Vec<u32>)>,
    sums: Vec<Linear>,
    known_sums: HashMap<Linear, u32>,
    known_atoms: HashMap<(u32, i128), u32>,
    /// Formulas of one file say the same of the same transitions again and again. True for `All`.
    known_gates: HashMap<(bool, Vec<u32>), u32>,
}

impl Builder {
    fn sum(&mut self, linear: &Linear) -> u32 {
        *self.known_sums.entry(linear.clone()).or_insert_with(|| {
            self.sums.push(linear.clone());
            self.sums.len() as u32 - 1
        })
    }

    /// Children have smaller numbers than their parents.
    fn gate(&mut self, predicate: &Predicate) -> u32 {
        let (kind, children) = match predicate {
            Predicate::Constant(value) => (Kind::Constant(*value), Vec::new()),
            Predicate::AtMost(linear, most) => {
                let (sum, most) = (self.sum(linear), i128::from(*most));
                if let Some(&gate) = self.known_atoms.get(&(sum, most)) {
                    return gate;
                }
                self.known_atoms.insert((sum, most), self.gates.len() as u32);
                (Kind::Atom(sum, most), Vec::new())
            }
            Predicate::All(parts) | Predicate::Any(parts) => {
                let mut children: Vec<u32> = parts.iter().map(|part| self.gate(part)).collect();
                children.sort_unstable();
                children.dedup();
                let is_all = matches!(predicate, Predicate::All(_));
                if let Some(&gate) = self.known_gates.get(&(is_all, children.clone())) {
                    return gate;
                }
                self.known_gates.insert((is_all, children.clone()), self.gates.len() as u32);
                (if is_all { Kind::All } else { Kind::Any }, children)
            }
        };
        self.gates.push((kind, children));
        self.gates.len() as u32 - 1
    }
}

impl Circuit {
    pub(super) fn new<'p>(
        places: usize,
        goals: impl IntoIterator<Item = &'p Predicate>,
        bounds: impl IntoIterator<Item = &'p Linear>,
    ) -> Self {
        let mut builder = Builder::default();
        let bounds = bounds.into_iter().map(|bound| builder.sum(bound)).collect();
        let goals: Vec<u32> = goals.into_iter().map(|goal| builder.gate(goal)).collect();
        let mut terms: Vec<Vec<(u32, i128)>> = vec![Vec::new(); places];
        for (sum, linear) in builder.sums.iter().enumerate() {
            for &(slot, factor) in &linear.terms {
                terms[slot.ix()].push((sum as u32, factor.into()));
            }
        }
        let mut parents = vec![Vec::new(); builder.gates.len()];
        let mut atoms = vec![Vec::new(); builder.sums.len()];
        for (gate, (kind, children)) in builder.gates.iter().enumerate() {
            children.iter().for_each(|&child| parents[child as usize].push(gate as u32));
            if let Kind::Atom(sum, most) = kind {
                atoms[*sum as usize].push((*most, gate as u32));
            }
        }
        let mut is_goal = vec![false; builder.gates.len()];
        goals.iter().for_each(|&gate| is_goal[gate as usize] = true);
        Self {
            kinds: builder.gates.iter().map(|(kind, _)| *kind).collect(),
            children: Lists::new(builder.gates.into_iter().map(|(_, children)| children)),
            parents: Lists::new(parents),
            atoms: Lists::new(atoms),
            terms: Lists::new(terms),
            sums: builder.sums,
            goals,
            is_goal,
            bounds,
        }
    }

    /// What holds in a marking.
    pub(super) fn levels(&self, marking: &[Value]) -> Levels {
        let sums: Vec<i128> = self.sums.iter().map(|sum| sum.value(marking)).collect();
        let mut levels = Levels { sums, holds: Vec::new(), counts: Vec::new(), hit: false };
        for (gate, kind) in self.kinds.iter().enumerate() {
            let children = self.children.of(gate);
            let holding = children.iter().filter(|&&child| levels.holds[child as usize]).count();
            let failing = children.len() - holding;
            let (holds, count) = match *kind {
                Kind::Constant(value) => (value, 0),
                Kind::Atom(sum, most) => (levels.sums[sum as usize] <= most, 0),
                Kind::All => (failing == 0, failing),
                Kind::Any => (holding > 0, holding),
            };
            levels.holds.push(holds);
            levels.counts.push(count as u32);
        }
        levels
    }

    /// How large it is: what a copy of the levels costs, more or less.
    pub(super) fn size(&self) -> usize {
        self.kinds.len() + self.sums.len()
    }

    /// By how much these shifts change sums.
    pub(super) fn amounts(&self, shifts: &[Shift]) -> Amounts {
        let mut amounts: Vec<(u32, i128)> = Vec::new();
        for shift in shifts {
            // What a place gains past what a slot holds is never gained.
            let amount = i128::from(shift.add.cast_signed());
            amounts.extend(
                self.terms.of(shift.place as usize).iter().map(|&(sum, factor)| (sum, factor * amount)),
            );
        }
        amounts.sort_unstable_by_key(|(sum, _)| *sum);
        amounts.dedup_by(|next, first| {
            let same = next.0 == first.0;
            first.1 += if same { next.1 } else { 0 };
            same
        });
        amounts.retain(|(_, amount)| *amount != 0);
        amounts.into_boxed_slice()
    }

    /// Sums change by these amounts; where `back` the other way round. Tells of the sums.
    #[inline(always)]
    pub(super) fn change(
        &self,
        levels: &mut Levels,
        amounts: &[(u32, i128)],
        back: bool,
        mut see: impl FnMut(usize, i128),
    ) {
        for &(sum, amount) in amounts {
            let was = levels.sums[sum as usize];
            let is = if back { was - amount } else { was + amount };
            levels.sums[sum as usize] = is;
            see(sum as usize, is);
            for &(most, gate) in self.atoms.of(sum as usize) {
                if (was <= most) != (is <= most) {
                    self.turn(levels, gate, is <= most);
                }
            }
        }
    }

    fn turn(&self, levels: &mut Levels, gate: u32, holds: bool) {
        levels.holds[gate as usize] = holds;
        levels.hit |= holds && self.is_goal[gate as usize];
        for &parent in self.parents.of(gate as usize) {
            let count = &mut levels.counts[parent as usize];
            let is_all = self.kinds[parent as usize] == Kind::All;
            if is_all != holds {
                *count += 1;
            } else {
                *count -= 1;
            }
            let now = (*count == 0) == is_all;
            if now != levels.holds[parent as usize] {
                self.turn(levels, parent, now);
            }
        }
    }

    pub(super) fn goals(&self) -> usize {
        self.goals.len()
    }

    pub(super) fn holds(&self, levels: &Levels, goal: usize) -> bool {
        levels.holds[self.goals[goal] as usize]
    }

    /// How many sums there are.
    pub(super) fn sums(&self) -> usize {
        self.sums.len()
    }

    /// The sum of a bound.
    pub(super) fn bound(&self, bound: usize) -> usize {
        self.bounds[bound] as usize
    }

    /// How far a goal is: tokens that are too many for its atoms, all added up for *all*, the least for
    /// *any*.
    pub(super) fn distance(&self, sums: &[i128], goal: usize) -> i128 {
        self.gate_distance(sums, self.goals[goal] as usize)
    }

    fn gate_distance(&self, sums: &[i128], gate: usize) -> i128 {
        // Far enough that no sum of real distances gets there, and sums of it do not overflow.
        const FAR: i128 = 1 << 100;
        let mut children =
            self.children.of(gate).iter().map(|&child| self.gate_distance(sums, child as usize));
        match self.kinds[gate] {
            Kind::Constant(true) => 0,
            Kind::Constant(false) => FAR,
            Kind::Atom(sum, most) => (sums[sum as usize] - most).max(0),
            Kind::All => children.fold(0, |far: i128, child| (far + child).min(FAR)),
            Kind::Any => {
                let mut least = FAR;
                while least > 0
                    && let Some(child) = children.next()
                {
                    least = least.min(child);
                }
                least
            }
        }
    }
}
