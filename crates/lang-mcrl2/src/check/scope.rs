//! The variables that can be seen: which one a name means.

use std::collections::HashMap;

use terms::VarIx;

use super::types::Ty;

/// The variables that can be seen.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    /// By name, the innermost last.
    bound: HashMap<&'a str, Vec<(VarIx, Ty)>>,
    /// Those of a part with equations. Each equation has its own of them, made when it is first named.
    pub of_equations: HashMap<&'a str, Ty>,
}

impl<'a> Scope<'a> {
    pub fn look_up(&self, name: &str) -> Option<(VarIx, Ty)> {
        self.bound.get(name).and_then(|all| all.last()).copied()
    }

    pub fn enter(&mut self, name: &'a str, var: VarIx, ty: Ty) {
        self.bound.entry(name).or_default().push((var, ty));
    }

    /// The name means again what it meant before.
    pub fn leave(&mut self, name: &str) {
        self.bound.get_mut(name).and_then(Vec::pop).unwrap_or_else(|| panic!("BUG: `{name}` is not bound"));
    }

    /// All names that mean a variable.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        let bound = self.bound.iter().filter(|(_, all)| !all.is_empty()).map(|(&name, _)| name);
        bound.chain(self.of_equations.keys().copied())
    }
}
