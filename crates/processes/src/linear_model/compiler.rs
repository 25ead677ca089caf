//! From summands to code: guards, sums, labels and next values.

use std::collections::{BTreeSet, HashMap};

use model::Value;
use terms::{CompileError, Data, Expr, Kind, VarIx, VarPlaces};

use super::code::{GroupCode, GuardCode, LabelCode, SumCode, Write};
use super::labels::{Labels, sorted};
use crate::linear::{ActionTerm, Summand};

pub(super) struct Compiler<'c> {
    data: &'c Data,
    labels: &'c Labels,
    slots: &'c VarPlaces,
    pub(super) guards: Vec<GuardCode>,
    /// The number of each guard.
    pub(super) numbers: HashMap<Expr, usize>,
    /// How long the longest environment is.
    pub(super) environment: usize,
    /// How many groups there are already.
    compiled: usize,
}

impl<'c> Compiler<'c> {
    pub(super) fn new(data: &'c Data, labels: &'c Labels, slots: &'c VarPlaces) -> Self {
        let (guards, numbers, environment) = (Vec::new(), HashMap::new(), slots.len());
        Self { data, labels, slots, guards, numbers, environment, compiled: 0 }
    }

    /// The value of an expression without variables, if it takes no long evaluation.
    fn value(&self, expr: &Expr) -> Option<Value> {
        self.data.evaluate_soon(expr).ok()?.ok().map(|term| term.0)
    }

    /// The value of an expression without variables, however long that takes.
    pub(super) fn initial(&self, expr: &Expr) -> Result<Value, String> {
        match self.data.evaluate(expr) {
            Ok(Ok(term)) => Ok(term.0),
            Ok(Err(fault)) => Err(fault.to_string()),
            Err(CompileError(message)) => Err(message),
        }
    }

    pub(super) fn group(&mut self, summand: &Summand) -> Result<GroupCode, CompileError> {
        let group = self.compiled;
        self.compiled += 1;
        let mut places = self.slots.clone();
        summand.sums.iter().for_each(|sum| {
            places.push(*sum);
        });
        self.environment = self.environment.max(places.len());
        let has_sums = |expr: &Expr| expr.free().iter().any(|variable| summand.sums.contains(variable));
        let (inner, outer): (Vec<Expr>, Vec<Expr>) = summand.conditions.iter().cloned().partition(has_sums);
        let mut guards = Vec::with_capacity(outer.len());
        for condition in outer {
            let guard = self.guard(condition)?;
            self.guards[guard].groups.push(group);
            guards.push(guard);
        }
        // Few slots first: such guards are asked most often and shared by most.
        guards.sort_by_key(|guard| self.guards[*guard].slots.len());
        let sum = match summand.sums.is_empty() {
            true => None,
            false => {
                let code = self.data.compile_sum(&summand.sums, &inner, &places)?;
                let named: BTreeSet<VarIx> = inner.iter().flat_map(Expr::free).collect();
                let slots = named.into_iter().filter_map(|variable| self.slots.place(variable)).collect();
                Some(SumCode { code, slots, variables: summand.sums.len() })
            }
        };
        let mut writes = Vec::with_capacity(summand.next.len());
        for (variable, value) in &summand.next {
            let slot = self.slot(*variable);
            writes.push((slot, self.write(value, &places)?));
        }
        Ok(GroupCode {
            guards,
            sum,
            label: self.label(&summand.actions, &places)?,
            writes,
            span: summand.spans.first().copied(),
        })
    }

    fn slot(&self, variable: VarIx) -> usize {
        self.slots.place(variable).unwrap_or_else(|| panic!("BUG: a parameter without a slot"))
    }

    fn guard(&mut self, condition: Expr) -> Result<usize, CompileError> {
        if let Some(&number) = self.numbers.get(&condition) {
            return Ok(number);
        }
        let code = self.data.compile(&condition, self.slots)?;
        let slots = condition.free().into_iter().map(|variable| self.slot(variable)).collect();
        self.guards.push(GuardCode { code, slots, groups: Vec::new() });
        self.numbers.insert(condition, self.guards.len() - 1);
        Ok(self.guards.len() - 1)
    }

    fn write(&self, value: &Expr, places: &VarPlaces) -> Result<Write, CompileError> {
        Ok(match &*value.kind {
            Kind::Var(variable) => match places.place(*variable) {
                Some(place) => Write::Copy(place),
                None => return Err(CompileError("a variable has no value".to_owned())),
            },
            _ if value.free().is_empty() => match self.value(value) {
                Some(value) => Write::Constant(value),
                None => Write::Compute(self.data.compile(value, places)?),
            },
            _ => Write::Compute(self.data.compile(value, places)?),
        })
    }

    fn label(&self, actions: &[ActionTerm], places: &VarPlaces) -> Result<LabelCode, CompileError> {
        let actions = sorted(actions);
        let label = self.labels.label(&actions);
        if label.free().is_empty()
            && let Some(value) = self.value(&label)
        {
            return Ok(LabelCode::Constant(value));
        }
        let Some(variables) = self.labels.unordered(&actions) else {
            return Ok(LabelCode::Whole(self.data.compile(&label, places)?));
        };
        let list = actions.iter().flat_map(|(_, list)| list);
        let arguments = list.map(|argument| self.data.compile(argument, places)).collect::<Result<_, _>>()?;
        let inside: VarPlaces = variables.iter().copied().collect();
        let mut rest = variables.iter().copied();
        let stands = |(name, list): &ActionTerm| {
            let variables = list.iter().zip(rest.by_ref());
            (*name, variables.map(|(argument, variable)| Expr::var(variable, argument.sort)).collect())
        };
        let stands: Vec<ActionTerm> = actions.iter().map(stands).collect();
        let label = self.data.compile(&self.labels.label(&stands), &inside)?;
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        let mut start = 0;
        let same = |one: &ActionTerm, other: &ActionTerm| {
            one.0 == other.0 && one.1.iter().map(|e| e.sort).eq(other.1.iter().map(|e| e.sort))
        };
        for run in actions.chunk_by(same) {
            let width = run[0].1.len();
            if run.len() > 1 && width > 0 {
                runs.push((start, width, run.len()));
            }
            start += width * run.len();
        }
        Ok(LabelCode::Sorted { arguments, runs, label })
    }
}
