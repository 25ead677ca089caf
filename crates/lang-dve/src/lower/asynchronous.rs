//! `system async`: one process moves, or two that meet at a channel.
//!
//! A transition of a process becomes one command; a sender and a receiver of a rendezvous become one
//! together. Where they meet, the values go first, all computed in the state before, then the receiver's
//! effects, then the sender's. A buffered channel is a counter and an array for each item; what leaves it
//! moves the rest up and leaves a zero behind.
//!
//! While some process is in a committed state only such processes move, and meet only each other.

use std::collections::HashMap;

use base::Diagnostic;
use commands::{Assign, At, BinaryOp, Command, Effect, Expr, Place, Step, VarIx};

use super::lowering::Lowering;
use super::names::{Buffer, Symbol, unknown};
use super::resolve::{Context, location_is};
use crate::ast::{BasicType, Sync, Transition};

/// A transition with its names looked up.
pub(crate) struct Move<'a> {
    pub process: usize,
    pub transition: &'a Transition,
    pub from: usize,
    /// The location test and the guards.
    pub guards: Vec<Expr>,
    /// The new location, then the effects.
    pub steps: Vec<Step>,
    pub sync: Option<SyncAction>,
}

/// What a transition does at a channel.
pub(crate) struct SyncAction {
    channel: usize,
    sends: bool,
    /// What is sent.
    values: Vec<Expr>,
    /// Where what is received goes.
    places: Vec<Place>,
}

/// Adds the commands of all transitions of the first `parts` processes.
pub(crate) fn commands(lowering: &mut Lowering<'_>, parts: usize) {
    let moves = moves(lowering, 0..parts);
    lowering.check_arity(&moves);
    let mut receivers: HashMap<usize, Vec<(&Move<'_>, &SyncAction)>> = HashMap::new();
    for mover in &moves {
        if let Some(sync) = mover.sync.as_ref().filter(|sync| !sync.sends) {
            receivers.entry(sync.channel).or_default().push((mover, sync));
        }
    }
    for mover in &moves {
        if lowering.is_too_large() {
            return;
        }
        let Some(sync) = &mover.sync else {
            lowering.alone(mover, None);
            continue;
        };
        match lowering.channels[sync.channel].buffer.clone() {
            Some(buffer) => lowering.alone(mover, Some((sync, &buffer))),
            None if sync.sends => {
                let others = receivers.get(&sync.channel).into_iter().flatten();
                for &(receiver, receiving) in others.filter(|(receiver, _)| receiver.process != mover.process)
                {
                    lowering.together((mover, sync), (receiver, receiving));
                    if lowering.is_too_large() {
                        return;
                    }
                }
            }
            None => {}
        }
    }
}

/// All transitions of these processes with their names looked up.
pub(crate) fn moves<'a>(lowering: &mut Lowering<'a>, processes: std::ops::Range<usize>) -> Vec<Move<'a>> {
    let mut moves = Vec::new();
    for process in processes {
        let declared = lowering.processes[process].instance.process;
        for transition in &declared.transitions {
            moves.extend(lowering.transition(process, transition));
        }
    }
    moves
}

