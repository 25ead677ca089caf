//! The values of a sort: how many there are, which they are, and one of them.

use std::sync::OnceLock;

use super::Data;
use crate::store::Recent;
use crate::store::node::{Combinator, Header, INEXACT, Shape};
use crate::{EvalFault, Sort, SortIx, Term};

/// The values of larger sorts are not listed.
const MOST_LISTED: u64 = 1 << 16;

/// The values of finite sorts, listed when they are first needed.
pub(crate) type Listed = Vec<OnceLock<Box<[u32]>>>;

impl Data {
    /// How many values each sort has; `None` if infinitely many or if it has no constructors.
    pub(crate) fn sort_sizes(&self) -> Vec<Option<u64>> {
        let count = self.spec.sorts.all().len();
        let mut sizes: Vec<Option<Option<u64>>> = vec![None; count];
        let mut inside = vec![false; count];
        (0..count).map(|sort| self.sort_size(SortIx(sort as u32), &mut sizes, &mut inside)).collect()
    }

    fn sort_size(&self, sort: SortIx, sizes: &mut [Option<Option<u64>>], inside: &mut [bool]) -> Option<u64> {
        if let Some(known) = sizes[sort.ix()] {
            return known;
        }
        // A sort with itself inside has values as deep as one likes.
        if inside[sort.ix()] {
            return None;
        }
        inside[sort.ix()] = true;
        let size = match self.spec.sorts.get(sort) {
            Sort::Bool => Some(2),
            Sort::Pos | Sort::Nat | Sort::Int | Sort::Real | Sort::List(_) | Sort::FBag(_) | Sort::Bag(_) => {
                None
            }
            &(Sort::FSet(element) | Sort::Set(element)) => {
                self.sort_size(element, sizes, inside).map(|size| 2_u64.saturating_pow(size.min(64) as u32))
            }
            Sort::Function(arguments, result) => {
                let points = arguments.iter().try_fold(1_u64, |points, &argument| {
                    Some(points.saturating_mul(self.sort_size(argument, sizes, inside)?))
                });
                let values = self.sort_size(*result, sizes, inside);
                points.zip(values).map(|(points, values)| values.saturating_pow(points.min(64) as u32))
            }
            Sort::User(_) => {
                let constructors = &self.constructors[sort.ix()];
                let all = constructors.iter().try_fold(0_u64, |all, constructor| {
                    let arguments = &self.spec.functions[constructor.ix()].arguments;
                    let own = arguments.iter().try_fold(1_u64, |own, &argument| {
                        Some(own.saturating_mul(self.sort_size(argument, sizes, inside)?))
                    });
                    Some(all.saturating_add(own?))
                });
                all.filter(|_| !constructors.is_empty())
            }
        };
        inside[sort.ix()] = false;
        // What was found inside another is not the last word: only an answer that needed no guess is kept.
        if size.is_some() || !inside.contains(&true) {
            sizes[sort.ix()] = Some(size);
        }
        size
    }

    /// Sorts whose terms without marks are equal only if they are the same: none of those in them has
    /// equations for `==`.
    pub(crate) fn plain_sorts(&self) -> Vec<bool> {
        let own = self.rules.compared(self);
        let has_rules =
            |sort: SortIx| own.contains(&sort) || self.constructors[sort.ix()].iter().any(|_| false);
        self.closed_under_parts(|sort| !has_rules(sort))
    }

    /// Sorts whose order is total: without sets, bags and functions.
    pub(crate) fn total_sorts(&self) -> Vec<bool> {
        self.closed_under_parts(|sort| {
            !matches!(
                self.spec.sorts.get(sort),
                Sort::Set(_) | Sort::FSet(_) | Sort::Bag(_) | Sort::FBag(_) | Sort::Function(..)
            )
        })
    }

    fn closed_under_parts(&self, good: impl Fn(SortIx) -> bool) -> Vec<bool> {
        let mut all: Vec<bool> = self.spec.sorts.all().map(|(sort, _)| good(sort)).collect();
        loop {
            let holds = |sort: SortIx, all: &[bool]| match self.spec.sorts.get(sort) {
                Sort::Bool | Sort::Pos | Sort::Nat | Sort::Int | Sort::Real => true,
                &(Sort::List(part)
                | Sort::FSet(part)
                | Sort::Set(part)
                | Sort::FBag(part)
                | Sort::Bag(part)) => all[part.ix()],
                Sort::Function(arguments, result) => {
                    all[result.ix()] && arguments.iter().all(|part| all[part.ix()])
                }
                Sort::User(_) => self.constructors[sort.ix()].iter().all(|constructor| {
                    self.spec.functions[constructor.ix()].arguments.iter().all(|part| all[part.ix()])
                }),
            };
            let next: Vec<bool> =
                (0..all.len()).map(|sort| all[sort] && holds(SortIx(sort as u32), &all)).collect();
            if next == all {
                return all;
            }
            all = next;
        }
    }

    /// How many values a sort has, if that is finite and known.
    pub fn size(&self, sort: SortIx) -> Option<u64> {
        self.sizes[sort.ix()]
    }

