//! What every other crate stands on: typed indices, bit matrices, value interning, and source text
//! with diagnostics that point into it. It knows nothing of models or languages.

mod bits;
mod diagnostic;
mod index;
mod intern;
mod problems;
mod random;
mod reading;
mod render;
mod runs;
mod shown;
mod source;
mod span;
mod suggest;
mod words;

pub use bits::{BitMatrix, ones};
pub use diagnostic::{Diagnostic, Severity};
pub use index::{GroupIx, GuardIx, LabelIx, SlotIx, TypeIx};
pub use intern::Interner;
pub use problems::Problems;
pub use random::SplitMix64;
pub use reading::read_up_to;
pub use render::render_all;
pub use runs::Runs;
pub use shown::{shown, shown_lines};
pub use source::{Position, Source};
pub use span::Span;
pub use suggest::closest;
pub use words::{Cursor, Reported, Word, Words};
