//! `pinscher completions` and `pinscher man`: documents made from the table of options.

use std::io::Write;
use std::path::Path;

use crate::options::{Completions, Man};
use crate::output::print;
use crate::{Failure, command_line};

/// The name of the program.
const PROGRAM: &str = "pinscher";

/// Prints the script of a shell.
pub(crate) fn completions(options: &Completions, out: &mut dyn Write) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command_line(), PROGRAM, &mut script);
    print(out, &String::from_utf8_lossy(&script))?;
    Ok(0)
}

/// Prints a page, or writes all of them.
pub(crate) fn man(options: &Man, out: &mut dyn Write) -> Result<u8, Failure> {
    match (&options.dir, &options.of) {
        (Some(folder), _) => {
            for (name, page) in pages()? {
                write(&folder.join(format!("{name}.1")), &page)?;
            }
        }
        (None, of) => {
            let wanted = of.as_ref().map_or_else(|| PROGRAM.to_owned(), |name| format!("{PROGRAM}-{name}"));
            let Some((_, page)) = pages()?.into_iter().find(|(name, _)| *name == wanted) else {
                let commands: Vec<String> =
                    command_line().get_subcommands().map(|command| command.get_name().to_owned()).collect();
                let name = of.as_deref().unwrap_or_default();
                return Err(Failure::usage(
                    format!("there is no command {}", base::shown(name)),
                    format!("the commands are {}", commands.join(", ")),
                ));
            };
            print(out, &String::from_utf8_lossy(&page))?;
        }
    }
    Ok(0)
}

/// The pages by their names: one of the program, one of each command.
fn pages() -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut line = command_line();
    line.build();
    let is_ours = |command: &&clap::Command| command.get_name() != "help";
    let commands = line.get_subcommands().filter(is_ours).map(|command| {
        let name = format!("{PROGRAM}-{}", command.get_name());
        (name.clone(), command.clone().name(name).version(env!("CARGO_PKG_VERSION")))
    });
    std::iter::once((PROGRAM.to_owned(), line.clone()))
        .chain(commands)
        .map(|(name, command)| {
            let mut page = Vec::new();
            clap_mangen::Man::new(command)
                .render(&mut page)
                .map_err(|error| Failure::file(format!("{name}.1"), &error))?;
            Ok((name, page))
        })
        .collect()
}

fn write(path: &Path, page: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, page).map_err(|error| Failure::file(path.display(), &error))
}
