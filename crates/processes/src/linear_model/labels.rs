//! The labels of transitions as terms: each kind of multi-action is a constructor of a sort of its own, so a
//! label is a number like any value.

use std::collections::HashMap;
use std::sync::Arc;

use model::{ShowValues, Value};
use terms::{Data, DataSpec, Expr, FunIx, FunKind, Function, Kind, Sort, SortIx, Term, VarIx};

use super::action_text::{self, Declared};
use crate::NameIx;
use crate::linear::{ActionTerm, Summand};

/// The names of a multi-action and the sorts of their arguments, sorted.
pub(crate) type LabelKind = Vec<(NameIx, Vec<SortIx>)>;

/// The kinds of labels that a linear process has.
pub(crate) struct Labels {
    pub(crate) sort: SortIx,
    functions: HashMap<LabelKind, FunIx>,
    /// How the actions of a kind are called, and how many arguments each has.
    shapes: HashMap<FunIx, Vec<(String, Vec<SortIx>)>>,
    /// Variables that stand for the arguments of a kind, of those that have the same action twice.
    arguments: HashMap<LabelKind, Vec<VarIx>>,
}

impl Labels {
    /// Declares all labels of the summands.
    pub(crate) fn declare(summands: &[Summand], names: &[String], data: &mut DataSpec) -> Self {
        let mut name = "action".to_owned();
        while data.sorts.find(&Sort::User(name.as_str().into())).is_some() {
            name.push('\'');
        }
        let sort = data.sorts.add(Sort::User(name.into()));
        let mut labels =
            Self { sort, functions: HashMap::new(), shapes: HashMap::new(), arguments: HashMap::new() };
        for summand in summands {
            labels.add(kind(&sorted(&summand.actions)), names, data);
        }
        labels
    }

    fn add(&mut self, kind: LabelKind, names: &[String], data: &mut DataSpec) {
        if self.functions.contains_key(&kind) {
            return;
        }
        let shape: Vec<(String, Vec<SortIx>)> =
            kind.iter().map(|(name, sorts)| (names[name.0 as usize].clone(), sorts.clone())).collect();
        let name = if shape.is_empty() {
            "tau".to_owned()
        } else {
            shape.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("|")
        };
        let arguments: Vec<SortIx> = kind.iter().flat_map(|(_, sorts)| sorts.iter().copied()).collect();
        if kind.is_sorted_by(|one, other| one < other) {
            // Every action once: they stand in the order of their names.
        } else {
            let variables = arguments.iter().map(|sort| data.variable("argument", *sort)).collect();
            self.arguments.insert(kind.clone(), variables);
        }
        let label = Function { name, arguments, result: self.sort, kind: FunKind::Constructor, span: None };
        let label = data.function(label);
        self.shapes.insert(label, shape);
        self.functions.insert(kind, label);
    }

    /// The label of actions that are sorted.
    pub(crate) fn label(&self, actions: &[ActionTerm]) -> Expr {
        let arguments: Vec<Expr> =
            actions.iter().flat_map(|(_, arguments)| arguments.iter().cloned()).collect();
        Expr::new(Kind::Call(self.functions[&kind(actions)], arguments.into()), self.sort)
    }

    /// Where the same action is there twice: variables for all arguments. The order of equal actions is known
    /// only with their values.
    pub(crate) fn unordered(&self, actions: &[ActionTerm]) -> Option<&[VarIx]> {
        self.arguments.get(&kind(actions)).map(Vec::as_slice)
    }

    /// Shows labels.
    pub(crate) fn shown(self, data: Arc<Data>, declared: Vec<Declared>) -> ShownLabels {
        ShownLabels { data, sort: self.sort, shapes: self.shapes, declared }
    }
}

fn kind(actions: &[ActionTerm]) -> LabelKind {
    let sorts = |list: &[Expr]| list.iter().map(|argument| argument.sort).collect();
    actions.iter().map(|(name, arguments)| (*name, sorts(arguments))).collect()
}

