//! The reachable states of a dump, whose relations are known in full: nothing is learned on the way. For benchmarks and tests of the
//! diagrams alone; a model is searched by strategies that learn.

use crate::dump::Dump;
use crate::store::{Ldd, Stop, Store};

/// A way to find the reachable states of a dump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// Level by level, the images of the last level through all relations in one sum.
    Bfs,
    /// Relation by relation, each applied to what the ones before it found from the last round's states.
    Chain,
    /// Saturation.
    Sat,
}

impl Search {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Bfs, Self::Chain, Self::Sat];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Chain => "chain",
            Self::Sat => "sat",
        }
    }
}

impl Store {
    /// The states that the relations of a dump lead to from its initial states, these included, by as many threads as closures take.
    pub fn reachable(&self, dump: &Dump, search: Search) -> Result<Ldd, Stop> {
        match search {
            Search::Bfs => self.by_rounds(dump, |level| {
                let mut relations = dump.relations.iter();
                relations.try_fold(self.empty(), |next, relation| self.image(level, relation, &next))
            }),
            Search::Chain => self.by_rounds(dump, |round| {
                let mut relations = dump.relations.iter();
                relations.try_fold(round.clone(), |found, relation| self.image(&found, relation, &found))
            }),
            Search::Sat => self.closure(&dump.initial, &dump.relations),
        }
    }

    /// Goes on from what is new, round by round, until nothing is.
    fn by_rounds(&self, dump: &Dump, next: impl Fn(&Ldd) -> Result<Ldd, Stop>) -> Result<Ldd, Stop> {
        self.together(self.threads(), dump.width, || {
            let (mut reached, mut fresh) = (dump.initial.clone(), dump.initial.clone());
            while !fresh.is_empty() {
                fresh = self.minus(&next(&fresh)?, &reached)?;
                reached = self.union(&reached, &fresh)?;
            }
            Ok(reached)
        })
    }
}
