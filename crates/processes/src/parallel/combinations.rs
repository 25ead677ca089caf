//! Which processes in parallel can do a step together: all choices of steps, one or none of each process,
//! whose names together are allowed.
//!
//! *Problem.* Sixty processes that can each do `a` or `b` have 3^60 choices, and perhaps two of them are
//! allowed.
//!
//! *Idea.* A search that follows what is owed. The names that are still missing to an allowed multiset are
//! *owed*. The owed name that the fewest processes can still do is tried first; a branch ends as soon as more
//! is owed of a name than all who are left can do.
//!
//! ```text
//! allowed: a|b        process 1: a or c        process 2: b        process 3: a
//!
//! owed a, b: only process 2 can do b           owed then: a
//! owed a:    process 1 does a                  nothing owed: {1: a, 2: b}
//!            process 1 is barred from a; process 3 does a: {2: b, 3: a}
//! ```
//!
//! *Right*: each choice is found by the order in which its names are paid. A process that was tried for a
//! name is barred from it in the branches after that, so few choices are found twice; those that are are
//! dropped.
//!
//! *Cost.* Where an allowed multiset has names of which any number may come, every choice of those is one of
//! the answers. More than [`MOST_COMBINATIONS`] are refused.

use std::collections::{HashMap, HashSet};

use super::allow_set::AllowSet;
use super::alphabet::Names;
use crate::NameIx;

/// More ways to do a step together than this are no model that anybody explores.
pub(crate) const MOST_COMBINATIONS: usize = 1 << 20;

/// A choice of steps: the processes that move, ascending, and which kind of step each does.
pub(crate) type Combination = Vec<(u32, u32)>;

/// There are more than [`MOST_COMBINATIONS`].
#[derive(Debug)]
pub(crate) struct TooMany;

/// All combinations of at least one process. `kinds` has for each process the different multisets of names of
/// its steps.
pub(crate) fn combinations(kinds: &[Vec<Names>], allowed: &AllowSet) -> Result<Vec<Combination>, TooMany> {
    let mut having: HashMap<NameIx, Vec<(u32, u32)>> = HashMap::new();
    for (process, kinds) in kinds.iter().enumerate() {
        for (kind, names) in kinds.iter().enumerate() {
            let mut names = names.clone();
            names.dedup();
            for name in names {
                having.entry(name).or_default().push((process as u32, kind as u32));
            }
        }
    }
    let grouped: HashSet<NameIx> = allowed.groups.iter().flatten().copied().collect();
    let free =
        |names: &Names| names.iter().all(|name| allowed.any[name.0 as usize] || grouped.contains(name));
    let free =
        |kinds: &Vec<Names>| (0..kinds.len() as u32).filter(|kind| free(&kinds[*kind as usize])).collect();
    let mut search = Search {
        kinds,
        allowed,
        having,
        free: kinds.iter().map(free).collect(),
        state: vec![Participation::Open; kinds.len()],
        barred: Vec::new(),
        found: HashSet::new(),
        list: Vec::new(),
    };
    if allowed.partial {
        search.parts(0, &mut Names::new())?;
    } else {
        for core in &allowed.cores {
            search.exact(core.clone(), 0)?;
        }
    }
    Ok(search.list)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Participation {
    Open,
    Rests,
    Does(u32),
}

struct Search<'s> {
    kinds: &'s [Vec<Names>],
    allowed: &'s AllowSet,
    /// Which steps have a name.
    having: HashMap<NameIx, Vec<(u32, u32)>>,
    /// The steps of each process that may come where nothing is owed.
    free: Vec<Vec<u32>>,
    state: Vec<Participation>,
    /// Names that a process must not do: that was tried already.
    barred: Vec<(u32, NameIx)>,
    found: HashSet<Combination>,
    list: Vec<Combination>,
}

