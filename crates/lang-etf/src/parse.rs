//! The sections of an ETF text and their order: `state`, `edge`, then `init`, `trans`, `map` and `sort` in
//! any order. What stands inside each kind of section is in `sections`.

use base::{Diagnostic, Problems, Source, Span, closest};

use crate::file::{Declaration, File, Map, Section};
use crate::scan::Scanner;
use crate::sorts::{Reference, Sorts};

/// The kinds of sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    State,
    Edge,
    Init,
    Trans,
    Map,
    Sort,
}

impl Kind {
    const ALL: [Self; 6] = [Self::State, Self::Edge, Self::Init, Self::Trans, Self::Map, Self::Sort];

    pub fn word(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Edge => "edge",
            Self::Init => "init",
            Self::Trans => "trans",
            Self::Map => "map",
            Self::Sort => "sort",
        }
    }
}

/// Reads a text. Without an answer there is an error among the problems; with one there may be, too.
pub(crate) fn parse(source: &Source, problems: &mut Problems) -> Option<File> {
    let mut parser = Parser {
        source,
        problems,
        scanner: Scanner::new(source.text()),
        sections: 0,
        order_broken: false,
        state_header: Span::new(0, 0),
        edge_header: Span::new(0, 0),
        slots: None,
        edge_labels: None,
        initial: None,
        groups: Vec::new(),
        maps: Vec::new(),
        sorts: Sorts::default(),
    };
    parser.all_sections();
    parser.missing_sections();
    Some(File {
        slots: parser.slots?,
        edge_labels: parser.edge_labels?,
        initial: parser.initial?.1,
        groups: parser.groups,
        maps: parser.maps,
        sorts: parser.sorts,
    })
}

/// A text that is being read, and what is known so far.
pub(crate) struct Parser<'a> {
    pub source: &'a Source,
    pub problems: &'a mut Problems,
    pub scanner: Scanner<'a>,
    sections: usize,
    order_broken: bool,
    state_header: Span,
    edge_header: Span,
    pub slots: Option<Vec<Declaration>>,
    pub edge_labels: Option<Vec<Declaration>>,
    initial: Option<(Span, Vec<Reference>)>,
    groups: Vec<Section>,
    maps: Vec<Map>,
    pub sorts: Sorts,
}

