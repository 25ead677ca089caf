//! The processes that can be there, each with the slots of its variables, and the channels.
//!
//! Spin keeps processes on a stack: a new one gets the next number, and only the last one can go. So a
//! process is identified by its number and its type. Each such pair that can occur has slots of its own,
//! which are zero while the process is not there. States are then the same as Spin's, one for one.
//!
//! Example: if process 1 is a `P` in some states and a `Q` in others, there are slots for (1, P) and for (1,
//! Q), and in every state one of the two groups of slots is zero.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use base::{Span, TypeIx};
use commands::{At, Expr as Code, Overflow, Place as Cell, VarIx};
use model::{SlotRole, Type};

use crate::flow::ElementIx;
use crate::flow::table::MoveTable;
use crate::program::Program;
use crate::resolved::{Basic, ChannelShape, Expr, Initial, Pattern, Place, Scope, ValueType, Variable};

/// A process that can be there: its number and its type.
pub(crate) type Pair = (usize, usize);

/// Where a variable lives.
#[derive(Clone, Debug)]
pub(crate) enum Storage {
    /// In slots.
    Slots(VarIx),
    /// Nowhere: each cell is one and the same channel for ever.
    Channels(Vec<usize>),
    /// Nowhere: nobody ever reads it.
    Nowhere,
}

/// A process that can be there.
#[derive(Debug)]
pub(crate) struct Instance {
    pub pid: usize,
    pub ty: usize,
    /// Where it stands; zero while it is not there.
    pub location: VarIx,
    /// Its priority, where these matter.
    pub priority: Option<VarIx>,
    pub storages: Vec<Storage>,
    /// The channels that come and go with it.
    pub queues: Vec<usize>,
}

/// A channel.
#[derive(Debug)]
pub(crate) struct Queue {
    pub shape: ChannelShape,
    pub name: String,
    /// How many messages it holds; none for rendezvous.
    pub length: Option<VarIx>,
    /// An array for each field; none for rendezvous.
    pub fields: Vec<VarIx>,
    /// How the values of fields are shown.
    pub types: Vec<TypeIx>,
}

/// Everything that there is.
pub(crate) struct World<'a> {
    pub program: &'a Program,
    pub tables: &'a [MoveTable],
    /// The numbers of places, for each process type; from one.
    pub places: Vec<HashMap<ElementIx, i64>>,
    pub out: commands::Program,
    pub globals: Vec<Storage>,
    pub instances: Vec<Instance>,
    pub queues: Vec<Queue>,
    pub last: Option<VarIx>,
    /// The channels that a variable can hold; 0 where it may hold none.
    pub points_to: HashMap<VarIx, BTreeSet<usize>>,
    /// Whether a process can move, for each that can be there; empty until that is known.
    pub enabled: Vec<Code>,
}

/// What is never assigned, and what is never read.
struct Uses {
    assigned: HashSet<(Option<usize>, usize)>,
    read: HashSet<(Option<usize>, usize)>,
}

impl Uses {
    fn of(program: &Program) -> Self {
        let mut uses = Self { assigned: HashSet::new(), read: HashSet::new() };
        for (ty, process) in program.types.iter().enumerate() {
            for element in &process.graph.elements {
                if let crate::flow::Kind::Basic(basic) = &element.kind {
                    uses.basic(ty, basic);
                }
            }
            process.provided.iter().for_each(|expr| uses.expr(ty, expr));
            process.locals.iter().for_each(|variable| uses.initial(Some(ty), variable));
        }
        program.globals.iter().for_each(|variable| uses.initial(None, variable));
        uses
    }

    fn key(ty: usize, place: &Place) -> (Option<usize>, usize) {
        ((place.scope == Scope::Own).then_some(ty), place.variable)
    }

