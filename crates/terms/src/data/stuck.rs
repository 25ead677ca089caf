//! Why a term did not reduce: the equations do not say what it is, or it is beyond what is computed here.

use std::collections::HashSet;

use super::Data;
use crate::store::node::Shape;
use crate::term::is_node;
use crate::{Op, Term};

impl Data {
    /// Whether a term that did not reduce may well be a value: all that is in its way are quantifiers, and
    /// comparisons of functions or of infinite sets, that cannot be decided here. Otherwise the equations do
    /// not say what it is, as of `head([])`.
    pub fn could_reduce(&self, term: Term) -> bool {
        let (mut todo, mut seen) = (vec![term.0], HashSet::new());
        let mut is_beyond = false;
        while let Some(term) = todo.pop() {
            if !is_node(term) || !self.is_open(term) || !seen.insert(term) {
                continue;
            }
            let (head, parts) = (self.store.header(term), self.store.parts(term));
            if head.shape() == Shape::Quantifier {
                is_beyond = true;
                continue;
            }
            if parts.iter().any(|part| self.is_open(part)) {
                todo.extend(parts.iter());
                continue;
            }
            // The innermost that did not reduce: its parts are values.
            let is_computed = head.shape() == Shape::Op
                && matches!(
                    self.instances.get(head.number()).op,
                    Op::Equal
                        | Op::NotEqual
                        | Op::Less
                        | Op::LessEqual
                        | Op::Greater
                        | Op::GreaterEqual
                        | Op::In
                        | Op::Count
                        | Op::Size
                );
            if !is_computed {
                return false;
            }
            is_beyond = true;
        }
        is_beyond
    }
}
