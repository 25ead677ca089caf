//! Which sets of groups are live: from each state some state can be reached in which a group of the set has a
//! step. That is so if and only if one has a step in each terminal strongly connected component, which no
//! step leaves.
//!
//! Terminal components are found one by one (after Xie & Beerel, "Implicit enumeration of strongly connected
//! components", 1999). Take a state s. Let A be what s leads to, and B what leads to s.
//!
//! - If A ⊆ B, then A is a terminal component. The groups with a step in A are noted.
//! - Otherwise neither s nor anything in B is in a terminal component, and a state of A ∖ B is tried next.
//!
//! B is put aside in both cases, so each round looks at fewer states. For example, in 1 → 2 ⇄ 3 the state 1
//! has A = {1, 2, 3} and B = {1}. A ∖ B = {2, 3}, so 2 is tried next, with A = {2, 3} and B = {2, 3}: a
//! terminal component, and nothing is left. The initial state is tried first: if it can be reached from
//! everywhere, as in most nets that are live at all, one search backwards is enough.

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
            // What is left cannot reach what was put aside: it would have been put aside as well.
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
