//! Models that only tests need, in one place for all crates.
//!
//! What comes in is the model that a test has, what goes out is one that behaves worse: [`Altered`].

mod altered;

pub use altered::Altered;
