//! A specification made ready to be evaluated.

use std::collections::HashMap;
use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, OnceLock, PoisonError};

use base::Diagnostic;

use crate::build::Builder;
use crate::code::{ClosureSite, Instance, SlowSite, Unit, UnitIx};
use crate::domain::Listed;
use crate::growing::Growing;
use crate::node::{INEXACT, MOST_OF_A_KIND, OPEN};
use crate::rules::{Head, Levels, Rules};
use crate::short::Short;
use crate::store::{Recent, Store};
use crate::sum::QuantifierSite;
use crate::{DataSpec, Evaluator, Expr, FunIx, FunKind, Layout, Op, Sort, SortIx, Term};

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
    pub(crate) units: Growing<Unit>,
    pub(crate) rules: Rules,
    /// Values of functions without arguments, as far as they are known.
    pub(crate) constants: Vec<OnceLock<u32>>,
    pub(crate) instances: Growing<Instance>,
    instance_numbers: Mutex<HashMap<Typed, u32>>,
    pub(crate) closures: Growing<ClosureSite>,
    closure_numbers: Mutex<HashMap<Expr, u32>>,
    pub(crate) quantifiers: Growing<QuantifierSite>,
    quantifier_numbers: Mutex<HashMap<Expr, u32>>,
    pub(crate) slow: Growing<SlowSite>,
    /// Of each sort: whether two terms without marks are equal only if they are the same.
    pub(crate) plain: Vec<bool>,
    /// Of each sort: whether its order is total.
    pub(crate) total: Vec<bool>,
    pub(crate) sizes: Vec<Option<u64>>,
    pub(crate) listed: Listed,
    pub(crate) step_limit: u64,
}

/// A built-in function with the sorts of its arguments and of its answer.
type Typed = (Op, Box<[SortIx]>, SortIx);

/// An expression compiled for environments of one layout.
#[derive(Clone, Debug)]
pub struct Code {
    pub(crate) unit: UnitIx,
    /// Which places of the environment are its arguments.
    pub(crate) loads: Box<[u32]>,
    /// The sort of what it comes to.
    pub sort: SortIx,
    /// What it is, where that is very little.
    pub(crate) short: Short,
}

/// An expression that cannot be compiled: it is too large, or has a variable that is not in the layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError(pub String);

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CompileError {}

/// Steps of one evaluation after which it is said not to end.
const STEPS: u64 = 50_000_000;
/// Memory for nodes of terms.
const MOST_BYTES: u64 = 1 << 33;

impl Data {
    /// Compiles a specification.
    ///
    /// # Errors
    /// All equations that cannot be used from left to right.
    pub fn new(spec: DataSpec) -> Result<Self, Vec<Diagnostic>> {
        Self::with_limits(spec, STEPS, MOST_BYTES)
    }

    /// The same with limits of one's own: steps of one evaluation, and bytes for the nodes of terms.
    ///
    /// # Errors
    /// All equations that cannot be used from left to right.
    pub fn with_limits(spec: DataSpec, steps: u64, bytes: u64) -> Result<Self, Vec<Diagnostic>> {
        let too_many = |what: &str| {
            vec![Diagnostic {
                severity: base::Severity::Error,
                message: format!("there are too many {what}"),
                span: None,
                label: String::new(),
                help: None,
            }]
        };
        if spec.functions.len() > MOST_OF_A_KIND as usize {
            return Err(too_many("functions"));
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
            units: Growing::default(),
            rules: Rules::default(),
            constants,
            instances: Growing::default(),
            instance_numbers: Mutex::default(),
            closures: Growing::default(),
            closure_numbers: Mutex::default(),
            quantifiers: Growing::default(),
            quantifier_numbers: Mutex::default(),
            slow: Growing::default(),
            plain: Vec::new(),
            total: Vec::new(),
            sizes: Vec::new(),
            listed: Vec::new(),
            step_limit: steps,
            spec,
        };
        data.rules = Rules::sort(&data)?;
        data.marks = data.marks_of_functions();
        data.plain = data.plain_sorts();
        data.total = data.total_sorts();
        data.sizes = data.sort_sizes();
        data.listed = data.sizes.iter().map(|_| OnceLock::new()).collect();
        data.compile_rules()?;
        // Functions without arguments are given their value, and everything is compiled once more with these.
        // Values with functions in them wait for that: they would be of units that are not used any more.
        if data.fold_constants(false) {
            data.compile_rules()?;
        }
        data.fold_constants(true);
        Ok(data)
    }

