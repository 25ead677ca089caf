//! Nodes: sixteen bytes, three numbers and a word of information, hash-consed by the store.
//!
//! A node is an entry of a list: a value, the diagram below it (`down`), and the rest of the list (`right`),
//! whose values are larger. Node 0 is the empty set, node 1 the set with the empty vector. The word of
//! information is zero in sets; in a relation it tells the level and what the level does, so that a
//! relation's node means the same wherever it stands.

/// The number of a node.
pub(crate) type Id = u32;

/// The empty set.
pub(crate) const EMPTY: Id = 0;
/// The set with the empty vector, and the relation that does nothing.
pub(crate) const UNIT: Id = 1;

/// A node's content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub value: u32,
    pub down: Id,
    pub right: Id,
    pub info: Info,
}

/// What a relation's level does; zero in sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Info(pub u32);

/// What a node of a relation does to the slot of its level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    /// The slot must have the value, which stays.
    Read,
    /// The slot must have the value; a `Write` or `Copy` of the same level stands below.
    Test,
    /// The slot gets the value.
    Write,
    /// The slot stays as it is, whatever its value.
    Copy,
    /// The slot must have this value or a greater one; a `Most` of the same level stands below.
    Least,
    /// The slot must have this value or a smaller one; a `Write`, `Copy` or `Add` of the same level stands
    /// below.
    Most,
    /// The value is added to the slot's, and the sum wraps.
    Add,
}

impl Info {
    pub const SET: Self = Self(0);

    /// Of a relation: the level, counted from the bottom (the last slot is at height 1), and what is done
    /// there.
    pub fn new(height: u32, kind: Kind) -> Self {
        debug_assert!(height > 0 && height < 1 << 28);
        let kind = match kind {
            Kind::Read => 0,
            Kind::Test => 1,
            Kind::Write => 2,
            Kind::Copy => 3,
            Kind::Least => 4,
            Kind::Most => 5,
            Kind::Add => 6,
        };
        Self(height << 3 | kind)
    }

    #[inline]
    pub fn height(self) -> u32 {
        self.0 >> 3
    }

    #[inline]
    pub fn kind(self) -> Kind {
        match self.0 & 7 {
            0 => Kind::Read,
            1 => Kind::Test,
            2 => Kind::Write,
            3 => Kind::Copy,
            4 => Kind::Least,
            5 => Kind::Most,
            _ => Kind::Add,
        }
    }
}

impl Node {
    /// Its place in a list: by value, a copy before all others.
    #[inline]
    pub fn rank(self) -> (bool, u32) {
        (self.info == Info::SET || self.info.kind() != Kind::Copy, self.value)
    }

    /// What a `Write`, `Copy` or `Add` makes of a value.
    #[inline]
    pub fn makes_of(self, value: u32) -> u32 {
        match self.info.kind() {
            Kind::Copy => value,
            Kind::Add => value.wrapping_add(self.value),
            _ => self.value,
        }
    }

    #[inline]
    pub fn pack(self) -> [u64; 2] {
        [
            u64::from(self.value) << 32 | u64::from(self.right),
            u64::from(self.info.0) << 32 | u64::from(self.down),
        ]
    }

    #[inline]
    pub fn unpack([high, low]: [u64; 2]) -> Self {
        Self {
            value: (high >> 32) as u32,
            right: high as u32,
            info: Info((low >> 32) as u32),
            down: low as u32,
        }
    }

    /// A folded multiply of both words: every bit of the node reaches every bit of the hash.
    #[inline]
    pub fn hash(self) -> u64 {
        let [high, low] = self.pack();
        fold(high ^ 0x9E37_79B9_7F4A_7C15, low ^ 0xD1B5_4A32_D192_ED03)
    }
}

/// The two halves of the product, mixed.
#[inline]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}
