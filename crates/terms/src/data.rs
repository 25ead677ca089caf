//! A specification made ready to be evaluated: its terms, its code, and what is known of its sorts.
//!
//! All threads share one [`Data`]. Code is added while it is used: an [`AppendVec`] never moves what it has.

mod append_vec;
mod domain;
mod express;
mod lists;
mod rules;
mod sets;
mod show;
mod stuck;
mod values;

use std::collections::HashMap;
use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, OnceLock, PoisonError};

use base::Diagnostic;

use crate::code::{ClosureSite, Instance, QuantifierSite, SlowSite, Unit};
use crate::store::Store;
use crate::store::node::{INEXACT, MOST_OF_A_KIND, OPEN};
use crate::{CompileError, DataSpec, Expr, FunIx, FunKind, Op, Sort, SortIx};

use append_vec::AppendVec;
use domain::Listed;
pub(crate) use rules::{Arities, Group, Head, Rules, error, left_arguments};
pub(crate) use sets::NOWHERE;

/// A data specification with its terms and its equations compiled. All threads share one.
///
/// Equal values of a sort are equal terms, with these exceptions: functions that were written differently,
/// sets and bags that are not finite and contain such functions, and terms that do not reduce.
pub struct Data {
    pub(crate) spec: DataSpec,
    pub(crate) store: Store,
    /// Of each function: its place among the constructors of its sort, or `u32::MAX`.
    pub(crate) positions: Vec<u32>,
    /// Of each function: the marks of a node of it.
    pub(crate) marks: Vec<u32>,
    pub(crate) constructors: Vec<Vec<FunIx>>,
    pub(crate) units: AppendVec<Unit>,
    pub(crate) rules: Rules,
    /// Values of functions without arguments, as far as they are known.
    pub(crate) constants: Vec<OnceLock<u32>>,
    pub(crate) instances: AppendVec<Instance>,
    instance_numbers: Mutex<HashMap<Typed, u32>>,
    pub(crate) closures: AppendVec<ClosureSite>,
    closure_numbers: Mutex<HashMap<Expr, u32>>,
    pub(crate) quantifiers: AppendVec<QuantifierSite>,
    quantifier_numbers: Mutex<HashMap<Expr, u32>>,
    pub(crate) slow: AppendVec<SlowSite>,
    /// Of each sort: whether two terms without marks are equal only if they are the same.
    pub(crate) plain: Vec<bool>,
    /// Of each sort: whether its order is total.
    pub(crate) total: Vec<bool>,
    /// Of each sort: whether a term made of constructors may have an equation to reduce it.
    pub(crate) rewritten: Vec<bool>,
    pub(crate) sizes: Vec<Option<u64>>,
    pub(crate) listed: Listed,
    pub(crate) step_limit: u64,
}

/// A built-in function with the sorts of its arguments and of its answer.
type Typed = (Op, Box<[SortIx]>, SortIx);

impl Data {
    /// All of a specification but the code of its equations.
    pub(crate) fn unprepared(spec: DataSpec, steps: u64, bytes: u64) -> Result<Self, Vec<Diagnostic>> {
        if spec.functions.len() > MOST_OF_A_KIND as usize {
            return Err(vec![error("there are too many functions".into(), None)]);
        }
        let mut constructors = vec![Vec::new(); spec.sorts.all().len()];
        let mut positions = vec![u32::MAX; spec.functions.len()];
        for (at, function) in spec.functions.iter().enumerate() {
            if function.kind == FunKind::Constructor {
                let of_sort = &mut constructors[function.result.ix()];
                positions[at] = of_sort.len() as u32;
                of_sort.push(FunIx(at as u32));
            }
        }
        let constants = spec.functions.iter().map(|_| OnceLock::new()).collect();
        let mut data = Self {
            store: Store::new(bytes),
            positions,
            marks: Vec::new(),
            constructors,
            units: AppendVec::default(),
            rules: Rules::default(),
            constants,
            instances: AppendVec::default(),
            instance_numbers: Mutex::default(),
            closures: AppendVec::default(),
            closure_numbers: Mutex::default(),
            quantifiers: AppendVec::default(),
            quantifier_numbers: Mutex::default(),
            slow: AppendVec::default(),
            plain: Vec::new(),
            total: Vec::new(),
            rewritten: Vec::new(),
            sizes: Vec::new(),
            listed: Vec::new(),
            step_limit: steps,
            spec,
        };
        data.rules = Rules::sort(&data)?;
        data.marks = data.marks_of_functions();
        data.plain = data.plain_sorts();
        data.total = data.total_sorts();
        data.rewritten = data.rewritten_sorts();
        data.sizes = data.sort_sizes();
        data.listed = data.sizes.iter().map(|_| OnceLock::new()).collect();
        Ok(data)
    }

