//! The registry of languages: which there are, which one a file is in, and how its text becomes a model.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use base::{Diagnostic, Source, Span, closest};
use lang_pnml::PnmlNet;
use language::{Form, LoadOptions, Loaded, Monitor, Stated};
use layers::orders::{GraphKind, SlotOrder};

use crate::Error;
use crate::error::{OptionNotTaken, UnknownLanguage};

/// A modelling language.
pub struct Language {
    /// Its name, as users write it.
    pub name: &'static str,
    /// How its files end.
    pub extensions: &'static [&'static str],
    /// What it is, in a line.
    pub about: &'static str,
    /// Which options it takes.
    pub takes: Takes,
    /// The order of slots that suits its models in a symbolic search, where it is not the one that suits
    /// most.
    pub favourite_order: Option<SlotOrder>,
    /// How the files that a text names are added to it, before it becomes a model.
    pub(crate) gather: Gatherer,
    /// How a text becomes a model.
    pub(crate) load: Loader,
    /// The same, where a process that states a property moves along with the system; none where no text of
    /// the language has such a process.
    pub(crate) load_product: Option<Loader>,
    /// How a file becomes a model piece by piece, where its text is not kept; then no text is gathered.
    pub(crate) stream: Option<Streamer>,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Language").field(&self.name).finish()
    }
}

/// Which options of loading a language takes. The others are refused: to leave them aside in silence would
/// answer another question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Takes {
    /// It has a preprocessor.
    pub defines: bool,
    /// It makes processes as it runs.
    pub max_processes: bool,
    /// Messages to full channels that are lost.
    pub message_loss: bool,
    /// A process that states a property can move along with the system.
    pub with_property: bool,
}

/// How the files that a text names are added to it; a text with which something is wrong comes back with the
/// messages. Definitions may decide which files those are.
type Gatherer = fn(Source, &LoadOptions) -> Result<Source, (Source, Vec<Diagnostic>)>;

/// How a text becomes a model, or all that is wrong with it.
type Loader = fn(Arc<Source>, &LoadOptions) -> Result<LoadedText, Vec<Diagnostic>>;

/// How a file with this name becomes a model whose text is not kept; all that is made of it takes no more
/// than so many bytes.
type Streamer = fn(&str, &mut dyn BufRead, u64) -> Result<Loaded, lang_aut::Refusal>;

/// What a language makes of a text.
pub(crate) struct LoadedText {
    pub(crate) loaded: Loaded,
    /// The net, where the text is one: formulas of the Model Checking Contest speak of it.
    pub(crate) net: Option<Arc<PnmlNet>>,
}

/// A model that is no net.
fn plain(loaded: Result<Loaded, Vec<Diagnostic>>) -> Result<LoadedText, Vec<Diagnostic>> {
    loaded.map(|loaded| LoadedText { loaded, net: None })
}

fn load_net(source: Arc<Source>) -> Result<LoadedText, Vec<Diagnostic>> {
    let net = lang_pnml::read(&source)?;
    let loaded = lang_pnml::model(&net)?;
    Ok(LoadedText { loaded, net: Some(Arc::new(net)) })
}

/// The system and the process that states a property, moving together.
fn load_dve_product(source: Arc<Source>, _: &LoadOptions) -> Result<LoadedText, Vec<Diagnostic>> {
    let loaded = lang_dve::load_scope(source, lang_dve::Scoping::Product)?;
    let is_process = |stated: &Stated| stated.form == Form::Monitor(Monitor::PropertyProcess);
    if loaded.stated.iter().any(is_process) {
        return plain(Ok(loaded));
    }
    let none = Diagnostic::error("the model has no property process that could move along", Span::new(0, 0));
    Err(vec![none.help("leave --with-property out, or write `property process`")])
}

/// For languages that take no options.
const NO_OPTIONS: Takes =
    Takes { defines: false, max_processes: false, message_loss: false, with_property: false };

/// All languages.
pub const LANGUAGES: &[Language] = &[
    Language {
        name: "aut",
        extensions: &["aut"],
        about: "transition systems in the Aldebaran format of CADP and mCRL2",
        takes: NO_OPTIONS,
        favourite_order: None,
        gather: |source, _| Ok(source),
        load: |source, _| plain(lang_aut::load(source)),
        load_product: None,
        stream: Some(lang_aut::read),
    },
    Language {
        name: "dve",
        extensions: &["dve"],
        about: "DVE, the language of DiVinE and of the BEEM benchmark",
        takes: Takes { with_property: true, ..NO_OPTIONS },
        favourite_order: None,
        gather: |source, _| Ok(source),
        load: |source, _| plain(lang_dve::load(source)),
        load_product: Some(load_dve_product),
        stream: None,
    },
    Language {
        name: "etf",
        extensions: &["etf"],
        about: "ETF, the enumerated table format of LTSmin",
        takes: NO_OPTIONS,
        favourite_order: None,
        gather: |source, _| Ok(source),
        load: |source, _| plain(lang_etf::load(source)),
        load_product: None,
        stream: None,
    },
    Language {
        name: "mcrl2",
        extensions: &["mcrl2"],
        about: "mCRL2, process algebra with data",
        takes: NO_OPTIONS,
        favourite_order: None,
        gather: |source, _| Ok(source),
        load: |source, _| plain(lang_mcrl2::load(source)),
        load_product: None,
        stream: None,
    },
    Language {
        name: "mucrl",
        extensions: &["mcrl"],
        about: "µCRL, process algebra with algebraic data, the forerunner of mCRL2",
        takes: NO_OPTIONS,
        favourite_order: None,
        gather: |source, _| Ok(source),
        load: |source, _| plain(lang_mucrl::load(source)),
        load_product: None,
        stream: None,
    },
    Language {
        name: "pnml",
        extensions: &["pnml"],
        about: "PNML, the Petri net markup language: place/transition and coloured nets",
        takes: NO_OPTIONS,
        // Of all orders this one never did much worse than another on nets of the contest.
        favourite_order: Some(SlotOrder::Sloan(GraphKind::Bipartite)),
        gather: |source, _| Ok(source),
        load: |source, _| load_net(source),
        load_product: None,
        stream: None,
    },
    Language {
        name: "promela",
        extensions: &["pml", "prom", "promela", "pm", "prm", "spin"],
        about: "Promela, the language of Spin",
        takes: Takes { defines: true, max_processes: true, message_loss: true, with_property: false },
        favourite_order: None,
        gather: |source, options| {
            lang_promela::gather_with(source, &lang_promela::Options { defines: options.defines.clone() })
        },
        load: |source, options| plain(lang_promela::load(source, options)),
        // Claims are no part of the system, and are not checked yet.
        load_product: None,
        stream: None,
    },
];

