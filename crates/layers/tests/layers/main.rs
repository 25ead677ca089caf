//! Layers against the plain model: toys written out, and toys made at random from a printed seed.

mod cached;
mod checked;
mod labelled;
mod merging;
mod naive;
mod orders;
mod predicates;
mod project_models;
mod random;
mod regrouped;
mod stack;
mod toy;
