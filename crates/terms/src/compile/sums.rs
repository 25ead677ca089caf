//! Sums and quantifiers become steps: in which order their variables get values, and which values are tried.
//!
//! *Problem.* `sum n, m: Nat . n < 4 && m == n + 1` has solutions among infinitely many pairs.
//!
//! *Idea.* A variable is given values as soon as a condition tells which: its one value (`m == n + 1`), the
//! elements of a list or set (`n in l`), the numbers between bounds (`n < 4`), or all values of a small sort.
//! Each condition is asked as soon as all its variables have values. Here:
//!
//! ```text
//! m: no condition tells its value while n has none        n: between 0 and 3
//! Range n from 0 to 3
//! Point m := n + 1
//! ```
//!
//! *Right*, since a step tries every value that the condition allows. A condition that says exactly what the
//! step does is not asked again.
//!
//! *Cost.* As many tries as the steps before have values. What is left, an infinite sort without such a
//! condition, is searched: [`Step::Search`].

use std::collections::BTreeSet;

use super::isolate::{Bound, Isolator, conjuncts};
use crate::code::{ClosureSite, QuantifierSite, RangeBound, Step, SumVar};
use crate::spec::outside;
use crate::{Code, CompileError, Data, Expr, Kind, Op, Sort, SortIx, Sum, VarIx, VarPlaces};

/// Sorts with more values than this are searched through, so that conditions cut off many at once.
const MANY: u64 = 1 << 12;

impl Data {
    /// Compiles a sum: its variables, all of which have places in the places, and the conditions on them.
    ///
    /// # Errors
    /// An expression that is too large, or with a variable that is not in the places.
    pub fn compile_sum(
        &self,
        vars: &[VarIx],
        conditions: &[Expr],
        places: &VarPlaces,
    ) -> Result<Sum, CompileError> {
        let mut all = Vec::new();
        conditions.iter().for_each(|condition| conjuncts(condition, false, &mut all));
        Planner {
            data: self,
            places,
            unbound: vars.iter().copied().collect(),
            conditions: all,
            steps: Vec::new(),
        }
        .plan(vars)
    }
}

/// The site of a quantifier.
pub(crate) fn quantifier_site(
    data: &Data,
    expr: &Expr,
    forall: bool,
    vars: &[VarIx],
    body: &Expr,
) -> Result<QuantifierSite, CompileError> {
    let outside = outside(expr);
    // A variable that is not there needs no value: no sort is empty.
    let free = body.free();
    let used: Vec<VarIx> = vars.iter().copied().filter(|var| free.contains(var)).collect();
    let places: VarPlaces = outside.iter().chain(&used).copied().collect();
    let mut conditions = Vec::new();
    conjuncts(body, forall, &mut conditions);
    let unbound = used.iter().copied().collect();
    let sum = Planner { data, places: &places, unbound, conditions, steps: Vec::new() }.plan(&used)?;
    Ok(QuantifierSite { forall, sum, outside, vars: vars.into(), body: body.clone() })
}
impl Data {
    /// The values for which a lambda of one argument is true, as a sum after the values from outside.
    pub(crate) fn members(&self, site: &ClosureSite) -> Option<Sum> {
        let places: VarPlaces = site.outside.iter().chain(&site.vars).copied().collect();
        self.compile_sum(&site.vars, std::slice::from_ref(&site.body), &places).ok()
    }
}

struct Planner<'p> {
    data: &'p Data,
    places: &'p VarPlaces,
    unbound: BTreeSet<VarIx>,
    conditions: Vec<Expr>,
    steps: Vec<Step>,
}

