//! What waits for others: priorities, `else`, escapes and `timeout`.
//!
//! Each becomes a guard that says that certain other commands are disabled. Example: of the options `x > 0`
//! and `else` in one place the second gets the guard `not (x > 0)`.

use std::collections::HashMap;

use commands::Expr as Code;

use super::{Draft, Lowering};
use crate::flow::ElementIx;

impl Lowering<'_, '_> {
    /// Where the text gives priorities: a process moves only if none with a greater one can.
    pub(super) fn priorities(&mut self) {
        if !self.world.program.features.priorities {
            return;
        }
        let priority = |instance: usize| {
            self.world.instances[instance].priority.map_or(Code::Constant(1), Code::variable)
        };
        let before: Vec<(usize, bool, Vec<Code>)> = self
            .drafts
            .iter()
            .map(|made| (made.mover.0, made.on_timeout, made.command.guards.clone()))
            .collect();
        let mut more: Vec<Vec<Code>> = Vec::with_capacity(before.len());
        for made in &self.drafts {
            let own = made.mover.0;
            // What asks for `timeout` is no more than others as long as it is false.
            let others = before
                .iter()
                .filter(|(other, on_timeout, _)| *other != own && (made.on_timeout || !on_timeout));
            more.push(
                others
                    .map(|(other, _, guards)| {
                        let less = Code::binary(commands::BinaryOp::Le, priority(*other), priority(own));
                        less.or(Code::Disabled(guards.clone()))
                    })
                    .collect(),
            );
        }
        for (made, more) in self.drafts.iter_mut().zip(more) {
            made.command.guards.extend(more);
        }
    }

    /// What `else` asks: that nothing before it can be done, escapes among it. An `else` in a choice inside
    /// an option is tried before the options behind that.
    pub(super) fn elses(&mut self) {
        let at = self.by_place();
        let is_else = |made: &Draft| {
            let (instance, place, order) = made.mover;
            let ty = self.world.instances[instance].ty;
            self.world.program.types[ty]
                .graph
                .begins_with_else(self.world.tables[ty].places[&place][order].element)
        };
        let mut elses: Vec<usize> =
            (0..self.drafts.len()).filter(|&number| is_else(&self.drafts[number])).collect();
        // In the order of the table, since one can be before another.
        elses.sort_by_key(|&number| self.drafts[number].mover.2);
        for number in elses {
            let (instance, place, order) = self.drafts[number].mover;
            let standing = self.standing(instance, place).len();
            let others = at.get(&(instance, place, false)).map_or(&[][..], Vec::as_slice);
            let others =
                others.iter().map(|&other| &self.drafts[other]).filter(|other| other.mover.2 < order);
            let asked: Vec<Code> =
                others.map(|other| Code::Disabled(other.command.guards[standing..].to_vec())).collect();
            self.drafts[number].command.guards.extend(asked);
        }
    }

    /// What escapes ask of those behind them: that nothing of the escape can be done. What `else` asks must
    /// be known by then.
    ///
    /// Spin goes through the moves of a place in turn and stops where an escape ends of which something was
    /// done. A rendezvous send that finds no receiver makes it forget that, so that what comes behind the
    /// escape is done too.
    pub(super) fn escapes(&mut self) {
        let at = self.by_place();
        let mut attempts: HashMap<(usize, ElementIx, usize), Vec<&Draft>> = HashMap::new();
        for attempt in &self.attempts {
            attempts.entry(attempt.mover).or_default().push(attempt);
        }
        let asked = |made: &Draft| -> Vec<Code> {
            let (instance, place, order) = made.mover;
            let moves = &self.world.tables[self.world.instances[instance].ty].places[&place];
            let standing = self.standing(instance, place).len();
            let disabled = |other: &Draft| Code::Disabled(other.command.guards[standing..].to_vec());
            let others = |on_timeout| {
                let numbers = at.get(&(instance, place, on_timeout)).map_or(&[][..], Vec::as_slice);
                numbers.iter().map(|&number| &self.drafts[number])
            };
            let failed = |send: usize| {
                let tried = attempts.get(&(instance, place, send))?.iter();
                let tried = tried.map(|attempt| disabled(attempt).not()).reduce(Code::or)?;
                Some(others(false).filter(|other| other.mover.2 == send).map(disabled).fold(tried, Code::and))
            };
            let mut asked = Vec::new();
            for other in others(made.on_timeout).filter(|other| other.mover.2 < order) {
                let escape = moves[other.mover.2].escape;
                let mut behind = other.mover.2 + 1..=order;
                if let Some(left) = behind.find(|&next| escape.is_some() && moves[next].escape != escape) {
                    asked.push((other.mover.2 + 1..left).filter_map(failed).fold(disabled(other), Code::or));
                }
            }
            asked
        };
        let of_made: Vec<Vec<Code>> = self.drafts.iter().map(asked).collect();
        let of_attempts: Vec<Vec<Code>> = self.attempts.iter().map(asked).collect();
        let all = self.drafts.iter_mut().chain(&mut self.attempts);
        for (made, asked) in all.zip(of_made.into_iter().chain(of_attempts)) {
            made.command.guards.extend(asked);
        }
    }

    /// The commands of each place, those that ask for `timeout` when that is true apart.
    fn by_place(&self) -> HashMap<(usize, ElementIx, bool), Vec<usize>> {
        let mut at: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, made) in self.drafts.iter().enumerate() {
            at.entry((made.mover.0, made.mover.1, made.on_timeout)).or_default().push(number);
        }
        at
    }

    /// What asks for `timeout` can be done where nothing else can.
    pub(super) fn timeouts(&mut self) {
        if !self.drafts.iter().any(|made| made.on_timeout) {
            return;
        }
        let others = self.drafts.iter().filter(|made| !made.on_timeout);
        let idle: Vec<Code> = others.map(|made| Code::Disabled(made.command.guards.clone())).collect();
        for made in self.drafts.iter_mut().filter(|made| made.on_timeout) {
            made.command.guards.extend(idle.iter().cloned());
        }
    }
}
