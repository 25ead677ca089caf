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
use std::ops::Range;

use base::{GuardIx, Runs, Span};
use model::{Dependencies, Guard};

use crate::cell_map::CellMap;
use crate::program::{Command, Effect, Expr, Place, Program};

/// What the analysis finds.
pub(crate) struct Analysis {
    /// What each command by itself reads and writes, inner ones included.
    pub accesses: Vec<AccessSets>,
    /// The slots that each guard looks at.
    pub tests: Vec<Runs>,
    /// The slots that each label looks at.
    pub label_reads: Vec<Runs>,
    /// The guards, each once, however many commands share it.
    pub guards: Vec<(Guard, Expr)>,
    /// The guards of each command.
    pub command_guards: Vec<Vec<GuardIx>>,
}

/// The slots that a command, or a path of commands, has to do with.
#[derive(Clone, Default, Debug)]
pub(crate) struct AccessSets {
    /// Guards included.
    pub read: Runs,
    pub update_read: Runs,
    pub may_write: Runs,
    pub must_write: Runs,
}

impl AccessSets {
    /// The slots that are written or copied.
    pub fn copied(&self) -> Runs {
        self.may_write.without(&self.must_write)
    }
}

/// Each different guard once, and the guards of each command.
pub(crate) struct Guards {
    pub guards: Vec<(Guard, Expr)>,
    pub command_guards: Vec<Vec<GuardIx>>,
}

pub(crate) fn analyse(program: &Program, cell_map: &CellMap, guards: Guards) -> Analysis {
    let Guards { guards, command_guards } = guards;
    let slots_of = |expr: &Expr| {
        let mut slots = Runs::default();
        for_each_place(cell_map, expr, &mut |cells| slots.insert(cells));
        slots
    };
    let tests: Vec<Runs> = guards.iter().map(|(_, guard)| slots_of(guard)).collect();
    let label_reads = program.labels.iter().map(|label| slots_of(&label.value)).collect();
    let accesses = program.commands.iter().zip(&command_guards).map(|(command, guards)| {
        let mut access = AccessSets::of(command, cell_map);
        for guard in guards {
            access.read.add(&tests[guard.ix()]);
        }
        access
    });
    let accesses = accesses.collect();
    Analysis { accesses, tests, label_reads, guards, command_guards }
}

/// The matrices of groups, of the first guards, and of labels.
pub(crate) fn matrices(
    groups: &[AccessSets],
    tests: &[Runs],
    label_reads: &[Runs],
    slots: usize,
) -> Dependencies {
    let mut matrices = Dependencies::none(slots, groups.len(), tests.len(), label_reads.len());
    for (group, access) in groups.iter().enumerate() {
        access.read.ranges().for_each(|range| matrices.read.set_range(group, range));
        access.update_read.ranges().for_each(|range| matrices.update_read.set_range(group, range));
        access.may_write.ranges().for_each(|range| matrices.may_write.set_range(group, range));
        access.must_write.ranges().for_each(|range| matrices.must_write.set_range(group, range));
    }
    for (guard, slots) in tests.iter().enumerate() {
        slots.ranges().for_each(|range| matrices.tests.set_range(guard, range));
    }
    for (label, slots) in label_reads.iter().enumerate() {
        slots.ranges().for_each(|range| matrices.label_reads.set_range(label, range));
    }
    matrices
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

/// Every place that the value of the expression can depend on, as the cells that it can be.
pub(crate) fn for_each_place(cell_map: &CellMap, expr: &Expr, visit: &mut impl FnMut(Range<usize>)) {
    expr.for_each_read(&mut |place| visit(cells_of(cell_map, place)));
}

/// The cells that a place can be.
fn cells_of(cell_map: &CellMap, place: &Place) -> Range<usize> {
    let cells = cell_map.of(place.variable);
    match (cell_map.single_slot(place), &place.index) {
        (Some(slot), _) => slot as usize..slot as usize + 1,
        // A constant index outside the array: evaluation fails whatever the cells hold.
        (None, Some(index)) if matches!(**index, Expr::Constant(_)) => 0..0,
        (None, _) => cells.base as usize..(cells.base + cells.length) as usize,
    }
}

impl AccessSets {
    /// What a command's update does to slots, as its steps are gone through.
    fn of(command: &Command, cell_map: &CellMap) -> Self {
        let mut access = Self::default();
        if let Effect::Steps(steps) = &command.effect {
            for step in steps {
                for assign in step {
                    access.look_at(cell_map, &assign.value);
                    if let Some(index) = &assign.target.index {
                        access.look_at(cell_map, index);
                    }
                }
                for assign in step {
                    access.write(cell_map, &assign.target);
                }
            }
        }
        // Scratch stands behind the slots.
        for cells in [&mut access.update_read, &mut access.may_write, &mut access.must_write] {
            cells.remove(cell_map.slots..cell_map.width);
        }
        access.read = access.update_read.clone();
        access
    }

    fn look_at(&mut self, cell_map: &CellMap, expr: &Expr) {
        for_each_place(cell_map, expr, &mut |cells| {
            let mut read = Runs::default();
            read.insert(cells);
            self.update_read.add(&read.without(&self.must_write));
        });
    }

    fn write(&mut self, cell_map: &CellMap, target: &Place) {
        let cells = cells_of(cell_map, target);
        if cells.len() == 1 {
            self.must_write.insert(cells.clone());
        }
        self.may_write.insert(cells);
    }
}
