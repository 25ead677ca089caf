//! What stands inside the sections: declarations, the initial state, rows of tables, values of sorts.

use std::collections::HashMap;

use base::{Diagnostic, Span};

use crate::file::{Cell, Declaration, Map, Rows};
use crate::parse::{Kind, Parser};
use crate::scan::Scanned;
use crate::sorts::Reference;

/// What the columns of a row are.
struct Columns {
    kind: Kind,
    /// The sort of each slot.
    slots: Vec<usize>,
    /// The sort of each label behind them.
    labels: Vec<usize>,
}

impl Columns {
    fn count(&self) -> usize {
        self.slots.len() + self.labels.len()
    }

    fn describe(&self) -> String {
        let labels = match self.kind {
            Kind::Map => "the value of the map".to_owned(),
            _ => counted(self.labels.len(), "edge label"),
        };
        format!(
            "a row has {}: {}, then {labels}",
            counted(self.count(), "column"),
            counted(self.slots.len(), "slot")
        )
    }

    fn slot_cell(&self) -> &'static str {
        if self.kind == Kind::Map { "`*` or a number" } else { "`*` or `from/to`" }
    }
}

impl Parser<'_> {
    /// `name:sort …`
    pub fn declarations(&mut self, kind: Kind, header: Span) -> Vec<Declaration> {
        let mut list = Vec::new();
        let mut first: HashMap<String, Span> = HashMap::new();
        loop {
            self.scanner.space();
            if self.closes(kind, header, None) || self.problems.are_too_many() {
                break;
            }
            let Some(declaration) = self.declaration() else { continue };
            if let Some(name) = &declaration.name {
                if let Some(known) = first.get(name) {
                    let line = self.source.position(*known).line;
                    self.problems.push(
                        Diagnostic::error(format!("`{name}` is declared twice"), declaration.span)
                            .label(format!("the first one is in line {line}"))
                            .help("give each its own name, or `_` for none"),
                    );
                }
                first.insert(name.clone(), declaration.span);
            }
            list.push(declaration);
        }
        if kind == Kind::State && list.is_empty() {
            self.problems.push(
                Diagnostic::error("the state has no slots", header)
                    .label("no `name:sort` follows")
                    .help("declare at least one slot: `x:nat`"),
            );
        }
        list
    }

    /// `name:sort`; passes something in any case.
    fn declaration(&mut self) -> Option<Declaration> {
        let Some(name) = self.scanner.name(self.problems) else {
            self.scanner.skip_word();
            return None;
        };
        self.scanner.blanks();
        if !self.scanner.take(b':') {
            self.problems.push(
                Diagnostic::error("a declaration needs a sort", name.span)
                    .label("no `:` and sort follow")
                    .help("write `name:sort`, or `name:_` for plain numbers"),
            );
            return None;
        }
        self.scanner.blanks();
        let sort = self.scanner.name(self.problems)?;
        let sort = self.sorts.mention(&sort);
        Some(Declaration { name: name.text, sort, span: name.span })
    }

    /// The values of the initial state.
    pub fn initial_state(&mut self, header: Span) -> Vec<Reference> {
        let sorts: Vec<usize> = self.slots.iter().flatten().map(|slot| slot.sort).collect();
        let mut values = Vec::with_capacity(sorts.len());
        let mut count = 0;
        loop {
            self.scanner.space();
            if self.closes(Kind::Init, header, None) || self.problems.are_too_many() {
                break;
            }
            let start = self.scanner.at();
            let value = self.scanner.value();
            match (value, sorts.get(count)) {
                (Err(problem), _) => self.problems.push(problem),
                (Ok(value), Some(&sort)) => {
                    values.push(self.sorts.refer(sort, value, self.scanner.since(start)))
                }
                (Ok(_), None) => {}
            }
            count += 1;
        }
        if count != sorts.len() {
            self.problems.push(
                Diagnostic::error(
                    format!(
                        "the initial state has {}, but the state has {}",
                        counted(count, "value"),
                        counted(sorts.len(), "slot")
                    ),
                    header,
                )
                .label(format!("{} here", counted(count, "value")))
                .help("write one value for each slot, in the order of the state section"),
            );
        }
        values
    }

    /// The rows of a `trans` section.
    pub fn transitions(&mut self, header: Span) -> Rows {
        let labels = self.edge_labels.iter().flatten().map(|label| label.sort).collect();
        self.rows(Kind::Trans, header, labels)
    }

    /// `name:sort` and the rows of a `map` section.
    pub fn map(&mut self, header: Span) -> Option<Map> {
        self.scanner.space();
        let Some(declaration) = self.declaration() else {
            self.skip_section();
            return None;
        };
        let rows = self.rows(Kind::Map, header, vec![declaration.sort]);
        if rows.len() == 0 {
            self.problems.push(
                Diagnostic::warning("this map has no rows", declaration.span)
                    .label("it has no value in any state")
                    .help("add a row for each case, or remove the map"),
            );
        }
        Some(Map { declaration, rows })
    }

    fn rows(&mut self, kind: Kind, header: Span, labels: Vec<usize>) -> Rows {
        let slots = self.slots.iter().flatten().map(|slot| slot.sort).collect();
        let columns = Columns { kind, slots, labels };
        let mut rows = Rows::default();
        loop {
            self.scanner.space();
            if self.closes(kind, header, None) || self.problems.are_too_many() {
                return rows;
            }
            let start = self.scanner.at();
            match self.row(&columns, &mut rows) {
                Ok(()) => rows.finish(start),
                Err(problem) => {
                    rows.give_up(columns.labels.len());
                    self.problems.push(problem);
                    self.scanner.skip_line();
                }
            }
        }
    }

    fn row(&mut self, columns: &Columns, rows: &mut Rows) -> Result<(), Diagnostic> {
        let start = self.scanner.at();
        for (slot, (number, &sort)) in (0..).zip(&columns.slots).enumerate() {
            self.scanner.blanks();
            if self.scanner.take(b'*') {
                continue;
            }
            if self.scanner.at_line_end() {
                return Err(self.too_short(columns, start, slot));
            }
            let cell = self.scanner.at();
            let from = self.slot_value(columns, slot, sort, cell)?;
            let mut to = from;
            if columns.kind == Kind::Trans {
                self.scanner.blanks();
                if !self.scanner.take(b'/') {
                    return Err(self.wrong_cell(columns, slot, cell));
                }
                self.scanner.blanks();
                to = self.slot_value(columns, slot, sort, cell)?;
            }
            if !matches!(
                self.scanner.peek(),
                None | Some(b' ' | b'\t' | b'\n' | b'\r' | b'*' | b'%' | b'"' | b'#')
            ) {
                return Err(self.wrong_cell(columns, slot, cell));
            }
            rows.push_cell(Cell { slot: number, from, to });
        }
        for (label, &sort) in columns.labels.iter().enumerate() {
            self.scanner.blanks();
            if self.scanner.at_line_end() {
                return Err(self.too_short(columns, start, columns.slots.len() + label));
            }
            let place = self.scanner.at();
            let value = self.scanner.value()?;
            let span = self.scanner.since(place);
            // Bare words are values, but these are columns that slipped behind the slots.
            if is_slot_cell(self.source.slice(span)) {
                return Err(Diagnostic::error("a label cannot look like the column of a slot", span)
                    .label(format!("column {} is a label", columns.slots.len() + label + 1))
                    .help(columns.describe() + "; put the label in double quotes if it is one"));
            }
            rows.push_label(self.sorts.refer(sort, value, span));
        }
        self.scanner.blanks();
        if !self.scanner.at_line_end() {
            return Err(Diagnostic::error("this row is too long", self.scanner.word_span())
                .label(format!("column {} of {}", columns.count() + 1, columns.count()))
                .help(columns.describe()));
        }
        Ok(())
    }

    /// A number in the column of a slot, which begins at `cell`.
    fn slot_value(
        &mut self,
        columns: &Columns,
        slot: usize,
        sort: usize,
        cell: usize,
    ) -> Result<u32, Diagnostic> {
        let start = self.scanner.at();
        if !self.scanner.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.wrong_cell(columns, slot, cell));
        }
        let number = self.scanner.number()?;
        self.sorts.note(sort, number, self.scanner.since(start));
        Ok(number)
    }

    fn wrong_cell(&self, columns: &Columns, slot: usize, cell: usize) -> Diagnostic {
        let slots = self.slots.as_deref().unwrap_or_default();
        let name = slots.get(slot).and_then(|slot| slot.name.as_deref()).unwrap_or("_");
        let rest = &self.source.text()[cell..];
        let end = rest.find([' ', '\t', '\n', '\r']).unwrap_or(rest.len());
        Diagnostic::error(
            format!("column {} must be {}", slot + 1, columns.slot_cell()),
            Span::new(cell, cell + end),
        )
        .label(format!("the column of slot `{name}`"))
        .help(columns.describe())
    }

    fn too_short(&self, columns: &Columns, start: usize, found: usize) -> Diagnostic {
        Diagnostic::error("this row is too short", self.scanner.since(start))
            .label(format!("{found} of {} columns", columns.count()))
            .help(columns.describe())
    }

    /// The name and the values of a `sort` section.
    pub fn sort(&mut self, header: Span) {
        self.scanner.space();
        let Some(name) = self.scanner.name(self.problems) else { return self.skip_section() };
        let sort = self.sorts.declare(&name, self.source, self.problems);
        loop {
            self.scanner.space();
            if self.closes(Kind::Sort, header, name.text.as_deref()) || self.problems.are_too_many() {
                return;
            }
            let start = self.scanner.at();
            let value = self.scanner.value();
            let span = self.scanner.since(start);
            match value {
                Ok(Scanned::Text(value)) => self.sorts.list_value(sort, value, span, self.problems),
                Ok(Scanned::Number(number)) => self.problems.push(
                    Diagnostic::error("a value of a sort cannot be a bare number", span)
                        .label("numbers are positions, not values")
                        .help(format!("put it in double quotes: \"{number}\"")),
                ),
                Err(problem) => {
                    self.problems.push(problem);
                    self.scanner.skip_line();
                }
            }
        }
    }
}

/// Whether a bare word looks like `*` or `3/4`.
fn is_slot_cell(word: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word == "*" || word.split_once('/').is_some_and(|(from, to)| number(from) && number(to))
}

/// `1 slot`, `2 slots`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
