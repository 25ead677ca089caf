//! When transitions can fire, as predicates over places. One of many transitions can fire where the needs of
//! one are met; of needs that are met whenever those of another are, nothing has to be said.
//!
//! A coloured transition may stand for a million of the net. Where it takes a colour here and another,
//! whatever it is, there, "one of a hundred here and one of a hundred there" says the same as ten thousand
//! pairs. So needs are cut into those from each place of the file, and where all choices from some are
//! combined with all choices from the others the predicate is a conjunction of small ones.

use std::collections::{HashMap, HashSet};

use base::SlotIx;
use model::{Linear, Predicate};
use petri::{Transition, TransitionIx};

use super::parts::TooLarge;
use crate::PnmlNet;

/// A place must have at least so many tokens, or at most.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Need {
    AtLeast(SlotIx, i64),
    AtMost(SlotIx, i64),
}

/// For more needs than this, not all subsets of them are looked up.
const MOST_SUBSETS: usize = 8;

/// Needs from more places than this are not compared pair by pair.
const MOST_COLUMNS: usize = 100;

/// The predicates of transitions that were asked for.
#[derive(Default)]
pub(crate) struct Fireable {
    known: HashMap<String, Predicate>,
}

impl Fireable {
    /// A transition of the file can fire: one of those that it stands for. `None` if there is no transition
    /// with that id.
    pub fn of(&mut self, net: &PnmlNet, id: &str) -> Option<Result<Predicate, TooLarge>> {
        if let Some(known) = self.known.get(id) {
            return Some(Ok(known.clone()));
        }
        let transitions = net.transitions.get(id)?;
        let predicate = one_of(net, transitions.iter().copied());
        if let Ok(predicate) = &predicate {
            self.known.insert(id.to_owned(), predicate.clone());
        }
        Some(predicate)
    }

    /// No transition of the net can fire.
    pub fn none(&mut self, net: &PnmlNet) -> Result<Predicate, TooLarge> {
        if !net.coloured {
            let all = TransitionIx::all(net.net.transitions.len());
            return one_of(net, all)?.negated().ok_or(TooLarge::Number);
        }
        let mut ids: Vec<&String> = net.transitions.keys().collect();
        ids.sort_unstable();
        let mut parts = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(predicate) = self.of(net, id) {
                parts.push(predicate?.negated().ok_or(TooLarge::Number)?);
            }
        }
        Ok(Predicate::All(parts))
    }
}

/// One of these transitions at least can fire.
fn one_of(net: &PnmlNet, transitions: impl IntoIterator<Item = TransitionIx>) -> Result<Predicate, TooLarge> {
    let mut rows: HashSet<Vec<Need>> = HashSet::new();
    for transition in transitions {
        rows.insert(needs(&net.net.transitions[transition.ix()])?);
    }
    if rows.contains(&[][..]) {
        return Ok(Predicate::Constant(true));
    }
    let factors = match net.coloured {
        true => factors(&rows, &net.origins),
        false => None,
    };
    let mut parts: Vec<Predicate> = match factors {
        Some(factors) => factors.iter().map(any).collect(),
        None => return Ok(any(&rows)),
    };
    Ok(match parts.len() {
        1 => parts.remove(0),
        _ => Predicate::All(parts),
    })
}

