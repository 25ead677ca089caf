//! From the tree to guarded commands: the order of things, processes, assertions, and how large all may be.
//!
//! The order of slots is DiVinE's: shared variables, channels, then each process with its location before its
//! variables.

mod asynchronous;
mod declarations;
mod instances;
mod lowering;
mod names;
mod product;
mod resolve;
mod synchronous;

use std::collections::HashMap;
use std::sync::Arc;

use base::{Diagnostic, Source, Span, TypeIx};
use commands::{LabelDef, Overflow, Program, Variable};
use language::{Form, Monitor, Stated};
use model::{LabelKind, SlotRole, Type};

use self::instances::{Instance, Items, expand};
use self::lowering::{Lowering, short};
use self::names::{ProcessNames, Scope, Symbol, unknown};
use self::resolve::{Context, location_is};
use crate::Scoping;
use crate::ast::{self, System};

/// What lowering makes of a tree.
pub(crate) struct Lowered {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
    pub stated: Vec<Stated>,
}

/// Lowers a tree.
pub(crate) fn lower(
    source: &Arc<Source>,
    system: &System,
    scope: Scoping,
) -> Result<Lowered, Vec<Diagnostic>> {
    let program = Program {
        name: source.name().to_owned(),
        types: vec![Type::range("byte", 0, 255), Type::range("int", -32768, 32767)],
        source: Some(Arc::clone(source)),
        ..Program::default()
    };
    let mut lowering = Lowering::new(program);
    let stated = lowering.system(system, scope);
    lowering.warnings.dedup();
    if lowering.problems.is_empty() {
        Ok(Lowered { program: lowering.program, warnings: lowering.warnings, stated })
    } else {
        Err(lowering.problems)
    }
}

impl<'a> Lowering<'a> {
    fn system(&mut self, system: &'a System, scope: Scoping) -> Vec<Stated> {
        let mut globals = std::mem::take(&mut self.globals);
        self.declare(&system.declarations, &mut globals, "", Context::GLOBAL);
        self.globals = globals;
        let items = self.items(system);
        for (name, body) in &items.expressions {
            if self.expressions.insert(&name.text, body).is_some() {
                self.problems
                    .push(Diagnostic::error(format!("`{}` is declared twice", name.text), name.span));
            }
        }
        let stated = self.stated(system, &items);
        let (properties, parts): (Vec<_>, Vec<_>) = items.instances.into_iter().partition(|i| i.is_property);
        if parts.is_empty() {
            let problem = Diagnostic::error("the model has no process", Span::new(0, 0));
            self.problems.push(problem.help("write `process P { state s; init s; }`"));
        }
        let parts_count = parts.len();
        parts.into_iter().for_each(|instance| self.process(instance));
        let properties_count = properties.len();
        let variables = self.program.variables.len();
        properties.into_iter().for_each(|instance| self.process(instance));
        self.named_expressions(&items.expressions);
        (0..self.processes.len()).for_each(|number| self.assertions(number));
        let property = asynchronous::moves(self, parts_count..self.processes.len());
        if scope == Scoping::System {
            // The properties were looked at for their errors; their variables are no part of the state.
            self.program.variables.truncate(variables);
        }
        if system.synchronous {
            synchronous::commands(self, parts_count);
        } else {
            asynchronous::commands(self, parts_count);
        }
        if scope == Scoping::Product && properties_count > 0 {
            if properties_count > 1 {
                let problem = Diagnostic::error("the model has several property processes", Span::new(0, 0));
                self.problems.push(problem.help("keep the one to compose the system with"));
            }
            product::compose(self, &property);
        }
        stated
    }

