//! Expressions as text: for guards, whose names users read.

use super::{Expr, Place, Program, UnaryOp};

impl Program {
    /// The expression in the words of the source.
    pub(crate) fn show(&self, expr: &Expr) -> String {
        let mut text = String::new();
        self.write_expr(expr, 0, &mut text);
        text
    }

    /// How tightly the expression binds: text in a tighter place gets parentheses.
    fn write_expr(&self, expr: &Expr, tightness: u8, text: &mut String) {
        let own = match expr {
            Expr::Or(..) => 1,
            Expr::And(..) => 2,
            Expr::Binary(op, ..) => 3 + binary_tightness(op.symbol()),
            Expr::Unary(..) | Expr::Disabled(_) => 9,
            Expr::Constant(_) | Expr::Read(_) | Expr::Table { .. } | Expr::Wrap { .. } | Expr::If(..) => 10,
        };
        if own < tightness {
            text.push('(');
        }
        match expr {
            Expr::Constant(value) => *text += &value.to_string(),
            Expr::Read(place) => self.write_place(place, text),
            Expr::Unary(op, operand) => {
                *text += match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "not ",
                };
                self.write_expr(operand, 10, text);
            }
            Expr::Binary(op, left, right, _) => {
                if !self.write_location_test(op.symbol(), left, right, text) {
                    self.write_expr(left, own, text);
                    *text += &format!(" {} ", op.symbol());
                    self.write_expr(right, own + 1, text);
                }
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.write_expr(left, own, text);
                *text += if own == 1 { " or " } else { " and " };
                self.write_expr(right, own + 1, text);
            }
            Expr::Disabled(guards) => {
                *text += "not (";
                for (at, guard) in guards.iter().enumerate() {
                    *text += if at == 0 { "" } else { " and " };
                    self.write_expr(guard, 3, text);
                }
                text.push(')');
            }
            Expr::If(condition, then, otherwise) => {
                text.push('(');
                self.write_expr(condition, 1, text);
                *text += " -> ";
                self.write_expr(then, 1, text);
                *text += " : ";
                self.write_expr(otherwise, 1, text);
                text.push(')');
            }
            Expr::Table { table, index, .. } => {
                *text += &table.name;
                text.push('[');
                self.write_expr(index, 0, text);
                text.push(']');
            }
            Expr::Wrap { value, .. } => self.write_expr(value, tightness, text),
        }
        if own < tightness {
            text.push(')');
        }
    }

    /// `P == NCS` instead of `P == 0`, where the variable's values have names.
    fn write_location_test(&self, symbol: &str, left: &Expr, right: &Expr, text: &mut String) -> bool {
        let (Expr::Read(place), Expr::Constant(value)) = (left, right) else { return false };
        let ty = &self.types[self.variables[place.variable.0 as usize].ty.ix()];
        let model::Domain::Names(names) = &ty.domain else { return false };
        let Some(name) = usize::try_from(*value).ok().and_then(|at| names.get(at)) else { return false };
        self.write_place(place, text);
        *text += &format!(" {symbol} {name}");
        true
    }

    fn write_place(&self, place: &Place, text: &mut String) {
        *text += &self.variables[place.variable.0 as usize].name;
        if let Some(index) = &place.index {
            text.push('[');
            self.write_expr(index, 0, text);
            text.push(']');
        }
    }
}

fn binary_tightness(symbol: &str) -> u8 {
    match symbol {
        "&" | "|" | "^" => 0,
        "==" | "!=" => 1,
        "<" | "<=" | ">" | ">=" => 2,
        "<<" | ">>" => 3,
        "+" | "-" => 4,
        _ => 5,
    }
}
