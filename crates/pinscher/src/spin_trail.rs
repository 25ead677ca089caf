//! A run as a trail of Spin: a line `depth:process:statement` for each statement, which `spin -t` replays.
//!
//! A `d_step` is one statement; a message that is handed over is two, who sends first. A run to an assertion
//! ends with that, wherever in a step it stands.

use engine::{Ending, Witness};
use model::StatementNumber;

use crate::Failure;

/// The trail; refuses a run with a statement whose number is not known.
pub(crate) fn trail(witness: &Witness) -> Result<String, Failure> {
    let mut text = String::new();
    let mut depth = 0;
    for (number, step) in witness.steps.iter().enumerate() {
        // A run to an assertion ends there; one on the way to something else is passed.
        let is_last = witness.ending == Ending::Action && number + 1 == witness.steps.len();
        if step.inside.is_empty() {
            return Err(other_language());
        }
        for inside in &step.inside {
            if inside.movers.is_empty() {
                return Err(other_language());
            }
            for mover in &inside.movers {
                match mover.statement {
                    StatementNumber::Known(number) => {
                        depth += 1;
                        text += &format!("{depth}:{}:{number}\n", mover.process);
                    }
                    StatementNumber::Part => {}
                    StatementNumber::Unknown => {
                        return Err(Failure::usage(
                            format!(
                                "it is not known which number Spin gives to `{}` of {}",
                                mover.words, mover.name
                            ),
                            "leave --spin-trail out; the run itself is shown without it",
                        ));
                    }
                }
            }
            if is_last && inside.action != inside.name {
                return Ok(text);
            }
        }
    }
    Ok(text)
}

fn other_language() -> Failure {
    Failure::usage("a trail of Spin can only be written for a model in Promela", "leave --spin-trail out")
}
