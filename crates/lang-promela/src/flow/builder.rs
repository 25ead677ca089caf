//! Makes the graph of a process type, statement by statement, in the order in which Spin makes its elements.

use std::collections::BTreeMap;

use base::{Diagnostic, Span};

use super::labels::Label;
use super::{Element, ElementIx, Goto, Graph, Kind, Sequence, SequenceIx};
use crate::resolved::Basic;

/// Makes the graph of a process type, statement by statement.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub graph: Graph,
    /// The sequences that are open, the innermost last.
    open: Vec<SequenceIx>,
    /// Where `break` leads, for each loop around: elements that wait for their target.
    loops: Vec<Vec<ElementIx>>,
}

impl Builder {
    pub fn open(&mut self) {
        self.graph.sequences.push(Sequence::default());
        self.open.push(self.graph.sequences.len() - 1);
    }

    pub fn close(&mut self) -> SequenceIx {
        let sequence = self.open.pop().expect("BUG: no sequence is open");
        let made = &mut self.graph.sequences[sequence];
        made.extent = made.last;
        sequence
    }

    /// Whether nothing stands in the sequence that is open.
    pub fn is_empty(&self) -> bool {
        self.open.last().is_none_or(|&sequence| self.graph.sequences[sequence].first.is_none())
    }

    fn element(&mut self, kind: Kind, span: Span) -> ElementIx {
        self.graph.elements.push(Element {
            kind,
            next: None,
            atomic: false,
            last_atomic: false,
            in_step: false,
            escapes: Vec::new(),
            span,
            number: self.graph.elements.len(),
        });
        self.graph.elements.len() - 1
    }

    /// Appends an element to a sequence.
    fn append(&mut self, element: ElementIx, sequence: SequenceIx) {
        let made = self.graph.sequences[sequence];
        match made.last {
            None => self.graph.sequences[sequence].first = Some(element),
            Some(last) => self.graph.elements[last].next = Some(element),
        }
        self.graph.sequences[sequence].last = Some(element);
    }

    fn append_open(&mut self, element: ElementIx) {
        let sequence = *self.open.last().expect("BUG: no sequence is open");
        self.append(element, sequence);
    }

    pub fn basic(&mut self, basic: Basic, span: Span) -> ElementIx {
        let element = self.element(Kind::Basic(basic), span);
        self.append_open(element);
        element
    }

    /// A `goto`. One with a label that means something gets a `skip` before it, which keeps the label.
    pub fn goto(&mut self, name: &str, scope: &[u32], span: Span, labelled: bool) -> ElementIx {
        let element = self.element(Kind::Goto(None), span);
        self.graph.gotos.push((element, Goto { name: name.into(), scope: scope.to_vec(), span }));
        self.jump(element, labelled)
    }

    /// A `break`, with a `skip` before it likewise; none outside of a loop.
    pub fn leave(&mut self, span: Span, labelled: bool) -> Option<ElementIx> {
        self.loops.last()?;
        let element = self.element(Kind::Goto(None), span);
        self.loops.last_mut()?.push(element);
        Some(self.jump(element, labelled))
    }

    /// The `skip` is made after the jump and stands before it.
    fn jump(&mut self, element: ElementIx, labelled: bool) -> ElementIx {
        let span = self.graph.elements[element].span;
        let skip = labelled.then(|| self.basic(Basic::Skip, span));
        self.append_open(element);
        skip.unwrap_or(element)
    }

    /// A loop is entered: `break` leads behind it from now on.
    pub fn enter_loop(&mut self) {
        self.loops.push(Vec::new());
    }

    /// An `if` over options that are closed; `else` is tried last wherever it stands.
    pub fn choice(&mut self, options: Vec<SequenceIx>, span: Span) -> ElementIx {
        let options = self.else_last(options);
        let head = self.element(Kind::If(options.clone()), span);
        let target = self.element(Kind::Joint, span);
        options.into_iter().for_each(|option| self.append(target, option));
        self.append_open(head);
        self.append_open(target);
        head
    }

    /// A `do` over options that are closed, and the end of the loop that was entered for it.
    pub fn repetition(&mut self, options: Vec<SequenceIx>, span: Span) -> ElementIx {
        let options = self.else_last(options);
        let head = self.element(Kind::Do(options.clone()), span);
        let target = self.element(Kind::Joint, span);
        options.into_iter().for_each(|option| self.append(target, option));
        self.append_open(target);
        let exit = self.element(Kind::Exit, span);
        for leaving in self.loops.pop().expect("BUG: a loop that was not entered") {
            self.graph.elements[leaving].kind = Kind::Goto(Some(exit));
        }
        self.append_open(head);
        self.append_open(exit);
        head
    }

