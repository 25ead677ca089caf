//! What a text declares: sorts, functions, actions, processes. Functions, actions and processes are told
//! apart by their names and the sorts of their arguments.

use std::collections::{HashMap, HashSet};

use base::{Diagnostic, Span, closest};
use processes::{ActIx, Action, NameIx, ProcIx};
use terms::{DataSpec, FunIx, FunKind, Function, Sort, SortIx, VarIx};

use crate::ast::{Name, Specification};
use crate::problems::{Problems, Reported};

/// What a name with arguments of some sorts is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Callee {
    Function(FunIx),
    /// `T` or `F`, the values of `Bool`.
    Truth(bool),
}

/// All that one name stands for, each with the sorts of its arguments.
pub(crate) type Overloads<T> = Vec<(Vec<SortIx>, T)>;

/// Everything that is declared.
pub(crate) struct Declarations<'a> {
    pub(crate) data: DataSpec,
    pub(crate) sorts: HashMap<&'a str, SortIx>,
    pub(crate) functions: HashMap<&'a str, Overloads<Callee>>,
    pub(crate) names: Vec<String>,
    pub(crate) actions: Vec<Action>,
    pub(crate) actions_of: HashMap<&'a str, (NameIx, Overloads<ActIx>)>,
    /// For each process, in the order of the text, its parameters; nothing where they are wrong.
    pub(crate) parameters: Vec<Option<Vec<VarIx>>>,
    pub(crate) processes: HashMap<&'a str, Overloads<ProcIx>>,
    /// Names of which a declaration is wrong: that they do not fit somewhere tells nothing new.
    pub(crate) broken: HashSet<&'a str>,
    pub(crate) problems: Problems,
}

/// All declarations of a text.
pub(crate) fn declare<'a>(tree: &Specification<'a>) -> Declarations<'a> {
    let mut all = Declarations {
        data: DataSpec::default(),
        sorts: HashMap::new(),
        functions: HashMap::new(),
        names: Vec::new(),
        actions: Vec::new(),
        actions_of: HashMap::new(),
        parameters: Vec::new(),
        processes: HashMap::new(),
        broken: HashSet::new(),
        problems: Problems::default(),
    };
    all.declare_sorts(tree);
    all.declare_functions(tree);
    all.check_truth();
    all.declare_actions(tree);
    all.declare_processes(tree);
    all
}

impl<'a> Declarations<'a> {
    fn declare_sorts(&mut self, tree: &Specification<'a>) {
        for name in &tree.sorts {
            // The only built-in sort that µCRL has.
            let sort = match name.text {
                "Bool" => SortIx::BOOL,
                other => self.data.sorts.add(Sort::User(other.into())),
            };
            if self.sorts.insert(name.text, sort).is_some() {
                self.problems.error(format!("the sort `{}` is declared twice", name.text), name.span, "");
            }
        }
    }

    /// The sort with this name.
    pub(crate) fn sort(&mut self, name: Name<'a>) -> Result<SortIx, Reported> {
        if let Some(&sort) = self.sorts.get(name.text) {
            return Ok(sort);
        }
        let label = not_declared(name.text, self.sorts.keys().copied());
        let problem = Diagnostic::error(format!("there is no sort `{}`", name.text), name.span).label(label);
        let help = match name.text {
            "Bool" => "every text declares it: sort Bool func T,F:->Bool".to_owned(),
            other => format!("declare it: sort {other}"),
        };
        Err(self.problems.add(problem.help(help)))
    }

