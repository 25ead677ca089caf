//! An ETF text as it was read: declarations and rows, values not yet looked up in their sorts.

use base::Span;
use model::Value;

use crate::sorts::{Reference, Sorts};

/// The whole text.
pub(crate) struct File {
    pub slots: Vec<Declaration>,
    pub edge_labels: Vec<Declaration>,
    pub initial: Vec<Reference>,
    pub groups: Vec<Section>,
    pub maps: Vec<Map>,
    pub sorts: Sorts,
}

/// `name:sort`.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// None where the text says `_`.
    pub name: Option<String>,
    /// The number of its sort.
    pub sort: usize,
    pub span: Span,
}

/// A `trans` section.
pub(crate) struct Section {
    pub header: Span,
    pub rows: Rows,
}

/// A `map` section.
pub(crate) struct Map {
    pub declaration: Declaration,
    pub rows: Rows,
}

/// One column of a row that is not `*`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub slot: u32,
    pub from: Value,
    /// In a map the same as `from`.
    pub to: Value,
}

/// Rows without their `*` columns: most columns of most rows are `*`.
#[derive(Default)]
pub(crate) struct Rows {
    cells: Vec<Cell>,
    ends: Vec<u32>,
    starts: Vec<u32>,
    labels: Vec<Reference>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a column to the row that is being read.
    pub fn push_cell(&mut self, cell: Cell) {
        self.cells.push(cell);
    }

    /// Adds a label to the row that is being read.
    pub fn push_label(&mut self, label: Reference) {
        self.labels.push(label);
    }

    /// Ends the row that is being read; it began at this place of the text.
    pub fn finish(&mut self, start: usize) {
        self.ends.push(u32::try_from(self.cells.len()).expect("BUG: more columns than bytes of text"));
        self.starts.push(Span::new(start, start).start);
    }

    /// Forgets the row that is being read. A row has `width` labels.
    pub fn give_up(&mut self, width: usize) {
        self.cells.truncate(self.ends.last().map_or(0, |&end| end as usize));
        self.labels.truncate(self.ends.len() * width);
    }

    /// The columns of a row that are not `*`, ascending.
    pub fn cells(&self, row: usize) -> &[Cell] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.cells[start as usize..self.ends[row] as usize]
    }

    /// The labels of a row, where each row has `width`.
    pub fn labels(&self, row: usize, width: usize) -> &[Reference] {
        &self.labels[row * width..(row + 1) * width]
    }

    /// Where the row stands: its first column.
    pub fn span(&self, row: usize) -> Span {
        Span { start: self.starts[row], end: self.starts[row].saturating_add(1) }
    }
}
