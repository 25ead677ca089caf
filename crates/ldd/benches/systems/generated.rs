//! Generated transition systems, written as dumps.
//!
//! A dump is: the number of slots and −1; a diagram of the initial states; the number of relations; for each
//! how many slots it reads and writes, and which; then for each its diagram. A diagram is the number of its
//! nodes, the nodes, and the number of its root.

use std::collections::BTreeMap;

/// Tokens that go round a ring of places, one at a time, all of them at the first place in the beginning: one
/// relation a place. As many states as there are ways to spread the tokens.
pub fn ring(places: u32, tokens: u32) -> Vec<u8> {
    let mut start = vec![0; places as usize];
    start[0] = tokens;
    let relations = (0..places).map(|place| {
        let next = (place + 1) % places;
        // Both are read and written: in the order of the slots, the value before and the value after.
        let row = |from: u32, to: u32| {
            let (here, there) = ([from, from - 1], [to, to + 1]);
            if place < next { [here, there].concat() } else { [there, here].concat() }
        };
        let rows = (1..=tokens).flat_map(|from| (0..=tokens - from).map(move |to| (from, to)));
        ([place.min(next), place.max(next)], rows.map(|(from, to)| row(from, to)).collect())
    });
    dump(&[start], &relations.collect::<Vec<_>>())
}

/// One relation of this width that sets the second of two neighbours to what the first is, for each of so
/// many values.
pub fn marking(width: u32, first: u32, values: u32) -> ([u32; 2], Vec<Vec<u32>>) {
    assert!(first + 1 < width, "the second of two neighbours is a slot");
    let rows = (0..values).flat_map(|value| (0..values).map(move |old| vec![value, value, old, value]));
    ([first, first + 1], rows.collect())
}

/// The bytes of a dump with these initial states and relations, each of which reads and writes its slots.
fn dump(initial: &[Vec<u32>], relations: &[([u32; 2], Vec<Vec<u32>>)]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.int(initial[0].len() as u32);
    writer.bytes.extend((-1i32).to_le_bytes());
    writer.diagram(initial);
    writer.int(relations.len() as u32);
    for (slots, _) in relations {
        [2, 2].into_iter().chain(*slots).chain(*slots).for_each(|number| writer.int(number));
    }
    for (_, rows) in relations {
        writer.diagram(rows);
    }
    writer.bytes
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    /// The number of each node so far: value, down and right.
    known: BTreeMap<(u32, u64, u64), u64>,
}

impl Writer {
    fn int(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn diagram(&mut self, vectors: &[Vec<u32>]) {
        let mut sorted: Vec<&[u32]> = vectors.iter().map(Vec::as_slice).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut fresh = Vec::new();
        let root = self.list(&sorted, &mut fresh);
        self.bytes.extend((fresh.len() as u64).to_le_bytes());
        for (value, down, right) in fresh {
            self.bytes.extend((u64::from(value & 0xFFFF) << 48 | right << 1).to_le_bytes());
            self.bytes.extend((down << 17 | u64::from(value >> 16)).to_le_bytes());
        }
        self.bytes.extend(root.to_le_bytes());
    }

    /// The number of the node with these vectors, which are sorted; children first.
    fn list(&mut self, vectors: &[&[u32]], fresh: &mut Vec<(u32, u64, u64)>) -> u64 {
        if vectors.is_empty() {
            return 0;
        }
        if vectors[0].is_empty() {
            return 1;
        }
        let mut right = 0;
        for part in vectors.chunk_by(|a, b| a[0] == b[0]).rev() {
            let below: Vec<&[u32]> = part.iter().map(|vector| &vector[1..]).collect();
            let down = self.list(&below, fresh);
            let next = self.known.len() as u64 + 2;
            let node = (part[0][0], down, right);
            right = *self.known.entry(node).or_insert_with(|| {
                fresh.push(node);
                next
            });
        }
        right
    }
}
