//! Expressions of a process as expressions over slots.

use std::sync::Arc;

use base::Span;
use commands::{At, BinaryOp as Op, Expr as Code, Place as Cell, Table as Constants, UnaryOp as Sign};

use crate::ast::{BinaryOp, ChannelTest, UnaryOp};
use crate::flow::ElementIx;
use crate::resolved::{Expr, Pattern, Place, Scope, ValueType};
use crate::world::{Storage, World};

/// One of the channels that a reference can mean, and when.
pub(crate) struct Alternative {
    /// It is meant where these hold.
    pub guards: Vec<Code>,
    /// Its number.
    pub queue: usize,
}

/// Truth of two things.
pub(crate) fn both(parts: Vec<Code>) -> Code {
    parts.into_iter().reduce(Code::and).unwrap_or(Code::Constant(1))
}

pub(crate) fn equal(left: Code, right: Code) -> Code {
    Code::binary(Op::Eq, left, right)
}

/// An expression that has no value, and why.
fn nothing(why: &str, at: At) -> Code {
    let table = Constants { name: why.into(), cells: Vec::new() };
    Code::Table { table: Arc::new(table), index: Box::new(Code::Constant(0)), at }
}

/// What C makes of a number that may be longer than an `int`.
fn int(value: Code) -> Code {
    Code::Wrap { lo: i32::MIN.into(), hi: i32::MAX.into(), value: Box::new(value) }
}

/// What a variable of a type makes of a value.
pub(crate) fn fitted(ty: ValueType, value: Code) -> Code {
    let (lo, hi) = ty.range();
    Code::Wrap { lo: lo.into(), hi: hi.into(), value: Box::new(value) }
}

/// An expression is translated for a process, and as if nothing else can move or not.
#[derive(Clone, Copy)]
pub(crate) struct View<'w, 'a> {
    pub world: &'w World<'a>,
    pub instance: usize,
    /// What `timeout` is.
    pub timeout: bool,
    /// The process that is started in the same step.
    pub started: usize,
    /// What `_last` is, if not what the slot holds.
    pub last: Option<usize>,
}

impl View<'_, '_> {
    pub fn pid(&self) -> usize {
        self.world.instances.get(self.instance).map_or(0, |instance| instance.pid)
    }

    /// The index of a cell, each dimension tested for itself.
    fn index(&self, place: &Place) -> Option<Code> {
        let dimensions = &self.world.declaration(self.instance, place).dimensions;
        self.index_in(
            &self.world.declaration(self.instance, place).name,
            dimensions,
            &place.indices,
            place.span,
        )
    }

    fn index_in(&self, name: &str, dimensions: &[usize], indices: &[Expr], span: Span) -> Option<Code> {
        let (&first, rest) = dimensions.split_first()?;
        let zero = Expr::Number(0);
        let mut indices = indices.iter().chain(std::iter::repeat(&zero));
        let one = |expr: &Expr| self.expr(expr);
        if rest.is_empty() {
            return Some(one(indices.next()?));
        }
        let tested = |cells: usize, index: Code| match index {
            Code::Constant(value) if (0..cells as i64).contains(&value) => index,
            index => {
                let table = Constants { name: name.into(), cells: (0..cells as i64).collect() };
                Code::Table { table: Arc::new(table), index: Box::new(index), at: At(Some(span)) }
            }
        };
        let mut whole = tested(first, one(indices.next()?));
        for &cells in rest {
            let row = Code::binary(Op::Mul, whole, Code::Constant(cells as i64));
            whole = Code::binary(Op::Add, row, tested(cells, one(indices.next()?)));
        }
        Some(whole)
    }

    /// The slot of a variable, if it has one.
    pub fn cell(&self, place: &Place) -> Option<Cell> {
        match self.world.storage_of(self.instance, place) {
            Storage::Slots(variable) => Some(World::cell(*variable, self.index(place), place.span)),
            Storage::Channels(_) | Storage::Nowhere => None,
        }
    }

