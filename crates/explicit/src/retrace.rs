//! The runs to states that show violations.
//!
//! A depth-first search has the run at hand. A breadth-first one keeps the rows of its levels as long as they
//! are few; then the run is read from them. Where they were too many, the search is done again, with these
//! states as its targets: it keeps the levels that the memory allows, all of them or each second, third, …
//! The states on the run between two kept levels are found in the same way, from the one to the other.
//!
//! Example: the violation is 1000 steps away, and there is room for each 100th level. The second search
//! finds the states at 0, 100, 200, … on the run. Then ten searches of 100 steps follow, each from one of
//! these states to the next. They keep all their levels and give the states between. What it costs: each
//! search is no larger than the first one, and the small ones are usually much smaller.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use engine::{Path, StopReason};
use model::Value;

use crate::Order;
use crate::budget::Budget;
use crate::frontier::{BLOCK_ROWS, Keep};
use crate::packing::{Layout, Packer};
use crate::reachability::{Findings, Job, Shared, Sighting, Targets, Trail, explore};
use crate::store::{Store, StorePlan};

/// Finds runs again.
pub(crate) struct Retrace<'t, F> {
    job: &'t Job<'t>,
    layout: Arc<Layout>,
    budget: Arc<Budget>,
    /// How many states each level has, as far as the search came.
    sizes: Vec<u64>,
    /// Makes a store.
    store: &'t F,
    /// The layout to begin anew with, where there was no room for all bits.
    roomier: RefCell<Option<Layout>>,
}

type Run = Result<Path, StopReason>;

