//! Components in parallel, and the operators over them.
//!
//! `skeleton` unfolds calls until only sequential components are left below the operators. `compose` puts the
//! summands of the components together. Before that, `alphabet` finds what can be done at all, `allow_set`
//! which multi-actions the operators above let through, and `combinations` who can do a step together that is
//! one of these, of which `cluster` makes fewer where there are too many. `operators` applies `allow`,
//! `hide`, `comm` and so on to summands.

mod allow_set;
mod alphabet;
mod cluster;
mod combinations;
mod compose;
mod operators;
mod skeleton;

pub(crate) use allow_set::AllowSet;
pub(crate) use alphabet::Alphabets;
pub(crate) use compose::Composer;
pub(crate) use skeleton::unfold;
