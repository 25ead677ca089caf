//! What the reader of files found wrong, as messages that point into a source.

use base::{Diagnostic, Source, Span};
use lts::aut::Problem;

/// The wrong lines of a file with this name, and what is wrong with them; `more` lines are wrong beside them.
pub fn messages(name: &str, problems: &[Problem], more: u64) -> (Source, Vec<Diagnostic>) {
    let lines = problems.iter().map(|problem| (problem.line as usize, problem.text.as_str()));
    let (source, starts) = Source::of_lines(name, lines);
    let messages = problems.iter().zip(starts).map(|(problem, start)| message(&source, start, problem));
    let messages = with_more(messages.collect(), more);
    (source, messages)
}

/// The same as messages about the whole text.
pub(crate) fn in_text(source: &Source, problems: &[Problem], more: u64) -> Vec<Diagnostic> {
    let ends: Vec<usize> = source.text().match_indices('\n').map(|(at, _)| at + 1).collect();
    let start = |line: u64| match line {
        ..=1 => 0,
        _ => ends.get(line as usize - 2).copied().unwrap_or(source.text().len()),
    };
    let messages = problems.iter().map(|problem| message(source, start(problem.line), problem));
    with_more(messages.collect(), more)
}

/// The message about a line that starts here.
fn message(source: &Source, start: usize, problem: &Problem) -> Diagnostic {
    let text = source.text();
    // The reader keeps the beginning of a very long line alone, and counts bytes of what may be no text.
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let mut at = (start + problem.column - 1).min(end);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    Diagnostic::error(&*problem.message, Span::new(at, at))
}

/// The last message says that there are more.
fn with_more(mut messages: Vec<Diagnostic>, more: u64) -> Vec<Diagnostic> {
    if let Some(last) = messages.pop_if(|_| more > 0) {
        let lines = if more == 1 { "one line is".to_owned() } else { format!("{more} lines are") };
        messages.push(last.help(format!("mend these lines first; {lines} wrong beside them")));
    }
    messages
}
