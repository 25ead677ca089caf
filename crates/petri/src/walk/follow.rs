//! Walks along a way that the state equation allows: it says how often transitions fire, the walk looks for
//! an order. (Called Parikh walks in ITS-Tools, Thierry-Mieg, "Structural reductions revisited", 2020.)

use super::{Seen, Walker};
use crate::state_equation::Way;

/// Steps off the way that a run may take where nothing on it is enabled, for each hundred steps on it.
const DETOURS: u64 = 10;
/// The way is no longer of use if it is longer than this.
const LONGEST: u64 = 1 << 22;

impl Walker<'_> {
    /// Follows a way in so many runs, or until `stop` says so. Everything that is met is noted as in other
    /// walks.
    pub fn follow(&mut self, way: &Way, runs: usize, stop: &mut dyn FnMut(&Seen) -> bool) {
        let length: u64 = way.counts.iter().fold(0, |sum, &count| sum.saturating_add(count));
        if length == 0 || length > LONGEST || way.column_of.len() != self.net.transitions.len() {
            return;
        }
        let mut left = way.counts.clone();
        for run in 0..runs {
            self.go_back();
            left.copy_from_slice(&way.counts);
            let mut detours = if run == 0 { 0 } else { 2 + length * DETOURS / 100 };
            for step in 0u64.. {
                if step % 1024 == 1023 && stop(&self.seen) {
                    return;
                }
                let on_way = self.on_way(way, &left);
                let transition = match on_way {
                    Some(transition) => transition,
                    None if detours > 0 && !self.position.enabled().is_empty() => {
                        detours -= 1;
                        let enabled = self.position.enabled();
                        enabled[self.random.below(enabled.len())] as usize
                    }
                    None => break,
                };
                if let Some(column) = way.column_of[transition].filter(|_| on_way.is_some()) {
                    left[column as usize] -= 1;
                }
                if !self.step(transition) {
                    break;
                }
            }
            self.note_dead();
            self.tell_bounds();
            if stop(&self.seen) {
                return;
            }
        }
    }

    /// An enabled transition that still has to fire.
    fn on_way(&mut self, way: &Way, left: &[u64]) -> Option<usize> {
        let enabled = self.position.enabled();
        let start = self.random.below(enabled.len());
        let (late, early) = enabled.split_at(start);
        let wanted =
            |transition: usize| way.column_of[transition].is_some_and(|column| left[column as usize] > 0);
        early.iter().chain(late).map(|&transition| transition as usize).find(|&transition| wanted(transition))
    }
}
