//! What a statement does to slots: guards and assignments.
//!
//! A statement becomes one or more pieces, of which each is one way to do it. Example: `assert(x > 0)` has a
//! piece with the guard `x > 0` and a failing piece with the guard `not x > 0`; a send on a variable has a
//! piece for each channel that the variable can hold.

mod processes;

use commands::{Assign, BinaryOp as Op, Expr as Code, MessageDef, Place as Cell, Step};
use model::{EvalErrorKind, Passing};

use super::translate::{Alternative, View, both, fitted};
use crate::resolved::{Basic, Expr, Pattern, Place};
use crate::world::{Queue, Storage};

/// One way to do a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub guards: Vec<Code>,
    pub steps: Vec<Step>,
    /// It is an assertion that fails.
    pub alarm: bool,
    /// It cannot be done, and that is an error of the model.
    pub fails: Option<EvalErrorKind>,
    /// The message that it passes.
    pub message: Option<MessageDef>,
}

impl Piece {
    fn when(guards: Vec<Code>) -> Self {
        Self { guards, ..Self::default() }
    }

    /// Whether it is no more than guards and assignments.
    pub fn is_plain(&self) -> bool {
        !self.alarm && self.fails.is_none() && self.message.is_none()
    }

    fn doing(steps: Vec<Step>) -> Self {
        Self { steps, ..Self::default() }
    }
}

/// What is said of a statement with fewer fields than its channel has.
const TOO_FEW_SENT: &str = "too few fields are sent";
pub(super) const TOO_FEW_RECEIVED: &str = "too few fields are received";

/// What is an error of the model.
pub(super) fn failing(guards: Vec<Code>, why: &str) -> Piece {
    Piece { guards, fails: Some(EvalErrorKind::Other(why.into())), ..Piece::default() }
}

/// How many fields a send or a receive has.
fn fields_of(basic: &Basic) -> usize {
    match basic {
        Basic::Send { fields, .. } => fields.len(),
        Basic::Receive { fields, .. } => fields.len(),
        _ => 0,
    }
}

/// A rendezvous that a process offers or takes part in.
pub(crate) struct Offer<'p> {
    pub guards: Vec<Code>,
    pub queue: usize,
    pub fields: OfferFields<'p>,
}

pub(crate) enum OfferFields<'p> {
    /// It sends these values.
    Send(Vec<Code>),
    /// It takes them so.
    Receive(&'p [Pattern]),
}

impl View<'_, '_> {
    /// The ways to do a statement inside a `d_step`: a message cannot be handed over there.
    pub fn pieces_inside(&self, basic: &Basic) -> Vec<Piece> {
        let offers = self.offers(basic).into_iter();
        let failed = offers.map(|offer| failing(offer.guards, "a rendezvous inside a d_step"));
        self.pieces(basic).into_iter().chain(failed).collect()
    }

    /// The ways to do a statement, rendezvous aside.
    pub fn pieces(&self, basic: &Basic) -> Vec<Piece> {
        match basic {
            Basic::Skip | Basic::Print | Basic::Else => vec![Piece::default()],
            Basic::Condition(expr) => vec![Piece::when(vec![self.expr(expr)])],
            Basic::Assign(place, expr) => vec![Piece::doing(self.assign(place, self.expr(expr)))],
            Basic::Assert(expr) => {
                let holds = self.expr(expr);
                let fails = Piece { alarm: true, ..Piece::when(vec![holds.clone().not()]) };
                vec![Piece::when(vec![holds]), fails]
            }
            Basic::Send { channel, fields, sorted } => self.sends(channel, fields, *sorted),
            Basic::Receive { channel, fields, random, peek } => {
                self.receives(channel, fields, *random, *peek)
            }
            Basic::Run { process, arguments, priority, into } => {
                self.runs(*process, arguments, priority, into.as_ref())
            }
            Basic::Prioritise { pid, priority } => self.prioritises(pid, priority),
            Basic::End => vec![self.end()],
        }
    }

