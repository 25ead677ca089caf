//! Sorts: names looked up, structured sorts with their functions, and what is no sort at all.
//!
//! Names that stand for the same sort are the same sort; so are structured sorts that are written alike. A
//! structured sort may contain itself, also in lists. It may not through functions, sets and bags: as in
//! mCRL2, there would be no set of its values.

use std::collections::HashMap;

use base::{Diagnostic, Span};
use terms::{FunIx, FunKind};

use super::Checker;
use super::types::{DEEPEST, Ty, Type};
use crate::ast::{Binding, ConstructorDecl, Container, Name, SortDecl, SortExpr, SortKind, Specification};

/// How long a chain of names of sorts that need each other may be: it is followed recursively.
const DEEPEST_ALIAS: usize = 200;

/// What is known of a name of a sort.
pub(crate) enum Alias<'a> {
    /// Not looked at yet.
    Written(&'a SortExpr<'a>),
    /// Being looked at, since this many strict sorts were around it. A structured sort may be named
    /// meanwhile.
    Begun { is_struct: bool, strict: usize, named: bool },
    /// Known.
    Is(Ty),
}

/// What a structured sort is made of: constructors, their recognisers, their arguments with projections.
pub(crate) type StructKey<'a> = Vec<(&'a str, Option<&'a str>, Vec<(Option<&'a str>, Ty)>)>;

/// A projection: its name, the sort of what it takes out, and of which constructors at which position.
struct Projection<'a> {
    name: Name<'a>,
    sort: Ty,
    of: Vec<(FunIx, usize)>,
}

impl<'a> Checker<'a> {
    /// Makes all named sorts known.
    pub fn sorts(&mut self, text: &'a Specification<'a>) {
        let mut again = Vec::new();
        for declared in &text.sorts {
            let name = declared.name;
            if self.aliases.contains_key(name.text) {
                again.push(declared);
                continue;
            }
            let alias = match &declared.is {
                Some(sort) => Alias::Written(sort),
                None => Alias::Is(self.types.user(name.text)),
            };
            self.aliases.insert(name.text, alias);
        }
        for declared in &text.sorts {
            self.alias(declared.name.text, declared.name.span);
        }
        for SortDecl { name, is } in again {
            let first = self.alias(name.text, name.span);
            let second = match is {
                Some(sort) => self.sort(sort),
                None => self.types.user(name.text),
            };
            let message = format!("sort `{}` is declared twice", name.text);
            if first == second {
                self.warnings.push(Diagnostic::warning(message, name.span).help("remove one of them"));
            } else {
                self.report(
                    Diagnostic::error(message, name.span).help("remove one of them, or give it another name"),
                );
            }
        }
    }

    /// The type of a sort as written.
    pub fn sort(&mut self, sort: &'a SortExpr<'a>) -> Ty {
        let ty = match &sort.kind {
            SortKind::Bool => Ty::BOOL,
            SortKind::Pos => Ty::POS,
            SortKind::Nat => Ty::NAT,
            SortKind::Int => Ty::INT,
            SortKind::Real => Ty::REAL,
            SortKind::Name(name) => return self.alias(name, sort.span),
            SortKind::Container(container, element) => {
                let strict = usize::from(*container != Container::List);
                self.strict += strict;
                let element = self.sort(element);
                self.strict -= strict;
                let ty = match container {
                    Container::List => Type::List(element),
                    Container::FSet => Type::FSet(element),
                    Container::Set => Type::Set(element),
                    Container::FBag => Type::FBag(element),
                    Container::Bag => Type::Bag(element),
                };
                self.types.add(ty)
            }
            SortKind::Function(arguments, result) => {
                self.strict += 1;
                let arguments: Vec<Ty> = arguments.iter().map(|argument| self.sort(argument)).collect();
                let result = self.sort(result);
                self.strict -= 1;
                self.types.add(Type::Function(arguments.into(), result))
            }
            SortKind::Struct(constructors) => return self.structure(constructors, None),
            SortKind::Product(_) => panic!("BUG: a product was read as a sort"),
        };
        if self.types.depth(ty) > DEEPEST {
            self.report(
                Diagnostic::error("this sort is nested deeper than can be handled", sort.span)
                    .help("make a structured sort of a part of it"),
            );
            return Ty::BOOL;
        }
        ty
    }

