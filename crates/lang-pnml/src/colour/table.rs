//! The colours that a place can ever have, and how those are found of which some parts are known.

use std::collections::{HashMap, HashSet};

use super::sorts::{Colour, Declarations, Sort};

/// The colours of a place.
pub(crate) struct Table {
    /// How many values each part has.
    pub sizes: Vec<u64>,
    /// How much each part counts in a colour.
    pub weights: Vec<u64>,
    present: HashSet<Colour>,
    indexes: Vec<Index>,
}

/// Colours by the values of some of their parts.
struct Index {
    /// Which parts: a bit each.
    mask: u64,
    /// For a colour with all other parts zero those that agree with it.
    lists: HashMap<Colour, Vec<Colour>>,
}

impl Table {
    /// No colours of a sort.
    pub fn new(sort: &Sort, declared: &Declarations) -> Self {
        Self {
            sizes: sort.parts.iter().map(|&part| declared.basics[part].size).collect(),
            weights: sort.weights.clone(),
            present: HashSet::new(),
            indexes: Vec::new(),
        }
    }

    /// The number of an index by these parts. To be asked for before there are colours.
    pub fn index(&mut self, mask: u64) -> usize {
        self.indexes.iter().position(|index| index.mask == mask).unwrap_or_else(|| {
            self.indexes.push(Index { mask, lists: HashMap::new() });
            self.indexes.len() - 1
        })
    }

    /// The value of a part of a colour.
    pub fn digit(&self, colour: Colour, at: usize) -> u64 {
        colour / self.weights[at] % self.sizes[at]
    }

    /// Adds a colour.
    pub fn insert(&mut self, colour: Colour) {
        self.present.insert(colour);
        for at in 0..self.indexes.len() {
            let mask = self.indexes[at].mask;
            let parts = (0..self.sizes.len()).filter(|part| mask >> part & 1 == 1);
            let key = parts.map(|part| self.digit(colour, part) * self.weights[part]).sum();
            self.indexes[at].lists.entry(key).or_default().push(colour);
        }
    }

    /// Whether the colour is there.
    pub fn contains(&self, colour: Colour) -> bool {
        self.present.contains(&colour)
    }

    /// The colours that agree with another in the parts of an index; its other parts are zero.
    pub fn matching(&self, index: usize, key: Colour) -> &[Colour] {
        self.indexes[index].lists.get(&key).map_or(&[], Vec::as_slice)
    }
}
