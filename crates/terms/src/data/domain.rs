//! The values of a sort: how many there are, and one of them. Which they are is found by evaluation
//! (`eval/elements.rs`).

use std::sync::OnceLock;

use super::Data;
use crate::store::Recent;
use crate::store::node::{Combinator, Header, INEXACT, Shape};
use crate::{EvalFault, Sort, SortIx, Term};

/// The values of finite sorts, each there once, listed when they are first needed.
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

    /// Sorts with values that have a constructor with equations in them: not every term made of constructors
    /// is in normal form.
    pub(crate) fn rewritten_sorts(&self) -> Vec<bool> {
        let never = self.closed_under_parts(|sort| {
            self.constructors[sort.ix()].iter().all(|constructor| {
                let count = self.spec.functions[constructor.ix()].arguments.len();
                !self.rules.has_rules(*constructor, count)
            })
        });
        never.into_iter().map(|never| !never).collect()
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

    /// x ↦ the value.
    pub(crate) fn always(&self, recent: &mut Recent, value: u32) -> Result<u32, EvalFault> {
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
