//! The modules of a crate as words, without comments, texts and tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The path of a module: its names from the crate on. The crate itself has none.
pub(crate) type ModulePath = Vec<String>;

/// The modules of a crate, each a file.
pub(crate) type Sources = BTreeMap<ModulePath, Vec<Word>>;

/// A word of a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// A name or a keyword.
    Name(String),
    /// The `::` between names.
    In,
    /// Any other sign.
    Sign(char),
}

impl Word {
    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Self::Name(name) => name == text,
            Self::In => text == "::",
            Self::Sign(sign) => text.chars().eq([*sign]),
        }
    }
}

/// The modules in the folder `src` of a crate.
pub(crate) fn read(folder: &Path) -> Sources {
    let mut files = Vec::new();
    gather(folder, &mut Vec::new(), &mut files);
    // Beside a library the binary is a crate of its own.
    let has_library = files.iter().any(|(path, _)| *path == ["lib"]);
    files.retain(|(path, _)| path[0] != "bin" && !(has_library && *path == ["main"]));
    sources(files)
}

fn gather(folder: &Path, path: &mut Vec<String>, files: &mut Vec<(Vec<String>, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        path.push(file.file_stem().unwrap().to_str().unwrap().to_owned());
        if file.is_dir() {
            gather(&file, path, files);
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            files.push((path.clone(), std::fs::read_to_string(&file).unwrap()));
        }
        path.pop();
    }
}

/// The modules in these files, each with its path below `src` and its text.
pub(crate) fn sources(files: Vec<(Vec<String>, String)>) -> Sources {
    let mut sources = Sources::new();
    let mut only_in_tests = BTreeSet::new();
    for (mut path, text) in files {
        if matches!(path.last().map(String::as_str), Some("lib" | "main" | "mod")) {
            path.pop();
        }
        let (words, modules) = without_tests(words(&text));
        only_in_tests.extend(modules.into_iter().map(|module| [&path[..], &[module]].concat()));
        sources.insert(path, words);
    }
    sources.retain(|path, _| !only_in_tests.iter().any(|test| path.starts_with(test)));
    sources
}

/// The words of a text. Comments and literals are none.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let name = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if c == '"' {
            literal(rest, '"')
        } else if is_character(rest) {
            literal(rest, '\'')
        } else if name > 0 && rest[..name].ends_with('r') && raw(&rest[name..]) > 0 {
            name + raw(&rest[name..])
        } else {
            0
        };
        let length = match skipped {
            0 if name > 0 => {
                words.push(Word::Name(rest[..name].to_owned()));
                name
            }
            0 if rest.starts_with("::") => {
                words.push(Word::In);
                2
            }
            0 => {
                if !c.is_whitespace() {
                    words.push(Word::Sign(c));
                }
                c.len_utf8()
            }
            skipped => skipped,
        };
        rest = &rest[length..];
    }
    words
}

/// Whether a character begins here, and not a lifetime.
fn is_character(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next() == Some('\'') && (characters.next() == Some('\\') || characters.next() == Some('\''))
}

/// The length of the literal that begins here, with the mark that ends it.
fn literal(text: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the raw text whose `r` stands before; 0 if there is none.
fn raw(text: &str) -> usize {
    let marks = text.chars().take_while(|&c| c == '#').count();
    if !text[marks..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(marks));
    text[marks + 1..].find(&end).map_or(text.len(), |at| marks + 1 + at + end.len())
}

/// The words but for items that are there for tests only, and the names of those that are modules in files.
fn without_tests(words: Vec<Word>) -> (Vec<Word>, Vec<String>) {
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < words.len() {
        match test_attribute(&words[at..]) {
            0 => {
                kept.push(words[at].clone());
                at += 1;
            }
            attribute => {
                let item = &words[at + attribute..];
                let length = item_length(item);
                if let [.., Word::Name(keyword), Word::Name(name), Word::Sign(';')] = &item[..length]
                    && keyword == "mod"
                {
                    modules.push(name.clone());
                }
                at += attribute + length;
            }
        }
    }
    (kept, modules)
}

/// The length of an attribute that says that what follows is for tests, or for loom; 0 if there is none.
fn test_attribute(words: &[Word]) -> usize {
    let begins = |signs: &[&str]| {
        words.len() > signs.len() && signs.iter().zip(words).all(|(sign, word)| word.is(sign))
    };
    let is_for_tests = ["test", "loom"].iter().any(|name| {
        begins(&["#", "[", "cfg", "(", name]) || begins(&["#", "[", "cfg", "(", "all", "(", name])
    });
    match words.iter().position(|word| word.is("]")) {
        Some(end) if is_for_tests => end + 1,
        _ => 0,
    }
}

/// The length of the item that begins here: up to its semicolon, or to the end of its block.
fn item_length(words: &[Word]) -> usize {
    let is_use = words.iter().take_while(|word| !word.is(";")).any(|word| word.is("use"));
    let mut depth = 0;
    for (at, word) in words.iter().enumerate() {
        match word {
            Word::Sign('(' | '[' | '{') => depth += 1,
            Word::Sign(')' | ']' | '}') if depth == 0 => return at,
            Word::Sign(')' | ']') => depth -= 1,
            Word::Sign('}') => {
                depth -= 1;
                if depth == 0 && !is_use {
                    return at + 1;
                }
            }
            Word::Sign(';') if depth == 0 => return at + 1,
            _ => {}
        }
    }
    words.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &[Word]) -> String {
        let texts = words.iter().map(|word| match word {
            Word::Name(name) => name.clone(),
            Word::In => "::".into(),
            Word::Sign(sign) => sign.to_string(),
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_literals_are_no_words() {
        let text = "a /* b */ c // d\n\"e \\\" f\" '\"' g '\\'' r#\"h \" i\"# j<'k> l::m";
        assert_eq!(shown(&words(text)), "a c g j < ' k > l :: m");
    }

    #[test]
    fn what_is_for_tests_is_left_out() {
        let text = "use a; #[cfg(test)] use b::{c, d}; #[cfg(all(test, unix))] mod e { fn f() { g } } \
                    #[cfg(test)] pub(crate) mod h; #[cfg(not(test))] use i;";
        let (kept, modules) = without_tests(words(text));
        assert_eq!(shown(&kept), "use a ; # [ cfg ( not ( test ) ) ] use i ;");
        assert_eq!(modules, ["h"]);
    }
}
