//! From processes that can be there to guarded commands: one for each statement of each process and each way to do it, one for each
//! pair of statements that hand a message over.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use base::{Source, Span};
use commands::{Assign, At, Command, Effect, Expr as Code, LabelDef, Place as Cell, Step, Then};
use model::{LabelKind, Mover, Passing};

use crate::flow::{ElementIx, Graph, Kind};
use crate::holds::holds;
use crate::pieces::{HalfFields, Piece};
use crate::resolved::{Basic, Initial, Program};
use crate::table::{Move, Table};
use crate::told::place_names;
use crate::translate::{View, both, equal};
use crate::world::{Home, Pair, World};

/// Statements in a row that are done as one inside a `d_step`: a row can be a circle.
const MOST_JOINED: usize = 64;

/// What follows a command, until all commands have their numbers.
enum Next {
    Rest,
    /// The process goes on at a place.
    At(usize, ElementIx),
    /// Inside a `d_step`.
    Inside(usize, ElementIx),
}

/// A command in the making.
struct Made {
    command: Command,
    next: Next,
    /// Who moves, from where, with which of the moves there: what `else` and escapes ask about.
    mover: (usize, ElementIx, usize),
    /// It asks for `timeout`, and this is how it reads when that is true.
    on_timeout: bool,
}

struct Lowering<'w, 'a> {
    world: &'w World<'a>,
    source: &'w Source,
    made: Vec<Made>,
    inner: Vec<Made>,
    /// The commands of an element inside a `d_step`, as positions in `inner`.
    inside: HashMap<(usize, ElementIx), Vec<usize>>,
}

/// The guarded commands of a model with these processes.
pub(crate) fn lower(
    source: &Arc<Source>,
    program: &Program,
    tables: &[Table],
    pairs: &BTreeSet<Pair>,
) -> commands::Program {
    let types = program.types.iter().zip(tables);
    let names: Vec<HashMap<ElementIx, String>> =
        types.map(|(process, table)| place_names(source, process, table)).collect();
    let names = |ty: usize, place: ElementIx| names[ty][&place].clone();
    let mut world = World::new(program, tables, pairs, names);
    world.holds = holds(&world);
    world.start();
    if program.uses.enabled {
        // Lowered once to know what each process can do, and again with that known.
        world.enabled = Lowering::new(&world, source).enabled();
    }
    let (commands, labels) = Lowering::new(&world, source).finish();
    world.out.commands = commands;
    world.out.labels = labels;
    world.out.name = source.name().into();
    world.out.source = Some(Arc::clone(source));
    world.out
}

impl<'w, 'a> Lowering<'w, 'a> {
    fn new(world: &'w World<'a>, source: &'w Source) -> Self {
        let mut made = Self { world, source, made: Vec::new(), inner: Vec::new(), inside: HashMap::new() };
        made.all();
        made
    }

    /// Whether each process can move.
    fn enabled(&self) -> Vec<Code> {
        let of = |instance: usize| {
            let own = self.made.iter().filter(|made| made.mover.0 == instance && !made.on_timeout);
            let can = own.map(|made| Code::Disabled(made.command.guards.clone()).not());
            can.reduce(Code::or).unwrap_or(Code::Constant(0))
        };
        (0..self.world.instances.len()).map(of).collect()
    }

    fn all(&mut self) {
        for instance in 0..self.world.instances.len() {
            let table = &self.world.tables[self.world.instances[instance].ty];
            for (&place, moves) in &table.places {
                for number in 0..moves.len() {
                    self.movement(instance, place, moves, number);
                }
            }
        }
        self.rendezvous();
        self.precedence();
        self.priorities();
        self.timeouts();
    }

    fn view(&self, instance: usize) -> View<'_, '_> {
        View { world: self.world, instance, timeout: false, started: 0 }
    }

    fn graph(&self, instance: usize) -> &Graph {
        &self.world.program.types[self.world.instances[instance].ty].graph
    }