    /// The value of a place.
    pub fn read(&self, place: &Place) -> Code {
        match self.world.storage_of(self.instance, place) {
            Storage::Slots(variable) => Code::Read(World::cell(*variable, self.index(place), place.span)),
            Storage::Nowhere => Code::Constant(0),
            Storage::Channels(channels) => match (self.index(place), channels.as_slice()) {
                (None, &[channel, ..]) => Code::Constant(channel as i64),
                (None, []) => Code::Constant(0),
                (Some(index), _) => {
                    let name = self.world.declaration(self.instance, place).name.clone();
                    let cells = channels.iter().map(|&channel| channel as i64).collect();
                    let table = Arc::new(Constants { name, cells });
                    Code::Table { table, index: Box::new(index), at: At(Some(place.span)) }
                }
            },
        }
    }

    /// The channels that a reference can mean.
    pub fn channels(&self, place: &Place) -> Vec<Alternative> {
        let world = self.world;
        match world.storage_of(self.instance, place) {
            Storage::Nowhere => Vec::new(),
            Storage::Channels(channels) => match self.index(place) {
                None => channels.iter().map(|&queue| Alternative { guards: Vec::new(), queue }).collect(),
                Some(Code::Constant(index)) => {
                    let meant = usize::try_from(index).ok().and_then(|index| channels.get(index));
                    meant.map(|&queue| Alternative { guards: Vec::new(), queue }).into_iter().collect()
                }
                Some(index) => {
                    let of = |(cell, &queue): (usize, &usize)| Alternative {
                        guards: vec![equal(index.clone(), Code::Constant(cell as i64))],
                        queue,
                    };
                    channels.iter().enumerate().map(of).collect()
                }
            },
            Storage::Slots(variable) => {
                let held = world.points_to.get(variable);
                let sure = held.is_some_and(|held| held.len() == 1);
                let held = held.into_iter().flatten().copied().filter(|&queue| queue != 0);
                held.map(|queue| {
                    let meant = equal(self.read(place), Code::Constant(queue as i64));
                    Alternative { guards: if sure { Vec::new() } else { vec![meant] }, queue }
                })
                .collect()
            }
        }
    }

    /// A value that depends on which channel is meant; `otherwise` where none is.
    fn by_channel(&self, place: &Place, otherwise: i64, value: impl Fn(usize) -> Code) -> Code {
        let mut result = Code::Constant(otherwise);
        if let Storage::Slots(slots) = self.world.storage_of(self.instance, place)
            && self.world.points_to.get(slots).is_none_or(|held| held.is_empty() || held.contains(&0))
        {
            result = nothing("the variable holds no channel", At(Some(place.span)));
        }
        for Alternative { guards, queue } in self.channels(place).into_iter().rev() {
            result = match guards.is_empty() {
                true => value(queue),
                false => Code::If(Box::new(both(guards)), Box::new(value(queue)), Box::new(result)),
            };
        }
        result
    }

    /// How many messages a channel holds.
    pub fn length(&self, queue: usize) -> Code {
        self.world.channel(queue).length.map_or(Code::Constant(0), Code::variable)
    }

    /// A field of the message at a position.
    pub fn field(&self, queue: usize, field: usize, position: usize) -> Code {
        let queue = self.world.channel(queue);
        Code::Read(Cell::cell(queue.fields[field], Code::Constant(position as i64)))
    }

    /// Whether the message at a position fits the constants of a receive.
    pub fn matches(&self, queue: usize, fields: &[Pattern], position: usize) -> Vec<Code> {
        let known = self.world.channel(queue).fields.len();
        let tests = fields.iter().take(known).enumerate().filter_map(|(number, pattern)| match pattern {
            Pattern::Equal(expr) => Some(equal(self.field(queue, number, position), self.expr(expr))),
            Pattern::Into(_) | Pattern::Any => None,
        });
        tests.collect()
    }

