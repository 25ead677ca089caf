//! Random numbers, each of a sort.

use super::maker::{Maker, Sort};
use super::values::{Value, ratio};

fn whole(text: String, value: i128) -> (String, Value) {
    (text, ratio(value, 1))
}

impl Maker {
    /// A number of this sort: its text, and what it is.
    pub fn any_number(&mut self, sort: Sort, depth: usize) -> (String, Value) {
        if depth == 0 {
            let value = self.below(7) as i128;
            return match sort {
                Sort::Pos => whole((value + 1).to_string(), value + 1),
                Sort::Int | Sort::Real if self.below(2) == 0 => whole(format!("(-{value})"), -value),
                _ => whole(value.to_string(), value),
            };
        }
        let depth = depth - 1;
        match (sort, self.below(10)) {
            (_, 0) => {
                let ((one, a, b), (other, c, d)) = (self.number(sort, depth), self.number(sort, depth));
                (format!("({one} + {other})"), ratio(a * d + c * b, b * d))
            }
            (_, 1) => {
                let ((one, a, b), (other, c, d)) = (self.number(sort, depth), self.number(sort, depth));
                (format!("({one} * {other})"), ratio(a * c, b * d))
            }
            (_, 2) => {
                let ((one, a, b), (other, c, d)) = (self.number(sort, depth), self.number(sort, depth));
                let less = a * d < c * b;
                match self.below(2) {
                    0 => (format!("max({one}, {other})"), if less { ratio(c, d) } else { ratio(a, b) }),
                    _ => (format!("min({one}, {other})"), if less { ratio(a, b) } else { ratio(c, d) }),
                }
            }
            (Sort::Pos, choice) => self.any_pos(choice, depth),
            (Sort::Nat, choice) => self.any_nat(choice, depth),
            (Sort::Int, choice) => self.any_int(choice, depth),
            (Sort::Real, choice) => self.any_real(choice, depth),
            _ => panic!("no number: {sort:?}"),
        }
    }

    /// By what only positive numbers have.
    fn any_pos(&mut self, choice: usize, depth: usize) -> (String, Value) {
        match choice {
            3..6 => {
                let (text, value) = self.whole(Sort::Nat, depth);
                whole(format!("succ({text})"), value + 1)
            }
            _ => self.expr(Sort::Pos, 0),
        }
    }

    /// By what gives natural numbers.
    fn any_nat(&mut self, choice: usize, depth: usize) -> (String, Value) {
        match choice {
            3 => {
                let ((one, a), (other, b)) = (self.whole(Sort::Int, depth), self.whole(Sort::Pos, depth));
                whole(format!("({one} mod {other})"), a.rem_euclid(b))
            }
            4 => {
                let (text, list) = self.list(depth);
                match list.len() {
                    0 => whole(format!("(# {text})"), 0),
                    length => {
                        let at = self.below(length);
                        match self.below(4) {
                            0 => whole(format!("head({text})"), list[0]),
                            1 => whole(format!("rhead({text})"), list[length - 1]),
                            2 => whole(format!("({text} . {at})"), list[at]),
                            _ => whole(format!("(# {text})"), length as i128),
                        }
                    }
                }
            }
            5 => {
                let ((text, bag), (one, element)) = (self.bag(depth), self.whole(Sort::Nat, depth));
                match self.below(2) {
                    0 => whole(format!("(# {text})"), bag.values().sum()),
                    _ => whole(format!("count({one}, {text})"), bag.get(&element).copied().unwrap_or(0)),
                }
            }
            6 => {
                let (text, _, members) = self.set(Sort::FiniteSet, depth);
                whole(format!("(# {text})"), members.len() as i128)
            }
            7 => {
                let (text, value) = self.whole(Sort::Int, depth);
                whole(format!("abs({text})"), value.abs())
            }
            8 => {
                let ((key, k), (value, v), (other, o)) =
                    (self.truth(depth), self.whole(Sort::Nat, depth), self.truth(depth));
                let plain = if o { 3 } else { 4 };
                whole(format!("f[{key} -> {value}]({other})"), if k == o { v } else { plain })
            }
            _ => {
                let ((one, a), (other, b)) = (self.whole(Sort::Nat, depth), self.whole(Sort::Nat, depth));
                match self.below(3) {
                    0 => whole(format!("(n + 2 * o whr n = {one}, o = {other} end)"), a + 2 * b),
                    1 => whole(format!("(lambda n: Nat, o: Nat. n * o + o)({one}, {other})"), a * b + b),
                    _ => whole(format!("Int2Nat(Nat2Int({one}))"), a),
                }
            }
        }
    }

    /// By what gives integers.
    fn any_int(&mut self, choice: usize, depth: usize) -> (String, Value) {
        match choice {
            3 | 4 => {
                let ((one, a), (other, b)) = (self.whole(Sort::Int, depth), self.whole(Sort::Int, depth));
                whole(format!("({one} - {other})"), a - b)
            }
            5 => {
                let ((one, a), (other, b)) = (self.whole(Sort::Int, depth), self.whole(Sort::Pos, depth));
                whole(format!("({one} div {other})"), a.div_euclid(b))
            }
            6 => {
                let (text, a, b) = self.number(Sort::Real, depth);
                match self.below(3) {
                    0 => whole(format!("floor({text})"), a.div_euclid(b)),
                    1 => whole(format!("ceil({text})"), -(-a).div_euclid(b)),
                    _ => whole(format!("round({text})"), (2 * a + b).div_euclid(2 * b)),
                }
            }
            7 => {
                let ((text, a), power) = (self.whole(Sort::Int, depth), self.below(4));
                whole(format!("exp({text}, {power})"), a.checked_pow(power as u32).unwrap_or(1 << 60))
            }
            8 => {
                let (text, a) = self.whole(Sort::Int, depth);
                match self.below(3) {
                    0 => whole(format!("succ({text})"), a + 1),
                    1 => whole(format!("pred({text})"), a - 1),
                    _ => whole(format!("(-{text})"), -a),
                }
            }
            _ => self.expr(Sort::Nat, depth),
        }
    }

    /// By what gives rational numbers.
    fn any_real(&mut self, choice: usize, depth: usize) -> (String, Value) {
        match choice {
            3 | 4 => {
                let ((one, a, b), (other, c, d)) =
                    (self.number(Sort::Real, depth), self.number(Sort::Real, depth));
                (format!("({one} - {other})"), ratio(a * d - c * b, b * d))
            }
            5 | 6 => {
                let ((one, a, b), (other, c, d)) =
                    (self.number(Sort::Real, depth), self.number(Sort::Real, depth));
                if c == 0 {
                    return (one, ratio(a, b));
                }
                (format!("({one} / {other})"), ratio(a * d, b * c))
            }
            7 => {
                let ((text, a, b), power) = (self.number(Sort::Real, depth), self.below(7) as i128 - 3);
                let times = |x: i128| x.checked_pow(power.unsigned_abs() as u32).unwrap_or(1 << 60);
                match power {
                    0.. => (format!("exp({text}, {power})"), ratio(times(a), times(b))),
                    _ if a == 0 => (text, ratio(0, 1)),
                    _ => (format!("exp({text}, {power})"), ratio(times(b), times(a))),
                }
            }
            _ => self.expr(Sort::Int, depth),
        }
    }
}
