//! Values as nodes: how they are made, taken apart, and put in order.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use super::Data;
use crate::store::node::{Header, INEXACT, MOST_OF_A_KIND, OPEN, Shape};
use crate::store::{Recent, StoreFull};
use crate::term::{LARGEST, SMALLEST, Term, is_node};
use crate::{FunIx, FunKind, SortIx};

impl Data {
    /// The function of the specification that a term of a user's sort has on top, and its arguments.
    pub fn parts(&self, term: Term, sort: SortIx) -> Option<(FunIx, Vec<Term>)> {
        if is_node(term.0) {
            let head = self.store.header(term.0);
            let call = head.shape() == Shape::Call;
            return call.then(|| (FunIx(head.number()), self.store.parts(term.0).iter().map(Term).collect()));
        }
        let constructor = self.constructors.get(sort.ix())?.get(term.0 as usize)?;
        Some((*constructor, Vec::new()))
    }

    /// The marks that a node has from its parts.
    #[inline]
    pub(crate) fn marks_of(&self, parts: &[u32]) -> u32 {
        parts.iter().fold(0, |marks, &part| marks | self.marks(part))
    }

    /// The marks of a term.
    #[inline]
    pub(crate) fn marks(&self, term: u32) -> u32 {
        if is_node(term) { self.store.header(term).marks() } else { 0 }
    }

    /// Whether a term has parts that did not reduce.
    #[inline]
    pub(crate) fn is_open(&self, term: u32) -> bool {
        self.marks(term) & OPEN != 0
    }

    /// Whether no other term has the same value, if its sort is plain.
    #[inline]
    pub(crate) fn is_exact(&self, term: u32) -> bool {
        self.marks(term) & INEXACT == 0
    }

    /// A function of the specification with its arguments, as it is.
    #[inline]
    pub(crate) fn call(&self, recent: &mut Recent, function: FunIx, parts: &[u32]) -> Result<u32, StoreFull> {
        if parts.is_empty() && self.positions[function.ix()] != u32::MAX {
            return Ok(self.positions[function.ix()]);
        }
        let marks = self.marks_of(parts) | self.marks[function.ix()];
        self.store.node(recent, Header::new(Shape::Call, function.0, parts.len(), marks), parts)
    }

    /// `head |> tail`
    #[inline]
    pub(crate) fn cons(&self, recent: &mut Recent, head: u32, tail: u32) -> Result<u32, StoreFull> {
        let (mut marks, mut length) = (self.marks(head), 1);
        if is_node(tail) {
            let of_tail = self.store.header(tail);
            marks |= of_tail.marks();
            if of_tail.shape() == Shape::Cons {
                length = (of_tail.number() + 1).min(MOST_OF_A_KIND);
            }
        }
        self.store.node(recent, Header::new(Shape::Cons, length, 2, marks), &[head, tail])
    }

    /// The head and the tail of a list, if it is not empty and known to be.
    #[inline(always)]
    pub(crate) fn uncons(&self, list: u32) -> Option<(u32, u32)> {
        (is_node(list) && self.store.header(list).shape() == Shape::Cons)
            .then(|| (self.store.part(list, 0), self.store.part(list, 1)))
    }

    /// The elements of a list, and what it ends with: the empty list, or what does not reduce.
    pub(crate) fn elements(&self, list: u32) -> (Vec<u32>, u32) {
        let (mut elements, mut rest) = (Vec::new(), list);
        while let Some((head, tail)) = self.uncons(rest) {
            elements.push(head);
            rest = tail;
        }
        (elements, rest)
    }

    /// A finite set of elements that reduced.
    pub(crate) fn set(&self, recent: &mut Recent, mut elements: Vec<u32>) -> Result<u32, StoreFull> {
        elements.sort_by(|&one, &other| self.arrange(one, other));
        elements.dedup();
        self.sorted_set(recent, &elements)
    }