    /// Whether a receive could be taken from a channel with room.
    fn poll(&self, queue: usize, fields: &[Pattern], random: bool, span: Span) -> Code {
        let capacity = self.world.channel(queue).shape.capacity;
        if capacity == 0 {
            return nothing("a rendezvous channel cannot be polled", At(Some(span)));
        }
        let last = if random { capacity } else { capacity.min(1) };
        let at = |position: usize| {
            let there = Code::binary(Op::Gt, self.length(queue), Code::Constant(position as i64));
            both(std::iter::once(there).chain(self.matches(queue, fields, position)).collect())
        };
        (0..last).map(at).reduce(Code::or).unwrap_or(Code::Constant(0))
    }

    fn ask(&self, test: ChannelTest, place: &Place) -> Code {
        let full = |queue: usize| {
            let capacity = self.world.channel(queue).shape.capacity;
            match capacity {
                // The place for a message that is handed over is never taken between steps.
                0 => Code::Constant(0),
                _ => equal(self.length(queue), Code::Constant(capacity as i64)),
            }
        };
        let empty = |queue: usize| equal(self.length(queue), Code::Constant(0));
        match test {
            ChannelTest::Len => self.by_channel(place, 0, |queue| self.length(queue)),
            ChannelTest::Empty => self.by_channel(place, 0, empty),
            ChannelTest::Nempty => self.by_channel(place, 0, |queue| empty(queue).not()),
            ChannelTest::Full => self.by_channel(place, 0, full),
            ChannelTest::Nfull => self.by_channel(place, 0, |queue| full(queue).not()),
        }
    }

    /// Something asked of a process by number: what `value` says of each that can be meant, zero where none
    /// is.
    fn of_process(&self, ty: Option<usize>, pid: Option<&Expr>, value: impl Fn(usize) -> Code) -> Code {
        let world = self.world;
        let pid = pid.map(|pid| self.expr(pid));
        let meant = world.instances.iter().enumerate().filter(|(_, instance)| {
            ty.is_none_or(|ty| ty == instance.ty)
                && !matches!(pid, Some(Code::Constant(pid)) if pid != instance.pid as i64)
        });
        let meant: Vec<usize> = meant.map(|(number, _)| number).collect();
        let mut result = Code::Constant(0);
        for number in meant.into_iter().rev() {
            let instance = &world.instances[number];
            let there = Code::binary(Op::Ne, Code::variable(instance.location), Code::Constant(0));
            let is = match &pid {
                Some(Code::Constant(_)) | None => there,
                Some(pid) => equal(pid.clone(), Code::Constant(instance.pid as i64)).and(there),
            };
            result = Code::If(Box::new(is), Box::new(value(number)), Box::new(result));
        }
        result
    }

    /// Whether a process stands at one of some places.
    pub fn stands(&self, instance: usize, places: impl IntoIterator<Item = ElementIx>) -> Code {
        let world = self.world;
        let instance = &world.instances[instance];
        let numbers = places.into_iter().filter_map(|place| world.places[instance.ty].get(&place).copied());
        let here = numbers.map(|number| equal(Code::variable(instance.location), Code::Constant(number)));
        here.reduce(Code::or).unwrap_or(Code::Constant(0))
    }

