//! Where variables stand in an environment.

use std::collections::HashMap;

use crate::VarIx;

/// Which place of an environment has the value of which variable: parameters of a process first, variables of
/// a sum after them.
#[derive(Clone, Default, Debug)]
pub struct VarPlaces {
    places: HashMap<VarIx, usize>,
    len: usize,
}

impl VarPlaces {
    /// No variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// A place for one more variable, after all others.
    pub fn push(&mut self, var: VarIx) -> usize {
        let place = self.len;
        self.places.insert(var, place);
        self.len += 1;
        place
    }

    /// A variable at a place that there is already, as another name for it, or at a new one.
    pub fn put(&mut self, var: VarIx, place: usize) {
        self.places.insert(var, place);
        self.len = self.len.max(place + 1);
    }

    /// The place of a variable.
    pub fn place(&self, var: VarIx) -> Option<usize> {
        self.places.get(&var).copied()
    }

    /// How long an environment must be.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl FromIterator<VarIx> for VarPlaces {
    fn from_iter<I: IntoIterator<Item = VarIx>>(vars: I) -> Self {
        let mut places = Self::new();
        for var in vars {
            places.push(var);
        }
        places
    }
}