    fn initial(&mut self, ty: Option<usize>, variable: &Variable) {
        let exprs = match &variable.initial {
            Initial::All(expr) => std::slice::from_ref(expr),
            Initial::Cells(exprs) => exprs,
            _ => &[],
        };
        exprs.iter().for_each(|expr| self.expr(ty.unwrap_or(usize::MAX), expr));
    }

    fn into(&mut self, ty: usize, place: &Place) {
        self.assigned.insert(Self::key(ty, place));
        place.indices.iter().for_each(|index| self.expr(ty, index));
    }

    fn place(&mut self, ty: usize, place: &Place) {
        self.read.insert(Self::key(ty, place));
        place.indices.iter().for_each(|index| self.expr(ty, index));
    }

    fn patterns(&mut self, ty: usize, fields: &[Pattern]) {
        for field in fields {
            match field {
                Pattern::Into(place) => self.into(ty, place),
                Pattern::Equal(expr) => self.expr(ty, expr),
                Pattern::Any => {}
            }
        }
    }

    fn basic(&mut self, ty: usize, basic: &Basic) {
        match basic {
            Basic::Condition(expr) | Basic::Assert(expr) => self.expr(ty, expr),
            Basic::Assign(place, expr) => {
                self.into(ty, place);
                self.expr(ty, expr);
            }
            Basic::Send { channel, fields, .. } => {
                self.place(ty, channel);
                fields.iter().for_each(|field| self.expr(ty, field));
            }
            Basic::Receive { channel, fields, .. } => {
                self.place(ty, channel);
                self.patterns(ty, fields);
            }
            Basic::Prioritise { pid, priority } => {
                self.expr(ty, pid);
                self.expr(ty, priority);
            }
            Basic::Run { arguments, into, priority, .. } => {
                self.expr(ty, priority);
                arguments.iter().for_each(|argument| self.expr(ty, argument));
                if let Some((place, value)) = into {
                    self.into(ty, place);
                    self.expr(ty, value);
                }
            }
            Basic::Skip | Basic::Print | Basic::Else | Basic::End => {}
        }
    }

    fn expr(&mut self, ty: usize, expr: &Expr) {
        match expr {
            Expr::Read(place) | Expr::Channel(_, place) => self.place(ty, place),
            Expr::Unary(_, operand)
            | Expr::Enabled(operand)
            | Expr::PcValue(operand)
            | Expr::Priority(operand) => {
                self.expr(ty, operand);
            }
            Expr::Binary(_, left, right, _) => {
                self.expr(ty, left);
                self.expr(ty, right);
            }
            Expr::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.expr(ty, part));
            }
            Expr::Poll { channel, fields, .. } => {
                self.place(ty, channel);
                for field in fields {
                    match field {
                        Pattern::Into(place) => self.place(ty, place),
                        Pattern::Equal(expr) => self.expr(ty, expr),
                        Pattern::Any => {}
                    }
                }
            }
            Expr::RemoteLabel { pid, .. } => pid.iter().for_each(|pid| self.expr(ty, pid)),
            Expr::RemoteVariable { pid, indices, .. } => {
                pid.iter().for_each(|pid| self.expr(ty, pid));
                indices.iter().for_each(|index| self.expr(ty, index));
            }
            _ => {}
        }
    }
}

