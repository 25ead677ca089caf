//! Lists, taken apart.

use super::Data;
use crate::store::node::{MOST_OF_A_KIND, Shape};
use crate::term::is_node;
use crate::{Sort, SortIx, Term};

impl Data {
    /// Whether a sort is one of lists.
    pub(crate) fn is_list(&self, sort: SortIx) -> bool {
        matches!(self.spec.sorts.get(sort), Sort::List(_))
    }

    /// How many elements a list has, if it is known to its end.
    pub(crate) fn length(&self, list: u32) -> Option<usize> {
        if !is_node(list) {
            return Some(0);
        }
        let head = self.store.header(list);
        if head.shape() == Shape::Cons && head.number() < MOST_OF_A_KIND && !head.is_open() {
            return Some(head.number() as usize);
        }
        let (mut count, mut rest) = (0, list);
        while let Some((_, tail)) = self.uncons(rest) {
            (count, rest) = (count + 1, tail);
        }
        (rest == Term::EMPTY.0).then_some(count)
    }
}
