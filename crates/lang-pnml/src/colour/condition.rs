//! Conditions of transitions: comparisons of values, and what logic makes of them. Negations are done when a
//! condition is made.

use std::sync::Arc;

use super::multiset::Component;

/// A condition over variables.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// Always so, or never.
    Constant(bool),
    /// Two values compared.
    Compare(Operand, Relation, Operand),
    /// All of them.
    All(Vec<Condition>),
    /// One of them at least.
    Any(Vec<Condition>),
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// They are the same.
    Equal,
    /// They are not.
    Different,
    /// The first is less.
    Less,
    /// The first is not more.
    AtMost,
}

/// A value to compare.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    /// The value of a basic sort; never all values.
    pub part: Component,
    /// How many values its sort has.
    pub size: u64,
    /// What is compared instead of the value: the element of a partition that it is in.
    pub elements: Option<Arc<[u32]>>,
    /// What the value 0 counts as.
    pub origin: i64,
}

impl Operand {
    /// Its value, for given values of variables.
    fn value(&self, values: &[u64]) -> i128 {
        let value = self.part.value(values, self.size).unwrap_or(0);
        match &self.elements {
            Some(elements) => i128::from(elements[value as usize]),
            None => i128::from(self.origin) + i128::from(value),
        }
    }

    /// Its variable, if it has one.
    fn variable(&self) -> Option<usize> {
        match self.part {
            Component::Variable { variable, .. } => Some(variable),
            _ => None,
        }
    }
}

impl Condition {
    /// Whether it holds, for given values of variables.
    pub fn holds(&self, values: &[u64]) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Compare(left, relation, right) => {
                let (left, right) = (left.value(values), right.value(values));
                match relation {
                    Relation::Equal => left == right,
                    Relation::Different => left != right,
                    Relation::Less => left < right,
                    Relation::AtMost => left <= right,
                }
            }
            Self::All(parts) => parts.iter().all(|part| part.holds(values)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(values)),
        }
    }

    /// Visits the variables in it.
    pub fn variables(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Self::Constant(_) => {}
            Self::Compare(left, _, right) => {
                [left, right].into_iter().filter_map(Operand::variable).for_each(visit)
            }
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.variables(visit)),
        }
    }

    /// The same with other numbers for the variables.
    pub fn renumber(&mut self, number: &impl Fn(usize) -> usize) {
        match self {
            Self::Constant(_) => {}
            Self::Compare(left, _, right) => {
                for operand in [left, right] {
                    if let Component::Variable { variable, .. } = &mut operand.part {
                        *variable = number(*variable);
                    }
                }
            }
            Self::All(parts) | Self::Any(parts) => parts.iter_mut().for_each(|part| part.renumber(number)),
        }
    }

    /// The conditions that must all hold.
    pub fn conjuncts(self, list: &mut Vec<Self>) {
        match self {
            Self::All(parts) => parts.into_iter().for_each(|part| part.conjuncts(list)),
            other => list.push(other),
        }
    }

    /// For the condition that two values are the same and a variable that is not known: the operand that it
    /// is in, and the other, from which it follows.
    pub fn solvable(&self, is_known: impl Fn(usize) -> bool) -> Option<(&Operand, &Operand)> {
        let Self::Compare(left, Relation::Equal, right) = self else { return None };
        let unknown = |operand: &Operand| operand.variable().is_some_and(|variable| !is_known(variable));
        match (unknown(left) && left.elements.is_none(), unknown(right) && right.elements.is_none()) {
            (true, false) if !unknown(right) => Some((left, right)),
            (false, true) if !unknown(left) => Some((right, left)),
            _ => None,
        }
    }
}

impl Condition {
    /// Whether it limits a variable once all others in it are known.
    pub fn limits(&self, variable: usize, is_known: impl Fn(usize) -> bool) -> bool {
        let Self::Compare(left, relation, right) = self else { return false };
        let plain = |operand: &Operand| {
            operand.part == Component::Variable { variable, shift: 0 } && operand.elements.is_none()
        };
        let known = |operand: &Operand| operand.variable().is_none_or(&is_known);
        matches!(relation, Relation::Less | Relation::AtMost)
            && (plain(left) && known(right) || plain(right) && known(left))
    }

    /// Leaves out values of a variable that it limits.
    pub fn limit(&self, variable: usize, values: &[u64], range: &mut std::ops::Range<u64>) {
        let Self::Compare(left, relation, right) = self else { return };
        let strict = i128::from(*relation == Relation::Less);
        let clamp = |value: i128| u64::try_from(value.max(0)).unwrap_or(u64::MAX);
        if left.variable() == Some(variable) {
            range.end = range.end.min(clamp(right.value(values) - i128::from(left.origin) - strict + 1));
        } else {
            range.start = range.start.max(clamp(left.value(values) - i128::from(right.origin) + strict));
        }
    }
}

/// The value of the variable in `unknown` that makes it equal to `known`, if there is one.
pub(crate) fn solve(unknown: &Operand, known: &Operand, values: &[u64]) -> Option<u64> {
    let Component::Variable { shift, .. } = unknown.part else { return None };
    let value = u64::try_from(known.value(values) - i128::from(unknown.origin)).ok()?;
    (value < unknown.size).then(|| (value + unknown.size - shift % unknown.size) % unknown.size)
}
