//! Messages as a person reads them: the place, the line, a mark under it.

use crate::{Diagnostic, Severity, Source, Span};

impl Diagnostic {
    /// The message as a person reads it: the place, the line, a mark under it.
    pub fn render(&self, source: &Source) -> String {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let mut text = format!("{severity}: {}\n", self.message);
        match self.span {
            None => text += &format!("  --> {}\n", source.name()),
            Some(span) => {
                let at = source.position(span);
                text += &format!("  --> {}:{}:{}\n", source.name_at(span), at.line, at.column);
                text += &excerpt(source, span, &self.label);
            }
        }
        if let Some(help) = &self.help {
            text += &format!("  help: {help}\n");
        }
        text
    }
}

/// Lines longer than this are shown around the marked place only.
const WIDEST: usize = 120;

fn excerpt(source: &Source, span: Span, label: &str) -> String {
    let at = source.position(span);
    let line: Vec<char> = source.line(span).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let marked = source.slice(span).chars().take_while(|&c| c != '\n').count().max(1);
    let from =
        if line.len() <= WIDEST { 0 } else { (at.column - 1).saturating_sub(WIDEST / 3).min(line.len()) };
    let shown: String = line[from..].iter().take(WIDEST).collect();
    let before = at.column - 1 - from;
    let carets = marked.min(WIDEST.saturating_sub(before)).max(1);
    let number = at.line.to_string();
    let gutter = " ".repeat(number.len());
    let mark = format!("{gutter} | {}{} {label}", " ".repeat(before), "^".repeat(carets));
    format!("{number} | {}\n{}\n", shown.trim_end(), mark.trim_end())
}

/// All messages, in the order of the text, no more than `most` of them.
pub fn render_all(diagnostics: &[Diagnostic], source: &Source, most: usize) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| d.span.map_or(0, |span| span.start));
    let mut text: String = sorted.iter().take(most).map(|d| d.render(source) + "\n").collect();
    if sorted.len() > most {
        text += &format!("… and {} more\n", sorted.len() - most);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_points_at_its_place() {
        let source = Source::new("abp.dve", "channel acks;\n  sync ack?b;\n");
        let message = Diagnostic::error("channel `ack` is not declared", Span::new(21, 24))
            .label("not declared; did you mean `acks`?")
            .help("declare it with `channel ack;`");
        assert_eq!(
            message.render(&source),
            "error: channel `ack` is not declared\n  --> abp.dve:2:8\n2 |   sync ack?b;\n  |        ^^^ not declared; \
             did you mean `acks`?\n  help: declare it with `channel ack;`\n"
        );
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_place() {
        let source = Source::new("long", "x".repeat(100_000));
        let text = Diagnostic::error("too long", Span::new(50_000, 60_000)).render(&source);
        assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
    }
}
