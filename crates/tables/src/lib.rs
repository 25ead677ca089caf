//! Memory for large tables, and the tables of states made of it: with `native` the only home of `unsafe`.
//!
//! A table of decision diagrams or states does not know how large it will become. It reserves what it may
//! need at most, and the system gives memory as it is touched; what threads have found is never moved while
//! they look.
//!
//! The tables are shared: every call takes `&self` and is lock-free. They grow at *meetings*: all threads
//! stop, one or more of them call `grow` (and take part in the work), and none calls anything else on that
//! table at the same time. Nothing breaks memory if one does, but entries may be lost or doubled. The
//! caller's meeting must order what happens before and after it, as every barrier, channel and lock does. A
//! table says that it is [`Crowded`] when it must grow, and is asked for its bytes before it does.

mod bits;
mod compact;
mod growth;
mod hashing;
mod quotient;
mod reserved;
mod rows;
mod spare;
mod squeeze;
mod sync;
mod tree;

pub use bits::Bits;
pub use compact::{Compact, View};
pub use growth::{Crowded, Full};
pub use hashing::hash;
pub use reserved::{Reserved, Word};
pub use rows::{Entry, Rows};
pub use spare::Spare;
pub use tree::{Path, Roots, Scratch, Tree};