impl Search<'_> {
    /// All ways to go on so that just these names are added. Processes before `from` are not asked where
    /// nothing is owed.
    fn exact(&mut self, owed: Names, from: usize) -> Result<(), TooMany> {
        let Some((name, spare)) = self.scarcest(&owed) else { return self.unforced(from) };
        // Where twenty are owed and nineteen can still do it, no choice among them comes to anything.
        if spare < 0 {
            return Ok(());
        }
        let candidates: Vec<(u32, u32)> = self.candidates(name).collect();
        let barred = self.barred.len();
        for (at, &(process, kind)) in candidates.iter().enumerate() {
            self.take(process, kind, &owed, from)?;
            // Whoever comes later must not lead to the same choice again.
            if candidates.get(at + 1).is_none_or(|(next, _)| *next != process) {
                self.barred.push((process, name));
            }
        }
        self.barred.truncate(barred);
        Ok(())
    }

    /// Nothing is owed: whoever may add a step of its own does so or not.
    fn unforced(&mut self, from: usize) -> Result<(), TooMany> {
        let open =
            |process: &usize| self.state[*process] == Participation::Open && !self.free[*process].is_empty();
        let Some(process) = (from..self.kinds.len()).find(open) else { return self.emit() };
        for kind in self.free[process].clone() {
            if !self.is_barred(process as u32, kind) {
                self.take(process as u32, kind, &[], process + 1)?;
            }
        }
        self.state[process] = Participation::Rests;
        self.unforced(process + 1)?;
        self.state[process] = Participation::Open;
        Ok(())
    }

    /// A process does a step: all ways to account for its names.
    fn take(&mut self, process: u32, kind: u32, owed: &[NameIx], from: usize) -> Result<(), TooMany> {
        let names = &self.kinds[process as usize][kind as usize];
        let mut ways: HashSet<Names> = HashSet::from([owed.to_vec()]);
        for name in names {
            ways = ways.iter().flat_map(|owed| self.allowed.accounts(*name, owed)).collect();
        }
        let mut ways: Vec<Names> = ways.into_iter().collect();
        ways.sort_unstable();
        self.state[process as usize] = Participation::Does(kind);
        for owed in ways {
            self.exact(owed, from)?;
        }
        self.state[process as usize] = Participation::Open;
        Ok(())
    }

    fn is_barred(&self, process: u32, kind: u32) -> bool {
        let names = &self.kinds[process as usize][kind as usize];
        self.barred.iter().any(|(barred, name)| *barred == process && names.contains(name))
    }

    /// Who can still do a name.
    fn candidates(&self, name: NameIx) -> impl Iterator<Item = (u32, u32)> + '_ {
        let having = self.having.get(&name).map_or(&[][..], Vec::as_slice);
        let can = |&(process, kind): &(u32, u32)| {
            self.state[process as usize] == Participation::Open && !self.is_barred(process, kind)
        };
        having.iter().copied().filter(can)
    }

    /// The name that is owed and of which the least is to spare, and how much that is: what all who can do it
    /// could add beyond what is owed.
    fn scarcest(&self, owed: &[NameIx]) -> Option<(NameIx, isize)> {
        let spare = |name: NameIx| self.supply(name) as isize - occurrences(name, owed) as isize;
        // Names that are owed are sorted: each is asked for once.
        let different = owed.chunk_by(|one, other| one == other).map(|same| same[0]);
        different.map(|name| (name, spare(name))).min_by_key(|(_, spare)| *spare)
    }

    /// How many of a name can come at most: of each process the step that has the most.
    fn supply(&self, name: NameIx) -> usize {
        let (mut all, mut last, mut most) = (0, u32::MAX, 0);
        for (process, kind) in self.candidates(name) {
            if process != last {
                all += most;
                (last, most) = (process, 0);
            }
            most = most.max(occurrences(name, &self.kinds[process as usize][kind as usize]));
        }
        all + most
    }

    /// All ways to add steps of the processes from here on to these names, so that all of them are part of
    /// something.
    fn parts(&mut self, from: usize, names: &mut Names) -> Result<(), TooMany> {
        if from == self.kinds.len() {
            return self.emit();
        }
        self.parts(from + 1, names)?;
        for (kind, more) in self.kinds[from].iter().enumerate() {
            let mut joined: Names = names.iter().chain(more).copied().collect();
            joined.sort_unstable();
            if self.allowed.accepts(&joined) {
                self.state[from] = Participation::Does(kind as u32);
                self.parts(from + 1, &mut joined)?;
                self.state[from] = Participation::Open;
            }
        }
        Ok(())
    }

    fn emit(&mut self) -> Result<(), TooMany> {
        let moving = self.state.iter().enumerate().filter_map(|(process, state)| match state {
            Participation::Does(kind) => Some((process as u32, *kind)),
            _ => None,
        });
        let combination: Combination = moving.collect();
        if combination.is_empty() || !self.found.insert(combination.clone()) {
            return Ok(());
        }
        if self.list.len() == MOST_COMBINATIONS {
            return Err(TooMany);
        }
        self.list.push(combination);
        Ok(())
    }
}

