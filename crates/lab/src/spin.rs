//! Spin as a peer: the same models in Promela searched by Spin and by Pinscher.
//!
//! `verifier.rs` makes Spin's verifier of a file and runs it, and `pan.rs` reads what it says. Two commands are
//! built on that. `compare.rs` puts what both found side by side, in the terms of `findings.rs`; `bench.rs` runs
//! both in the same minute and sets what they took into the rows of `rows.rs`.

pub(crate) mod bench;
pub(crate) mod compare;
mod findings;
mod pan;
mod rows;
mod verifier;

/// How files in Promela end.
const PROMELA: [&str; 6] = ["pml", "prom", "promela", "pm", "prm", "spin"];