    /// Whether a process stands at a place, and may move.
    fn standing(&self, instance: usize, place: ElementIx) -> Vec<Code> {
        let who = &self.world.instances[instance];
        let mut guards = vec![equal(Code::variable(who.location), Code::Constant(self.world.places[who.ty][&place]))];
        if let Some(provided) = &self.world.program.types[who.ty].provided {
            guards.push(self.view(instance).expr(provided));
        }
        guards
    }

    /// The assignment of where a process stands.
    fn moved(&self, instance: usize, target: Option<ElementIx>) -> Option<Assign> {
        let who = &self.world.instances[instance];
        let number = self.world.places[who.ty][&target?];
        Some(Assign::new(Cell::single(who.location), Code::Constant(number)))
    }

    fn next(instance: usize, one: &Move) -> Next {
        match one.target {
            Some(target) if one.atomic => Next::At(instance, target),
            _ => Next::Rest,
        }
    }

    fn mover(&self, instance: usize, element: ElementIx, numbered: Option<ElementIx>) -> Vec<Mover> {
        vec![self.world.mover(self.source, instance, element, numbered)]
    }

    fn name(&self, instance: usize, one: &Move) -> String {
        let Mover { name, words, .. } = self.world.mover(self.source, instance, one.element, None);
        format!("{name}: {words}")
    }

    /// The commands of one move, `else` and escapes not yet looked at.
    fn movement(&mut self, instance: usize, place: ElementIx, moves: &[Move], number: usize) {
        let one = &moves[number];
        let graph = &self.world.program.types[self.world.instances[instance].ty].graph;
        let Some(basic) = one.basic(graph) else {
            self.step(instance, place, one, number);
            return;
        };
        let name = self.name(instance, one);
        let span = one.span(graph);
        for timeout in [false, true] {
            if timeout && !matches!(basic, Basic::Condition(expr) if expr.asks_for_timeout()) {
                continue;
            }
            for piece in (View { timeout, ..self.view(instance) }).pieces(basic) {
                let next = Self::next(instance, one);
                let guards = self.standing(instance, place);
                let end = self.moved(instance, one.target);
                let movers = self.mover(instance, one.element, Some(one.element));
                let command = Command { movers, ..self.command(&name, guards, piece, end, instance, span) };
                self.made.push(Made { command, next, mover: (instance, place, number), on_timeout: timeout });
            }
        }
    }

    fn command(
        &self,
        name: &str,
        mut guards: Vec<Code>,
        piece: Piece,
        end: Option<Assign>,
        instance: usize,
        span: Span,
    ) -> Command {
        guards.extend(piece.guards);
        let mut steps = piece.steps;
        let mut last = Step::new();
        last.extend(end);
        if let Some(slot) = self.world.last {
            let pid = self.world.instances[instance].pid as i64;
            last.push(Assign::new(Cell::single(slot), Code::Constant(pid)));
        }
        match steps.last_mut() {
            Some(step) => step.extend(last),
            None if !last.is_empty() => steps.push(last),
            None => {}
        }
        let action = match piece.alarm {
            true => format!("assertion violated: {name}"),
            false => name.to_owned(),
        };
        let effect = match piece.fails {
            Some(kind) => Effect::Fail(kind, At(Some(span))),
            None => Effect::Steps(steps),
        };
        Command {
            name: name.into(),
            action,
            guards,
            effect,
            spans: vec![span],
            alarm: piece.alarm,
            message: piece.message,
            ..Command::default()
        }
    }

