//! Layers against the plain model: toys written out, and toys made at random from a printed seed.

mod cached;
mod checked;
mod labelled;
mod naive;
mod random;
mod reordered;
mod stack;
mod toy;
