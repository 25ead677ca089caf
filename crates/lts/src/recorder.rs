//! The transition system of a model, put down while a search goes through it.

use std::collections::HashMap;

use model::{Model, Observer, Successor, Value};

use crate::builder::{Builder, Full};
use crate::hashing::{Build, Mixer};
use crate::index::{ActionIx, StateIx};
use crate::system::Lts;

/// Hears the transitions of a search and makes a system of them. States are numbered in the order in which
/// they are seen, the initial one first; a label is the action as the model shows it. Transitions that differ
/// in nothing, by different groups for example, are one.
///
/// It keeps each state whole, to know it again. A recorder that [is full](Recorder::is_full) has nothing to
/// give.
pub struct Recorder<'m> {
    model: &'m dyn Model,
    width: usize,
    /// The slots of all states, one after the other.
    cells: Vec<Value>,
    count: u32,
    /// A state plus one, or zero where the place is free: open addressing, a quarter of it free.
    table: Vec<u32>,
    actions: HashMap<Value, ActionIx, Build>,
    builder: Builder,
    /// The state whose transitions come now, and those of them that came.
    source: StateIx,
    edges: Vec<(ActionIx, StateIx)>,
    is_full: bool,
}

impl Observer for Recorder<'_> {
    fn transition(&mut self, from: &[Value], to: Successor<'_>) {
        if !self.is_full {
            self.is_full = self.see(from, to).is_err();
        }
    }
}

impl<'m> Recorder<'m> {
    /// For searches of this model; it takes no more than so many bytes.
    pub fn new(model: &'m dyn Model, bytes: u64) -> Self {
        let width = model.initial().len();
        let mut recorder = Self {
            model,
            width,
            cells: Vec::new(),
            count: 0,
            table: Vec::new(),
            actions: HashMap::default(),
            builder: Builder::new(bytes),
            source: StateIx(0),
            edges: Vec::new(),
            is_full: false,
        };
        recorder.is_full = recorder.state(model.initial()).is_err();
        recorder
    }

    /// Whether something that was seen found no room.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The system of all that was seen.
    pub fn finish(mut self) -> Result<Lts, Full> {
        self.put_down()?;
        if self.is_full {
            return Err(Full);
        }
        // The states are not needed any more, and the rest of the work takes room of its own.
        let held = self.cells.capacity() * size_of::<Value>() + self.table.capacity() * size_of::<u32>();
        (self.cells, self.table) = (Vec::new(), Vec::new());
        self.builder.room().give_back(held as u64);
        self.builder.finish(self.count, StateIx(0))
    }

    fn see(&mut self, from: &[Value], to: Successor<'_>) -> Result<(), Full> {
        // All transitions of a state come one after the other.
        if self.row(self.source) != from {
            self.put_down()?;
            self.source = self.state(from)?;
        }
        let target = self.state(to.state)?;
        let action = self.action(to.action)?;
        self.edges.push((action, target));
        Ok(())
    }

    /// Puts the transitions of the last source down, each once.
    fn put_down(&mut self) -> Result<(), Full> {
        self.edges.sort_unstable();
        self.edges.dedup();
        for at in 0..self.edges.len() {
            let (action, target) = self.edges[at];
            self.builder.transition(self.source, action, target)?;
        }
        self.edges.clear();
        Ok(())
    }

    fn action(&mut self, action: Value) -> Result<ActionIx, Full> {
        if let Some(&known) = self.actions.get(&action) {
            return Ok(known);
        }
        // Two actions may look the same, and are the same label then.
        let number = self.builder.action(&self.model.signature().show_action(action))?;
        const ENTRY: u64 = 16;
        if !self.builder.room().take(ENTRY) {
            return Err(Full);
        }
        self.actions.insert(action, number);
        Ok(number)
    }

    fn row(&self, state: StateIx) -> &[Value] {
        &self.cells[state.ix() * self.width..(state.ix() + 1) * self.width]
    }

    /// The number of a state, a new one if it was never seen.
    fn state(&mut self, state: &[Value]) -> Result<StateIx, Full> {
        if 4 * (self.count as usize + 1) > 3 * self.table.len() {
            self.widen()?;
        }
        let mask = self.table.len() - 1;
        let mut place = hash(state) & mask;
        while let Some(found) = self.table[place].checked_sub(1) {
            if self.row(StateIx(found)) == state {
                return Ok(StateIx(found));
            }
            place = (place + 1) & mask;
        }
        if self.count >= u32::MAX - 1 || !self.builder.room().grow(&mut self.cells, self.width) {
            return Err(Full);
        }
        self.cells.extend_from_slice(state);
        let number = StateIx(self.count);
        self.count += 1;
        self.table[place] = self.count;
        Ok(number)
    }

    fn widen(&mut self) -> Result<(), Full> {
        let places = (2 * self.table.len()).max(16);
        let mut table = Vec::new();
        if !self.builder.room().grow(&mut table, places) {
            return Err(Full);
        }
        table.resize(places, 0);
        for state in 0..self.count {
            let mut place = hash(self.row(StateIx(state))) & (places - 1);
            while table[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            table[place] = state + 1;
        }
        self.builder.room().give_back((self.table.capacity() * size_of::<u32>()) as u64);
        self.table = table;
        Ok(())
    }
}

fn hash(state: &[Value]) -> usize {
    let mut mixer = Mixer::default();
    for &value in state {
        mixer.add(u64::from(value));
    }
    mixer.done() as usize
}
