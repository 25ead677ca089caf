//! Sets and bags as nodes.
//!
//! A finite set is its elements in order. A set that is not finite is a function and a finite set of
//! exceptions, the elements for which the function is wrong: `{n: Nat | n > 3} - {7}` is the function *n > 3*
//! and the set {7}. A bag is likewise elements with their numbers, or a function to numbers and a finite bag
//! of exceptions: the exception says how often an element is there, or that it is there not at all, by the
//! number that the function has.
//!
//! A finite set has the function that is false everywhere; it is stored as the exceptions alone, so to widen
//! a finite set is to do nothing. Sets are canonical as far as their functions are.

use std::cmp::Ordering;

use super::Data;
use crate::store::node::{Combinator, Shape};
use crate::term::is_node;

/// The function that is false, or 0, everywhere; it needs no node.
pub(crate) const NOWHERE: u32 = 0;

impl Data {
    /// The function and the finite part of a set or bag, if it is known: (0, s) if it is finite.
    pub(crate) fn by_function(&self, set: u32) -> Option<(u32, u32)> {
        if !is_node(set) {
            return Some((NOWHERE, set));
        }
        match self.store.header(set).shape() {
            Shape::Set | Shape::Bag => Some((NOWHERE, set)),
            Shape::SetBy | Shape::BagBy => Some((self.store.part(set, 0), self.store.part(set, 1))),
            _ => None,
        }
    }

    /// Whether it is x ↦ true or x ↦ 1.
    pub(crate) fn is_constant_function(&self, function: u32) -> bool {
        self.is_made(function, Combinator::True) || self.is_made(function, Combinator::One)
    }

    pub(crate) fn is_made(&self, function: u32, made: Combinator) -> bool {
        is_node(function) && {
            let head = self.store.header(function);
            head.shape() == Shape::Combinator && head.number() == made as u32
        }
    }

    /// The words of a finite set or bag.
    pub(crate) fn row(&self, set: u32) -> Vec<u32> {
        if is_node(set) { self.store.parts(set).iter().collect() } else { Vec::new() }
    }

    /// Where a term stands in a finite set (`step` 1) or bag (2).
    pub(crate) fn find(&self, set: u32, step: usize, term: u32) -> Option<usize> {
        if !is_node(set) {
            return None;
        }
        let parts = self.store.parts(set);
        let (mut low, mut high) = (0, parts.len() / step);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.arrange(parts.get(step * middle), term) {
                Ordering::Equal => return Some(middle),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }
}
