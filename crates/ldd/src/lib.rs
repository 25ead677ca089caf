//! List decision diagrams: sets and relations of vectors of numbers (Blom & van de Pol, ICTAC 2008; Meijer
//! 2014).
//!
//! A [`Store`] holds nodes, each once; an [`Ldd`] is an owned handle to a set in it. Equal sets are the same
//! node. Everything starts small, grows by itself up to the store's limit, and is collected when no handle
//! needs it; out of nodes is an `Err`.
//!
//! Operations recurse once a slot: see [`STACK_A_SLOT`].
//!
//! ```
//! use ldd::{Access, Entry::{Copy, Value}, Shape, Store};
//! let store = Store::with_memory(1 << 24)?;
//! // x := 1 where y = 0, and x stays where y = 1.
//! let shape = Shape::new(2, vec![(0, Access::Write), (1, Access::Read)]);
//! let steps = store.relation(shape).with_rows([&[Value(1), Value(0)][..], &[Copy, Value(1)]])?;
//! let from = store.union(&store.vector(&[7, 0])?, &store.vector(&[7, 1])?)?;
//! let image = store.image(&from, &steps, &store.empty())?;
//! assert!(store.contains(&image, &[1, 0]) && store.contains(&image, &[7, 1]));
//! assert_eq!(store.count(&image), 2u32.into());
//! # Ok::<(), ldd::Stop>(())
//! ```

mod advance;
mod backward;
mod build;
mod by_node;
mod cache;
mod collect;
mod count;
mod crew;
mod domain;
mod dot;
mod dump;
mod enabled;
mod events;
mod extremes;
mod gate;
mod image;
mod join;
mod learned;
mod levels;
mod limits;
mod load;
mod node;
mod pattern;
mod plan;
mod project;
mod reachable;
mod relation;
mod row_count;
mod rules;
mod saturate;
mod save;
mod sets;
mod split;
mod step_count;
mod store;
mod stuck;
mod sums;
mod sync;
mod tally;
mod unique;
mod visit;
mod worker;

/// Bytes of stack that an operation takes for each slot of a vector, at most. A thread's usual two megabytes
/// are enough for 2,000 slots; one that works on wider vectors is to be given more.
pub const STACK_A_SLOT: usize = 1024;

pub use dump::{Dump, DumpError};
pub use learned::{Learned, Rows, Teacher};
pub use plan::{Event, Later, Plan};
pub use reachable::Search;
pub use relation::{Access, Entry, Relation, Shape};
pub use rules::{Change, Rule};
pub use store::{Ldd, Statistics, Stop, Store};
