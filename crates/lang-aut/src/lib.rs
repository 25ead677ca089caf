//! Transition systems in the Aldebaran format (`.aut`) as models: one slot, `state`, that holds the number of
//! the state; an action for each label; one group, whose steps are the transitions of the file. A transition
//! that a file has twice is two steps, as in [`lts::aut`]; `tau` and `i` are actions like all others.
//!
//! [`read`] takes the file piece by piece (`lts::aut::read`), makes a `model` of the system, and keeps no
//! text. What is wrong becomes `messages` about a source that has the wrong lines alone. [`load`] does the
//! same with a text that is there as a whole, and points into it.
//!
//! ```
//! let text = "des (0, 2, 2)\n(0, \"up\", 1)\n(1, \"down\", 0)\n";
//! let loaded = lang_aut::read("lift.aut", &mut text.as_bytes(), 1 << 20).unwrap();
//! let mut successors = model::Successors::new(1);
//! loaded.model.stepper().all(loaded.model.initial(), &mut successors).unwrap();
//! let step = successors.get(0);
//! assert_eq!((step.state, &*loaded.model.signature().show_action(step.action)), (&[1][..], "up"));
//! ```

mod messages;
mod model;

use std::io::{self, BufRead};
use std::sync::Arc;

use base::{Diagnostic, Source, Span};
use language::Loaded;
use lts::Lts;
use lts::aut::{self, Unread};

pub use messages::messages;

use crate::model::SystemModel;

/// Why there is no model.
#[derive(Debug)]
pub enum Refusal {
    /// The file is wrong: its wrong lines, and what is wrong with them.
    Wrong(Source, Vec<Diagnostic>),
    /// The system does not fit the memory that it may take.
    Full,
    /// The input failed.
    Input(io::Error),
}

/// The model in a file with this name. The model, and what is needed to make it, take no more than so many
/// bytes.
pub fn read(name: &str, input: &mut dyn BufRead, bytes: u64) -> Result<Loaded, Refusal> {
    let system = aut::read(input, bytes).map_err(|unread| match unread {
        Unread::Wrong(problems, more) => {
            let (source, messages) = messages(name, &problems, more);
            Refusal::Wrong(source, messages)
        }
        Unread::Full => Refusal::Full,
        Unread::Input(error) => Refusal::Input(error),
    })?;
    let held = system.bytes().saturating_add(model::bytes_beside(&system));
    if held > bytes {
        return Err(Refusal::Full);
    }
    modelled(name, system).map_err(|message| Refusal::Wrong(Source::new(name, ""), vec![message]))
}

/// The model in a text, or all that is wrong with the text.
pub fn load(source: Arc<Source>) -> Result<Loaded, Vec<Diagnostic>> {
    // A transition has eight bytes of text at least, and takes some thirty while the system is made. Only
    // states that the first line counts and no other line names may take more than this.
    let most = (source.text().len() as u64).saturating_mul(64).saturating_add(1 << 20);
    let system = aut::read(&mut source.text().as_bytes(), most).map_err(|unread| match unread {
        Unread::Wrong(problems, more) => messages::in_text(&source, &problems, more),
        Unread::Full => {
            vec![Diagnostic::error("there are far more states than transitions", Span::new(0, 0))]
        }
        Unread::Input(error) => vec![Diagnostic::error(error.to_string(), Span::new(0, 0))],
    })?;
    modelled(source.name(), system).map_err(|message| vec![message])
}

fn modelled(name: &str, system: Lts) -> Result<Loaded, Diagnostic> {
    match SystemModel::new(name, system) {
        Ok(model) => Ok(Loaded::new(model, Vec::new())),
        Err(states) => {
            let message = format!("{states} states are more than the 2^31 that a slot can number");
            Err(Diagnostic::error(message, Span::new(0, 0)))
        }
    }
}
