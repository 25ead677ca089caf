//! The values of finite sorts, one by one.
//!
//! Values are in normal form. In µCRL it is a habit to declare `func 0, 1, 2: -> Nat` and then to say by
//! equations what 1 and 2 are: `1 = succ(0)`, `2 = succ(1)`. The values of `Nat` then are 0, `succ(0)` and
//! `succ(succ(0))`; another equation, about `succ`, never meets a 2. Constructors that come to the same value
//! give it once.

use std::collections::HashSet;

use super::Evaluator;
use crate::store::node::{Combinator, Header, INEXACT, Shape, VARS};
use crate::{Data, EvalFault, FunIx, Sort, SortIx, Term};

/// The values of larger sorts are not listed: nobody waits until a sum has tried them all, in every state.
const MOST_LISTED: u64 = 1 << 16;

impl Data {
    /// All values of a sort that is finite and not too large, in the order in which sums go through them.
    pub fn values(&self, sort: SortIx) -> Option<Vec<Term>> {
        let values = self.elements_of(sort).ok()??;
        Some(values.iter().map(|&value| Term(value)).collect())
    }

    /// All values of a finite sort that is not too large, always in the same order.
    pub(crate) fn elements_of(&self, sort: SortIx) -> Result<Option<&[u32]>, EvalFault> {
        if self.sizes[sort.ix()].is_none_or(|size| size > MOST_LISTED) {
            return Ok(None);
        }
        if let Some(listed) = self.listed[sort.ix()].get() {
            return Ok(Some(listed));
        }
        let listed = self.brief_evaluator().list(sort)?;
        Ok(Some(self.listed[sort.ix()].get_or_init(|| listed.into())))
    }

    /// The same of a part of such a sort.
    fn elements_of_part(&self, sort: SortIx) -> Result<&[u32], EvalFault> {
        let elements = self.elements_of(sort)?;
        Ok(elements.unwrap_or_else(|| panic!("BUG: a part of a finite sort that is not finite")))
    }

    /// Why the values of a sort cannot be tried one by one for a variable.
    pub(crate) fn not_listed(&self, var: &str, sort: SortIx) -> EvalFault {
        let (var, shown) = (var.to_owned(), self.spec.sorts.show(sort));
        match (self.sizes[sort.ix()], self.spec.sorts.get(sort)) {
            (Some(_), _) => EvalFault::TooMany { var, sort: shown },
            (None, Sort::User(_)) if self.constructors[sort.ix()].is_empty() => {
                EvalFault::NoConstructors { var, sort: shown }
            }
            (None, _) => EvalFault::Unbounded { var },
        }
    }
}