    /// A finite set of elements that are arranged already, each there once.
    pub(crate) fn sorted_set(&self, recent: &mut Recent, elements: &[u32]) -> Result<u32, StoreFull> {
        if elements.is_empty() {
            return Ok(0);
        }
        let marks = self.marks_of(elements);
        self.store.node(recent, Header::new(Shape::Set, 0, elements.len(), marks), elements)
    }

    /// A finite bag: element, number, … arranged already, no number 0.
    pub(crate) fn sorted_bag(&self, recent: &mut Recent, pairs: &[u32]) -> Result<u32, StoreFull> {
        if pairs.is_empty() {
            return Ok(0);
        }
        let marks = self.marks_of(pairs);
        self.store.node(recent, Header::new(Shape::Bag, 0, pairs.len(), marks), pairs)
    }

    /// Where the constructor of a value stands among those of its sort; a small number is its own place.
    #[inline]
    pub(crate) fn position(&self, term: u32) -> Option<u32> {
        if !is_node(term) {
            return Some(term);
        }
        let head = self.store.header(term);
        match head.shape() {
            Shape::Call => {
                Some(self.positions[head.number() as usize]).filter(|&position| position != u32::MAX)
            }
            _ => None,
        }
    }

    /// The argument that a projection takes out; the projection itself where it does not reduce.
    pub(crate) fn project(&self, recent: &mut Recent, function: FunIx, term: u32) -> Result<u32, StoreFull> {
        if is_node(term) {
            let head = self.store.header(term);
            if head.shape() == Shape::Call
                && let FunKind::Projection(of) = &self.spec.functions[function.ix()].kind
                && let Some(&(_, at)) = of.iter().find(|(constructor, _)| constructor.0 == head.number())
            {
                return Ok(self.store.parts(term).get(at));
            }
        }
        self.call(recent, function, &[term])
    }

    /// An integer.
    pub(crate) fn integer(&self, recent: &mut Recent, value: &BigInt) -> Result<u32, StoreFull> {
        if let Ok(small) = i64::try_from(value)
            && (SMALLEST..=LARGEST).contains(&small)
        {
            return Ok(small as i32 as u32);
        }
        let (sign, digits) = value.to_u32_digits();
        let mut parts = vec![u32::from(sign == Sign::Minus)];
        parts.extend(digits);
        self.store.node(recent, Header::new(Shape::Big, 0, parts.len(), 0), &parts)
    }

    /// The integer that a term is.
    pub(crate) fn as_integer(&self, term: u32) -> Option<BigInt> {
        if !is_node(term) {
            return Some(BigInt::from(term as i32));
        }
        if self.store.header(term).shape() != Shape::Big {
            return None;
        }
        let parts = self.store.parts(term);
        let sign = if parts.get(0) == 1 { Sign::Minus } else { Sign::Plus };
        Some(BigInt::from_slice(sign, &parts.iter().skip(1).collect::<Vec<u32>>()))
    }

    /// The number that a term is: numerator and denominator.
    pub(crate) fn as_rational(&self, term: u32) -> Option<(BigInt, BigInt)> {
        if let Some(integer) = self.as_integer(term) {
            return Some((integer, BigInt::from(1)));
        }
        (self.store.header(term).shape() == Shape::Ratio)
            .then(|| (self.store.part(term, 0), self.store.part(term, 1)))
            .and_then(|(numerator, denominator)| {
                Some((self.as_integer(numerator)?, self.as_integer(denominator)?))
            })
    }

    /// A rational number; the denominator is not 0.
    pub(crate) fn rational(
        &self,
        recent: &mut Recent,
        over: BigInt,
        under: BigInt,
    ) -> Result<u32, StoreFull> {
        let divisor = gcd(over.clone(), under.clone());
        let sign = if under.sign() == Sign::Minus { -1 } else { 1 };
        let (over, under) = (over / &divisor * sign, under / &divisor * sign);
        if under == BigInt::from(1) {
            return self.integer(recent, &over);
        }
        let parts = [self.integer(recent, &over)?, self.integer(recent, &under)?];
        self.store.node(recent, Header::new(Shape::Ratio, 0, 2, 0), &parts)
    }