    fn else_last(&self, mut options: Vec<SequenceIx>) -> Vec<SequenceIx> {
        let is_else = |option: &SequenceIx| {
            let first = self.graph.sequences[*option].first;
            first.is_some_and(|first| matches!(self.graph.elements[first].kind, Kind::Basic(Basic::Else)))
        };
        options.sort_by_key(is_else);
        options
    }

    pub fn unless(&mut self, main: SequenceIx, escape: SequenceIx, span: Span) -> ElementIx {
        let head = self.element(Kind::Unless(main, escape), span);
        let target = self.element(Kind::Joint, span);
        self.append(target, main);
        self.append(target, escape);
        self.attach_all(main, escape);
        self.append_open(head);
        self.append_open(target);
        head
    }

    /// How many elements there are.
    pub fn elements(&self) -> usize {
        self.graph.elements.len()
    }

    /// Spin makes the last elements of the main part of an `unless` after the whole escape, which begins at
    /// an element and has just been read. It is none where it is not known how many those are.
    pub fn make_late(&mut self, late: Option<usize>, escape: ElementIx) {
        let Some(late) = late else {
            self.graph.disordered = true;
            return;
        };
        let behind = self.graph.elements.len() - escape;
        for (at, element) in self.graph.elements.iter_mut().enumerate().skip(escape - late) {
            if at < escape {
                element.number += behind;
            } else {
                element.number -= late;
            }
        }
    }

    fn attach_all(&mut self, sequence: SequenceIx, escape: SequenceIx) {
        let Sequence { first, extent, .. } = self.graph.sequences[sequence];
        let mut at = first;
        while let Some(element) = at {
            self.attach(element, escape);
            if at == extent {
                break;
            }
            at = self.graph.elements[element].next;
        }
    }

    fn attach(&mut self, element: ElementIx, escape: SequenceIx) {
        if self.graph.elements[element].escapes.contains(&escape) {
            return;
        }
        // An outer escape is also one of the inner escapes.
        for inner in self.graph.elements[element].escapes.clone() {
            self.attach_all(inner, escape);
        }
        self.graph.elements[element].escapes.insert(0, escape);
        match &self.graph.elements[element].kind {
            Kind::Unless(main, _) => self.attach_all(*main, escape),
            Kind::If(options) | Kind::Do(options) => {
                options.clone().into_iter().for_each(|option| self.attach_all(option, escape));
            }
            Kind::Step(inside) => {
                if let Some(first) = self.graph.sequences[*inside].first {
                    self.attach(first, escape);
                }
            }
            Kind::Atomic(inside) | Kind::Block(inside) => self.attach_all(*inside, escape),
            _ => {}
        }
    }

    pub fn block(&mut self, inside: SequenceIx, span: Span) -> ElementIx {
        let element = self.element(Kind::Block(inside), span);
        self.append_open(element);
        element
    }

    pub fn atomic(&mut self, inside: SequenceIx, span: Span) -> ElementIx {
        self.make_atomic(inside, false);
        let element = self.element(Kind::Atomic(inside), span);
        self.append_open(element);
        element
    }

    pub fn step(&mut self, inside: SequenceIx, span: Span) -> ElementIx {
        self.make_atomic(inside, true);
        let element = self.element(Kind::Step(inside), span);
        self.append_open(element);
        element
    }

