//! Spin as a peer: the same models in Promela searched by Spin and by Pinscher.
//!
//! `verifier.rs` makes Spin's verifier of a file and runs it, and `pan.rs` reads what it says. Two commands
//! are built on that. `compare.rs` puts what both found side by side, in the terms of `findings.rs`;
//! `bench.rs` runs both in the same minute and sets what they took into the rows of `rows.rs`.

pub(crate) mod bench;
pub(crate) mod compare;
mod findings;
mod pan;
mod rows;
mod verifier;

use pinscher::by_extension;

/// What Pinscher calls the language that both read.
const PROMELA: &str = "promela";

/// Whether files in Promela end like this.
fn is_promela(extension: &str) -> bool {
    by_extension(extension).is_some_and(|language| language.name == PROMELA)
}
