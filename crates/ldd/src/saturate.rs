//! Least fixpoints by saturation (Ciardo, Marmorstein & Siminiceanu, STTT 2006): what changes low levels only is repeated there until
//! nothing is new, before anything above is tried.

use crate::cache::Op;
use crate::node::{EMPTY, Id, UNIT};
use crate::store::OutOfNodes;
use crate::worker::Worker;

/// Relations, highest first, as the fixpoint needs them.
pub(crate) struct Events {
    /// The relations with the height of their first level.
    pub relations: Vec<(u32, Id)>,
    /// Tells these relations from others in the cache.
    pub number: u32,
}

impl Events {
    /// The first relation behind `from` that begins lower.
    fn next_height(&self, from: usize) -> usize {
        let height = self.relations[from].0;
        from + self.relations[from..].iter().take_while(|relation| relation.0 == height).count()
    }
}

impl Worker<'_> {
    /// The least set that holds `set` and is closed under the relations from number `from` on.
    pub fn saturate(&mut self, set: Id, events: &Events, from: usize, height: u32) -> Result<Id, OutOfNodes> {
        if set <= UNIT || from == events.relations.len() {
            return Ok(set);
        }
        let (question, known) = self.known(Op::Saturate, set, from as Id, events.number);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = if events.relations[from].0 < height {
            self.saturate_below(set, events, from, height)?
        } else {
            self.saturate_here(set, events, from, height)?
        };
        Ok(self.learn(question, answer))
    }

    fn saturate_below(&mut self, mut set: Id, events: &Events, from: usize, height: u32) -> Result<Id, OutOfNodes> {
        let mark = self.mark();
        while set > UNIT {
            let entry = self.get(set);
            let down = self.saturate(entry.down, events, from, height - 1)?;
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, set)
    }

    fn saturate_here(&mut self, set: Id, events: &Events, from: usize, height: u32) -> Result<Id, OutOfNodes> {
        let lower = events.next_height(from);
        let mark = self.mark();
        let mut closed = set;
        loop {
            // Held for the whole round: were it collected, a larger set could get its number, and look as if nothing was new.
            let before = closed;
            self.keep(before);
            let inner = self.mark();
            closed = self.saturate(closed, events, lower, height)?;
            for &(_, relation) in &events.relations[from..lower] {
                self.cut(inner);
                self.keep(closed);
                closed = self.image(closed, relation, closed, height)?;
            }
            self.cut(mark);
            if closed == before {
                return Ok(closed);
            }
        }
    }
}
