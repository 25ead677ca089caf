//! The model that a linear process is to engines: a parameter is a slot, a summand a group, a conjunct
//! without sum variables a guard.
//!
//! Matrices are those of Meijer, "Improving reachability analysis in LTSmin", 2014, for linear processes. A
//! group reads what its conditions, its action and its next values name, but not a value that is only kept.
//! It always writes what its next state names. Guards that are written the same are one.

mod action_text;
mod code;
mod compiler;
mod dispatch;
mod labels;
mod stepper;
mod sum_cache;
mod waiting;

use std::collections::HashMap;
use std::sync::Arc;

use base::{BitMatrix, Diagnostic, GroupIx, GuardIx, Source, TypeIx};
use model::waiting::Waiting;
use model::{Dependencies, Domain, Group, Guard, Model, Signature, Slot, SlotRole, Stepper, Type, Value};
use terms::{CompileError, Data, DataSpec, Expr, SortIx, VarPlaces};

use crate::Action;
use crate::linear::{ActionTerm, LinearProcess, Offer, Summand};
use crate::problem::problem;

use action_text::Declared;
use code::{GroupCode, GuardCode};
use compiler::Compiler;
use labels::{Labels, ShownTerms};
use stepper::LinearStepper;
use waiting::waiting;

/// A linear process as a model.
pub struct LinearModel {
    pub(crate) data: Arc<Data>,
    pub(crate) signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    pub(crate) guards: Vec<GuardCode>,
    pub(crate) groups: Vec<GroupCode>,
    /// How long an environment must be: slots, then sum variables.
    pub(crate) environment: usize,
    components: usize,
    /// What the components can do by themselves, with the names of the actions.
    offers: Vec<(Offer, Vec<String>)>,
    /// Where the values of the parameters stand.
    slots: VarPlaces,
}

impl LinearModel {
    /// The model of a linear process; or what is wrong with its data.
    pub fn new(
        linear: LinearProcess,
        name: impl Into<String>,
        source: Option<Arc<Source>>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let LinearProcess { mut data, names, actions, parameters, summands, components, offers } = linear;
        let labels = Labels::declare(&summands, &names, &mut data);
        let slots: VarPlaces = parameters.iter().map(|parameter| parameter.variable).collect();
        let data = Arc::new(Data::new(data)?);
        let mut compiler = Compiler::new(&data, &labels, &slots);
        let mut initial = Vec::with_capacity(parameters.len());
        for parameter in &parameters {
            let value = compiler.initial(&parameter.initial);
            initial.push(value.map_err(|message| vec![problem(message, parameter.span)])?);
        }
        let mut groups = Vec::with_capacity(summands.len());
        for summand in &summands {
            let span = summand.spans.first().copied();
            let group = compiler.group(summand);
            groups.push(group.map_err(|CompileError(message)| vec![problem(message, span)])?);
        }
        let Compiler { guards, numbers, environment, .. } = compiler;
        let mut expressions: Vec<(&Expr, usize)> =
            numbers.iter().map(|(expr, number)| (expr, *number)).collect();
        expressions.sort_unstable_by_key(|(_, number)| *number);
        let guard_exprs: Vec<Expr> = expressions.into_iter().map(|(expr, _)| expr.clone()).collect();
        let dependencies = dependencies(&summands, &guards, &slots);
        let spec = data.spec();
        let (types, type_of) = types(&parameters, &data);
        let slot = |(parameter, ty): (&crate::Parameter, TypeIx)| Slot {
            name: parameter.name.clone(),
            ty,
            span: parameter.span,
            role: if parameter.places.is_some() { SlotRole::Location } else { SlotRole::Variable },
        };
        let group = |(summand, code): (&Summand, &GroupCode)| Group {
            name: label_text(&summand.actions, &names, spec),
            guards: code.guards.iter().map(|guard| GuardIx::new(*guard)).collect(),
            spans: summand.spans.clone(),
            effect: None,
        };
        let signature = Signature {
            name: name.into(),
            types,
            slots: parameters.iter().zip(type_of).map(slot).collect(),
            groups: summands.iter().zip(&groups).map(group).collect(),
            guards: guard_exprs.iter().map(|expr| Guard { name: spec.show(expr), span: None }).collect(),
            labels: Vec::new(),
            action: Type {
                name: "action".into(),
                domain: Domain::Shown(Arc::new(labels.shown(Arc::clone(&data), declared(&names, &actions)))),
            },
            alarms: Vec::new(),
            source,
        };
        let named = |offer: Offer| {
            let own = offer.actions.iter().map(|(name, _)| names[name.0 as usize].clone()).collect();
            (offer, own)
        };
        let offers = offers.into_iter().map(named).collect();
        Ok(Self {
            data,
            signature,
            dependencies,
            initial,
            guards,
            groups,
            environment,
            components,
            offers,
            slots,
        })
    }

