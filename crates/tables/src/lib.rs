//! Memory for large tables: the only home of `unsafe`.
//!
//! A table of decision diagrams or states does not know how large it will become. It reserves what it may need at most, and the system gives
//! memory as it is touched; nothing is ever moved.

mod reserved;

pub use reserved::{Reserved, Word};
