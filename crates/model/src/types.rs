//! Types: what the value in a slot means to a person, and how many bits it can need.

use std::borrow::Cow;
use std::sync::Arc;

use base::Interner;

use crate::Value;

/// A named type.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name in the source language.
    pub name: String,
    /// Its values.
    pub domain: Domain,
}

/// The values of a type, and how a slot holds them.
#[derive(Clone, Debug)]
pub enum Domain {
    /// The integers `lo ..= hi`; the slot holds the two's complement.
    Range {
        /// The least.
        lo: i32,
        /// The greatest.
        hi: i32,
    },
    /// Named values; the slot holds the position of the name.
    Names(Vec<String>),
    /// Values that appear during the search; the slot holds the number the table gave them.
    Interned(Arc<Interner<str>>),
    /// Values that only the language knows to show: terms, say.
    Shown(Arc<dyn ShowValues>),
}

/// Values as a person reads them.
pub trait ShowValues: Send + Sync + std::fmt::Debug {
    /// A value as text.
    fn show(&self, value: Value) -> String;
    /// The value with this text, if it is one that can be read.
    fn named(&self, text: &str) -> Option<Value>;
    /// Whether the text of some value may match this pattern, in which `*` stands for anything. That of no
    /// value does where it is certain; the default knows nothing.
    fn may_match(&self, _pattern: &str) -> bool {
        true
    }
    /// What texts look like, for a person who wrote one that is none: `send(Nat, Bool)`.
    fn shapes(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Type {
    /// The integers `lo ..= hi`.
    pub fn range(name: impl Into<String>, lo: i32, hi: i32) -> Self {
        Self { name: name.into(), domain: Domain::Range { lo, hi } }
    }

    /// Named values.
    pub fn names(name: impl Into<String>, names: Vec<String>) -> Self {
        Self { name: name.into(), domain: Domain::Names(names) }
    }

    /// A value as a person reads it.
    pub fn show(&self, value: Value) -> Cow<'_, str> {
        match &self.domain {
            Domain::Range { .. } => Cow::Owned(value.cast_signed().to_string()),
            Domain::Names(names) => names
                .get(value as usize)
                .map_or_else(|| Cow::Owned(format!("#{value}")), |name| Cow::Borrowed(name.as_str())),
            Domain::Shown(values) => Cow::Owned(values.show(value)),
            Domain::Interned(table) => {
                Cow::Owned(table.value(value).map_or_else(|| format!("#{value}"), |name| name.to_string()))
            }
        }
    }

    /// The value with this name, for types whose values have names.
    pub fn named(&self, name: &str) -> Option<Value> {
        match &self.domain {
            Domain::Range { .. } => None,
            Domain::Names(names) => names.iter().position(|n| n == name).map(|at| at as Value),
            Domain::Interned(table) => table.number(name),
            Domain::Shown(values) => values.named(name),
        }
    }

    /// Whether the slot's value is to be read as a signed number.
    pub fn is_signed(&self) -> bool {
        matches!(self.domain, Domain::Range { lo, .. } if lo < 0)
    }

    /// How many bits hold every value of the type: two's complement where [`Type::is_signed`].
    pub fn bits(&self) -> u32 {
        let unsigned = |greatest: u32| u32::BITS - greatest.leading_zeros();
        match &self.domain {
            Domain::Range { lo, hi } if *lo < 0 => {
                1 + unsigned((!lo).cast_unsigned().max((*hi).max(0).cast_unsigned()))
            }
            Domain::Range { hi, .. } => unsigned(hi.cast_unsigned()),
            Domain::Names(names) => {
                unsigned(u32::try_from(names.len().saturating_sub(1)).unwrap_or(u32::MAX))
            }
            Domain::Interned(_) | Domain::Shown(_) => u32::BITS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_enough_and_not_more() {
        for (lo, hi, bits) in [
            (0, 0, 0),
            (0, 1, 1),
            (0, 255, 8),
            (0, 256, 9),
            (-1, 0, 1),
            (-1, 1, 2),
            (-128, 127, 8),
            (-129, 0, 9),
            (-32768, 32767, 16),
            (i32::MIN, i32::MAX, 32),
            (0, i32::MAX, 31),
        ] {
            assert_eq!(Type::range("t", lo, hi).bits(), bits, "{lo}..={hi}");
        }
        assert_eq!(Type::names("t", vec!["a".into(); 5]).bits(), 3);
    }
}