    /// What a name of a sort stands for.
    fn alias(&mut self, name: &'a str, span: Span) -> Ty {
        let strict = self.strict;
        let Some(alias) = self.aliases.get_mut(name) else {
            let known: Vec<&str> =
                self.aliases.keys().copied().chain(["Bool", "Pos", "Nat", "Int", "Real"]).collect();
            self.unknown("sort", name, span, known, "declare it with `sort`, or correct the name");
            // Known from now on, so that it is reported once.
            let ty = self.types.user(name);
            self.aliases.insert(name, Alias::Is(ty));
            return ty;
        };
        let sort = match alias {
            Alias::Is(ty) => return *ty,
            Alias::Begun { is_struct: true, strict: outside, named } => {
                *named = true;
                if strict > *outside {
                    let message = format!("sort `{name}` contains itself in a function, a set or a bag");
                    let advice = "a sort can contain itself only as an argument of a constructor, \
                                  or in a list there";
                    self.report(Diagnostic::error(message, span).help(advice));
                }
                return self.types.user(name);
            }
            Alias::Begun { .. } => {
                self.report(Diagnostic::error(format!("sort `{name}` is defined by itself"), span).help(
                    "only a structured sort can contain itself: `struct` with a constructor that ends it",
                ));
                let ty = self.types.user(name);
                self.aliases.insert(name, Alias::Is(ty));
                return ty;
            }
            Alias::Written(sort) => *sort,
        };
        if self.alias_depth >= DEEPEST_ALIAS {
            self.report(
                Diagnostic::error("sorts need each other in a longer row than can be followed", span)
                    .help("declare sorts with fewer names in between"),
            );
            return Ty::BOOL;
        }
        self.alias_depth += 1;
        let constructors =
            if let SortKind::Struct(constructors) = &sort.kind { Some(constructors) } else { None };
        self.aliases.insert(name, Alias::Begun { is_struct: constructors.is_some(), strict, named: false });
        let ty = match constructors {
            Some(constructors) => self.structure(constructors, Some(name)),
            None => self.sort(sort),
        };
        self.alias_depth -= 1;
        self.aliases.insert(name, Alias::Is(ty));
        ty
    }