    /// Whether a term is a number of this sort.
    pub(crate) fn is_number(&self, term: u32, sort: SortIx) -> bool {
        if !is_node(term) {
            let value = term as i32;
            return match sort {
                SortIx::POS => value > 0,
                SortIx::NAT => value >= 0,
                _ => true,
            };
        }
        match self.store.header(term).shape() {
            Shape::Big => sort >= SortIx::INT || self.store.part(term, 0) == 0,
            Shape::Ratio => sort == SortIx::REAL,
            _ => false,
        }
    }

    /// A total order of the terms of a sort: that of numbers, of constructors as declared and then by
    /// arguments from the first on, of lists like words. Finite sets and updates of functions are kept in it.
    pub(crate) fn arrange(&self, one: u32, other: u32) -> Ordering {
        if one == other {
            return Ordering::Equal;
        }
        if !is_node(one) && !is_node(other) {
            return (one as i32).cmp(&(other as i32));
        }
        let mut todo = vec![(one, other)];
        while let Some((one, other)) = todo.pop() {
            if one == other {
                continue;
            }
            match (is_node(one), is_node(other)) {
                (false, false) => return (one as i32).cmp(&(other as i32)),
                (true, false) => return self.arrange_small(other, one).reverse(),
                (false, true) => return self.arrange_small(one, other),
                (true, true) => {}
            }
            let (head, head2) = (self.store.header(one), self.store.header(other));
            let (shape, shape2) = (head.shape(), head2.shape());
            let numeric = |shape| matches!(shape, Shape::Big | Shape::Ratio);
            if numeric(shape) && numeric(shape2) {
                return self.numbers(one, other);
            }
            if shape != shape2 {
                return (shape as u32).cmp(&(shape2 as u32));
            }
            let rank = |head: Header| match shape {
                Shape::Call => (self.positions[head.number() as usize], head.number()),
                Shape::Cons => (0, 0),
                _ => (0, head.number()),
            };
            if rank(head) != rank(head2) {
                return rank(head).cmp(&rank(head2));
            }
            let (parts, parts2) = (self.store.parts(one), self.store.parts(other));
            if parts.len() != parts2.len() && !matches!(shape, Shape::Set | Shape::Bag) {
                return parts.len().cmp(&parts2.len());
            }
            let shorter = parts.len().min(parts2.len());
            if shorter < parts.len().max(parts2.len())
                && (0..shorter).all(|at| parts.get(at) == parts2.get(at))
            {
                return parts.len().cmp(&parts2.len());
            }
            // The first part that differs decides, so it must be on top.
            todo.extend(
                (0..shorter)
                    .rev()
                    .map(|at| (parts.get(at), parts2.get(at)))
                    .filter(|(one, other)| one != other),
            );
        }
        Ordering::Equal
    }

    /// One that is no node and one that is.
    fn arrange_small(&self, small: u32, node: u32) -> Ordering {
        let head = self.store.header(node);
        match head.shape() {
            Shape::Big | Shape::Ratio => self.numbers(small, node),
            Shape::Call => small.cmp(&self.positions[head.number() as usize]),
            _ => Ordering::Less,
        }
    }

    /// The order of two numbers.
    pub(crate) fn numbers(&self, one: u32, other: u32) -> Ordering {
        match (self.as_rational(one), self.as_rational(other)) {
            (Some((over, under)), Some((over2, under2))) => (over * under2).cmp(&(over2 * under)),
            _ => one.cmp(&other),
        }
    }

    /// Where a term stands in a row of entries that are `step` words each and arranged by their first.
    pub(crate) fn search(&self, row: &[u32], step: usize, term: u32) -> Result<usize, usize> {
        let (mut low, mut high) = (0, row.len() / step);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.arrange(row[step * middle], term) {
                Ordering::Equal => return Ok(middle),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }
}

fn gcd(one: BigInt, other: BigInt) -> BigInt {
    let (mut one, mut other) = (one, other);
    while other.sign() != Sign::NoSign {
        (one, other) = (other.clone(), one % other);
    }
    if one.sign() == Sign::Minus { -one } else { one }
}
