//! Sorts while they are being found out: parts of them may be open.
//!
//! `[]` is a `List(?)` until something tells of what. A type without open parts is a sort; equal types have
//! equal numbers.

use std::collections::HashMap;

use terms::{Sort, SortIx, Sorts};

/// A type, by its number in [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Ty(u32);

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Type {
    /// Not known.
    Open,
    /// The sort that cannot be told apart further: plain ones, and the user's own.
    Plain(Sort),
    List(Ty),
    FSet(Ty),
    Set(Ty),
    FBag(Ty),
    Bag(Ty),
    Function(Box<[Ty]>, Ty),
}

/// How long a type is shown before it is cut: texts can define sorts that are very long when written out.
const WIDEST: usize = 120;

/// How deep a type may be; what walks it is recursive.
pub(crate) const DEEPEST: u16 = 500;

/// The types of a text.
#[derive(Debug)]
pub(crate) struct Types {
    types: Vec<TypeEntry>,
    numbers: HashMap<Type, Ty>,
}

#[derive(Debug)]
struct TypeEntry {
    is: Type,
    is_open: bool,
    depth: u16,
    /// The sort that it is, once it was asked for.
    sort: Option<SortIx>,
    /// The widest type, likewise.
    widest: Option<Ty>,
}

impl Ty {
    pub const OPEN: Self = Self(0);
    pub const BOOL: Self = Self(1);
    pub const POS: Self = Self(2);
    pub const NAT: Self = Self(3);
    pub const INT: Self = Self(4);
    pub const REAL: Self = Self(5);

    /// Whether it is one of the four sorts of numbers.
    pub fn is_number(self) -> bool {
        (Self::POS..=Self::REAL).contains(&self)
    }
}

impl Types {
    pub fn new() -> Self {
        let mut types = Self { types: Vec::new(), numbers: HashMap::new() };
        types.add(Type::Open);
        for plain in [Sort::Bool, Sort::Pos, Sort::Nat, Sort::Int, Sort::Real] {
            types.add(Type::Plain(plain));
        }
        types
    }

    /// The number of a type, a new one if it was not there.
    pub fn add(&mut self, is: Type) -> Ty {
        if let Some(&number) = self.numbers.get(&is) {
            return number;
        }
        let (mut is_open, mut depth) = (is == Type::Open, 0);
        for part in parts(&is) {
            is_open |= self.is_open(part);
            depth = depth.max(self.depth(part));
        }
        let number = Ty(u32::try_from(self.types.len()).expect("BUG: more than 2^32 types"));
        self.types.push(TypeEntry {
            is: is.clone(),
            is_open,
            depth: depth.saturating_add(1),
            sort: None,
            widest: None,
        });
        self.numbers.insert(is, number);
        number
    }

    /// A sort of the user's own.
    pub fn user(&mut self, name: &str) -> Ty {
        self.add(Type::Plain(Sort::User(name.into())))
    }

    pub fn get(&self, ty: Ty) -> &Type {
        &self.types[ty.0 as usize].is
    }

    /// Whether some of it is not known.
    pub fn is_open(&self, ty: Ty) -> bool {
        self.types[ty.0 as usize].is_open
    }

    pub fn depth(&self, ty: Ty) -> u16 {
        self.types[ty.0 as usize].depth
    }

