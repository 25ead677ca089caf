//! Reading the elements of a PNML file (ISO/IEC 15909-2) one after the other. What a person drew (positions,
//! lines, colours) and what other tools noted is passed over.
//!
//! Read as well, because tools write it: `<value>` for `<text>` and a type `P/T net` (PIPE), the types of
//! nets before the standard, and arcs that test or inhibit, as `<type value="inhibitor"/>` (TINA, PIPE) or
//! `<arctype><text>inhibitor</text></arctype>`.

use std::borrow::Cow;

use base::{Diagnostic, Problems, Source, Span};
use petri::Tokens;

use crate::fragment::Fragment;
use crate::raw::{ArcKind, RawArc, RawNet, RawNode, RawPlace, RawTransition};
use crate::xml::{Event, Reader, Tag, Text};

/// Nobody draws pages inside of pages deeper than this.
const DEEPEST: usize = 10_000;

/// What is read next of a net; the outermost element was started already where `depth` was taken.
struct NetReader<'t, 'p> {
    source: &'t Source,
    reader: Reader<'t>,
    net: RawNet<'t>,
    problems: &'p mut Problems,
}

/// The kinds of nets.
enum NetType {
    Plain,
    Coloured,
    Unknown,
}

/// The first net of the file that is of a kind that is known. `None` where something is wrong that makes the
/// rest meaningless.
pub(crate) fn read<'t>(source: &'t Source, problems: &mut Problems) -> Option<RawNet<'t>> {
    let mut reader =
        NetReader { source, reader: Reader::new(source.text(), DEEPEST), net: RawNet::default(), problems };
    match reader.file() {
        Ok(found) => {
            reader.net.ids.settle(reader.problems);
            found.then_some(reader.net)
        }
        Err(problem) => {
            reader.problems.push(problem);
            None
        }
    }
}