impl Parser<'_> {
    fn all_sections(&mut self) {
        loop {
            self.scanner.space();
            if self.scanner.at_end() || self.problems.are_too_many() {
                return;
            }
            if self.scanner.word() == "begin" {
                self.section();
            } else {
                self.outside();
            }
        }
    }

    /// Text that is in no section: one message, then on to the next section.
    fn outside(&mut self) {
        let span = self.scanner.word_span();
        self.problems
            .push(Diagnostic::error("a section should begin here", span).label("this is in no section").help(
            "a section is `begin KIND` … `end KIND`, with KIND one of state, edge, init, trans, map, sort",
        ));
        while !self.scanner.at_end() && self.scanner.word() != "begin" {
            self.scanner.skip_line();
            self.scanner.blanks();
        }
    }

    fn section(&mut self) {
        let start = self.scanner.at();
        self.scanner.skip_word();
        self.scanner.blanks();
        let word = self.scanner.word();
        let kind_span = self.scanner.word_span();
        self.scanner.skip_word();
        let header = self.scanner.since(start);
        let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.word() == word) else {
            let known = closest(word, Kind::ALL.map(Kind::word));
            let label =
                known.map_or("not a kind of section".to_owned(), |known| format!("did you mean `{known}`?"));
            self.problems.push(
                Diagnostic::error(format!("there are no `{}` sections", word.escape_default()), kind_span)
                    .label(label)
                    .help("sections are state, edge, init, trans, map and sort"),
            );
            return self.skip_section();
        };
        let in_place = self.in_place(kind, header);
        self.sections += 1;
        if in_place { self.content(kind, header) } else { self.skip_section() }
    }

    /// Whether a section of this kind may stand here, so far that its content makes sense.
    fn in_place(&mut self, kind: Kind, header: Span) -> bool {
        let first = match kind {
            Kind::State => self.slots.is_some().then_some(self.state_header),
            Kind::Edge => self.edge_labels.is_some().then_some(self.edge_header),
            Kind::Init => self.initial.as_ref().map(|(first, _)| *first),
            Kind::Trans | Kind::Map | Kind::Sort => None,
        };
        if let Some(first) = first {
            let line = self.source.position(first).line;
            self.problems.push(
                Diagnostic::error(format!("there is more than one `{}` section", kind.word()), header)
                    .label(format!("the first is in line {line}"))
                    .help("keep one of them"),
            );
            return false;
        }
        let declared = self.slots.is_some() && self.edge_labels.is_some();
        match kind {
            Kind::State if self.sections != 0 => {
                self.broken_order("the `state` section must be the first one", header)
            }
            Kind::Edge if self.sections != 1 => {
                self.broken_order("the `edge` section must be the second one", header)
            }
            Kind::State | Kind::Edge => {}
            _ if !declared => {
                self.broken_order("the sections `state` and `edge` must come before this one", header);
                return kind == Kind::Sort;
            }
            _ => {}
        }
        true
    }

    /// One message about the order is enough: the rest follows from it.
    fn broken_order(&mut self, message: &str, header: Span) {
        if !std::mem::replace(&mut self.order_broken, true) {
            self.problems.push(Diagnostic::error(message, header).label("out of order").help(
                "begin the file with `begin state` … `end state`, then `begin edge` … `end edge`, even if it is empty",
            ));
        }
    }

    fn content(&mut self, kind: Kind, header: Span) {
        match kind {
            Kind::State => {
                self.slots = Some(self.declarations(kind, header));
                self.state_header = header;
            }
            Kind::Edge => {
                self.edge_labels = Some(self.declarations(kind, header));
                self.edge_header = header;
            }
            Kind::Init => self.initial = Some((header, self.initial_state(header))),
            Kind::Trans => {
                let rows = self.transitions(header);
                self.groups.push(Section { header, rows });
            }
            Kind::Map => {
                if let Some(map) = self.map(header) {
                    self.known_map(&map.declaration);
                    self.maps.push(map);
                }
            }
            Kind::Sort => self.sort(header),
        }
    }

    /// State labels are told apart by their names.
    fn known_map(&mut self, new: &Declaration) {
        let first = self.maps.iter().map(|map| &map.declaration).find(|known| known.name == new.name);
        if let (Some(first), Some(name)) = (first, &new.name) {
            let line = self.source.position(first.span).line;
            self.problems.push(
                Diagnostic::error(format!("map `{name}` is there twice"), new.span)
                    .label(format!("the first is in line {line}"))
                    .help("give each map its own name"),
            );
        }
    }

    /// Passes the rest of a section, its end included.
    pub fn skip_section(&mut self) {
        loop {
            self.scanner.blanks();
            match self.scanner.word() {
                _ if self.scanner.at_end() => return,
                "begin" => return,
                "end" => return self.scanner.skip_line(),
                _ => self.scanner.skip_line(),
            }
        }
    }

    /// Whether the section ends here; passes its end, and says so where the end is missing or another's.
    pub fn closes(&mut self, kind: Kind, header: Span, own_name: Option<&str>) -> bool {
        let word = self.scanner.word();
        if self.scanner.at_end() || word == "begin" {
            self.problems.push(
                Diagnostic::error(format!("this `{}` section is not closed", kind.word()), header)
                    .label("no `end` follows")
                    .help(format!("end it with `end {}`", kind.word())),
            );
            return true;
        }
        if word != "end" {
            return false;
        }
        let start = self.scanner.at();
        self.scanner.skip_word();
        self.scanner.blanks();
        let ended = self.scanner.word();
        // The grammar of the manual page ends a sort with the sort's name, its example with the word `sort`.
        if ended != kind.word() && Some(ended) != own_name {
            let span = self.scanner.since(start).to(self.scanner.word_span());
            self.problems.push(
                Diagnostic::error(format!("this ends another section than `{}`", kind.word()), span)
                    .label(format!("`end {}` belongs here", kind.word()))
                    .help("sections do not nest: each ends before the next begins"),
            );
        }
        self.scanner.skip_word();
        true
    }

    fn missing_sections(&mut self) {
        if self.problems.are_too_many() {
            return;
        }
        let end = self.source.text().trim_end().len();
        if self.sections == 0 {
            if !self.problems.any_error() {
                self.problems.push(
                    Diagnostic::error("there is nothing in this file", Span::new(0, 0))
                        .label("`begin state` should stand here")
                        .help("an ETF file has the sections state, edge and init, and trans sections with its transitions"),
                );
            }
            return;
        }
        // Where the order is broken, that message says what is missing.
        let missing = [(Kind::State, self.slots.is_none()), (Kind::Edge, self.edge_labels.is_none())];
        for (kind, _) in missing.into_iter().filter(|&(_, missing)| missing && !self.order_broken) {
            self.problems.push(
                Diagnostic::error(format!("there is no `{}` section", kind.word()), Span::new(0, 0))
                    .label("the file should begin with `begin state`, then `begin edge`")
                    .help("write an empty `begin edge` … `end edge` if edges have no labels"),
            );
        }
        if self.initial.is_none() && self.slots.is_some() && self.edge_labels.is_some() {
            self.problems.push(
                Diagnostic::error("there is no `init` section", Span::new(end, end))
                    .label("the file ends without an initial state")
                    .help("write `begin init`, a line with one value for each slot, and `end init`"),
            );
        }
    }
}
