//! Leaves: slots that stand side by side and whose values are numbered together. Slots of one process go
//! together well: of all combinations of their values few are ever seen.

use std::collections::HashSet;
use std::ops::Range;

use base::{BitMatrix, GroupIx, SlotIx};
use model::{Signature, SlotRole, Value};
use tables::{Crowded, Rows, Spare};

use super::field::Field;
use super::sample::Sample;

/// With so many bits a leaf is large enough to end where another process begins.
const FEW_BITS: u32 = 5;
/// The slots of a leaf have no more bits than this by their types.
const MOST_BITS: u32 = u64::BITS;

/// All lists of groups together have no more fields than this, …
const FEW_FIELDS: usize = 1 << 19;
/// … but a group that writes less than this part of the slots has its own in any case: the matrices of such a
/// model take about as much.
const SMALL_PART: usize = 32;
/// A group that writes more than this part of the slots needs none in any case.
const LARGE_PART: usize = 2;

/// A leaf, or what a group may write of it.
#[derive(Clone, Debug)]
pub(super) struct LeafPart {
    pub(super) leaf: u32,
    pub(super) fields: Range<u32>,
    /// The bits of a raw word that these fields leave as they are.
    pub(super) others: u64,
}

/// The leaves of states, and what each group may write of them.
pub(super) struct Leaves {
    /// The fields of all leaves, then those that each group can change, for groups that have a list of their
    /// own.
    fields: Vec<Field>,
    /// All leaves with all their fields, then those that each group can change.
    parts: Vec<LeafPart>,
    count: usize,
    /// For each group its range of the parts.
    written: Vec<Range<usize>>,
    /// The values of leaves, each with its number; with very many leaves some share a table. A leaf that is a
    /// single slot needs none: its number is the code of its value.
    tables: Vec<Rows>,
    /// The table of each leaf.
    table_of: Vec<u32>,
    /// The leaf of each slot that varies.
    leaf_of: Vec<u32>,
}

impl Leaves {
    /// Leaves for the slots that some group writes, no leaf with slots of two processes that are not tiny if
    /// so asked; `None` where the system has no addresses for their tables.
    pub(super) fn new(
        signature: &Signature,
        may_write: &BitMatrix,
        sample: &Sample,
        by_process: bool,
    ) -> Option<Self> {
        let mut leaves = Self {
            fields: Vec::new(),
            parts: Vec::new(),
            count: 0,
            written: Vec::new(),
            tables: Vec::new(),
            table_of: Vec::new(),
            leaf_of: Vec::new(),
        };
        let (mut seen, mut shift) = (u32::MAX, 0);
        let mut leaf_of = vec![NO_LEAF; signature.slots.len()];
        let mut field_of = vec![0; signature.slots.len()];
        for slot in varying(may_write) {
            let (more_seen, more) = (sample.width(slot), signature.type_of(slot).bits());
            let at = leaves.fields.len();
            let is_process =
                by_process && signature.slots[slot.ix()].role == SlotRole::Location && seen >= FEW_BITS;
            if seen.saturating_add(more_seen) > sample.leaf_bits || shift + more > MOST_BITS || is_process {
                (seen, shift) = (0, 0);
                leaves.parts.push(LeafPart {
                    leaf: leaves.count as u32,
                    fields: at as u32..at as u32,
                    others: 0,
                });
                leaves.count += 1;
            }
            leaves.fields.push(Field::new(slot, signature.type_of(slot), shift));
            let last = leaves.parts.last_mut().expect("BUG: there is a leaf now");
            last.fields.end += 1;
            (leaf_of[slot.ix()], field_of[slot.ix()]) = (last.leaf, at);
            seen += more_seen;
            shift += more;
        }
        leaves.add_tables()?;
        leaves.add_groups(may_write, &leaf_of, &field_of);
        leaves.leaf_of = leaf_of;
        leaves.fields.shrink_to_fit();
        leaves.parts.shrink_to_fit();
        Some(leaves)
    }

    fn add_tables(&mut self) -> Option<()> {
        let numbered = self.parts.iter().filter(|leaf| leaf.fields.len() > 1).count();
        let tables = numbered.min(MOST_TABLES);
        let table = |_| Rows::with_most(1, MOST_VALUES / tables);
        self.tables = (0..tables).map(table).collect::<Option<Vec<Rows>>>()?;
        let mut next = (0..tables as u32).cycle();
        let table_of =
            |leaf: &LeafPart| if leaf.fields.len() > 1 { next.next().unwrap_or(NO_TABLE) } else { NO_TABLE };
        self.table_of = self.parts.iter().map(table_of).collect();
        Some(())
    }

    fn add_groups(&mut self, may_write: &BitMatrix, leaf_of: &[u32], field_of: &[usize]) {
        let all = self.fields.len();
        for group in GroupIx::all(may_write.rows()) {
            let count = may_write.count(group.ix());
            let is_short = count * SMALL_PART < all || self.fields.len() + count <= all + FEW_FIELDS;
            if count * LARGE_PART > all || !is_short {
                self.written.push(0..self.count);
                continue;
            }
            let start = self.parts.len();
            for slot in may_write.ones(group.ix()) {
                let end = self.fields.len() as u32;
                if self.parts.len() == start
                    || self.parts.last().is_none_or(|last| last.leaf != leaf_of[slot])
                {
                    self.parts.push(LeafPart { leaf: leaf_of[slot], fields: end..end, others: u64::MAX });
                }
                let (field, last) = (self.fields[field_of[slot]], self.parts.last_mut());
                self.fields.push(field);
                let last = last.expect("BUG: there is one now");
                last.fields.end += 1;
                last.others &= !field.place();
            }
            self.written.push(start..self.parts.len());
        }
    }

