//! The model that a linear process is to engines: a parameter is a slot, a summand a group, a conjunct
//! without sum variables a guard.
//!
//! Matrices are those of Meijer, "Improving reachability analysis in LTSmin", 2014, for linear processes: a
//! group reads what its conditions, its action and its next values name, but a value that is only kept; and
//! it always writes what its next state names. Guards that are written the same are one.

use std::collections::HashMap;
use std::sync::Arc;

use base::{BitMatrix, Diagnostic, GroupIx, GuardIx, Source, Span, TypeIx};
use model::{Dependencies, Domain, Group, Guard, Model, Signature, Slot, SlotRole, Stepper, Type, Value};
use terms::{Code, CompileError, Data, DataSpec, Expr, Kind, Layout, SortIx, Sum, Term, VarIx};

use crate::labels::{Labels, ShownTerms, sorted};
use crate::linear::{Linear, Named, Summand};
use crate::problem::problem;
use crate::stepper::LinearStepper;

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
}

/// A guard, ready to run.
pub(crate) struct GuardCode {
    pub(crate) code: Code,
    /// The slots it looks at.
    pub(crate) slots: Vec<usize>,
    pub(crate) groups: Vec<usize>,
}

/// A group, ready to run.
pub(crate) struct GroupCode {
    /// Its guards, those that look at little first.
    pub(crate) guards: Vec<usize>,
    pub(crate) sum: Option<SumCode>,
    pub(crate) label: LabelCode,
    pub(crate) writes: Vec<(usize, Write)>,
    pub(crate) span: Option<Span>,
}

/// A sum, ready to run.
pub(crate) struct SumCode {
    pub(crate) code: Sum,
    /// The slots that its conditions look at.
    pub(crate) slots: Vec<usize>,
    /// How many variables it has. Their values stand behind the slots.
    pub(crate) variables: usize,
}

/// How the label of a transition is made.
pub(crate) enum LabelCode {
    Constant(Value),
    Whole(Code),
    /// The same action is there twice: arguments are computed, equal actions put in order by their arguments,
    /// and then made a label.
    Sorted {
        arguments: Vec<Code>,
        /// Where runs of equal actions begin among the arguments, how many arguments each has, and how many
        /// there are.
        runs: Vec<(usize, usize, usize)>,
        label: Code,
    },
}

/// What a slot becomes.
pub(crate) enum Write {
    Constant(Value),
    Copy(usize),
    Compute(Code),
}

impl LinearModel {
    /// The model of a linear process; or what is wrong with its data.
    pub fn new(
        linear: Linear,
        name: impl Into<String>,
        source: Option<Arc<Source>>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Linear { mut data, names, parameters, summands, components } = linear;
        let labels = Labels::declare(&summands, &names, &mut data);
        let slots: Layout = parameters.iter().map(|parameter| parameter.variable).collect();
        let data = Arc::new(Data::new(data)?);
        let mut compiler = Compiler {
            data: &data,
            labels: &labels,
            slots: &slots,
            guards: Vec::new(),
            numbers: HashMap::new(),
            environment: slots.len(),
            compiled: 0,
        };
        let mut initial = Vec::with_capacity(parameters.len());
        for parameter in &parameters {
            let value = compiler.value(&parameter.initial);
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
                domain: Domain::Shown(Arc::new(labels.shown(Arc::clone(&data)))),
            },
            alarms: Vec::new(),
            source,
        };
        Ok(Self { data, signature, dependencies, initial, guards, groups, environment, components })
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
}

struct Compiler<'c> {
    data: &'c Data,
    labels: &'c Labels,
    slots: &'c Layout,
    guards: Vec<GuardCode>,
    numbers: HashMap<Expr, usize>,
    environment: usize,
    /// How many groups there are already.
    compiled: usize,
}

