//! The Aldebaran format, `.aut`, as CADP describes it and as mCRL2 writes it:
//!
//! ```text
//! des (0,3,2)              the initial state, how many transitions and states there are
//! (0,"r1(d1, true)",1)     a transition a line; blanks between tokens do not matter
//! (0, i, 1)                a label without quotes goes up to the last comma, blanks in it left out
//! (1,"say "hello"",0)      a label with quotes goes up to the last quote; nothing in it is escaped
//! ```
//!
//! Differs from mCRL2: a quote inside a label is read back as it was written. As there, a label that is a
//! multi-action is sorted, so that `b|a` and `a|b` are the same, but only where each part looks like an
//! action of mCRL2.

mod label;
mod line;
mod read;
mod write;

pub use read::{Problem, Unread, read};
pub use write::write;