    pub fn expr(&self, expr: &Expr) -> Code {
        let world = self.world;
        match expr {
            Expr::Number(value) => Code::Constant(*value),
            Expr::Read(place) => self.read(place),
            Expr::Unary(op, operand) => {
                let operand = Box::new(self.expr(operand));
                match op {
                    UnaryOp::Minus => int(Code::Unary(Sign::Negate, operand)),
                    UnaryOp::Complement => Code::Unary(Sign::BitNot, operand),
                    UnaryOp::Not => Code::Unary(Sign::Not, operand),
                }
            }
            Expr::Binary(op, left, right, span) => self.binary(*op, self.expr(left), self.expr(right), *span),
            Expr::Conditional(condition, yes, no) => {
                Code::If(Box::new(self.expr(condition)), Box::new(self.expr(yes)), Box::new(self.expr(no)))
            }
            Expr::Started => Code::Constant(self.started as i64),
            Expr::Pid => Code::Constant(self.pid() as i64),
            Expr::Processes => {
                let pids =
                    world.instances.iter().map(|instance| instance.pid).max().map_or(0, |most| most + 1);
                let counted = (0..pids).map(|pid| Code::Unary(Sign::Not, Box::new(world.alive(pid).not())));
                counted.reduce(|a, b| Code::binary(Op::Add, a, b)).unwrap_or(Code::Constant(0))
            }
            Expr::Last => match (self.last, world.last) {
                (Some(pid), _) => Code::Constant(pid as i64),
                (None, slot) => slot.map_or(Code::Constant(0), Code::variable),
            },
            Expr::Timeout => Code::Constant(self.timeout.into()),
            Expr::NonProgress => {
                let at = |number: usize| {
                    let ty = world.instances[number].ty;
                    self.stands(number, world.tables[ty].progress.iter().copied())
                };
                (0..world.instances.len()).map(at).reduce(Code::or).unwrap_or(Code::Constant(0)).not()
            }
            Expr::Channel(test, place) => self.ask(*test, place),
            Expr::Poll { channel, fields, random } => {
                self.by_channel(channel, 0, |queue| self.poll(queue, fields, *random, channel.span))
            }
            Expr::Enabled(pid) => self.of_process(None, Some(pid), |number| {
                // As in Spin: the answer would depend on itself.
                if world.instances[number].pid == self.pid() {
                    return nothing("a process cannot ask whether it is enabled itself", At(None));
                }
                world.enabled.get(number).cloned().unwrap_or(Code::Constant(0))
            }),
            Expr::PcValue(pid) => self.of_process(None, Some(pid), |number| {
                let instance = &world.instances[number];
                // Spin's numbers of places, which count all elements from one in the order in which it makes
                // them.
                let elements = &world.program.types[instance.ty].graph.elements;
                let mut numbers = vec![0; world.places[instance.ty].len() + 1];
                for (&element, &number) in &world.places[instance.ty] {
                    numbers[number as usize] = elements[element].number as i64 + 1;
                }
                let table = Constants { name: "pc_value".into(), cells: numbers };
                let index = Box::new(Code::variable(instance.location));
                Code::Table { table: Arc::new(table), index, at: At(None) }
            }),
            Expr::Priority(pid) => self.of_process(None, Some(pid), |number| {
                world.instances[number].priority.map_or(Code::Constant(1), Code::variable)
            }),
            Expr::RemoteLabel { process, pid, label } => {
                let graph = &world.program.types[*process].graph;
                let place = graph.find(label, &[]);
                self.of_process(Some(*process), pid.as_deref(), |number| self.stands(number, place))
            }
            Expr::RemoteVariable { process, pid, variable, indices, span } => {
                let locals = &world.program.types[*process].locals;
                let Some(found) = locals.iter().position(|local| local.name == *variable) else {
                    return Code::Constant(0);
                };
                self.of_process(Some(*process), pid.as_deref(), |number| {
                    let place =
                        Place { scope: Scope::Own, variable: found, indices: Vec::new(), span: *span };
                    let index = self.index_in(variable, &locals[found].dimensions, indices, *span);
                    match world.storage_of(number, &place) {
                        Storage::Slots(storage) => Code::Read(World::cell(*storage, index, *span)),
                        Storage::Channels(channels) => {
                            Code::Constant(channels.first().copied().unwrap_or(0) as i64)
                        }
                        Storage::Nowhere => Code::Constant(0),
                    }
                })
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: Code, right: Code, span: Span) -> Code {
        let of = |op: Op, left: Code, right: Code| {
            Code::Binary(op, Box::new(left), Box::new(right), At(Some(span)))
        };
        // Machines shift by the amount modulo the size of an int.
        let amount = |right: Code| match right {
            Code::Constant(value) => Code::Constant(value & 31),
            right => Code::binary(Op::BitAnd, right, Code::Constant(31)),
        };
        match op {
            BinaryOp::And => left.and(right),
            BinaryOp::Or => left.or(right),
            BinaryOp::Strict(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div)) => int(of(op, left, right)),
            BinaryOp::Strict(Op::Shl) => int(of(Op::Shl, left, amount(right))),
            BinaryOp::Strict(Op::Shr) => of(Op::Shr, left, amount(right)),
            BinaryOp::Strict(op) => of(op, left, right),
        }
    }
}