    /// How many leaves there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The leaf of a slot, if it varies.
    pub(super) fn of_slot(&self, slot: usize) -> Option<usize> {
        Some(self.leaf_of[slot]).filter(|&leaf| leaf != NO_LEAF).map(|leaf| leaf as usize)
    }

    /// How many groups there are.
    pub(super) fn groups(&self) -> usize {
        self.written.len()
    }

    /// All leaves.
    #[inline(always)]
    pub(super) fn all(&self) -> &[LeafPart] {
        &self.parts[..self.count]
    }

    /// What a group may write.
    #[inline(always)]
    pub(super) fn written(&self, group: GroupIx) -> &[LeafPart] {
        &self.parts[self.written[group.ix()].clone()]
    }

    #[inline(always)]
    pub(super) fn fields(&self, part: &LeafPart) -> &[Field] {
        &self.fields[part.fields.start as usize..part.fields.end as usize]
    }

    /// The number of a leaf's value.
    #[inline(always)]
    pub(super) fn number(&self, leaf: usize, raw: u64, spares: &mut [Spare]) -> Result<u32, Crowded> {
        match self.tables.get(self.table_of[leaf] as usize) {
            Some(rows) => {
                Ok(rows.insert(&mut spares[self.table_of[leaf] as usize], rows.hash(&[raw]), &[raw])?.number)
            }
            None => Ok(self.single(leaf).number(raw)),
        }
    }

    /// The field of a leaf that has only one.
    #[inline(always)]
    fn single(&self, leaf: usize) -> Field {
        self.fields[self.parts[leaf].fields.start as usize]
    }

    /// What a worker needs to give numbers to values.
    pub(super) fn spares(&self) -> Vec<Spare> {
        // Numbers are to be dense.
        self.tables.iter().map(|_| Spare::new(1)).collect()
    }

    /// A leaf's value by its number.
    #[inline(always)]
    pub(super) fn raw(&self, leaf: usize, number: u32) -> u64 {
        self.tables
            .get(self.table_of[leaf] as usize)
            .map_or_else(|| self.single(leaf).raw(number), |rows| rows.word(number))
    }

    /// Bits that the numbers of each leaf take in a sample of states.
    pub(super) fn widths(&self, sample: &Sample) -> Vec<u8> {
        let width = |leaf: &LeafPart| match self.fields(leaf) {
            [field] => sample.width(SlotIx::new(field.slot as usize)) as u8,
            fields => {
                let part = |state: &[Value]| -> Vec<Value> {
                    fields.iter().map(|field| state[field.slot as usize]).collect()
                };
                let seen: HashSet<Vec<Value>> = sample.states().map(part).collect();
                (usize::BITS - seen.len().saturating_sub(1).leading_zeros()) as u8
            }
        };
        self.all().iter().map(width).collect()
    }

    /// At a barrier: makes room for more values wherever there is none; `pay` is told how many bytes that
    /// takes at most.
    pub(super) fn grow<E>(&self, pay: impl FnOnce(u64) -> Result<(), E>) -> Result<bool, E> {
        let more = |rows: &Rows| if rows.is_crowded(rows.limit() / 16 + 1) { rows.len() / 2 + 1 } else { 0 };
        pay(self.tables.iter().map(|rows| rows.bytes_after_growth(more(rows)) as u64).sum())?;
        Ok(self.tables.iter().all(|rows| rows.grow(more(rows)).is_ok()))
    }

    /// Bytes of all values with their numbers.
    pub(super) fn table_bytes(&self) -> u64 {
        self.tables.iter().map(|rows| rows.bytes() as u64).sum()
    }

    /// Bytes of the lists of fields.
    pub(super) fn list_bytes(&self) -> u64 {
        let ranges = self.written.capacity() * size_of::<Range<usize>>();
        (self.fields.capacity() * size_of::<Field>() + self.parts.capacity() * size_of::<LeafPart>() + ranges)
            as u64
    }
}

/// The most tables: each takes some time to make.
const MOST_TABLES: usize = 256;
/// The most values that all tables together may hold.
const MOST_VALUES: usize = 1 << 34;
/// The leaf of a slot that no group writes.
const NO_LEAF: u32 = u32::MAX;
/// The table of a leaf that has none.
const NO_TABLE: u32 = u32::MAX;

/// The slots that some group writes.
fn varying(may_write: &BitMatrix) -> Vec<SlotIx> {
    let mut written = vec![false; may_write.columns()];
    GroupIx::all(may_write.rows())
        .flat_map(|group| may_write.ones(group.ix()))
        .for_each(|slot| written[slot] = true);
    (0..written.len()).filter(|&slot| written[slot]).map(SlotIx::new).collect()
}