    /// All values of a finite sort that is not too large, always in the same order.
    pub(crate) fn elements_of(&self, sort: SortIx) -> Result<Option<&[u32]>, EvalFault> {
        if self.sizes[sort.ix()].is_none_or(|size| size > MOST_LISTED) {
            return Ok(None);
        }
        if let Some(listed) = self.listed[sort.ix()].get() {
            return Ok(Some(listed));
        }
        let mut recent = Recent::small();
        let listed = self.list(&mut recent, sort)?;
        Ok(Some(self.listed[sort.ix()].get_or_init(|| listed.into())))
    }

    /// All values of a sort that is finite and not too large, in the order in which sums go through them.
    pub fn values(&self, sort: SortIx) -> Option<Vec<Term>> {
        let values = self.elements_of(sort).ok()??;
        Some(values.iter().map(|&value| Term(value)).collect())
    }

    fn list(&self, recent: &mut Recent, sort: SortIx) -> Result<Vec<u32>, EvalFault> {
        let listed = |sort: SortIx| -> Result<&[u32], EvalFault> {
            Ok(self
                .elements_of(sort)?
                .unwrap_or_else(|| panic!("BUG: a part of a finite sort that is not finite")))
        };
        match self.spec.sorts.get(sort) {
            Sort::Bool => Ok(vec![0, 1]),
            &(Sort::FSet(element) | Sort::Set(element)) => {
                let elements = listed(element)?;
                let mut sets = Vec::new();
                for chosen in 0..1_u64 << elements.len() {
                    let some = elements.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
                    sets.push(self.set(recent, some.map(|(_, &element)| element).collect())?);
                }
                Ok(sets)
            }
            Sort::Function(arguments, result) => {
                let values = listed(*result)?;
                // Of one argument: one value everywhere, but for updates. Of more there is no such form.
                let [argument] = arguments[..] else {
                    return Err(EvalFault::Unbounded { var: self.spec.sorts.show(sort) });
                };
                let points = listed(argument)?;
                let always = self.always(recent, values[0])?;
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
                    pairs.sort_by(|one, other| self.arrange(one.0, other.0));
                    let mut parts = vec![always];
                    parts.extend(pairs.into_iter().flat_map(|(point, value)| [point, value]));
                    functions.push(match parts.len() {
                        1 => always,
                        _ => {
                            let marks = self.marks_of(&parts) | INEXACT;
                            self.store.node(
                                recent,
                                Header::new(Shape::Updated, 0, parts.len(), marks),
                                &parts,
                            )?
                        }
                    });
                }
                Ok(functions)
            }
            Sort::User(_) => {
                let mut values = Vec::new();
                for &constructor in &self.constructors[sort.ix()] {
                    let mut rows: Vec<Vec<u32>> = vec![Vec::new()];
                    for &argument in &self.spec.functions[constructor.ix()].arguments {
                        let elements = listed(argument)?;
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
                        values.push(self.call(recent, constructor, &row)?);
                    }
                }
                Ok(values)
            }
            _ => Err(EvalFault::Unbounded { var: self.spec.sorts.show(sort) }),
        }
    }

    fn always(&self, recent: &mut Recent, value: u32) -> Result<u32, EvalFault> {
        let marks = INEXACT | self.marks(value);
        Ok(self.store.node(
            recent,
            Header::new(Shape::Combinator, Combinator::Always as u32, 1, marks),
            &[value],
        )?)
    }

    /// Some value of a sort, always the same: 0 or what is like it. `None` where none can be made.
    pub fn default_term(&self, sort: SortIx) -> Option<Term> {
        let mut recent = Recent::small();
        let mut defaults = vec![None; self.spec.sorts.all().len()];
        // From what needs nothing to what needs that: as many rounds as sorts are enough.
        for _ in 0..defaults.len() {
            for at in 0..defaults.len() {
                if defaults[at].is_none() {
                    defaults[at] = self.default_from(&mut recent, SortIx(at as u32), &defaults);
                }
            }
            if defaults[sort.ix()].is_some() {
                break;
            }
        }
        defaults[sort.ix()].map(Term)
    }

    fn default_from(&self, recent: &mut Recent, sort: SortIx, defaults: &[Option<u32>]) -> Option<u32> {
        match self.spec.sorts.get(sort) {
            Sort::Pos => Some(1),
            Sort::Function(_, result) => self.always(recent, defaults[result.ix()]?).ok(),
            Sort::User(_) => {
                let own = self.constructors[sort.ix()].iter().copied();
                // A sort without constructors has what maps to it, though that does not reduce.
                let others = (0..self.spec.functions.len() as u32).map(crate::FunIx).filter(|function| {
                    self.constructors[sort.ix()].is_empty()
                        && self.spec.functions[function.ix()].result == sort
                });
                own.chain(others).find_map(|function| {
                    let arguments = &self.spec.functions[function.ix()].arguments;
                    let parts: Option<Vec<u32>> =
                        arguments.iter().map(|argument| defaults[argument.ix()]).collect();
                    self.call(recent, function, &parts?).ok()
                })
            }
            _ => Some(0),
        }
    }
}
