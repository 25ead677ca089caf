//! XML as events: tags, ends and text, each with its place in the source, one after the other and without a
//! copy of the text.
//!
//! Our own reader and no library: what nets and formulas need of XML is small, and most of what is dangerous
//! in XML is what they do not need. No entity is expanded but the five of XML itself and references to
//! characters, a document type is passed over and never obeyed, and nothing outside of the text is ever
//! opened. Every event knows its bytes, so a message points at them.
//!
//! Differs from XML 1.0: prefixes of names are dropped and not resolved, attributes are looked at only where
//! somebody asks for them, and text that is nothing but white space is left out.

use std::borrow::Cow;

use base::{Diagnostic, Span};

/// A reader of one text.
pub(crate) struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// The names of the elements that are open, as places in the text, the outermost first.
    open: Vec<Span>,
    /// So many may be open at once.
    deepest: usize,
    /// The element that was just started has no content.
    is_empty_element: bool,
}

/// What comes next in a text.
pub(crate) enum Event<'t> {
    /// An element starts.
    Start(Tag<'t>),
    /// The element that started last and has not ended ends.
    End,
    /// Text in an element.
    Text(Piece<'t>),
    /// There is nothing more.
    Nothing,
}

/// The start of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag<'t> {
    /// Its name, without a prefix.
    pub name: &'t str,
    /// From `<` to `>`.
    pub span: Span,
    attributes: &'t str,
    attributes_start: u32,
}

/// Text as it stands in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'t> {
    raw: &'t str,
    start: usize,
    /// In a `CDATA` section, where `&` means itself.
    is_verbatim: bool,
}

/// The value of an attribute, or the text of an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Text<'t> {
    /// What it says.
    pub value: Cow<'t, str>,
    /// Where.
    pub span: Span,
}

impl<'t> Reader<'t> {
    /// A reader at the start of a text. Elements may be nested as deep as `deepest`.
    pub fn new(text: &'t str, deepest: usize) -> Self {
        Self { text, at: 0, open: Vec::new(), deepest, is_empty_element: false }
    }

