//! Machine code that cannot do harm: a small assembler over Cranelift whose routines read one vector, compute
//! with 64-bit numbers, and append rows to a buffer.
//!
//! A [`Routine`](RoutineIx) is built through a [`Builder`], and the builder has no operation that could touch
//! other memory than that: a fixed cell is compared with the width when the code is made, a computed one
//! ([`Builder::cell`]) when it runs, room for the most rows that a routine can append is asked for before it
//! is called ([`Routines::run`]). Control flow goes forward only, so every routine ends. No operation traps:
//! what has no value (a division by zero, an index outside) must say which block to go to. So [`Builder`] and
//! [`Routines`] are safe to use, whatever is built with them.
//!
//! It knows nothing of models. Whoever compiles one decides what a vector, a row and a fault mean.
//!
//! ```
//! use native::{Assembler, BinaryOp, Rows, Shape};
//!
//! // The row with its second cell increased by one, for vectors whose first cell is 7; nothing for all
//! // others.
//! let mut assembler = Assembler::new(Shape { width: 2, scratch: 0 }).unwrap();
//! let routine = assembler
//!     .routine(|b| {
//!         let (seven, end) = (b.block(), b.block());
//!         let (first, second) = (b.slot(0), b.slot(1));
//!         let wanted = b.constant(7);
//!         let is_seven = b.binary(BinaryOp::Eq, first, wanted);
//!         b.branch(is_seven, seven, end);
//!         b.enter(seven);
//!         let one = b.constant(1);
//!         let more = b.binary(BinaryOp::Add, second, one);
//!         b.begin_row();
//!         b.set(1, more);
//!         b.append_row([0, 0], false);
//!         b.jump(end);
//!         b.enter(end);
//!         b.done();
//!     })
//!     .unwrap();
//! let routines = assembler.finish().unwrap();
//! let need = routines.need(routine);
//! let (mut cells, mut tags) = (vec![0; need.cells], vec![[0; 3]; need.rows]);
//! let rows = Rows { cells: &mut cells, tags: &mut tags, marks: &mut [], marked: 0 };
//! assert_eq!(routines.run(routine, 0, &[7, 4], rows), Some(1));
//! assert_eq!(cells[..2], [7, 5]);
//! ```

mod assembler;
mod builder;
mod contract;
mod routines;

pub use assembler::{Assembler, Refused};
pub use builder::{BinaryOp, Block, Builder, Cell, Join, Number, PartialOp, Table, UnaryOp};
pub use contract::{Need, Shape};
pub use routines::{RoutineIx, Routines, Rows};
