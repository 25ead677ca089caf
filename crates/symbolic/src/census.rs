//! What the states tell as a whole: the greatest values of sums, the values of slots, how many transitions
//! there are, which groups have some. Each is one walk over the diagram, or one for each group between the
//! slots that it touches.

use engine::{Census, CensusReport, Statistics, StopReason};
use ldd::{Ldd, Relation};
use num_bigint::BigUint;

use crate::run::{End, Run};
use crate::search::{Search, Stop};

impl Run<'_> {
    /// Takes the census. Where it is broken off the search has not said what it was asked for, so it is not
    /// complete.
    pub fn census(&mut self, end: &mut End, statistics: &mut Statistics) -> CensusReport {
        let census = self.task.census;
        let mut counted = census.nothing();
        let Some(states) = end.states.clone().filter(|_| !census.is_empty()) else { return counted };
        // Of states that are not all expanded it is not known what their groups do.
        let are_expanded =
            matches!(end.incomplete, None | Some(StopReason::Depth)) && end.inspection.is_some();
        let fails = end.inspection.as_ref().is_none_or(|inspection| !inspection.failing.is_empty());
        let mut taken = self.values(&census, &states, &mut counted);
        if taken.is_ok() && are_expanded {
            taken = self.steps(&census, &states, &mut counted, statistics);
        }
        if taken.is_ok() && !census.live.is_empty() && end.incomplete.is_none() && !fails {
            taken = self.search.live(&states, census.live).map(|live| counted.live = Some(live));
        }
        if let Err(stop) = taken
            && end.incomplete.is_none()
        {
            end.incomplete = Some(self.why(stop));
        }
        counted
    }

    fn values(&self, census: &Census<'_>, states: &Ldd, counted: &mut CensusReport) -> Result<(), Stop> {
        let store = &self.search.store;
        for (greatest, sum) in counted.maxima.iter_mut().zip(census.maxima) {
            let mut factors = vec![0; sum.terms.last().map_or(0, |(slot, _)| slot.ix() + 1)];
            sum.terms.iter().for_each(|&(slot, factor)| factors[slot.ix()] = factor);
            let both = store.extremes_while(states, &factors, || self.may_count())?;
            *greatest = both.map(|(_, greatest)| greatest);
        }
        if census.ranges {
            let ranges = store.ranges_while(states, || self.may_count());
            counted.ranges = Some(ranges.ok_or(ldd::Stop::Interrupted)?);
        }
        Ok(())
    }

    fn steps(
        &mut self,
        census: &Census<'_>,
        states: &Ldd,
        counted: &mut CensusReport,
        statistics: &mut Statistics,
    ) -> Result<(), Stop> {
        if census.transitions {
            let by_group = self.transitions(states)?;
            counted.enabled =
                by_group.iter().map(|count| count.as_ref().map(|count| *count != BigUint::ZERO)).collect();
            let weight = |group: usize| census.weights.map_or(1, |weights| weights[group]);
            let weighted =
                by_group.into_iter().enumerate().map(|(group, count)| Some(count? * weight(group)));
            statistics.transitions = weighted.sum();
        }
        if census.enabled && counted.enabled.is_none() {
            counted.enabled = Some(self.search.enabled_groups(states)?);
        }
        if !census.enabled {
            counted.enabled = None;
        }
        Ok(())
    }

    /// How many steps each group has from states that were expanded, as the model gives them: two actions
    /// that lead to one state are two. None where too many are alike.
    fn transitions(&mut self, states: &Ldd) -> Result<Vec<Option<BigUint>>, Stop> {
        let groups = self.search.relations.groups();
        let mut from = Vec::with_capacity(groups);
        for group in 0..groups {
            from.push(self.search.relations.learn(group, states)?);
        }
        self.make_room();
        let search = &self.search;
        let relation = |group: usize| search.relations.known(search.relations.relation_of(group)).relation();
        let mut counts = vec![BigUint::ZERO; groups];
        // Most groups are asked in all states: paths to nodes are then counted for all of them together.
        let (in_all, others): (Vec<usize>, Vec<usize>) =
            (0..groups).partition(|&group| from[group] == *states);
        let batches = [in_all].into_iter().chain(others.into_iter().map(|group| vec![group]));
        for batch in batches.filter(|batch| !batch.is_empty()) {
            let relations: Vec<&Relation> = batch.iter().map(|&group| relation(group)).collect();
            let steps = search
                .store
                .count_steps_within(self.room(), &from[batch[0]], &relations, || self.may_count());
            match steps {
                Ok(steps) => batch.into_iter().zip(steps).for_each(|(group, steps)| counts[group] = steps),
                // All is known but how many steps there are.
                Err(ldd::Stop::OutOfNodes) => return Ok(vec![None; groups]),
                Err(stop) => return Err(stop.into()),
            }
        }
        for (group, from) in from.iter().enumerate() {
            let relation = self.search.relations.relation_of(group);
            let duplicates = self.search.relations.observed(relation)?.duplicates.clone();
            for duplicates in duplicates {
                let kept = self.search.relations.known(relation).kept();
                let duplicates = self.search.store.select(from, &duplicates, &kept)?;
                counts[group] += self.count(&duplicates).ok_or(ldd::Stop::Interrupted)?;
            }
        }
        let has_count = self.search.relations.oracle.has_count();
        Ok(counts.into_iter().map(|count| has_count.then_some(count)).collect())
    }
}

impl Search<'_> {
    /// Whether each group has a step from one of the states, all of which were expanded.
    pub fn enabled_groups(&mut self, states: &Ldd) -> Result<Vec<bool>, Stop> {
        let relations = &self.relations;
        let (known, learned): (Vec<usize>, Vec<usize>) =
            (0..relations.groups()).partition(|&group| relations.is_known(group));
        let mut enabled = vec![false; relations.groups()];
        let steps: Vec<&Relation> =
            known.iter().map(|&group| relations.known(relations.relation_of(group)).relation()).collect();
        let any = self.store.have_steps_while(states, &steps, || !self.caller.is_halted());
        for (group, any) in known.into_iter().zip(any.ok_or(ldd::Stop::Interrupted)?) {
            enabled[group] = any;
        }
        for group in learned {
            enabled[group] = !self.enabled_in(group, states)?.is_empty();
        }
        Ok(enabled)
    }

    /// The states of a set, all of which were expanded, from which a group has a step.
    pub fn enabled_in(&mut self, group: usize, set: &Ldd) -> Result<Ldd, Stop> {
        let enabled = self.relations.learn(group, set)?;
        let relation = self.relations.known(self.relations.relation_of(group)).relation();
        Ok(self.store.enabled(&enabled, relation)?)
    }
}
