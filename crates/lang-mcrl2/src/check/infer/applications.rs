//! Names, and functions with arguments.

use base::{Diagnostic, Span};
use terms::{FunIx, VarIx};

use super::{How, Node, NodeKind, add_cheapest, broken, plain};
use crate::ast::{self, ExprKind};
use crate::check::Checker;
use crate::check::builtins::{NAMES, Signature, named};
use crate::check::types::{Ty, Type};

impl<'a> Checker<'a> {
    pub(super) fn infer_name(&mut self, name: &'a str, span: Span) -> Node {
        if let Some((var, ty)) = self.variable_named(name, span) {
            return plain(NodeKind::Var(var), span, ty);
        }
        let mut choices = Vec::new();
        for function in self.functions.get(name).cloned().unwrap_or_default() {
            let (arguments, result) = self.profiles[function.ix()].clone();
            let ty =
                if arguments.is_empty() { result } else { self.types.add(Type::Function(arguments, result)) };
            self.add_choice(&mut choices, ty, 0, How::Function(function));
        }
        for signature in named(name) {
            let arguments =
                signature.arguments.iter().map(|shape| shape.with(Ty::OPEN, &mut self.types)).collect();
            let result = signature.result.with(Ty::OPEN, &mut self.types);
            let ty = self.types.add(Type::Function(arguments, result));
            self.add_choice(&mut choices, ty, 0, How::Builtin(signature, Ty::OPEN));
        }
        if choices.is_empty() {
            self.unknown_name(name, span);
            return broken(span);
        }
        Node { kind: NodeKind::Function, span, choices }
    }

    fn unknown_name(&mut self, name: &str, span: Span) {
        let mut known: Vec<&str> = self.scope.names().chain(self.functions.keys().copied()).collect();
        known.extend(NAMES);
        known.sort_unstable();
        self.unknown("variable or function", name, span, known, "declare it, or correct the name");
    }

    /// The variable of this name, if it is one.
    fn variable_named(&mut self, name: &'a str, span: Span) -> Option<(VarIx, Ty)> {
        if let Some(found) = self.scope.look_up(name) {
            return Some(found);
        }
        let ty = *self.scope.of_equations.get(name)?;
        let var = match self.equation_vars.get(name) {
            Some(&var) => var,
            None => {
                let var = self.variable(name, ty);
                self.equation_vars.insert(name, var);
                self.equation.push((var, span));
                var
            }
        };
        Some((var, ty))
    }

