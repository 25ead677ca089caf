//! What to do about what is in the way: the errors of the libraries in the words of the command line.

use std::path::Path;

use engine::StopReason;
use pinscher::{Error, FileProblem, LANGUAGES, OptionNotTaken, UnknownLanguage};
use planner::{EngineKind, SymbolicStrategy, WrongMethod, WrongQuestion};

use crate::Failure;

/// The name that the text of an option `--invariant` has in messages.
pub(crate) const INVARIANT: &str = "--invariant";

/// What a user can do about a reason for *unknown*.
pub(crate) fn hint(reason: &StopReason) -> Option<&'static str> {
    match reason {
        StopReason::Processes(_) => Some("a larger --max-processes may help"),
        StopReason::OtherViolation => Some("--all answers the others too"),
        _ => None,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Language(unknown) => Self::usage(message, language_help(&unknown)),
            Error::Option { language, option, takers } => {
                let option = option_name(&option);
                let help = match takers.is_empty() {
                    true => "leave it out".to_owned(),
                    false => format!("leave it out; {} takes it", takers.join(" or ")),
                };
                Self::usage(format!("the language {language} takes no {option}"), help)
            }
            Error::File { path, problem } => file_failure(&path, message, problem),
            Error::Text { source, problems } => Self::text(&problems, &source),
            Error::Plan(error) => error.into(),
            Error::NoNet { model } => Self::usage(
                format!("{model} is no net, and formulas in .xml are about nets"),
                "write --invariant EXPR, or --property FILE.inv",
            ),
            Error::TwoFormulas { name } => {
                let message = format!("two formulas are called {}", report::words::shown(&name));
                Self::usage(message, "check their files one by one")
            }
            Error::NoSearch { limit } => Self::usage(message, format!("leave --{limit} out")),
        }
    }
}

fn language_help(unknown: &UnknownLanguage) -> String {
    let names: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
    match unknown {
        UnknownLanguage::Name { nearest, .. } => {
            let near = nearest.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            format!("{near}The languages are {}", names.join(", "))
        }
        UnknownLanguage::Extension { extension: Some(extension), .. } if extension == "mdve" => {
            "it is a source for the macro processor m4: expand it to a .dve file first".to_owned()
        }
        UnknownLanguage::Extension { .. } => {
            let known: Vec<String> = LANGUAGES
                .iter()
                .flat_map(|language| language.extensions)
                .map(|extension| format!(".{extension}"))
                .collect();
            format!("files end in {}; or say --lang {}", known.join(", "), names.join(" or "))
        }
    }
}

fn option_name(option: &OptionNotTaken) -> String {
    match option {
        OptionNotTaken::Define(name) => format!("-D {name}"),
        OptionNotTaken::MaxProcesses => "--max-processes".to_owned(),
        OptionNotTaken::MessageLoss => "--message-loss".to_owned(),
        OptionNotTaken::WithProperty => "--with-property".to_owned(),
    }
}

fn file_failure(path: &Path, message: String, problem: FileProblem) -> Failure {
    let help = match problem {
        FileProblem::Directory => "name one model file in it".to_owned(),
        FileProblem::Missing { nearest: Some(nearest), .. } => format!("did you mean {}?", nearest.display()),
        FileProblem::Missing { has_folder: false, .. } => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            format!("there is no folder {} either", folder.unwrap_or(Path::new(".")).display())
        }
        FileProblem::Missing { .. } => "check the name and the folder".to_owned(),
        FileProblem::Forbidden => "check the file's permissions".to_owned(),
        // A limit, and nothing wrong with the file.
        FileProblem::TooLarge { .. } | FileProblem::NoRoom { .. } => {
            let what = format!("{message}, for which there is no room; --memory SIZE gives it more");
            return Failure::Unknown { reason: "memory", what };
        }
        FileProblem::Other(error) => return Failure::file(path.display(), &error),
    };
    Failure::usage(message, help)
}

