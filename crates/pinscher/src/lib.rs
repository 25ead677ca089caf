//! Pinscher as a library: load a model, ask, read the report.
//!
//! ```
//! use pinscher::{Check, LoadOptions};
//!
//! let text = "
//!     byte turn = 0;
//!     process Left  { state wait, busy; init wait;
//!                     trans wait -> busy { guard turn == 0; }, busy -> wait { effect turn = 1; }; }
//!     process Right { state wait, busy; init wait;
//!                     trans wait -> busy { guard turn == 1; }, busy -> wait { effect turn = 0; }; }
//!     system async;";
//! let loaded = pinscher::load_text("turns.dve", text, "dve", &LoadOptions::default())?;
//! let report = Check::new(&loaded).everything().invariant("not (Left.busy and Right.busy)")?.run()?;
//! for answer in &report.answers {
//!     println!("{}: {}", answer.property.name, answer.verdict.name());
//! }
//! println!("{}", pinscher::report::text(&report));
//! # assert!(report.answers.iter().all(|answer| answer.verdict == pinscher::engine::Verdict::Holds));
//! # Ok::<(), pinscher::Error>(())
//! ```
//!
//! # A checker in ten minutes
//!
//! 1. **Load.** [`load`] reads a file in any of the [`LANGUAGES`]; [`load_text`] takes a text; a model
//!    written in Rust, a type that implements [`Model`](model::Model), becomes one by [`Loaded::of_model`].
//!    What is wrong with a text comes back whole, as [`Error::Text`], whose `Display` points into the text.
//! 2. **Ask.** [`Check`] asks properties, [`Formulas`] asks those of a file about a net, [`Count`] counts
//!    states, [`Exploration`] shows every transition to an observer. All of them take the same [`Settings`]:
//!    engine, [`Limits`](engine::Limits), layers.
//! 3. **Run.** `run` comes back when the search is over, or a limit was met, or someone cancelled by a
//!    [`CancelToken`](engine::CancelToken) from another thread; all threads of the search have ended then.
//!    Progress is heard by a function, [`Check::on_progress`]. Nothing is printed, and no signal is caught.
//! 4. **Read.** An [`Outcome`](report::Outcome) has an [`Answer`](engine::Answer) for each property: a
//!    [`Verdict`](engine::Verdict) and, where something shows it, [`Evidence`](engine::Evidence), which was
//!    replayed on the model. [`report::text`] and [`report::json`] are what the command line prints.
//!
//! *Holds* is said only after a complete search, *violated* only of what the model does; everything else is
//! *unknown*, with a [`StopReason`](engine::StopReason). The programs in `examples/` check a file and print
//! the run, count states with progress and cancellation, and check a model that is written in Rust.
//!
//! # The way through this crate
//!
//! `load.rs` finds the language of a file in the registry (`languages.rs`) and makes a [`Loaded`] of it.
//! `check.rs`, `formulas.rs`, `count.rs` and `explore.rs` turn what is asked into a plan of the [`planner`],
//! run it by `searching.rs` and make an [`Outcome`](report::Outcome) of what comes back. `error.rs` has all
//! that can be in the way.

#![forbid(unsafe_code)]

mod check;
mod count;
mod error;
mod explore;
mod formulas;
mod languages;
mod load;
mod searching;
mod settings;
mod subject;

pub use check::{Check, unsupported};
pub use count::Count;
pub use error::{Error, FileProblem, OptionNotTaken, UnknownLanguage};
pub use explore::{Exploration, without_room};
pub use formulas::Formulas;
pub use languages::{LANGUAGES, Language, Takes, by_extension, by_name};
pub use load::{LoadOptions, Loaded, load, load_text};
pub use planner::EngineKind as Engine;
pub use planner::Settings;

pub use {base, engine, examine, model, planner, report};
