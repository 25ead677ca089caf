//! Promela, the language of Spin (Holzmann), as Spin 6.5 reads it.
//!
//! Text → words, macros expanded (`preprocess`) → tree (`parser`) → names looked up and the flow of control
//! (`elaborate`, `flow`, `table`) → the processes that can be there (`creation`, `world`) → guarded commands
//! (`lower`).
//!
//! Semantics are Spin's without its reductions: the same states, counted as `spin -o1 -o2 -o3` and a verifier
//! made with `-DNOREDUCE` count them, and the same transitions. Differs: a channel that is gone with its
//! process keeps its number; what Spin reports as an error and goes on from (an index outside an array, a
//! variable that holds no channel) is a state behind which nothing is known.

mod asked;
pub mod ast;
mod creation;
mod d_step;
mod elaborate;
mod expressions;
mod flow;
mod holds;
mod include;
mod labels;
mod lower;
mod names;
mod numbering;
mod parser;
mod pieces;
mod preprocess;
mod resolved;
mod separators;
mod table;
mod told;
mod translate;
mod word;
mod world;

use std::sync::Arc;

use base::{Diagnostic, Source};
use language::{Form, LoadOptions, Loaded, Monitor, Stated};
use logic::ltl::{self, Dialect};

pub use include::{gather, gather_with};
pub use parser::parse;
pub use preprocess::Options;

/// The model in a text, or all that is wrong with it.
pub fn load(source: Arc<Source>, options: &LoadOptions) -> Result<Loaded, Vec<Diagnostic>> {
    let preprocessing = Options { defines: options.defines.clone() };
    let (spec, warnings) = parse(&source, &preprocessing)?;
    let stated = stated(&spec)?;
    let (mut program, tables) = elaborate::elaborate(&spec)?;
    program.message_loss = options.message_loss;
    numbering::number(&spec, &mut program);
    let most = options.max_processes.unwrap_or(elaborate::MOST_PROCESSES).min(elaborate::MOST_PROCESSES);
    let model = creation::create(&source, &program, &tables, most)?;
    Ok(Loaded::new(model, warnings).stating(stated))
}

/// The claims and formulas of a text, or what is wrong with the formulas.
fn stated(spec: &ast::Spec) -> Result<Vec<Stated>, Vec<Diagnostic>> {
    let (mut stated, mut problems) = (Vec::new(), Vec::new());
    for unit in &spec.units {
        match unit {
            ast::Unit::Never(never) => stated.push(Stated {
                name: never.name.as_ref().map_or("never".into(), |name| format!("never {}", name.text)),
                span: never.span,
                form: Form::Monitor(Monitor::NeverClaim),
            }),
            ast::Unit::Trace(trace) => stated.push(Stated {
                name: if trace.negated { "notrace".into() } else { "trace".into() },
                span: trace.span,
                form: Form::Monitor(if trace.negated { Monitor::NoTrace } else { Monitor::Trace }),
            }),
            ast::Unit::Ltl(formula) => match ltl::parse(&formula.words, formula.span, Dialect::Spin) {
                Ok(tree) => stated.push(Stated {
                    name: formula.name.as_ref().map_or("ltl".into(), |name| format!("ltl {}", name.text)),
                    span: formula.span,
                    form: Form::Formula(tree),
                }),
                Err(problem) => problems.push(problem),
            },
            _ => {}
        }
    }
    if problems.is_empty() { Ok(stated) } else { Err(problems) }
}
