//! From a file, a text or a model written in Rust to a [`Loaded`] model that can be asked.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Diagnostic, Source, closest, render_all};
use lang_aut::Refusal;
use lang_pnml::PnmlNet;
use language::Stated;
use model::Model;

use crate::Error;
use crate::error::{FileProblem, UnknownLanguage};
use crate::languages::{self, Language, LoadedText};

/// More warnings than this help nobody.
const MOST_WARNINGS: usize = 20;

/// How a file is to be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoadOptions {
    /// The name of its language, where the file's name does not tell.
    pub language: Option<String>,
    /// A process that states a property moves along with the system, as DiVinE counts states.
    pub with_property: bool,
    /// The most bytes that the file may have, as a text takes at least as much memory as that; of a file that
    /// is read piece by piece, the most that its model may take.
    pub most_bytes: Option<u64>,
    /// What not every language takes: definitions, the number of processes, the loss of messages.
    pub model: language::LoadOptions,
}

/// A model that was loaded, with all that its text states. Its clones are the same model.
#[derive(Clone)]
pub struct Loaded {
    /// What reports call the model: the name of its file, without folders.
    pub name: String,
    /// Its language; none where it was written in Rust.
    pub language: Option<&'static Language>,
    /// The model.
    pub model: Arc<dyn Model>,
    /// Its text, where there is one that is kept.
    pub source: Option<Arc<Source>>,
    /// The net, where the model is one: formulas of the Model Checking Contest speak of it.
    pub net: Option<Arc<PnmlNet>>,
    /// What is probably not meant.
    pub warnings: Arc<Vec<Diagnostic>>,
    /// The properties that the text states, apart from the assertions, labels and alarms of the model.
    pub stated: Arc<Vec<Stated>>,
    /// Why there are infinitely many states, where that is known.
    pub endless: Option<String>,
    /// How long loading took.
    pub time: Duration,
}

/// A model in a file, with all that is wrong with it as an error. The file `-` is the standard input. Where
/// neither the options nor the name tell the language, the text does, if only one language can read it.
pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Loaded, Error> {
    let (path, start) = (path.as_ref(), Instant::now());
    // The file first: of a name that is not there, the wrong ending is the smaller problem.
    let (file, most) = (open(path)?, options.most_bytes.unwrap_or(u64::MAX));
    let language = match languages::choose(path, options.language.as_deref()) {
        // The text may tell what the name does not.
        Err(unknown @ Error::Language(UnknownLanguage::Extension { .. })) => Err(unknown),
        language => Ok(language?),
    };
    let is_standard = path == Path::new("-");
    let shown = if is_standard { "standard input".to_owned() } else { path.display().to_string() };
    let name =
        path.file_name().filter(|_| !is_standard).map_or(shown.clone(), |name| name.display().to_string());
    if let Ok(language @ Language { stream: Some(stream), .. }) = language {
        language.check(&options.model, options.with_property)?;
        let mut input = BufReader::with_capacity(1 << 20, file);
        let loaded = stream(&shown, &mut input, most).map_err(|refused| not_streamed(path, most, refused))?;
        return Ok(Loaded::new(name, language, LoadedText { loaded, net: None }, None, start));
    }
    let bytes = base::read_up_to(file, most).map_err(|error| unread(path, error))?;
    let bytes = bytes.ok_or_else(|| wrong_file(path, FileProblem::TooLarge { most }))?;
    let source = Source::from_bytes(shown.clone(), bytes).map_err(|refused| {
        let (source, problem) = *refused;
        Error::Text { source: Arc::new(source), problems: vec![problem] }
    })?;
    let language = language.or_else(|unknown| languages::by_content(path, &source).ok_or(unknown))?;
    load_source(name, source, language, options, start)
}

