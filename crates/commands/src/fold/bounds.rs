//! Bounds of expressions: between which numbers a value lies, from the types of variables.
//!
//! Languages that cut every intermediate result to 32 bits write [`Expr::Wrap`] around each of them. Most of
//! these are sums of small numbers and never need it, and folding leaves those out. Example: with `x` and
//! `y` in 0 to 255, `x + y` lies in 0 to 510 and needs no wrapping to 32 bits.

use model::Domain;

use crate::program::{BinaryOp, Expr, Program, UnaryOp};

/// Least and greatest number that can be.
pub(crate) type Range = (i64, i64);

/// What the variables of a program can hold.
pub(crate) struct Bounds(Vec<Range>);

const TRUTH: Range = (0, 1);
/// What a slot can hold at all.
const HELD: Range = (i32::MIN as i64, i32::MAX as i64);

impl Bounds {
    /// The types of variables, and their initial values, which nobody has checked against them.
    pub fn of(program: &Program) -> Self {
        let ranges = program.variables.iter().map(|variable| {
            let range = match &program.types[variable.ty.ix()].domain {
                Domain::Range { lo, hi } => (i64::from(*lo), i64::from(*hi)),
                Domain::Names(names) => (0, names.len() as i64 - 1),
                Domain::Interned(_) | Domain::Shown(_) => HELD,
            };
            // What no initial value is given for is zero.
            let all_given = variable.initial.len() >= variable.length.unwrap_or(1) && !variable.scratch;
            let initial =
                variable.initial.iter().map(|&value| i64::from(value)).chain((!all_given).then_some(0));
            initial.fold(range, |range, value| hull(range, (value, value)))
        });
        Self(ranges.collect())
    }

    /// Between which numbers the value lies if there is one; `None` if that is not known.
    pub fn range(&self, expr: &Expr) -> Option<Range> {
        match expr {
            Expr::Constant(value) => Some((*value, *value)),
            Expr::Read(place) => Some(self.0[place.variable.0 as usize]),
            Expr::Unary(UnaryOp::Not, _) | Expr::And(..) | Expr::Or(..) | Expr::Disabled(_) => Some(TRUTH),
            Expr::Unary(UnaryOp::Negate, operand) => {
                let (lo, hi) = self.range(operand)?;
                Some((hi.checked_neg()?, lo.checked_neg()?))
            }
            Expr::Unary(UnaryOp::BitNot, operand) => self.range(operand).map(|(lo, hi)| (!hi, !lo)),
            Expr::Binary(op, ..) if op.is_comparison() => Some(TRUTH),
            Expr::Binary(op, left, right, _) => binary(*op, self.range(left), self.range(right)),
            Expr::If(_, then, otherwise) => Some(hull(self.range(then)?, self.range(otherwise)?)),
            Expr::Table { table, .. } => {
                let cells = || table.cells.iter().copied();
                cells().min().zip(cells().max())
            }
            Expr::Wrap { lo, hi, .. } => Some((*lo, *hi)),
        }
    }

    /// Whether every value that the expression can have lies between these.
    pub fn fits(&self, expr: &Expr, lo: i64, hi: i64) -> bool {
        self.range(expr).is_some_and(|(least, most)| lo <= least && most <= hi)
    }
}

fn hull(one: Range, other: Range) -> Range {
    (one.0.min(other.0), one.1.max(other.1))
}

