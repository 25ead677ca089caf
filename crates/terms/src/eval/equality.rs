//! Equality and order, where the terms themselves do not tell: functions, sets that are not finite, sorts
//! with equations of their own for `==`, and terms that did not reduce.

use std::cmp::Ordering;

use super::Evaluator;
use crate::store::node::Shape;
use crate::term::is_node;
use crate::{EvalFault, FunIx, Op, Sort, SortIx};

/// Parts inside parts that are looked at one by one; deeper it cannot be told.
const MOST_DEPTH: u32 = 200;
/// Functions and infinite sets are compared on so many arguments at most.
const MOST_POINTS: u64 = 1 << 16;
/// Neither true nor false; no term is this.
const UNKNOWN: u32 = u32::MAX;

impl Evaluator<'_> {
    /// 1 if two terms are equal, 0 if they differ, anything else if that cannot be told.
    pub(crate) fn equal(&mut self, one: u32, other: u32, sort: SortIx) -> Result<u32, EvalFault> {
        self.equal_inside(one, other, sort, 1)
    }

    /// The same where the equations for `==` of this sort have been tried and none matched.
    pub(crate) fn equal_without_rules(
        &mut self,
        one: u32,
        other: u32,
        sort: SortIx,
    ) -> Result<u32, EvalFault> {
        self.equal_inside(one, other, sort, 0)
    }

    fn equal_inside(&mut self, one: u32, other: u32, sort: SortIx, depth: u32) -> Result<u32, EvalFault> {
        let data = self.data;
        if one == other {
            return Ok(1);
        }
        let decided = data.is_exact(one) && data.is_exact(other);
        if decided && data.plain[sort.ix()] {
            return Ok(0);
        }
        if depth > MOST_DEPTH {
            return Ok(UNKNOWN);
        }
        match data.spec.sorts.get(sort) {
            Sort::Bool => Ok(UNKNOWN),
            Sort::Pos | Sort::Nat | Sort::Int | Sort::Real => {
                let (left, right) = (self.bounds(one, 0), self.bounds(other, 0));
                if left.is_below(right) || right.is_below(left) {
                    return Ok(0);
                }
                Ok(self.order_of_polynomials(one, other).map_or(UNKNOWN, |order| u32::from(order.is_eq())))
            }
            &Sort::List(element) => {
                let (mut one, mut other, mut answer) = (one, other, 1);
                while one != other {
                    match (data.uncons(one), data.uncons(other)) {
                        (Some((head, tail)), Some((head2, tail2))) => {
                            match self.equal_inside(head, head2, element, depth + 1)? {
                                0 => return Ok(0),
                                1 => {}
                                _ => answer = UNKNOWN,
                            }
                            (one, other) = (tail, tail2);
                        }
                        (Some(_), None) if other == 0 => return Ok(0),
                        (None, Some(_)) if one == 0 => return Ok(0),
                        _ => return Ok(UNKNOWN),
                    }
                }
                Ok(answer)
            }
            Sort::User(_) => {
                if !data.plain[sort.ix()]
                    && let Some(number) = data.instance(Op::Equal, &[sort, sort], SortIx::BOOL)
                    && let Some(unit) = data.instances.get(number).own_rules()
                    && depth > 0
                {
                    return self.run_unit(unit, &[one, other]);
                }
                let (Some(position), Some(position2)) = (data.position(one), data.position(other)) else {
                    return Ok(UNKNOWN);
                };
                if position != position2 {
                    return Ok(0);
                }
                self.equal_parts(one, other, depth)
            }
            Sort::Function(arguments, result) => self.equal_functions(one, other, arguments, *result, depth),
            &(Sort::FSet(element) | Sort::Set(element)) => self.equal_sets(one, other, element, sort),
            &(Sort::FBag(element) | Sort::Bag(element)) => self.equal_sets(one, other, element, sort),
        }
    }

    fn equal_parts(&mut self, one: u32, other: u32, depth: u32) -> Result<u32, EvalFault> {
        let data = self.data;
        if !is_node(one) || !is_node(other) {
            return Ok(UNKNOWN);
        }
        let function = FunIx(data.store.header(one).number());
        let mut answer = 1;
        for (at, &sort) in data.spec.functions[function.ix()].arguments.iter().enumerate() {
            let (one, other) = (data.store.parts(one).get(at), data.store.parts(other).get(at));
            match self.equal_inside(one, other, sort, depth + 1)? {
                0 => return Ok(0),
                1 => {}
                _ => answer = UNKNOWN,
            }
        }
        Ok(answer)
    }

    /// Runs a unit with these arguments.
    pub(crate) fn run_unit(&mut self, unit: u32, arguments: &[u32]) -> Result<u32, EvalFault> {
        let at = self.top;
        self.reserve(at + arguments.len(), None)?;
        self.stack[at..at + arguments.len()].copy_from_slice(arguments);
        self.run(unit, at)
    }

    fn equal_functions(
        &mut self,
        one: u32,
        other: u32,
        arguments: &[SortIx],
        result: SortIx,
        depth: u32,
    ) -> Result<u32, EvalFault> {
        let data = self.data;
        let points =
            arguments.iter().try_fold(1_u64, |points, sort| points.checked_mul(data.sizes[sort.ix()]?));
        if let Some(points) = points
            && points <= MOST_POINTS
        {
            let sorts = arguments.to_vec();
            let mut answer = 1;
            for point in 0..points {
                let Some(arguments) = self.point(&sorts, point)? else { return Ok(UNKNOWN) };
                let (one, other) = (self.apply(one, &arguments)?, self.apply(other, &arguments)?);
                match self.equal_inside(one, other, result, depth + 1)? {
                    0 => return Ok(0),
                    1 => {}
                    _ => answer = UNKNOWN,
                }
            }
            return Ok(answer);
        }
        // Updates that change nothing are not there, so of one function different updates are different.
        let base = |term: u32| match data.store.header(term).shape() {
            Shape::Updated => data.store.parts(term).get(0),
            _ => term,
        };
        let exact = |term: u32| {
            base(term) == term || data.store.parts(term).iter().skip(1).all(|part| data.is_exact(part))
        };
        let same = base(one) == base(other) && exact(one) && exact(other);
        Ok(if same && data.plain[result.ix()] { 0 } else { UNKNOWN })
    }

    /// Argument number `point` of all there are, for arguments of finite sorts.
    fn point(&mut self, sorts: &[SortIx], point: u64) -> Result<Option<Vec<u32>>, EvalFault> {
        let mut arguments = Vec::with_capacity(sorts.len());
        let mut rest = point as usize;
        for &sort in sorts {
            let Some(elements) = self.data.elements_of(sort)? else { return Ok(None) };
            arguments.push(elements[rest % elements.len()]);
            rest /= elements.len();
        }
        Ok(Some(arguments))
    }

    fn equal_sets(&mut self, one: u32, other: u32, element: SortIx, sort: SortIx) -> Result<u32, EvalFault> {
        let data = self.data;
        let bag = matches!(data.spec.sorts.get(sort), Sort::Bag(_) | Sort::FBag(_));
        let (Some((function, except)), Some((function2, except2))) =
            (data.by_function(one), data.by_function(other))
        else {
            return Ok(UNKNOWN);
        };
        // Of what the functions are wrong for nothing is there in vain, so with one function the rest
        // decides.
        if function == function2 {
            let exact = data.is_exact(except) && data.is_exact(except2) && data.plain[element.ix()];
            return Ok(if exact { 0 } else { UNKNOWN });
        }
        if let Some(elements) = data.elements_of(element)? {
            let mut answer = 1;
            for &value in elements {
                let (in_one, in_other) = match bag {
                    true => (self.count(value, one)?, self.count(value, other)?),
                    false => (self.member(value, one, element)?, self.member(value, other, element)?),
                };
                match (in_one, in_other) {
                    (Some(one), Some(other)) if one == other => {}
                    (Some(one), Some(other)) if data.is_exact(one) && data.is_exact(other) => return Ok(0),
                    _ => answer = UNKNOWN,
                }
            }
            return Ok(answer);
        }
        // Almost everything on one side, almost nothing on the other.
        let constant = |function: u32| function == 0 || data.is_constant_function(function);
        if constant(function) && constant(function2) && data.sizes[element.ix()].is_none() {
            return Ok(0);
        }
        if !bag
            && let Some(one) = self.enumerated(one)?
            && let Some(other) = self.enumerated(other)?
            && data.is_exact(one)
            && data.is_exact(other)
            && data.plain[element.ix()]
        {
            return Ok(u32::from(one == other));
        }
        Ok(UNKNOWN)
    }

    /// Whether one is less than the other, or not greater if not `strict`.
    pub(crate) fn less(
        &mut self,
        one: u32,
        other: u32,
        sort: SortIx,
        strict: bool,
        depth: u32,
    ) -> Result<Option<bool>, EvalFault> {
        let data = self.data;
        if one == other {
            return Ok(Some(!strict));
        }
        let by = |order: Ordering| Ok(Some(order == Ordering::Less));
        match data.spec.sorts.get(sort) {
            Sort::Pos | Sort::Nat | Sort::Int | Sort::Real => {
                if data.is_exact(one) && data.is_exact(other) {
                    return by(data.numbers(one, other));
                }
                let (left, right) = (self.bounds(one, 0), self.bounds(other, 0));
                Ok(match strict {
                    true if left.is_below(right) => Some(true),
                    true if right.is_not_above(left) => Some(false),
                    false if left.is_not_above(right) => Some(true),
                    false if right.is_below(left) => Some(false),
                    _ => self
                        .order_of_polynomials(one, other)
                        .map(|order| order.is_lt() || !strict && order.is_eq()),
                })
            }
            Sort::Set(_) | Sort::FSet(_) | Sort::Bag(_) | Sort::FBag(_) => {
                self.included(one, other, sort, strict)
            }
            Sort::Function(..) | Sort::Bool => Ok(None),
            _ if depth > MOST_DEPTH => Ok(None),
            _ if data.total[sort.ix()] && data.is_exact(one) && data.is_exact(other) => {
                by(data.arrange(one, other))
            }
            &Sort::List(element) => match (data.uncons(one), data.uncons(other)) {
                (Some((head, tail)), Some((head2, tail2))) => match self.equal(head, head2, element)? {
                    1 => self.less(tail, tail2, sort, strict, depth + 1),
                    0 => self.less(head, head2, element, true, depth + 1),
                    _ => Ok(None),
                },
                (None, Some(_)) if one == 0 => Ok(Some(true)),
                (Some(_), None) if other == 0 => Ok(Some(false)),
                _ => Ok(None),
            },
            Sort::User(_) => {
                let (Some(position), Some(position2)) = (data.position(one), data.position(other)) else {
                    return Ok(None);
                };
                if position != position2 || !is_node(one) || !is_node(other) {
                    return Ok(Some(position < position2));
                }
                let function = FunIx(data.store.header(one).number());
                for (at, &sort) in data.spec.functions[function.ix()].arguments.iter().enumerate() {
                    let (one, other) = (data.store.parts(one).get(at), data.store.parts(other).get(at));
                    match self.equal(one, other, sort)? {
                        1 => {}
                        0 => return self.less(one, other, sort, true, depth + 1),
                        _ => return Ok(None),
                    }
                }
                Ok(Some(!strict))
            }
        }
    }
}