    /// The offers of rendezvous that a statement can be.
    pub fn offers<'p>(&self, basic: &'p Basic) -> Vec<Offer<'p>> {
        let (channel, send) = match basic {
            Basic::Send { channel, fields, .. } => (channel, Ok(fields)),
            Basic::Receive { channel, fields, .. } => (channel, Err(fields)),
            _ => return Vec::new(),
        };
        // A send of too few fields fails before it looks for a receiver.
        let goes_on = |one: &Alternative| send.is_err() || !self.lacks_fields(one.queue, fields_of(basic));
        self.hand_to_hand(channel)
            .filter(goes_on)
            .map(|Alternative { guards, queue }| {
                let fields = match send {
                    Ok(fields) => {
                        let types = &self.world.channel(queue).shape.fields;
                        let values = fields.iter().map(|field| self.expr(field));
                        OfferFields::Send(values.zip(types).map(|(value, &ty)| fitted(ty, value)).collect())
                    }
                    Err(fields) => OfferFields::Receive(fields),
                };
                Offer { guards, queue, fields }
            })
            .collect()
    }

    /// The guards and assignments of a receive that takes these values.
    pub fn takes(&self, fields: &[Pattern], values: &[Code]) -> (Vec<Code>, Step) {
        let (mut guards, mut step) = (Vec::new(), Step::new());
        for (pattern, value) in fields.iter().zip(values) {
            match pattern {
                Pattern::Equal(expr) => guards.push(Code::binary(Op::Eq, value.clone(), self.expr(expr))),
                Pattern::Into(place) => {
                    step.extend(self.cell(place).map(|cell| Assign::new(cell, value.clone())))
                }
                Pattern::Any => {}
            }
        }
        (guards, step)
    }

    fn assign(&self, place: &Place, value: Code) -> Vec<Step> {
        self.cell(place).map(|cell| vec![vec![Assign::new(cell, value)]]).unwrap_or_default()
    }

    fn buffered(&self, channel: &Place) -> impl Iterator<Item = Alternative> {
        let world = self.world;
        self.channels(channel).into_iter().filter(move |one| world.channel(one.queue).shape.capacity > 0)
    }

    fn hand_to_hand(&self, channel: &Place) -> impl Iterator<Item = Alternative> {
        let world = self.world;
        self.channels(channel).into_iter().filter(move |one| world.channel(one.queue).shape.capacity == 0)
    }

    /// Whether a channel has more fields than that.
    pub fn lacks_fields(&self, queue: usize, fields: usize) -> bool {
        fields < self.world.channel(queue).shape.fields.len()
    }

    fn sends(&self, channel: &Place, fields: &[Expr], sorted: bool) -> Vec<Piece> {
        let send = |Alternative { mut guards, queue }| {
            let known = self.world.channel(queue);
            let capacity = known.shape.capacity;
            guards.push(Code::binary(Op::Lt, self.length(queue), Code::Constant(capacity as i64)));
            if self.lacks_fields(queue, fields.len()) {
                return failing(guards, TOO_FEW_SENT);
            }
            let values = fields.iter().map(|field| self.expr(field));
            // A sorted channel compares what is written, not what is left of it in a field.
            let (written, values): (Vec<Code>, Vec<Code>) = values
                .zip(&known.shape.fields)
                .map(|(value, &ty)| (value.clone(), fitted(ty, value)))
                .unzip();
            let mut step = Step::new();
            for (number, value) in values.iter().enumerate() {
                let field = known.fields[number];
                if !sorted {
                    step.push(Assign::new(Cell::cell(field, self.length(queue)), value.clone()));
                    continue;
                }
                for position in 0..capacity {
                    let stays = self.before(queue, &written, position);
                    let behind = match position {
                        0 => value.clone(),
                        _ => Code::If(
                            Box::new(self.before(queue, &written, position - 1)),
                            Box::new(value.clone()),
                            Box::new(self.field(queue, number, position - 1)),
                        ),
                    };
                    let here = self.field(queue, number, position);
                    let now = Code::If(Box::new(stays), Box::new(here), Box::new(behind));
                    step.push(Assign::new(Cell::cell(field, Code::Constant(position as i64)), now));
                }
            }
            let more = Code::binary(Op::Add, self.length(queue), Code::Constant(1));
            step.extend(known.length.map(|length| Assign::new(Cell::single(length), more)));
            let message = Some(self.world.message(queue, Passing::Sent, values));
            Piece { guards, steps: vec![step], message, ..Piece::default() }
        };
        let full = |one: Alternative| {
            let capacity = self.world.channel(one.queue).shape.capacity as i64;
            let full = Code::binary(Op::Ge, self.length(one.queue), Code::Constant(capacity));
            Piece::when(one.guards.into_iter().chain([full]).collect())
        };
        let lost: Vec<Piece> = match self.world.program.message_loss {
            true => self.buffered(channel).map(full).collect(),
            false => Vec::new(),
        };
        let cut = self.hand_to_hand(channel).filter(|one| self.lacks_fields(one.queue, fields.len()));
        let cut = cut.map(|one| failing(one.guards, TOO_FEW_SENT));
        let sent = self.buffered(channel).map(send).chain(lost).chain(cut);
        sent.chain(self.no_channel(channel)).chain(self.gone(channel)).collect()
    }

    /// What is done with a variable that holds no channel.
    fn no_channel(&self, channel: &Place) -> Vec<Piece> {
        let world = self.world;
        let Storage::Slots(slots) = world.storage_of(self.instance, channel) else { return Vec::new() };
        let mut pieces = Vec::new();
        let held = world.points_to.get(slots);
        if held.is_none_or(|held| held.is_empty() || held.contains(&0)) {
            let none = Code::binary(Op::Eq, self.read(channel), Code::Constant(0));
            pieces.push(failing(vec![none], "the variable holds no channel"));
        }
        pieces
    }

    /// What is done with a variable whose channel went with its process.
    fn gone(&self, channel: &Place) -> Vec<Piece> {
        let world = self.world;
        let Storage::Slots(_) = world.storage_of(self.instance, channel) else { return Vec::new() };
        let mut pieces = Vec::new();
        for Alternative { mut guards, queue } in self.channels(channel) {
            let owner = world.instances.iter().position(|instance| instance.queues.contains(&queue));
            if let Some(owner) = owner.filter(|&owner| owner != self.instance) {
                let location = Code::variable(world.instances[owner].location);
                guards.push(Code::binary(Op::Eq, location, Code::Constant(0)));
                pieces.push(failing(guards, "the channel is gone with its process"));
            }
        }
        pieces
    }

    /// Whether the message at a position stays before a new one in a sorted channel: it is there, and neither
    /// it nor one before it is greater.
    fn before(&self, queue: usize, values: &[Code], position: usize) -> Code {
        let mut stays = Code::binary(Op::Gt, self.length(queue), Code::Constant(position as i64));
        for position in 0..=position {
            // Fields in order: the first that differ decide.
            let mut not_greater = Code::Constant(1);
            for (number, value) in values.iter().enumerate().rev() {
                let here = self.field(queue, number, position);
                let less = Code::binary(Op::Lt, here.clone(), value.clone());
                let same = Code::binary(Op::Eq, here, value.clone());
                not_greater = less.or(same.and(not_greater));
            }
            stays = stays.and(not_greater);
        }
        stays
    }

    fn receives(&self, channel: &Place, fields: &[Pattern], random: bool, peek: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for Alternative { guards, queue } in self.buffered(channel) {
            let capacity = self.world.channel(queue).shape.capacity;
            for position in 0..if random { capacity } else { 1 } {
                let there = Code::binary(Op::Gt, self.length(queue), Code::Constant(position as i64));
                let mut guards: Vec<Code> = guards.iter().cloned().chain([there]).collect();
                guards.extend(self.matches(queue, fields, position));
                // The first message that fits is taken.
                for earlier in 0..position {
                    guards.push(both(self.matches(queue, fields, earlier)).not());
                }
                // Spin compares and takes the fields that there are, and misses the others when it takes the
                // message away: nothing fails before one fits, nor where it stays.
                if self.lacks_fields(queue, fields.len()) && !peek {
                    pieces.push(failing(guards, TOO_FEW_RECEIVED));
                    continue;
                }
                let values = (0..fields.len()).map(|number| self.field(queue, number, position)).collect();
                let passing = if peek { Passing::Seen } else { Passing::Received };
                let message = Some(self.world.message(queue, passing, values));
                let steps = self.received(queue, fields, position, peek);
                pieces.push(Piece { guards, steps, message, ..Piece::default() });
            }
        }
        pieces.extend(self.no_channel(channel));
        // To Spin a channel that is gone is empty, so that a receive waits; it fails only where Spin must
        // first see of which kind the channel is.
        let is_rendezvous = |queue: &Queue| queue.shape.capacity == 0;
        if self.world.queues.iter().any(is_rendezvous) && !self.world.queues.iter().all(is_rendezvous) {
            pieces.extend(self.gone(channel));
        }
        pieces
    }

    /// The variables take the message at a position, one after the other, and the messages behind it move up.
    fn received(&self, queue: usize, fields: &[Pattern], position: usize, peek: bool) -> Vec<Step> {
        let known = self.world.channel(queue);
        let mut steps: Vec<Step> = Vec::new();
        for (number, pattern) in fields.iter().take(known.fields.len()).enumerate() {
            if let Pattern::Into(place) = pattern
                && let Some(cell) = self.cell(place)
            {
                steps.push(vec![Assign::new(cell, self.field(queue, number, position))]);
            }
        }
        if peek {
            return steps;
        }
        let capacity = known.shape.capacity;
        let mut shift = Step::new();
        for (number, &field) in known.fields.iter().enumerate() {
            for at in position..capacity {
                let next =
                    if at + 1 < capacity { self.field(queue, number, at + 1) } else { Code::Constant(0) };
                shift.push(Assign::new(Cell::cell(field, Code::Constant(at as i64)), next));
            }
        }
        let fewer = Code::binary(Op::Sub, self.length(queue), Code::Constant(1));
        shift.extend(known.length.map(|length| Assign::new(Cell::single(length), fewer)));
        steps.push(shift);
        steps
    }
}
