//! From the tree to a typed specification, and what all parts of the checker share.
//!
//! Sorts come first (`sorts`, with `types` for those that are not fully known), then functions and
//! `equations`, then `actions` and `processes`. An expression is walked twice: `infer` finds what it can be,
//! `elaborate` what it is. The built-in functions are a table, `builtins`.

mod actions;
mod builtins;
mod elaborate;
mod equations;
mod infer;
mod processes;
mod scope;
mod sorts;
mod types;

use std::collections::{HashMap, HashSet};

use ::processes::{ActIx, NameIx, ProcIx, Process, ProcessSpec, ProcessTerm, ProcessTermKind};
use base::{Diagnostic, Span, closest};
use terms::{DataSpec, Expr, FunIx, FunKind, Function, SortIx, VarIx};

use crate::ast::{Binding, Name, Specification};

use scope::Scope;
use sorts::{Alias, StructKey};
use types::{Ty, Types};

/// After this many messages nobody reads on.
const MOST_PROBLEMS: usize = 100;

/// How many ways to read expressions are tried before a text is refused: overloading can be piled up without
/// end.
const MOST_TRIES: u64 = 20_000_000;

/// The checker and what it has made so far.
pub(crate) struct Checker<'a> {
    pub data: DataSpec,
    pub types: Types,
    /// The sorts that have names.
    pub aliases: HashMap<&'a str, Alias<'a>>,
    /// Structured sorts by what they are made of: equal ones are one.
    pub structs: HashMap<StructKey<'a>, Ty>,
    /// How many sorts of functions, sets and bags are around the one being looked at.
    pub strict: usize,
    /// How many names of sorts are being looked up inside each other.
    pub alias_depth: usize,
    /// The functions by name.
    pub functions: HashMap<&'a str, Vec<FunIx>>,
    /// Arguments and result of each function.
    pub profiles: Vec<(Box<[Ty]>, Ty)>,
    pub scope: Scope<'a>,
    /// Of the equation being read: its variables, and where each was first named.
    pub equation: Vec<(VarIx, Span)>,
    pub equation_vars: HashMap<&'a str, VarIx>,
    pub names: Vec<String>,
    pub actions: Vec<::processes::Action>,
    pub actions_by_name: HashMap<&'a str, (NameIx, Vec<ActIx>)>,
    /// The sorts of each action's arguments.
    pub action_types: Vec<Box<[Ty]>>,
    pub processes: Vec<ProcessHead<'a>>,
    pub processes_by_name: HashMap<&'a str, Vec<ProcIx>>,
    /// The process whose body is being read.
    pub inside: Option<ProcIx>,
    /// Names that are not known and were reported: once is enough.
    reported: HashSet<String>,
    problems: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    tries: u64,
}

/// A process as its callers see it.
pub(crate) struct ProcessHead<'a> {
    pub parameters: Vec<(&'a str, VarIx, Ty)>,
}

/// The typed specification and warnings, or all that is wrong.
pub(crate) fn check<'a>(
    text: &'a Specification<'a>,
) -> Result<(ProcessSpec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut checker = Checker::new();
    checker.sorts(text);
    checker.declare_functions(&text.constructors, FunKind::Constructor);
    checker.declare_functions(&text.mappings, FunKind::Mapping);
    checker.refuse_empty_sorts();
    for section in &text.equations {
        checker.equations(section);
    }
    checker.declare_actions(&text.actions);
    checker.declare_processes(&text.processes);
    // From here on: equations do not see them.
    let globals: Vec<VarIx> = checker.enter(&text.globals).into_iter().map(|(_, var, _)| var).collect();
    let processes: Vec<Process> = checker.process_bodies(&text.processes);
    let init = match &text.init {
        Some(init) => checker.process(init),
        None => ProcessTerm::new(ProcessTermKind::Delta, None),
    };
    if !checker.problems.is_empty() {
        return Err(checker.problems);
    }
    let Checker { data, names, actions, warnings, .. } = checker;
    Ok((ProcessSpec { data, names, actions, processes, globals, init }, warnings))
}

impl<'a> Checker<'a> {
    fn new() -> Self {
        Self {
            data: DataSpec::default(),
            types: Types::new(),
            aliases: HashMap::new(),
            structs: HashMap::new(),
            strict: 0,
            alias_depth: 0,
            functions: HashMap::new(),
            profiles: Vec::new(),
            scope: Scope::default(),
            equation: Vec::new(),
            equation_vars: HashMap::new(),
            names: Vec::new(),
            actions: Vec::new(),
            actions_by_name: HashMap::new(),
            action_types: Vec::new(),
            processes: Vec::new(),
            processes_by_name: HashMap::new(),
            inside: None,
            reported: HashSet::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
            tries: 0,
        }
    }