/// A model in a text of this language.
///
/// ```
/// let text = "byte x; process P { state s; init s; trans s -> s { guard x < 3; effect x = x + 1; }; } \
///             system async;";
/// let loaded = pinscher::load_text("count.dve", text, "dve", &pinscher::LoadOptions::default())?;
/// assert_eq!(loaded.model.initial(), [0, 0]);
/// # Ok::<(), pinscher::Error>(())
/// ```
pub fn load_text(name: &str, text: &str, language: &str, options: &LoadOptions) -> Result<Loaded, Error> {
    let start = Instant::now();
    let language = languages::choose(Path::new(name), Some(language))?;
    load_source(name.to_owned(), Source::new(name, text), language, options, start)
}

fn load_source(
    name: String,
    source: Source,
    language: &'static Language,
    options: &LoadOptions,
    start: Instant,
) -> Result<Loaded, Error> {
    language.check(&options.model, options.with_property)?;
    let source = (language.gather)(source, &options.model)
        .map_err(|(source, problems)| Error::Text { source: Arc::new(source), problems })?;
    let source = Arc::new(source);
    let loaded = language.loader(options.with_property)(Arc::clone(&source), &options.model);
    let mut loaded = loaded.map_err(|problems| Error::Text { source: Arc::clone(&source), problems })?;
    loaded.loaded.warnings.splice(..0, source.notes().iter().cloned());
    Ok(Loaded::new(name, language, loaded, Some(source), start))
}

/// Why there is no model of a file that was read piece by piece.
fn not_streamed(path: &Path, most: u64, refused: Refusal) -> Error {
    match refused {
        Refusal::Wrong(source, problems) => Error::Text { source: Arc::new(source), problems },
        Refusal::Full => wrong_file(path, FileProblem::NoRoom { most }),
        Refusal::Input(error) => unread(path, error),
    }
}

impl Loaded {
    fn new(
        name: String,
        language: &'static Language,
        text: LoadedText,
        source: Option<Arc<Source>>,
        start: Instant,
    ) -> Self {
        let LoadedText { loaded, net } = text;
        Self {
            name,
            language: Some(language),
            model: loaded.model,
            source,
            net,
            warnings: Arc::new(loaded.warnings),
            stated: Arc::new(loaded.stated),
            endless: loaded.endless,
            time: start.elapsed(),
        }
    }

    /// A model that was written in Rust, under this name.
    pub fn of_model(name: impl Into<String>, model: Arc<dyn Model>) -> Self {
        Self {
            name: name.into(),
            language: None,
            model,
            source: None,
            net: None,
            warnings: Arc::default(),
            stated: Arc::default(),
            endless: None,
            time: Duration::ZERO,
        }
    }

    /// The name of its language; `rust` for a model that was written in Rust.
    pub fn language_name(&self) -> &'static str {
        self.language.map_or("rust", |language| language.name)
    }

    /// What the language says is probably not meant, to be read by a person.
    pub fn shown_warnings(&self) -> String {
        match &self.source {
            Some(source) => render_all(&self.warnings, source, MOST_WARNINGS),
            None => String::new(),
        }
    }
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded").field("name", &self.name).field("language", &self.language_name()).finish()
    }
}

/// The file, or what is in the way.
fn open(path: &Path) -> Result<Box<dyn Read>, Error> {
    if path.is_dir() {
        return Err(wrong_file(path, FileProblem::Directory));
    }
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = std::fs::File::open(path).map_err(|error| unread(path, error))?;
    Ok(Box::new(file))
}

fn unread(path: &Path, error: std::io::Error) -> Error {
    let problem = match error.kind() {
        std::io::ErrorKind::NotFound => missing(path),
        std::io::ErrorKind::PermissionDenied => FileProblem::Forbidden,
        _ => FileProblem::Other(error),
    };
    wrong_file(path, problem)
}

fn wrong_file(path: &Path, problem: FileProblem) -> Error {
    Error::File { path: path.to_owned(), problem }
}

/// A file that is missing, with one whose name is close to it.
fn missing(path: &Path) -> FileProblem {
    let folder: PathBuf = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return FileProblem::Missing { nearest: None, has_folder: false };
    };
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let nearest = closest(wanted, names.iter().map(String::as_str)).map(|near| folder.join(near));
    FileProblem::Missing { nearest, has_folder: true }
}
