//! Constant folding: what does not depend on the state is computed once.
//!
//! An expression that always fails stays as it is, so that it fails where and when the model runs into it. A
//! value that is known to fit a range is not wrapped into it (`bounds`).

mod bounds;

use self::bounds::Bounds;
use crate::arithmetic::{apply, apply_unary, wrap};
use crate::program::{Assign, Command, Effect, Expr, Place, Program, UnaryOp};

/// The value of an expression that depends on no variable, if it has one.
pub fn constant(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Read(_) => None,
        Expr::Unary(op, operand) => Some(apply_unary(*op, constant(operand)?)),
        Expr::Binary(op, left, right, _) => apply(*op, constant(left)?, constant(right)?).ok(),
        Expr::And(left, right) => match constant(left)? {
            0 => Some(0),
            _ => Some(i64::from(constant(right)? != 0)),
        },
        Expr::Or(left, right) => match constant(left)? {
            0 => Some(i64::from(constant(right)? != 0)),
            _ => Some(1),
        },
        Expr::If(condition, then, otherwise) => {
            constant(if constant(condition)? != 0 { then } else { otherwise })
        }
        Expr::Disabled(guards) => disabled(guards),
        Expr::Table { table, index, .. } => table.cells.get(usize::try_from(constant(index)?).ok()?).copied(),
        Expr::Wrap { lo, hi, value } => Some(wrap(constant(value)?, *lo, *hi)),
    }
}

/// Whether one of the guards is constantly false, or all are constantly true.
fn disabled(guards: &[Expr]) -> Option<i64> {
    let values: Vec<Option<i64>> = guards.iter().map(constant).collect();
    if values.contains(&Some(0)) {
        return Some(1);
    }
    values.iter().all(Option::is_some).then_some(0)
}

/// The expression with its constant parts computed, and without what needs no wrapping.
fn fold(expr: Expr, bounds: &Bounds) -> Expr {
    let fold = |expr: Expr| fold(expr, bounds);
    let folded = match expr {
        Expr::Constant(_) => return expr,
        Expr::Read(place) => Expr::Read(fold_place(place, bounds)),
        Expr::Unary(op, operand) => match (op, fold(*operand)) {
            // Two negations of a truth value are none.
            (UnaryOp::Not, Expr::Unary(UnaryOp::Not, inner)) if is_truth(&inner) => *inner,
            (op, operand) => Expr::Unary(op, Box::new(operand)),
        },
        Expr::Binary(op, left, right, at) => {
            Expr::Binary(op, Box::new(fold(*left)), Box::new(fold(*right)), at)
        }
        Expr::And(left, right) => match (fold(*left), fold(*right)) {
            (Expr::Constant(0), _) => Expr::Constant(0),
            (Expr::Constant(_), right) if is_truth(&right) => right,
            (left, right) => left.and(right),
        },
        Expr::Or(left, right) => match (fold(*left), fold(*right)) {
            (Expr::Constant(0), right) if is_truth(&right) => right,
            (Expr::Constant(value), _) if value != 0 => Expr::Constant(1),
            (left, right) => left.or(right),
        },
        Expr::If(condition, then, otherwise) => match fold(*condition) {
            Expr::Constant(0) => return fold(*otherwise),
            Expr::Constant(_) => return fold(*then),
            condition => Expr::choice(condition, fold(*then), fold(*otherwise)),
        },
        Expr::Disabled(guards) => Expr::Disabled(guards.into_iter().map(fold).collect()),
        Expr::Table { table, index, at } => Expr::Table { table, index: Box::new(fold(*index)), at },
        Expr::Wrap { lo, hi, value } => match fold(*value) {
            value if bounds.fits(&value, lo, hi) => value,
            value => Expr::Wrap { lo, hi, value: Box::new(value) },
        },
    };
    constant(&folded).map_or(folded, Expr::Constant)
}

/// Whether the value is always 0 or 1.
fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::And(..) | Expr::Or(..) | Expr::Disabled(_) | Expr::Unary(UnaryOp::Not, _) => true,
        Expr::Binary(op, ..) => op.is_comparison(),
        Expr::Constant(value) => matches!(value, 0 | 1),
        Expr::If(_, then, otherwise) => is_truth(then) && is_truth(otherwise),
        _ => false,
    }
}

fn fold_place(place: Place, bounds: &Bounds) -> Place {
    Place { index: place.index.map(|index| Box::new(fold(*index, bounds))), ..place }
}

fn fold_command(command: Command, bounds: &Bounds) -> Command {
    // Split first: what folding makes a conjunction was none, and its parts still wait for each other.
    let guards = command.guards.into_iter().flat_map(Expr::conjuncts).map(|guard| fold(guard, bounds));
    // A guard that is always true says nothing.
    let guards = guards.filter(|guard| !matches!(guard, Expr::Constant(value) if *value != 0)).collect();
    let effect = match command.effect {
        Effect::Steps(steps) => Effect::Steps(
            steps
                .into_iter()
                .map(|step| {
                    step.into_iter()
                        .map(|assign| Assign {
                            target: fold_place(assign.target, bounds),
                            value: fold(assign.value, bounds),
                            at: assign.at,
                        })
                        .collect()
                })
                .collect(),
        ),
        fail @ Effect::Fail(..) => fail,
    };
    Command { guards, effect, ..command }
}

/// The program with its constant parts computed and its guards split into conjuncts.
pub(crate) fn fold_program(mut program: Program) -> Program {
    let bounds = Bounds::of(&program);
    program.commands = program.commands.into_iter().map(|command| fold_command(command, &bounds)).collect();
    for label in &mut program.labels {
        label.value = fold(std::mem::replace(&mut label.value, Expr::Constant(0)), &bounds);
    }
    program
}