    /// Whether it is a sort of the user's own.
    pub fn is_user(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Plain(Sort::User(_)))
    }

    /// The type that is both, if there is one: what is open in one is taken from the other.
    pub fn unify(&mut self, one: Ty, other: Ty) -> Option<Ty> {
        if one == other || other == Ty::OPEN {
            return Some(one);
        }
        if one == Ty::OPEN {
            return Some(other);
        }
        if !self.is_open(one) && !self.is_open(other) {
            return None;
        }
        let both = match (self.get(one).clone(), self.get(other).clone()) {
            (Type::List(one), Type::List(other)) => Type::List(self.unify(one, other)?),
            (Type::FSet(one), Type::FSet(other)) => Type::FSet(self.unify(one, other)?),
            (Type::Set(one), Type::Set(other)) => Type::Set(self.unify(one, other)?),
            (Type::FBag(one), Type::FBag(other)) => Type::FBag(self.unify(one, other)?),
            (Type::Bag(one), Type::Bag(other)) => Type::Bag(self.unify(one, other)?),
            (Type::Function(ones, one), Type::Function(others, other)) if ones.len() == others.len() => {
                let arguments: Option<Box<[Ty]>> =
                    ones.iter().zip(&others).map(|(&one, &other)| self.unify(one, other)).collect();
                Type::Function(arguments?, self.unify(one, other)?)
            }
            _ => return None,
        };
        Some(self.add(both))
    }

    /// The types that its values can become without being asked, itself first, each with what it costs: `Pos`
    /// is `Nat` is `Int` is `Real`, finite sets are sets, finite bags are bags.
    pub fn wider(&mut self, ty: Ty) -> impl Iterator<Item = (Ty, u32)> + use<> {
        let set = match *self.get(ty) {
            Type::FSet(element) => Some(self.add(Type::Set(element))),
            Type::FBag(element) => Some(self.add(Type::Bag(element))),
            _ => None,
        };
        let numbers = if ty.is_number() { ty.0 + 1..Ty::REAL.0 + 1 } else { 0..0 };
        let first = numbers.start;
        let numbers = numbers.map(move |number| (Ty(number), number - first + 1));
        std::iter::once((ty, 0)).chain(set.map(|set| (set, 1))).chain(numbers)
    }

    /// The type with all that is in it made as wide as can be: types for which it is the same differ only in
    /// how narrow they are.
    pub fn widest(&mut self, ty: Ty) -> Ty {
        if let Some(widest) = self.types[ty.0 as usize].widest {
            return widest;
        }
        let wide = match self.get(ty).clone() {
            _ if ty.is_number() => self.get(Ty::REAL).clone(),
            same @ (Type::Open | Type::Plain(_)) => same,
            Type::List(element) => Type::List(self.widest(element)),
            Type::FSet(element) | Type::Set(element) => Type::Set(self.widest(element)),
            Type::FBag(element) | Type::Bag(element) => Type::Bag(self.widest(element)),
            Type::Function(arguments, result) => {
                let arguments = arguments.iter().map(|&argument| self.widest(argument)).collect();
                Type::Function(arguments, self.widest(result))
            }
        };
        let widest = self.add(wide);
        self.types[ty.0 as usize].widest = Some(widest);
        widest
    }

    /// The sort that it is. What is open counts as `Bool`; who cares asked before.
    pub fn sort(&mut self, ty: Ty, sorts: &mut Sorts) -> SortIx {
        if let Some(sort) = self.types[ty.0 as usize].sort {
            return sort;
        }
        let sort = match self.get(ty).clone() {
            Type::Open => Sort::Bool,
            Type::Plain(sort) => sort,
            Type::List(element) => Sort::List(self.sort(element, sorts)),
            Type::FSet(element) => Sort::FSet(self.sort(element, sorts)),
            Type::Set(element) => Sort::Set(self.sort(element, sorts)),
            Type::FBag(element) => Sort::FBag(self.sort(element, sorts)),
            Type::Bag(element) => Sort::Bag(self.sort(element, sorts)),
            Type::Function(arguments, result) => {
                let arguments = arguments.iter().map(|&argument| self.sort(argument, sorts)).collect();
                Sort::Function(arguments, self.sort(result, sorts))
            }
        };
        let sort = sorts.add(sort);
        self.types[ty.0 as usize].sort = Some(sort);
        sort
    }

    /// A type as a person writes it, cut where it gets long.
    pub fn show(&self, ty: Ty) -> String {
        let mut text = String::new();
        self.write(ty, &mut text);
        if let Some((end, _)) = text.char_indices().nth(WIDEST) {
            text.truncate(end);
            text.push('…');
        }
        text
    }

    fn write(&self, ty: Ty, text: &mut String) {
        if text.len() > WIDEST * 4 {
            return;
        }
        let (name, element) = match self.get(ty) {
            Type::Open => return text.push('?'),
            Type::Plain(Sort::User(name)) => return text.push_str(name),
            Type::Plain(plain) => return text.push_str(&format!("{plain:?}")),
            Type::List(element) => ("List", element),
            Type::FSet(element) => ("FSet", element),
            Type::Set(element) => ("Set", element),
            Type::FBag(element) => ("FBag", element),
            Type::Bag(element) => ("Bag", element),
            Type::Function(arguments, result) => {
                for (at, &argument) in arguments.iter().enumerate() {
                    if at > 0 {
                        text.push_str(" # ");
                    }
                    let inner = matches!(self.get(argument), Type::Function(..));
                    text.push_str(if inner { "(" } else { "" });
                    self.write(argument, text);
                    text.push_str(if inner { ")" } else { "" });
                }
                text.push_str(" -> ");
                return self.write(*result, text);
            }
        };
        text.push_str(name);
        text.push('(');
        self.write(*element, text);
        text.push(')');
    }

    /// Several types, for a message.
    pub fn show_all(&self, types: impl IntoIterator<Item = Ty>) -> String {
        let shown: Vec<String> = types.into_iter().map(|ty| format!("`{}`", self.show(ty))).collect();
        match shown.split_last() {
            None => "nothing".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, before)) => format!("{} and {last}", before.join(", ")),
        }
    }
}

