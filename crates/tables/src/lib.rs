//! Memory for large tables, and the tables of states made of it: with `native` the only home of `unsafe`.
//!
//! A table of decision diagrams or states does not know how large it will become. It reserves what it may
//! need at most, and the system gives memory as it is touched ([`Reserved`]). So nothing that was found is
//! ever moved while threads look at it.
//!
//! The tables:
//!
//! - [`Rows`]: rows of words, each with a number that stays.
//! - [`Compact`]: integers, near the least memory that a set can have.
//! - [`Tree`]: states folded into pairs of shared parts, made of the two others.
//! - [`Bits`]: a few bits for each member, so that one may be taken for another (bitstate hashing).
//!
//! All are shared: every call takes `&self` and is lock-free. They grow at *barriers*: all threads stop,
//! one or more of them call `grow` (and take part in the work), and none calls anything else on that table
//! at the same time. Nothing breaks memory if one does, but entries may be lost or doubled. The barrier
//! must order what happens before and after it, as those of the standard library and locks do. A table says
//! that it is [`Crowded`] when it must grow, and is asked for its bytes before it does.

mod bits;
mod compact;
mod growth;
mod hashing;
mod reserved;
mod rows;
mod sync;
mod tree;

pub use bits::Bits;
pub use compact::{Compact, View};
pub use growth::{Crowded, Full};
pub use hashing::hash;
pub use reserved::{Reserved, Word};
pub use rows::{Entry, Rows, Spare};
pub use tree::{Path, Roots, Scratch, Tree};
