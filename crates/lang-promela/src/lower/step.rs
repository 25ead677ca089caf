//! The inside of a `d_step`: its statements follow each other without a pause.
//!
//! Each becomes an inner command that goes on with the next ones. Statements that never wait are joined to
//! the command before them. Example: `d_step { x > 0; x--; y++ }` is one command.

use std::collections::BTreeSet;

use commands::{Command, Step};

use super::pieces::Piece;
use super::{Draft, Lowering, Next};
use crate::flow::OptionIx;
use crate::flow::table::Move;
use crate::flow::{ElementIx, Graph, Kind};
use crate::resolved::Basic;

/// Statements in a row that are done as one inside a `d_step`: a row can be a circle.
const MOST_JOINED: usize = 64;

impl Lowering<'_, '_> {
    /// Inside a `d_step` statements that never wait, and have nothing else beside them, are done together
    /// with what is before them: which ones, and what comes after them.
    pub(super) fn straight(
        &self,
        graph: &Graph,
        instance: usize,
        one: &Move,
        piece: &mut Piece,
        after: Option<ElementIx>,
    ) -> (Vec<ElementIx>, Option<ElementIx>) {
        let (mut joined, mut after) = (Vec::new(), after);
        while let Some(next) = after.filter(|_| piece.is_plain() && joined.len() < MOST_JOINED) {
            let &[(element, behind)] = self.ways(graph, one.element, next).as_slice() else { break };
            let basic = match &graph.elements[element].kind {
                Kind::Basic(basic) => basic,
                _ => &Basic::Skip,
            };
            let mut pieces = self.view(instance).pieces_inside(basic);
            if pieces.len() != 1 || !pieces[0].guards.is_empty() || !pieces[0].is_plain() {
                break;
            }
            piece.steps.append(&mut pieces[0].steps);
            joined.push(element);
            after = behind;
        }
        (joined, after)
    }

    /// The command, told with the statements that were joined to it.
    pub(super) fn with(
        &self,
        mut command: Command,
        graph: &Graph,
        instance: usize,
        joined: &[ElementIx],
    ) -> Command {
        for &element in joined {
            command.spans.push(graph.elements[element].span);
            command.movers.extend(self.mover(instance, element, None));
        }
        command
    }

    /// The statements that a `d_step` can begin with.
    pub(super) fn first_ways(&self, graph: &Graph, one: &Move) -> Vec<(ElementIx, Option<ElementIx>)> {
        let Kind::Step(inside) = graph.elements[one.element].kind else { return Vec::new() };
        self.ways(graph, one.element, graph.sequences[inside].first.expect("BUG: an empty sequence"))
    }

    /// What comes after a statement inside a `d_step`, and what the end of the step brings if that is its
    /// end: until then `_last` stays.
    pub(super) fn inside_next(
        &mut self,
        instance: usize,
        one: &Move,
        after: Option<ElementIx>,
    ) -> (Next, Step) {
        match after {
            Some(element) => {
                self.inner(instance, one, element);
                (Next::Inside(instance, element), Step::new())
            }
            None => (Self::next(instance, one), self.done(instance, one.target)),
        }
    }

    /// Where control inside a `d_step` comes to rest: a statement or a choice; none where the step ends.
    pub(super) fn advance(graph: &Graph, step: ElementIx, from: Option<ElementIx>) -> Option<ElementIx> {
        let mut at = from?;
        for _ in 0..=graph.elements.len() {
            let here = &graph.elements[at];
            if !here.in_step || Some(at) == graph.elements[step].next {
                return None;
            }
            at = match &here.kind {
                Kind::Goto(target) => (*target)?,
                Kind::Joint | Kind::Exit => here.next?,
                Kind::Block(inside) | Kind::Atomic(inside) => graph.sequences[*inside].first?,
                _ => return Some(at),
            };
        }
        Some(at)
    }

    /// The statements that can be done first from an element inside a `d_step`, in the order in which they
    /// are tried, each with what comes after it.
    pub(super) fn ways(
        &self,
        graph: &Graph,
        step: ElementIx,
        from: ElementIx,
    ) -> Vec<(ElementIx, Option<ElementIx>)> {
        let mut ways = Vec::new();
        let mut trying = Some(from);
        let mut seen = BTreeSet::new();
        while let Some(element) = trying {
            let Some(at) = Self::advance(graph, step, Some(element)) else {
                ways.push((element, None));
                break;
            };
            let option = |(choice, number): OptionIx| {
                graph.options(choice).and_then(|options| graph.sequences[*options.get(number)?].first)
            };
            trying = match graph.options(at) {
                Some(_) => option((at, 0)).filter(|_| seen.insert(at)),
                None => {
                    ways.push((at, Self::advance(graph, step, graph.elements[at].next)));
                    graph.otherwise.get(&at).copied().and_then(option)
                }
            };
        }
        ways
    }

    /// Makes the commands of an element inside a `d_step`, and of all that can follow.
    pub(super) fn inner(&mut self, instance: usize, one: &Move, from: ElementIx) {
        let graph = &self.world.program.types[self.world.instances[instance].ty].graph;
        let name = self.name(instance, one);
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if self.inside.contains_key(&(instance, at)) {
                continue;
            }
            let mut numbers = Vec::new();
            for (element, after) in self.ways(graph, one.element, at) {
                let basic = match &graph.elements[element].kind {
                    Kind::Basic(basic) => basic,
                    _ => &Basic::Skip,
                };
                for mut piece in self.view(instance).pieces_inside(basic) {
                    let (joined, after) = self.straight(graph, instance, one, &mut piece, after);
                    let (next, end) = match after {
                        Some(after) => {
                            waiting.push(after);
                            (Next::Inside(instance, after), Step::new())
                        }
                        None => (Self::next(instance, one), self.done(instance, one.target)),
                    };
                    let span = graph.elements[element].span;
                    let movers = self.mover(instance, element, None);
                    let command = self.command(&name, Vec::new(), piece, end, span);
                    let command = Command { movers, inner: true, ..command };
                    let command = self.with(command, graph, instance, &joined);
                    numbers.push(self.inner.len());
                    self.inner.push(Draft {
                        command,
                        next,
                        mover: (instance, at, usize::MAX),
                        on_timeout: false,
                    });
                }
            }
            self.inside.insert((instance, at), numbers);
        }
    }
}