fn parts(ty: &Type) -> Vec<Ty> {
    match ty {
        Type::Open | Type::Plain(_) => Vec::new(),
        Type::List(part) | Type::FSet(part) | Type::Set(part) | Type::FBag(part) | Type::Bag(part) => {
            vec![*part]
        }
        Type::Function(arguments, result) => arguments.iter().copied().chain([*result]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_taken_from_the_other() {
        let mut types = Types::new();
        let open = types.add(Type::List(Ty::OPEN));
        let lists = types.add(Type::List(open));
        let nat = types.add(Type::List(Ty::NAT));
        let nats = types.add(Type::List(nat));
        assert_eq!(types.unify(lists, nats), Some(nats));
        assert_eq!(types.unify(nats, open), Some(nats));
        assert_eq!(types.unify(lists, nat), None);
        assert_eq!(types.unify(Ty::NAT, Ty::INT), None);
        let one = types.add(Type::Function([Ty::OPEN, Ty::NAT].into(), Ty::BOOL));
        let other = types.add(Type::Function([nat, Ty::OPEN].into(), Ty::OPEN));
        let both = types.unify(one, other).unwrap();
        assert_eq!(types.show(both), "List(Nat) # Nat -> Bool");
    }

    #[test]
    fn numbers_and_finite_sets_become_wider() {
        let mut types = Types::new();
        assert_eq!(types.wider(Ty::NAT).collect::<Vec<_>>(), [(Ty::NAT, 0), (Ty::INT, 1), (Ty::REAL, 2)]);
        let (finite, any) = (types.add(Type::FSet(Ty::BOOL)), types.add(Type::Set(Ty::BOOL)));
        assert_eq!(types.wider(finite).collect::<Vec<_>>(), [(finite, 0), (any, 1)]);
        assert_eq!(types.wider(Ty::BOOL).collect::<Vec<_>>(), [(Ty::BOOL, 0)]);
    }

    #[test]
    fn a_sort_that_would_be_very_long_is_cut() {
        let mut types = Types::new();
        let mut ty = Ty::NAT;
        for _ in 0..100 {
            ty = types.add(Type::Function([ty, ty].into(), ty));
        }
        assert!(types.show(ty).len() < 1000);
    }
}