    /// The specification.
    pub fn spec(&self) -> &DataSpec {
        &self.spec
    }

    /// The nodes of all terms.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// One that evaluates, for one thread.
    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(self)
    }

    /// Compiles an expression whose free variables are in the layout.
    ///
    /// # Errors
    /// An expression that is too large, or with a variable that is not in the layout.
    pub fn compile(&self, expr: &Expr, layout: &Layout) -> Result<Code, CompileError> {
        let vars: Vec<_> = expr.free().into_iter().collect();
        let mut loads = Vec::with_capacity(vars.len());
        for &var in &vars {
            let name = || self.spec.vars.get(var.ix()).map_or("?", |var| var.name.as_str());
            let place =
                layout.place(var).ok_or_else(|| CompileError(format!("`{}` has no value here", name())))?;
            loads.push(place as u32);
        }
        let mut recent = Recent::small();
        let short = Short::of(self, &mut recent, expr, layout);
        let unit = Builder::new(self, &mut recent).unit(&vars, expr, None)?;
        let unit =
            self.units.push(unit).ok_or_else(|| CompileError("there are too many expressions".into()))?;
        Ok(Code { unit, loads: loads.into(), sort: expr.sort, short })
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
    pub(crate) fn levels(&self, function: FunIx) -> &Levels {
        &self.rules.functions[function.ix()]
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

    fn compile_rules(&mut self) -> Result<(), Vec<Diagnostic>> {
        let groups = std::mem::take(&mut self.rules.groups);
        let failed = |message: String| {
            vec![Diagnostic {
                severity: base::Severity::Error,
                message,
                span: None,
                label: String::new(),
                help: None,
            }]
        };
        let first =
            self.units.reserve(groups.len()).ok_or_else(|| failed("there are too many functions".into()))?;
        self.rules.place(&groups, first, &self.instances);
        self.closure_numbers = Mutex::default();
        self.quantifier_numbers = Mutex::default();
        let mut recent = Recent::small();
        let mut errors = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            match Builder::new(self, &mut recent).rules(group) {
                Ok(unit) => self.units.set(first + at as u32, unit),
                Err(CompileError(message)) => errors.push(Diagnostic {
                    severity: base::Severity::Error,
                    message,
                    span: group.rules.first().and_then(|&rule| self.spec.equations[rule].span),
                    label: String::new(),
                    help: None,
                }),
            }
        }
        self.rules.groups = groups;
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Evaluates what has no arguments; says whether anything new has a value now. Values with functions in
    /// them only if so asked.
    fn fold_constants(&mut self, functions: bool) -> bool {
        let mut found = Vec::new();
        let mut evaluator = Evaluator::new(self);
        for group in &self.rules.groups {
            if let Head::Function(function, 0) = group.head
                && self.spec.functions[function.ix()].arguments.is_empty()
                && let Some(unit) = self.levels(function).unit(0)
                && self.known_constant(function).is_none()
                && let Ok(value) = evaluator.constant(unit)
                && !self.is_open(value)
                && (functions || self.is_exact(value))
            {
                found.push((function, value));
            }
        }
        for &(function, value) in &found {
            let _ = self.constants[function.ix()].set(value);
        }
        !found.is_empty()
    }

    /// The value of a constructor or another function without arguments, where it is known.
    pub(crate) fn known_constant(&self, function: FunIx) -> Option<u32> {
        self.constants[function.ix()].get().copied()
    }

    /// A closed expression as a term.
    ///
    /// # Errors
    /// What can go wrong in an evaluation.
    pub fn evaluate(&self, expr: &Expr) -> Result<Result<Term, crate::EvalFault>, CompileError> {
        let code = self.compile(expr, &Layout::new())?;
        Ok(self.evaluator().eval(&code, &[]))
    }
}

/// The number of what belongs to an expression: made once. Not under the lock, since what is made may have
/// such parts itself.
fn number<T>(
    numbers: &Mutex<HashMap<Expr, u32>>,
    sites: &Growing<T>,
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
