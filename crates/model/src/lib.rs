//! PINS, the partitioned next-state interface: what a language gives and what an engine takes.
//!
//! A state is a vector of N slots. The transition relation is a union of K groups, →₁ … →ₖ. Matrices say
//! which slots each group reads and writes, and guards say when a group is enabled. Blom, van de Pol & Weber,
//! "Bridging the gap between enumerative and symbolic model checkers", 2009; Meijer, "Improving reachability
//! analysis in LTSmin", 2014, whose definitions are the contract of [`Dependencies`] and of guards.
//!
//! A *short* call is a long call. To ask for the successors of a projected state, an engine writes the
//! projected values over any vector: a group looks only at the slots it reads, so the others do not matter.
//!
//! **What comes in**: what a language makes of a text, as [`Model`]. **Which way it takes**: an engine reads
//! the [`Signature`] (names, types, places) and the [`Dependencies`] (the matrices), takes the initial state,
//! and asks a [`Stepper`] for [`Successors`], group by group or all at once. **What goes out**: an engine
//! answers with a [`Path`] through states, [`Model::unfold`] tells people what happens inside each of its
//! steps, and [`Model::waiting`] why there is none.
//!
//! - `model`: the interface. Its four required parts are all that an engine needs; each optional part has a
//!   default that is always right.
//! - `stepper`: the running part, and observers of transitions.
//! - `signature`, `types`: names, roles and values for people. `dependencies`: the matrices.
//! - `effect`: groups that act on each slot by itself. `predicate`: functions of a state, and those whose
//!   build is known. `path`: states one after the other, and where a loop begins.
//! - `waiting`: who waits for what in a state without successors.
//! - `successors`: the buffer between a stepper and an engine. `error`: what can go wrong in it.

mod dependencies;
mod effect;
mod error;
mod inside;
mod model;
mod path;
mod predicate;
mod signature;
mod stepper;
mod successors;
mod types;
pub mod waiting;

pub use dependencies::{Access, Dependencies};
pub use effect::{Change, Effect, Rule};
pub use error::{EvalError, EvalErrorKind};
pub use inside::{Inside, Message, Mover, Passing, StatementNumber};
pub use model::{Calls, Compiled, Model};
pub use path::Path;
pub use predicate::{Linear, Predicate, StateFunction};
pub use signature::{Group, Guard, Label, LabelKind, Signature, Slot, SlotRole};
pub use stepper::{Observer, Part, Stepper, StopSignal, Truth, every_group, some_groups};
pub use successors::{Head, Spare, Successor, Successors};
pub use types::{Domain, ShowValues, Type};

/// The content of a slot. What it means is up to the slot's [`Type`].
pub type Value = u32;