    fn items(&mut self, system: &'a System) -> Items<'a> {
        let mut problems = Vec::new();
        let items = expand(system, &mut problems, &mut |expr, values| {
            self.constant(expr, Context { values, ..Context::GLOBAL })
        });
        self.problems.append(&mut problems);
        items
    }

    fn stated(&mut self, system: &System, items: &Items<'_>) -> Vec<Stated> {
        if let Some(property) = &system.property
            && !items.instances.iter().any(|instance| instance.name == property.text)
        {
            let known = items.instances.iter().map(|instance| instance.name.as_str());
            self.problems.push(unknown("process", &property.text, property.span, known));
        }
        let automata = items.instances.iter().filter(|instance| instance.is_property);
        let automata = automata.map(|instance| Stated {
            name: instance.name.clone(),
            span: instance.span,
            form: Form::Monitor(Monitor::PropertyProcess),
        });
        let formulas = items.formulas.iter().map(|&(name, formula)| Stated {
            name: name.text.clone(),
            span: name.span,
            form: Form::Formula(formula.clone()),
        });
        automata.chain(formulas).collect()
    }

    fn process(&mut self, instance: Instance<'a>) {
        let process = instance.process;
        let number = self.processes.len();
        if self.process_numbers.insert(instance.name.clone(), number).is_some() {
            let problem =
                Diagnostic::error(format!("process `{}` is declared twice", instance.name), instance.span);
            self.problems.push(problem.label("declared here again").help("rename one of them"));
        }
        let mut states = HashMap::new();
        for (at, state) in process.states.iter().enumerate() {
            if states.insert(state.text.as_str(), at).is_some() {
                let problem =
                    Diagnostic::error(format!("state `{}` is declared twice", state.text), state.span);
                self.problems.push(problem.help("rename one of them"));
            }
        }
        if process.states.is_empty() {
            let problem =
                Diagnostic::error(format!("process `{}` has no state", instance.name), process.name.span);
            self.problems.push(problem.help("declare one: `state s; init s;`"));
        }
        let initial = self.initial_state(&instance, &states);
        let committed = process.committed.iter().filter_map(|name| self.state(&states, name)).collect();
        if let Some(accept) = &process.accept {
            accept.sets.iter().flatten().for_each(|name| _ = self.state(&states, name));
        }
        let names = process.states.iter().map(|state| state.text.clone()).collect();
        self.program.types.push(Type::names(instance.name.clone(), names));
        let location = self.add(Variable {
            name: instance.name.clone(),
            ty: TypeIx::new(self.program.types.len() - 1),
            length: None,
            initial: vec![initial as i32],
            overflow: Overflow::Error,
            scratch: false,
            role: SlotRole::Location,
            span: Some(process.name.span),
        });
        let mut scope = Scope::default();
        for (name, value) in &instance.parameters {
            if scope.enter(name, Symbol::Constant(*value), process.name.span).is_some() {
                let problem =
                    Diagnostic::error(format!("parameter `{name}` is there twice"), process.name.span);
                self.problems.push(problem.help("rename one of them"));
            }
        }
        let prefix = format!("{}.", instance.name);
        self.processes.push(ProcessNames { instance, scope: Scope::default(), location, states, committed });
        self.declare(&process.declarations, &mut scope, &prefix, Context::process(number));
        self.processes[number].scope = scope;
    }

    fn initial_state(&mut self, instance: &Instance<'_>, states: &HashMap<&str, usize>) -> usize {
        match &instance.process.init {
            Some(name) => self.state(states, name).unwrap_or(0),
            None => {
                let message = format!("process `{}` has no initial state", instance.name);
                let problem = Diagnostic::error(message, instance.process.name.span);
                self.problems.push(problem.help("write `init s;` behind the states"));
                0
            }
        }
    }

    fn named_expressions(&mut self, expressions: &[(&ast::Name, &ast::Expr)]) {
        for (name, body) in expressions {
            let value = self.expression(body, Context::GLOBAL);
            let (name, span) = (name.text.clone(), Some(name.span));
            self.program.labels.push(LabelDef { name, kind: LabelKind::Plain, value, span });
        }
    }

    fn assertions(&mut self, number: usize) {
        let process = self.processes[number].instance.process;
        for (state, expr) in &process.assertions {
            let states = std::mem::take(&mut self.processes[number].states);
            let at = self.state(&states, state);
            self.processes[number].states = states;
            let value = self.expression(expr, Context::process(number));
            let names = &self.processes[number];
            if let (Some(at), false) = (at, names.instance.is_property) {
                let text = self.program.source.as_ref().map_or("", |source| source.slice(expr.span));
                let name = format!("assert {}.{}: {}", names.instance.name, state.text, short(text));
                let value = location_is(names.location, at, state.span).not().or(value);
                let span = Some(expr.span);
                self.program.labels.push(LabelDef { name, kind: LabelKind::Assertion, value, span });
            }
        }
    }
}
