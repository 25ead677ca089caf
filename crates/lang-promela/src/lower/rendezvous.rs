//! Messages that are handed over: for each pair of a sender and a receiver that can meet, a command in which
//! both processes move.

use std::collections::HashMap;

use commands::{Command, Expr as Code, Step};
use model::Passing;

use super::pieces::{HalfFields, Piece};
use super::translate::View;
use super::{Lowering, Made, Next};
use crate::flow::table::Move;
use crate::flow::{ElementIx, Graph, Kind};
use crate::resolved::Basic;

impl Lowering<'_, '_> {
    /// Messages that are handed over: two processes move at once.
    pub(super) fn rendezvous(&mut self) {
        struct End<'t> {
            instance: usize,
            place: ElementIx,
            number: usize,
            one: &'t Move,
            /// What is done, which may be the beginning of the move.
            element: ElementIx,
            after: Option<ElementIx>,
            guards: Vec<Code>,
            fields: EndFields<'t>,
        }
        enum EndFields<'t> {
            Send(Vec<Code>),
            Receive(&'t [crate::resolved::Pattern]),
        }
        let world = self.world;
        let mut by_queue: HashMap<usize, (Vec<End<'_>>, Vec<End<'_>>)> = HashMap::new();
        for instance in 0..world.instances.len() {
            let ty = world.instances[instance].ty;
            let graph = &world.program.types[ty].graph;
            for (&place, moves) in &world.tables[ty].places {
                for (number, one) in moves.iter().enumerate() {
                    // A `d_step` may begin with a receive.
                    let ways = match one.basic(graph) {
                        Some(basic) => vec![(basic, one.element, None, Vec::new())],
                        None => self.receiving(graph, instance, one),
                    };
                    for (basic, element, after, earlier) in ways {
                        for half in self.view(instance).halves(basic) {
                            let mut guards = self.standing(instance, place);
                            guards.extend(half.guards);
                            guards.extend(earlier.iter().cloned());
                            let ends = by_queue.entry(half.queue).or_default();
                            let (side, fields) = match half.fields {
                                HalfFields::Send(values) => (&mut ends.0, EndFields::Send(values)),
                                HalfFields::Receive(patterns) => (&mut ends.1, EndFields::Receive(patterns)),
                            };
                            side.push(End { instance, place, number, one, element, after, guards, fields });
                        }
                    }
                }
            }
        }
        let mut queues: Vec<_> = by_queue.into_iter().collect();
        queues.sort_unstable_by_key(|(queue, _)| *queue);
        for (queue, (senders, receivers)) in queues {
            for sender in &senders {
                let span = sender.one.span(self.graph(sender.instance));
                let name = self.name(sender.instance, sender.one);
                let movers = self.mover(sender.instance, sender.element, Some(sender.one.element));
                let attempt = self.command(&name, sender.guards.clone(), Piece::default(), Step::new(), span);
                let mover = (sender.instance, sender.place, sender.number);
                let command = Command { movers, ..attempt };
                self.attempts.push(Made { command, next: Next::Rest, mover, on_timeout: false });
                for (position, receiver) in receivers.iter().enumerate() {
                    if world.instances[sender.instance].pid == world.instances[receiver.instance].pid {
                        continue;
                    }
                    let (EndFields::Send(values), EndFields::Receive(patterns)) =
                        (&sender.fields, &receiver.fields)
                    else {
                        continue;
                    };
                    // The sender has done its half when the receiver looks.
                    let last = Some(world.instances[sender.instance].pid);
                    let view = View { world, instance: receiver.instance, timeout: false, started: 0, last };
                    let (tests, step) = view.takes(patterns, values);
                    let mut guards = [&sender.guards[..], &receiver.guards[..], &tests[..]].concat();
                    // A receive in an escape that can take the message takes it from those behind it, and so
                    // does one in the same `d_step`.
                    let standing = self.standing(receiver.instance, receiver.place).len();
                    for other in receivers[..position].iter().filter(|other| {
                        let outer = other.one.escape.is_some() && other.one.escape != receiver.one.escape;
                        (other.instance, other.place) == (receiver.instance, receiver.place)
                            && (other.number == receiver.number || outer)
                    }) {
                        let EndFields::Receive(patterns) = &other.fields else { continue };
                        let tests = view.takes(patterns, values).0;
                        guards.push(Code::Disabled([&other.guards[standing..], &tests[..]].concat()));
                    }
                    let mut step = step;
                    step.extend(self.moved(sender.instance, sender.one.target));
                    step.extend(self.was_last(sender.instance).filter(|_| receiver.after.is_some()));
                    let message = Some(world.letter(queue, Passing::Handed, values.clone()));
                    let piece = Piece { guards: Vec::new(), steps: vec![step], message, ..Piece::default() };
                    let (next, end) = self.inside_next(receiver.instance, receiver.one, receiver.after);
                    let name = format!("{name} → {}", self.name(receiver.instance, receiver.one));
                    let both = [sender, receiver];
                    let movers = both
                        .iter()
                        .flat_map(|end| self.mover(end.instance, end.element, Some(end.one.element)));
                    let movers = movers.collect();
                    let mut command = self.command(&name, guards, piece, end, span);
                    command.movers = movers;
                    command.spans.push(self.graph(receiver.instance).elements[receiver.element].span);
                    let made = Made { command, next, mover, on_timeout: false };
                    if self.must_be_alone(receiver.instance, receiver.place, receiver.number) {
                        for other in receivers[..position].iter().filter(|other| {
                            (other.instance, other.place) == (receiver.instance, receiver.place)
                                && other.number != receiver.number
                        }) {
                            let EndFields::Receive(patterns) = &other.fields else { continue };
                            let tests = view.takes(patterns, values).0;
                            let others = [&other.guards[..], &tests[..]].concat();
                            self.made.push(Self::not_alone(&made, &others));
                        }
                    }
                    self.made.push(made);
                }
            }
        }
    }
    /// The receives that a `d_step` can begin with, each with what comes after it and that nothing that is
    /// tried before it can be done.
    fn receiving<'g>(
        &self,
        graph: &'g Graph,
        instance: usize,
        one: &Move,
    ) -> Vec<(&'g Basic, ElementIx, Option<ElementIx>, Vec<Code>)> {
        let tested = graph.tested(one.element);
        let mut earlier = Vec::new();
        let mut receiving = Vec::new();
        for (element, after) in self.first_ways(graph, one) {
            let Kind::Basic(basic) = &graph.elements[element].kind else { continue };
            let asked = tested.as_ref().is_none_or(|tested| tested.contains(&element));
            if let (Basic::Receive { .. }, true) = (basic, asked) {
                receiving.push((basic, element, after, earlier.clone()));
            }
            earlier.extend(
                self.view(instance).pieces(basic).into_iter().map(|piece| Code::Disabled(piece.guards)),
            );
        }
        receiving
    }
}