/// Actions in the order of names and sorts.
pub(crate) fn sorted(actions: &[ActionTerm]) -> Vec<ActionTerm> {
    let mut sorted = actions.to_vec();
    sorted.sort_by_cached_key(|(name, list)| {
        (*name, list.iter().map(|argument| argument.sort).collect::<Vec<_>>())
    });
    sorted
}

/// Labels as a person reads them: `a(1)|b(true)`.
pub(crate) struct ShownLabels {
    data: Arc<Data>,
    sort: SortIx,
    shapes: HashMap<FunIx, Vec<(String, Vec<SortIx>)>>,
    /// All actions of the specification.
    declared: Vec<Declared>,
}

impl std::fmt::Debug for ShownLabels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShownLabels").field("sort", &self.sort).finish_non_exhaustive()
    }
}

impl ShowValues for ShownLabels {
    fn show(&self, value: Value) -> String {
        let Some((function, arguments)) = self.data.parts(Term(value), self.sort) else {
            return format!("#{value}");
        };
        let Some(shape) = self.shapes.get(&function) else { return format!("#{value}") };
        let mut arguments = arguments.into_iter();
        let mut actions: Vec<String> = Vec::with_capacity(shape.len());
        for (name, sorts) in shape {
            let texts: Vec<String> = sorts
                .iter()
                .zip(arguments.by_ref())
                .map(|(sort, term)| self.data.show(term, *sort))
                .collect();
            actions.push(if texts.is_empty() {
                name.clone()
            } else {
                format!("{name}({})", texts.join(", "))
            });
        }
        // The order of equal names is that of the terms, which may differ from run to run; that of texts does
        // not.
        actions.sort_by(|one, other| name_of(one).cmp(name_of(other)).then_with(|| one.cmp(other)));
        if actions.is_empty() { "tau".to_owned() } else { actions.join("|") }
    }

    fn may_match(&self, pattern: &str) -> bool {
        action_text::may_match(pattern, &self.declared, self.data.spec())
    }

    fn shapes(&self) -> Vec<String> {
        action_text::shapes(&self.declared, self.data.spec())
    }

    fn named(&self, text: &str) -> Option<Value> {
        let names = |function: FunIx| match &self.shapes[&function][..] {
            [] => text == "tau",
            shape => shape.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("|") == text,
        };
        let spec = self.data.spec();
        let constructors = spec.constructors(self.sort).enumerate();
        let mut plain =
            constructors.filter(|(_, function)| spec.functions[function.ix()].arguments.is_empty());
        plain.find(|(_, function)| names(*function)).map(|(at, _)| at as Value)
    }
}

fn name_of(action: &str) -> &str {
    action.split('(').next().unwrap_or(action)
}

/// The values of a sort as a person reads them.
pub(crate) struct ShownTerms {
    pub(crate) data: Arc<Data>,
    pub(crate) sort: SortIx,
}

impl std::fmt::Debug for ShownTerms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShownTerms").field("sort", &self.sort).finish_non_exhaustive()
    }
}

impl ShowValues for ShownTerms {
    fn show(&self, value: Value) -> String {
        self.data.show(Term(value), self.sort)
    }

    fn named(&self, text: &str) -> Option<Value> {
        let spec = self.data.spec();
        let least = match spec.sorts.get(self.sort) {
            Sort::Bool => return text.parse().ok().map(|truth| Term::truth(truth).0),
            Sort::List(_) => return (text == "[]").then_some(Term::EMPTY.0),
            Sort::FSet(_) => return (text == "{}").then_some(Term::EMPTY.0),
            Sort::FBag(_) => return (text == "{:}").then_some(Term::EMPTY.0),
            Sort::User(_) => {
                let is_it = |function: FunIx| {
                    let Function { name, arguments, .. } = &spec.functions[function.ix()];
                    name == text && arguments.is_empty()
                };
                return spec.constructors(self.sort).position(is_it).map(|at| at as Value);
            }
            Sort::Pos => 1,
            Sort::Nat => 0,
            Sort::Int | Sort::Real => i64::MIN,
            _ => return None,
        };
        let number: i64 = text.parse().ok().filter(|number| *number >= least)?;
        Term::from_small(number).map(|term| term.0)
    }
}