    fn marks_of_functions(&self) -> Vec<u32> {
        let marks = |at: usize| {
            let function = &self.spec.functions[at];
            match (&function.kind, self.spec.sorts.get(function.result)) {
                (FunKind::Constructor, _) => 0,
                // With more arguments it may reduce.
                (FunKind::Mapping, Sort::Function(..)) => INEXACT,
                _ => OPEN | INEXACT,
            }
        };
        (0..self.spec.functions.len()).map(marks).collect()
    }

    /// Forgets the numbers of lambdas and quantifiers: whoever compiles them next makes new code.
    pub(crate) fn forget_sites(&mut self) {
        self.closure_numbers = Mutex::default();
        self.quantifier_numbers = Mutex::default();
    }

    /// The specification.
    pub fn spec(&self) -> &DataSpec {
        &self.spec
    }

    /// The nodes of all terms.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The number of a built-in function for these sorts.
    pub(crate) fn instance(&self, op: Op, arguments: &[SortIx], result: SortIx) -> Option<u32> {
        let mut numbers = self.instance_numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (op, Box::from(arguments), result);
        if let Some(&number) = numbers.get(&key) {
            return Some(number);
        }
        let instance = Instance { op, arguments: arguments.into(), result, rules: AtomicU32::new(u32::MAX) };
        let number = self.instances.push(instance).filter(|&number| number <= MOST_OF_A_KIND)?;
        numbers.insert(key, number);
        Some(number)
    }

    /// The number of the site of a lambda, made by `make` if it is new.
    pub(crate) fn closure_site(
        &self,
        expr: &Expr,
        make: impl FnOnce() -> Result<ClosureSite, CompileError>,
    ) -> Result<u32, CompileError> {
        number(&self.closure_numbers, &self.closures, expr, make)
    }

    /// The number of the site of a quantifier, likewise.
    pub(crate) fn quantifier_site(
        &self,
        expr: &Expr,
        make: impl FnOnce() -> Result<QuantifierSite, CompileError>,
    ) -> Result<u32, CompileError> {
        number(&self.quantifier_numbers, &self.quantifiers, expr, make)
    }

    /// Which units have the equations of a function.
    pub(crate) fn arities(&self, function: FunIx) -> &Arities {
        &self.rules.functions[function.ix()]
    }

    /// The value of a constructor or another function without arguments, where it is known.
    pub(crate) fn known_constant(&self, function: FunIx) -> Option<u32> {
        self.constants[function.ix()].get().copied()
    }
}

/// The number of what belongs to an expression: made once. Not under the lock, since what is made may have
/// such parts itself.
fn number<T>(
    numbers: &Mutex<HashMap<Expr, u32>>,
    sites: &AppendVec<T>,
    expr: &Expr,
    make: impl FnOnce() -> Result<T, CompileError>,
) -> Result<u32, CompileError> {
    let lock = || numbers.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&number) = lock().get(expr) {
        return Ok(number);
    }
    let made = make()?;
    let mut numbers = lock();
    if let Some(&number) = numbers.get(expr) {
        return Ok(number);
    }
    let number = sites.push(made).filter(|&number| number <= MOST_OF_A_KIND);
    let number = number.ok_or_else(|| CompileError("there are too many lambdas and quantifiers".into()))?;
    numbers.insert(expr.clone(), number);
    Ok(number)
}