impl Planner<'_> {
    fn plan(mut self, vars: &[VarIx]) -> Result<Sum, CompileError> {
        loop {
            self.filters()?;
            let left: Vec<VarIx> = vars.iter().copied().filter(|var| self.unbound.contains(var)).collect();
            if left.is_empty() {
                break;
            }
            if !(self.point(&left)?
                || self.few(&left)?
                || self.elements(&left)?
                || self.range(&left)?
                || self.all(&left)?)
            {
                let conditions = std::mem::take(&mut self.conditions);
                let conditions =
                    conditions.iter().map(|condition| self.code(condition)).collect::<Result<_, _>>()?;
                let vars = left.iter().map(|&var| self.var(var)).collect::<Result<_, _>>()?;
                self.steps.push(Step::Search { vars, conditions });
                break;
            }
        }
        Ok(Sum { steps: self.steps.into(), len: self.places.len() })
    }

    fn code(&self, expr: &Expr) -> Result<Code, CompileError> {
        self.data.compile(expr, self.places)
    }

    fn var(&self, var: VarIx) -> Result<SumVar, CompileError> {
        let declared = &self.data.spec.vars[var.ix()];
        let missing = || CompileError(format!("`{}` has no value here", declared.name));
        let place = self.places.place(var).ok_or_else(missing)?;
        Ok(SumVar { place, sort: declared.sort, name: declared.name.clone() })
    }

    fn sort(&self, var: VarIx) -> SortIx {
        self.data.spec.vars[var.ix()].sort
    }

    fn isolator(&self) -> Isolator<'_> {
        Isolator { data: self.data, unbound: &self.unbound }
    }

    /// Asks what can be asked.
    fn filters(&mut self) -> Result<(), CompileError> {
        let (now, later) = std::mem::take(&mut self.conditions)
            .into_iter()
            .partition::<Vec<Expr>, _>(|condition| condition.free().is_disjoint(&self.unbound));
        self.conditions = later;
        for condition in now {
            let code = self.code(&condition)?;
            self.steps.push(Step::Filter(code));
        }
        Ok(())
    }

    fn point(&mut self, left: &[VarIx]) -> Result<bool, CompileError> {
        for &x in left {
            for at in 0..self.conditions.len() {
                let Some(point) = self.isolator().point(x, &self.conditions[at]) else { continue };
                if point.exact {
                    self.conditions.remove(at);
                }
                let step =
                    Step::Point { var: self.var(x)?, value: self.code(&point.value)?, inside: point.inside };
                self.steps.push(step);
                self.unbound.remove(&x);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A variable with very few values.
    fn few(&mut self, left: &[VarIx]) -> Result<bool, CompileError> {
        self.any_of(left, 4)
    }

    fn all(&mut self, left: &[VarIx]) -> Result<bool, CompileError> {
        self.any_of(left, MANY)
    }

    fn any_of(&mut self, left: &[VarIx], most: u64) -> Result<bool, CompileError> {
        let fits = |var: &&VarIx| self.data.sizes[self.sort(**var).ix()].is_some_and(|size| size <= most);
        let Some(&x) = left.iter().find(fits) else { return Ok(false) };
        let var = self.var(x)?;
        self.steps.push(Step::All { var });
        self.unbound.remove(&x);
        Ok(true)
    }

    fn elements(&mut self, left: &[VarIx]) -> Result<bool, CompileError> {
        for &x in left {
            for at in 0..self.conditions.len() {
                let Kind::Op(Op::In, parts) = &*self.conditions[at].kind else { continue };
                let (element, of) = (&parts[0], &parts[1]);
                let finite = |sort: SortIx| {
                    matches!(self.data.spec.sorts.get(sort), Sort::List(_) | Sort::FSet(_) | Sort::FBag(_))
                };
                let widened = match &*of.kind {
                    Kind::Op(Op::Widen, inner) => &inner[0],
                    _ => of,
                };
                let is_x = matches!(&*element.kind, Kind::Var(var) if *var == x);
                if !is_x || !finite(widened.sort) || !of.free().is_disjoint(&self.unbound) {
                    continue;
                }
                let of = self.code(widened)?;
                self.conditions.remove(at);
                let var = self.var(x)?;
                self.steps.push(Step::Elements { var, of });
                self.unbound.remove(&x);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn range(&mut self, left: &[VarIx]) -> Result<bool, CompileError> {
        for &x in left {
            let sort = self.sort(x);
            if !sort.is_number() || sort == SortIx::REAL {
                continue;
            }
            let found: Vec<Vec<Bound>> =
                self.conditions.iter().map(|condition| self.isolator().bounds(x, condition)).collect();
            let has = |upper: bool| found.iter().flatten().any(|bound| bound.upper == upper);
            if !has(true) || (sort == SortIx::INT && !has(false)) {
                continue;
            }
            let mut bounds = Vec::new();
            for bound in found.iter().flatten() {
                let (value, upper, strict) = (self.code(&bound.value)?, bound.upper, bound.strict);
                bounds.push(RangeBound { value, upper, strict });
            }
            let mut exact = found.iter().map(|found| found.len() == 1 && found[0].exact);
            self.conditions.retain(|_| !exact.next().unwrap_or(false));
            let var = self.var(x)?;
            self.steps.push(Step::Range { var, bounds });
            self.unbound.remove(&x);
            return Ok(true);
        }
        Ok(false)
    }
}
