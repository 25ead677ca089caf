//! Random programs: all operators and kinds of variables, with values on the edges of what is allowed.

use std::sync::Arc;

use base::{Span, SplitMix64, TypeIx};
use commands::{
    Assign, At, BinaryOp, Command, Effect, Expr, LabelDef, Overflow, Place, Program, Step, Table, Then,
    UnaryOp, VarIx, Variable,
};
use model::{EvalErrorKind, LabelKind, SlotRole, Type, Value};

/// A variable of a random program: how many cells, its least and greatest value, whether it wraps, whether it
/// is scratch.
const VARIABLES: [(Option<usize>, i32, i32, Overflow, bool); 9] = [
    (None, 0, 3, Overflow::Error, false),
    (None, -2, 1, Overflow::Wrap, false),
    (Some(3), 0, 3, Overflow::Error, false),
    (None, 0, 255, Overflow::Wrap, false),
    (Some(2), -3, 2, Overflow::Wrap, false),
    (None, i32::MIN, i32::MAX, Overflow::Error, false),
    (None, -3, 3, Overflow::Wrap, true),
    (Some(3), -100, 99, Overflow::Error, true),
    // A state of more than 64 slots, and of more than the builder copies without a loop, where `wide` says
    // so.
    (Some(70), 0, 4, Overflow::Error, false),
];

pub struct Generator<'r> {
    pub random: &'r mut SplitMix64,
    pub variables: usize,
    pub table: Arc<Table>,
    pub spans: usize,
}

