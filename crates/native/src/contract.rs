//! What compiled code and its caller have agreed on: the shape of vectors, the room that a routine must have,
//! and where it finds what it is called with. `builder` makes code that keeps to this, `routines` calls it.

/// What the routines of one assembler work on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Cells of the vector that is read and of each row.
    pub width: usize,
    /// Cells behind a row that can be used while it is built.
    pub scratch: usize,
}

/// The room that a routine must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// Most rows that it appends: so many tags.
    pub rows: usize,
    /// Cells for these rows, for one more that is begun, and for scratch.
    pub cells: usize,
    /// Words of marks.
    pub marks: usize,
}

/// Where a routine finds what it gets besides the vector, as offsets in bytes.
pub(crate) mod frame {
    pub const CELLS: i32 = 0;
    pub const TAGS: i32 = 8;
    pub const MARKS: i32 = 16;
    pub const MARKED: i32 = 24;
    pub const VALUE: i32 = 32;
}

/// Bytes of a tag.
pub(crate) const TAG_BYTES: i64 = 12;
/// What a routine answers when there was a fault.
pub(crate) const FAULT: i64 = -1;
