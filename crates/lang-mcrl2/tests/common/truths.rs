//! Random conditions.

use super::maker::{Maker, Sort};
use super::values::Value;

fn truth(text: String, value: bool) -> (String, Value) {
    (text, Value::Truth(value))
}

impl Maker {
    /// A condition: its text, and whether it holds.
    pub fn any_truth(&mut self, depth: usize) -> (String, Value) {
        if depth == 0 {
            let value = self.below(2) == 0;
            return truth(value.to_string(), value);
        }
        let depth = depth - 1;
        match self.below(13) {
            0 => {
                let (text, value) = self.truth(depth);
                truth(format!("!{text}"), !value)
            }
            1 | 2 => {
                let ((one, x), (other, y)) = (self.truth(depth), self.truth(depth));
                match self.below(3) {
                    0 => truth(format!("({one} && {other})"), x && y),
                    1 => truth(format!("({one} || {other})"), x || y),
                    _ => truth(format!("({one} => {other})"), !x || y),
                }
            }
            3 => {
                let ((one, x), (list, all)) = (self.whole(Sort::Nat, depth), self.list(depth));
                truth(format!("({one} in {list})"), all.contains(&x))
            }
            4 => {
                let ((one, x), (set, all_but, members)) =
                    (self.whole(Sort::Nat, depth), self.set(Sort::Set, depth));
                truth(format!("({one} in {set})"), members.contains(&x) != all_but)
            }
            5 => {
                let (text, value) = self.expr(Sort::Struct, depth);
                truth(format!("is_b({text})"), matches!(value, Value::B(..)))
            }
            6 => {
                let ((list, all), (most, bound)) = (self.list(depth), self.whole(Sort::Nat, depth));
                match self.below(2) {
                    0 => truth(
                        format!("(exists n: Nat. n in {list} && n < {most})"),
                        all.iter().any(|&element| element < bound),
                    ),
                    _ => truth(
                        format!("(forall n: Nat. n in {list} => n < {most})"),
                        all.iter().all(|&element| element < bound),
                    ),
                }
            }
            7 => self.compared_sets(depth),
            8 => self.compared_bags(depth),
            _ => self.compared(depth),
        }
    }

    /// Two sets compared.
    fn compared_sets(&mut self, depth: usize) -> (String, Value) {
        // Whether sets given by conditions on infinitely many numbers are equal need not be told.
        let before = std::mem::replace(&mut self.by_condition, false);
        let ((one, a, x), (other, b, y)) = (self.set(Sort::Set, depth), self.set(Sort::Set, depth));
        self.by_condition = before;
        let within = match (a, b) {
            (false, false) => x.is_subset(&y),
            (false, true) => x.is_disjoint(&y),
            (true, false) => false,
            (true, true) => y.is_subset(&x),
        };
        let same = a == b && x == y;
        match self.below(4) {
            0 => truth(format!("({one} <= {other})"), within),
            1 => truth(format!("({one} < {other})"), within && !same),
            2 => truth(format!("({one} == {other})"), same),
            _ => truth(format!("({one} != {other})"), !same),
        }
    }

    /// Two finite bags compared.
    fn compared_bags(&mut self, depth: usize) -> (String, Value) {
        let ((one, x), (other, y)) = (self.bag(depth), self.bag(depth));
        let within = x.iter().all(|(element, count)| y.get(element).is_some_and(|most| count <= most));
        match self.below(3) {
            0 => truth(format!("({one} <= {other})"), within),
            1 => truth(format!("({one} > {other})"), {
                let within =
                    y.iter().all(|(element, count)| x.get(element).is_some_and(|most| count <= most));
                within && x != y
            }),
            _ => truth(format!("({one} == {other})"), x == y),
        }
    }

    /// Two values of one sort compared.
    fn compared(&mut self, depth: usize) -> (String, Value) {
        let sort = [Sort::Truth, Sort::Nat, Sort::Int, Sort::Real, Sort::List, Sort::Struct][self.below(6)];
        let ((one, x), (other, y)) = (self.expr(sort, depth), self.expr(sort, depth));
        let order = match (&x, &y) {
            (Value::Number(a, b), Value::Number(c, d)) => (a * d).cmp(&(c * b)),
            _ => x.cmp(&y),
        };
        let (sign, holds) = [
            ("==", order.is_eq()),
            ("!=", order.is_ne()),
            ("<", order.is_lt()),
            ("<=", order.is_le()),
            (">", order.is_gt()),
            (">=", order.is_ge()),
        ][self.below(6)];
        truth(format!("({one} {sign} {other})"), holds)
    }
}
