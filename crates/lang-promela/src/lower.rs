//! From processes that can be there to guarded commands: one for each statement of each process and each way
//! to do it, and one for each pair of statements that hand a message over.
//!
//! The commands of all moves come first, each on its own (`pieces`, `step`, `rendezvous`). Then guards are
//! added to those that wait for others (`precedence`, `determinism`). At last inner commands get their
//! places behind the others, and each command learns which ones follow it.

mod determinism;
mod pieces;
mod points_to;
mod precedence;
mod rendezvous;
mod start;
mod step;
mod trace;
mod translate;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use base::{Source, Span};
use commands::{Assign, At, Command, Effect, Expr as Code, LabelDef, Place as Cell, Step, Then};
use model::{EvalErrorKind, LabelKind, Mover};

use self::pieces::Piece;
use self::points_to::points_to;
use self::trace::place_names;
use self::translate::{View, both, equal};
use crate::flow::table::{Move, MoveTable};
use crate::flow::{ElementIx, Graph, Kind};
use crate::program::Program;
use crate::resolved::Basic;
use crate::world::{Pair, World};

/// What follows a command, until all commands have their numbers.
enum Next {
    Rest,
    /// The process goes on at a place.
    At(usize, ElementIx),
    /// Inside a `d_step`.
    Inside(usize, ElementIx),
}

/// A command in the making.
struct Draft {
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
    drafts: Vec<Draft>,
    /// What a rendezvous send asks before it looks for a receiver.
    attempts: Vec<Draft>,
    inner: Vec<Draft>,
    /// The commands of an element inside a `d_step`, as positions in `inner`.
    inside: HashMap<(usize, ElementIx), Vec<usize>>,
}

