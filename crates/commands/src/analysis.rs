//! Static analysis: from commands to the dependency matrices, guards and their tests.
//!
//! A slot counts as read by an update only if it is looked at before the update has surely assigned it. A
//! cell `a[i]` with an index that depends on the state may be any cell of the array: all of them are read,
//! or may be written with the others copied. An index that is constant after folding is one slot.
//!
//! Example: `x := y; a[x] := x` with an array `a` of two cells reads `y`, surely writes `x`, and may write
//! `a[0]` and `a[1]`. It does not read `x`, which is assigned before it is looked at.

pub(crate) mod closure;
pub(crate) mod followers;

use std::collections::{HashMap, HashSet};

use base::{GuardIx, Span};
use model::{Dependencies, Guard};

use crate::cell_map::CellMap;
use crate::program::{Command, Effect, Expr, Place, Program};

/// What the analysis finds.
pub(crate) struct Analysis {
    /// The matrices, with a row for each command by itself, inner ones included.
    pub dependencies: Dependencies,
    /// The guards, each once, however many commands share it.
    pub guards: Vec<(Guard, Expr)>,
    /// The guards of each command.
    pub command_guards: Vec<Vec<GuardIx>>,
}

/// Each different guard once, and the guards of each command.
pub(crate) struct Guards {
    pub guards: Vec<(Guard, Expr)>,
    pub command_guards: Vec<Vec<GuardIx>>,
}

pub(crate) fn analyse(program: &Program, cell_map: &CellMap, guards: Guards) -> Analysis {
    let Guards { guards, command_guards } = guards;
    let mut dependencies =
        Dependencies::none(cell_map.slots, program.commands.len(), guards.len(), program.labels.len());
    for (number, (_, guard)) in guards.iter().enumerate() {
        for_each_slot(cell_map, guard, &mut |slot| dependencies.tests.set(number, slot));
    }
    for (number, label) in program.labels.iter().enumerate() {
        for_each_slot(cell_map, &label.value, &mut |slot| dependencies.label_reads.set(number, slot));
    }
    for (group, command) in program.commands.iter().enumerate() {
        for guard in &command_guards[group] {
            let tested: Vec<usize> = dependencies.tests.ones(guard.ix()).collect();
            tested.into_iter().for_each(|slot| dependencies.read.set(group, slot));
        }
        Update::of(command, cell_map).enter(group, cell_map, &mut dependencies);
    }
    Analysis { dependencies, guards, command_guards }
}

pub(crate) fn collect_guards(program: &Program) -> Guards {
    let mut known: HashMap<&Expr, GuardIx> = HashMap::new();
    let mut seen = HashSet::new();
    let mut guards = Vec::new();
    let mut command_guards = Vec::with_capacity(program.commands.len());
    for command in &program.commands {
        let mut own = Vec::with_capacity(command.guards.len());
        for expr in &command.guards {
            let guard = *known.entry(expr).or_insert_with(|| {
                guards.push((Guard { name: program.show(expr), span: first_span(expr) }, expr.clone()));
                GuardIx::new(guards.len() - 1)
            });
            if seen.insert((command_guards.len(), guard)) {
                own.push(guard);
            }
        }
        command_guards.push(own);
    }
    Guards { guards, command_guards }
}

fn first_span(expr: &Expr) -> Option<Span> {
    let mut first: Option<Span> = None;
    expr.for_each_read(&mut |place| first = first.or(place.at.0));
    first
}

/// Every slot that the value of the expression can depend on.
pub(crate) fn for_each_slot(cell_map: &CellMap, expr: &Expr, visit: &mut impl FnMut(usize)) {
    expr.for_each_read(&mut |place| cells_of(cell_map, place).for_each(&mut *visit));
}

/// The cells that a place can be.
fn cells_of(cell_map: &CellMap, place: &Place) -> std::ops::Range<usize> {
    let cells = cell_map.of(place.variable);
    match (cell_map.single_slot(place), &place.index) {
        (Some(slot), _) => slot as usize..slot as usize + 1,
        // A constant index outside the array: evaluation fails whatever the cells hold.
        (None, Some(index)) if matches!(**index, Expr::Constant(_)) => 0..0,
        (None, _) => cells.base as usize..(cells.base + cells.length) as usize,
    }
}

/// What an update does to cells, scratch included, as its steps are gone through.
struct Update {
    read: Vec<bool>,
    may_write: Vec<bool>,
    must_write: Vec<bool>,
}

impl Update {
    fn of(command: &Command, cell_map: &CellMap) -> Self {
        let none = || vec![false; cell_map.width];
        let mut update = Self { read: none(), may_write: none(), must_write: none() };
        if let Effect::Steps(steps) = &command.effect {
            for step in steps {
                for assign in step {
                    update.read(cell_map, &assign.value);
                    if let Some(index) = &assign.target.index {
                        update.read(cell_map, index);
                    }
                }
                for assign in step {
                    update.write(cell_map, &assign.target);
                }
            }
        }
        update
    }

    fn read(&mut self, cell_map: &CellMap, expr: &Expr) {
        for_each_slot(cell_map, expr, &mut |cell| self.read[cell] |= !self.must_write[cell]);
    }

    fn write(&mut self, cell_map: &CellMap, target: &Place) {
        let cells = cells_of(cell_map, target);
        if cells.len() == 1 {
            self.must_write[cells.start] = true;
        }
        cells.for_each(|cell| self.may_write[cell] = true);
    }

    fn enter(&self, group: usize, cell_map: &CellMap, dependencies: &mut Dependencies) {
        for slot in 0..cell_map.slots {
            if self.read[slot] {
                dependencies.update_read.set(group, slot);
                dependencies.read.set(group, slot);
            }
            if self.may_write[slot] {
                dependencies.may_write.set(group, slot);
            }
            if self.must_write[slot] {
                dependencies.must_write.set(group, slot);
            }
        }
    }
}