    /// A `d_step`: the first statement that can be done starts it, the others are inside.
    fn step(&mut self, instance: usize, place: ElementIx, one: &Move, number: usize) {
        let graph = &self.world.program.types[self.world.instances[instance].ty].graph;
        let name = self.name(instance, one);
        let ways = self.first_ways(graph, one);
        let mut earlier: Vec<Vec<Code>> = Vec::new();
        for (element, after) in ways {
            let basic = match &graph.elements[element].kind {
                Kind::Basic(basic) => basic,
                _ => &Basic::Skip,
            };
            let pieces = match basic {
                Basic::Send { .. } => self.view(instance).pieces_inside(basic),
                _ => self.view(instance).pieces(basic),
            };
            for mut piece in pieces {
                let (joined, after) = self.straight(graph, instance, one, &mut piece, after);
                let (next, end) = self.inside_next(instance, one, after);
                let mut guards = self.standing(instance, place);
                guards.extend(earlier.iter().cloned().map(Code::Disabled));
                if !piece.alarm {
                    earlier.push(piece.guards.clone());
                } else if let Some(good) = earlier.last_mut() {
                    // An assertion is done whether it holds or not.
                    good.clear();
                }
                let span = graph.elements[element].span;
                let movers = self.mover(instance, element, Some(one.element));
                let command = Command { movers, ..self.command(&name, guards, piece, end, instance, span) };
                let command = self.with(command, graph, instance, &joined);
                self.made.push(Made { command, next, mover: (instance, place, number), on_timeout: false });
            }
        }
    }

    /// Inside a `d_step` statements that never wait, and have nothing else beside them, are done together with what is before them:
    /// which ones, and what comes after them.
    fn straight(
        &self,
        graph: &Graph,
        instance: usize,
        one: &Move,
        piece: &mut Piece,
        after: Option<ElementIx>,
    ) -> (Vec<ElementIx>, Option<ElementIx>) {
        let (mut joined, mut after) = (Vec::new(), after);
        while let Some(next) = after.filter(|_| piece.is_plain() && joined.len() < MOST_JOINED) {
            let &[(element, behind)] = self.ways(graph, one.element, next).as_slice() else { break };
            let basic = match &graph.elements[element].kind {
                Kind::Basic(basic) => basic,
                _ => &Basic::Skip,
            };
            let mut pieces = self.view(instance).pieces_inside(basic);
            if pieces.len() != 1 || !pieces[0].guards.is_empty() || !pieces[0].is_plain() {
                break;
            }
            piece.steps.append(&mut pieces[0].steps);
            joined.push(element);
            after = behind;
        }
        (joined, after)
    }

    /// The command, told with the statements that were joined to it.
    fn with(&self, mut command: Command, graph: &Graph, instance: usize, joined: &[ElementIx]) -> Command {
        for &element in joined {
            command.spans.push(graph.elements[element].span);
            command.movers.extend(self.mover(instance, element, None));
        }
        command
    }

    /// The statements that a `d_step` can begin with.
    fn first_ways(&self, graph: &Graph, one: &Move) -> Vec<(ElementIx, Option<ElementIx>)> {
        let Kind::Step(inside) = graph.elements[one.element].kind else { return Vec::new() };
        self.ways(graph, one.element, graph.sequences[inside].first.expect("BUG: an empty sequence"))
    }

    /// What comes after a statement inside a `d_step`, and where the process stands if that is its end.
    fn inside_next(&mut self, instance: usize, one: &Move, after: Option<ElementIx>) -> (Next, Option<Assign>) {
        match after {
            Some(element) => {
                self.inner(instance, one, element);
                (Next::Inside(instance, element), None)
            }
            None => (Self::next(instance, one), self.moved(instance, one.target)),
        }
    }

    /// Where control inside a `d_step` comes to rest: a statement or a choice; none where the step ends.
    fn advance(graph: &Graph, step: ElementIx, from: Option<ElementIx>) -> Option<ElementIx> {
        let mut at = from?;
        for _ in 0..=graph.elements.len() {
            let here = &graph.elements[at];
            if !here.in_step || Some(at) == graph.elements[step].next {
                return None;
            }
            at = match &here.kind {
                Kind::Goto(target) => (*target)?,
                Kind::Joint | Kind::Exit => here.next?,
                Kind::Block(inside) | Kind::Atomic(inside) | Kind::Unless(inside, _) => {
                    graph.sequences[*inside].first?
                }
                _ => return Some(at),
            };
        }
        Some(at)
    }

