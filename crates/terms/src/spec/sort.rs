//! Sorts: the types of data. Equal sorts have equal numbers.

use std::collections::HashMap;

/// A sort, by its number in [`Sorts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SortIx(pub u32);

/// What a sort is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// 1, 2, …
    Pos,
    /// 0, 1, …
    Nat,
    /// The integers.
    Int,
    /// The rational numbers: no other real number can be written down.
    Real,
    /// Finite sequences.
    List(SortIx),
    /// Finite sets.
    FSet(SortIx),
    /// Sets, finite or not.
    Set(SortIx),
    /// Finite multisets.
    FBag(SortIx),
    /// Multisets, finite or not.
    Bag(SortIx),
    /// Functions of one or more arguments.
    Function(Box<[SortIx]>, SortIx),
    /// A sort of the user's own, with the constructors that [`crate::DataSpec`] lists for it; by its name,
    /// which no other sort has.
    User(Box<str>),
}

/// The sorts of a specification. The five plain ones are always there.
#[derive(Clone, Debug)]
pub struct Sorts {
    sorts: Vec<Sort>,
    numbers: HashMap<Sort, SortIx>,
}

impl SortIx {
    /// Truth values.
    pub const BOOL: Self = Self(0);
    /// 1, 2, …
    pub const POS: Self = Self(1);
    /// 0, 1, …
    pub const NAT: Self = Self(2);
    /// The integers.
    pub const INT: Self = Self(3);
    /// The rational numbers.
    pub const REAL: Self = Self(4);

    /// Its number, to index a slice with.
    #[inline]
    pub fn ix(self) -> usize {
        self.0 as usize
    }

    /// Whether it is one of the four sorts of numbers.
    pub fn is_number(self) -> bool {
        (Self::POS.0..=Self::REAL.0).contains(&self.0)
    }
}

impl Default for Sorts {
    fn default() -> Self {
        let mut sorts = Self { sorts: Vec::new(), numbers: HashMap::new() };
        for plain in [Sort::Bool, Sort::Pos, Sort::Nat, Sort::Int, Sort::Real] {
            sorts.add(plain);
        }
        sorts
    }
}

impl Sorts {
    /// The number of a sort, a new one if it was not there.
    pub fn add(&mut self, sort: Sort) -> SortIx {
        if let Some(&number) = self.numbers.get(&sort) {
            return number;
        }
        let number = SortIx(u32::try_from(self.sorts.len()).expect("BUG: more than 2^32 sorts"));
        self.sorts.push(sort.clone());
        self.numbers.insert(sort, number);
        number
    }

    /// What a sort is.
    pub fn get(&self, sort: SortIx) -> &Sort {
        &self.sorts[sort.ix()]
    }

    /// The number of a sort that is there.
    pub fn find(&self, sort: &Sort) -> Option<SortIx> {
        self.numbers.get(sort).copied()
    }

    /// All sorts.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (SortIx, &Sort)> {
        self.sorts.iter().enumerate().map(|(at, sort)| (SortIx(at as u32), sort))
    }

    /// A sort as a person writes it.
    pub fn show(&self, sort: SortIx) -> String {
        let of = |name: &str, element: SortIx| format!("{name}({})", self.show(element));
        match self.get(sort) {
            Sort::Bool => "Bool".to_owned(),
            Sort::Pos => "Pos".to_owned(),
            Sort::Nat => "Nat".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Real => "Real".to_owned(),
            Sort::List(element) => of("List", *element),
            Sort::FSet(element) => of("FSet", *element),
            Sort::Set(element) => of("Set", *element),
            Sort::FBag(element) => of("FBag", *element),
            Sort::Bag(element) => of("Bag", *element),
            Sort::User(name) => name.to_string(),
            Sort::Function(arguments, result) => {
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|&argument| match self.get(argument) {
                        Sort::Function(..) => format!("({})", self.show(argument)),
                        _ => self.show(argument),
                    })
                    .collect();
                format!("{} -> {}", arguments.join(" # "), self.show(*result))
            }
        }
    }
}
