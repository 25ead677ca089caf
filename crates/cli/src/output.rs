//! What is printed and written.

use std::io::{ErrorKind, Write};
use std::path::Path;

use engine::Verdict;
use report::Outcome;

use crate::Failure;

/// Prints a text. A reader who has seen enough and closed the pipe is not an error: the verdict stands.
pub fn print(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::file("standard output", &error)),
        _ => Ok(()),
    }
}

/// Writes a file.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| Failure::file(file.display(), &error))
}

/// The report as a person reads it, or as one JSON object.
pub(crate) fn report(outcome: &Outcome, json: bool) -> String {
    if json { report::json(outcome) } else { report::text(outcome) }
}

/// 0 holds, 1 violated, 3 unknown.
pub(crate) fn exit_code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Holds => 0,
        Verdict::Violated => 1,
        Verdict::Unknown(_) => 3,
    }
}