/// The guarded commands of a model with these processes.
pub(crate) fn lower(
    source: &Arc<Source>,
    program: &Program,
    tables: &[MoveTable],
    pairs: &BTreeSet<Pair>,
) -> commands::Program {
    let types = program.types.iter().zip(tables);
    let names: Vec<HashMap<ElementIx, String>> =
        types.map(|(process, table)| place_names(source, process, table)).collect();
    let names = |ty: usize, place: ElementIx| names[ty][&place].clone();
    let mut world = World::new(program, tables, pairs, names);
    world.points_to = points_to(&world);
    world.start();
    if program.features.enabled {
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
        let mut made = Self {
            world,
            source,
            drafts: Vec::new(),
            attempts: Vec::new(),
            inner: Vec::new(),
            inside: HashMap::new(),
        };
        made.all();
        made
    }

    /// Whether each process can move.
    fn enabled(&self) -> Vec<Code> {
        let of = |instance: usize| {
            let own = self.drafts.iter().filter(|made| made.mover.0 == instance && !made.on_timeout);
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
        self.elses();
        self.escapes();
        self.determinism();
        self.priorities();
        self.timeouts();
    }

    fn view(&self, instance: usize) -> View<'_, '_> {
        View { world: self.world, instance, timeout: false, started: 0, last: None }
    }

    fn graph(&self, instance: usize) -> &Graph {
        &self.world.program.types[self.world.instances[instance].ty].graph
    }

    /// Whether a process stands at a place, and may move.
    fn standing(&self, instance: usize, place: ElementIx) -> Vec<Code> {
        let who = &self.world.instances[instance];
        let mut guards =
            vec![equal(Code::variable(who.location), Code::Constant(self.world.places[who.ty][&place]))];
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

    /// The assignment of which process did the last step, where anyone asks.
    fn was_last(&self, instance: usize) -> Option<Assign> {
        let pid = self.world.instances[instance].pid as i64;
        Some(Assign::new(Cell::single(self.world.last?), Code::Constant(pid)))
    }

    /// What the end of each step brings: where the process stands, and that it was the last.
    fn done(&self, instance: usize, target: Option<ElementIx>) -> Step {
        self.moved(instance, target).into_iter().chain(self.was_last(instance)).collect()
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
                let end = self.done(instance, one.target);
                let movers = self.mover(instance, one.element, Some(one.element));
                let command = Command { movers, ..self.command(&name, guards, piece, end, span) };
                self.drafts.push(Draft {
                    command,
                    next,
                    mover: (instance, place, number),
                    on_timeout: timeout,
                });
            }
        }
    }

    fn command(&self, name: &str, mut guards: Vec<Code>, piece: Piece, end: Step, span: Span) -> Command {
        guards.extend(piece.guards);
        let mut steps = piece.steps;
        match steps.last_mut() {
            Some(step) => step.extend(end),
            None if !end.is_empty() => steps.push(end),
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
        let graph = self.graph(instance);
        let asks = |&element: &ElementIx| match &graph.elements[element].kind {
            Kind::Basic(Basic::Condition(expr)) => expr.asks_for_timeout(),
            _ => false,
        };
        let on_timeout = graph.tested(one.element).is_some_and(|tested| tested.iter().any(asks));
        self.step_when(instance, place, one, number, false);
        if on_timeout {
            self.step_when(instance, place, one, number, true);
        }
    }

    fn step_when(&mut self, instance: usize, place: ElementIx, one: &Move, number: usize, timeout: bool) {
        let graph = &self.world.program.types[self.world.instances[instance].ty].graph;
        let name = self.name(instance, one);
        let ways = self.first_ways(graph, one);
        // What is asked of others than the statement that is then done.
        let tested = graph.tested(one.element);
        let asked =
            tested.as_ref().map(|tested| self.one_of(View { timeout, ..self.view(instance) }, graph, tested));
        let is_tested = |element: &ElementIx| tested.as_ref().is_none_or(|tested| tested.contains(element));
        let mut earlier: Vec<Vec<Code>> = Vec::new();
        for &(element, after) in &ways {
            let basic = match &graph.elements[element].kind {
                Kind::Basic(basic) => basic,
                _ => &Basic::Skip,
            };
            let view = View { timeout, ..self.view(instance) };
            let pieces = match basic {
                Basic::Send { .. } => view.pieces_inside(basic),
                _ => view.pieces(basic),
            };
            for mut piece in pieces {
                let (joined, after) = self.straight(graph, instance, one, &mut piece, after);
                let (next, end) = self.inside_next(instance, one, after);
                let mut guards = self.standing(instance, place);
                guards.extend(earlier.iter().cloned().map(Code::Disabled));
                guards.extend(asked.clone().filter(|_| !is_tested(&element)));
                if !piece.alarm {
                    earlier.push(piece.guards.clone());
                } else if let Some(good) = earlier.last_mut() {
                    // An assertion is done whether it holds or not.
                    good.clear();
                }
                let span = graph.elements[element].span;
                let movers = self.mover(instance, element, Some(one.element));
                let command = Command { movers, ..self.command(&name, guards, piece, end, span) };
                let command = self.with(command, graph, instance, &joined);
                self.drafts.push(Draft {
                    command,
                    next,
                    mover: (instance, place, number),
                    on_timeout: timeout,
                });
            }
        }
        // Something that is asked can be done, but it is none of those that are tried.
        let tried = |element: &ElementIx| ways.iter().any(|(way, _)| way == element);
        if tested.is_none_or(|tested| !tested.iter().all(tried)) && !earlier.iter().any(Vec::is_empty) {
            let piece = Piece { fails: Some(EvalErrorKind::Blocked), ..Piece::default() };
            let mut guards = self.standing(instance, place);
            guards.extend(earlier.into_iter().map(Code::Disabled));
            guards.extend(asked);
            let movers = self.mover(instance, one.element, Some(one.element));
            let command =
                Command { movers, ..self.command(&name, guards, piece, Step::new(), one.span(graph)) };
            self.drafts.push(Draft {
                command,
                next: Next::Rest,
                mover: (instance, place, number),
                on_timeout: timeout,
            });
        }
    }

    /// Whether one of some statements can be done.
    fn one_of(&self, view: View<'_, '_>, graph: &Graph, elements: &[ElementIx]) -> Code {
        let of = |&element: &ElementIx| match &graph.elements[element].kind {
            Kind::Basic(basic) => view.pieces_inside(basic),
            _ => Vec::new(),
        };
        let ways = elements.iter().flat_map(of).map(|piece| Code::Disabled(piece.guards).not());
        ways.reduce(Code::or).unwrap_or(Code::Constant(0))
    }

    fn finish(mut self) -> (Vec<Command>, Vec<LabelDef>) {
        // What can never be done is left out, so that others need not ask about it.
        let never =
            |made: &Draft| made.command.guards.iter().any(|guard| commands::constant(guard) == Some(0));
        self.drafts.retain(|made| !never(made));
        let mut at: HashMap<(usize, ElementIx), Vec<u32>> = HashMap::new();
        for (number, made) in self.drafts.iter().enumerate() {
            if !made.on_timeout {
                at.entry((made.mover.0, made.mover.1)).or_default().push(number as u32);
            }
        }
        let outer = self.drafts.len();
        let ends = self.ends();
        let then = |next: &Next| match next {
            Next::Rest => Then::Rest,
            Next::At(instance, place) => Then::All(at.get(&(*instance, *place)).cloned().unwrap_or_default()),
            Next::Inside(instance, element) => Then::First(
                self.inside[&(*instance, *element)].iter().map(|number| (outer + number) as u32).collect(),
            ),
        };
        let all = self.drafts.iter().chain(&self.inner);
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
        LabelDef {
            name: "valid end state".into(),
            kind: LabelKind::End,
            value: both(at_end.collect()),
            span: None,
        }
    }
}
