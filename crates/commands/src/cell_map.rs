//! Which slots a variable has: consecutive ones, in the order of the program. Cells of scratch variables
//! stand behind the slots of the state.

use model::Domain;

use crate::program::{Expr, Overflow, Place, Program, VarIx};

/// The cells of one variable, and what each can hold.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub name: String,
    pub base: u32,
    pub length: u32,
    pub lo: i64,
    pub hi: i64,
    pub overflow: Overflow,
}

/// The cells of all variables.
#[derive(Clone, Debug)]
pub(crate) struct CellMap {
    pub cells: Vec<Cells>,
    /// Slots of the state.
    pub slots: usize,
    /// Slots and scratch.
    pub width: usize,
}

impl CellMap {
    /// The cell map of a program; `None` when it has more than `most` cells.
    pub fn new(program: &Program, most: usize) -> Option<Self> {
        let mut bases = vec![0; program.variables.len()];
        let mut next = 0usize;
        let mut slots = 0;
        for scratch in [false, true] {
            for (base, variable) in
                bases.iter_mut().zip(&program.variables).filter(|(_, v)| v.scratch == scratch)
            {
                *base = next;
                next = next.checked_add(variable.length.unwrap_or(1)).filter(|&next| next <= most)?;
            }
            if !scratch {
                slots = next;
            }
        }
        let cells = program.variables.iter().zip(bases).map(|(variable, base)| {
            let (lo, hi) = match &program.types[variable.ty.ix()].domain {
                Domain::Range { lo, hi } => (i64::from(*lo), i64::from(*hi)),
                Domain::Names(names) => (0, names.len() as i64 - 1),
                Domain::Interned(_) | Domain::Shown(_) => (0, i64::from(u32::MAX)),
            };
            Cells {
                name: variable.name.clone(),
                base: base as u32,
                length: variable.length.unwrap_or(1) as u32,
                lo,
                hi,
                overflow: variable.overflow,
            }
        });
        Some(Self { cells: cells.collect(), slots, width: next })
    }

    pub fn of(&self, variable: VarIx) -> &Cells {
        &self.cells[variable.0 as usize]
    }

    /// The slot of a place that does not depend on the state.
    pub fn single_slot(&self, place: &Place) -> Option<u32> {
        let cells = self.of(place.variable);
        match &place.index {
            None => Some(cells.base),
            Some(index) => match **index {
                Expr::Constant(i) if (0..i64::from(cells.length)).contains(&i) => Some(cells.base + i as u32),
                _ => None,
            },
        }
    }
}
