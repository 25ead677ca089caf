//! The reachable states of a dump. Its relations are known in full, so nothing is learned on the way. This is
//! for benchmarks and tests of the diagrams alone.

use super::events::{Events, Until};
use super::{Advance, Saturation};
use crate::formats::Dump;
use crate::store::node::EMPTY;
use crate::store::{Ldd, Stop, Store};

/// A way to find the reachable states of a dump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// Level by level, the images of the last level through all relations in one sum.
    Bfs,
    /// Round by round, in each of them relation by relation, those that begin lower first, each applied to
    /// all that was found before it.
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
    /// The states that the relations of a dump lead to from its initial states, these included, by as many
    /// threads as closures take.
    pub fn reachable(&self, dump: &Dump, search: Search) -> Result<Ldd, Stop> {
        let until = if search == Search::Sat { Until::Fixpoint } else { Until::Once };
        let events = Events::known(self, dump.width, &dump.relations, until);
        self.with_helpers(self.threads(), dump.width, Some(&events), || {
            let (mut reached, mut fresh) = (dump.initial.clone(), dump.initial.clone());
            loop {
                let next = self.run([&reached, &fresh], |worker| match search {
                    Search::Bfs => {
                        worker.walk::<Advance>(fresh.id, reached.id, &events, 0, dump.width as u32)
                    }
                    Search::Chain | Search::Sat => {
                        worker.walk::<Saturation>(reached.id, EMPTY, &events, 0, dump.width as u32)
                    }
                })?;
                if next == reached || search == Search::Sat {
                    return Ok(next);
                }
                if search == Search::Bfs {
                    fresh = self.minus(&next, &reached)?;
                }
                reached = next;
            }
        })
    }
}