    /// The statements that can be done first from an element inside a `d_step`, in the order in which they are tried, each with what comes after it.
    fn ways(&self, graph: &Graph, step: ElementIx, from: ElementIx) -> Vec<(ElementIx, Option<ElementIx>)> {
        let mut ways = Vec::new();
        let mut waiting = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(element) = waiting.pop() {
            let Some(at) = Self::advance(graph, step, Some(element)) else {
                ways.push((element, None));
                continue;
            };
            match &graph.elements[at].kind {
                Kind::If(options) | Kind::Do(options) => {
                    if seen.insert(at) {
                        let firsts = options.iter().rev().filter_map(|&option| graph.sequences[option].first);
                        waiting.extend(firsts);
                    }
                }
                _ => ways.push((at, Self::advance(graph, step, graph.elements[at].next))),
            }
        }
        ways
    }

    /// Makes the commands of an element inside a `d_step`, and of all that can follow.
    fn inner(&mut self, instance: usize, one: &Move, from: ElementIx) {
        let graph = &self.world.program.types[self.world.instances[instance].ty].graph;
        let name = self.name(instance, one);
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if self.inside.contains_key(&(instance, at)) {
                continue;
            }
            let mut numbers = Vec::new();
            for (element, after) in self.ways(graph, one.element, at) {
                let basic = match &graph.elements[element].kind {
                    Kind::Basic(basic) => basic,
                    _ => &Basic::Skip,
                };
                for mut piece in self.view(instance).pieces_inside(basic) {
                    let (joined, after) = self.straight(graph, instance, one, &mut piece, after);
                    let (next, end) = match after {
                        Some(after) => {
                            waiting.push(after);
                            (Next::Inside(instance, after), None)
                        }
                        None => (Self::next(instance, one), self.moved(instance, one.target)),
                    };
                    let span = graph.elements[element].span;
                    let movers = self.mover(instance, element, None);
                    let command = self.command(&name, Vec::new(), piece, end, instance, span);
                    let command = Command { movers, inner: true, ..command };
                    let command = self.with(command, graph, instance, &joined);
                    numbers.push(self.inner.len());
                    self.inner.push(Made { command, next, mover: (instance, at, usize::MAX), on_timeout: false });
                }
            }
            self.inside.insert((instance, at), numbers);
        }
    }

    /// Messages that are handed over: two processes move at once.
    fn rendezvous(&mut self) {
        struct End<'t> {
            instance: usize,
            place: ElementIx,
            number: usize,
            one: &'t Move,
            /// What is done, which may be the beginning of the move.
            element: ElementIx,
            after: Option<ElementIx>,
            guards: Vec<Code>,
            fields: EndFields<'t>,
        }
        enum EndFields<'t> {
            Send(Vec<Code>),
            Receive(&'t [crate::resolved::Pattern]),
        }
        let world = self.world;
        let mut by_queue: HashMap<usize, (Vec<End<'_>>, Vec<End<'_>>)> = HashMap::new();
        for instance in 0..world.instances.len() {
            let ty = world.instances[instance].ty;
            let graph = &world.program.types[ty].graph;
            for (&place, moves) in &world.tables[ty].places {
                for (number, one) in moves.iter().enumerate() {
                    // A `d_step` may begin with a receive.
                    let ways = match one.basic(graph) {
                        Some(basic) => vec![(basic, one.element, None)],
                        None => self
                            .first_ways(graph, one)
                            .into_iter()
                            .filter_map(|(element, after)| match &graph.elements[element].kind {
                                Kind::Basic(basic @ Basic::Receive { .. }) => Some((basic, element, after)),
                                _ => None,
                            })
                            .collect(),
                    };
                    for (basic, element, after) in ways {
                        for half in self.view(instance).halves(basic) {
                            let mut guards = self.standing(instance, place);
                            guards.extend(half.guards);
                            let ends = by_queue.entry(half.queue).or_default();
                            let (side, fields) = match half.fields {
                                HalfFields::Send(values) => (&mut ends.0, EndFields::Send(values)),
                                HalfFields::Receive(patterns) => (&mut ends.1, EndFields::Receive(patterns)),
                            };
                            side.push(End { instance, place, number, one, element, after, guards, fields });
                        }
                    }
                }
            }
        }
        let mut queues: Vec<_> = by_queue.into_iter().collect();
        queues.sort_unstable_by_key(|(queue, _)| *queue);
        for (queue, (senders, receivers)) in queues {
            for sender in &senders {
                for receiver in &receivers {
                    if world.instances[sender.instance].pid == world.instances[receiver.instance].pid {
                        continue;
                    }
                    let (EndFields::Send(values), EndFields::Receive(patterns)) = (&sender.fields, &receiver.fields)
                    else {
                        continue;
                    };
                    let (tests, step) = self.view(receiver.instance).takes(patterns, values);
                    let guards = [&sender.guards[..], &receiver.guards[..], &tests[..]].concat();
                    let mut step = step;
                    step.extend(self.moved(sender.instance, sender.one.target));
                    let message = Some(world.letter(queue, Passing::Handed, values.clone()));
                    let piece = Piece { guards: Vec::new(), steps: vec![step], message, ..Piece::default() };
                    let (next, end) = self.inside_next(receiver.instance, receiver.one, receiver.after);
                    let name = format!(
                        "{} → {}",
                        self.name(sender.instance, sender.one),
                        self.name(receiver.instance, receiver.one)
                    );
                    let span = sender.one.span(self.graph(sender.instance));
                    let both = [sender, receiver];
                    let movers =
                        both.iter().flat_map(|end| self.mover(end.instance, end.element, Some(end.one.element)));
                    let movers = movers.collect();
                    let mut command = self.command(&name, guards, piece, end, receiver.instance, span);
                    command.movers = movers;
                    command.spans.push(self.graph(receiver.instance).elements[receiver.element].span);
                    let mover = (sender.instance, sender.place, sender.number);
                    self.made.push(Made { command, next, mover, on_timeout: false });
                }
            }
        }
    }

    /// Where the text gives priorities: a process moves only if none with a greater one can.
    fn priorities(&mut self) {
        if !self.world.program.uses.priorities {
            return;
        }
        let priority =
            |instance: usize| self.world.instances[instance].priority.map_or(Code::Constant(1), Code::variable);
        let before: Vec<(usize, Vec<Code>)> =
            self.made.iter().map(|made| (made.mover.0, made.command.guards.clone())).collect();
        let mut more: Vec<Vec<Code>> = Vec::with_capacity(before.len());
        for made in &self.made {
            let own = made.mover.0;
            let others = before.iter().filter(|(other, _)| *other != own);
            more.push(
                others
                    .map(|(other, guards)| {
                        let less = Code::binary(commands::BinaryOp::Le, priority(*other), priority(own));
                        less.or(Code::Disabled(guards.clone()))
                    })
                    .collect(),
            );
        }
        for (made, more) in self.made.iter_mut().zip(more) {
            made.command.guards.extend(more);
        }
    }

    /// What `else` and escapes ask: that others cannot be done.
    fn precedence(&mut self) {
        let world = self.world;
        // The commands of each place, by move.
        let mut at: HashMap<(usize, ElementIx), Vec<usize>> = HashMap::new();
        for (number, made) in self.made.iter().enumerate() {
            if !made.on_timeout {
                at.entry((made.mover.0, made.mover.1)).or_default().push(number);
            }
        }
        // First escapes, so that `else` sees them.
        for is_else in [false, true] {
            let mut more: Vec<(usize, Vec<Code>)> = Vec::new();
            for (number, made) in self.made.iter().enumerate() {
                let (instance, place, order) = made.mover;
                let ty = world.instances[instance].ty;
                let moves = &world.tables[ty].places[&place];
                let graph = &world.program.types[ty].graph;
                let own = &moves[order];
                let others = at.get(&(instance, place)).map_or(&[][..], Vec::as_slice);
                let standing = self.standing(instance, place).len();
                let disabled = |other: usize| Code::Disabled(self.made[other].command.guards[standing..].to_vec());
                let mut asked = Vec::new();
                if is_else {
                    if matches!(graph.elements[own.element].kind, Kind::Basic(Basic::Else)) {
                        // An `else` in a choice inside an option is tried before the options behind that.
                        let others = others.iter().filter(|&&other| self.made[other].mover.2 < order);
                        asked.extend(others.map(|&other| disabled(other)));
                    }
                } else {
                    let before = |other: &&usize| {
                        let order = self.made[**other].mover.2;
                        order < made.mover.2 && moves[order].escape.is_some() && moves[order].escape != own.escape
                    };
                    asked.extend(others.iter().filter(before).map(|&other| disabled(other)));
                }
                if !asked.is_empty() {
                    more.push((number, asked));
                }
            }
            for (number, asked) in more {
                self.made[number].command.guards.extend(asked);
            }
        }
    }

    /// What asks for `timeout` can be done where nothing else can.
    fn timeouts(&mut self) {
        if !self.made.iter().any(|made| made.on_timeout) {
            return;
        }
        let others = self.made.iter().filter(|made| !made.on_timeout);
        let idle: Vec<Code> = others.map(|made| Code::Disabled(made.command.guards.clone())).collect();
        for made in self.made.iter_mut().filter(|made| made.on_timeout) {
            made.command.guards.extend(idle.iter().cloned());
        }
    }

    fn finish(mut self) -> (Vec<Command>, Vec<LabelDef>) {
        // What can never be done is left out, so that others need not ask about it.
        let never = |made: &Made| made.command.guards.iter().any(|guard| commands::constant(guard) == Some(0));
        self.made.retain(|made| !never(made));
        let mut at: HashMap<(usize, ElementIx), Vec<u32>> = HashMap::new();
        for (number, made) in self.made.iter().enumerate() {
            if !made.on_timeout {
                at.entry((made.mover.0, made.mover.1)).or_default().push(number as u32);
            }
        }
        let outer = self.made.len();
        let ends = self.ends();
        let then = |next: &Next| match next {
            Next::Rest => Then::Rest,
            Next::At(instance, place) => Then::All(at.get(&(*instance, *place)).cloned().unwrap_or_default()),
            Next::Inside(instance, element) => {
                Then::First(self.inside[&(*instance, *element)].iter().map(|number| (outer + number) as u32).collect())
            }
        };
        let all = self.made.iter().chain(&self.inner);
        let commands = all.map(|made| Command { then: then(&made.next), ..made.command.clone() }).collect();
        (commands, vec![ends])
    }

    /// Whether all processes are where they may stay.
    fn ends(&self) -> LabelDef {
        let world = self.world;
        let at_end = (0..world.instances.len()).map(|number| {
            let instance = &world.instances[number];
            let gone = equal(Code::variable(instance.location), Code::Constant(0));
            gone.or(self.view(number).stands(number, world.tables[instance.ty].ends.iter().copied()))
        });
        LabelDef { name: "valid end state".into(), kind: LabelKind::End, value: both(at_end.collect()), span: None }
    }
}