    fn sorts(&mut self, names: &[Name<'a>]) -> Result<Vec<SortIx>, Reported> {
        // All of them, so that all that are missing are reported.
        let sorts: Vec<Result<SortIx, Reported>> = names.iter().map(|&name| self.sort(name)).collect();
        sorts.into_iter().collect()
    }

    fn declare_functions(&mut self, tree: &Specification<'a>) {
        for section in &tree.functions {
            let arguments = self.sorts(&section.arguments);
            let result = self.sort(section.result);
            let (Ok(arguments), Ok(result)) = (arguments, result) else {
                self.broken.extend(section.names.iter().map(|name| name.text));
                continue;
            };
            for &name in &section.names {
                let is_value = section.makes_values;
                let callee = match (name.text, arguments.is_empty() && result == SortIx::BOOL && is_value) {
                    (text @ ("T" | "F"), true) => Callee::Truth(text == "T"),
                    _ if is_value && result == SortIx::BOOL => {
                        let message = format!("`{}` would be a value of sort Bool beside T and F", name.text);
                        self.problems.error(message, name.span, "declare it under map");
                        continue;
                    }
                    _ => {
                        let kind = if is_value { FunKind::Constructor } else { FunKind::Mapping };
                        let (name, span) = (name.text.to_owned(), Some(name.span));
                        let arguments = arguments.clone();
                        Callee::Function(self.data.function(Function { name, arguments, result, kind, span }))
                    }
                };
                let overloads = self.functions.entry(name.text).or_default();
                if overloads.iter().any(|(sorts, _)| *sorts == arguments) {
                    let message =
                        format!("the function `{}` is declared twice for these arguments", name.text);
                    self.problems.error(message, name.span, "");
                } else {
                    overloads.push((arguments.clone(), callee));
                }
            }
        }
    }

    /// Where there is a sort Bool there are T and F: conditions are made of them.
    fn check_truth(&mut self) {
        if !self.sorts.contains_key("Bool") {
            return;
        }
        for name in ["T", "F"] {
            let overloads = self.functions.get(name).into_iter().flatten();
            if !overloads.into_iter().any(|(_, callee)| matches!(callee, Callee::Truth(_))) {
                let message = format!("the sort Bool has no value `{name}`");
                let problem = Diagnostic { span: None, ..Diagnostic::error(message, Span::new(0, 0)) };
                self.problems.add(problem.help("declare them: func T,F:->Bool"));
                self.broken.insert(name);
            }
        }
    }

    fn declare_actions(&mut self, tree: &Specification<'a>) {
        for section in &tree.actions {
            let Ok(sorts) = self.sorts(&section.sorts) else {
                self.broken.extend(section.names.iter().map(|name| name.text));
                continue;
            };
            for name in &section.names {
                let (names, actions) = (&mut self.names, &mut self.actions);
                let (number, overloads) = self.actions_of.entry(name.text).or_insert_with(|| {
                    names.push(name.text.to_owned());
                    (NameIx(names.len() as u32 - 1), Vec::new())
                });
                if overloads.iter().any(|(other, _)| *other == sorts) {
                    let message = format!("the action `{}` is declared twice for these arguments", name.text);
                    self.problems.error(message, name.span, "");
                } else {
                    overloads.push((sorts.clone(), ActIx(actions.len() as u32)));
                    actions.push(Action { name: *number, sorts: sorts.clone() });
                }
            }
        }
    }

    fn declare_processes(&mut self, tree: &Specification<'a>) {
        for (number, process) in tree.processes.iter().enumerate() {
            let name = process.name;
            let mut parameters = Vec::new();
            let mut seen = HashSet::new();
            for &(parameter, sort) in &process.parameters {
                if !seen.insert(parameter.text) {
                    let message = format!("the parameter `{}` is there twice", parameter.text);
                    self.problems.error(message, parameter.span, "");
                    self.broken.insert(name.text);
                }
                parameters.push(self.sort(sort).map(|sort| self.data.variable(parameter.text, sort)));
            }
            let Ok(parameters) = parameters.into_iter().collect::<Result<Vec<VarIx>, Reported>>() else {
                self.broken.insert(name.text);
                self.parameters.push(None);
                continue;
            };
            let sorts: Vec<SortIx> =
                parameters.iter().map(|&parameter| self.data.vars[parameter.ix()].sort).collect();
            let is_action = self
                .actions_of
                .get(name.text)
                .is_some_and(|(_, all)| all.iter().any(|(other, _)| *other == sorts));
            let overloads = self.processes.entry(name.text).or_default();
            if is_action {
                let message = format!("`{}` is an action with these arguments, too", name.text);
                self.problems.error(message, name.span, "give the process another name");
            } else if overloads.iter().any(|(other, _)| *other == sorts) {
                let message = format!("the process `{}` is declared twice for these parameters", name.text);
                self.problems.error(message, name.span, "");
            } else {
                overloads.push((sorts, ProcIx(number as u32)));
            }
            self.parameters.push(Some(parameters));
        }
    }

    /// `(Nat, Bool)`
    pub(crate) fn show(&self, sorts: &[SortIx]) -> String {
        let shown: Vec<String> = sorts.iter().map(|&sort| self.data.sorts.show(sort)).collect();
        format!("({})", shown.join(", "))
    }
}

/// A name that is close, or that there is none.
pub(crate) fn not_declared<'b>(name: &str, known: impl Iterator<Item = &'b str>) -> String {
    // In an order of its own: that of a hash table is another one in each run.
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    match closest(name, known) {
        Some(near) => format!("not declared; did you mean `{near}`?"),
        None => "not declared".to_owned(),
    }
}