impl<'t> NetReader<'t, '_> {
    /// Whether there is a net.
    fn file(&mut self) -> Result<bool, Diagnostic> {
        let mut root = Span::new(0, 0);
        match self.reader.next()? {
            Event::Start(tag) if tag.name == "pnml" => root = tag.span,
            Event::Start(tag) => {
                let problem = Diagnostic::error(format!("<{}> is no Petri net", tag.name), tag.span);
                return Err(problem.label("expected <pnml>"));
            }
            _ => return Err(Diagnostic::error("the file is empty", root).help("expected <pnml>")),
        }
        let mut unknown: Vec<Diagnostic> = Vec::new();
        let mut found: Option<Span> = None;
        loop {
            match self.reader.next()? {
                Event::Start(tag) if tag.name == "net" => {
                    let written = tag.attribute("type")?;
                    match (found, net_type(written.as_ref().map_or("ptnet", |text| &text.value))) {
                        (Some(_), _) => {
                            let warning = Diagnostic::warning("the file has more than one net", tag.span);
                            self.problems.push(warning.label("left aside: the first is taken"));
                            self.reader.skip()?;
                        }
                        (None, NetType::Unknown) => {
                            let written =
                                written.unwrap_or(Text { value: Cow::Borrowed(""), span: tag.span });
                            let message = format!("nets of type `{}` are not known", written.value);
                            unknown.push(
                                Diagnostic::error(message, written.span).help(
                                    "known are place/transition nets (…/ptnet) and symmetric nets (…/symmetricnet)",
                                ),
                            );
                            self.reader.skip()?;
                        }
                        (None, known) => {
                            self.net.is_coloured = matches!(known, NetType::Coloured);
                            found = Some(tag.span);
                            self.net(tag)?;
                        }
                    }
                }
                Event::Start(_) => self.reader.skip()?,
                Event::Text(_) => {}
                Event::End | Event::Nothing => break,
            }
        }
        if found.is_none() {
            if unknown.is_empty() {
                unknown.push(Diagnostic::error("the file has no net", root).label("<net> is missing in it"));
            }
            unknown.into_iter().for_each(|problem| self.problems.push(problem));
        }
        Ok(found.is_some())
    }

    fn net(&mut self, tag: Tag<'t>) -> Result<(), Diagnostic> {
        let outside = self.reader.depth() - 1;
        self.net.name = tag.attribute("id")?.map_or(String::new(), |id| id.value.into_owned());
        // Pages are looked through: whatever stands on one belongs to the net.
        let mut name_depth = None;
        loop {
            match self.reader.next()? {
                Event::Start(tag) => match tag.name {
                    "page" => {}
                    "place" => self.place(tag)?,
                    "transition" => self.transition(tag)?,
                    "arc" => self.arc(tag)?,
                    "referencePlace" => self.reference(tag, RawNode::ReferencePlace)?,
                    "referenceTransition" => self.reference(tag, RawNode::ReferenceTransition)?,
                    "declaration" => {
                        let fragment = Fragment::read(&mut self.reader, tag)?;
                        self.net.declarations.push(fragment);
                    }
                    "toolspecific" => self.tool_specific(tag)?,
                    "name" if name_depth.is_none_or(|depth| self.reader.depth() < depth) => {
                        // Pages have names, too; the one nearest to the net is the net's.
                        name_depth = Some(self.reader.depth());
                        let is_own = self.reader.depth() == outside + 2;
                        if let Some(text) = self.label()?.filter(|text| is_own && !text.value.is_empty()) {
                            self.net.name = text.value.into_owned();
                        }
                    }
                    _ => self.reader.skip()?,
                },
                Event::Text(_) => {}
                Event::End | Event::Nothing if self.reader.depth() <= outside => return Ok(()),
                Event::End | Event::Nothing => {}
            }
            if self.problems.are_too_many() {
                return Ok(());
            }
        }
    }

    fn place(&mut self, tag: Tag<'t>) -> Result<(), Diagnostic> {
        let place = self.net.places.len() as u32;
        let id = self.declare(tag, RawNode::Place(place))?;
        let (mut name, mut initial, mut sort, mut marking) = (None, 0, None, None);
        self.children(|this, child| {
            match child.name {
                "name" => name = this.label()?.map(|text| text.value),
                "initialMarking" => {
                    if let Some(text) = this.label()? {
                        initial = this.number(&text, "initial marking").unwrap_or(0);
                    }
                }
                "type" => sort = Some(Box::new(Fragment::read(&mut this.reader, child)?)),
                "hlinitialMarking" => marking = Some(Box::new(Fragment::read(&mut this.reader, child)?)),
                _ => this.reader.skip()?,
            }
            Ok(())
        })?;
        if let Some(id) = id {
            self.net.places.push(RawPlace { id, name, span: tag.span, initial, sort, marking });
        }
        Ok(())
    }

    fn transition(&mut self, tag: Tag<'t>) -> Result<(), Diagnostic> {
        let transition = self.net.transitions.len() as u32;
        let id = self.declare(tag, RawNode::Transition(transition))?;
        let (mut name, mut condition) = (None, None);
        self.children(|this, child| {
            match child.name {
                "name" => name = this.label()?.map(|text| text.value),
                "condition" => condition = Some(Box::new(Fragment::read(&mut this.reader, child)?)),
                _ => this.reader.skip()?,
            }
            Ok(())
        })?;
        if let Some(id) = id {
            self.net.transitions.push(RawTransition { id, name, span: tag.span, condition });
        }
        Ok(())
    }

    fn reference(&mut self, tag: Tag<'t>, node: fn(u32) -> RawNode) -> Result<(), Diagnostic> {
        match tag.attribute("ref")? {
            Some(text) => {
                let target = self.net.ids.number(text.value, text.span);
                self.declare(tag, node(target))?;
            }
            None => self.missing(tag, "ref"),
        }
        self.reader.skip()
    }

    fn arc(&mut self, tag: Tag<'t>) -> Result<(), Diagnostic> {
        let (source, target) = (tag.attribute("source")?, tag.attribute("target")?);
        let mut weight = 1;
        let mut kind = match tag.attribute("type")? {
            Some(text) => self.arc_kind(&text),
            None => ArcKind::Normal,
        };
        let mut inscription = None;
        self.children(|this, child| {
            match child.name {
                "inscription" => {
                    if let Some(text) = this.label()? {
                        weight = this.number(&text, "weight").unwrap_or(1);
                        if weight == 0 {
                            this.problems.push(
                                Diagnostic::error("the weight of an arc is 0", text.span)
                                    .help("an arc that moves nothing is none: leave it out"),
                            );
                        }
                    }
                }
                "hlinscription" => inscription = Some(Box::new(Fragment::read(&mut this.reader, child)?)),
                "type" | "arctype" | "arcType" => {
                    let written = child.attribute("value")?;
                    let inside = this.label()?;
                    if let Some(text) = written.or(inside) {
                        kind = this.arc_kind(&text);
                    }
                }
                _ => this.reader.skip()?,
            }
            Ok(())
        })?;
        let (Some(source), Some(target)) = (&source, &target) else {
            self.missing(tag, if source.is_none() { "source" } else { "target" });
            return Ok(());
        };
        let source = self.net.ids.number(source.value.clone(), source.span);
        let target = self.net.ids.number(target.value.clone(), target.span);
        self.net.arcs.push(RawArc { source, target, weight, kind, span: tag.span, inscription });
        Ok(())
    }

    fn arc_kind(&mut self, text: &Text<'t>) -> ArcKind {
        match &*text.value.to_ascii_lowercase() {
            "" | "normal" | "ordinary" | "regular" => ArcKind::Normal,
            "read" | "test" => ArcKind::Read,
            "inhibitor" => ArcKind::Inhibitor,
            _ => {
                let message = format!("arcs of type `{}` are not supported", text.value);
                let help = "supported are ordinary arcs and those of type `inhibitor`, `read` and `test`";
                self.problems.push(Diagnostic::error(message, text.span).help(help));
                ArcKind::Normal
            }
        }
    }

    fn tool_specific(&mut self, tag: Tag<'t>) -> Result<(), Diagnostic> {
        let is_units = tag.attribute("tool")?.is_some_and(|tool| tool.value == "nupn");
        if is_units && self.net.units.is_none() {
            self.net.units = Some(Fragment::read(&mut self.reader, tag)?);
            return Ok(());
        }
        self.reader.skip()
    }

    /// Gives an id its meaning; `None` where it has one already, or where there is no id.
    fn declare(&mut self, tag: Tag<'t>, node: RawNode) -> Result<Option<u32>, Diagnostic> {
        let Some(id) = tag.attribute("id")? else {
            self.missing(tag, "id");
            return Ok(None);
        };
        let shown = id.value.clone();
        let number = self.net.ids.number(id.value, id.span);
        let known = number as usize;
        if self.net.ids.nodes[known] != RawNode::Unknown {
            let first = self.source.position(self.net.ids.seen[known]);
            self.problems.push(
                Diagnostic::error(format!("the id `{shown}` is taken"), id.span)
                    .label(format!("the first is in line {}", first.line)),
            );
            return Ok(None);
        }
        self.net.ids.nodes[known] = node;
        self.net.ids.seen[known] = id.span;
        Ok(Some(number))
    }

    fn missing(&mut self, tag: Tag<'t>, attribute: &str) {
        self.problems
            .push(Diagnostic::error(format!("<{}> has no attribute `{attribute}`", tag.name), tag.span));
    }

    /// Gives every element right in the one that was just started to `read`, up to its end.
    fn children(
        &mut self,
        mut read: impl FnMut(&mut Self, Tag<'t>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        loop {
            match self.reader.next()? {
                Event::Start(tag) => read(self, tag)?,
                Event::Text(_) => {}
                Event::End | Event::Nothing => return Ok(()),
            }
        }
    }

    /// The text of a label that was just started: what stands in its `<text>`.
    fn label(&mut self) -> Result<Option<Text<'t>>, Diagnostic> {
        let mut label = None;
        self.children(|this, child| {
            match child.name {
                "text" | "value" => label = Some(this.reader.text()?),
                _ => this.reader.skip()?,
            }
            Ok(())
        })?;
        Ok(label)
    }

    fn number(&mut self, text: &Text<'t>, what: &str) -> Option<Tokens> {
        // PIPE puts the name of its only colour before the number.
        let digits = text.value.trim().trim_start_matches("Default,");
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let problem = match digits.parse() {
            Ok(number) if is_number(digits) => return Some(number),
            _ if is_number(digits) => {
                Diagnostic::error(format!("the {what} {digits} is too large"), text.span)
                    .help(format!("the largest number is {}", Tokens::MAX))
            }
            _ if digits.strip_prefix('-').is_some_and(is_number) => {
                Diagnostic::error(format!("the {what} {digits} is negative"), text.span)
            }
            _ => Diagnostic::error(format!("the {what} `{digits}` is no number"), text.span),
        };
        self.problems.push(problem);
        None
    }
}

/// The kind of net that a type names.
fn net_type(name: &str) -> NetType {
    let name = name.to_ascii_lowercase();
    let last = name.rsplit('/').next().unwrap_or(&name);
    match last {
        "symmetricnet" | "highlevelnet" | "pt-hlpng" => NetType::Coloured,
        // The core model has no markings; tools that write it add them.
        "ptnet" | "ptnetb" | "pnmlcoremodel" | "pnmltd" | "t net" | "" => NetType::Plain,
        _ => NetType::Unknown,
    }
}