fn occurrences(name: NameIx, among: &[NameIx]) -> usize {
    among.iter().filter(|other| **other == name).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[u32]) -> Names {
        list.iter().copied().map(NameIx).collect()
    }

    fn allow_set(cores: &[&[u32]], any: &[u32], groups: &[&[u32]], partial: bool) -> AllowSet {
        let lists = |lists: &[&[u32]]| lists.iter().map(|list| names(list)).collect();
        AllowSet {
            cores: lists(cores),
            any: (0..3).map(|name| any.contains(&name)).collect(),
            groups: lists(groups),
            partial,
        }
    }

    /// Every choice, asked for by itself.
    fn naive(kinds: &[Vec<Names>], allowed: &AllowSet) -> HashSet<Combination> {
        let mut choices: Vec<Combination> = vec![Vec::new()];
        for (process, kinds) in kinds.iter().enumerate() {
            for choice in choices.clone() {
                for kind in 0..kinds.len() as u32 {
                    choices.push(choice.iter().copied().chain([(process as u32, kind)]).collect());
                }
            }
        }
        let is_allowed = |choice: &Combination| {
            let mut joined: Names = Vec::new();
            choice
                .iter()
                .for_each(|(process, kind)| joined.extend(&kinds[*process as usize][*kind as usize]));
            joined.sort_unstable();
            !choice.is_empty() && allowed.accepts(&joined)
        };
        choices.into_iter().filter(is_allowed).collect()
    }

    /// Three processes, each with up to two of six kinds of steps.
    #[test]
    fn finds_just_the_choices_that_are_allowed() {
        let steps = [&[][..], &[0], &[1], &[0, 0], &[0, 1], &[2]].map(names);
        let mut processes: Vec<Vec<Names>> = vec![Vec::new()];
        for (at, one) in steps.iter().enumerate() {
            processes.push(vec![one.clone()]);
            processes.extend(steps[at + 1..].iter().map(|other| vec![one.clone(), other.clone()]));
        }
        let sets = [
            allow_set(&[&[], &[0, 0, 0], &[1]], &[], &[], false),
            allow_set(&[&[0, 0, 0, 0], &[0, 1, 2]], &[], &[], false),
            allow_set(&[&[], &[0, 0]], &[2], &[], false),
            allow_set(&[&[1, 1]], &[], &[&[0, 1]], false),
            allow_set(&[&[], &[0, 0, 1]], &[2], &[&[0, 0], &[1, 2]], false),
            allow_set(&[&[0, 0, 0], &[1, 2]], &[], &[], true),
        ];
        let mut found = 0;
        for one in &processes {
            for two in &processes {
                for three in &processes {
                    let kinds = [one.clone(), two.clone(), three.clone()];
                    for set in &sets {
                        let list =
                            combinations(&kinds, set).unwrap_or_else(|TooMany| panic!("{kinds:?} {set:?}"));
                        let all: HashSet<Combination> = list.iter().cloned().collect();
                        assert_eq!(all.len(), list.len(), "{kinds:?} {set:?}");
                        assert_eq!(all, naive(&kinds, set), "{kinds:?} {set:?}");
                        found += all.len();
                    }
                }
            }
        }
        assert!(found > 10_000, "{found}");
    }

    /// Sixty processes that only move all at once: one choice of 2^60.
    #[test]
    fn a_barrier_of_many_is_found_at_once() {
        let kinds = vec![vec![names(&[0]), names(&[1])]; 60];
        let set = allow_set(&[&[0; 60], &[1; 60]], &[], &[], false);
        let found = combinations(&kinds, &set).unwrap_or_else(|TooMany| panic!("too many"));
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|choice| choice.len() == 60));
    }
}