    pub fn make_atomic(&mut self, sequence: SequenceIx, step: bool) {
        let Sequence { first: Some(first), last: Some(last), .. } = self.graph.sequences[sequence] else {
            return;
        };
        self.walk_atomic(first, last, step);
        match self.graph.elements[last].kind {
            Kind::Block(inside) | Kind::Atomic(inside) => self.make_atomic(inside, step),
            Kind::Unless(main, _) => self.make_atomic(main, step),
            _ => {
                self.graph.elements[last].atomic = false;
                self.graph.elements[last].last_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, first: ElementIx, last: ElementIx, step: bool) {
        let mut at = Some(first);
        while let Some(element) = at {
            let here = &mut self.graph.elements[element];
            here.atomic = true;
            here.in_step |= step;
            // An atomic sequence inside another one is no more than a block.
            if let Kind::Atomic(inside) = here.kind {
                here.kind = Kind::Block(inside);
            }
            if let (Kind::Step(inside), true) = (&here.kind, step) {
                here.kind = Kind::Block(*inside);
            }
            let inside: Vec<SequenceIx> = match &here.kind {
                Kind::Block(inside) => vec![*inside],
                Kind::If(options) | Kind::Do(options) => options.clone(),
                Kind::Unless(main, escape) => vec![*main, *escape],
                _ => Vec::new(),
            };
            at = here.next;
            for sequence in inside {
                if let Sequence { first: Some(first), last: Some(last), .. } = self.graph.sequences[sequence]
                {
                    self.walk_atomic(first, last, step);
                }
            }
            if element == last {
                break;
            }
        }
    }

    /// Removes what stands idle in an option: the second and later of `skip`s in a row that no label names,
    /// except at its ends.
    pub fn prune(&mut self, option: SequenceIx) {
        let Sequence { first, last, extent } = self.graph.sequences[option];
        let (mut idle, mut before, mut at) = (0, None::<ElementIx>, first);
        while let Some(element) = at {
            let here = &self.graph.elements[element];
            at = here.next;
            let skip = matches!(here.kind, Kind::Basic(Basic::Skip));
            let idles = skip || matches!(here.kind, Kind::Basic(Basic::Print));
            if idles && self.graph.labels.at(element).is_none() {
                idle += 1;
                let at_an_end = [first, last, extent].contains(&Some(element));
                if let (true, false, Some(before)) = (skip && idle > 1, at_an_end, before) {
                    self.graph.elements[before].next = at;
                    continue;
                }
            } else {
                idle = 0;
            }
            before = Some(element);
        }
    }

    pub fn label(&mut self, name: &str, scope: &[u32], element: ElementIx, span: Span) {
        self.graph.labels.add(Label { name: name.into(), scope: scope.to_vec(), element, span });
    }

    /// A label that others ask for must be a place to stand: before a `goto` that it names comes a `skip`.
    fn keep_asked(&mut self, asked: &BTreeMap<String, Span>) {
        let all = self.graph.labels.iter().filter(|label| asked.contains_key(&label.name)).cloned();
        for Label { element, span, .. } in all.collect::<Vec<_>>() {
            if matches!(self.graph.elements[element].kind, Kind::Goto(_)) {
                let goto = self.element(Kind::Goto(None), span);
                let here = &mut self.graph.elements;
                here[goto].next = here[element].next;
                here[goto].kind = std::mem::replace(&mut here[element].kind, Kind::Basic(Basic::Skip));
                here[element].next = Some(goto);
            }
        }
    }

    /// The graph, its gotos led to their labels. `asked` are the labels that other processes or claims ask
    /// for.
    pub fn finish(
        mut self,
        body: SequenceIx,
        asked: &BTreeMap<String, Span>,
    ) -> Result<Graph, Vec<Diagnostic>> {
        let mut wrong = Vec::new();
        for (element, goto) in std::mem::take(&mut self.graph.gotos) {
            match self.graph.find(&goto.name, &goto.scope) {
                Some(label) => self.graph.elements[element].kind = Kind::Goto(Some(label)),
                None => wrong.push(
                    Diagnostic::error(
                        format!("there is no label `{}` in this process", goto.name),
                        goto.span,
                    )
                    .label("jumps to a label that is not there")
                    .help(format!("write `{}:` before a statement of this proctype", goto.name)),
                ),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        self.graph.parsed = self.graph.elements.len();
        for (name, &span) in asked {
            if self.graph.find(name, &[]).is_none() {
                wrong.push(
                    Diagnostic::error(format!("the proctype has no label `{name}`"), span)
                        .label("asks for a label that is not there"),
                );
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        self.keep_asked(asked);
        self.graph.check_steps()?;
        let graph = &mut self.graph;
        graph.order_steps();
        graph.tie_ends();
        for sequence in 0..graph.sequences.len() {
            graph.patch_atomic(sequence);
        }
        let first = graph.sequences[body].first.expect("BUG: a body without its end");
        graph.start = graph.hunt(first, graph.elements[first].atomic).map_err(|problem| vec![problem])?;
        Ok(self.graph)
    }
}