impl<'a> Lowering<'a> {
    fn transition(&mut self, process: usize, transition: &'a Transition) -> Option<Move<'a>> {
        let context = Context::process(process);
        let states = std::mem::take(&mut self.processes[process].states);
        let ends = (self.state(&states, &transition.from), self.state(&states, &transition.to));
        self.processes[process].states = states;
        let location = self.processes[process].location;
        let guards: Vec<Expr> =
            transition.guards.iter().map(|guard| self.expression(guard, context)).collect();
        let sync = transition.sync.as_ref().and_then(|sync| self.sync_action(sync, context));
        let effects: Vec<Option<Step>> = transition
            .effects
            .iter()
            .map(|effect| {
                let target = self.target(&effect.target, context);
                let value = self.expression(&effect.value, context);
                Some(vec![Assign {
                    target: target?,
                    value,
                    at: At(Some(effect.target.span.to(effect.value.span))),
                }])
            })
            .collect();
        let (from, to) = (ends.0?, ends.1?);
        let arrival = Assign::new(Place::single(location), Expr::Constant(to as i64));
        let here = location_is(location, from, transition.from.span);
        Some(Move {
            process,
            transition,
            from,
            guards: std::iter::once(here).chain(guards).collect(),
            steps: std::iter::once(vec![arrival]).chain(effects.into_iter().flatten()).collect(),
            sync,
        })
    }

    fn sync_action(&mut self, sync: &Sync, context: Context<'_>) -> Option<SyncAction> {
        let channel = self.find_channel(sync, context);
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for item in &sync.items {
            if sync.sends {
                values.push(self.expression(item, context));
            } else {
                places.push(self.target(item, context));
            }
        }
        let places: Option<Vec<Place>> = places.into_iter().collect();
        Some(SyncAction { channel: channel?, sends: sync.sends, values, places: places? })
    }

    fn find_channel(&mut self, sync: &Sync, context: Context<'_>) -> Option<usize> {
        let name = &sync.channel;
        let own = match &sync.process {
            Some(process) => {
                let process = crate::ast::ProcessRef { name: process.clone(), keys: Vec::new() };
                Some(self.process_ref(&process, context)?)
            }
            None => context.process,
        };
        let scope = own.map(|process| &self.processes[process].scope);
        let symbol = scope.and_then(|scope| scope.get(&name.text));
        let symbol = symbol.or_else(|| self.globals.get(&name.text).filter(|_| sync.process.is_none()));
        match symbol {
            Some(Symbol::Channel(number)) => Some(*number),
            Some(_) => {
                let problem = Diagnostic::error(format!("`{}` is not a channel", name.text), name.span);
                self.problems.push(problem.help(format!("declare it: `channel {};`", name.text)));
                None
            }
            None => {
                let known = scope.into_iter().flat_map(|scope| scope.names()).chain(self.globals.names());
                self.problems.push(unknown("channel", &name.text, name.span, known));
                None
            }
        }
    }

    /// Everyone at a channel must pass the same number of items.
    fn check_arity(&mut self, moves: &[Move<'_>]) {
        let mut arity: Vec<Option<usize>> =
            self.channels.iter().map(|channel| channel.types.as_ref().map(Vec::len)).collect();
        for (mover, action) in moves.iter().filter_map(|m| Some((m, m.sync.as_ref()?))) {
            let items = action.values.len() + action.places.len();
            let expected = *arity[action.channel].get_or_insert(items);
            if let (true, Some(sync)) = (items != expected, &mover.transition.sync) {
                let name = &self.channels[action.channel].name;
                let message = format!("channel `{name}` passes {expected} values, not {items}");
                let problem = Diagnostic::error(message, sync.span);
                self.problems.push(problem.help("send and receive the same number of values everywhere"));
            }
        }
    }

    /// Whether the transition leaves a committed state.
    fn is_committed(&self, mover: &Move<'_>) -> bool {
        self.processes[mover.process].committed.contains(&mover.from)
    }

    /// That no process but the movers is in a committed state.
    fn none_committed(&self, movers: &[usize]) -> Vec<Expr> {
        let mut guards = Vec::new();
        for (number, process) in self.processes.iter().enumerate() {
            if movers.contains(&number) || process.instance.is_property {
                continue;
            }
            let mut states: Vec<usize> = process.committed.iter().copied().collect();
            states.sort_unstable();
            for state in states {
                let place = Expr::variable(process.location);
                guards.push(Expr::binary(BinaryOp::Ne, place, Expr::Constant(state as i64)));
            }
        }
        guards
    }

    /// `P.from->to`.
    pub(crate) fn move_name(&self, mover: &Move<'_>) -> String {
        let process = &self.processes[mover.process].instance.name;
        format!("{process}.{}->{}", mover.transition.from.text, mover.transition.to.text)
    }

    fn alone(&mut self, mover: &Move<'_>, buffered: Option<(&SyncAction, &Buffer)>) {
        let mut guards = mover.guards.clone();
        let mut steps = Vec::new();
        let mut name = self.move_name(mover);
        if let Some((sync, buffer)) = buffered {
            let channel = &self.channels[sync.channel];
            name = format!("{}{}: {name}", channel.name, if sync.sends { '!' } else { '?' });
            let types = channel.types.clone().unwrap_or_default();
            let count = || Expr::variable(buffer.count);
            if sync.sends {
                guards.push(Expr::binary(BinaryOp::Lt, count(), Expr::Constant(buffer.capacity as i64)));
                steps.push(send(buffer, &types, &sync.values));
            } else {
                // Moving the messages up is an assignment for each of their places.
                self.spend(buffer.capacity * buffer.items.len(), mover.transition.span);
                if self.is_too_large() {
                    return;
                }
                guards.push(Expr::binary(BinaryOp::Gt, count(), Expr::Constant(0)));
                steps.push(receive(buffer, &sync.places));
            }
        }
        if !self.is_committed(mover) {
            guards.extend(self.none_committed(&[mover.process]));
        }
        steps.extend(mover.steps.iter().cloned());
        let spans = vec![mover.transition.span];
        let effect = Effect::Steps(steps);
        self.command(Command { action: name.clone(), name, guards, effect, spans, ..Command::default() });
    }

    fn together(
        &mut self,
        (sender, sent): (&Move<'_>, &SyncAction),
        (receiver, received): (&Move<'_>, &SyncAction),
    ) {
        let committed = (self.is_committed(sender), self.is_committed(receiver));
        if committed.0 != committed.1 {
            // One of them is committed and may move only with another that is.
            return;
        }
        let mut guards: Vec<Expr> = sender.guards.iter().chain(&receiver.guards).cloned().collect();
        if !committed.0 {
            guards.extend(self.none_committed(&[sender.process, receiver.process]));
        }
        let channel = &self.channels[sent.channel];
        let transfer: Step = received
            .places
            .iter()
            .zip(&sent.values)
            .enumerate()
            .map(|(item, (place, value))| {
                let ty = channel.types.as_ref().and_then(|types| types.get(item)).copied();
                Assign { target: place.clone(), value: retyped(ty, value.clone()), at: place.at }
            })
            .collect();
        let name = format!("{}: {}, {}", channel.name, self.move_name(sender), self.move_name(receiver));
        self.warn_of_conflict(sender, receiver);
        let steps = [transfer].into_iter().filter(|step| !step.is_empty());
        let steps = steps.chain(receiver.steps.iter().chain(&sender.steps).cloned()).collect();
        let spans = vec![sender.transition.span, receiver.transition.span];
        let effect = Effect::Steps(steps);
        self.command(Command { action: name.clone(), name, guards, effect, spans, ..Command::default() });
    }

    fn warn_of_conflict(&mut self, sender: &Move<'_>, receiver: &Move<'_>) {
        let conflict =
            assigned(&sender.steps).find(|place| assigned(&receiver.steps).any(|other| other == *place));
        if let (Some(place), Some(span)) = (conflict, conflict.and_then(|place| place.at.0)) {
            let name = &self.program.variables[place.variable.0 as usize].name;
            let message = format!("`{name}` is assigned by both sides of a synchronisation");
            let problem =
                Diagnostic::warning(message, span).label("the sender's effect comes last and counts");
            if !self.warnings.contains(&problem) {
                self.warnings.push(problem);
            }
        }
    }
}

/// The places that steps assign.
pub(crate) fn assigned(steps: &[Step]) -> impl Iterator<Item = &Place> {
    steps.iter().flatten().map(|assign| &assign.target)
}

/// A value as an item of this type holds it: it wraps around, as a cast does.
fn retyped(ty: Option<BasicType>, value: Expr) -> Expr {
    match ty {
        None => value,
        Some(ty) => {
            let (lo, hi) = ty.range();
            Expr::Wrap { lo, hi, value: Box::new(value) }
        }
    }
}

fn cell(variable: VarIx, index: Expr) -> Place {
    Place::cell(variable, index)
}

fn send(buffer: &Buffer, types: &[BasicType], values: &[Expr]) -> Step {
    let count = || Expr::variable(buffer.count);
    let items = buffer
        .items
        .iter()
        .zip(types)
        .zip(values)
        .map(|((&item, ty), value)| Assign::new(cell(item, count()), retyped(Some(*ty), value.clone())));
    let more = Expr::binary(BinaryOp::Add, count(), Expr::Constant(1));
    items.chain([Assign::new(Place::single(buffer.count), more)]).collect()
}

fn receive(buffer: &Buffer, places: &[Place]) -> Step {
    let last = buffer.capacity - 1;
    let mut step = Step::new();
    for &item in &buffer.items {
        for at in 0..=last {
            let above = Expr::Read(cell(item, Expr::Constant(at as i64 + 1)));
            let value = if at == last { Expr::Constant(0) } else { above };
            step.push(Assign::new(cell(item, Expr::Constant(at as i64)), value));
        }
    }
    let fewer = Expr::binary(BinaryOp::Sub, Expr::variable(buffer.count), Expr::Constant(1));
    step.push(Assign::new(Place::single(buffer.count), fewer));
    for (place, &item) in places.iter().zip(&buffer.items) {
        let value = Expr::Read(cell(item, Expr::Constant(0)));
        step.push(Assign { target: place.clone(), value, at: place.at });
    }
    step
}
