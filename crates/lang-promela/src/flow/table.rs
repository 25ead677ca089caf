//! From the flow of control to a table: for each place where a process can stand, the moves that it can make
//! there.
//!
//! The table is made as Spin's verifier makes it when it starts. Options that are choices themselves are
//! flattened. The first statement of an option is a move of the place before the option. Escapes of `unless`
//! are put before the moves that they take over from.
//!
//! Example: `if :: a :: if :: b :: c fi fi` is one place with the moves `a`, `b` and `c`; with `unless { e
//! }` behind it the moves are `e`, `a`, `b` and `c`.

use std::collections::{BTreeMap, BTreeSet};

use base::{Diagnostic, Span};

use super::{ElementIx, Graph, Kind};
use crate::resolved::Basic;

/// The moves of a process type.
#[derive(Debug, Default)]
pub(crate) struct MoveTable {
    /// The places that can be reached, each with its moves in the order in which they are tried. The start is
    /// among them.
    pub places: BTreeMap<ElementIx, Vec<Move>>,
    /// Places where a process may stay for ever.
    pub ends: BTreeSet<ElementIx>,
    /// Places with a label that says progress.
    pub progress: BTreeSet<ElementIx>,
}

/// A move.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// The element that it executes.
    pub element: ElementIx,
    /// Where the process stands afterwards.
    pub target: Option<ElementIx>,
    /// The process goes on without a pause.
    pub atomic: bool,
    /// The escape that it belongs to, if it is one: the place of its first statement.
    pub escape: Option<ElementIx>,
    escapes: Vec<ElementIx>,
}

impl Move {
    /// What is done, unless it is a whole `d_step`.
    pub fn basic<'a>(&self, graph: &'a Graph) -> Option<&'a Basic> {
        match &graph.elements[self.element].kind {
            Kind::Basic(basic) => Some(basic),
            Kind::Step(_) => None,
            _ => Some(&Basic::Skip),
        }
    }

    /// Where it stands in the text.
    pub fn span(&self, graph: &Graph) -> Span {
        graph.elements[self.element].span
    }
}

/// What stands at an element before flattening.
enum Entry {
    Options(Vec<ElementIx>),
    Move(Move),
}

impl MoveTable {
    pub fn new(graph: &Graph) -> Result<Self, Diagnostic> {
        let mut builder = TableBuilder { graph, table: Self::default(), waiting: vec![graph.start] };
        let labelled = |prefix: &str| -> BTreeSet<ElementIx> {
            graph
                .labels
                .iter()
                .filter(|label| label.name.starts_with(prefix))
                .map(|label| label.element)
                .collect()
        };
        builder.table.ends = labelled("end");
        builder.table.progress = labelled("progress");
        let ends = graph.elements.iter().enumerate();
        builder
            .table
            .ends
            .extend(ends.filter(|(_, e)| matches!(e.kind, Kind::Basic(Basic::End))).map(|(ix, _)| ix));
        while let Some(place) = builder.waiting.pop() {
            if !builder.table.places.contains_key(&place) {
                let moves = builder.moves(place)?;
                builder.waiting.extend(moves.iter().filter_map(|one| one.target));
                builder.table.places.insert(place, moves);
            }
        }
        let mut table = builder.table;
        // A label that stands on a joint is one of where that leads.
        for (&place, moves) in &table.places {
            if let ([one], Kind::Joint) = (moves.as_slice(), &graph.elements[place].kind)
                && table.ends.contains(&place)
            {
                table.ends.extend(one.target);
            }
        }
        Ok(table)
    }
}

struct TableBuilder<'g> {
    graph: &'g Graph,
    table: MoveTable,
    waiting: Vec<ElementIx>,
}

impl TableBuilder<'_> {
    fn entry(&self, element: ElementIx) -> Result<Entry, Diagnostic> {
        let graph = self.graph;
        let here = &graph.elements[element];
        let start = |sequence: usize| {
            graph.hunt_start(graph.sequences[sequence].first.expect("BUG: an empty sequence"))
        };
        Ok(match &here.kind {
            Kind::If(options) | Kind::Do(options) => {
                Entry::Options(options.iter().map(|&o| start(o)).collect())
            }
            Kind::Atomic(inside) | Kind::Block(inside) => Entry::Options(vec![start(*inside)]),
            Kind::Unless(main, _) => Entry::Options(vec![start(*main)]),
            kind => {
                let next = if let Kind::Goto(target) = kind { *target } else { here.next };
                let ends = matches!(kind, Kind::Basic(Basic::End));
                let target = next.filter(|_| !ends).map(|next| graph.hunt(next, here.atomic)).transpose()?;
                let escapes = match kind {
                    Kind::Joint => Vec::new(),
                    _ => here
                        .escapes
                        .iter()
                        .map(|&escape| {
                            let first = graph.sequences[escape].first.expect("BUG: an empty sequence");
                            graph.hunt(first, here.atomic)
                        })
                        .collect::<Result<_, _>>()?,
                };
                Entry::Move(Move { element, target, atomic: here.atomic, escape: None, escapes })
            }
        })
    }

    /// The moves of a place without its escapes, options inside options flattened. A label on an option's
    /// first statement counts for where that leads.
    fn own(
        &mut self,
        place: ElementIx,
        inherited: (bool, bool),
        moves: &mut Vec<Move>,
    ) -> Result<(), Diagnostic> {
        // An explicit stack: options can be nested deeply.
        let mut waiting = vec![(place, inherited)];
        let mut seen = BTreeSet::new();
        while let Some((element, (end, progress))) = waiting.pop() {
            match self.entry(element)? {
                Entry::Options(options) => {
                    if !seen.insert(element) {
                        continue;
                    }
                    for option in options.into_iter().rev() {
                        let end = end || element != place && self.table.ends.contains(&element);
                        let progress = progress || element != place && self.table.progress.contains(&element);
                        waiting.push((option, (end, progress)));
                    }
                }
                Entry::Move(one) => {
                    let first = element != place;
                    if let Some(target) = one.target {
                        if end || first && self.table.ends.contains(&element) {
                            self.table.ends.insert(target);
                        }
                        if progress || first && self.table.progress.contains(&element) {
                            self.table.progress.insert(target);
                        }
                    }
                    moves.push(one);
                }
            }
        }
        Ok(())
    }

    /// The moves of a place, escapes first. Spin's verifier completes places one after the other in the order
    /// of their numbers: an escape that is complete when it is put before the moves of a place brings its own
    /// escapes along, a later one does not.
    fn moves(&mut self, place: ElementIx) -> Result<Vec<Move>, Diagnostic> {
        let mut own = Vec::new();
        // Only a jump out of an atomic sequence, first in an `unless`, makes a process stand before the
        // `unless`. Spin has no moves for that place.
        if matches!(self.graph.elements[place].kind, Kind::Unless(..)) {
            return Ok(own);
        }
        self.own(place, (false, false), &mut own)?;
        let mut all = own.clone();
        let mut done = BTreeSet::new();
        for one in &own {
            for &escape in one.escapes.iter().rev().filter(|&&escape| done.insert(escape)) {
                let number = |element: ElementIx| self.graph.elements[element].number;
                let outside = if number(escape) < number(place) {
                    self.moves(escape)?
                } else {
                    let mut outside = Vec::new();
                    self.own(escape, (false, false), &mut outside)?;
                    outside
                };
                for other in outside {
                    if all.iter().all(|known| known.element != other.element) {
                        all.insert(0, Move { escape: Some(escape), ..other });
                    }
                }
            }
        }
        Ok(all)
    }
}