impl From<planner::Error> for Failure {
    fn from(error: planner::Error) -> Self {
        let message = error.to_string();
        match error {
            planner::Error::Questions(wrong) => Self::Text(wrong.iter().map(question).collect()),
            planner::Error::Method(wrong) => wrong.into(),
            planner::Error::Layers(layers::Error::Lost { .. }) => {
                Self::usage(message, "write --eliminate constants")
            }
            planner::Error::Layers(_) => Self::usage(message, "leave the option out"),
            planner::Error::NotCompiled(_) => Self::usage(message, "write --eval interpret"),
            planner::Error::TooLittleMemory { limit, least } => {
                let least = least >> 20;
                Self::usage(
                    format!("no search can begin with {} of memory", machine::memory::show_bytes(limit)),
                    format!(
                        "with this model and these options it takes at least {least} MiB: --memory {least}M"
                    ),
                )
            }
            planner::Error::SeesNoTransitions { .. } => Self::usage(
                "the symbolic engine works with sets of states and cannot list single transitions",
                "write --engine explicit, with --strategy bfs or dfs",
            ),
            planner::Error::Defect(what) => Self::Defect(what),
        }
    }
}

/// What is wrong with a question, and what to do.
fn question(wrong: &WrongQuestion) -> String {
    match wrong {
        WrongQuestion::Predicate { source, problems } => {
            let mut text = Failure::text(problems, source).to_string();
            let argument = source.text();
            if source.name() == INVARIANT && Path::new(argument).is_file() {
                text += &format!("  help: there is a file {argument}; --invariant @{argument} reads it\n");
            }
            text
        }
        WrongQuestion::Action(wrong) => Failure::usage(&*wrong.message, &*wrong.help).to_string(),
    }
}

impl From<WrongMethod> for Failure {
    fn from(error: WrongMethod) -> Self {
        let message = error.to_string();
        match error {
            WrongMethod::SymbolicSwitches => Self::usage(
                "--split-guards, --separate and --effects are for the symbolic engine",
                "leave them out, or write --engine symbolic",
            ),
            WrongMethod::StorageOfExplicit => {
                Self::usage("--store is for the explicit engine", "leave it out, or write --engine explicit")
            }
            WrongMethod::NoExplicitStrategy(strategy) => {
                let name = strategy.name();
                let help =
                    format!("write --engine symbolic --strategy {name}; the explicit engine has bfs and dfs");
                Self::usage(message, help)
            }
            WrongMethod::NoSymbolicDepthFirst => {
                let names: Vec<&str> = SymbolicStrategy::ALL.iter().map(|strategy| strategy.name()).collect();
                let help = format!("write --engine explicit --strategy dfs, or one of {}", names.join(", "));
                Self::usage(message, help)
            }
            WrongMethod::StatesOfSymbolic => {
                Self::usage(message, "leave --states out, or write --engine explicit")
            }
            WrongMethod::DepthNeedsLevels(EngineKind::Symbolic) => {
                Self::usage(message, "write --strategy bfs or --strategy bfs-prev with --depth")
            }
            WrongMethod::DepthNeedsLevels(_) => Self::usage(message, "leave --strategy dfs out with --depth"),
        }
    }
}

impl From<report::Error> for Failure {
    fn from(error: report::Error) -> Self {
        let message = error.to_string();
        match error {
            report::Error::NoMovers => Self::usage(message, "leave --chart out, or use a model in Promela"),
            report::Error::NoPromela => Self::usage(message, "leave --spin-trail out"),
            report::Error::NoStatementNumber { .. } => {
                Self::usage(message, "leave --spin-trail out; the run itself is shown without it")
            }
            report::Error::File { path, error } => Self::file(path.display(), &error),
            report::Error::NoRun { .. } => Self::usage(
                message,
                "name a report that `pinscher check FILE --json` printed for a violated property",
            ),
            report::Error::OtherModel { on, .. } => Self::usage(
                message,
                format!(
                    "name the model that it is about, or make a report with `pinscher check {on} --json`"
                ),
            ),
            report::Error::OtherStart { .. } => Self::usage(
                message,
                "has the model changed since, or --with-property? Make the report again with the same options",
            ),
        }
    }
}
