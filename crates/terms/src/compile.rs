//! From equations and expressions to code.
//!
//! `builder` makes one unit: registers, labels, and what stands at its end. On it stand `values` and
//! `operators` (the value of an expression), `constants` (expressions that are terms already), `conditions`
//! (truth values as jumps), `matching` (all equations of one function) and `immediate` (expressions that need
//! no unit). `sums` plans in which order the variables of a sum get their values, by what `isolate` reads
//! from conditions.

mod builder;
mod conditions;
mod constants;
mod immediate;
mod isolate;
mod matching;
mod operators;
mod sums;
mod values;

use base::Diagnostic;

use crate::data::error;
use crate::store::Recent;
use crate::{Code, CompileError, Data, Expr, VarPlaces};

pub(crate) use builder::Builder;
use immediate::immediate_of;

impl Data {
    /// Compiles an expression whose free variables are in the places.
    ///
    /// # Errors
    /// An expression that is too large, or with a variable that is not in the places.
    pub fn compile(&self, expr: &Expr, places: &VarPlaces) -> Result<Code, CompileError> {
        let vars: Vec<_> = expr.free().into_iter().collect();
        let mut loads = Vec::with_capacity(vars.len());
        for &var in &vars {
            let name = || self.spec.vars.get(var.ix()).map_or("?", |var| var.name.as_str());
            let place =
                places.place(var).ok_or_else(|| CompileError(format!("`{}` has no value here", name())))?;
            loads.push(place as u32);
        }
        let mut recent = Recent::small();
        let immediate = immediate_of(self, &mut recent, expr, places);
        let unit = Builder::new(self, &mut recent).unit(&vars, expr, None)?;
        let unit =
            self.units.push(unit).ok_or_else(|| CompileError("there are too many expressions".into()))?;
        Ok(Code { unit, loads: loads.into(), sort: expr.sort, immediate })
    }

    /// Compiles all equations: a unit for each group of [`crate::data::Group`].
    pub(crate) fn compile_rules(&mut self) -> Result<(), Vec<Diagnostic>> {
        let groups = std::mem::take(&mut self.rules.groups);
        let Some(first) = self.units.reserve(groups.len()) else {
            return Err(vec![error("there are too many functions".into(), None)]);
        };
        self.rules.place(&groups, first, &self.instances);
        self.forget_sites();
        let mut recent = Recent::small();
        let mut errors = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            match Builder::new(self, &mut recent).rules(group) {
                Ok(unit) => self.units.set(first + at as u32, unit),
                Err(CompileError(message)) => {
                    let span = group.rules.first().and_then(|&rule| self.spec.equations[rule].span);
                    errors.push(error(message, span));
                }
            }
        }
        self.rules.groups = groups;
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
