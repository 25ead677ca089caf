//! Maps from nodes, for operations that look at each node of a diagram and make none. Nobody chooses the
//! numbers of nodes to do harm, so a hash by one multiplication is good enough.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::store::node::{Id, fold};

/// By one node.
pub(crate) type ByNode<V> = HashMap<Id, V, BuildHasherDefault<Quick>>;

/// By a node of a set and one of a relation.
pub(crate) type ByPair<V> = HashMap<(Id, Id), V, BuildHasherDefault<Quick>>;

/// By a hash.
pub(crate) type ByHash<V> = HashMap<u64, V, BuildHasherDefault<Quick>>;

/// Hashes a few small numbers.
#[derive(Default)]
pub(crate) struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        self.write_u32(number as u32);
        self.write_u32((number >> 32) as u32);
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = fold(self.0 ^ u64::from(number) ^ 0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03);
    }
}
