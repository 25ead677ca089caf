//! Files in the Aldebaran format as the command line names them: `-` is the standard input or output.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::Path;

use lts::Lts;
use lts::aut::{self, Unread};
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
        Unread::Wrong(problems, more) => {
            let (source, messages) = lang_aut::messages(&path.display().to_string(), &problems, more);
            Failure::text(&messages, &source)
        }
        Unread::Full => Failure::Unknown {
            reason: "memory",
            what: format!("{} takes more than the {} that there may be", path.display(), show_bytes(most)),
        },
        Unread::Input(error) => Failure::file(path.display(), &error),
    })
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
