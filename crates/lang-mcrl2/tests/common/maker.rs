//! Random expressions, each with its value: what they have in common.

use std::collections::{BTreeMap, BTreeSet};

use base::SplitMix64;

use super::values::{Value, ratio};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Truth,
    Pos,
    Nat,
    Int,
    Real,
    List,
    FiniteSet,
    Set,
    Bag,
    Struct,
}

pub struct Maker {
    pub random: SplitMix64,
    /// Whether sets are given by conditions, too.
    pub by_condition: bool,
}

impl Maker {
    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// A number of this sort or a smaller one: its text and what it is.
    pub fn number(&mut self, sort: Sort, depth: usize) -> (String, i128, i128) {
        let (text, Value::Number(over, under)) = self.expr(sort, depth) else { panic!("{sort:?}") };
        (text, over, under)
    }

    pub fn whole(&mut self, sort: Sort, depth: usize) -> (String, i128) {
        let (text, over, under) = self.number(sort, depth);
        assert_eq!(under, 1);
        (text, over)
    }

    pub fn truth(&mut self, depth: usize) -> (String, bool) {
        let (text, Value::Truth(value)) = self.expr(Sort::Truth, depth) else { panic!() };
        (text, value)
    }

    pub fn list(&mut self, depth: usize) -> (String, Vec<i128>) {
        let (text, Value::List(list)) = self.expr(Sort::List, depth) else { panic!() };
        (text, list)
    }

    pub fn set(&mut self, sort: Sort, depth: usize) -> (String, bool, BTreeSet<i128>) {
        let (text, Value::Set { all_but, members }) = self.expr(sort, depth) else { panic!() };
        (text, all_but, members)
    }

    pub fn bag(&mut self, depth: usize) -> (String, BTreeMap<i128, i128>) {
        let (text, Value::Bag(bag)) = self.expr(Sort::Bag, depth) else { panic!() };
        (text, bag)
    }

    pub fn expr(&mut self, sort: Sort, depth: usize) -> (String, Value) {
        // Any sort has `if`.
        if depth > 0 && self.below(12) == 0 {
            let (condition, truth) = self.truth(depth - 1);
            let (yes, no) = (self.expr(sort, depth - 1), self.expr(sort, depth - 1));
            return (format!("if({condition}, {}, {})", yes.0, no.0), if truth { yes.1 } else { no.1 });
        }
        let made = match sort {
            Sort::Truth => self.any_truth(depth),
            Sort::Pos | Sort::Nat | Sort::Int | Sort::Real => self.any_number(sort, depth),
            Sort::List => self.any_list(depth),
            Sort::FiniteSet | Sort::Set => self.any_set(sort, depth),
            Sort::Bag => self.any_bag(depth),
            Sort::Struct => self.any_struct(depth),
        };
        // What would not fit is left out.
        match made {
            (_, Value::Number(over, under)) if over.abs() > 1 << 40 || under > 1 << 40 => {
                ("1".into(), ratio(1, 1))
            }
            made => made,
        }
    }
}
