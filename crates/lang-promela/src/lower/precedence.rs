//! What waits for others: priorities, `else` and escapes, `timeout`. Each is a guard that says that other commands cannot be done.

use std::collections::HashMap;

use commands::Expr as Code;

use super::Lowering;
use crate::flow::ElementIx;

impl Lowering<'_, '_> {
    /// Where the text gives priorities: a process moves only if none with a greater one can.
    pub(super) fn priorities(&mut self) {
        if !self.world.program.uses.priorities {
            return;
        }
        let priority =
            |instance: usize| self.world.instances[instance].priority.map_or(Code::Constant(1), Code::variable);
        let before: Vec<(usize, bool, Vec<Code>)> =
            self.made.iter().map(|made| (made.mover.0, made.on_timeout, made.command.guards.clone())).collect();
        let mut more: Vec<Vec<Code>> = Vec::with_capacity(before.len());
        for made in &self.made {
            let own = made.mover.0;
            // What asks for `timeout` is no more than others as long as it is false.
            let others =
                before.iter().filter(|(other, on_timeout, _)| *other != own && (made.on_timeout || !on_timeout));
            more.push(
                others
                    .map(|(other, _, guards)| {
                        let less = Code::binary(commands::BinaryOp::Le, priority(*other), priority(own));
                        less.or(Code::Disabled(guards.clone()))
                    })
                    .collect(),
            );
        }
        for (made, more) in self.made.iter_mut().zip(more) {
            made.command.guards.extend(more);
        }
    }

    /// What `else` and escapes ask: that others cannot be done.
    pub(super) fn precedence(&mut self) {
        let world = self.world;
        // The commands of each place, by move.
        let mut at: HashMap<(usize, ElementIx), Vec<usize>> = HashMap::new();
        for (number, made) in self.made.iter().enumerate() {
            if !made.on_timeout {
                at.entry((made.mover.0, made.mover.1)).or_default().push(number);
            }
        }
        // First escapes, so that `else` sees them.
        for is_else in [false, true] {
            let mut more: Vec<(usize, Vec<Code>)> = Vec::new();
            for (number, made) in self.made.iter().enumerate() {
                let (instance, place, order) = made.mover;
                let ty = world.instances[instance].ty;
                let moves = &world.tables[ty].places[&place];
                let graph = &world.program.types[ty].graph;
                let own = &moves[order];
                let others = at.get(&(instance, place)).map_or(&[][..], Vec::as_slice);
                let standing = self.standing(instance, place).len();
                let disabled = |other: usize| Code::Disabled(self.made[other].command.guards[standing..].to_vec());
                let mut asked = Vec::new();
                if is_else {
                    if graph.begins_with_else(own.element) {
                        // An `else` in a choice inside an option is tried before the options behind that.
                        let others = others.iter().filter(|&&other| self.made[other].mover.2 < order);
                        asked.extend(others.map(|&other| disabled(other)));
                    }
                } else {
                    let before = |other: &&usize| {
                        let order = self.made[**other].mover.2;
                        order < made.mover.2 && moves[order].escape.is_some() && moves[order].escape != own.escape
                    };
                    asked.extend(others.iter().filter(before).map(|&other| disabled(other)));
                }
                if !asked.is_empty() {
                    more.push((number, asked));
                }
            }
            for (number, asked) in more {
                self.made[number].command.guards.extend(asked);
            }
        }
    }

    /// What asks for `timeout` can be done where nothing else can.
    pub(super) fn timeouts(&mut self) {
        if !self.made.iter().any(|made| made.on_timeout) {
            return;
        }
        let others = self.made.iter().filter(|made| !made.on_timeout);
        let idle: Vec<Code> = others.map(|made| Code::Disabled(made.command.guards.clone())).collect();
        for made in self.made.iter_mut().filter(|made| made.on_timeout) {
            made.command.guards.extend(idle.iter().cloned());
        }
    }
}