fn binary(op: BinaryOp, left: Option<Range>, right: Option<Range>) -> Option<Range> {
    // Of a mask and a remainder one side is enough.
    match (op, left, right) {
        (BinaryOp::BitAnd, ..) => {
            let masks = left.into_iter().chain(right).filter(|&(lo, _)| lo >= 0);
            return masks.map(|(_, hi)| hi).min().map(|hi| (0, hi));
        }
        (BinaryOp::Mod, _, Some((lo, hi))) if lo > 0 => {
            let least = if left.is_some_and(|(lo, _)| lo >= 0) { 0 } else { 1 - hi };
            let most = if left.is_some_and(|(_, hi)| hi <= 0) { 0 } else { hi - 1 };
            return Some((least, most));
        }
        _ => {}
    }
    let ((a, b), (c, d)) = (left?, right?);
    match op {
        BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        BinaryOp::Mul => {
            let products = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            products.iter().copied().min().zip(products.iter().copied().max())
        }
        BinaryOp::Div if c > 0 => {
            let quotients = [a / c, a / d, b / c, b / d];
            quotients.iter().copied().min().zip(quotients.iter().copied().max())
        }
        BinaryOp::BitOr | BinaryOp::BitXor if a >= 0 && c >= 0 => {
            // No bit above the highest of both.
            Some((0, i64::MAX >> ((b | d).leading_zeros() - 1)))
        }
        BinaryOp::Shr if a >= 0 && c >= 0 => Some((0, b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use base::{SplitMix64, TypeIx};
    use model::{SlotRole, Type};

    use super::*;
    use crate::fold::constant;
    use crate::program::{Overflow, VarIx, Variable};

    const RANGES: [Range; 3] = [(0, 3), (-2, 1), (1, 2)];

    fn program() -> Program {
        let variable = |number: usize| Variable {
            name: format!("v{number}"),
            ty: TypeIx::new(number),
            length: None,
            initial: vec![1],
            overflow: Overflow::Error,
            scratch: false,
            role: SlotRole::Variable,
            span: None,
        };
        Program {
            types: RANGES.iter().map(|&(lo, hi)| Type::range("t", lo as i32, hi as i32)).collect(),
            variables: (0..RANGES.len()).map(variable).collect(),
            ..Program::default()
        }
    }

    fn expr(random: &mut SplitMix64, depth: usize) -> Expr {
        use BinaryOp::*;
        if depth == 0 {
            return match random.below(3) {
                0 => Expr::Constant([-3, 0, 1, 2, 5, i64::MAX, i64::MIN][random.below(7)]),
                _ => Expr::variable(VarIx(random.below(RANGES.len()) as u32)),
            };
        }
        let mut inner = || Box::new(expr(random, depth - 1));
        let (one, two, three) = (inner(), inner(), inner());
        match random.below(12) {
            0 => Expr::Unary([UnaryOp::Negate, UnaryOp::BitNot, UnaryOp::Not][random.below(3)], one),
            1 => Expr::If(one, two, three),
            2 => Expr::Wrap { lo: -4, hi: 3, value: one },
            3 => Expr::And(one, two),
            _ => {
                let ops = [Add, Sub, Mul, Div, Mod, BitAnd, BitOr, BitXor, Shl, Shr, Lt, Eq];
                Expr::binary(ops[random.below(ops.len())], *one, *two)
            }
        }
    }

    /// The expression with values for its variables.
    fn with(expr: &Expr, values: &[i64]) -> Expr {
        let inner = |expr: &Expr| Box::new(with(expr, values));
        match expr {
            Expr::Read(place) => Expr::Constant(values[place.variable.0 as usize]),
            Expr::Unary(op, operand) => Expr::Unary(*op, inner(operand)),
            Expr::Binary(op, left, right, at) => Expr::Binary(*op, inner(left), inner(right), *at),
            Expr::And(left, right) => Expr::And(inner(left), inner(right)),
            Expr::If(condition, then, otherwise) => Expr::If(inner(condition), inner(then), inner(otherwise)),
            Expr::Wrap { lo, hi, value } => Expr::Wrap { lo: *lo, hi: *hi, value: inner(value) },
            other => other.clone(),
        }
    }

    #[test]
    fn no_value_lies_outside_the_bounds() {
        let bounds = Bounds::of(&program());
        let mut random = toys::seeded();
        let mut known = 0;
        for number in 0..20_000 {
            let expr = expr(&mut random, 1 + number % 3);
            let Some((lo, hi)) = bounds.range(&expr) else { continue };
            known += 1;
            for values in 0..4 * 4 * 2 {
                let values = [values % 4, values / 4 % 4 - 2, values / 16 + 1];
                if let Some(value) = constant(&with(&expr, &values)) {
                    assert!(
                        (lo..=hi).contains(&value),
                        "{expr:?} is {value} for {values:?}, not in {lo}..={hi}"
                    );
                }
            }
        }
        assert!(known > 5000, "{known}");
    }

    #[test]
    fn bounds_of_small_numbers_are_tight() {
        let bounds = Bounds::of(&program());
        let (x, y) = (|| Expr::variable(VarIx(0)), || Expr::variable(VarIx(1)));
        let of = |op, left, right| bounds.range(&Expr::binary(op, left, right));
        assert_eq!(of(BinaryOp::Add, x(), y()), Some((-2, 4)));
        assert_eq!(of(BinaryOp::Mul, x(), y()), Some((-6, 3)));
        assert_eq!(of(BinaryOp::Mod, y(), Expr::Constant(5)), Some((-4, 4)));
        assert_eq!(of(BinaryOp::BitOr, x(), Expr::Constant(4)), Some((0, 7)));
        assert_eq!(of(BinaryOp::Add, x(), Expr::Constant(i64::MAX)), None);
    }

    #[test]
    fn what_was_initially_outside_its_type_counts() {
        let mut program = program();
        program.variables[0].initial = vec![77];
        assert_eq!(Bounds::of(&program).range(&Expr::variable(VarIx(0))), Some((0, 77)));
    }
}