impl World<'_> {
    /// The channels that a variable of the text starts with.
    pub fn global_channels(&self, slots: commands::VarIx) -> Vec<usize> {
        let mut next = 1;
        for (variable, home) in self.program.globals.iter().zip(&self.globals) {
            if let Initial::Channel(_) = variable.initial {
                let cells = variable.cells();
                if matches!(home, Home::Slots(known) if *known == slots) {
                    return (next..next + cells).collect();
                }
                next += cells;
            }
        }
        Vec::new()
    }

    /// Gives all variables what they start with: those of the text, then those of the processes that run from the start.
    fn start(&mut self) {
        let mut values: Vec<Vec<i32>> =
            self.out.variables.iter().map(|variable| vec![0; variable.length.unwrap_or(1)]).collect();
        for (number, variable) in self.program.globals.iter().enumerate() {
            let Home::Slots(slots) = self.globals[number] else { continue };
            let cells = variable.cells();
            let view = View { world: self, instance: usize::MAX, timeout: false, started: 0 };
            let exprs: Vec<Code> = match &variable.initial {
                Initial::Zero => Vec::new(),
                Initial::All(expr) => vec![view.expr(expr); cells],
                Initial::Cells(exprs) => exprs.iter().take(cells).map(|expr| view.expr(expr)).collect(),
                Initial::Channel(_) => {
                    self.global_channels(slots).into_iter().map(|queue| Code::Constant(queue as i64)).collect()
                }
            };
            for (at, expr) in exprs.iter().enumerate() {
                self.set(&mut values, slots, at, expr);
            }
        }
        let mut pid = 0;
        for (ty, process) in self.program.types.iter().enumerate() {
            for _ in 0..process.active {
                let found = self.instances.iter().position(|instance| (instance.pid, instance.ty) == (pid, ty));
                let number = found.expect("BUG: an active process that is not foreseen");
                for step in self.started(number, &[], Code::Constant(process.priority)) {
                    for assign in step {
                        let at = assign.target.index.as_deref().and_then(commands::constant).unwrap_or(0);
                        self.set(&mut values, assign.target.variable, at as usize, &assign.value);
                    }
                }
                pid += 1;
            }
        }
        for (variable, values) in self.out.variables.iter_mut().zip(values) {
            variable.initial = values;
        }
    }

    fn set(&self, values: &mut [Vec<i32>], slots: commands::VarIx, at: usize, expr: &Code) {
        let declared = &self.out.variables[slots.0 as usize];
        let (lo, hi) = match &self.out.types[declared.ty.ix()].domain {
            model::Domain::Range { lo, hi } => (i64::from(*lo), i64::from(*hi)),
            model::Domain::Names(names) => (0, names.len() as i64 - 1),
            model::Domain::Interned(_) => (0, i64::from(i32::MAX)),
        };
        let value = value(expr, values).unwrap_or(0);
        let size = hi - lo + 1;
        values[slots.0 as usize][at] = (lo + (value - lo).rem_euclid(size)) as i32;
    }
}