impl<'t, S: Store, F: Fn(&StorePlan<'_>) -> Option<S>> Retrace<'t, F> {
    pub(crate) fn new(
        job: &'t Job<'t>,
        layout: Arc<Layout>,
        budget: Arc<Budget>,
        sizes: Vec<u64>,
        store: &'t F,
    ) -> Self {
        Self { job, layout, budget, sizes, store, roomier: RefCell::new(None) }
    }

    /// The runs that show violations, for each property that has evidence against it.
    pub(crate) fn runs(
        &self,
        findings: &Findings<'_>,
        shared: Shared<'t, S>,
    ) -> Result<HashMap<usize, Run>, Layout> {
        let mut runs = HashMap::new();
        let mut open: Vec<(usize, &Sighting)> = Vec::new();
        for (property, evidence) in findings.evidence() {
            match self.known_way(&shared, &evidence.trail) {
                Some(mut states) => {
                    states.push(evidence.state.clone());
                    states.extend(evidence.target.clone());
                    runs.insert(property, Ok(Path::run(states)));
                }
                None => open.push((property, evidence)),
            }
        }
        if open.is_empty() {
            return Ok(runs);
        }
        // All that it stored is in the way of the second search.
        drop(shared);
        let mut wanted: Vec<Vec<Value>> = open.iter().map(|(_, evidence)| evidence.state.clone()).collect();
        wanted.sort();
        wanted.dedup();
        let depth = open.iter().map(|(_, evidence)| evidence.depth).max().unwrap_or(0);
        let found = self.search(self.job.initial, &wanted, depth, &self.sizes);
        for (property, evidence) in open {
            let place = wanted.binary_search(&evidence.state).expect("BUG: a state that is not looked for");
            let run = found[place].clone().map(|mut states| {
                states.extend(evidence.target.clone());
                Path::run(states)
            });
            runs.insert(property, run);
        }
        self.roomier.take().map_or(Ok(runs), Err)
    }

    fn known_way(&self, shared: &Shared<'t, S>, trail: &Trail) -> Option<Vec<Vec<Value>>> {
        let handles = match trail {
            Trail::Handles(handles) => handles.clone(),
            Trail::Origin(origin) => shared.levels.way(*origin)?,
        };
        Some(handles.iter().map(|handle| shared.space.state(handle)).collect())
    }

    /// Runs from a state to others, not more than `depth` steps away; `sizes` says how many states there are
    /// on each level.
    fn search(
        &self,
        from: &[Value],
        wanted: &[Vec<Value>],
        depth: u64,
        sizes: &[u64],
    ) -> Vec<Result<Vec<Vec<Value>>, StopReason>> {
        let gone = |reason: StopReason| wanted.iter().map(|_| Err(reason.clone())).collect();
        let spacing = self.spacing(&sizes[..sizes.len().min(depth as usize + 1)]);
        let job = Job {
            initial: from,
            order: Order::BreadthFirst,
            keep: Keep::Each(spacing),
            states: None,
            depth: Some(depth),
            ..*self.job
        };
        let plan = StorePlan { layout: &self.layout, budget: &self.budget, threads: job.threads };
        let Some(store) = (self.store)(&plan) else { return gone(StopReason::Memory) };
        let shared = Shared::new(&job, Arc::clone(&self.layout), store, Arc::clone(&self.budget), false);
        let mut packer = Packer::new(Arc::clone(&self.layout));
        let packed = |state: &Vec<Value>| {
            let mut words = vec![0; self.layout.words()];
            packer.pack(state, &mut words).expect("BUG: it was packed before");
            words
        };
        let targets = Targets::new(wanted.iter().map(packed).collect());
        let signature = self.job.model.signature();
        let outcome = explore(&shared, || Findings::none(signature), Some(&targets), None);
        if let Some(layout) = shared.space.roomier() {
            self.roomier.replace(Some(layout));
            return gone(StopReason::Memory);
        }
        let origins = targets.found();
        let ways: Vec<Option<Vec<Vec<Value>>>> =
            origins.iter().map(|origin| self.known_way(&shared, &Trail::Origin((*origin)?))).collect();
        drop(shared);
        // Only a search that is cut short, or that forgets states, misses one that it found before.
        let reason = outcome.stopped.filter(|reason| *reason != StopReason::Depth);
        let missing =
            reason.unwrap_or_else(|| StopReason::Internal("a violation was not found again".into()));
        let run = |(way, last): (Option<Vec<Vec<Value>>>, &Vec<Value>)| {
            let mut stations = way.ok_or_else(|| missing.clone())?;
            stations.push(last.clone());
            match spacing {
                _ if depth <= 1 => Ok(stations),
                1 => Ok(stations),
                // There is no room for a single level in between.
                _ if spacing >= depth => Err(StopReason::Memory),
                _ => self.fill(stations, spacing),
            }
        };
        ways.into_iter().zip(wanted).map(run).collect()
    }

    /// The run through stations that are no more than so many steps apart.
    fn fill(&self, stations: Vec<Vec<Value>>, apart: u64) -> Result<Vec<Vec<Value>>, StopReason> {
        let mut run = stations[..1].to_vec();
        for pair in stations.windows(2) {
            let [from, to] = pair else { unreachable!("BUG: two stations") };
            // Nothing is known of how many states there are around them: no more than there were in all.
            let most: u64 = self.sizes.iter().sum();
            let guess: Vec<u64> = (0..=apart).map(|_| (most / apart).max(1)).collect();
            let mut part = self.search(from, std::slice::from_ref(to), apart, &guess);
            run.extend(part.pop().expect("BUG: one state was looked for")?.into_iter().skip(1));
        }
        Ok(run)
    }

    /// Each how many-th level is kept, so that what is kept takes no more than half of the memory that is
    /// left.
    fn spacing(&self, sizes: &[u64]) -> u64 {
        let row = (size_of::<u64>() * (1 + self.layout.words())) as u64;
        let blocks = |size: u64| size.div_ceil(BLOCK_ROWS as u64) + self.job.threads as u64;
        let bytes = |spacing: u64| -> u64 {
            sizes.iter().step_by(spacing as usize).map(|&size| blocks(size) * BLOCK_ROWS as u64 * row).sum()
        };
        let left = self.budget.left() / 2;
        (1..=sizes.len() as u64).find(|&spacing| bytes(spacing) <= left).unwrap_or(sizes.len() as u64)
    }
}
