//! The system itself: transitions sorted by their source, in one array, with the place where those of each
//! state begin.

use crate::index::{ActionIx, Edge, StateIx};
use crate::labels::Texts;

/// A labelled transition system.
///
/// Transitions that differ in nothing may be there more than once, as in the files that such systems come
/// from, and so may states that cannot be reached. There is one initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    labels: Texts,
    initial: StateIx,
    /// The edges of state s are those from `starts[s]` up to `starts[s + 1]`.
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

impl Lts {
    /// The system of these parts.
    ///
    /// # Panics
    /// When they do not fit each other.
    pub(crate) fn new(labels: Texts, initial: StateIx, starts: Vec<u32>, edges: Vec<Edge>) -> Self {
        assert!(initial.ix() + 1 < starts.len(), "BUG: the initial state is none of the states");
        assert_eq!(starts.last().map(|&end| end as usize), Some(edges.len()), "BUG: edges of no state");
        Self { labels, initial, starts, edges }
    }

    /// How many states there are; one at least.
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    /// Where it begins.
    pub fn initial(&self) -> StateIx {
        self.initial
    }

    /// The labels, each once. There may be some that no transition has.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.labels.len()).map(|number| self.labels.get(number))
    }

    /// A label.
    pub fn label(&self, action: ActionIx) -> &str {
        self.labels.get(action.ix())
    }

    /// The transitions of a state.
    #[inline]
    pub fn edges(&self, state: StateIx) -> &[Edge] {
        &self.edges[self.starts[state.ix()] as usize..self.starts[state.ix() + 1] as usize]
    }

    /// All states.
    pub fn all_states(&self) -> impl ExactSizeIterator<Item = StateIx> + use<> {
        (0..self.states() as u32).map(StateIx)
    }

    /// All transitions, each with its source, sorted by it.
    pub fn all_edges(&self) -> impl Iterator<Item = (StateIx, Edge)> {
        self.all_states().flat_map(|state| self.edges(state).iter().map(move |&edge| (state, edge)))
    }

    /// How many states have no transition.
    pub fn deadlocks(&self) -> usize {
        self.starts.windows(2).filter(|ends| ends[0] == ends[1]).count()
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> u64 {
        let edges = self.starts.len() * size_of::<u32>() + self.edges.len() * size_of::<Edge>();
        self.labels.bytes() + edges as u64
    }
}