impl<'a> World<'a> {
    /// The world with these processes; those that are active come first and have the first numbers.
    pub fn new(
        program: &'a Program,
        tables: &'a [MoveTable],
        pairs: &BTreeSet<Pair>,
        names: impl Fn(usize, ElementIx) -> String,
    ) -> Self {
        let places: Vec<HashMap<ElementIx, i64>> = tables
            .iter()
            .map(|table| table.places.keys().zip(1i64..).map(|(&place, number)| (place, number)).collect())
            .collect();
        let mut world = Self {
            program,
            tables,
            places,
            out: commands::Program::default(),
            globals: Vec::new(),
            instances: Vec::new(),
            queues: Vec::new(),
            last: None,
            points_to: HashMap::new(),
            enabled: Vec::new(),
        };
        let uses = Uses::of(program);
        for (number, variable) in program.globals.iter().enumerate() {
            let storage = world.storage(variable, &uses, (None, number), "", &mut Vec::new());
            world.globals.push(storage);
        }
        if program.features.last {
            let ty = world.range(0, 255, "pid");
            world.last = Some(world.slots("_last".into(), ty, None, SlotRole::Variable, Span::new(0, 0)));
        }
        let mut location_types: HashMap<usize, TypeIx> = HashMap::new();
        for &(pid, ty) in pairs {
            let process = &program.types[ty];
            let location_type = *location_types.entry(ty).or_insert_with(|| {
                let mut shown: Vec<String> = vec!["-".into()];
                shown.extend(tables[ty].places.keys().map(|&place| names(ty, place)));
                world.out.types.push(Type::names(format!("{} at", process.name), shown));
                TypeIx::new(world.out.types.len() - 1)
            });
            let name = format!("{}[{pid}]", process.name);
            let location = world.slots(name.clone(), location_type, None, SlotRole::Location, process.span);
            let priority = program.features.priorities.then(|| {
                let ty = world.range(0, 255, "byte");
                world.slots(format!("{name}._priority"), ty, None, SlotRole::Variable, process.span)
            });
            let mut queues = Vec::new();
            let mut storages = Vec::new();
            for (number, variable) in process.locals.iter().enumerate() {
                storages.push(world.storage(
                    variable,
                    &uses,
                    (Some(ty), number),
                    &format!("{name}."),
                    &mut queues,
                ));
            }
            world.instances.push(Instance { pid, ty, location, priority, storages, queues });
        }
        world
    }

    fn range(&mut self, lo: i32, hi: i32, name: &str) -> TypeIx {
        let known = self.out.types.iter().position(|ty| {
            ty.name == name
                && matches!(ty.domain, model::Domain::Range { lo: l, hi: h } if (l, h) == (lo, hi))
        });
        TypeIx::new(known.unwrap_or_else(|| {
            self.out.types.push(Type::range(name, lo, hi));
            self.out.types.len() - 1
        }))
    }

    /// The type of slots for values.
    fn slot_type(&mut self, ty: ValueType) -> TypeIx {
        let (lo, hi) = ty.range();
        match ty {
            ValueType::Mtype(set) => {
                let program = self.program;
                let set = &program.mtypes[set];
                let name = if set.set.is_empty() { "mtype".into() } else { format!("mtype:{}", set.set) };
                if let Some(known) = self.out.types.iter().position(|ty| ty.name == name) {
                    return TypeIx::new(known);
                }
                let mut names = vec!["0".to_owned()];
                names.extend(set.names.iter().cloned());
                names.extend((names.len()..256).map(|value| value.to_string()));
                self.out.types.push(Type::names(name, names));
                TypeIx::new(self.out.types.len() - 1)
            }
            ValueType::Bool => self.range(lo, hi, "bool"),
            ValueType::Channel => self.range(lo, hi, "chan"),
            ValueType::Unsigned(1) => self.range(lo, hi, "bit"),
            ValueType::Unsigned(8) => self.range(lo, hi, "byte"),
            ValueType::Signed(16) => self.range(lo, hi, "short"),
            ValueType::Signed(32) => self.range(lo, hi, "int"),
            ValueType::Unsigned(_) | ValueType::Signed(_) => self.range(lo, hi, "unsigned"),
        }
    }

    /// The type that shows a value of a message.
    fn shown_type(&mut self, ty: ValueType) -> TypeIx {
        if ty != ValueType::Bool {
            return self.slot_type(ty);
        }
        let known = self.out.types.iter().position(|ty| ty.name == "truth");
        TypeIx::new(known.unwrap_or_else(|| {
            self.out.types.push(Type::names("truth", vec!["false".into(), "true".into()]));
            self.out.types.len() - 1
        }))
    }