    /// A structured sort, with its name if it has one.
    fn structure(&mut self, constructors: &'a [ConstructorDecl<'a>], name: Option<&'a str>) -> Ty {
        let mut key: StructKey<'a> = Vec::new();
        for constructor in constructors {
            let mut arguments = Vec::new();
            for (projection, sort) in &constructor.arguments {
                arguments.push((projection.map(|projection| projection.text), self.sort(sort)));
            }
            key.push((
                constructor.name.text,
                constructor.recogniser.map(|recogniser| recogniser.text),
                arguments,
            ));
        }
        if let Some(&same) = self.structs.get(&key) {
            return same;
        }
        let ty = match name {
            Some(name) => self.types.user(name),
            None => {
                let name = self.show_struct(&key);
                self.types.user(&name)
            }
        };
        self.structure_functions(constructors, &key, ty);
        self.structs.insert(key, ty);
        ty
    }

    /// A structured sort without a name is shown as it is written.
    fn show_struct(&self, key: &StructKey<'a>) -> String {
        let mut text = String::from("struct ");
        for (at, (name, recogniser, arguments)) in key.iter().enumerate() {
            text += if at > 0 { " | " } else { "" };
            text += name;
            for (at, (projection, sort)) in arguments.iter().enumerate() {
                text += if at > 0 { ", " } else { "(" };
                text += &projection.map_or(String::new(), |projection| format!("{projection}: "));
                text += &self.types.show(*sort);
            }
            text += if arguments.is_empty() { "" } else { ")" };
            text += &recogniser.map_or(String::new(), |recogniser| format!("?{recogniser}"));
        }
        text
    }

    /// Constructors, then projections and recognisers.
    fn structure_functions(&mut self, constructors: &'a [ConstructorDecl<'a>], key: &StructKey<'a>, ty: Ty) {
        let mut made: Vec<FunIx> = Vec::new();
        for (constructor, (.., arguments)) in constructors.iter().zip(key) {
            let arguments: Box<[Ty]> = arguments.iter().map(|&(_, argument)| argument).collect();
            made.push(self.declare_function(constructor.name, arguments, ty, FunKind::Constructor));
        }
        // A projection of several constructors is one function; of one constructor it can take only one
        // argument.
        let mut projections: Vec<Projection<'a>> = Vec::new();
        let mut by_name: HashMap<(&str, Ty), usize> = HashMap::new();
        for ((constructor, &function), (.., arguments)) in constructors.iter().zip(&made).zip(key) {
            for (at, ((projection, _), &(_, sort))) in constructor.arguments.iter().zip(arguments).enumerate()
            {
                let Some(projection) = *projection else { continue };
                let number = *by_name.entry((projection.text, sort)).or_insert(projections.len());
                if number == projections.len() {
                    projections.push(Projection { name: projection, sort, of: Vec::new() });
                }
                let of = &mut projections[number].of;
                if of.last().is_some_and(|&(last, _)| last == function) {
                    self.report(
                        Diagnostic::error(
                            format!(
                                "projection `{}` takes two arguments of one constructor",
                                projection.text
                            ),
                            projection.span,
                        )
                        .help("give them different names"),
                    );
                    continue;
                }
                of.push((function, at));
            }
        }
        for Projection { name, sort, of } in projections {
            self.declare_function(name, [ty].into(), sort, FunKind::Projection(of));
        }
        for (constructor, function) in constructors.iter().zip(made) {
            if let Some(recogniser) = constructor.recogniser {
                self.declare_function(recogniser, [ty].into(), Ty::BOOL, FunKind::Recogniser(function));
            }
        }
    }

    /// Constructors and mappings as declared outside of structured sorts.
    pub fn declare_functions(&mut self, bindings: &'a [Binding<'a>], kind: FunKind) {
        for binding in bindings {
            let ty = self.sort(&binding.sort);
            let (arguments, result) = match self.types.get(ty) {
                Type::Function(arguments, result) => (arguments.clone(), *result),
                _ => (Box::default(), ty),
            };
            if kind == FunKind::Constructor && !self.types.is_user(result) {
                let shown = self.types.show(result);
                self.report(
                    Diagnostic::error(
                        format!("sort `{shown}` has its constructors already"),
                        binding.sort.span,
                    )
                    .help("constructors make values of sorts that are declared with `sort`"),
                );
                continue;
            }
            for &name in &binding.names {
                self.declare_function(name, arguments.clone(), result, kind.clone());
            }
        }
    }

    /// A sort whose every constructor needs a value of an empty sort is empty.
    pub fn refuse_empty_sorts(&mut self) {
        // For each constructor, how many of its arguments are of sorts that are not known to have a value.
        let mut waiting: HashMap<Ty, Vec<FunIx>> = HashMap::new();
        let mut missing: HashMap<FunIx, usize> = HashMap::new();
        let mut has_value: HashMap<Ty, bool> = HashMap::new();
        let constructors: Vec<FunIx> = (0..self.data.functions.len() as u32).map(FunIx).collect();
        let constructors =
            constructors.into_iter().filter(|f| self.data.functions[f.ix()].kind == FunKind::Constructor);
        let constructors: Vec<FunIx> = constructors.collect();
        for &function in &constructors {
            has_value.insert(self.profiles[function.ix()].1, false);
        }
        let mut found = Vec::new();
        for &function in &constructors {
            let (arguments, result) = &self.profiles[function.ix()];
            let needed: Vec<Ty> = arguments.iter().copied().filter(|ty| has_value.contains_key(ty)).collect();
            if needed.is_empty() {
                found.push(*result);
            }
            missing.insert(function, needed.len());
            for ty in needed {
                waiting.entry(ty).or_default().push(function);
            }
        }
        while let Some(ty) = found.pop() {
            if has_value.insert(ty, true) == Some(true) {
                continue;
            }
            for function in waiting.remove(&ty).unwrap_or_default() {
                let missing = missing.get_mut(&function).expect("BUG: every constructor was counted");
                *missing -= 1;
                if *missing == 0 {
                    found.push(self.profiles[function.ix()].1);
                }
            }
        }
        for function in constructors {
            let result = self.profiles[function.ix()].1;
            if has_value.insert(result, true) == Some(false) {
                let span = self.data.functions[function.ix()].span.unwrap_or(Span::new(0, 0));
                let shown = self.types.show(result);
                self.report(
                    Diagnostic::error(format!("sort `{shown}` has no values"), span)
                        .label("every constructor needs a value of the sort itself")
                        .help("add a constructor to begin with"),
                );
            }
        }
    }
}
