//! An expander that finds successors by local steps, where those are known: see [`StepCache`].

use std::sync::Arc;

use model::Successors;

use super::recent::Recent;
use super::step_cache::StepCache;
use super::{Asked, End, Expander, Halt, Unfinished};
use crate::budget::{Account, Budget};
use crate::packing::Layout;
use crate::store::Store;

/// Local steps are kept in this part of the memory that is left.
const MEMORY_PART: u64 = 16;
/// Bytes that all of it takes.
const BYTES: u64 = StepCache::BYTES + Recent::BYTES;

/// What an expander needs for local steps.
pub(super) struct LocalSteps {
    /// Steps that are known, as long as that is of use.
    cache: Option<StepCache>,
    successors: Successors,
    steps: Vec<u64>,
    /// Where there is a cache.
    recent: Option<Recent>,
    account: Account,
}

impl LocalSteps {
    /// None are kept.
    pub(super) fn new(slots: usize, budget: &Arc<Budget>) -> Self {
        let (successors, account) = (Successors::new(slots), Account::new(budget));
        Self { cache: None, successors, steps: Vec::new(), recent: None, account }
    }

    /// Whether successors are found by local steps.
    #[inline]
    pub(super) fn is_used(&self) -> bool {
        self.cache.is_some()
    }

    /// States have more bits.
    pub(super) fn adapt(&mut self, layout: &Layout) {
        if let Some(cache) = &mut self.cache {
            cache.adapt(layout);
        }
    }

    /// Gives the cache up if it misses too often.
    #[inline]
    pub(super) fn give_up_if_useless(&mut self) {
        self.cache.take_if(|cache| !cache.is_of_use());
    }
}

impl<S: Store> Expander<'_, '_, S> {
    /// Keeps local steps from now on, if that can be of use. Successors come without group and action then,
    /// and one that was found a moment ago may be left out.
    #[cold]
    pub(crate) fn keep_local_steps(&mut self) {
        let is_affordable = self.space.budget.left() / MEMORY_PART > BYTES;
        if self.group_by_group || !is_affordable {
            return;
        }
        let cache = StepCache::new(self.space.model.dependencies(), self.packer.layout());
        self.local.cache = cache.filter(|_| self.local.account.reach(BYTES).is_ok());
        // The source is in the store.
        self.local.recent = self.local.cache.is_some().then(|| Recent::new(self.words[0]));
    }

    /// Adds the successors of the source to the batch, as far as they are known by parts of the state.
    pub(super) fn ask_locally(&mut self) -> Result<Asked, Halt> {
        let word = self.words[0];
        let Unfinished { next, mut successors, mut missed, mut failed } =
            self.unfinished.take().unwrap_or_default();
        let clusters = self.local.cache.as_ref().map_or(0, StepCache::clusters);
        for cluster in next..clusters {
            let cache = self.local.cache.as_ref().expect("BUG: there is a cache");
            let steps = match cache.steps(cluster, word) {
                Some(steps) => steps,
                None => {
                    if missed == 0 {
                        self.packer.unpack(&self.words, &mut self.state);
                    }
                    match self.learn(cluster) {
                        Ok(has_failed) => failed |= has_failed,
                        Err(halt) => {
                            self.unfinished = Some(Unfinished { next: cluster, successors, missed, failed });
                            return Err(halt);
                        }
                    }
                    missed += 1;
                    &self.local.steps
                }
            };
            successors += steps.len() as u64;
            for step in steps {
                let next = word ^ step;
                if !self.local.recent.as_mut().is_some_and(|recent| recent.meet(next)) {
                    let key = self.space.store.key(&mut self.scratch, None, &[next]);
                    let key = key.expect("BUG: a single word has its key at any time");
                    self.batch.push_word(next, key, self.tag);
                }
            }
        }
        if missed == 0 && (failed || successors == 0) {
            self.packer.unpack(&self.words, &mut self.state);
        }
        if let Some(cache) = &mut self.local.cache {
            cache.count(clusters as u32, missed);
        }
        Ok(Asked { successors, work: 1 + successors, end: Some(End::new(successors, failed)) })
    }

    /// Asks the groups of a cluster for their steps, and keeps them unless one fails; says whether one did.
    #[cold]
    fn learn(&mut self, cluster: usize) -> Result<bool, Halt> {
        let cache = self.local.cache.as_mut().expect("BUG: there is a cache");
        let (successors, steps) = (&mut self.local.successors, &mut self.local.steps);
        successors.clear();
        let mut failed = false;
        for &group in cache.groups(cluster) {
            failed |= self.stepper.group(group, &self.state, successors).is_err();
        }
        steps.clear();
        let source = self.words[0];
        for successor in successors.iter() {
            let mut words = [source];
            self.packer
                .repack(successor.group, successor.state, &mut words)
                .map_err(|misfit| self.space.note(misfit))?;
            steps.push(words[0] ^ source);
        }
        if !failed {
            cache.learn(cluster, source, steps);
        }
        Ok(failed)
    }
}
