//! Coloured nets as they are defined: all variables are bound in all ways in every marking.

use std::collections::HashSet;

use super::*;

impl Coloured {
    /// The values of a part of a sort.
    fn values(&self, part: &Part, sort: usize, bound: &[usize]) -> Vec<usize> {
        let size = self.sizes[sort];
        match part {
            Part::Constant(value) => vec![*value],
            Part::All => (0..size).collect(),
            Part::Variable(variable, shift) => {
                vec![(bound[*variable] as isize + shift).rem_euclid(size as isize) as usize]
            }
        }
    }

    fn sum(&self, terms: &[Term], place: usize, bound: &[usize]) -> Marking {
        let mut sum = Marking::new();
        for (count, parts) in terms {
            let mut tuples: Vec<Vec<usize>> = vec![Vec::new()];
            for (part, &sort) in parts.iter().zip(&self.places[place]) {
                let values = self.values(part, sort, bound);
                let longer = |tuple: &Vec<usize>| {
                    values.iter().map(|&value| [&tuple[..], &[value]].concat()).collect::<Vec<_>>()
                };
                tuples = tuples.iter().flat_map(longer).collect();
            }
            tuples.into_iter().for_each(|tuple| *sum.entry((place, tuple)).or_default() += count);
        }
        sum.retain(|_, count| *count > 0);
        sum
    }

    fn holds(&self, guard: &Guard, bound: &[usize]) -> bool {
        match guard {
            Guard::Compare(name, left, right, sort) => {
                let (left, right) = (self.values(left, *sort, bound)[0], self.values(right, *sort, bound)[0]);
                match *name {
                    "equality" => left == right,
                    "inequality" => left != right,
                    "lessthan" => left < right,
                    "lessthanorequal" => left <= right,
                    "greaterthan" => left > right,
                    _ => left >= right,
                }
            }
            Guard::Not(inner) => !self.holds(inner, bound),
            Guard::Junction("and", parts) => parts.iter().all(|part| self.holds(part, bound)),
            Guard::Junction("or", parts) => parts.iter().any(|part| self.holds(part, bound)),
            Guard::Junction(_, parts) => !self.holds(&parts[0], bound) || self.holds(&parts[1], bound),
        }
    }

    fn used(&self, transition: usize) -> Vec<usize> {
        fn of_guard(guard: &Guard, used: &mut Vec<usize>) {
            match guard {
                Guard::Compare(_, left, right, _) => {
                    for part in [left, right] {
                        if let Part::Variable(variable, _) = part {
                            used.push(*variable);
                        }
                    }
                }
                Guard::Not(inner) => of_guard(inner, used),
                Guard::Junction(_, parts) => parts.iter().for_each(|part| of_guard(part, used)),
            }
        }
        let (guard, arcs) = &self.transitions[transition];
        let mut used = Vec::new();
        if let Some(guard) = guard {
            of_guard(guard, &mut used);
        }
        for part in arcs.iter().flat_map(|arc| &arc.terms).flat_map(|(_, parts)| parts) {
            if let Part::Variable(variable, _) = part {
                used.push(*variable);
            }
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    /// All ways to bind the variables of a transition.
    fn bindings(&self, transition: usize) -> Vec<Vec<usize>> {
        let mut all = vec![vec![0; VARIABLES]];
        for variable in self.used(transition) {
            let values = 0..self.sizes[variable % 3];
            let bound = |binding: &Vec<usize>| {
                let binding = binding.clone();
                values
                    .clone()
                    .map(move |value| {
                        let mut binding = binding.clone();
                        binding[variable] = value;
                        binding
                    })
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(bound).collect();
        }
        all
    }

    fn fire(&self, transition: usize, bound: &[usize], marking: &Marking) -> Option<Marking> {
        let (guard, arcs) = &self.transitions[transition];
        if guard.as_ref().is_some_and(|guard| !self.holds(guard, bound)) {
            return None;
        }
        let mut taken = Marking::new();
        let mut after = marking.clone();
        for arc in arcs {
            for (spot, count) in self.sum(&arc.terms, arc.place, bound) {
                let there = marking.get(&spot).copied().unwrap_or(0);
                match arc.kind {
                    "in" => *taken.entry(spot).or_default() += count,
                    "out" => *after.entry(spot).or_default() += count,
                    "read" if there < count => return None,
                    "inhibitor" if there >= count => return None,
                    _ => {}
                }
            }
        }
        for (spot, count) in taken {
            if marking.get(&spot).copied().unwrap_or(0) < count {
                return None;
            }
            *after.entry(spot).or_default() -= count;
        }
        after.retain(|_, count| *count != 0);
        Some(after)
    }
}

/// What is counted in both readings.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Counted {
    pub markings: usize,
    pub firings: usize,
    /// For every transition in how many markings it can fire.
    pub enabled: Vec<usize>,
    /// For every place the tokens in it over all markings.
    pub tokens: Vec<i64>,
}

pub fn naive(net: &Coloured, most: usize) -> Option<Counted> {
    let mut initial = Marking::new();
    for (place, terms) in net.markings.iter().enumerate() {
        initial.extend(net.sum(terms, place, &[]));
    }
    let mut counted = Counted {
        enabled: vec![0; net.transitions.len()],
        tokens: vec![0; net.places.len()],
        ..Counted::default()
    };
    let bindings: Vec<Vec<Vec<usize>>> =
        (0..net.transitions.len()).map(|transition| net.bindings(transition)).collect();
    let mut known = HashSet::from([initial.clone()]);
    let mut waiting = vec![initial];
    while let Some(marking) = waiting.pop() {
        counted.markings += 1;
        marking.iter().for_each(|((place, _), count)| counted.tokens[*place] += count);
        for (transition, bindings) in bindings.iter().enumerate() {
            let before = counted.firings;
            for after in bindings.iter().filter_map(|bound| net.fire(transition, bound, &marking)) {
                counted.firings += 1;
                if known.insert(after.clone()) {
                    waiting.push(after);
                }
            }
            counted.enabled[transition] += usize::from(counted.firings > before);
        }
        if known.len() > most {
            return None;
        }
    }
    Some(counted)
}