    /// How many elements are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// What comes next.
    pub fn next(&mut self) -> Result<Event<'t>, Diagnostic> {
        if std::mem::take(&mut self.is_empty_element) {
            self.open.pop();
            return Ok(Event::End);
        }
        loop {
            let rest = &self.text[self.at..];
            let Some(length) = rest.find('<') else { return self.end_of_text(rest) };
            if length > 0 {
                let (raw, start) = (&rest[..length], self.at);
                self.at += length;
                if let Some(piece) = self.piece(raw, start, false)? {
                    return Ok(Event::Text(piece));
                }
                continue;
            }
            let bytes = rest.as_bytes();
            match bytes.get(1) {
                Some(b'/') => return self.end_tag(),
                Some(b'?') => self.pass("<?", "?>")?,
                Some(b'!') if rest.starts_with("<!--") => self.pass("<!--", "-->")?,
                Some(b'!') if rest.starts_with("<![CDATA[") => {
                    let start = self.at + "<![CDATA[".len();
                    self.pass("<![CDATA[", "]]>")?;
                    let raw = &self.text[start..self.at - "]]>".len()];
                    if let Some(piece) = self.piece(raw, start, true)? {
                        return Ok(Event::Text(piece));
                    }
                }
                Some(b'!') => self.pass_document_type()?,
                _ => return self.start_tag(),
            }
        }
    }

    /// Passes over the rest of the element that was just started, with all in it.
    pub fn skip(&mut self) -> Result<(), Diagnostic> {
        let outside = self.depth() - 1;
        while self.depth() > outside {
            self.next()?;
        }
        Ok(())
    }

    /// The text of the element that was just started, up to its end. Elements in it are passed over.
    pub fn text(&mut self) -> Result<Text<'t>, Diagnostic> {
        let start = self.at;
        let mut text: Option<Text<'t>> = None;
        loop {
            match self.next()? {
                Event::Start(_) => self.skip()?,
                Event::End | Event::Nothing => break,
                Event::Text(piece) => piece.join(&mut text)?,
            }
        }
        Ok(text.unwrap_or(Text { value: Cow::Borrowed(""), span: Span::new(start, start) }))
    }

    /// Text that says something. Outside of all elements there may be none.
    fn piece(&self, raw: &'t str, start: usize, is_verbatim: bool) -> Result<Option<Piece<'t>>, Diagnostic> {
        let trimmed = raw.trim_ascii_start();
        if trimmed.is_empty() {
            return Ok(None);
        }
        let start = start + raw.len() - trimmed.len();
        let trimmed = trimmed.trim_ascii_end();
        match self.open.is_empty() {
            false => Ok(Some(Piece { raw: trimmed, start, is_verbatim })),
            true => Err(outside(trimmed, start)),
        }
    }

    fn end_of_text(&mut self, rest: &'t str) -> Result<Event<'t>, Diagnostic> {
        let end = self.text.len();
        if let Some(name) = self.open.last() {
            let name = &self.text[name.start as usize..name.end as usize];
            let last = self.text.trim_end().len().saturating_sub(1);
            let last = (0..=last).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
            return Err(Diagnostic::error(format!("the file ends inside of <{name}>"), Span::new(last, end))
                .label(format!("</{name}> is missing"))
                .help("the file was cut off: get it again"));
        }
        let trimmed = rest.trim();
        if !trimmed.is_empty() {
            return Err(outside(trimmed, self.at + rest.len() - rest.trim_start().len()));
        }
        self.at = end;
        Ok(Event::Nothing)
    }

    /// Passes over what is opened by `open` and closed by `close`.
    fn pass(&mut self, open: &str, close: &str) -> Result<(), Diagnostic> {
        let inside = self.at + open.len();
        match self.text.get(inside..).and_then(|rest| rest.find(close)) {
            Some(length) => {
                self.at = inside + length + close.len();
                Ok(())
            }
            None => Err(Diagnostic::error(format!("`{open}` has no `{close}`"), Span::new(self.at, inside))
                .label("the file ends inside of it")),
        }
    }

    /// Passes over a document type. What it declares is not used.
    fn pass_document_type(&mut self) -> Result<(), Diagnostic> {
        let (mut depth, mut quote) = (0_usize, None);
        for (offset, &byte) in self.text.as_bytes()[self.at..].iter().enumerate() {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'<' | b'[') => depth += 1,
                (None, b'>' | b']') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.at += offset + 1;
                        return Ok(());
                    }
                }
                (None, _) => {}
            }
        }
        Err(Diagnostic::error("`<!` has no `>`", Span::new(self.at, self.at + 2))
            .label("the file ends inside of it"))
    }

    fn end_tag(&mut self) -> Result<Event<'t>, Diagnostic> {
        let start = self.at;
        let rest = &self.text[start..];
        let Some(length) = rest.find('>') else { return Err(unclosed(start, rest)) };
        let name = rest[2..length].trim_end();
        let span = Span::new(start, start + length + 1);
        let Some(open) = self.open.pop() else {
            return Err(Diagnostic::error(format!("</{name}> ends what was never started"), span));
        };
        let expected = &self.text[open.start as usize..open.end as usize];
        if expected != name {
            return Err(Diagnostic::error(format!("</{name}> where </{expected}> is due"), span)
                .label(format!("<{expected}> was started last")));
        }
        self.at = start + length + 1;
        Ok(Event::End)
    }

    fn start_tag(&mut self) -> Result<Event<'t>, Diagnostic> {
        let start = self.at;
        let rest = &self.text[start..];
        let bytes = rest.as_bytes();
        let mut quote = None;
        let mut length = None;
        for (offset, &byte) in bytes.iter().enumerate().skip(1) {
            match (quote, byte) {
                (_, b'<') => break,
                (Some(open), _) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'>') => {
                    length = Some(offset);
                    break;
                }
                (None, _) => {}
            }
        }
        let Some(length) = length else { return Err(unclosed(start, rest)) };
        let is_empty = bytes[length - 1] == b'/';
        let inside = &rest[1..length - usize::from(is_empty && length > 1)];
        let name_length = inside.find(|c: char| c.is_whitespace()).unwrap_or(inside.len());
        let (full, attributes) = inside.split_at(name_length);
        let span = Span::new(start, start + length + 1);
        if !full.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':')
            || full.contains(['=', '"', '\'', '&'])
        {
            return Err(Diagnostic::error("`<` starts no tag here", span)
                .label("no name of an element follows")
                .help("in text, write `&lt;` for `<`"));
        }
        if self.open.len() >= self.deepest {
            return Err(Diagnostic::error(format!("elements are nested deeper than {}", self.deepest), span));
        }
        self.open.push(Span::new(start + 1, start + 1 + full.len()));
        self.is_empty_element = is_empty;
        self.at = start + length + 1;
        let name = full.rsplit(':').next().unwrap_or(full);
        let attributes_start = span.start + 1 + full.len() as u32;
        Ok(Event::Start(Tag { name, span, attributes, attributes_start }))
    }
}

