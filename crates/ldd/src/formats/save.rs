//! Diagrams as bytes.
//!
//! A saved file is the four letters `PLDD` and a version; the number of nodes and the nodes, children first;
//! the number of diagrams and the first node of each; then eight bytes of checksum (FNV-1a) of all before.
//! Numbers are in LEB128. A node is its value times two, plus one if it is a relation's, which is followed by
//! the word of information; then `down`; then `right`. A reference to a node is 0 for ∅, 1 for the empty
//! vector, and otherwise one more than the number of nodes to go back. So a node takes about four bytes.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};

use crate::store::node::{EMPTY, Id, Info, UNIT};
use crate::store::unique::Unique;
use crate::store::{Ldd, Store};

pub(crate) const MAGIC: [u8; 5] = *b"PLDD\x01";

/// A checksum: FNV-1a with 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Checksum(pub u64);

impl Checksum {
    pub const START: Self = Self(0xCBF2_9CE4_8422_2325);

    pub fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
}

impl Store {
    /// Writes these diagrams; what they share is written once. [`Store::load`] reads them.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let (a, b) = (store.vector(&[1, 2])?, store.vector(&[3, 2])?);
    /// let mut bytes = Vec::new();
    /// store.save(&[&a, &b], &mut bytes)?;
    /// assert_eq!(store.load(&bytes[..])?, [a, b]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, diagrams: &[&Ldd], to: impl Write) -> io::Result<()> {
        diagrams.iter().for_each(|diagram| self.assert_owns(diagram));
        let unique = &self.inner.unique;
        let roots: Vec<Id> = diagrams.iter().map(|diagram| diagram.id).collect();
        let (order, numbers) = children_first(unique, &roots);
        let mut writer = Writer { to: BufWriter::new(to), checksum: Checksum::START };
        writer.bytes(&MAGIC)?;
        writer.number(order.len() as u64)?;
        for (at, &id) in order.iter().enumerate() {
            let node = unique.get(id);
            let in_relation = node.info != Info::SET;
            writer.number(u64::from(node.value) << 1 | u64::from(in_relation))?;
            if in_relation {
                writer.number(node.info.0.into())?;
            }
            writer.reference(node.down, at, &numbers)?;
            writer.reference(node.right, at, &numbers)?;
        }
        writer.number(roots.len() as u64)?;
        for &root in &roots {
            writer.reference(root, order.len(), &numbers)?;
        }
        let checksum = writer.checksum.0;
        writer.bytes(&checksum.to_le_bytes())?;
        writer.to.flush()
    }
}

/// The nodes of these diagrams, each behind those below it and to its right, and where each one stands.
fn children_first(unique: &Unique, roots: &[Id]) -> (Vec<Id>, HashMap<Id, usize>) {
    let (mut order, mut numbers) = (Vec::new(), HashMap::new());
    let mut stack = roots.to_vec();
    while let Some(&id) = stack.last() {
        if id <= UNIT || numbers.contains_key(&id) {
            stack.pop();
            continue;
        }
        let node = unique.get(id);
        let missing =
            [node.right, node.down].into_iter().filter(|child| *child > UNIT && !numbers.contains_key(child));
        let before = stack.len();
        stack.extend(missing);
        if stack.len() == before {
            numbers.insert(id, order.len());
            order.push(id);
        }
    }
    (order, numbers)
}

struct Writer<W: Write> {
    to: BufWriter<W>,
    checksum: Checksum,
}

impl<W: Write> Writer<W> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        bytes.iter().for_each(|&byte| self.checksum.add(byte));
        self.to.write_all(bytes)
    }

    fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.bytes(&[number as u8 | 0x80])?;
            number >>= 7;
        }
        self.bytes(&[number as u8])
    }

    /// A reference to a node from the node that stands `at`.
    fn reference(&mut self, id: Id, at: usize, numbers: &HashMap<Id, usize>) -> io::Result<()> {
        self.number(match id {
            EMPTY | UNIT => id.into(),
            _ => (at - numbers[&id] + 1) as u64,
        })
    }
}
