//! What only tests need, in one place for all crates.
//!
//! What comes in is the model that a test has, what goes out is one that behaves worse: [`Altered`]. A test
//! that makes a model of its own says what it does ([`Behaviour`]) and leaves the rest to the [`frame`].
//! Random tests take their numbers from [`seeded`], or their first seed from [`seed_or`].

mod altered;
pub mod frame;
mod seeded;

pub use altered::Altered;
pub use frame::{Behaviour, BehaviourStepper, failure, limit, signature};
pub use seeded::{seed_or, seeded};
