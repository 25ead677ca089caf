//! Promela, the language of Spin (Holzmann), as Spin 6.5 reads it.
//!
//! # The way of a text
//!
//! 1. `preprocess`: text → words, with macros expanded and files included. What a word is: `word`.
//! 2. `parser`: words → tree (`ast`).
//! 3. `elaborate`: tree → `program`, with names looked up (`resolved`) and the flow of
//!    control of each process type as a graph (`flow`) and as a table of moves (`flow::table`).
//! 4. `creation`: which processes can be there. It makes models to find that out.
//! 5. `world`: the slots of these processes, of variables and of channels.
//! 6. `lower`: moves → guarded commands, one for each move of each process and each way to do it.
//!
//! # Semantics
//!
//! They are Spin's without its reductions: the same states, counted as `spin -o1 -o2 -o3` and a verifier
//! made with `-DNOREDUCE` count them, and the same transitions. Two things differ. A channel that is gone
//! with its process keeps its number. What Spin reports as an error and goes on from (an index outside an
//! array, a variable that holds no channel) is a state behind which nothing is known.

pub mod ast;
mod creation;
mod elaborate;
mod flow;
mod lower;
mod parser;
mod preprocess;
mod program;
mod resolved;
mod word;
mod world;

use std::sync::Arc;

use base::{Diagnostic, Source};
use model::{LoadOptions, Loaded, Unchecked};

pub use parser::parse;
pub use preprocess::Options;
pub use preprocess::include::{gather, gather_with};

/// The model in a text, or all that is wrong with it.
pub fn load(source: Arc<Source>, options: &LoadOptions) -> Result<Loaded, Vec<Diagnostic>> {
    let preprocessing = Options { defines: options.defines.clone() };
    let (spec, warnings) = parse(&source, &preprocessing)?;
    let (mut program, tables) = elaborate::elaborate(&spec)?;
    program.message_loss = options.message_loss;
    elaborate::numbering::number(&spec, &mut program);
    let most = options.max_processes.unwrap_or(elaborate::MOST_PROCESSES).min(elaborate::MOST_PROCESSES);
    let model = creation::create(&source, &program, &tables, most)?;
    Ok(Loaded { model: Arc::new(model), warnings, unchecked: unchecked(&spec), endless: None })
}

/// The claims of a text, which no engine checks yet.
fn unchecked(spec: &ast::Spec) -> Vec<Unchecked> {
    let claim = |unit: &ast::Unit| match unit {
        ast::Unit::Never(never) => Some(Unchecked {
            name: never.name.as_ref().map_or("never".into(), |name| format!("never {}", name.text)),
            span: never.span,
            reason: "checking never claims is not there yet".into(),
        }),
        ast::Unit::Ltl(ltl) => Some(Unchecked {
            name: ltl.name.as_ref().map_or("ltl".into(), |name| format!("ltl {}", name.text)),
            span: ltl.span,
            reason: "checking LTL properties is not there yet".into(),
        }),
        ast::Unit::Trace(trace) => Some(Unchecked {
            name: if trace.negated { "notrace".into() } else { "trace".into() },
            span: trace.span,
            reason: "checking traces of channels is not there yet".into(),
        }),
        _ => None,
    };
    spec.units.iter().filter_map(claim).collect()
}