impl Evaluator<'_> {
    fn list(&mut self, sort: SortIx) -> Result<Vec<u32>, EvalFault> {
        let data = self.data;
        match data.spec.sorts.get(sort) {
            Sort::Bool => Ok(vec![0, 1]),
            &(Sort::FSet(element) | Sort::Set(element)) => {
                let elements = data.elements_of_part(element)?;
                let mut sets = Vec::new();
                for chosen in 0..1_u64 << elements.len() {
                    let some = elements.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
                    sets.push(data.set(&mut self.recent, some.map(|(_, &element)| element).collect())?);
                }
                Ok(sets)
            }
            Sort::Function(arguments, result) => {
                let values = data.elements_of_part(*result)?;
                match arguments[..] {
                    [argument] => self.functions_of_one(data.elements_of_part(argument)?, values),
                    _ => self.functions_of_many(sort, arguments, values),
                }
            }
            Sort::User(_) => {
                let mut values = Vec::new();
                for &constructor in &data.constructors[sort.ix()] {
                    let mut rows: Vec<Vec<u32>> = vec![Vec::new()];
                    for &argument in &data.spec.functions[constructor.ix()].arguments {
                        let elements = data.elements_of_part(argument)?;
                        rows = (rows.into_iter())
                            .flat_map(|row| {
                                elements.iter().map(move |&element| {
                                    let mut row = row.clone();
                                    row.push(element);
                                    row
                                })
                            })
                            .collect();
                    }
                    for row in rows {
                        values.push(self.construct(constructor, &row)?);
                    }
                }
                if data.rewritten[sort.ix()] {
                    let mut seen = HashSet::new();
                    values.retain(|value| seen.insert(*value));
                }
                Ok(values)
            }
            _ => Err(EvalFault::Unbounded { var: data.spec.sorts.show(sort) }),
        }
    }

    /// All functions of one argument: one value everywhere, but for updates.
    fn functions_of_one(&mut self, points: &[u32], values: &[u32]) -> Result<Vec<u32>, EvalFault> {
        let data = self.data;
        let always = data.always(&mut self.recent, values[0])?;
        let mut functions = Vec::new();
        for number in 0..values.len().pow(points.len() as u32) {
            let (mut pairs, mut rest) = (Vec::new(), number);
            for &point in points {
                let value = values[rest % values.len()];
                rest /= values.len();
                if value != values[0] {
                    pairs.push((point, value));
                }
            }
            pairs.sort_by(|one, other| data.arrange(one.0, other.0));
            let mut parts = vec![always];
            parts.extend(pairs.into_iter().flat_map(|(point, value)| [point, value]));
            functions.push(match parts.len() {
                1 => always,
                _ => {
                    let marks = data.marks_of(&parts) | INEXACT;
                    let head = Header::new(Shape::Updated, 0, parts.len(), marks);
                    data.store.node(&mut self.recent, head, &parts)?
                }
            });
        }
        Ok(functions)
    }

    /// All functions of several arguments: tables.
    fn functions_of_many(
        &mut self,
        sort: SortIx,
        arguments: &[SortIx],
        values: &[u32],
    ) -> Result<Vec<u32>, EvalFault> {
        let data = self.data;
        let mut points = 1;
        for &argument in arguments {
            points *= data.elements_of_part(argument)?.len();
        }
        let mut functions = Vec::new();
        for number in 0..values.len().pow(points as u32) {
            let (mut parts, mut rest) = (vec![sort.0], number);
            for _ in 0..points {
                parts.push(values[rest % values.len()]);
                rest /= values.len();
            }
            functions.push(match parts[1..].iter().all(|value| *value == parts[1]) {
                true => data.always(&mut self.recent, parts[1])?,
                false => self.made(Combinator::Table, &parts)?,
            });
        }
        Ok(functions)
    }

    /// What a table has for these arguments, if they are known.
    pub(crate) fn looked_up(&mut self, table: u32, arguments: &[u32]) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        let Sort::Function(sorts, _) = data.spec.sorts.get(SortIx(data.store.parts(table).get(0))) else {
            panic!("BUG: a table that is no function")
        };
        let (mut at, mut stride) = (0, 1);
        for (&argument, &sort) in arguments.iter().zip(sorts) {
            let elements = data.elements_of_part(sort)?;
            let Some(position) = self.position_among(argument, elements, sort)? else { return Ok(None) };
            at += stride * position;
            stride *= elements.len();
        }
        Ok(Some(data.store.parts(table).get(1 + at)))
    }

    /// Where among these values, which are all of the sort, one is.
    fn position_among(
        &mut self,
        term: u32,
        elements: &[u32],
        sort: SortIx,
    ) -> Result<Option<usize>, EvalFault> {
        if let Some(at) = elements.iter().position(|&element| element == term) {
            return Ok(Some(at));
        }
        // A function may be written in several ways.
        for (at, &element) in elements.iter().enumerate() {
            if self.equal(term, element, sort)? == 1 {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// What a constructor makes of these values: a term with it on top, or what its equations say.
    pub(crate) fn construct(&mut self, constructor: FunIx, parts: &[u32]) -> Result<u32, EvalFault> {
        let arities = self.data.arities(constructor);
        match arities.unit(parts.len()) {
            Some(unit) if arities.has_rules(parts.len()) => self.run_unit(unit, parts),
            _ => Ok(self.data.call(&mut self.recent, constructor, parts)?),
        }
    }

    /// The normal form of a term of a sort that is made of constructors, some of which have equations.
    pub(crate) fn normal_form(&mut self, term: u32, sort: SortIx) -> Result<u32, EvalFault> {
        let data = self.data;
        if !data.rewritten[sort.ix()] || data.marks(term) & VARS != 0 {
            return Ok(term);
        }
        match data.spec.sorts.get(sort) {
            &Sort::List(element) => {
                let (elements, rest) = data.elements(term);
                let mut list = rest;
                for part in elements.into_iter().rev() {
                    let part = self.normal_form(part, element)?;
                    list = data.cons(&mut self.recent, part, list)?;
                }
                Ok(list)
            }
            Sort::User(_) => {
                let Some((constructor, parts)) = data.parts(Term(term), sort) else { return Ok(term) };
                if data.positions[constructor.ix()] == u32::MAX {
                    return Ok(term);
                }
                let sorts = &data.spec.functions[constructor.ix()].arguments;
                let mut values = Vec::with_capacity(parts.len());
                for (part, &sort) in parts.iter().zip(sorts) {
                    values.push(self.normal_form(part.0, sort)?);
                }
                self.construct(constructor, &values)
            }
            _ => Ok(term),
        }
    }
}
