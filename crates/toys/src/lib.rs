//! What only tests need, in one place for all crates.
//!
//! What comes in is the model that a test has, what goes out is one that behaves worse: [`Altered`]. Random
//! tests take their numbers from [`seeded`], or their first seed from [`seed_or`].

mod altered;
mod seeded;

pub use altered::Altered;
pub use seeded::{seed_or, seeded};
