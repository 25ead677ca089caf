//! Guarded commands: the small language that imperative modelling languages are lowered to.
//!
//! A [`Program`] has typed variables and arrays, and commands: guards that must all be true, then a sequence
//! of steps, each a parallel assignment. Two processes that synchronise are one command, with the guards and
//! the assignments of both. [`CommandModel`] is the PINS model of a program.
//!
//! Arithmetic is that of 64-bit integers that wrap. A variable checks what is assigned to it ([`Overflow`]),
//! and [`Expr::Wrap`] is for languages that cut intermediate results.
//!
//! # Example
//!
//! A counter that stops at 2:
//!
//! ```
//! use base::TypeIx;
//! use commands::{
//!     Assign, BinaryOp, Command, CommandModel, Effect, Expr, Overflow, Place, Program, VarIx, Variable,
//! };
//! use model::{Model, SlotRole, Successors, Type};
//!
//! let x = VarIx(0);
//! let plus_one = Expr::binary(BinaryOp::Add, Expr::variable(x), Expr::Constant(1));
//! let program = Program {
//!     types: vec![Type::range("small", 0, 3)],
//!     variables: vec![Variable {
//!         name: "x".into(),
//!         ty: TypeIx::new(0),
//!         length: None,
//!         initial: vec![0],
//!         overflow: Overflow::Error,
//!         scratch: false,
//!         role: SlotRole::Variable,
//!         span: None,
//!     }],
//!     commands: vec![Command {
//!         name: "count".into(),
//!         guards: vec![Expr::binary(BinaryOp::Lt, Expr::variable(x), Expr::Constant(2))],
//!         effect: Effect::Steps(vec![vec![Assign::new(Place::single(x), plus_one)]]),
//!         ..Command::default()
//!     }],
//!     ..Program::default()
//! };
//! let model = CommandModel::new(program).unwrap();
//! let mut next = Successors::new(1);
//! model.stepper().all(&[1], &mut next).unwrap();
//! assert_eq!(next.state(0), [2]);
//! ```
//!
//! # The way of a program
//!
//! 1. `program`: what a language hands in, plain data.
//! 2. `fold`: what does not depend on the state is computed once.
//! 3. `cell_map`: each variable gets its slots.
//! 4. `analysis`: the dependency matrices and the guards; `analysis::followers` and `analysis::closure`
//!    where commands go on ([`Then`]).
//! 5. `code`: expressions and assignments as compact code, and the machine that runs it. What its operators
//!    compute is in `arithmetic`, what can fail in `fault`.
//! 6. `coded`: the results of 3 to 5 in one place, which everything below reads.
//! 7. `evaluator`: what runs single commands. `interpreter` is the one that says what fails; `compile` makes
//!    machine code, which asks the interpreter where it meets a fault.
//! 8. `going_on`: steps of several commands, on top of either evaluator.
//! 9. `separable`: which commands do what they do to each slot by itself.
//! 10. `waiting`: who waits for what where nothing is enabled, in the words of those who move.
//! 11. `command_model`: the model that comes out.

mod analysis;
mod arithmetic;
mod cell_map;
mod code;
mod coded;
mod command_model;
mod compile;
mod evaluator;
mod fault;
mod fold;
mod going_on;
mod interpreter;
mod program;
mod separable;
mod waiting;

pub use coded::BuildError;
pub use command_model::CommandModel;
pub use fold::constant;
pub use program::{
    Assign, At, BinaryOp, Command, Effect, Expr, LabelDef, MessageDef, Overflow, Place, Program, Step, Table,
    Then, UnaryOp, VarIx, Variable,
};
