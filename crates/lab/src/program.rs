//! The program that is measured: `pinscher`, which is started anew for each run.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

use cli::Failure;

/// Where the program `pinscher` is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program(PathBuf);

impl Program {
    /// The program at this path.
    pub fn find(path: &Path) -> Result<Self, Failure> {
        let help = "build it by `cargo build -p cli`, with --release as here; or name one: \
                    --program target/release/pinscher";
        if !path.is_file() {
            return Err(Failure::usage(format!("there is no program {}", path.display()), help));
        }
        // A name without a folder would be looked for elsewhere.
        let path = std::path::absolute(path).map_err(|error| Failure::file(path.display(), &error))?;
        Ok(Self(path))
    }

    /// Where it is unless a path is named: beside this program, since cargo puts both into one folder.
    pub(crate) fn beside(this: &Path) -> PathBuf {
        this.with_file_name(format!("pinscher{EXE_SUFFIX}"))
    }

    /// A run of it, whose arguments are still to be said.
    pub fn command(&self) -> Command {
        Command::new(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_is_told_with_its_path() {
        let refused = Program::find(Path::new("no/such/program")).unwrap_err();
        assert!(refused.to_string().contains("there is no program no/such/program"), "{refused}");
        assert_eq!(refused.exit_code(), 2);
    }

    #[test]
    fn a_path_without_a_folder_is_the_file_here_and_not_one_that_is_installed() {
        let program = Program::find(Path::new("Cargo.toml")).unwrap();
        assert!(program.0.is_absolute());
    }
}
