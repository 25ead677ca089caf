//! Terms taken apart.

use crate::node::Shape;
use crate::term::is_node;
use crate::{Data, FunIx, SortIx, Term};

impl Data {
    /// The function of the specification that a term of a user's sort has on top, and its arguments.
    pub fn parts(&self, term: Term, sort: SortIx) -> Option<(FunIx, Vec<Term>)> {
        if is_node(term.0) {
            let head = self.store.head(term.0);
            let call = head.shape() == Shape::Call;
            return call.then(|| (FunIx(head.number()), self.store.parts(term.0).iter().map(Term).collect()));
        }
        let constructor = self.constructors.get(sort.ix())?.get(term.0 as usize)?;
        Some((*constructor, Vec::new()))
    }
}
