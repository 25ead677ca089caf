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
//!
//! # The plan of this crate
//!
//! Each room knows those above it.
//!
//! | room | what is in it |
//! |---|---|
//! | `store` | nodes, the unique table, the cache of operations, garbage collection, the queue of tasks |
//! | `worker` | who runs an operation: makes nodes, and holds what must not be collected meanwhile |
//! | `sets` | sets from vectors, union, intersection, difference, projection, join, members |
//! | `relation` | relations by rows and by rules; images, pre-images, where they lead from |
//! | `counting` | sizes of diagrams, numbers of vectors and of steps |
//! | `sums` | weighted sums of slots: extremes of a set, and the part that is below a bound |
//! | `learning` | relations of which a source tells the steps when they are needed, and schedules of them |
//! | `walk` | walks down a set through many relations: saturation, chaining, breadth-first steps, deadlocks |
//! | `helpers` | threads that take over parts of a running operation |
//! | `formats` | diagrams as bytes, Sylvan's dumps, drawings |
//!
//! A user asks a [`Store`] for an operation. The store begins a worker, the worker recurses through the
//! diagrams, makes nodes and looks answers up in the cache; the answer becomes an [`Ldd`] before the worker
//! ends. While helpers are idle, long lists are split into tasks for them.

mod counting;
mod formats;
mod helpers;
mod learning;
mod relation;
mod sets;
mod store;
mod sums;
mod sync;
mod walk;
mod worker;

/// Bytes of stack that an operation takes for each slot of a vector, at most. A thread's usual two megabytes
/// are enough for 2,000 slots; one that works on wider vectors is to be given more.
pub const STACK_A_SLOT: usize = 1024;

pub use formats::{Dump, DumpError};
pub use learning::{Event, Learned, RelationSource, Replacement, Rows, Schedule};
pub use relation::{Access, Change, Entry, Relation, Rule, Shape};
pub use store::{Ldd, Stop, Store, StoreStatistics};
pub use walk::Search;
