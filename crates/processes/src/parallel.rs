//! PAR

mod combinations;
mod compose;
mod operators;
mod skeleton;
mod survivors;

pub(crate) use compose::Composer;
pub(crate) use skeleton::unfold;
pub(crate) use survivors::Survivors;
