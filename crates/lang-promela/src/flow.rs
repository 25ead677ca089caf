//! The flow of control in a process type, as Spin 6.5 has it: which statements are places where a process
//! can stand, which are passed through, and what goes on without a pause.
//!
//! Counts of states can only be Spin's if a process stands where it stands in Spin. So elements are made and
//! linked as Spin does. `if` and `do` are elements with a sequence for each option and a target behind them.
//! `goto`, `break` and targets are passed through, unless an atomic sequence would be left by that. An
//! option's first statement belongs to the place before the option.
//!
//! Example: in `do :: x < 3 -> x++ :: else -> break od; y = 1` a process can stand in four places: before
//! the loop, where the moves are `x < 3` and `else`; before `x++`; before `y = 1`; and at its end. The
//! target before the loop, the `break` and the target behind the loop are elements, but nobody stands there.

pub(crate) mod builder;
mod d_step;
mod labels;
pub(crate) mod table;

use std::collections::HashMap;

use base::{Diagnostic, Span};

use self::labels::Labels;
use crate::resolved::Basic;

/// An element: a statement, or a joint between statements.
pub(crate) type ElementIx = usize;
/// A sequence of elements.
pub(crate) type SequenceIx = usize;
/// An option of a choice: which choice, and its place among the options.
pub(crate) type OptionIx = (ElementIx, usize);

/// The elements of a process type.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub elements: Vec<Element>,
    pub sequences: Vec<Sequence>,
    pub labels: Labels,
    /// Where it starts.
    pub start: ElementIx,
    /// How many elements there were when all was read: those behind are made afterwards.
    pub parsed: usize,
    /// Spin makes some of them in an order that is not known.
    pub disordered: bool,
    /// Inside a `d_step`: the option that is tried where a statement cannot be done.
    pub otherwise: HashMap<ElementIx, OptionIx>,
    /// Gotos whose target is known by name only, until all is read.
    gotos: Vec<(ElementIx, Goto)>,
}

#[derive(Debug)]
pub(crate) struct Element {
    pub kind: Kind,
    pub next: Option<ElementIx>,
    /// Inside an atomic sequence and not its last step: the process goes on without a pause.
    pub atomic: bool,
    /// The last step of an atomic sequence.
    pub last_atomic: bool,
    /// Inside a `d_step`.
    pub in_step: bool,
    /// Escapes of `unless` around it, the outermost first.
    pub escapes: Vec<SequenceIx>,
    /// Where it stands.
    pub span: Span,
    /// Its place in the order in which Spin makes elements.
    pub number: usize,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "most elements are statements")]
pub(crate) enum Kind {
    Basic(Basic),
    /// To an element that is known when all labels are.
    Goto(Option<ElementIx>),
    /// The target behind `if` and `unless`, before `do`.
    Joint,
    /// The target behind `do`.
    Exit,
    If(Vec<SequenceIx>),
    Do(Vec<SequenceIx>),
    Unless(SequenceIx, SequenceIx),
    Atomic(SequenceIx),
    Block(SequenceIx),
    Step(SequenceIx),
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sequence {
    pub first: Option<ElementIx>,
    pub last: Option<ElementIx>,
    /// The last that is its own: targets are appended behind it.
    pub extent: Option<ElementIx>,
}

#[derive(Debug)]
struct Goto {
    name: String,
    scope: Vec<u32>,
    span: Span,
}

impl Graph {
    /// The element that a name means in a scope: the label of the same scope, then of the nearest around,
    /// then any.
    pub fn find(&self, name: &str, scope: &[u32]) -> Option<ElementIx> {
        let named = || self.labels.named(name);
        let around =
            named().filter(|label| scope.starts_with(&label.scope)).max_by_key(|label| label.scope.len());
        around.or_else(|| named().next_back()).map(|label| label.element)
    }