/// The language with this name.
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

/// The language of files that end like this.
pub fn by_extension(extension: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
}

/// The language with this name, or else of files with this path.
pub(crate) fn choose(path: &Path, name: Option<&str>) -> Result<&'static Language, Error> {
    if let Some(name) = name {
        let nearest = || closest(name, LANGUAGES.iter().map(|language| language.name));
        let unknown = || UnknownLanguage::Name { name: name.to_owned(), nearest: nearest() };
        return by_name(name).ok_or_else(|| Error::Language(unknown()));
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(by_extension).ok_or_else(|| {
        let extension = extension.map(str::to_owned);
        Error::Language(UnknownLanguage::Extension { path: path.to_owned(), extension })
    })
}

/// The language of a text whose name has no ending, where no other one can read it.
pub(crate) fn by_content(path: &Path, source: &Source) -> Option<&'static Language> {
    if path.extension().is_some() {
        return None;
    }
    let options = LoadOptions::default();
    let is_read = |language: &&Language| {
        let gathered = (language.gather)(source.clone(), &options);
        gathered.is_ok_and(|source| (language.load)(Arc::new(source), &options).is_ok())
    };
    let mut readers = LANGUAGES.iter().filter(is_read);
    let reader = readers.next()?;
    readers.next().is_none().then_some(reader)
}

impl Language {
    /// Refuses what the language does not take.
    pub(crate) fn check(&self, options: &LoadOptions, with_property: bool) -> Result<(), Error> {
        let refused = |option, takes: fn(&Takes) -> bool| {
            let takers = LANGUAGES.iter().filter(|other| takes(&other.takes)).map(|other| other.name);
            Error::Option { language: self.name, option, takers: takers.collect() }
        };
        let LoadOptions { defines, max_processes, message_loss } = options;
        if let Some((name, _)) = defines.first().filter(|_| !self.takes.defines) {
            return Err(refused(OptionNotTaken::Define(name.clone()), |takes| takes.defines));
        }
        if max_processes.is_some() && !self.takes.max_processes {
            return Err(refused(OptionNotTaken::MaxProcesses, |takes| takes.max_processes));
        }
        if *message_loss && !self.takes.message_loss {
            return Err(refused(OptionNotTaken::MessageLoss, |takes| takes.message_loss));
        }
        if with_property && !self.takes.with_property {
            return Err(refused(OptionNotTaken::WithProperty, |takes| takes.with_property));
        }
        Ok(())
    }

    /// How a text becomes a model, with or without the process that states a property.
    pub(crate) fn loader(&self, with_property: bool) -> Loader {
        self.load_product.filter(|_| with_property).unwrap_or(self.load)
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
        let name = |path: &str, name| choose(Path::new(path), name).map(|language| language.name);
        assert_eq!(name("a.dve", Some("etf")).unwrap(), "etf");
        assert_eq!(name("a.dve", None).unwrap(), "dve");
        let refused = name("a.dve", Some("etff")).unwrap_err();
        let Error::Language(UnknownLanguage::Name { nearest, .. }) = &refused else { panic!("{refused}") };
        assert_eq!(*nearest, Some("etf"));
    }

    #[test]
    fn options_that_a_language_does_not_take_are_refused() {
        let define = LoadOptions { defines: vec![("N".into(), "3".into())], ..LoadOptions::default() };
        let processes = LoadOptions { max_processes: Some(9), ..LoadOptions::default() };
        let loss = LoadOptions { message_loss: true, ..LoadOptions::default() };
        let none = LoadOptions::default();
        for language in LANGUAGES {
            assert_eq!(language.takes.with_property, language.load_product.is_some(), "{}", language.name);
            for (options, is_taken, named) in [
                (&define, language.takes.defines, OptionNotTaken::Define("N".into())),
                (&processes, language.takes.max_processes, OptionNotTaken::MaxProcesses),
                (&loss, language.takes.message_loss, OptionNotTaken::MessageLoss),
                (&none, language.takes.with_property, OptionNotTaken::WithProperty),
            ] {
                match language.check(options, *options == none) {
                    Ok(()) => assert!(is_taken, "{} {named:?}", language.name),
                    Err(Error::Option { language: of, option, takers }) => {
                        assert!(!is_taken && of == language.name && option == named, "{of} {option:?}");
                        assert!(takers.iter().all(|taker| *taker != of) && !takers.is_empty());
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
}
