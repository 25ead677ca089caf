//! A worker that looks a batch up: what is new is stored, waits for its turn, and is shown to the properties.

use std::sync::atomic::Ordering::Relaxed;

use engine::StopReason;

use super::{Here, Worker};
use crate::store::{Crowded, Store};

impl<S: Store> Worker<'_, '_, '_, S> {
    /// Looks the batch up, stores what is new and shows it to the properties.
    pub(super) fn settle(&mut self) -> Result<(), StopReason> {
        let mut first = 0;
        loop {
            match self.settle_from(first)? {
                end if end == self.batch.len() => break,
                end => first = end,
            }
            self.make_room()?;
        }
        if self.lane.is_stack() {
            // Without levels there is nothing nearer to wait for.
            self.findings.turn(u64::MAX);
        }
        Ok(())
    }

    /// Looks the batch up from this successor on; says where there was no room, or the end.
    fn settle_from(&mut self, first: usize) -> Result<usize, StopReason> {
        let view = self.shared.store.view();
        if self.batch.find_places(first, |key| S::place(&view, key)).is_err() {
            return Ok(first);
        }
        for at in first..self.batch.len() {
            match S::insert(&view, &mut self.desk, self.batch.placed(at), &mut self.handle) {
                Ok(true) => self.discovered(at)?,
                Ok(false) => {}
                Err(Crowded) => return Ok(at),
            }
        }
        Ok(self.batch.len())
    }

    #[inline]
    fn discovered(&mut self, at: usize) -> Result<(), StopReason> {
        let shared = self.shared;
        match shared.job.states {
            None => self.tally.states += 1,
            Some(limit) => {
                if shared.counted.states.fetch_add(1, Relaxed) >= limit {
                    shared.counted.states.fetch_sub(1, Relaxed);
                    return Err(StopReason::States);
                }
            }
        }
        let (_, words, origin) = self.batch.get(at);
        let depth = self.turn.depth + 1;
        self.lane.push(&self.handle, origin, depth, &shared.levels)?;
        if let Some(quest) = self.quest {
            quest.look(words, origin);
        }
        if self.findings.looks_at_states() {
            let here = Here { lane: &self.lane, depth, origin, is_successor: true };
            let state = match self.local.memory {
                // Only its word is known.
                Some(_) => {
                    self.packer.unpack(words, &mut self.state);
                    &self.state
                }
                None => self.batch.successors.state(at),
            };
            self.findings.discovered(state, &here, &mut *self.stepper);
            // Labels can be as slow as groups.
            self.watch(1)?;
        }
        Ok(())
    }

    /// Looks the successors of states at the depth limit up, and stores none.
    pub(super) fn settle_probes(&mut self) {
        let shared = self.shared;
        // When one successor is beyond the limit, no other one makes a difference.
        if shared.lacking.load(Relaxed) {
            return;
        }
        for at in 0..self.batch.len() {
            let (key, words, _) = self.batch.get(at);
            if !shared.store.contains(&mut self.desk, key, words) {
                shared.lacking.store(true, Relaxed);
                return;
            }
        }
    }
}
