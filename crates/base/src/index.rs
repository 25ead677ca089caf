//! Typed indices: a slot can never be used where a group is meant.

macro_rules! index {
    ($(#[$doc:meta] $name:ident),* $(,)?) => {$(
        #[$doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $name {
            /// The index with this number.
            ///
            /// # Panics
            /// When the number does not fit 32 bits; tables that large are refused when they are made.
            #[inline]
            pub fn new(number: usize) -> Self {
                Self(u32::try_from(number).expect("BUG: index past 2^32"))
            }

            /// Its number, to index a slice with.
            #[inline]
            pub fn ix(self) -> usize {
                self.0 as usize
            }

            /// All indices below `count`.
            pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..count).map(Self::new)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

index! {
    /// A slot of the state vector.
    SlotIx,
    /// A transition group.
    GroupIx,
    /// A guard.
    GuardIx,
    /// A state label.
    LabelIx,
    /// A type of values.
    TypeIx,
}