    /// Nothing jumps into a `d_step` or out of one, and no process is started in one.
    fn check_steps(&self) -> Result<(), Vec<Diagnostic>> {
        // The `d_step` that an element stands in.
        let mut inside: Vec<Option<ElementIx>> = vec![None; self.elements.len()];
        for (step, element) in self.elements.iter().enumerate() {
            if let Kind::Step(sequence) = element.kind {
                self.mark(sequence, step, &mut inside);
            }
        }
        let mut wrong = Vec::new();
        for (element, step) in self.elements.iter().zip(&inside) {
            match &element.kind {
                Kind::Goto(Some(target)) if inside[*target] != *step => {
                    let end = step.is_some_and(|step| self.elements[step].next == Some(*target));
                    if !end {
                        wrong.push(
                            Diagnostic::error("a jump into or out of a d_step", element.span)
                                .help("a d_step is one step: let it run to its end, or use `atomic`"),
                        );
                    }
                }
                Kind::Basic(Basic::Run { .. }) if step.is_some() => {
                    wrong.push(
                        Diagnostic::error("`run` inside a d_step", element.span)
                            .help("use `atomic` instead of `d_step`"),
                    );
                }
                _ => {}
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    fn mark(&self, sequence: SequenceIx, step: ElementIx, inside: &mut [Option<ElementIx>]) {
        let mut waiting = vec![sequence];
        while let Some(sequence) = waiting.pop() {
            let Sequence { first, last, .. } = self.sequences[sequence];
            let mut at = first;
            while let Some(element) = at {
                inside[element] = Some(step);
                match &self.elements[element].kind {
                    Kind::If(options) | Kind::Do(options) => waiting.extend(options),
                    Kind::Block(within) | Kind::Atomic(within) => waiting.push(*within),
                    Kind::Unless(main, escape) => waiting.extend([*main, *escape]),
                    _ => {}
                }
                if at == last {
                    break;
                }
                at = self.elements[element].next;
            }
        }
    }

    /// The last element of what is inside goes on behind it.
    fn tie_ends(&mut self) {
        for element in (0..self.elements.len()).rev() {
            if let Kind::Atomic(inside) | Kind::Block(inside) | Kind::Step(inside) =
                self.elements[element].kind
                && let Some(last) = self.sequences[inside].last
            {
                self.elements[last].next = self.elements[element].next;
            }
        }
    }

    /// A `goto` that leaves an atomic sequence is its last step; one that leads from one into another is
    /// none.
    fn patch_atomic(&mut self, sequence: SequenceIx) {
        let Sequence { first, extent, .. } = self.sequences[sequence];
        let mut at = first;
        while let Some(element) = at {
            if let Kind::Goto(Some(target)) = self.elements[element].kind {
                let inside = self.elements[target].atomic || self.elements[target].last_atomic;
                let here = &mut self.elements[element];
                if (here.atomic || here.last_atomic) && !inside {
                    here.atomic = false;
                    here.last_atomic = true;
                }
                if here.last_atomic && inside {
                    here.last_atomic = false;
                    here.atomic = true;
                }
            }
            if at == extent {
                break;
            }
            at = self.elements[element].next;
        }
    }

    /// Where a process stands that goes to an element: gotos and targets are passed through, but not out of
    /// an atomic sequence.
    pub fn hunt(&self, from: ElementIx, atomic: bool) -> Result<ElementIx, Diagnostic> {
        let mut at = from;
        // In a ring of gotos no place is left.
        for _ in 0..=self.elements.len() {
            let passed = match &self.elements[at].kind {
                Kind::Goto(target) => target.expect("BUG: a goto without its label"),
                Kind::Joint | Kind::Exit => match self.elements[at].next {
                    Some(next) => next,
                    None => return Ok(at),
                },
                Kind::Unless(main, _) => {
                    self.hunt(self.sequences[*main].first.expect("BUG: an empty sequence"), atomic)?
                }
                _ => return Ok(at),
            };
            if atomic && !self.elements[passed].atomic {
                return Ok(at);
            }
            at = passed;
        }
        Err(Diagnostic::error("these jumps lead nowhere but to each other", self.elements[from].span)
            .label("no statement is ever reached from here")
            .help("put a statement between the label and the goto"))
    }

    /// Where an option, block or atomic sequence starts.
    pub fn hunt_start(&self, from: ElementIx) -> ElementIx {
        let mut at = from;
        loop {
            match (&self.elements[at].kind, self.elements[at].next) {
                (Kind::Joint, Some(next)) => at = next,
                (Kind::Unless(main, _), _) => {
                    at = self.sequences[*main].first.expect("BUG: an empty sequence");
                }
                _ => return at,
            }
        }
    }
}
