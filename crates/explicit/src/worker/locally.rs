//! A worker that expands states by local steps.

use std::sync::Arc;

use engine::StopReason;
use model::Successors;

use super::Worker;
use crate::budget::{Account, Budget};
use crate::local::Memory;
use crate::recent::Recent;
use crate::store::Store;

/// Local steps are remembered in this part of the memory that is left.
const MEMORY_PART: u64 = 16;
/// Bytes that all of it takes.
const BYTES: u64 = Memory::BYTES + Recent::BYTES;

/// What a worker needs for local steps.
pub(super) struct Local {
    pub(super) memory: Option<Memory>,
    /// There is no memory yet and may be one.
    pub(super) is_open: bool,
    successors: Successors,
    steps: Vec<u64>,
    /// Where there is a memory.
    recent: Option<Recent>,
    account: Account,
}

impl Local {
    pub(super) fn new(slots: usize, budget: &Arc<Budget>) -> Self {
        let (successors, account) = (Successors::new(slots), Account::new(budget));
        Self { memory: None, is_open: true, successors, steps: Vec::new(), recent: None, account }
    }
}

impl<S: Store> Worker<'_, '_, '_, S> {
    /// Local steps are remembered from now on, if that can be of use.
    #[cold]
    pub(super) fn open_memory(&mut self) {
        self.local.is_open = false;
        let sees_transitions = self.observer.is_some() || self.findings.looks_at_actions();
        let is_affordable = self.shared.budget.left() / MEMORY_PART > BYTES;
        if sees_transitions || self.group_by_group || !is_affordable {
            return;
        }
        let memory = Memory::new(self.shared.job.model.dependencies(), self.packer.layout());
        self.local.memory = memory.filter(|_| self.local.account.reach(BYTES).is_ok());
        // The source is in the store.
        self.local.recent = self.local.memory.is_some().then(|| Recent::new(self.source[0]));
    }

    /// Adds the successors of a state to the batch, as far as they are known by parts of the state.
    pub(super) fn expand_locally(&mut self) -> Result<(), StopReason> {
        let word = self.source[0];
        let (mut count, mut missed, mut failed) = (0, 0, false);
        let clusters = self.local.memory.as_ref().map_or(0, Memory::clusters);
        for cluster in 0..clusters {
            let memory = self.local.memory.as_ref().expect("BUG: there is a memory");
            let steps = match memory.steps(cluster, word) {
                Some(steps) => steps,
                None => {
                    if missed == 0 {
                        self.packer.unpack(&self.source, &mut self.state);
                    }
                    missed += 1;
                    failed |= self.learn(cluster)?;
                    &self.local.steps
                }
            };
            count += steps.len() as u64;
            for step in steps {
                let next = word ^ step;
                if !self.local.recent.as_mut().is_some_and(|recent| recent.meet(next)) {
                    let key = self.shared.store.key(&mut self.desk, None, &[next]);
                    let key = key.expect("BUG: a single word has its key at any time");
                    self.batch.push_word(next, key, self.turn.origin);
                }
            }
        }
        self.tally.transitions += count;
        if missed == 0 && (failed || count == 0) {
            self.packer.unpack(&self.source, &mut self.state);
        }
        self.finish(count, failed);
        if let Some(memory) = &mut self.local.memory {
            memory.count(clusters as u32, missed);
        }
        self.watch(1 + count)
    }

    /// Asks the groups of a cluster for their steps, and remembers them unless one fails; says whether one
    /// did.
    #[cold]
    fn learn(&mut self, cluster: usize) -> Result<bool, StopReason> {
        let memory = self.local.memory.as_ref().expect("BUG: there is a memory");
        let successors = &mut self.local.successors;
        successors.clear();
        let mut failed = false;
        for &group in memory.groups(cluster) {
            failed |= self.stepper.group(group, &self.state, successors).is_err();
        }
        self.local.steps.clear();
        for at in 0..self.local.successors.len() {
            let mut words = [self.source[0]];
            loop {
                let (group, state) = (self.local.successors.group(at), self.local.successors.state(at));
                match self.packer.repack(group, state, &mut words) {
                    Ok(()) => break self.local.steps.push(words[0] ^ self.source[0]),
                    Err(misfit) => {
                        self.note(misfit)?;
                        self.come_together()?;
                        words = [self.source[0]];
                    }
                }
            }
        }
        if !failed {
            let memory = self.local.memory.as_mut().expect("BUG: there is a memory");
            memory.learn(cluster, self.source[0], &self.local.steps);
        }
        Ok(failed)
    }
}