    /// How many sequential components it was made of.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Terms and what evaluates them.
    pub fn data(&self) -> &Data {
        &self.data
    }
}

impl Model for LinearModel {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(LinearStepper::new(self))
    }

    fn guards_suffice(&self, group: GroupIx) -> bool {
        self.groups[group.ix()].sum.is_none()
    }

    fn has_slow_calls(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        self.data.store().bytes()
    }

    fn waiting(&self, state: &[Value]) -> Waiting {
        waiting(self, state)
    }
}

/// A type for each sort that a slot has, and one for each component's places.
fn types(parameters: &[crate::Parameter], data: &Arc<Data>) -> (Vec<Type>, Vec<TypeIx>) {
    let (mut types, mut of_sort): (Vec<Type>, HashMap<SortIx, TypeIx>) = (Vec::new(), HashMap::new());
    let mut type_of = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        if let Some(places) = &parameter.places {
            types.push(Type::names(parameter.name.clone(), places.clone()));
            type_of.push(TypeIx::new(types.len() - 1));
            continue;
        }
        type_of.push(*of_sort.entry(parameter.sort).or_insert_with(|| {
            let shown = ShownTerms { data: Arc::clone(data), sort: parameter.sort };
            let name = data.spec().sorts.show(parameter.sort);
            types.push(Type { name, domain: Domain::Shown(Arc::new(shown)) });
            TypeIx::new(types.len() - 1)
        }));
    }
    (types, type_of)
}

/// The actions by their names; `Terminate` is none that the specification declares.
fn declared(names: &[String], actions: &[Action]) -> Vec<Declared> {
    let is_declared = |name: usize| actions.iter().any(|action| action.name.0 as usize == name);
    let others = names.iter().enumerate().filter(|(name, _)| !is_declared(*name));
    let others = others.map(|(_, name)| (name.clone(), Vec::new()));
    let all = actions.iter().map(|action| (names[action.name.0 as usize].clone(), action.sorts.clone()));
    all.chain(others).collect()
}

/// What a summand does, in a line.
fn label_text(actions: &[ActionTerm], names: &[String], spec: &DataSpec) -> String {
    let text = |(name, list): &ActionTerm| {
        let name = &names[name.0 as usize];
        let list: Vec<String> = list.iter().map(|argument| spec.show(argument)).collect();
        if list.is_empty() { name.clone() } else { format!("{name}({})", list.join(", ")) }
    };
    if actions.is_empty() { "tau".to_owned() } else { actions.iter().map(text).collect::<Vec<_>>().join("|") }
}

fn dependencies(summands: &[Summand], guards: &[GuardCode], slots: &VarPlaces) -> Dependencies {
    let mut matrices = Dependencies::none(slots.len(), summands.len(), guards.len(), 0);
    let mark = |matrix: &mut BitMatrix, row: usize, expr: &Expr| {
        expr.free()
            .into_iter()
            .filter_map(|variable| slots.place(variable))
            .for_each(|slot| matrix.set(row, slot));
    };
    for (group, summand) in summands.iter().enumerate() {
        let with_sums = |expr: &&Expr| expr.free().iter().any(|variable| summand.sums.contains(variable));
        let arguments = summand.actions.iter().flat_map(|(_, list)| list);
        let next = summand.next.iter().map(|(_, value)| value);
        for expr in summand.conditions.iter().filter(with_sums).chain(arguments).chain(next) {
            mark(&mut matrices.update_read, group, expr);
            mark(&mut matrices.read, group, expr);
        }
        summand.conditions.iter().for_each(|condition| mark(&mut matrices.read, group, condition));
        for slot in summand.next.iter().filter_map(|(variable, _)| slots.place(*variable)) {
            matrices.may_write.set(group, slot);
            matrices.must_write.set(group, slot);
        }
    }
    for (guard, code) in guards.iter().enumerate() {
        code.slots.iter().for_each(|slot| matrices.tests.set(guard, *slot));
    }
    matrices
}
