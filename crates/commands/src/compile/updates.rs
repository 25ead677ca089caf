//! Commands as machine code: guards, then a row that is a copy of the state, changed store by store.

use native::{Block, Cell, Number};

use super::expressions::{Emitter, RowView, Test};
use crate::code::Store;
use crate::interpreter::mark;
use crate::program::Overflow;

/// Where a store goes.
enum Target {
    Slot(u32),
    /// A computed cell of the array of these cells.
    Cell {
        cell: Cell,
        base: u32,
        end: u32,
    },
}

impl Emitter<'_, '_, '_> {
    /// The successor by a command, where its guards are true; its filing guard need not be asked again. Goes
    /// on in a new block in any case but a fault.
    pub fn command(&mut self, group: u32, is_filed: bool, fault: Block) {
        let command = &self.coded.commands[group as usize];
        let guards = if is_filed { &command.other_guards } else { &command.guards };
        let tests: Vec<Test> = guards.iter().map(|&guard| self.test_of(guard)).collect();
        let next = self.builder.block();
        self.all_true(&tests, next, fault);
        self.update(group, next, fault);
        self.builder.enter(next);
    }

    /// The successor by a command whose guards are true; goes to `next` with it.
    pub fn update(&mut self, group: u32, next: Block, fault: Block) {
        let coded = self.coded;
        let command = &coded.commands[group as usize];
        if command.fail.is_some() {
            // What failed is for the interpreter to say.
            self.builder.jump(fault);
            return;
        }
        self.row = RowView::default();
        self.builder.begin_row();
        let with_marks = !command.copied.is_empty();
        if with_marks {
            let mut words = Vec::new();
            mark(&command.copied, coded.cell_map.slots, &mut words);
            self.builder.mark(&words);
        }
        for step in &command.steps {
            let stores: Vec<(Target, Number)> =
                (step.start..step.end).map(|store| self.assigned(store, with_marks, fault)).collect();
            for (target, number) in stores {
                self.assign(target, number);
            }
        }
        self.builder.append_row([group, command.action], with_marks);
        self.row = RowView::default();
        self.builder.jump(next);
    }

    /// The cell and the value that a store is about.
    fn assigned(&mut self, store: u32, with_marks: bool, fault: Block) -> (Target, Number) {
        let coded = self.coded;
        match coded.code.stores[store as usize] {
            Store::Constant { slot, value } => {
                (Target::Slot(slot), self.builder.constant(value.cast_signed().into()))
            }
            Store::Slot { slot, variable, value } => {
                let value = self.evaluate(value, fault);
                (Target::Slot(slot), self.fit(variable, value, fault))
            }
            Store::Cell { variable, index, value } => {
                let value = self.evaluate(value, fault);
                let index = self.evaluate(index, fault);
                let array = &coded.cell_map.cells[variable as usize];
                let cell = self.builder.cell(array.base as usize, array.length as usize, index, fault);
                let end = array.base + array.length;
                if with_marks && end as usize <= coded.cell_map.slots {
                    self.builder.unmark_at(cell);
                }
                (Target::Cell { cell, base: array.base, end }, self.fit(variable, value, fault))
            }
        }
    }

    fn assign(&mut self, target: Target, number: Number) {
        match target {
            Target::Slot(slot) => {
                self.builder.set(slot as usize, number);
                self.row.set.insert(slot, number);
            }
            Target::Cell { cell, base, end } => {
                self.builder.set_at(cell, number);
                self.row.set.retain(|slot, _| !(base..end).contains(slot));
                self.row.set_somewhere.push((base, end));
            }
        }
    }

    /// The value as a cell holds it, if the variable can hold it.
    fn fit(&mut self, variable: u32, value: Number, fault: Block) -> Number {
        let cells = &self.coded.cell_map.cells[variable as usize];
        let fitting = match cells.overflow {
            Overflow::Error => self.builder.within(value, cells.lo, cells.hi, fault),
            Overflow::Wrap => self.wrap(value, cells.lo, cells.hi, fault),
        };
        self.builder.as_held(fitting)
    }
}
