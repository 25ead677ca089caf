//! What processes do to each other and at their end: they start others, change priorities, and go.

use commands::{Assign, BinaryOp as Op, Expr as Code, Place as Cell, Step};
use model::EvalErrorKind;

use super::Piece;
use crate::lower::translate::View;
use crate::resolved::{Expr, Initial, Place};
use crate::world::{Instance, Storage, World};

impl View<'_, '_> {
    pub(super) fn runs(
        &self,
        process: usize,
        arguments: &[Expr],
        priority: &Expr,
        into: Option<&(Place, Expr)>,
    ) -> Vec<Piece> {
        let world = self.world;
        let values: Vec<Code> = arguments.iter().map(|argument| self.expr(argument)).collect();
        let mut pieces = Vec::new();
        let own = self.pid();
        for (number, instance) in world.instances.iter().enumerate() {
            if instance.ty != process || instance.pid <= own {
                continue;
            }
            let mut guards = vec![world.alive(instance.pid).not()];
            if instance.pid - 1 != own {
                guards.push(world.alive(instance.pid - 1));
            }
            let mut steps = world.started(number, &values, self.expr(priority));
            if let Some((place, value)) = into {
                let value = View { started: instance.pid, ..*self }.expr(value);
                steps.extend(self.assign(place, value));
            }
            pieces.push(Piece { guards, steps, ..Piece::default() });
        }
        // Numbers for which no such process is foreseen.
        let known = |pid: usize| world.instances.iter().any(|i| i.ty == process && i.pid == pid);
        let most = world.instances.iter().map(|instance| instance.pid).max().unwrap_or(0);
        for pid in own + 1..=most + 1 {
            if !known(pid) {
                let mut guards = vec![world.alive(pid).not()];
                if pid - 1 != own {
                    guards.push(world.alive(pid - 1));
                }
                let name = world.program.types[process].name.clone();
                let fails = Some(EvalErrorKind::TooManyProcesses { process: name, pid });
                pieces.push(Piece { guards, fails, ..Piece::default() });
            }
        }
        pieces
    }

    /// One piece for each process that can be meant.
    pub(super) fn prioritises(&self, pid: &Expr, priority: &Expr) -> Vec<Piece> {
        let (pid, priority) = (self.expr(pid), self.expr(priority));
        let change = |instance: &Instance| {
            let slot = instance.priority?;
            let there = Code::binary(Op::Ne, Code::variable(instance.location), Code::Constant(0));
            let meant = Code::binary(Op::Eq, pid.clone(), Code::Constant(instance.pid as i64));
            let step = vec![Assign::new(Cell::single(slot), priority.clone())];
            Some(Piece { guards: vec![meant, there], steps: vec![step], ..Piece::default() })
        };
        self.world.instances.iter().filter_map(change).collect()
    }

    pub(super) fn end(&self) -> Piece {
        let world = self.world;
        let instance = &world.instances[self.instance];
        let next = world.alive(instance.pid + 1);
        let guards = if next == Code::Constant(0) { Vec::new() } else { vec![next.not()] };
        Piece { guards, steps: vec![world.cleared(self.instance)], ..Piece::default() }
    }
}

impl World<'_> {
    /// What is assigned when a process starts with these arguments: first its parameters and channels, then
    /// its variables in order.
    pub fn started(&self, number: usize, arguments: &[Code], priority: Code) -> Vec<Step> {
        let instance = &self.instances[number];
        let process = &self.program.types[instance.ty];
        let view = View { world: self, instance: number, timeout: false, started: 0, last: None };
        let mut first = Step::new();
        let start = self.places[instance.ty][&process.graph.start];
        first.push(Assign::new(Cell::single(instance.location), Code::Constant(start)));
        first.extend(instance.priority.map(|slot| Assign::new(Cell::single(slot), priority)));
        let mut later: Vec<Step> = Vec::new();
        let mut own = instance.queues.iter();
        for (order, (variable, storage)) in process.locals.iter().zip(&instance.storages).enumerate() {
            let cells = variable.cells();
            let channels: Vec<usize> = match variable.initial {
                Initial::Channel(_) => own.by_ref().take(cells).copied().collect(),
                _ => Vec::new(),
            };
            let Storage::Slots(slots) = storage else { continue };
            let cell = |at: usize| match variable.dimensions.is_empty() {
                true => Cell::single(*slots),
                false => Cell::cell(*slots, Code::Constant(at as i64)),
            };
            if order < process.parameters {
                let value = arguments.get(order).cloned().unwrap_or(Code::Constant(0));
                first.push(Assign::new(cell(0), value));
                continue;
            }
            match &variable.initial {
                Initial::Zero => {}
                Initial::All(expr) => {
                    let value = view.expr(expr);
                    later.push((0..cells).map(|at| Assign::new(cell(at), value.clone())).collect());
                }
                Initial::Cells(exprs) => {
                    let values = exprs.iter().take(cells).enumerate();
                    later.push(values.map(|(at, expr)| Assign::new(cell(at), view.expr(expr))).collect());
                }
                Initial::Channel(_) => {
                    let values = channels.into_iter().enumerate();
                    first.extend(
                        values.map(|(at, queue)| Assign::new(cell(at), Code::Constant(queue as i64))),
                    );
                }
            }
        }
        std::iter::once(first).chain(later).collect()
    }

    /// What is assigned when a process goes: nothing of it is left.
    fn cleared(&self, number: usize) -> Step {
        let instance = &self.instances[number];
        let mut variables = vec![instance.location];
        variables.extend(instance.priority);
        variables.extend(instance.storages.iter().filter_map(|storage| match storage {
            Storage::Slots(slots) => Some(*slots),
            _ => None,
        }));
        for &queue in &instance.queues {
            let queue = self.channel(queue);
            variables.extend(queue.length);
            variables.extend(&queue.fields);
        }
        let mut step = Step::new();
        for variable in variables {
            match self.out.variables[variable.0 as usize].length {
                None => step.push(Assign::new(Cell::single(variable), Code::Constant(0))),
                Some(cells) => step.extend((0..cells).map(|at| {
                    Assign::new(Cell::cell(variable, Code::Constant(at as i64)), Code::Constant(0))
                })),
            }
        }
        step
    }
}
