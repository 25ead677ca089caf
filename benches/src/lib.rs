//! The crate `merc_ldd` as a peer: reads the same dumps and searches them in the same ways as our own
//! decision diagrams.
//!
//! It has no copies in relations and takes a copied value for the value 0, so its answer is wrong on dumps
//! that have some: look at its number of states before its time.

use merc_ldd::{
    Ldd, Storage, SylvanReader, Value, compute_meta, len, minus, read_u32, relational_product, union,
};

/// A transition system in the peer's diagrams.
pub struct Peer {
    storage: Storage,
    initial: Ldd,
    relations: Vec<Relation>,
}

struct Relation {
    rows: Ldd,
    /// Which slots are read and written.
    meta: Ldd,
}

/// Why bytes are no dump.
pub type Refusal = Box<dyn std::error::Error>;

impl Peer {
    /// Reads a dump as Sylvan's checker does.
    ///
    /// # Errors
    /// When the bytes end early, or are none of a dump.
    pub fn read(mut bytes: &[u8]) -> Result<Self, Refusal> {
        let bytes = &mut bytes;
        let (mut storage, mut reader) = (Storage::new(), SylvanReader::new());
        let _slots = number(bytes)?;
        let _ = number(bytes)?;
        let initial = reader.read_ldd(&mut storage, bytes).map_err(refusal)?;
        let mut metas = Vec::new();
        for _ in 0..number(bytes)? {
            let (reads, writes) = (number(bytes)?, number(bytes)?);
            let (read, write) = (numbers(bytes, reads)?, numbers(bytes, writes)?);
            metas.push(compute_meta(&mut storage, &read, &write).0);
        }
        let mut relations = Vec::new();
        for meta in metas {
            let rows = reader.read_ldd(&mut storage, bytes).map_err(refusal)?;
            relations.push(Relation { rows, meta });
        }
        Ok(Self { storage, initial, relations })
    }

    /// How many vectors a set has.
    pub fn count(&mut self, set: &Ldd) -> usize {
        len(&mut self.storage, set)
    }

    /// Level by level, the images of the last level through all relations.
    pub fn bfs(&mut self) -> Ldd {
        let storage = &mut self.storage;
        let (mut reached, mut level) = (self.initial.clone(), self.initial.clone());
        while level != *storage.empty_set() {
            let mut next = storage.empty_set().clone();
            for Relation { rows, meta } in &self.relations {
                let image = relational_product(storage, &level, rows, meta);
                next = union(storage, &next, &image);
            }
            level = minus(storage, &next, &reached);
            reached = union(storage, &reached, &level);
        }
        reached
    }

    /// Relation by relation, each applied to what the ones before it found from the last round's states.
    pub fn chaining(&mut self) -> Ldd {
        let storage = &mut self.storage;
        let (mut reached, mut round) = (self.initial.clone(), self.initial.clone());
        while round != *storage.empty_set() {
            let mut found = round;
            for Relation { rows, meta } in &self.relations {
                let image = relational_product(storage, &found, rows, meta);
                found = union(storage, &found, &image);
            }
            round = minus(storage, &found, &reached);
            reached = union(storage, &reached, &round);
        }
        reached
    }
}

fn refusal(error: impl std::fmt::Display) -> Refusal {
    error.to_string().into()
}

fn number(bytes: &mut &[u8]) -> Result<Value, Refusal> {
    read_u32(bytes).map_err(refusal)
}

fn numbers(bytes: &mut &[u8], count: u32) -> Result<Vec<Value>, Refusal> {
    (0..count).map(|_| number(bytes)).collect()
}
