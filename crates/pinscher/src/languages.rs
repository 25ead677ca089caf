//! The registry of languages: which there are, which one a file is in, and how a file becomes a model.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Diagnostic, Source, closest};
use layers::orders::{GraphKind, SlotOrder};
use model::{LoadOptions, Loaded};

use crate::Failure;

/// A modelling language.
pub struct Language {
    /// Its name, as `--lang` takes it.
    pub name: &'static str,
    /// How its files end.
    pub extensions: &'static [&'static str],
    /// What it is, in a line.
    pub about: &'static str,
    /// Which options it takes.
    pub takes: Takes,
    /// How the files that a text names are added to it, before it becomes a model.
    pub gather: Gatherer,
    /// How a text becomes a model.
    pub load: Loader,
    /// The same, where a process that states a property moves along with the system.
    pub load_product: Loader,
}

/// Which of [`LoadOptions`] a language takes. The others are not given to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Takes {
    /// It has a preprocessor.
    pub defines: bool,
    /// It makes processes as it runs.
    pub max_processes: bool,
    /// Messages to full channels that are lost.
    pub message_loss: bool,
}

/// How the files that a text names are added to it; a text with which something is wrong comes back with the
/// messages. Definitions may decide which files those are.
pub type Gatherer = fn(Source, &LoadOptions) -> Result<Source, (Source, Vec<Diagnostic>)>;

/// How a text becomes a model, or all that is wrong with it.
pub type Loader = fn(Arc<Source>, &LoadOptions) -> Result<Loaded, Vec<Diagnostic>>;

/// For languages that take no options.
const NO_OPTIONS: Takes = Takes { defines: false, max_processes: false, message_loss: false };

/// All languages.
pub const LANGUAGES: &[Language] = &[
    Language {
        name: "dve",
        extensions: &["dve"],
        about: "DVE, the language of DiVinE and of the BEEM benchmark",
        takes: NO_OPTIONS,
        gather: |source, _| Ok(source),
        load: |source, _| lang_dve::load(source),
        load_product: |source, _| lang_dve::load_scope(source, lang_dve::Scoping::Product),
    },
    Language {
        name: "etf",
        extensions: &["etf"],
        about: "ETF, the enumerated table format of LTSmin",
        takes: NO_OPTIONS,
        gather: |source, _| Ok(source),
        load: |source, _| lang_etf::load(source),
        load_product: |source, _| lang_etf::load(source),
    },
    Language {
        name: "mcrl2",
        extensions: &["mcrl2"],
        about: "mCRL2, process algebra with data",
        takes: NO_OPTIONS,
        gather: |source, _| Ok(source),
        load: |source, _| lang_mcrl2::load(source),
        load_product: |source, _| lang_mcrl2::load(source),
    },
    Language {
        name: "mucrl",
        extensions: &["mcrl"],
        about: "µCRL, process algebra with algebraic data, the forerunner of mCRL2",
        takes: NO_OPTIONS,
        gather: |source, _| Ok(source),
        load: |source, _| lang_mucrl::load(source),
        load_product: |source, _| lang_mucrl::load(source),
    },
    Language {
        name: "pnml",
        extensions: &["pnml"],
        about: "PNML, the Petri net markup language: place/transition and coloured nets",
        takes: NO_OPTIONS,
        gather: |source, _| Ok(source),
        load: |source, _| lang_pnml::load(source),
        load_product: |source, _| lang_pnml::load(source),
    },
    Language {
        name: "promela",
        extensions: &["pml", "prom", "promela", "pm", "prm", "spin"],
        about: "Promela, the language of Spin",
        takes: Takes { defines: true, max_processes: true, message_loss: true },
        gather: |source, options| {
            lang_promela::gather_with(source, &lang_promela::Options { defines: options.defines.clone() })
        },
        load: lang_promela::load,
        // Claims are no part of the system, and are not checked yet.
        load_product: lang_promela::load,
    },
];

/// A file that was read and turned into a model.
pub struct Opened {
    /// The file's name, without its folders.
    pub file_name: String,
    /// Its language.
    pub language: &'static Language,
    /// Its text.
    pub source: Arc<Source>,
    /// What the language made of it.
    pub loaded: Loaded,
    /// How long that took.
    pub time: Duration,
}

impl Opened {
    /// What the language says is probably not meant.
    pub fn warnings(&self) -> String {
        base::render_all(&self.loaded.warnings, &self.source, 20)
    }
}

/// The language with this name, or of files with this name.
pub fn choose(path: &Path, name: Option<&str>) -> Result<&'static Language, Failure> {
    let names = || LANGUAGES.iter().map(|language| language.name);
    if let Some(name) = name {
        return LANGUAGES.iter().find(|language| language.name == name).ok_or_else(|| {
            let near =
                closest(name, names()).map_or(String::new(), |near| format!("did you mean `{near}`? "));
            Failure::usage(
                format!("there is no language `{name}`"),
                format!("{near}The languages are {}", names().collect::<Vec<_>>().join(", ")),
            )
        });
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(by_extension).ok_or_else(|| {
        let known: Vec<String> =
            LANGUAGES.iter().flat_map(|l| l.extensions).map(|e| format!(".{e}")).collect();
        let message = match extension {
            Some(extension) => format!("{}: no language has files that end in .{extension}", path.display()),
            None => format!("{}: the name does not tell the language", path.display()),
        };
        let names = names().collect::<Vec<_>>().join(" or ");
        let help = match extension {
            Some("mdve") => {
                "it is a source for the macro processor m4: expand it to a .dve file first".to_owned()
            }
            _ => format!("files end in {}; or say --lang {names}", known.join(", ")),
        };
        Failure::usage(message, help)
    })
}

