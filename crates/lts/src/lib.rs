//! Labelled transition systems: states by number, transitions with a text on them, nothing else.
//!
//! A system comes from a file ([`aut`]) or from the search of a model ([`Recorder`]), is reduced modulo an
//! equivalence ([`strong`]), and goes to a file. An equivalence and a format are each a module of their own:
//! a partition of the states that an equivalence finds becomes a system again by [`quotient()`], whatever
//! equivalence it is.
//!
//! ```
//! let text = "des (0,3,3)\n(0,\"a\",1)\n(0,\"a\",2)\n(1,\"b\",0)\n";
//! let read = lts::aut::read(&mut text.as_bytes(), u64::MAX).unwrap();
//! let small = lts::strong::reduce(&read, &mut || false).unwrap();
//! assert_eq!((small.states(), small.transitions()), (3, 3));
//! ```

pub mod aut;
mod builder;
mod hashing;
mod index;
mod labels;
mod partition;
mod quotient;
mod recorder;
mod room;
pub mod strong;
mod system;

pub use builder::{Builder, Full};
pub use index::{ActionIx, Edge, StateIx};
pub use partition::{BlockIx, Partition};
pub use quotient::quotient;
pub use recorder::Recorder;
pub use room::Room;
pub use system::Lts;

/// Someone asked to stop: time is up, or a user has waited long enough. Nothing was found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped before it was done")
    }
}

impl std::error::Error for Stopped {}
