//! The functions on sets: see `data/sets.rs` for what a set is.

use super::Evaluator;
use super::lists::ELEMENTS_OF_A_STEP;
use crate::code::Instance;
use crate::data::NOWHERE;
use crate::store::node::{Combinator, Shape};
use crate::term::is_node;
use crate::{Data, EvalFault, Op, Sort, SortIx, Term};

/// Elements of a set given by a condition that are looked for when it is compared with another.
const MOST_ENUMERATED: usize = 1 << 16;

impl Evaluator<'_> {
    /// What a function of a set or bag comes to.
    pub(crate) fn at(&mut self, function: u32, element: u32) -> Result<u32, EvalFault> {
        match function {
            NOWHERE => Ok(0),
            _ => self.apply(function, &[element]),
        }
    }

    /// Whether a set has an element: 0 or 1, or what does not reduce; `None` if the set itself is not known.
    pub(crate) fn member(&mut self, element: u32, set: u32, sort: SortIx) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        let Some((function, except)) = data.by_function(set) else { return Ok(None) };
        let mut found = data.find(except, 1, element).is_some();
        // What is written differently may still be equal.
        if !found
            && except != 0
            && !(data.is_exact(element) && data.is_exact(except) && data.plain[sort.ix()])
        {
            match self.any_equal(element, &data.row(except), sort)? {
                Some(known) => found = known == 1,
                None => return Ok(None),
            }
        }
        let by = self.at(function, element)?;
        Ok(match (by, found) {
            (0 | 1, _) => Some(u32::from((by == 1) != found)),
            (_, false) => Some(by),
            _ => None,
        })
    }

    /// The elements of a set that is given by a condition, if there are finitely many and they can be found.
    pub(crate) fn enumerated(&mut self, set: u32) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        let Some((function, except)) = data.by_function(set) else { return Ok(None) };
        if function == NOWHERE {
            return Ok(Some(except));
        }
        let head = data.store.header(function);
        if head.shape() != Shape::Closure || data.is_open(function) {
            return Ok(None);
        }
        let site = data.closures.get(head.number());
        let (Some(sum), [_]) = (site.sum.get_or_init(|| data.members(site)), &site.vars[..]) else {
            return Ok(None);
        };
        let mut env: Vec<Term> = data.store.parts(function).iter().map(Term).collect();
        let place = env.len();
        env.resize(sum.len, Term(0));
        let mut elements = Vec::new();
        let mut each = |_: &mut Self, env: &[Term]| {
            elements.push(env[place].0);
            if elements.len() > MOST_ENUMERATED { Err(EvalFault::Stopped) } else { Ok(()) }
        };
        match self.solve(sum, &mut env, &mut each) {
            Ok(()) => {}
            Err(EvalFault::Unbounded { .. } | EvalFault::Undecided(_) | EvalFault::Stopped) => {
                return Ok(None);
            }
            Err(fault) => return Err(fault),
        }
        let all = data.set(&mut self.recent, elements)?;
        let kept: Vec<u32> = merge(data, &data.row(all), &data.row(except), 1)
            .into_iter()
            .filter(|(_, by, except)| by.is_some() != except.is_some())
            .map(|(element, ..)| element)
            .collect();
        Ok(Some(data.sorted_set(&mut self.recent, &kept)?))
    }

    pub(crate) fn build(&mut self, function: u32, except: u32, bag: bool) -> Result<u32, EvalFault> {
        match function {
            NOWHERE => Ok(except),
            _ => self.by(function, except, bag),
        }
    }

    /// A function made of one or two; simpler where one is constant.
    pub(crate) fn combine(&mut self, made: Combinator, one: u32, other: u32) -> Result<u32, EvalFault> {
        let data = self.data;
        let (everywhere, once) = (data.is_made(one, Combinator::True), data.is_made(one, Combinator::One));
        Ok(match made {
            Combinator::Not if one == NOWHERE => self.made(Combinator::True, &[])?,
            Combinator::Not if everywhere => NOWHERE,
            Combinator::Not if data.is_made(one, Combinator::Not) => data.store.part(one, 0),
            Combinator::Positive | Combinator::Indicator if one == NOWHERE => NOWHERE,
            Combinator::Positive if once => self.made(Combinator::True, &[])?,
            Combinator::Indicator if everywhere => self.made(Combinator::One, &[])?,
            Combinator::Not | Combinator::Positive | Combinator::Indicator => self.made(made, &[one])?,
            Combinator::And | Combinator::Or | Combinator::Min if one == other => one,
            Combinator::And | Combinator::Min if one == NOWHERE || other == NOWHERE => NOWHERE,
            Combinator::And if everywhere => other,
            Combinator::And if data.is_made(other, Combinator::True) => one,
            Combinator::Or if everywhere => one,
            Combinator::Or if data.is_made(other, Combinator::True) => other,
            Combinator::Or | Combinator::Add if one == NOWHERE => other,
            Combinator::Or | Combinator::Add | Combinator::Monus if other == NOWHERE => one,
            Combinator::Monus if one == other || one == NOWHERE => NOWHERE,
            _ => self.made(made, &[one, other])?,
        })
    }

    pub(crate) fn set_op(
        &mut self,
        instance: &Instance,
        arguments: &[u32],
    ) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        let last = instance.arguments.last().copied();
        let bag = last.is_some_and(|sort| matches!(data.spec.sorts.get(sort), Sort::Bag(_) | Sort::FBag(_)));
        match (instance.op, arguments) {
            (Op::SetOf, elements) => match elements.iter().any(|&element| data.is_open(element)) {
                true => Ok(None),
                false => Ok(Some(data.set(&mut self.recent, elements.to_vec())?)),
            },
            (Op::BagOf, pairs) => self.bag_of(pairs),
            (Op::Widen, &[one]) => Ok(Some(one)),
            (Op::In, &[element, set]) if !bag => match self.member(element, set, instance.arguments[0])? {
                Some(known) => Ok(Some(known)),
                None => self.open_member(element, set, instance.arguments[0]),
            },
            (Op::In, &[element, set]) => match self.count(element, set)? {
                Some(count) => self.op_of(Op::Less, &[SortIx::NAT; 2], SortIx::BOOL, &[0, count]).map(Some),
                None => Ok(None),
            },
            (Op::Count, &[element, set]) => self.count(element, set),
            (Op::Size, &[set]) => match data.by_function(set) {
                Some((NOWHERE, set)) if !bag => {
                    let count = data.row(set).len();
                    Ok(Some(data.integer(&mut self.recent, &count.into())?))
                }
                Some((NOWHERE, set)) => {
                    let numbers = data.row(set).into_iter().skip(1).step_by(2);
                    let total = numbers.filter_map(|number| data.as_integer(number)).sum();
                    Ok(Some(data.integer(&mut self.recent, &total)?))
                }
                _ => Ok(None),
            },
            (Op::Complement, &[set]) => match data.by_function(set) {
                Some((function, except)) => {
                    let function = self.combine(Combinator::Not, function, 0)?;
                    self.build(function, except, false).map(Some)
                }
                None => Ok(None),
            },
            (Op::ToBag, &[set]) => match data.by_function(set) {
                Some((function, except)) => {
                    let function = self.combine(Combinator::Indicator, function, 0)?;
                    let pairs: Vec<u32> =
                        data.row(except).into_iter().flat_map(|element| [element, 1]).collect();
                    let except = data.sorted_bag(&mut self.recent, &pairs)?;
                    self.build(function, except, true).map(Some)
                }
                None => Ok(None),
            },
            (Op::ToSet, &[set]) => self.support(set),
            (Op::Union | Op::Intersection | Op::Difference, &[one, other]) if bag => {
                self.join_bags(instance.op, one, other)
            }
            (Op::Union | Op::Intersection | Op::Difference, &[one, other]) => {
                self.join_sets(instance.op, one, other)
            }
            _ => Ok(None),
        }
    }

    /// Whether a set that is not known has an element: by one element after the other, if it is a list of
    /// such.
    fn open_member(&mut self, element: u32, set: u32, sort: SortIx) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        let elements = match is_node(set).then(|| data.store.header(set)) {
            Some(head) if head.shape() == Shape::Set => data.row(set),
            Some(head) if head.shape() == Shape::Op => {
                let (op, parts) = (data.instances.get(head.number()).op, data.row(set));
                return match op {
                    Op::SetOf => self.any_equal(element, &parts, sort),
                    Op::Union | Op::Intersection | Op::Difference => {
                        let in_one = self.member_of_any(element, parts[0], sort)?;
                        let in_other = self.member_of_any(element, parts[1], sort)?;
                        Ok(match (op, in_one, in_other) {
                            (Op::Union, Some(1), _) | (Op::Union, _, Some(1)) => Some(1),
                            (Op::Union, Some(0), known) | (Op::Union, known, Some(0)) => known,
                            (Op::Intersection, Some(0), _) | (Op::Intersection, _, Some(0)) => Some(0),
                            (Op::Intersection, Some(1), known) | (Op::Intersection, known, Some(1)) => known,
                            (Op::Difference, Some(0), _) | (Op::Difference, _, Some(1)) => Some(0),
                            (Op::Difference, known, Some(0)) => known,
                            _ => None,
                        })
                    }
                    _ => Ok(None),
                };
            }
            _ => return Ok(None),
        };
        self.any_equal(element, &elements, sort)
    }

    fn member_of_any(&mut self, element: u32, set: u32, sort: SortIx) -> Result<Option<u32>, EvalFault> {
        Ok(match self.member(element, set, sort)? {
            Some(known) => Some(known),
            None => self.open_member(element, set, sort)?,
        }
        .filter(|&known| known <= 1))
    }

    fn any_equal(&mut self, element: u32, elements: &[u32], sort: SortIx) -> Result<Option<u32>, EvalFault> {
        let mut answer = Some(0);
        for &other in elements {
            match self.equal(element, other, sort)? {
                1 => return Ok(Some(1)),
                0 => {}
                _ => answer = None,
            }
        }
        Ok(answer)
    }

    fn join_sets(&mut self, op: Op, one: u32, other: u32) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        let (Some((function, except)), Some((function2, except2))) =
            (data.by_function(one), data.by_function(other))
        else {
            return Ok(None);
        };
        let decide = |one: bool, other: bool| match op {
            Op::Union => one || other,
            Op::Intersection => one && other,
            _ => one && !other,
        };
        let joined = match op {
            Op::Union => self.combine(Combinator::Or, function, function2)?,
            Op::Intersection => self.combine(Combinator::And, function, function2)?,
            _ => {
                let not = self.combine(Combinator::Not, function2, 0)?;
                self.combine(Combinator::And, function, not)?
            }
        };
        let sizes = data.row(except).len() + data.row(except2).len();
        self.charge(sizes as u64 / ELEMENTS_OF_A_STEP)?;
        let mut kept = Vec::new();
        for (element, in_one, in_other) in merge(data, &data.row(except), &data.row(except2), 1) {
            let (by, by2) = match (function, function2) {
                (NOWHERE, NOWHERE) => (0, 0),
                _ => (self.at(function, element)?, self.at(function2, element)?),
            };
            if by > 1 || by2 > 1 {
                return Ok(None);
            }
            let (by, by2) = (by == 1, by2 == 1);
            if decide(by != in_one.is_some(), by2 != in_other.is_some()) != decide(by, by2) {
                kept.push(element);
            }
        }
        let kept = data.sorted_set(&mut self.recent, &kept)?;
        self.build(joined, kept, false).map(Some)
    }

    /// Inclusion, proper if `strict`.
    pub(crate) fn included(
        &mut self,
        one: u32,
        other: u32,
        sort: SortIx,
        strict: bool,
    ) -> Result<Option<bool>, EvalFault> {
        let bag = matches!(self.data.spec.sorts.get(sort), Sort::Bag(_) | Sort::FBag(_));
        let both = match bag {
            true => self.join_bags(Op::Intersection, one, other)?,
            false => self.join_sets(Op::Intersection, one, other)?,
        };
        let Some(both) = both else { return Ok(None) };
        match self.equal(both, one, sort)? {
            0 => Ok(Some(false)),
            1 if !strict => Ok(Some(true)),
            1 => Ok(match self.equal(one, other, sort)? {
                0 => Some(true),
                1 => Some(false),
                _ => None,
            }),
            _ => Ok(None),
        }
    }
}

/// The entries of two arranged rows together: element, and what each row says of it (a set says 1).
pub(crate) fn merge(
    data: &Data,
    one: &[u32],
    other: &[u32],
    step: usize,
) -> Vec<(u32, Option<u32>, Option<u32>)> {
    let said = |row: &[u32], at: usize| if step == 2 { row[at + 1] } else { 1 };
    let (mut at, mut at2) = (0, 0);
    let mut merged = Vec::with_capacity((one.len() + other.len()) / step);
    while at < one.len() || at2 < other.len() {
        let order = match (one.get(at), other.get(at2)) {
            (Some(&one), Some(&other)) => data.arrange(one, other),
            (Some(_), None) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        };
        let entry = match order {
            std::cmp::Ordering::Less => (one[at], Some(said(one, at)), None),
            std::cmp::Ordering::Greater => (other[at2], None, Some(said(other, at2))),
            std::cmp::Ordering::Equal => (one[at], Some(said(one, at)), Some(said(other, at2))),
        };
        if order.is_le() {
            at += step;
        }
        if order.is_ge() {
            at2 += step;
        }
        merged.push(entry);
    }
    merged
}