impl<'t> Tag<'t> {
    /// The value of an attribute, if it is there.
    pub fn attribute(&self, wanted: &str) -> Result<Option<Text<'t>>, Diagnostic> {
        let end = self.attributes_start as usize + self.attributes.len();
        let mut rest = self.attributes.trim_start();
        while !rest.is_empty() {
            let wrong = || {
                Diagnostic::error(
                    format!("the attributes of <{}> cannot be read", self.name),
                    Span::new(end - rest.len(), self.span.end as usize),
                )
                .label("expected `name=\"value\"`")
            };
            let (key, after) = rest.split_once('=').ok_or_else(wrong)?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|&c| c == '"' || c == '\'').ok_or_else(wrong)?;
            let length = after[1..].find(quote).ok_or_else(wrong)?;
            if key.trim_end() == wanted {
                let start = end - after.len() + 1;
                let value = decoded(&after[1..=length], start)?;
                return Ok(Some(Text { value, span: Span::new(start, start + length) }));
            }
            rest = after[length + 2..].trim_start();
        }
        Ok(None)
    }
}

impl<'t> Piece<'t> {
    /// Adds it to the text before it, if there is one.
    pub fn join(self, text: &mut Option<Text<'t>>) -> Result<(), Diagnostic> {
        let value = match self.is_verbatim {
            true => Cow::Borrowed(self.raw),
            false => decoded(self.raw, self.start)?,
        };
        let span = Span::new(self.start, self.start + self.raw.len());
        match text {
            None => *text = Some(Text { value, span }),
            Some(before) => {
                before.value.to_mut().push_str(&value);
                before.span = before.span.to(span);
            }
        }
        Ok(())
    }
}

/// A text with its references replaced. It starts at `start` of the source.
fn decoded(raw: &str, start: usize) -> Result<Cow<'_, str>, Diagnostic> {
    if !raw.contains('&') {
        return Ok(Cow::Borrowed(raw));
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(before) = rest.find('&') {
        text.push_str(&rest[..before]);
        let at = start + raw.len() - rest.len() + before;
        let Some(length) = rest[before..].find(';') else {
            return Err(Diagnostic::error("`&` starts no reference here", Span::new(at, at + 1))
                .help("in text, write `&amp;` for `&`"));
        };
        let name = &rest[before + 1..before + length];
        let Some(character) = referenced(name) else {
            return Err(Diagnostic::error(
                format!("`&{name};` is not known"),
                Span::new(at, at + length + 1),
            )
            .label("no entity of a document type is expanded")
            .help("known are &lt; &gt; &amp; &apos; &quot; and characters by number"));
        };
        text.push(character);
        rest = &rest[before + length + 1..];
    }
    text.push_str(rest);
    Ok(Cow::Owned(text))
}

/// The character that a reference stands for.
fn referenced(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "apos" => '\'',
        "quot" => '"',
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
            // A sign is no part of a reference, though Rust's numbers may have one.
            char::from_u32(u32::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))?)?
        }
    })
}

fn outside(text: &str, start: usize) -> Diagnostic {
    let shown = text.lines().next().unwrap_or("").len();
    Diagnostic::error("text outside of all elements", Span::new(start, start + shown))
        .label("expected `<`")
        .help("is this file XML?")
}

fn unclosed(start: usize, rest: &str) -> Diagnostic {
    let shown = rest.lines().next().unwrap_or("").len();
    Diagnostic::error("a tag without its `>`", Span::new(start, start + shown))
        .label("starts here")
        .help("was the file cut off?")
}

#[cfg(test)]
mod tests;
