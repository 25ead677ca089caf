//! The functions on bags. What differs from sets is that elements are there several times.

use super::Evaluator;
use super::sets::merge;
use crate::store::node::Combinator;
use crate::{EvalFault, Op, SortIx};

impl Evaluator<'_> {
    /// How often a bag has an element.
    pub(crate) fn count(&mut self, element: u32, bag: u32) -> Result<Option<u32>, EvalFault> {
        let Some((function, except)) = self.data.by_function(bag) else { return Ok(None) };
        if self.data.is_open(element) && except != 0 {
            return Ok(None);
        }
        let by = self.at(function, element)?;
        Ok(match self.data.find(except, 2, element) {
            None => Some(by),
            Some(_) if self.data.is_open(by) => None,
            Some(at) => {
                let said = self.data.store.parts(except).get(2 * at + 1);
                Some(if said == by { 0 } else { said })
            }
        })
    }

    pub(crate) fn bag_of(&mut self, pairs: &[u32]) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        if pairs.iter().any(|&part| data.is_open(part)) {
            return Ok(None);
        }
        let mut bag: Vec<u32> = Vec::with_capacity(pairs.len());
        for pair in pairs.chunks_exact(2).filter(|pair| pair[1] != 0) {
            match data.search(&bag, 2, pair[0]) {
                Ok(at) => {
                    let sum =
                        self.op_of(Op::Plus, &[SortIx::NAT; 2], SortIx::NAT, &[bag[2 * at + 1], pair[1]])?;
                    bag[2 * at + 1] = sum;
                }
                Err(at) => {
                    bag.splice(2 * at..2 * at, [pair[0], pair[1]]);
                }
            }
        }
        Ok(Some(data.sorted_bag(&mut self.recent, &bag)?))
    }

    /// The set of what a bag has.
    pub(crate) fn support(&mut self, bag: u32) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        let Some((function, except)) = data.by_function(bag) else { return Ok(None) };
        let positive = self.combine(Combinator::Positive, function, 0)?;
        let mut kept = Vec::new();
        for pair in data.row(except).chunks_exact(2) {
            let by = self.at(function, pair[0])?;
            if data.is_open(by) {
                return Ok(None);
            }
            let count = if by == pair[1] { 0 } else { pair[1] };
            if (count != 0) != (by != 0) {
                kept.push(pair[0]);
            }
        }
        let kept = data.sorted_set(&mut self.recent, &kept)?;
        self.build(positive, kept, false).map(Some)
    }

    pub(crate) fn join_bags(&mut self, op: Op, one: u32, other: u32) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        let (Some((function, except)), Some((function2, except2))) =
            (data.by_function(one), data.by_function(other))
        else {
            return Ok(None);
        };
        let made = match op {
            Op::Union => Combinator::Add,
            Op::Intersection => Combinator::Min,
            _ => Combinator::Monus,
        };
        let joined = self.combine(made, function, function2)?;
        let mut kept = Vec::new();
        for (element, said, said2) in merge(data, &data.row(except), &data.row(except2), 2) {
            let (by, by2) = (self.at(function, element)?, self.at(function2, element)?);
            if data.is_open(by) || data.is_open(by2) {
                return Ok(None);
            }
            let count = |by: u32, said: Option<u32>| match said {
                None => by,
                Some(said) if said == by => 0,
                Some(said) => said,
            };
            let all = self.add_up(made, count(by, said), count(by2, said2))?;
            let without = self.add_up(made, by, by2)?;
            match () {
                () if all == without => {}
                // That it is not there at all is said by the number that the function has.
                () if all == 0 => kept.extend([element, without]),
                () => kept.extend([element, all]),
            }
        }
        let kept = data.sorted_bag(&mut self.recent, &kept)?;
        self.build(joined, kept, true).map(Some)
    }

    fn add_up(&mut self, made: Combinator, one: u32, other: u32) -> Result<u32, EvalFault> {
        let sorts = [SortIx::NAT; 2];
        match made {
            Combinator::Add => self.op_of(Op::Plus, &sorts, SortIx::NAT, &[one, other]),
            Combinator::Min => self.op_of(Op::Min, &sorts, SortIx::NAT, &[one, other]),
            _ => match self.data.numbers(one, other) {
                std::cmp::Ordering::Greater => self.op_of(Op::Minus, &sorts, SortIx::INT, &[one, other]),
                _ => Ok(0),
            },
        }
    }
}
