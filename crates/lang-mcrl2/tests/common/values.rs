//! Values as the standard library has them, and their texts.

use std::collections::{BTreeMap, BTreeSet};

/// A value; sets of all but some numbers are there, too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Truth(bool),
    /// Numerator and denominator, reduced.
    Number(i128, i128),
    List(Vec<i128>),
    Set {
        all_but: bool,
        members: BTreeSet<i128>,
    },
    Bag(BTreeMap<i128, i128>),
    /// `a`, `b(x, y)` or `c(l)`: in the order of their declaration.
    A,
    B(i128, bool),
    C(Vec<i128>),
}

fn gcd(one: i128, other: i128) -> i128 {
    if other == 0 { one.abs() } else { gcd(other, one % other) }
}

pub fn ratio(over: i128, under: i128) -> Value {
    let by = gcd(over, under) * under.signum();
    Value::Number(over / by, under / by)
}

pub fn numbers(list: impl IntoIterator<Item = i128>) -> String {
    list.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

impl Value {
    pub fn text(&self) -> String {
        match self {
            Self::Truth(value) => value.to_string(),
            Self::Number(over, 1) => over.to_string(),
            Self::Number(over, under) => format!("{over} / {under}"),
            Self::List(list) => format!("[{}]", numbers(list.iter().copied())),
            Self::Set { all_but: false, members } => format!("{{{}}}", numbers(members.iter().copied())),
            Self::Set { members, .. } if members.is_empty() => "{n: Nat | true}".into(),
            Self::Set { members, .. } => format!("!{{{}}}", numbers(members.iter().copied())),
            Self::Bag(bag) if bag.is_empty() => "{:}".into(),
            Self::Bag(bag) => {
                let all: Vec<String> =
                    bag.iter().map(|(element, count)| format!("{element}: {count}")).collect();
                format!("{{{}}}", all.join(", "))
            }
            Self::A => "a".into(),
            Self::B(x, y) => format!("b({x}, {y})"),
            Self::C(l) => format!("c([{}])", numbers(l.iter().copied())),
        }
    }
}
