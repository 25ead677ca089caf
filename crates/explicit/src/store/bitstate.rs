//! *Bitstate hashing* (Holzmann 1988), for models that fit in no other way: each state sets a few bits. A
//! state may be taken for another one and left out. The table does not grow: it takes its part of the
//! memory at once.

use tables::Bits;

use super::keyed::{KeySet, Keyed};
use super::{Crowded, StorePlan};
use crate::budget::{Account, Exhausted};
use crate::packing::Layout;

/// Bits that a state sets; a good number for any load that leaves hope.
const BITS_A_STATE: u32 = 3;

/// The part of the memory that bits take.
const MEMORY_PART: u64 = 2;

/// The bits where there is no limit of memory.
const MOST_BYTES: u64 = 4 << 30;

/// The store of bits.
pub(crate) type Bitstate = Keyed<BitKeys>;

/// Keys as bits that are set.
pub(crate) struct BitKeys {
    bits: Bits,
    _account: Account,
}

impl Bitstate {
    /// An empty store that takes a part of the memory.
    pub(crate) fn new(plan: &StorePlan<'_>) -> Option<Self> {
        Self::of(BitKeys::new(plan), plan)
    }
}

impl BitKeys {
    fn new(plan: &StorePlan<'_>) -> Option<Self> {
        let bytes = (plan.budget.left() / MEMORY_PART).min(MOST_BYTES);
        let mut account = Account::new(plan.budget);
        account.reach(bytes).ok()?;
        Some(Self { bits: Bits::new(bytes as usize)?, _account: account })
    }
}

impl KeySet for BitKeys {
    type View<'a> = &'a Self;

    #[inline]
    fn key(words: &[u64]) -> u64 {
        tables::hash(words)
    }

    #[inline]
    fn view(&self) -> &Self {
        self
    }

    #[inline]
    fn place(view: &&Self, key: u64) -> u64 {
        view.bits.prefetch(key, BITS_A_STATE);
        key
    }

    #[inline]
    fn insert(view: &&Self, key: u64, _: u64) -> Result<bool, Crowded> {
        Ok(view.bits.insert(key, BITS_A_STATE))
    }

    fn contains(&self, key: u64) -> bool {
        self.bits.contains(key, BITS_A_STATE)
    }

    fn widen(&self, _: &Layout, _: u64) -> Result<(), Exhausted> {
        Ok(())
    }

    fn is_crowded(&self, _: u64) -> bool {
        false
    }

    fn grow(&self, _: u64) -> Result<(), Exhausted> {
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bits.bytes() as u64
    }

    /// A state that comes now is taken for a known one with this probability.
    fn omission(&self, _: u64) -> Option<f64> {
        let load = self.bits.set_bits() as f64 / self.bits.len() as f64;
        Some(load.powi(BITS_A_STATE as i32))
    }
}
