//! Components in parallel, and the operators over them.
//!
//! `skeleton` unfolds calls until only sequential components are left below the operators. `compose` puts the
//! summands of the components together. Before that, `allow_set` finds which multi-actions the operators
//! above let through, and `combinations` who can do a step together that is one of these. `operators` applies
//! `allow`, `hide`, `comm` and so on to summands.

mod allow_set;
mod combinations;
mod compose;
mod operators;
mod skeleton;

pub(crate) use allow_set::AllowSet;
pub(crate) use compose::Composer;
pub(crate) use skeleton::unfold;
