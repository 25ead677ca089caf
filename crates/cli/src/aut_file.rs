//! Files in the Aldebaran format as the command line names them: `-` is the standard input or output.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::Path;

use lts::Lts;
use lts::aut::{self, Problem, Unread};
use machine::memory::show_bytes;

use crate::Failure;

/// Whether the name is that of such a file.
pub(crate) fn is_aut(path: &Path) -> bool {
    is_standard(path) || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("aut"))
}

/// Whether the name stands for the standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The system in a file, which takes no more than so many bytes.
pub fn read(path: &Path, bytes: Option<u64>) -> Result<Lts, Failure> {
    let most = bytes.unwrap_or(u64::MAX);
    let read = if is_standard(path) {
        aut::read(&mut std::io::stdin().lock(), most)
    } else {
        if path.is_dir() {
            return Err(Failure::usage(format!("{} is a directory", path.display()), "name one file in it"));
        }
        let file = File::open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::usage(
                format!("there is no file {}", path.display()),
                "check the name and the folder",
            ),
            _ => Failure::file(path.display(), &error),
        })?;
        aut::read(&mut BufReader::with_capacity(1 << 20, file), most)
    };
    read.map_err(|unread| match unread {
        Unread::Wrong(problems, more) => Failure::Text(messages(path, &problems, more)),
        Unread::Full => Failure::Unknown {
            reason: "memory",
            what: format!("{} takes more than the {} that there may be", path.display(), show_bytes(most)),
        },
        Unread::Input(error) => Failure::file(path.display(), &error),
    })
}

fn messages(path: &Path, problems: &[Problem], more: u64) -> String {
    let mut text = String::new();
    for Problem { line, column, message, text: found } in problems {
        let gutter = " ".repeat(line.to_string().len());
        let _ = writeln!(text, "error: {message}\n  --> {}:{line}:{column}", path.display());
        if !found.is_empty() {
            let before = found.get(..column - 1).map_or(0, |before| before.chars().count());
            let _ = writeln!(text, "{line} | {found}\n{gutter} | {}^", " ".repeat(before));
        }
        text.push('\n');
    }
    if more > 0 {
        let _ = writeln!(text, "… and {more} more");
    }
    text
}

/// Writes a system to a file. Who has read enough of the standard output may close it.
pub(crate) fn write(lts: &Lts, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    if is_standard(path) {
        return match aut::write(lts, out) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::file("standard output", &error))
            }
            _ => Ok(()),
        };
    }
    let written = File::create(path).and_then(|file| aut::write(lts, &mut BufWriter::new(file)));
    written.map_err(|error| Failure::file(path.display(), &error))
}
