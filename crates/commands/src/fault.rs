//! Faults of code at run time: what failed, where it stands, and the same in words.

use std::sync::Arc;

use model::EvalErrorKind;

use crate::cell_map::Cells;
use crate::program::Table;

/// Where and how code failed; turned into words only when someone wants to read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub kind: FaultKind,
    pub site: Site,
}

/// What failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Site {
    Instr(u32),
    Store(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    DivisionByZero,
    Shift(i64),
    /// An index outside the array.
    Index {
        variable: u32,
        index: i64,
    },
    /// An index outside the constant array with this number in the code.
    TableIndex {
        table: u32,
        index: i64,
    },
    /// A value that does not fit the variable.
    Range {
        variable: u32,
        value: i64,
    },
}

impl FaultKind {
    /// The same in words, with the names and sizes of variables.
    pub fn describe(self, variables: &[Cells], tables: &[Arc<Table>]) -> EvalErrorKind {
        match self {
            Self::DivisionByZero => EvalErrorKind::DivisionByZero,
            Self::Shift(amount) => EvalErrorKind::ShiftAmount(amount),
            Self::Index { variable, index } => {
                let cells = &variables[variable as usize];
                EvalErrorKind::IndexOutOfRange {
                    array: cells.name.clone(),
                    index,
                    length: cells.length as usize,
                }
            }
            Self::TableIndex { table, index } => {
                let table = &tables[table as usize];
                if table.cells.is_empty() {
                    return EvalErrorKind::Other(table.name.clone());
                }
                EvalErrorKind::IndexOutOfRange { array: table.name.clone(), index, length: table.cells.len() }
            }
            Self::Range { variable, value } => {
                let cells = &variables[variable as usize];
                EvalErrorKind::ValueOutOfRange {
                    variable: cells.name.clone(),
                    value,
                    lo: cells.lo,
                    hi: cells.hi,
                }
            }
        }
    }
}