/// Sets of rows, each about other places than the others, so that a row of each together is a row, and every
/// row is that. `None` where there is one such set only.
fn factors(rows: &HashSet<Vec<Need>>, origins: &[u32]) -> Option<Vec<HashSet<Vec<Need>>>> {
    let column_of = |need: &Need| match need {
        Need::AtLeast(place, _) | Need::AtMost(place, _) => origins[place.ix()],
    };
    let mut columns: Vec<u32> = rows.iter().flatten().map(column_of).collect();
    columns.sort_unstable();
    columns.dedup();
    if columns.len() < 2 || columns.len() > MOST_COLUMNS {
        return None;
    }
    // Each row as numbers: what it needs from each column.
    let mut numbers: Vec<HashMap<Vec<Need>, u32>> = vec![HashMap::new(); columns.len()];
    let mut table: Vec<u32> = Vec::with_capacity(rows.len() * columns.len());
    for row in rows {
        for (column, numbers) in columns.iter().zip(&mut numbers) {
            let part: Vec<Need> = row.iter().filter(|need| column_of(need) == *column).copied().collect();
            let fresh = numbers.len() as u32;
            table.push(*numbers.entry(part).or_insert(fresh));
        }
    }
    let row = |at: usize| &table[at * columns.len()..][..columns.len()];
    let is_pair_free = |one: usize, other: usize| {
        let pairs: HashSet<(u32, u32)> = (0..rows.len()).map(|at| (row(at)[one], row(at)[other])).collect();
        pairs.len() == numbers[one].len() * numbers[other].len()
    };
    // Columns that depend on each other get the same group.
    let mut group: Vec<usize> = (0..columns.len()).collect();
    for one in 0..columns.len() {
        for other in one + 1..columns.len() {
            if group[one] != group[other] && !is_pair_free(one, other) {
                let (from, to) = (group[other], group[one]);
                group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    let group_of = |need: &Need| columns.binary_search(&column_of(need)).ok().map(|at| group[at]);
    let own = |row: &Vec<Need>, wanted: usize| -> Vec<Need> {
        row.iter().filter(|need| group_of(need) == Some(wanted)).copied().collect()
    };
    let mut groups = group.clone();
    groups.sort_unstable();
    groups.dedup();
    let sets: Vec<HashSet<Vec<Need>>> =
        groups.iter().map(|&wanted| rows.iter().map(|row| own(row, wanted)).collect()).collect();
    // Free in pairs is not yet free in all: only if the combinations are as many as the rows, they are the
    // rows.
    let combinations = sets.iter().map(HashSet::len).fold(1_usize, usize::saturating_mul);
    (sets.len() > 1 && combinations == rows.len()).then_some(sets)
}

/// The needs of one of the rows are met.
fn any(rows: &HashSet<Vec<Need>>) -> Predicate {
    if rows.contains(&[][..]) {
        return Predicate::Constant(true);
    }
    let mut order: Vec<&Vec<Need>> = rows.iter().filter(|needs| !is_implied(needs, rows)).collect();
    order.sort_unstable();
    let mut parts: Vec<Predicate> = order.into_iter().map(|needs| all(needs)).collect();
    match parts.len() {
        0 => Predicate::Constant(false),
        1 => parts.remove(0),
        _ => Predicate::Any(parts),
    }
}

/// Whether fewer of these needs are enough for another transition.
fn is_implied(needs: &[Need], others: &HashSet<Vec<Need>>) -> bool {
    if needs.len() > MOST_SUBSETS {
        return (0..needs.len()).any(|ix| others.contains(&needs[ix..=ix]));
    }
    let subset = |mask: usize| {
        let chosen = needs.iter().enumerate().filter(|(ix, _)| mask >> ix & 1 == 1);
        chosen.map(|(_, need)| *need).collect::<Vec<_>>()
    };
    (1..(1_usize << needs.len()) - 1).any(|mask| others.contains(&subset(mask)))
}

/// What a transition needs, sorted.
fn needs(transition: &Transition) -> Result<Vec<Need>, TooLarge> {
    let fits = |weight: u64| i64::try_from(weight).map_err(|_| TooLarge::Number);
    let mut needs =
        Vec::with_capacity(transition.takes.len() + transition.needs.len() + transition.forbids.len());
    for arc in transition.takes.iter().chain(&transition.needs) {
        needs.push(Need::AtLeast(arc.place, fits(arc.weight)?));
    }
    for arc in &transition.forbids {
        needs.push(Need::AtMost(arc.place, fits(arc.weight)? - 1));
    }
    needs.sort_unstable();
    // Of two that ask for tokens in the same place the second asks for more.
    needs.dedup_by(|next, kept| match (next, kept) {
        (Need::AtLeast(place, more), Need::AtLeast(same, least)) if place == same => {
            *least = *more;
            true
        }
        _ => false,
    });
    Ok(needs)
}

fn all(needs: &[Need]) -> Predicate {
    let atom = |need: &Need| match *need {
        Need::AtLeast(place, least) => Predicate::AtMost(Linear { terms: vec![(place, -1)] }, -least),
        Need::AtMost(place, most) => Predicate::AtMost(Linear { terms: vec![(place, 1)] }, most),
    };
    match needs {
        [need] => atom(need),
        _ => Predicate::All(needs.iter().map(atom).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that need a token in the places with these numbers; two places come from one of the file.
    fn rows(rows: &[&[usize]]) -> HashSet<Vec<Need>> {
        rows.iter()
            .map(|row| row.iter().map(|&place| Need::AtLeast(SlotIx::new(place), 1)).collect())
            .collect()
    }

    #[test]
    fn choices_that_do_not_depend_on_each_other_are_taken_apart() {
        let origins = [0, 0, 1, 1, 2, 2];
        let sets = factors(&rows(&[&[0, 2], &[0, 3], &[1, 2], &[1, 3]]), &origins).unwrap();
        assert_eq!(sets, [rows(&[&[0], &[1]]), rows(&[&[2], &[3]])]);
        assert_eq!(factors(&rows(&[&[0, 2], &[0, 3], &[1, 2]]), &origins), None);
        // Two and two are free, but the third follows from them.
        assert_eq!(factors(&rows(&[&[0, 2, 4], &[0, 3, 5], &[1, 2, 5], &[1, 3, 4]]), &origins), None);
        // The first two go together, the third is free.
        let sets = factors(&rows(&[&[0, 2, 4], &[0, 2, 5], &[1, 3, 4], &[1, 3, 5]]), &origins).unwrap();
        assert_eq!(sets, [rows(&[&[0, 2], &[1, 3]]), rows(&[&[4], &[5]])]);
    }

    #[test]
    fn needs_that_are_met_whenever_others_are_are_left_out() {
        assert_eq!(any(&rows(&[&[0], &[0, 1], &[2, 3], &[1, 2, 3]])), any(&rows(&[&[0], &[2, 3]])));
        assert_eq!(any(&rows(&[&[], &[1]])), Predicate::Constant(true));
        assert_eq!(any(&rows(&[])), Predicate::Constant(false));
    }
}