impl Compiler<'_> {
    /// The value of an expression without variables.
    fn value(&self, expr: &Expr) -> Result<Value, String> {
        match self.data.evaluate(expr) {
            Ok(Ok(term)) => Ok(term.0),
            Ok(Err(fault)) => Err(fault.to_string()),
            Err(CompileError(message)) => Err(message),
        }
    }

    fn group(&mut self, summand: &Summand) -> Result<GroupCode, CompileError> {
        let group = self.compiled;
        self.compiled += 1;
        let mut layout = self.slots.clone();
        summand.sums.iter().for_each(|sum| {
            layout.push(*sum);
        });
        self.environment = self.environment.max(layout.len());
        let has_sums = |expr: &Expr| expr.free().iter().any(|variable| summand.sums.contains(variable));
        let (inner, outer): (Vec<Expr>, Vec<Expr>) = summand.conditions.iter().cloned().partition(has_sums);
        let mut guards = Vec::with_capacity(outer.len());
        for condition in outer {
            let guard = self.guard(condition)?;
            self.guards[guard].groups.push(group);
            guards.push(guard);
        }
        // Few slots first: such guards are asked most often and shared by most.
        guards.sort_by_key(|guard| self.guards[*guard].slots.len());
        let sum = match summand.sums.is_empty() {
            true => None,
            false => {
                let code = self.data.compile_sum(&summand.sums, &inner, &layout)?;
                let named: std::collections::BTreeSet<VarIx> = inner.iter().flat_map(Expr::free).collect();
                let slots = named.into_iter().filter_map(|variable| self.slots.place(variable)).collect();
                Some(SumCode { code, slots, variables: summand.sums.len() })
            }
        };
        let mut writes = Vec::with_capacity(summand.next.len());
        for (variable, value) in &summand.next {
            let slot = self.slot(*variable);
            writes.push((slot, self.write(value, &layout)?));
        }
        Ok(GroupCode {
            guards,
            sum,
            label: self.label(&summand.actions, &layout)?,
            writes,
            span: summand.spans.first().copied(),
        })
    }

    fn slot(&self, variable: VarIx) -> usize {
        self.slots.place(variable).unwrap_or_else(|| panic!("BUG: a parameter without a slot"))
    }

    fn guard(&mut self, condition: Expr) -> Result<usize, CompileError> {
        if let Some(&number) = self.numbers.get(&condition) {
            return Ok(number);
        }
        let code = self.data.compile(&condition, self.slots)?;
        let slots = condition.free().into_iter().map(|variable| self.slot(variable)).collect();
        self.guards.push(GuardCode { code, slots, groups: Vec::new() });
        self.numbers.insert(condition, self.guards.len() - 1);
        Ok(self.guards.len() - 1)
    }

    fn write(&self, value: &Expr, layout: &Layout) -> Result<Write, CompileError> {
        Ok(match &*value.kind {
            Kind::Var(variable) => match layout.place(*variable) {
                Some(place) => Write::Copy(place),
                None => return Err(CompileError("a variable has no value".to_owned())),
            },
            _ if value.free().is_empty() => match self.value(value) {
                Ok(value) => Write::Constant(value),
                Err(_) => Write::Compute(self.data.compile(value, layout)?),
            },
            _ => Write::Compute(self.data.compile(value, layout)?),
        })
    }

    fn label(&self, actions: &[Named], layout: &Layout) -> Result<LabelCode, CompileError> {
        let actions = sorted(actions);
        let label = self.labels.label(&actions);
        if label.free().is_empty()
            && let Ok(value) = self.value(&label)
        {
            return Ok(LabelCode::Constant(value));
        }
        let Some(variables) = self.labels.unordered(&actions) else {
            return Ok(LabelCode::Whole(self.data.compile(&label, layout)?));
        };
        let list = actions.iter().flat_map(|(_, list)| list);
        let arguments = list.map(|argument| self.data.compile(argument, layout)).collect::<Result<_, _>>()?;
        let inside: Layout = variables.iter().copied().collect();
        let mut rest = variables.iter().copied();
        let stands = |(name, list): &Named| {
            let variables = list.iter().zip(rest.by_ref());
            (*name, variables.map(|(argument, variable)| Expr::var(variable, argument.sort)).collect())
        };
        let stands: Vec<Named> = actions.iter().map(stands).collect();
        let label = self.data.compile(&self.labels.label(&stands), &inside)?;
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        let mut start = 0;
        let same = |one: &Named, other: &Named| {
            one.0 == other.0 && one.1.iter().map(|e| e.sort).eq(other.1.iter().map(|e| e.sort))
        };
        for run in actions.chunk_by(same) {
            let width = run[0].1.len();
            if run.len() > 1 && width > 0 {
                runs.push((start, width, run.len()));
            }
            start += width * run.len();
        }
        Ok(LabelCode::Sorted { arguments, runs, label })
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

/// What a summand does, in a line.
fn label_text(actions: &[Named], names: &[String], spec: &DataSpec) -> String {
    let text = |(name, list): &Named| {
        let name = &names[name.0 as usize];
        let list: Vec<String> = list.iter().map(|argument| spec.show(argument)).collect();
        if list.is_empty() { name.clone() } else { format!("{name}({})", list.join(", ")) }
    };
    if actions.is_empty() { "tau".to_owned() } else { actions.iter().map(text).collect::<Vec<_>>().join("|") }
}

fn dependencies(summands: &[Summand], guards: &[GuardCode], slots: &Layout) -> Dependencies {
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

/// A state as an environment.
pub(crate) fn fill(environment: &mut [Term], state: &[Value]) {
    for (place, value) in environment.iter_mut().zip(state) {
        *place = Term(*value);
    }
}