    pub fn report(&mut self, problem: Diagnostic) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Counts one more way to read something. False when that was too much; the message is left.
    pub fn may_try(&mut self, span: Span) -> bool {
        self.tries += 1;
        if self.tries == MOST_TRIES {
            self.report(
                Diagnostic::error("there are too many ways to read the expressions of this text", span)
                    .help("give functions of different sorts different names"),
            );
        }
        self.tries < MOST_TRIES
    }

    /// The sort of a type that is fully known.
    pub fn sort_of(&mut self, ty: Ty) -> SortIx {
        self.types.sort(ty, &mut self.data.sorts)
    }

    /// A new variable.
    pub fn variable(&mut self, name: &str, ty: Ty) -> VarIx {
        let sort = self.sort_of(ty);
        self.data.variable(name, sort)
    }

    /// What stands for an expression that was reported to be wrong.
    pub fn broken(&mut self, ty: Ty) -> Expr {
        let sort = self.sort_of(ty);
        Expr { sort, ..Expr::truth(false) }
    }

    /// A function that the text declares.
    pub fn declare_function(
        &mut self,
        name: Name<'a>,
        arguments: Box<[Ty]>,
        result: Ty,
        kind: FunKind,
    ) -> FunIx {
        let same = self.functions.get(name.text).into_iter().flatten().copied();
        if let Some(same) = same.into_iter().find(|f| self.profiles[f.ix()] == (arguments.clone(), result)) {
            let message = format!("`{}` is declared twice with the same sort", name.text);
            let help = "remove one of them, or give it another name or other sorts";
            if self.data.functions[same.ix()].kind == kind {
                self.warnings.push(Diagnostic::warning(message, name.span).help(help));
            } else {
                self.report(Diagnostic::error(message, name.span).help(help));
            }
            return same;
        }
        let sorts: Vec<SortIx> = arguments.iter().map(|&argument| self.sort_of(argument)).collect();
        let sort = self.sort_of(result);
        let function = Function {
            name: name.text.to_owned(),
            arguments: sorts,
            result: sort,
            kind,
            span: Some(name.span),
        };
        let number = self.data.function(function);
        self.profiles.push((arguments, result));
        self.functions.entry(name.text).or_default().push(number);
        number
    }

    /// Makes the variables of these declarations known, until [`Self::leave`].
    pub fn enter(&mut self, bindings: &'a [Binding<'a>]) -> Vec<(&'a str, VarIx, Ty)> {
        let mut entered = Vec::new();
        let mut seen = HashSet::new();
        for binding in bindings {
            let ty = self.sort(&binding.sort);
            for &name in &binding.names {
                self.refuse_clash(name);
                if !seen.insert(name.text) {
                    self.report(
                        Diagnostic::error(format!("variable `{}` is declared twice", name.text), name.span)
                            .help("give one of them another name"),
                    );
                    continue;
                }
                let var = self.variable(name.text, ty);
                entered.push((name.text, var, ty));
            }
        }
        for &(name, var, ty) in &entered {
            self.scope.enter(name, var, ty);
        }
        entered
    }

    /// Forgets variables that were made known.
    pub fn leave(&mut self, entered: &[(&'a str, VarIx, Ty)]) {
        for (name, ..) in entered.iter().rev() {
            self.scope.leave(name);
        }
    }

    /// A name cannot be a variable's and a function's.
    pub fn refuse_clash(&mut self, name: Name<'a>) {
        if self.functions.contains_key(name.text) {
            self.report(
                Diagnostic::error(format!("variable `{}` has the name of a function", name.text), name.span)
                    .label("which of them is meant could not be told")
                    .help("give the variable another name"),
            );
        }
    }

    /// The message for a name that is not known, with the nearest that is.
    pub fn unknown<'n>(
        &mut self,
        what: &str,
        name: &str,
        span: Span,
        known: impl IntoIterator<Item = &'n str>,
        help: &str,
    ) {
        if !self.reported.insert(format!("{what} {name}")) {
            return;
        }
        let label = match closest(name, known) {
            Some(near) => format!("not declared; did you mean `{near}`?"),
            None => "not declared".to_owned(),
        };
        self.report(Diagnostic::error(format!("{what} `{name}` is not known"), span).label(label).help(help));
    }
}
