//! A run as a trail of Spin: a line `depth:process:statement` for each statement, which `spin -t` replays.
//!
//! A `d_step` is one statement; a message that is handed over is two, who sends first. A run to an assertion
//! ends with that, wherever in a step it stands.

use engine::{Ending, Run};
use model::StatementNumber;

use crate::Error;

/// The trail; refuses a run with a statement whose number is not known.
pub fn trail(run: &Run) -> Result<String, Error> {
    let mut text = String::new();
    let mut depth = 0;
    for (number, step) in run.steps.iter().enumerate() {
        // A run to an assertion ends there; one on the way to something else is passed.
        let is_last = run.ending == Ending::Action && number + 1 == run.steps.len();
        if step.inside.is_empty() {
            return Err(Error::NoPromela);
        }
        for inside in &step.inside {
            if inside.movers.is_empty() {
                return Err(Error::NoPromela);
            }
            for mover in &inside.movers {
                match mover.statement {
                    StatementNumber::Known(number) => {
                        depth += 1;
                        text += &format!("{depth}:{}:{number}\n", mover.process);
                    }
                    StatementNumber::Part => {}
                    StatementNumber::Unknown => {
                        return Err(Error::NoStatementNumber {
                            statement: mover.words.clone(),
                            process: mover.name.clone(),
                        });
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