impl Generator<'_> {
    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.random.below(items.len())]
    }

    /// A place in the source, another one each time: errors must point at the same.
    fn at(&mut self) -> At {
        self.spans += 1;
        At(Some(Span::new(self.spans, self.spans + 1)))
    }

    fn place(&mut self, depth: usize, scratch: bool) -> Place {
        let fits: Vec<usize> = (0..self.variables).filter(|&v| scratch || !VARIABLES[v].4).collect();
        let variable = self.of(&fits);
        let index = VARIABLES[variable].0.map(|length| {
            Box::new(match self.random.below(4) {
                0 => Expr::Constant(self.random.below(length + 1) as i64),
                1 => Expr::variable(VarIx(self.of(&[0, 1, 3]))),
                _ => self.expr(depth.min(1), scratch),
            })
        });
        Place { variable: VarIx(variable as u32), index, at: self.at() }
    }

    fn expr(&mut self, depth: usize, scratch: bool) -> Expr {
        use BinaryOp::*;
        if depth == 0 || self.random.one_in(4) {
            return match self.random.below(3) {
                0 => Expr::Constant(self.of(&[-2, -1, 0, 1, 2, 3, 4, 63, 64, 255, 1 << 40, i64::MIN])),
                _ => Expr::Read(self.place(0, scratch)),
            };
        }
        let below = depth - 1;
        let inner = |g: &mut Self| Box::new(g.expr(below, scratch));
        match self.random.below(15) {
            7 => Expr::choice(*inner(self), *inner(self), *inner(self)),
            0 => Expr::And(inner(self), inner(self)),
            1 => Expr::Or(inner(self), inner(self)),
            2 => Expr::Unary(self.of(&[UnaryOp::Not, UnaryOp::Negate, UnaryOp::BitNot]), inner(self)),
            3 => Expr::Disabled((0..self.random.below(4)).map(|_| self.expr(below, scratch)).collect()),
            4 => Expr::Table { table: Arc::clone(&self.table), index: inner(self), at: self.at() },
            5 => {
                let ranges = [
                    (-2, 3),
                    (0, 255),
                    (-32768, 32767),
                    (5, 5),
                    (i64::MIN, i64::MAX),
                    (-7, 1 << 62),
                    (1, 1 << 61),
                ];
                let (lo, hi) = self.of(&ranges);
                Expr::Wrap { lo, hi, value: inner(self) }
            }
            6 => Expr::Read(self.place(below, scratch)),
            _ => {
                let op = self.of(&[
                    Add, Sub, Mul, Div, Mod, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge, Eq, Ne,
                    Lt, Add,
                ]);
                let at = self.at();
                Expr::Binary(op, inner(self), inner(self), at)
            }
        }
    }

    fn guards(&mut self) -> Vec<Expr> {
        let count = self.random.below(4);
        let mut guards: Vec<Expr> = (0..count).map(|_| self.expr(2, false)).collect();
        // Most commands ask where something stands.
        for _ in 0..self.random.below(3) {
            let slot = Expr::variable(VarIx(self.of(&[0, 1, 3])));
            let value = Expr::Constant(self.random.below(4) as i64);
            let at = self.random.below(guards.len() + 1);
            guards
                .insert(at, Expr::binary(self.of(&[BinaryOp::Eq, BinaryOp::Eq, BinaryOp::Ne]), slot, value));
        }
        guards
    }

    /// Scratch means something only after it was assigned.
    fn steps(&mut self) -> Vec<Step> {
        let mut first = vec![Assign::new(Place::single(VarIx(6)), Expr::Constant(2))];
        first.extend(
            (0..3).map(|at| Assign::new(Place::cell(VarIx(7), Expr::Constant(at)), Expr::Constant(at * 5))),
        );
        let mut steps = vec![first];
        for _ in 0..self.random.below(4) {
            let assigns = (0..1 + self.random.below(3)).map(|_| {
                let (target, value) = (self.place(1, true), self.expr(2, true));
                Assign { target, value, at: self.at() }
            });
            steps.push(assigns.collect());
        }
        steps
    }

    /// Commands behind this one: paths end, and there are not too many.
    fn then(&mut self, number: usize, count: usize) -> Then {
        let mut next: Vec<u32> =
            (number as u32 + 1..count as u32).filter(|_| self.random.one_in(2)).collect();
        next.truncate(4);
        match self.random.below(4) {
            0 | 1 => Then::Rest,
            2 => Then::All(next),
            _ => Then::First(next),
        }
    }

    pub fn program(&mut self) -> Program {
        let variables = VARIABLES[..self.variables].iter().enumerate().map(|(number, v)| Variable {
            name: format!("v{number}"),
            ty: TypeIx::new(number),
            length: v.0,
            initial: Vec::new(),
            overflow: v.3,
            scratch: v.4,
            role: SlotRole::Variable,
            span: None,
        });
        let variables = variables.collect();
        let count = 1 + self.random.below(8);
        let outer = 1 + self.random.below(count);
        let commands = (0..count).map(|number| Command {
            name: format!("c{number}"),
            action: format!("a{}", number % 3),
            guards: self.guards(),
            effect: if self.random.one_in(8) {
                Effect::Fail(EvalErrorKind::Other(format!("c{number} fails")), self.at())
            } else {
                Effect::Steps(self.steps())
            },
            then: self.then(number, count),
            inner: number >= outer,
            alarm: self.random.one_in(5),
            ..Command::default()
        });
        let commands = commands.collect();
        let labels = (0..2).map(|number| LabelDef {
            name: format!("l{number}"),
            kind: LabelKind::Plain,
            value: self.expr(3, false),
            span: None,
        });
        Program {
            name: "random".into(),
            types: VARIABLES.iter().map(|v| Type::range("t", v.1, v.2)).collect(),
            variables,
            commands,
            labels: labels.collect(),
            source: None,
        }
    }

    /// A state, most slots within their ranges, some a little outside.
    pub fn state(&mut self) -> Vec<Value> {
        let cells =
            VARIABLES[..self.variables].iter().filter(|v| !v.4).flat_map(|v| vec![*v; v.0.unwrap_or(1)]);
        let cells: Vec<_> = cells.collect();
        let value = |v: (Option<usize>, i32, i32, Overflow, bool)| {
            let inside = v.1.wrapping_add(self.random.below(6) as i32).clamp(v.1, v.2);
            match self.random.below(30) {
                0 => v.2.wrapping_add(1),
                1 => v.1.wrapping_sub(1),
                2 => self.of(&[i32::MIN, i32::MAX, -1, 70_000]),
                _ if v.1 == i32::MIN => self.random.below(9) as i32 - 4,
                _ => inside,
            }
            .cast_unsigned()
        };
        cells.into_iter().map(value).collect()
    }
}