/// The value of an expression where variables have these values; none where it has none.
fn value(expr: &Code, values: &[Vec<i32>]) -> Option<i64> {
    let known = |place: &Cell| {
        let at = place.index.as_deref().map_or(Some(0), |index| value(index, values))?;
        let cells = &values[place.variable.0 as usize];
        usize::try_from(at).ok().and_then(|at| cells.get(at)).map(|&value| i64::from(value))
    };
    let of = |expr: &Code| value(expr, values);
    match expr {
        Code::Read(place) => known(place),
        Code::Unary(op, operand) => commands::constant(&Code::Unary(*op, Box::new(Code::Constant(of(operand)?)))),
        Code::Binary(op, left, right, at) => commands::constant(&Code::Binary(
            *op,
            Box::new(Code::Constant(of(left)?)),
            Box::new(Code::Constant(of(right)?)),
            *at,
        )),
        Code::And(left, right) => Some(i64::from(of(left)? != 0 && of(right)? != 0)),
        Code::Or(left, right) => Some(i64::from(of(left)? != 0 || of(right)? != 0)),
        Code::If(condition, yes, no) => {
            if of(condition)? != 0 {
                of(yes)
            } else {
                of(no)
            }
        }
        Code::Wrap { lo, hi, value } => {
            commands::constant(&Code::Wrap { lo: *lo, hi: *hi, value: Box::new(Code::Constant(of(value)?)) })
        }
        Code::Table { table, index, .. } => table.cells.get(usize::try_from(of(index)?).ok()?).copied(),
        _ => commands::constant(expr),
    }
}