    pub(super) fn infer_apply(
        &mut self,
        function: &'a ast::Expr<'a>,
        arguments: &'a [ast::Expr<'a>],
        span: Span,
    ) -> Node {
        if let ExprKind::Name(name) = function.kind
            && self.variable_named(name, function.span).is_none()
        {
            let arguments = self.infer_all(arguments);
            return self.apply_named(name, function.span, arguments, span);
        }
        let head = self.infer(function);
        let arguments = self.infer_all(arguments);
        if head.is_broken() || arguments.iter().any(Node::is_broken) {
            return broken(span);
        }
        let wide = self.wide_all(&arguments);
        let mut choices = Vec::new();
        for choice in &head.choices {
            let Type::Function(wanted, result) = self.types.get(choice.ty).clone() else { continue };
            if wanted.len() == arguments.len()
                && let Some(cost) = self.fitting(&wanted, &wide, span)
            {
                self.add_choice(&mut choices, result, choice.cost + cost, How::Value(choice.ty));
            }
        }
        if choices.is_empty() {
            let found = self.show_choices(&head);
            let given = self.given(&arguments);
            self.report(
                Diagnostic::error(format!("this cannot be applied to {given}"), head.span)
                    .label(format!("this is {found}"))
                    .help("a function takes as many arguments as its sort says, of the sorts it says"),
            );
            return broken(span);
        }
        Node { kind: NodeKind::Apply(Some(Box::new(head)), arguments), span, choices }
    }

    /// The types of arguments, for a message.
    pub fn given(&self, arguments: &[Node]) -> String {
        let cheapest =
            |node: &Node| node.choices.iter().min_by_key(|choice| choice.cost).map(|choice| choice.ty);
        self.types.show_all(arguments.iter().filter_map(cheapest))
    }

    /// What each of these expressions can be, made wider where it can be.
    pub fn wide_all(&mut self, nodes: &[Node]) -> Vec<Vec<(Ty, u32)>> {
        nodes.iter().map(|node| self.wide(node)).collect()
    }

    /// What it costs to give arguments that can be `wide` these types, if they can have them.
    pub fn fitting(&mut self, wanted: &[Ty], wide: &[Vec<(Ty, u32)>], span: Span) -> Option<u32> {
        let mut sum = 0u32;
        for (&wanted, wide) in wanted.iter().zip(wide) {
            let mut cheapest: Option<u32> = None;
            for &(ty, cost) in wide {
                if self.may_try(span) && self.types.unify(ty, wanted).is_some() {
                    cheapest = Some(cheapest.map_or(cost, |known| known.min(cost)));
                }
            }
            sum = sum.saturating_add(cheapest?);
        }
        Some(sum)
    }

    pub(super) fn apply_named(
        &mut self,
        name: &'a str,
        name_span: Span,
        arguments: Vec<Node>,
        span: Span,
    ) -> Node {
        let functions = self.functions.get(name).cloned().unwrap_or_default();
        let signatures = named(name);
        if functions.is_empty() && signatures.is_empty() {
            self.unknown_name(name, name_span);
            return broken(span);
        }
        if arguments.iter().any(Node::is_broken) {
            return broken(span);
        }
        let wide = self.wide_all(&arguments);
        let mut choices = Vec::new();
        for &function in &functions {
            let (wanted, result) = self.profiles[function.ix()].clone();
            if wanted.len() == arguments.len()
                && let Some(cost) = self.fitting(&wanted, &wide, span)
            {
                self.add_choice(&mut choices, result, cost, How::Function(function));
            }
        }
        for signature in signatures.iter().filter(|signature| signature.arguments.len() == arguments.len()) {
            for (s, cost) in self.bindings_of(signature, &wide, span) {
                let result = signature.result.with(s, &mut self.types);
                self.add_choice(&mut choices, result, cost, How::Builtin(signature, s));
            }
        }
        if choices.is_empty() {
            self.report_misfit(name, name_span, &arguments, &functions);
            return broken(span);
        }
        Node { kind: NodeKind::Apply(None, arguments), span, choices }
    }

    /// What S can be when a built-in function takes these arguments, and what that costs.
    fn bindings_of(
        &mut self,
        signature: &'static Signature,
        wide: &[Vec<(Ty, u32)>],
        span: Span,
    ) -> Vec<(Ty, u32)> {
        let mut bindings = vec![(Ty::OPEN, 0)];
        for (shape, wide) in signature.arguments.iter().zip(wide) {
            let mut next: Vec<(Ty, u32)> = Vec::new();
            for &(s, before) in &bindings {
                for &(ty, cost) in wide {
                    if !self.may_try(span) {
                        return Vec::new();
                    }
                    let Some(s) = shape.fit(ty, s, &mut self.types) else { continue };
                    add_cheapest(&mut next, s, before + cost);
                }
            }
            bindings = next;
        }
        bindings
    }

    /// Says why a function takes none of these arguments.
    fn report_misfit(&mut self, name: &str, span: Span, arguments: &[Node], functions: &[FunIx]) {
        let given = self.given(arguments);
        let mut wanted: Vec<String> = Vec::new();
        let mut narrowing = None;
        for function in functions {
            let (wanted_here, _) = self.profiles[function.ix()].clone();
            narrowing = narrowing.or_else(|| self.narrowing_of(arguments, &wanted_here));
            wanted.push(self.types.show_all(wanted_here));
        }
        for signature in named(name) {
            let shapes = signature.arguments.iter().map(|shape| shape.with(Ty::OPEN, &mut self.types));
            let shapes: Vec<Ty> = shapes.collect();
            narrowing = narrowing.or_else(|| self.narrowing_of(arguments, &shapes));
            wanted.push(self.types.show_all(shapes));
        }
        let more = wanted.len().saturating_sub(4);
        wanted.truncate(4);
        let mut help = format!("it takes {}", wanted.join("; or "));
        if more > 0 {
            help += &format!("; or {more} more");
        }
        if let Some(narrowing) = narrowing {
            help += &format!("; {narrowing}");
        }
        self.report(Diagnostic::error(format!("`{name}` does not take {given}"), span).help(help));
    }

    pub(super) fn infer_update(&mut self, parts: [&'a ast::Expr<'a>; 3], span: Span) -> Node {
        let parts: Vec<Node> = parts.into_iter().map(|part| self.infer(part)).collect();
        if parts.iter().any(Node::is_broken) {
            return broken(span);
        }
        let wide = self.wide_all(&parts[1..]);
        let mut choices = Vec::new();
        for choice in parts[0].choices.clone() {
            let Type::Function(arguments, result) = self.types.get(choice.ty).clone() else { continue };
            let [argument] = arguments[..] else { continue };
            // mCRL2 does not compare what a lambda binds with what it is given where that is updated: its own
            // `(lambda n: Nat . c)[0 -> d]` is a function of integers where one is wanted.
            let more = if parts[0].is_lambda() { usize::MAX } else { 1 };
            for (argument, step) in self.types.wider(argument).take(more) {
                if let Some(cost) = self.fitting(&[argument, result], &wide, span) {
                    let ty = self.types.add(Type::Function([argument].into(), result));
                    self.add_choice(&mut choices, ty, choice.cost + step + cost, How::Plain);
                }
            }
        }
        if choices.is_empty() {
            let (found, given) = (self.show_choices(&parts[0]), self.given(&parts[1..]));
            self.report(
                Diagnostic::error(format!("this cannot be updated with {given}"), parts[0].span)
                    .label(format!("this is {found}"))
                    .help("what is updated is a function of one argument: `f[argument -> value]`"),
            );
            return broken(span);
        }
        Node { kind: NodeKind::Update(parts), span, choices }
    }
}
