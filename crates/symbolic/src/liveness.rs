//! Which sets of groups are live: from each state a state can be reached from which one of the set has a
//! step. That is so if and only if one has a step in each terminal strongly connected component, from which
//! no step leads out.
//!
//! These are found one by one, after Xie & Beerel, "Implicit enumeration of strongly connected components",
//! 1999: what is reachable from a state is terminal if the state can be reached from all of it. If not,
//! neither the state nor what leads to it is in a terminal one, and a state is tried next that does not lead
//! back. The first that is tried is the initial state: where it can be reached from everywhere, as in most
//! nets that are live at all, one search backwards tells of all groups.

use base::GroupIx;
use ldd::Ldd;

use crate::search::{Search, Stop};

impl Search<'_> {
    /// Whether each set of groups is live; these are all reachable states, all groups were asked for them,
    /// and none failed.
    pub fn live(&mut self, states: &Ldd, sets: &[Vec<GroupIx>]) -> Result<Vec<bool>, Stop> {
        if !self.deadlocks(states)?.is_empty() {
            return Ok(vec![false; sets.len()]);
        }
        let mut live = self.any_enabled(states, sets)?;
        let mut rest = states.clone();
        let mut tried = self.store.vector(self.model.initial())?;
        while live.contains(&true) {
            // No way leads from what is left to what was put aside and back.
            let backward = self.backward(&rest)?;
            let before = self.ancestors(&tried, &backward)?;
            let after = self.relations.saturate_known(&tried)?;
            let gone = self.store.minus(&after, &before)?;
            if gone.is_empty() {
                let enabled = self.any_enabled(&after, sets)?;
                live.iter_mut().zip(enabled).for_each(|(live, enabled)| *live &= enabled);
            }
            rest = self.store.minus(&rest, &before)?;
            let next = self.store.first(&gone).or_else(|| self.store.first(&rest));
            let Some(next) = next else { break };
            tried = self.store.vector(&next)?;
        }
        Ok(live)
    }

    /// Whether one group of each of these has a step from one of the states.
    fn any_enabled(&mut self, states: &Ldd, sets: &[Vec<GroupIx>]) -> Result<Vec<bool>, Stop> {
        let enabled = self.enabled_groups(states)?;
        Ok(sets.iter().map(|set| set.iter().any(|group| enabled[group.ix()])).collect())
    }
}