    fn slots(
        &mut self,
        name: String,
        ty: TypeIx,
        length: Option<usize>,
        role: SlotRole,
        span: Span,
    ) -> VarIx {
        self.out.variables.push(commands::Variable {
            name,
            ty,
            length,
            initial: Vec::new(),
            overflow: Overflow::Wrap,
            scratch: false,
            role,
            span: Some(span),
        });
        VarIx(self.out.variables.len() as u32 - 1)
    }

    fn storage(
        &mut self,
        variable: &Variable,
        uses: &Uses,
        key: (Option<usize>, usize),
        prefix: &str,
        own: &mut Vec<usize>,
    ) -> Storage {
        let length = (!variable.dimensions.is_empty()).then(|| variable.cells());
        let mut channels = Vec::new();
        if let Initial::Channel(shape) = &variable.initial {
            for cell in 0..length.unwrap_or(1) {
                let name = match length {
                    Some(_) => format!("{prefix}{}[{cell}]", variable.name),
                    None => format!("{prefix}{}", variable.name),
                };
                channels.push(self.queue(shape.clone(), name, variable.span));
            }
            own.extend(&channels);
            if !uses.assigned.contains(&key) {
                return Storage::Channels(channels);
            }
        }
        if (variable.hidden || variable.name == "_") && !uses.read.contains(&key) {
            return Storage::Nowhere;
        }
        let ty = self.slot_type(variable.ty);
        let storage =
            self.slots(format!("{prefix}{}", variable.name), ty, length, SlotRole::Variable, variable.span);
        Storage::Slots(storage)
    }

    fn queue(&mut self, shape: ChannelShape, name: String, span: Span) -> usize {
        let (mut length, mut fields) = (None, Vec::new());
        if shape.capacity > 0 {
            let ty = self.range(0, shape.capacity as i32, "messages");
            let channel: Arc<str> = name.as_str().into();
            let role = SlotRole::ChannelLength(Arc::clone(&channel));
            length = Some(self.slots(format!("len({name})"), ty, None, role, span));
            for (number, &field) in shape.fields.iter().enumerate() {
                let ty = self.slot_type(field);
                let name = if shape.fields.len() == 1 { name.clone() } else { format!("{name}.{number}") };
                let role = SlotRole::ChannelField { channel: Arc::clone(&channel), field: number };
                fields.push(self.slots(name, ty, Some(shape.capacity), role, span));
            }
        }
        let types = shape.fields.iter().map(|&field| self.shown_type(field)).collect();
        self.queues.push(Queue { shape, name, length, fields, types });
        self.queues.len()
    }

    /// A channel by its number, which starts at one.
    pub fn channel(&self, number: usize) -> &Queue {
        &self.queues[number - 1]
    }

    /// Whether a process with this number is there.
    pub fn alive(&self, pid: usize) -> Code {
        let there = self.instances.iter().filter(|instance| instance.pid == pid);
        let there = there.map(|instance| {
            Code::binary(commands::BinaryOp::Ne, Code::variable(instance.location), Code::Constant(0))
        });
        there.reduce(Code::or).unwrap_or(Code::Constant(0))
    }

    /// The storage of a variable, as a process sees it.
    pub fn storage_of(&self, instance: usize, place: &Place) -> &Storage {
        match place.scope {
            Scope::Global => &self.globals[place.variable],
            Scope::Own => &self.instances[instance].storages[place.variable],
        }
    }

    /// The declaration of a variable, as a process sees it.
    pub fn declaration(&self, instance: usize, place: &Place) -> &'a Variable {
        match place.scope {
            Scope::Global => &self.program.globals[place.variable],
            Scope::Own => &self.program.types[self.instances[instance].ty].locals[place.variable],
        }
    }

    /// A slot of a variable.
    pub fn cell(variable: VarIx, index: Option<Code>, span: Span) -> Cell {
        Cell { variable, index: index.map(Box::new), at: At(Some(span)) }
    }
}