/// The language of files that end like this.
pub fn by_extension(extension: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
}

impl Language {
    /// The order of slots that suits its models in a symbolic search, where it is not the one that suits
    /// most.
    pub(crate) fn favourite_order(&self) -> Option<SlotOrder> {
        // Of all orders this one never did much worse than another on nets of the contest.
        (self.name == "pnml").then_some(SlotOrder::Sloan(GraphKind::Bipartite))
    }

    /// Refuses what the language does not take: to leave it aside in silence would answer another question.
    fn check(&self, options: &LoadOptions) -> Result<(), Failure> {
        let refused = |option: &str, takes: fn(&Takes) -> bool| {
            let takers: Vec<&str> =
                LANGUAGES.iter().filter(|other| takes(&other.takes)).map(|other| other.name).collect();
            let help = match takers.is_empty() {
                true => "leave it out".to_owned(),
                false => format!("leave it out; {} takes it", takers.join(" or ")),
            };
            Failure::usage(format!("the language {} takes no {option}", self.name), help)
        };
        if let Some((name, _)) = options.defines.first().filter(|_| !self.takes.defines) {
            return Err(refused(&format!("-D {name}"), |takes| takes.defines));
        }
        if options.max_processes.is_some() && !self.takes.max_processes {
            return Err(refused("--max-processes", |takes| takes.max_processes));
        }
        if options.message_loss && !self.takes.message_loss {
            return Err(refused("--message-loss", |takes| takes.message_loss));
        }
        Ok(())
    }
}

/// Reads a file and makes a model of it, with its property process as a part of it if that is wanted.
pub fn open(
    path: &Path,
    language: Option<&str>,
    with_property: bool,
    options: &LoadOptions,
) -> Result<Opened, Failure> {
    let start = Instant::now();
    // The file first: of a name that is not there, the wrong ending is the smaller problem.
    let bytes = read(path)?;
    let language = choose(path, language)?;
    language.check(options)?;
    let source = Source::from_bytes(path.display().to_string(), bytes).map_err(|refused| {
        let (source, problem) = *refused;
        Failure::text(&[problem], &source)
    })?;
    let source =
        (language.gather)(source, options).map_err(|(source, problems)| Failure::text(&problems, &source))?;
    let source = Arc::new(source);
    let loader = if with_property { language.load_product } else { language.load };
    let loaded =
        loader(Arc::clone(&source), options).map_err(|problems| Failure::text(&problems, &source))?;
    let file_name =
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.display().to_string());
    Ok(Opened { file_name, language, source, loaded, time: start.elapsed() })
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    if path.is_dir() {
        return Err(Failure::usage(format!("{shown} is a directory"), "name one model file in it"));
    }
    std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::usage(format!("there is no file {shown}"), missing_help(path))
        }
        std::io::ErrorKind::PermissionDenied => {
            Failure::usage(format!("{shown} may not be read"), "check the file's permissions")
        }
        _ => Failure::file(shown, &error),
    })
}

/// A file with a name close to one that is missing, or advice.
fn missing_help(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!("there is no folder {} either", folder.display());
    };
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    match closest(wanted, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {}?", folder.join(near).display()),
        None => "check the name and the folder".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_and_names_are_unambiguous() {
        for (at, language) in LANGUAGES.iter().enumerate() {
            for other in &LANGUAGES[at + 1..] {
                assert_ne!(language.name, other.name);
                assert!(language.extensions.iter().all(|extension| !other.extensions.contains(extension)));
            }
        }
    }

    #[test]
    fn a_name_wins_over_the_extension() {
        assert_eq!(choose(Path::new("a.dve"), Some("etf")).map(|l| l.name), Ok("etf"));
        assert_eq!(choose(Path::new("a.dve"), None).map(|l| l.name), Ok("dve"));
        let refused = choose(Path::new("a.dve"), Some("etff")).map(|l| l.name).unwrap_err().to_string();
        assert!(refused.contains("did you mean `etf`"), "{refused}");
    }

    #[test]
    fn options_that_a_language_does_not_take_are_refused() {
        let define = LoadOptions { defines: vec![("N".into(), "3".into())], ..LoadOptions::default() };
        let processes = LoadOptions { max_processes: Some(9), ..LoadOptions::default() };
        let loss = LoadOptions { message_loss: true, ..LoadOptions::default() };
        for language in LANGUAGES {
            for (options, is_taken, named) in [
                (&define, language.takes.defines, "-D N"),
                (&processes, language.takes.max_processes, "--max-processes"),
                (&loss, language.takes.message_loss, "--message-loss"),
            ] {
                match language.check(options) {
                    Ok(()) => assert!(is_taken, "{} {named}", language.name),
                    Err(refused) => {
                        let text = refused.to_string();
                        assert!(!is_taken && text.contains(named) && text.contains(language.name), "{text}");
                    }
                }
            }
            assert_eq!(language.check(&LoadOptions::default()), Ok(()));
        }
    }
}
