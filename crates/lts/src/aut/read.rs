//! Reads an `.aut` file line by line: only the system is held in memory, never the text.

use std::io::{self, BufRead};

use super::label::sorted;
use super::line::{self, Header, Transition};
use crate::builder::Builder;
use crate::index::StateIx;
use crate::system::Lts;

/// Something that is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line, counted from one.
    pub line: u64,
    /// The column, counted in bytes from one.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// The line as it is, or its beginning if it is very long.
    pub text: String,
}

/// Why a file was not read.
#[derive(Debug)]
pub enum Unread {
    /// It is wrong: the first of the problems, and how many more there are.
    Wrong(Vec<Problem>, u64),
    /// The system does not fit the memory that it may take.
    Full,
    /// The input failed.
    Input(io::Error),
}

/// More problems than this are only counted.
const MOST_PROBLEMS: usize = 20;

/// So much of a wrong line is kept: whoever shows it shows some 120 characters about the place, and labels
/// with more before it are rare.
const SHOWN: usize = 4096;

/// A line with more bytes than this is no transition: a label of a model has no megabytes.
const LONGEST_LINE: u64 = 1 << 24;

/// Reads a file; the system and what is needed to make it take no more than so many bytes.
pub fn read(input: &mut dyn BufRead, bytes: u64) -> Result<Lts, Unread> {
    let (builder, problems) = (Builder::new(bytes), Vec::new());
    Reader { builder, problems, more: 0, line: 0, first: (1, Vec::new()) }.read(input)
}

struct Reader {
    builder: Builder,
    problems: Vec<Problem>,
    more: u64,
    /// The number of the line that is being read.
    line: u64,
    /// The first line that is not empty, and its number.
    first: (u64, Vec<u8>),
}

impl Reader {
    fn read(mut self, input: &mut dyn BufRead) -> Result<Lts, Unread> {
        let mut text: Vec<u8> = Vec::new();
        let mut header = None;
        while self.next_line(input, &mut text).map_err(Unread::Input)? {
            let line = text.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let Some(found) = header else {
                self.first = (self.line, text[..text.len().min(SHOWN)].to_vec());
                match line::header(&text) {
                    Ok(found) => header = Some(self.check_header(found, &text)),
                    Err((at, message)) => {
                        // Without it nothing can be said of the other lines.
                        self.problem(at, message.to_owned(), &text);
                        return Err(Unread::Wrong(self.problems, 0));
                    }
                }
                continue;
            };
            match line::transition(&text) {
                Ok(transition) => self.transition(&transition, found, &text)?,
                Err((at, message)) => self.problem(at, message.to_owned(), &text),
            }
        }
        let Some(found) = header else {
            self.problem_of_all(
                "the file is empty: expected `des (INITIAL, TRANSITIONS, STATES)`".to_owned(),
            );
            return Err(Unread::Wrong(self.problems, 0));
        };
        let seen = self.builder.transitions() as u64;
        if self.problems.is_empty() && seen != found.transitions {
            let said = found.transitions;
            self.problem_of_all(format!(
                "the first line says that there are {said} transitions, but there are {seen}"
            ));
        }
        if !self.problems.is_empty() {
            return Err(Unread::Wrong(self.problems, self.more));
        }
        self.builder.finish(found.states as u32, StateIx(found.initial as u32)).map_err(|_| Unread::Full)
    }

    /// The next line, without its end. A line that is much too long is cut, and wrong for that.
    fn next_line(&mut self, input: &mut dyn BufRead, text: &mut Vec<u8>) -> io::Result<bool> {
        text.clear();
        self.line += 1;
        let read = io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', text)?;
        if text.last() == Some(&b'\n') {
            text.pop();
        }
        Ok(read > 0)
    }

    fn check_header(&mut self, header: Header, text: &[u8]) -> Header {
        if header.states >= u64::from(u32::MAX) {
            self.problem(
                0,
                format!("{} states are more than the 2^32 that there can be", header.states),
                text,
            );
        } else if header.initial >= header.states {
            let Header { initial, states, .. } = header;
            self.problem(
                0,
                format!("the initial state {initial} is none of the {states} states, 0 to STATES - 1"),
                text,
            );
        }
        header
    }

    fn transition(&mut self, found: &Transition<'_>, header: Header, text: &[u8]) -> Result<(), Unread> {
        for (state, role) in [(found.source, "source"), (found.target, "target")] {
            if state >= header.states {
                let message =
                    format!("the {role} {state} is none of the {} states of the first line", header.states);
                self.problem(0, message, text);
                return Ok(());
            }
        }
        let Ok(label) = std::str::from_utf8(&found.label) else {
            self.problem(0, "the label is not text in UTF-8".to_owned(), text);
            return Ok(());
        };
        if !self.problems.is_empty() {
            return Ok(());
        }
        let (source, target) = (StateIx(found.source as u32), StateIx(found.target as u32));
        let action = self.builder.action(&sorted(label)).map_err(|_| Unread::Full)?;
        self.builder.transition(source, action, target).map_err(|_| Unread::Full)
    }

    /// A problem of the whole file is told of its first line.
    fn problem_of_all(&mut self, message: String) {
        let (line, text) = std::mem::take(&mut self.first);
        self.line = line;
        self.problem(0, message, &text);
    }

    #[cold]
    fn problem(&mut self, at: usize, message: String, text: &[u8]) {
        if self.problems.len() == MOST_PROBLEMS {
            self.more += 1;
            return;
        }
        let text = String::from_utf8_lossy(&text[..text.len().min(SHOWN)]).trim_end().to_owned();
        self.problems.push(Problem { line: self.line, column: at + 1, message, text });
    }
}
