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
use language::{Form, LoadOptions, Loaded, Monitor, Stated};
use logic::ltl::{self, Dialect};

pub use parser::parse;
pub use preprocess::Options;
pub use preprocess::include::{gather, gather_with};

/// The model in a text, or all that is wrong with it.
pub fn load(source: Arc<Source>, options: &LoadOptions) -> Result<Loaded, Vec<Diagnostic>> {
    let preprocessing = Options { defines: options.defines.clone() };
    let (spec, warnings) = parse(&source, &preprocessing)?;
    let stated = stated(&spec)?;
    let (mut program, tables) = elaborate::elaborate(&spec)?;
    program.message_loss = options.message_loss;
    elaborate::numbering::number(&spec, &mut program);
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
