//! A specification becomes [`Data`]: its equations are compiled, functions without arguments are given their
//! value, and everything is compiled once more with these values in place.

use base::Diagnostic;

use crate::data::Head;
use crate::{CompileError, Data, DataSpec, EvalFault, Expr, Term, VarPlaces};

/// Steps after which an expression is not evaluated in advance.
const STEPS: u64 = 1_000_000;
/// Memory for nodes of terms.
const MOST_BYTES: u64 = 1 << 33;

impl Data {
    /// Compiles a specification.
    ///
    /// # Errors
    /// All equations that cannot be used from left to right.
    pub fn new(spec: DataSpec) -> Result<Self, Vec<Diagnostic>> {
        Self::with_limits(spec, u64::MAX, MOST_BYTES)
    }

    /// The same with limits of one's own: steps of one evaluation, and bytes for the nodes of terms.
    ///
    /// # Errors
    /// All equations that cannot be used from left to right.
    pub fn with_limits(spec: DataSpec, steps: u64, bytes: u64) -> Result<Self, Vec<Diagnostic>> {
        let mut data = Self::unprepared(spec, steps, bytes)?;
        data.compile_rules()?;
        // Functions without arguments are given their value, and everything is compiled once more with these.
        // Values with functions in them wait for that: they would be of units that are not used any more.
        if data.fold_constants(false) {
            data.compile_rules()?;
        }
        data.fold_constants(true);
        Ok(data)
    }

    /// Evaluates what has no arguments; says whether anything new has a value now. Values with functions in
    /// them only if so asked.
    fn fold_constants(&mut self, functions: bool) -> bool {
        let mut found = Vec::new();
        let mut evaluator = self.evaluator();
        for group in &self.rules.groups {
            if let Head::Function(function, 0) = group.head
                && self.spec.functions[function.ix()].arguments.is_empty()
                && let Some(unit) = self.arities(function).unit(0)
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

    /// A closed expression as a term, if that does not take too many steps.
    ///
    /// # Errors
    /// What can go wrong in an evaluation.
    pub fn evaluate_soon(&self, expr: &Expr) -> Result<Result<Term, EvalFault>, CompileError> {
        let code = self.compile(expr, &VarPlaces::new())?;
        Ok(self.brief_evaluator().eval_within(&code, STEPS))
    }

    /// A closed expression as a term, however long that takes.
    ///
    /// # Errors
    /// What can go wrong in an evaluation.
    pub fn evaluate(&self, expr: &Expr) -> Result<Result<Term, EvalFault>, CompileError> {
        let code = self.compile(expr, &VarPlaces::new())?;
        Ok(self.brief_evaluator().eval(&code, &[]))
    }
}
