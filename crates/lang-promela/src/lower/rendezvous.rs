//! Messages that are handed over: for each pair of a sender and a receiver that can meet, a command in which both processes move.

use std::collections::HashMap;

use commands::Expr as Code;
use model::Passing;

use super::{Lowering, Made};
use crate::flow::{ElementIx, Kind};
use crate::pieces::{HalfFields, Piece};
use crate::resolved::Basic;
use crate::table::Move;

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
                        Some(basic) => vec![(basic, one.element, None)],
                        None => self
                            .first_ways(graph, one)
                            .into_iter()
                            .filter_map(|(element, after)| match &graph.elements[element].kind {
                                Kind::Basic(basic @ Basic::Receive { .. }) => Some((basic, element, after)),
                                _ => None,
                            })
                            .collect(),
                    };
                    for (basic, element, after) in ways {
                        for half in self.view(instance).halves(basic) {
                            let mut guards = self.standing(instance, place);
                            guards.extend(half.guards);
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
                for receiver in &receivers {
                    if world.instances[sender.instance].pid == world.instances[receiver.instance].pid {
                        continue;
                    }
                    let (EndFields::Send(values), EndFields::Receive(patterns)) = (&sender.fields, &receiver.fields)
                    else {
                        continue;
                    };
                    let (tests, step) = self.view(receiver.instance).takes(patterns, values);
                    let guards = [&sender.guards[..], &receiver.guards[..], &tests[..]].concat();
                    let mut step = step;
                    step.extend(self.moved(sender.instance, sender.one.target));
                    let message = Some(world.letter(queue, Passing::Handed, values.clone()));
                    let piece = Piece { guards: Vec::new(), steps: vec![step], message, ..Piece::default() };
                    let (next, end) = self.inside_next(receiver.instance, receiver.one, receiver.after);
                    let name = format!(
                        "{} → {}",
                        self.name(sender.instance, sender.one),
                        self.name(receiver.instance, receiver.one)
                    );
                    let span = sender.one.span(self.graph(sender.instance));
                    let both = [sender, receiver];
                    let movers =
                        both.iter().flat_map(|end| self.mover(end.instance, end.element, Some(end.one.element)));
                    let movers = movers.collect();
                    let mut command = self.command(&name, guards, piece, end, receiver.instance, span);
                    command.movers = movers;
                    command.spans.push(self.graph(receiver.instance).elements[receiver.element].span);
                    let mover = (sender.instance, sender.place, sender.number);
                    self.made.push(Made { command, next, mover, on_timeout: false });
                }
            }
        }
    }
}
