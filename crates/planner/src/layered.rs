//! A model under its layers: which are stacked for an engine, how questions go up and how answers come down.

use std::sync::Arc;

use base::{GroupIx, SlotIx};
use engine::{Answer, CensusReport, Evidence, Path, Profile, Statistics, StopReason, replay};
use layers::{Aspect, Cached, Checked, Need, Over, Stack};
use model::{Compiled, Linear, Model, Value};

use crate::caching::{self, Chosen, Situation};
use crate::error::Error;
use crate::setup::{Purpose, Setup};

/// Slots that are given another value in each call when matrices are checked. With few, a large model still
/// runs; over a search each slot has its turn.
const PERTURBATIONS: usize = 2;

/// A model under its layers.
pub(crate) struct Layered {
    pub(crate) stack: Stack,
    checked: Option<Arc<Over<Checked>>>,
    /// The cache, and how it was chosen.
    pub(crate) cached: Option<Arc<Over<Cached>>>,
    pub(crate) chosen: Chosen,
}

impl Layered {
    /// Stacks the layers; refuses a stack on which an answer would not be an answer about the model.
    pub(crate) fn new(
        model: &Arc<dyn Model>,
        compiled: Option<&Compiled>,
        needs: &[Need],
        setup: &Setup,
        profile: Profile,
    ) -> Result<Self, Error> {
        let every = |&aspect: &Aspect| Need { aspect, of: "the list of transitions".into() };
        let needs = match setup.purpose {
            Purpose::Transitions => Aspect::ALL.iter().map(every).collect(),
            Purpose::Verdicts | Purpose::Numbers => needs.to_vec(),
        };
        let needed = needs.iter().map(|need| need.aspect);
        let wanted: Vec<Aspect> = match setup.purpose {
            // Whose matrices are tested is to be asked in full.
            _ if setup.check_matrices => Aspect::ALL.to_vec(),
            Purpose::Numbers => needed.chain(Aspect::NUMBERS.iter().copied()).collect(),
            Purpose::Verdicts | Purpose::Transitions => needed.collect(),
        };
        let mut stack = Stack::for_needs(Arc::clone(model), needs);
        let mut checked = None;
        if setup.check_matrices {
            // At the bottom: a cache above would hide what it is to find.
            let layer = Arc::new(Checked::new(stack.top(), PERTURBATIONS, 1));
            stack.push(Arc::clone(&layer))?;
            checked = Some(layer);
        }
        if let Some(layer) = setup.arrangement.for_engine(profile, &wanted).layer(stack.top())? {
            stack.push(Arc::new(layer))?;
        }
        let (is_checked, memory, bytes) = (setup.check_matrices, setup.limits.memory, setup.cache_bytes());
        let situation = Situation { profile, compiled, is_checked, memory, bytes };
        let chosen = caching::choose(setup.cache, &stack.top(), &situation);
        let cached = chosen.mode.layer(stack.top(), bytes, profile.threads).map(Arc::new);
        if let Some(layer) = &cached {
            stack.push(Arc::clone(layer))?;
        }
        Ok(Self { stack, checked, cached, chosen })
    }

    /// Refuses to go on where the matrices of the model were seen to be wrong.
    pub(crate) fn check_complaints(&self) -> Result<(), Error> {
        let complaints = self.checked.as_ref().map(|checked| checked.complaints()).unwrap_or_default();
        if complaints.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = complaints.iter().map(|complaint| format!("\n  {complaint}")).collect();
        Err(Error::Defect(format!("the dependency matrices are wrong{}", lines.concat())))
    }

    /// Sums of slots of the plain model as sums of slots of the top, and what is to be added to each.
    pub(crate) fn sums_above(&self, sums: &[Linear]) -> (Vec<Linear>, Vec<i128>) {
        sums.iter().map(|sum| self.stack.sum_above(sum)).unzip()
    }

    /// Sets of groups of the plain model as sets of groups of the top.
    pub(crate) fn groups_above(&self, sets: &[Vec<GroupIx>]) -> Vec<Vec<GroupIx>> {
        let above = |set: &Vec<GroupIx>| {
            let above = set.iter().map(|&group| self.stack.group_above(group));
            above.map(|group| group.expect("BUG: what is asked about was merged or left out")).collect()
        };
        sets.iter().map(above).collect()
    }

    /// What was found out of the states of the top, as what it says of the plain model's.
    pub(crate) fn census_below(&self, census: CensusReport, offsets: &[i128]) -> CensusReport {
        let plain = self.stack.plain();
        let (slots, groups) = (plain.signature().slot_ixs(), plain.signature().group_ixs());
        let sums = census.maxima.into_iter().zip(offsets);
        let maxima = sums.map(|(greatest, offset)| greatest.map(|greatest| greatest + offset)).collect();
        let initially = |slot: SlotIx| (plain.initial()[slot.ix()], plain.initial()[slot.ix()]);
        let range = |ranges: &[(Value, Value)], slot: SlotIx| {
            self.stack.slot_above(slot).map_or_else(|| initially(slot), |slot| ranges[slot.ix()])
        };
        let ranges = census.ranges.map(|ranges| slots.map(|slot| range(&ranges, slot)).collect());
        // What is left out has no step that changes anything, and what is merged with others is told of by
        // none of them.
        let is_enabled =
            |enabled: &[bool], group| self.stack.group_above(group).map(|group| enabled[group.ix()]);
        let enabled =
            census.enabled.and_then(|enabled| groups.map(|group| is_enabled(&enabled, group)).collect());
        CensusReport { maxima, ranges, enabled, live: census.live }
    }

    /// The numbers without those that are not the plain model's.
    pub(crate) fn of_the_model(&self, mut statistics: Statistics) -> Statistics {
        let holds_below = |aspect| self.stack.preserves(aspect);
        statistics.transitions = statistics.transitions.filter(|_| holds_below(Aspect::Transitions));
        statistics.deadlocks = statistics.deadlocks.filter(|_| holds_below(Aspect::Deadlocks));
        statistics
    }

    /// The answer with evidence that was replayed on the plain model; what does not replay is no answer.
    pub(crate) fn replayed(&self, answer: Answer<Path>) -> Answer {
        let Answer { property, verdict, value, evidence, violations, technique } = answer;
        let answer = match evidence {
            None => Answer { value, technique, ..Answer::new(property, verdict) },
            Some(path) => match self.replay(path, &property) {
                Ok(evidence) => {
                    Answer { value, technique, evidence: Some(evidence), ..Answer::new(property, verdict) }
                }
                Err(reason) => Answer::unknown(property, reason),
            },
        };
        Answer { violations, ..answer }
    }

    /// A path of the top, replayed on the plain model.
    fn replay(&self, path: Path, property: &engine::Property) -> Result<Evidence, StopReason> {
        let path = self.stack.path_below(path);
        replay(&**self.stack.plain(), &path, &property.question)
            .map_err(|error| StopReason::Internal(error.to_string()))
    }
}
