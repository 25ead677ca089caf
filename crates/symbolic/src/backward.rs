//! Steps of all groups against their direction, inside a set of states.
//!
//! The pre-image through a group's relation says too much where the group's guards are asked on their own:
//! the relation then knows steps from states in which a guard is false. So the states from which each group
//! can start are found first, and pre-images are cut down to them.

use ldd::Ldd;

use crate::search::{Search, Stop};

/// The states of a set from which each group can start.
pub(crate) struct Backward {
    inside: Ldd,
    starts: Vec<Ldd>,
}

impl Search<'_> {
    /// Prepares steps back inside a set, for which all groups are asked.
    pub fn backward(&mut self, inside: &Ldd) -> Result<Backward, Stop> {
        let groups = 0..self.relations.groups();
        let starts = groups.map(|group| self.relations.learn(group, inside)).collect::<Result<_, _>>()?;
        Ok(Backward { inside: inside.clone(), starts })
    }

    /// The states of `starts` from which a step of a group leads into a set.
    pub fn step_back(&self, group: usize, set: &Ldd, starts: &Ldd) -> Result<Ldd, Stop> {
        let relation = self.relations.known(self.relations.relation_of(group)).relation();
        Ok(self.store.pre_image(set, relation, starts)?)
    }

    /// The states from which a step of any group leads into a set.
    pub fn predecessors(&self, set: &Ldd, backward: &Backward) -> Result<Ldd, Stop> {
        let mut sum = self.store.empty();
        for (group, starts) in backward.starts.iter().enumerate() {
            sum = self.store.union(&sum, &self.step_back(group, set, starts)?)?;
        }
        Ok(sum)
    }

    /// The states from which steps lead to a set, any number of them, and the set.
    pub fn ancestors(&self, set: &Ldd, backward: &Backward) -> Result<Ldd, Stop> {
        if backward.starts.iter().all(|starts| *starts == backward.inside) {
            let relation = |group| self.relations.known(self.relations.relation_of(group)).relation().clone();
            let relations: Vec<ldd::Relation> = (0..self.relations.groups()).map(relation).collect();
            return Ok(self.store.backward_closure(set, &relations, &backward.inside)?);
        }
        let mut found = set.clone();
        loop {
            let before = found.clone();
            for (group, starts) in backward.starts.iter().enumerate() {
                found = self.store.union(&found, &self.step_back(group, &found, starts)?)?;
            }
            if found == before {
                return Ok(found);
            }
        }
    }
}
