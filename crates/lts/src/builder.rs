//! Makes a system of transitions that come in any order.

use crate::index::{ActionIx, Edge, StateIx};
use crate::labels::Labels;
use crate::room::Room;
use crate::system::Lts;

/// Collects labels and transitions; the system is made of them at the end.
#[derive(Debug)]
pub struct Builder {
    labels: Labels,
    sources: Vec<u32>,
    edges: Vec<Edge>,
    room: Room,
    /// The greatest state that was named, plus one.
    states: u32,
    is_sorted: bool,
}

/// There is no room for all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl std::fmt::Display for Full {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the transition system does not fit the memory limit")
    }
}

impl std::error::Error for Full {}

impl Builder {
    /// Nothing yet, and room for so many bytes.
    pub fn new(bytes: u64) -> Self {
        let (labels, sources, edges) = (Labels::default(), Vec::new(), Vec::new());
        Self { labels, sources, edges, room: Room::new(bytes), states: 0, is_sorted: true }
    }

    /// The number of a label, a new one if it was never seen.
    pub fn action(&mut self, label: &str) -> Result<ActionIx, Full> {
        self.labels.number(label, &mut self.room).ok_or(Full)
    }

    /// Adds a transition.
    pub fn transition(&mut self, source: StateIx, action: ActionIx, target: StateIx) -> Result<(), Full> {
        // Places of edges are numbers of 32 bits.
        let is_room = self.room.grow(&mut self.sources, 1) && self.room.grow(&mut self.edges, 1);
        if !is_room || self.edges.len() >= u32::MAX as usize - 1 {
            return Err(Full);
        }
        self.is_sorted &= self.sources.last().is_none_or(|&last| last <= source.0);
        self.states = self.states.max(source.0.max(target.0) + 1);
        self.sources.push(source.0);
        self.edges.push(Edge { action, target });
        Ok(())
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    /// Bytes that are held.
    pub fn bytes(&self) -> u64 {
        self.room.used()
    }

    /// For others whose memory counts with this.
    pub(crate) fn room(&mut self) -> &mut Room {
        &mut self.room
    }

    /// The system with so many states, all that were named among them. The transitions of a state stay in the
    /// order in which they came.
    ///
    /// # Panics
    /// When a state that was named is not among them.
    pub fn finish(mut self, states: u32, initial: StateIx) -> Result<Lts, Full> {
        assert!(self.states <= states && initial.0 < states, "BUG: there is no such state");
        let mut starts: Vec<u32> = Vec::new();
        if !self.room.grow(&mut starts, states as usize + 1) {
            return Err(Full);
        }
        starts.resize(states as usize + 1, 0);
        for &source in &self.sources {
            starts[source as usize + 1] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        if self.is_sorted {
            return Ok(Lts::new(self.labels.into_texts(), initial, starts, self.edges));
        }
        let (mut edges, mut next) = (Vec::new(), Vec::new());
        if !self.room.grow(&mut edges, self.edges.len()) || !self.room.grow(&mut next, starts.len()) {
            return Err(Full);
        }
        edges.resize(self.edges.len(), Edge { action: ActionIx(0), target: StateIx(0) });
        next.extend_from_slice(&starts);
        for (&source, &edge) in self.sources.iter().zip(&self.edges) {
            let place = &mut next[source as usize];
            edges[*place as usize] = edge;
            *place += 1;
        }
        Ok(Lts::new(self.labels.into_texts(), initial, starts, edges))
    }
}
