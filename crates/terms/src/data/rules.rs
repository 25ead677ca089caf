//! Equations by the function that stands at the head of their left side, and by how many arguments they
//! match: `f(x)(y) = …` is an equation of f for two arguments.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::Ordering::Relaxed;

use base::{Diagnostic, Severity, Span};

use super::Data;
use super::append_vec::AppendVec;
use crate::code::{Instance, UnitIx};
use crate::{Equation, Expr, FunIx, Kind, Op, SortIx};

/// What stands at the head of the left side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Head {
    /// A function with this many arguments in all: those of `f(x)(y)` are two.
    Function(FunIx, usize),
    /// A built-in function.
    Instance(u32),
}

/// Equations with the same head, in the order of the text.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) head: Head,
    /// Numbers of equations.
    pub(crate) rules: Vec<usize>,
    /// How many arguments they match.
    pub(crate) arguments: usize,
}

/// The units of a function, by how many arguments it is given.
#[derive(Clone, Default, Debug)]
pub(crate) struct Arities {
    units: Vec<(usize, UnitIx, bool)>,
}

impl Arities {
    /// The unit for this many arguments.
    #[inline]
    pub(crate) fn unit(&self, arguments: usize) -> Option<UnitIx> {
        self.units.iter().find(|(count, ..)| *count == arguments).map(|&(_, unit, _)| unit)
    }

    /// Whether there are equations for this many arguments.
    pub(crate) fn has_rules(&self, arguments: usize) -> bool {
        self.units.iter().any(|&(count, _, rules)| count == arguments && rules)
    }

    /// Whether there are equations for more arguments than these.
    pub(crate) fn goes_on_after(&self, arguments: usize) -> bool {
        self.units.iter().any(|&(count, ..)| count > arguments)
    }
}

/// All equations.
#[derive(Default, Debug)]
pub(crate) struct Rules {
    pub(crate) groups: Vec<Group>,
    pub(crate) functions: Vec<Arities>,
}

impl Rules {
    /// Sorts the equations by their heads. Every function has a group for its own number of arguments, empty
    /// or not.
    pub(crate) fn sort(data: &Data) -> Result<Self, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let mut groups: BTreeMap<Head, Group> = BTreeMap::new();
        for (at, function) in data.spec.functions.iter().enumerate() {
            let arguments = function.arguments.len();
            let head = Head::Function(FunIx(at as u32), arguments);
            groups.insert(head, Group { head, rules: Vec::new(), arguments });
        }
        for (at, equation) in data.spec.equations.iter().enumerate() {
            match head(data, equation) {
                Ok((head, arguments)) => {
                    let new = || Group { head, rules: Vec::new(), arguments };
                    groups.entry(head).or_insert_with(new).rules.push(at);
                }
                Err(message) => errors.push(error(message, equation.span)),
            }
            let bound = equation.left.free();
            let mut used = equation.right.free();
            used.extend(equation.condition.iter().flat_map(Expr::free));
            let missing: Vec<String> = (used.difference(&bound))
                .map(|var| format!("`{}`", data.spec.vars.get(var.ix()).map_or("?", |var| &var.name)))
                .collect();
            if !missing.is_empty() {
                let names = missing.join(", ");
                let message = format!("{names} stands in this equation, but not on its left side");
                errors.push(error(message, equation.span));
            }
        }
        let groups = groups.into_values().collect();
        let functions = vec![Arities::default(); data.spec.functions.len()];
        if errors.is_empty() { Ok(Self { groups, functions }) } else { Err(errors) }
    }

    /// Says which units the groups are: that many from `first` on.
    pub(crate) fn place(&mut self, groups: &[Group], first: UnitIx, instances: &AppendVec<Instance>) {
        self.functions.iter_mut().for_each(|arities| arities.units.clear());
        for (unit, group) in (first..).zip(groups) {
            match group.head {
                Head::Function(function, arguments) => {
                    self.functions[function.ix()].units.push((arguments, unit, !group.rules.is_empty()));
                }
                Head::Instance(instance) => instances.get(instance).rules.store(unit, Relaxed),
            }
        }
    }

    /// Whether there are equations for a function with this many arguments.
    pub(crate) fn has_rules(&self, function: FunIx, arguments: usize) -> bool {
        let head = Head::Function(function, arguments);
        self.groups.iter().any(|group| group.head == head && !group.rules.is_empty())
    }

    /// Sorts with equations of their own for `==` or the order.
    pub(crate) fn compared(&self, data: &Data) -> HashSet<SortIx> {
        let mut sorts = HashSet::new();
        for group in &self.groups {
            if let Head::Instance(instance) = group.head {
                let instance = data.instances.get(instance);
                if instance.op == Op::Equal {
                    sorts.extend(instance.arguments.first());
                }
            }
        }
        sorts
    }
}

/// An error at a place of the text, if there is one.
pub(crate) fn error(message: String, span: Option<Span>) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message, span, label: String::new(), help: None }
}

fn head(data: &Data, equation: &Equation) -> Result<(Head, usize), String> {
    let (mut expr, mut arguments) = (&equation.left, 0);
    loop {
        match &*expr.kind {
            Kind::Apply(inner, given) => {
                arguments += given.len();
                expr = inner;
            }
            Kind::Call(function, given) => {
                arguments += given.len();
                return Ok((Head::Function(*function, arguments), arguments));
            }
            Kind::Function(function) => return Ok((Head::Function(*function, arguments), arguments)),
            Kind::Op(op, given) if arguments == 0 => {
                let sorts: Vec<SortIx> = given.iter().map(|given| given.sort).collect();
                let instance =
                    data.instance(*op, &sorts, expr.sort).ok_or("there are too many built-in functions")?;
                return Ok((Head::Instance(instance), given.len()));
            }
            _ => return Err("the left side of an equation must be a function with arguments".to_owned()),
        }
    }
}

/// The arguments that a left side matches, in order.
pub(crate) fn left_arguments(left: &Expr) -> Vec<&Expr> {
    match &*left.kind {
        Kind::Apply(inner, given) => {
            let mut all = left_arguments(inner);
            all.extend(given.iter());
            all
        }
        Kind::Call(_, given) | Kind::Op(_, given) => given.iter().collect(),
        _ => Vec::new(),
    }
}
