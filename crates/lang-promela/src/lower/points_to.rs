//! A points-to analysis: which channels a variable of type `chan` can hold.
//!
//! It collects what is assigned to a variable, passed to it or received into it, wherever that stands in the
//! text, until nothing new is found. A send on a variable then becomes one command for each channel that it
//! can mean.
//!
//! Example: with `chan a = …, b = …, c; c = a; q!b` and a receive `q?c` somewhere, `c` can hold 0, `a` and
//! `b`.

use std::collections::{BTreeSet, HashMap};

use commands::VarIx;

use crate::flow::Kind;
use crate::resolved::{Basic, Expr, Initial, Pattern, Place, ValueType};
use crate::world::{Storage, World};

/// What is known so far.
struct PointsTo<'w, 'a> {
    world: &'w World<'a>,
    variables: HashMap<VarIx, BTreeSet<usize>>,
    /// Channels that were sent, by channel and field.
    sent: HashMap<(usize, usize), BTreeSet<usize>>,
    changed: bool,
}

/// The channels that each variable can hold; 0 stands for none.
pub(crate) fn points_to(world: &World<'_>) -> HashMap<VarIx, BTreeSet<usize>> {
    let mut known = PointsTo { world, variables: HashMap::new(), sent: HashMap::new(), changed: true };
    known.initial();
    while std::mem::take(&mut known.changed) {
        for instance in 0..world.instances.len() {
            let graph = &world.program.types[world.instances[instance].ty].graph;
            for element in &graph.elements {
                if let Kind::Basic(basic) = &element.kind {
                    known.basic(instance, basic);
                }
            }
        }
    }
    known.variables
}

impl PointsTo<'_, '_> {
    fn add(&mut self, variable: VarIx, channels: BTreeSet<usize>) {
        let held = self.variables.entry(variable).or_default();
        let before = held.len();
        held.extend(channels);
        self.changed |= held.len() > before;
    }

    fn initial(&mut self) {
        let world = self.world;
        let globals = world
            .program
            .globals
            .iter()
            .zip(&world.globals)
            .map(|(variable, storage)| (None, variable, storage));
        let locals = world.instances.iter().enumerate().flat_map(|(number, instance)| {
            let process = &world.program.types[instance.ty];
            let of = process.locals.iter().zip(&instance.storages).enumerate();
            // What a parameter holds is what is passed.
            of.map(move |(order, (variable, storage))| {
                let passed = order < process.parameters && process.active == 0;
                (Some((number, passed)), variable, storage)
            })
        });
        let all: Vec<_> = globals.chain(locals).collect();
        let mut next = HashMap::new();
        for (owner, variable, storage) in all {
            // Channels of a variable follow each other in the order of its owner's.
            let own = match (owner, &variable.initial) {
                (Some((number, _)), Initial::Channel(_)) => {
                    let at = next.entry(number).or_insert(0);
                    let own = world.instances[number].queues[*at..*at + variable.cells()].to_vec();
                    *at += variable.cells();
                    own
                }
                _ => Vec::new(),
            };
            let (Storage::Slots(slots), ValueType::Channel) = (storage, variable.ty) else { continue };
            let channels = match (&variable.initial, owner) {
                (Initial::Channel(_), Some(_)) => own.into_iter().chain([0]).collect(),
                (Initial::Channel(_), None) => self.world.global_channels(*slots).into_iter().collect(),
                (Initial::All(expr), Some((number, _))) => self.expr(number, expr),
                (_, Some((_, true))) => BTreeSet::new(),
                _ => BTreeSet::from([0]),
            };
            self.add(*slots, channels);
        }
    }

    fn place(&self, instance: usize, place: &Place) -> BTreeSet<usize> {
        match self.world.storage_of(instance, place) {
            Storage::Channels(channels) => match place.indices.as_slice() {
                [Expr::Number(at)] => channels.get(*at as usize).copied().into_iter().collect(),
                _ => channels.iter().copied().collect(),
            },
            Storage::Slots(slots) => self.variables.get(slots).cloned().unwrap_or_default(),
            Storage::Nowhere => BTreeSet::new(),
        }
    }

    fn expr(&self, instance: usize, expr: &Expr) -> BTreeSet<usize> {
        match expr {
            Expr::Read(place) if self.world.declaration(instance, place).ty == ValueType::Channel => {
                self.place(instance, place)
            }
            Expr::Number(0) => BTreeSet::from([0]),
            Expr::Conditional(_, yes, no) => {
                self.expr(instance, yes).into_iter().chain(self.expr(instance, no)).collect()
            }
            // A number that is no channel variable's: it could be any.
            _ => (0..=self.world.queues.len()).collect(),
        }
    }

    fn into(&mut self, instance: usize, place: &Place, channels: BTreeSet<usize>) {
        if self.world.declaration(instance, place).ty == ValueType::Channel
            && let Storage::Slots(slots) = self.world.storage_of(instance, place)
        {
            self.add(*slots, channels);
        }
    }

    fn basic(&mut self, instance: usize, basic: &Basic) {
        let world = self.world;
        match basic {
            Basic::Assign(place, expr) if world.declaration(instance, place).ty == ValueType::Channel => {
                let channels = self.expr(instance, expr);
                self.into(instance, place, channels);
            }
            Basic::Run { process, arguments, .. } => {
                for started in &world.instances {
                    if started.ty != *process {
                        continue;
                    }
                    let locals = &world.program.types[*process].locals;
                    for ((argument, storage), parameter) in
                        arguments.iter().zip(&started.storages).zip(locals)
                    {
                        if let (Storage::Slots(slots), ValueType::Channel) = (storage, parameter.ty) {
                            let channels = self.expr(instance, argument);
                            self.add(*slots, channels);
                        }
                    }
                }
            }
            Basic::Send { channel, fields, .. } => {
                for queue in self.place(instance, channel).into_iter().filter(|&queue| queue != 0) {
                    let types = &world.channel(queue).shape.fields;
                    for (number, (field, &ty)) in fields.iter().zip(types).enumerate() {
                        if ty == ValueType::Channel {
                            let channels = self.expr(instance, field);
                            let sent = self.sent.entry((queue, number)).or_default();
                            let before = sent.len();
                            sent.extend(channels);
                            self.changed |= sent.len() > before;
                        }
                    }
                }
            }
            Basic::Receive { channel, fields, .. } => {
                for queue in self.place(instance, channel).into_iter().filter(|&queue| queue != 0) {
                    for (number, pattern) in fields.iter().enumerate() {
                        if let Pattern::Into(place) = pattern {
                            let ty = world.channel(queue).shape.fields.get(number);
                            let channels = match ty {
                                Some(ValueType::Channel) => {
                                    self.sent.get(&(queue, number)).cloned().unwrap_or_default()
                                }
                                _ => (0..=world.queues.len()).collect(),
                            };
                            self.into(instance, place, channels);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}
