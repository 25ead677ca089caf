//! Messages that are handed over: for each pair of a sender and a receiver that can meet, a command in which
//! both processes move.

use std::collections::BTreeMap;

use commands::{Command, Expr as Code, Step};
use model::Passing;

use super::pieces::{OfferFields, Piece, TOO_FEW_RECEIVED, failing};
use super::translate::View;
use super::{Draft, Lowering, Next};
use crate::flow::table::Move;
use crate::flow::{ElementIx, Graph, Kind};
use crate::resolved::{Basic, Pattern};

/// A process that can hand a message over, or take one, where it stands.
struct Partner<'t> {
    instance: usize,
    place: ElementIx,
    number: usize,
    one: &'t Move,
    /// What is done, which may be the beginning of the move.
    element: ElementIx,
    after: Option<ElementIx>,
    guards: Vec<Code>,
}

struct Sender<'t> {
    partner: Partner<'t>,
    values: Vec<Code>,
}

struct Receiver<'t> {
    partner: Partner<'t>,
    patterns: &'t [Pattern],
}

impl Receiver<'_> {
    fn stands_with(&self, other: &Self) -> bool {
        (self.partner.instance, self.partner.place) == (other.partner.instance, other.partner.place)
    }
}

/// Who can send and who can receive, by channel.
type Partners<'t> = BTreeMap<usize, (Vec<Sender<'t>>, Vec<Receiver<'t>>)>;

impl<'a> Lowering<'_, 'a> {
    /// Messages that are handed over: two processes move at once.
    pub(super) fn rendezvous(&mut self) {
        for (queue, (senders, receivers)) in self.partners() {
            for sender in &senders {
                self.attempt(sender);
                for position in 0..receivers.len() {
                    self.hand_over(queue, sender, &receivers, position);
                }
            }
        }
    }

    fn partners(&self) -> Partners<'a> {
        let world = self.world;
        let mut partners = Partners::new();
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
                        for offer in self.view(instance).offers(basic) {
                            let mut guards = self.standing(instance, place);
                            guards.extend(offer.guards);
                            guards.extend(earlier.iter().cloned());
                            let partner = Partner { instance, place, number, one, element, after, guards };
                            let (senders, receivers) = partners.entry(offer.queue).or_default();
                            match offer.fields {
                                OfferFields::Send(values) => senders.push(Sender { partner, values }),
                                OfferFields::Receive(patterns) => {
                                    receivers.push(Receiver { partner, patterns })
                                }
                            }
                        }
                    }
                }
            }
        }
        partners
    }

    /// What a sender asks before it looks for a receiver.
    fn attempt(&mut self, Sender { partner: sender, .. }: &Sender<'_>) {
        let span = sender.one.span(self.graph(sender.instance));
        let name = self.name(sender.instance, sender.one);
        let movers = self.mover(sender.instance, sender.element, Some(sender.one.element));
        let attempt = self.command(&name, sender.guards.clone(), Piece::default(), Step::new(), span);
        let mover = (sender.instance, sender.place, sender.number);
        let command = Command { movers, ..attempt };
        self.attempts.push(Draft { command, next: Next::Rest, mover, on_timeout: false });
    }

    /// The command in which a sender and the receiver at a position move.
    fn hand_over(
        &mut self,
        queue: usize,
        Sender { partner: sender, values }: &Sender<'_>,
        receivers: &[Receiver<'_>],
        position: usize,
    ) {
        let world = self.world;
        let (taker, before) = (&receivers[position], &receivers[..position]);
        let receiver = &taker.partner;
        let pid = world.instances[sender.instance].pid;
        if pid == world.instances[receiver.instance].pid {
            return;
        }
        // The sender has done its half when the receiver looks.
        let view = View { world, instance: receiver.instance, timeout: false, started: 0, last: Some(pid) };
        let (tests, mut step) = view.takes(taker.patterns, values);
        let mut guards = [&sender.guards[..], &receiver.guards[..], &tests[..]].concat();
        // A receive in an escape that can take the message takes it from those behind it, and so does one in
        // the same `d_step`.
        let standing = self.standing(receiver.instance, receiver.place).len();
        for other in before.iter().filter(|other| other.stands_with(taker)) {
            let escape = &other.partner.one.escape;
            let is_outer = escape.is_some() && *escape != receiver.one.escape;
            if other.partner.number == receiver.number || is_outer {
                let tests = view.takes(other.patterns, values).0;
                guards.push(Code::Disabled([&other.partner.guards[standing..], &tests[..]].concat()));
            }
        }
        step.extend(self.moved(sender.instance, sender.one.target));
        step.extend(self.was_last(sender.instance).filter(|_| receiver.after.is_some()));
        let message = Some(world.message(queue, Passing::Handed, values.clone()));
        let piece = match view.lacks_fields(queue, taker.patterns.len()) {
            true => failing(Vec::new(), TOO_FEW_RECEIVED),
            false => Piece { guards: Vec::new(), steps: vec![step], message, ..Piece::default() },
        };
        let (next, end) = self.inside_next(receiver.instance, receiver.one, receiver.after);
        let [sends, takes] = [sender, receiver].map(|partner| self.name(partner.instance, partner.one));
        let span = sender.one.span(self.graph(sender.instance));
        let mut command = self.command(&format!("{sends} → {takes}"), guards, piece, end, span);
        let movers = [sender, receiver]
            .map(|partner| self.mover(partner.instance, partner.element, Some(partner.one.element)));
        command.movers = movers.into_iter().flatten().collect();
        command.spans.push(self.graph(receiver.instance).elements[receiver.element].span);
        let mover = (sender.instance, sender.place, sender.number);
        let made = Draft { command, next, mover, on_timeout: false };
        if self.must_be_alone(receiver.instance, receiver.place, receiver.number) {
            let others = before.iter().filter(|other| other.stands_with(taker));
            for other in others.filter(|other| other.partner.number != receiver.number) {
                let tests = view.takes(other.patterns, values).0;
                let others = [&other.partner.guards[..], &tests[..]].concat();
                self.drafts.push(Self::not_alone(&made, &others));
            }
        }
        self.drafts.push(made);
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
