//! Why a language refuses a text, where that is no defect: what the text asks for cannot be analysed by
//! anyone, or not yet.

use base::{Diagnostic, Severity};
use pinscher::Error;

/// What messages say of parts in C.
const C_CODE: &str = "C code can neither be analysed nor run";
/// What messages say of time and probability.
const NOT_YET: &str = "is not analysed yet";
/// What is said of a text that is only a part of a specification.
const NO_INIT: &str = "there is no init";

/// Whether a text is refused for its parts in C, and for nothing else.
pub(crate) fn is_for_c(error: &Error) -> bool {
    are_all(error, C_CODE)
}

/// Whether a text is refused for what is not analysed yet, and for nothing else.
pub(crate) fn is_not_yet(error: &Error) -> bool {
    are_all(error, NOT_YET)
}

/// Whether a text is refused for being only a part of a specification, whatever else is wrong with it.
pub(crate) fn is_for_a_part(error: &Error) -> bool {
    errors(error).any(|problem| says(problem, NO_INIT))
}

/// Whether something is wrong with a text, and each message about it has these words.
fn are_all(error: &Error, words: &str) -> bool {
    errors(error).next().is_some() && errors(error).all(|problem| says(problem, words))
}

/// What is wrong with a text.
fn errors(error: &Error) -> impl Iterator<Item = &Diagnostic> {
    let problems = match error {
        Error::Text { problems, .. } => problems.as_slice(),
        _ => &[],
    };
    problems.iter().filter(|problem| problem.severity == Severity::Error)
}

fn says(problem: &Diagnostic, words: &str) -> bool {
    problem.message.contains(words) || problem.label.contains(words)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::{Source, Span};
    use pinscher::{LoadOptions, load_text};

    use super::*;

    fn refused(text: &str, language: &str) -> Error {
        load_text("text", text, language, &LoadOptions::default()).expect_err("it is refused")
    }

    #[test]
    fn the_languages_say_it_in_these_words() {
        assert!(is_for_c(&refused("c_code { int x; } active proctype P() { skip }", "promela")));
        assert!(is_not_yet(&refused("act a; init a@1;", "mcrl2")));
        assert!(is_for_a_part(&refused("map not: Bool -> Bool\n", "mucrl")));
    }

    #[test]
    fn what_is_wrong_beside_it_counts() {
        let refused = |messages: &[&str]| Error::Text {
            source: Arc::new(Source::new("text", "x")),
            problems: messages.iter().map(|message| Diagnostic::error(*message, Span::new(0, 1))).collect(),
        };
        assert!(is_for_c(&refused(&[C_CODE, C_CODE])) && !is_for_c(&refused(&[C_CODE, "no `y`"])));
        assert!(!is_for_c(&refused(&[])) && !is_not_yet(&refused(&[NOT_YET, NO_INIT])));
        assert!(is_for_a_part(&refused(&["no `y`", NO_INIT])));
        let missing = pinscher::load("no/such/file.pml", &LoadOptions::default()).unwrap_err();
        assert!(!is_for_c(&missing) && !is_for_a_part(&missing));
    }
}
