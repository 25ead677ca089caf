//! Options that a command would leave aside in one of its forms. They are refused: to leave one aside in
//! silence would answer another question than the one that was asked.

use std::path::PathBuf;

use crate::Failure;
use crate::commands::{check_net, reduce};
use crate::options::{Command, Show};
use crate::property_file::{Kind, kind};

/// A form of a command.
struct Form {
    /// How messages call it.
    name: &'static str,
    /// Whether a command line is of this form.
    is_meant: fn(&Command) -> bool,
    /// The options that it has no use for, by the names of their fields.
    refused: &'static [&'static str],
    /// What to do instead.
    help: &'static str,
}

const FORMS: &[Form] = &[
    Form {
        name: "a check of formulas about a net",
        is_meant: |command| matches!(command, Command::Check(options) if check_net::is_meant(options)),
        refused: &["deadlock", "invariant", "action"],
        help: "formulas of the contest are checked by themselves: ask for the rest in another run",
    },
    Form {
        name: "a check of formulas about a net",
        is_meant: |command| matches!(command, Command::Check(options) if check_net::is_meant(options)),
        refused: &["states", "depth", "chart", "spin_trail"],
        help: "leave it out: most formulas are answered without a search, and the runs of all are in the report",
    },
    Form {
        name: "a reduction of a file with a transition system",
        is_meant: |command| matches!(command, Command::Reduce(options) if reduce::is_of_a_file(options)),
        refused: &[
            "with_property",
            "define",
            "max_processes",
            "message_loss",
            "engine",
            "threads",
            "strategy",
            "store",
            "split_guards",
            "separate",
            "effects",
            "states",
            "depth",
            "eval",
            "cache",
            "check_matrices",
            "reorder",
            "merge",
            "eliminate",
        ],
        help: "leave it out: the system is there and is not searched for",
    },
    Form {
        name: "a look at a model",
        is_meant: |command| matches!(command, Command::Show(Show { nodes: None, .. })),
        refused: &[
            "engine",
            "threads",
            "strategy",
            "store",
            "split_guards",
            "separate",
            "effects",
            "memory",
            "time",
        ],
        help: "leave it out, or add --nodes OUT.svg, which searches",
    },
];

/// Refuses the options that this form of the command has no use for. `given` are the names of the fields of
/// all options that stand on the command line.
pub(crate) fn check(command: &Command, given: &[String]) -> Result<(), Failure> {
    if let Command::Check(options) = command {
        check_files(&options.property)?;
    }
    let forms = FORMS.iter().filter(|form| (form.is_meant)(command));
    for Form { name, refused, help, .. } in forms {
        if let Some(field) = given.iter().find(|field| refused.contains(&field.as_str())) {
            let option = match field.as_str() {
                "define" => "-D".to_owned(),
                field => format!("--{}", field.replace('_', "-")),
            };
            return Err(Failure::usage(format!("{name} takes no {option}"), *help));
        }
    }
    Ok(())
}

/// Refuses files of formulas about a net beside properties of other kinds: those are searched for, most
/// formulas are not.
fn check_files(files: &[PathBuf]) -> Result<(), Failure> {
    let (contest, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| kind(file) == Kind::Contest);
    match (contest.first(), others.first()) {
        (Some(contest), Some(other)) => Err(Failure::usage(
            format!(
                "{} has formulas about a net, and {} has a property of another kind",
                contest.display(),
                other.display()
            ),
            "formulas of the contest are checked by themselves: ask for the rest in another run",
        )),
        _ => Ok(()),
    }
}
