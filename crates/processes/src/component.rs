//! A sequential component as a linear process of its own: places, steps between them, and the variables that
//! are alive at each place.
//!
//! A place is a stack of nodes: what is left to be done of the process that runs, then of those that called
//! it. A variable of the node at some height of the stack has a slot for that height, so a call does not move
//! what waits below it. Where a variable is dead its slot holds the default value of its sort.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use base::{Diagnostic, Span};
use terms::{DataSpec, Expr, Kind, Op, SortIx, VarIx};

use crate::alike::{Arrow, alike, numbered};
use crate::calls::possible;
use crate::constant_flow::put_constants;
use crate::defaults::Defaults;
use crate::fold::Folder;
use crate::linear::{Named, Parameter, Summand, conjuncts, equal};
use crate::nodes::{Node, NodeIx, Nodes};
use crate::problem::problem;
use crate::skeleton::Root;
use crate::steps::{Frame, Step, Steps, Values};
use crate::tidy::{self, nameless};

/// More places than this are no text that a person wrote.
const MOST_PLACES: usize = 1 << 18;

/// A sequential component.
#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) summands: Vec<Summand>,
    /// Where it has ended, and what it is after the step that says so, if it can end.
    pub(crate) end: Option<End>,
}

/// How a component ends: it is at a place where nothing is left to be done, and goes to one where nothing
/// happens any more.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) condition: Expr,
    pub(crate) next: (VarIx, Expr),
}

/// A step from a place to a place.
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    sums: Vec<VarIx>,
    pub(crate) conditions: Vec<Expr>,
    pub(crate) actions: Vec<Named>,
    /// What becomes of all variables of the place it leads to.
    pub(crate) values: Vec<(VarIx, Expr)>,
    spans: Vec<Span>,
}

/// A place and the values of its variables.
type Place = (usize, Vec<(VarIx, Expr)>);

/// What is left to be done after a step, where these conditions hold as well.
struct Settled {
    conditions: Vec<Expr>,
    frames: Vec<Frame>,
}

/// The places of a component, as they are found.
struct Places<'n, 's> {
    steps: Steps<'n, 's>,
    /// The stack of each place, its top first.
    stacks: Vec<Vec<NodeIx>>,
    numbers: HashMap<Vec<NodeIx>, usize>,
    /// The variable for a height, counted from the bottom of the stack, and a variable of the text.
    slots: HashMap<(usize, VarIx), VarIx>,
    edges: Vec<Edge>,
    folder: &'n Folder,
}

/// Makes a component of a sequential term.
pub(crate) fn component(
    number: usize,
    name: &str,
    root: &Root,
    nodes: &mut Nodes<'_>,
    data: &mut DataSpec,
    (defaults, folder): (&Defaults, &Folder),
) -> Result<Component, Box<Diagnostic>> {
    let mut outer: Vec<VarIx> = root.values.keys().copied().collect();
    outer.sort_unstable();
    let (node, inner) = nodes.root(&root.term, &outer, data);
    let values: Values =
        Rc::new(inner.into_iter().zip(outer.iter().map(|variable| root.values[variable].clone())).collect());
    let mut places = Places {
        steps: Steps { nodes, data },
        stacks: Vec::new(),
        numbers: HashMap::new(),
        slots: HashMap::new(),
        edges: Vec::new(),
        folder,
    };
    let frame = places.steps.frame(node, &values);
    let mut settled = Vec::new();
    places.settle(vec![frame], Vec::new(), false, &mut settled);
    let (_, initial) = places.place(&settled[0].frames)?;
    let mut done = 0;
    while done < places.stacks.len() {
        places.explore(done)?;
        done += 1;
    }
    let Places { stacks, slots, mut edges, .. } = places;
    put_constants(&mut edges, stacks.len(), &initial, folder);
    Ok(Finished { number, name, stacks, slots, edges, initial, span: root.term.span }
        .component(data, defaults))
}

impl Places<'_, '_> {
    /// Enters calls, so that arguments are values and equal bodies equal places, and decides conditions
    /// before the step that leads to them: `a . (c -> p <> q)` is `c -> a . p <> a . q`. What is left to be
    /// done, top first, for each way the conditions go.
    fn settle(
        &mut self,
        mut frames: Vec<Frame>,
        mut conditions: Vec<Expr>,
        forks: bool,
        into: &mut Vec<Settled>,
    ) {
        while let Some(Frame { node, values }) = frames.first() {
            let node = *node;
            let values: Values =
                Rc::new(self.steps.nodes.free(node).iter().copied().zip(values.iter().cloned()).collect());
            let (first, rest) = match *self.steps.nodes.get(node) {
                Node::Sequence(first, rest) => (first, Some(rest)),
                _ => (node, None),
            };
            if let Some((body, inside)) = self.steps.enter(first, &values) {
                let entered = self.steps.frame(body, &inside);
                let rest = rest.map(|rest| self.steps.frame(rest, &values));
                frames.splice(..1, std::iter::once(entered).chain(rest));
                continue;
            }
            let Node::Condition(condition, yes, no) = self.steps.nodes.get(first) else { break };
            let (condition, yes, no) = (self.folder.fold_with(condition, &values), *yes, *no);
            let (can, cannot) = possible(&condition);
            if can && cannot && !forks {
                break;
            }
            let branch = |steps: &mut Steps<'_, '_>, node: NodeIx| {
                let node = rest.map_or(node, |rest| steps.nodes.sequence(node, rest));
                let mut frames = frames.clone();
                frames[0] = steps.frame(node, &values);
                frames
            };
            if !can || !cannot {
                frames = branch(&mut self.steps, if can { yes } else { no });
                continue;
            }
            let (then, otherwise) = (branch(&mut self.steps, yes), branch(&mut self.steps, no));
            let mut without = conditions.clone();
            conjuncts(&Expr::op(Op::Not, [condition.clone()], SortIx::BOOL), &mut without);
            self.settle(otherwise, without, forks, into);
            conjuncts(&condition, &mut conditions);
            frames = then;
        }
        // What follows one that never ends is never run.
        if let Some(last) = frames.iter().position(|frame| !self.steps.nodes.ends(frame.node)) {
            frames.truncate(last + 1);
        }
        into.push(Settled { conditions, frames });
    }

    /// The place where this is left to be done, a new one if it was not there, and the values of its
    /// variables.
    fn place(&mut self, flat: &[Frame]) -> Result<Place, Box<Diagnostic>> {
        let stack: Vec<NodeIx> = flat.iter().map(|frame| frame.node).collect();
        let number = match self.numbers.get(&stack) {
            Some(&number) => number,
            None => {
                let number = self.stacks.len();
                if number == MOST_PLACES {
                    let span = stack.first().and_then(|node| self.steps.nodes.span(*node));
                    let message = format!("a process has more than {MOST_PLACES} places where it can be");
                    return Err(Box::new(problem(message, span)));
                }
                self.numbers.insert(stack.clone(), number);
                self.stacks.push(stack);
                number
            }
        };
        let mut values = Vec::new();
        for (height, frame) in flat.iter().rev().enumerate() {
            let free = self.steps.nodes.free(frame.node).to_vec();
            for (variable, value) in free.into_iter().zip(&frame.values) {
                values.push((self.slot(height, variable), value.clone()));
            }
        }
        values.sort_unstable_by_key(|(slot, _)| *slot);
        Ok((number, values))
    }

    /// The variable that holds one of the text at a height of the stack.
    fn slot(&mut self, height: usize, variable: VarIx) -> VarIx {
        let data = &mut *self.steps.data;
        *self.slots.entry((height, variable)).or_insert_with(|| {
            let terms::Variable { name, sort } = data.vars[variable.ix()].clone();
            data.variable(name, sort)
        })
    }

    /// What is left to be done at a height of a place, each variable in its slot.
    fn waiting(&mut self, height: usize, node: NodeIx) -> Frame {
        let free = self.steps.nodes.free(node).to_vec();
        let mut values = Vec::with_capacity(free.len());
        for variable in free {
            let slot = self.slot(height, variable);
            values.push(Expr::var(slot, self.steps.data.vars[variable.ix()].sort));
        }
        Frame { node, values }
    }

    fn explore(&mut self, from: usize) -> Result<(), Box<Diagnostic>> {
        let stack = self.stacks[from].clone();
        let Some(&top) = stack.first() else { return Ok(()) };
        let below: Vec<Frame> =
            (1..stack.len()).map(|at| self.waiting(stack.len() - 1 - at, stack[at])).collect();
        let Frame { node, values } = self.waiting(stack.len() - 1, top);
        let values: Values = Rc::new(self.steps.nodes.free(node).iter().copied().zip(values).collect());
        for Step { sums, conditions, actions, mut called, own, spans } in self.steps.of(top, &values)? {
            called.extend(own.map(|(node, values)| self.steps.frame(node, &values)));
            called.extend(below.iter().cloned());
            let mut settled = Vec::new();
            self.settle(called, conditions, true, &mut settled);
            for Settled { conditions, frames } in settled.into_iter().rev() {
                // A step that cannot be taken leads nowhere and keeps nothing alive.
                let Some(conditions) = tidy::conditions(&conditions, self.folder) else { continue };
                let (to, values) = self.place(&frames)?;
                let (sums, actions, spans) = (sums.clone(), actions.clone(), spans.clone());
                self.edges.push(Edge { from, to, sums, conditions, actions, values, spans });
            }
        }
        Ok(())
    }
}

/// All places and steps, to be made a linear process.
struct Finished<'f> {
    number: usize,
    name: &'f str,
    stacks: Vec<Vec<NodeIx>>,
    slots: HashMap<(usize, VarIx), VarIx>,
    edges: Vec<Edge>,
    initial: Vec<(VarIx, Expr)>,
    span: Option<Span>,
}

impl Finished<'_> {
    fn component(mut self, data: &mut DataSpec, defaults: &Defaults) -> Component {
        let mut alive = self.alive();
        self.merge(&mut alive);
        let end = self.stacks.iter().position(Vec::is_empty);
        let places = self.stacks.len() + usize::from(end.is_some());
        let place = (places > 1).then(|| data.variable(self.name, SortIx::NAT));
        let mut parameters = self.parameters(&alive, data, defaults);
        let number = |at: usize| Expr::number(at, SortIx::NAT);
        let is_at = |place: VarIx, at: usize| equal(&Expr::var(place, SortIx::NAT), &number(at));
        if let Some(place) = place {
            let places = (0..places).map(|at| format!("{}.{at}", self.name)).collect();
            let (name, span) = (self.name.to_owned(), self.span);
            let (component, places) = (self.number, Some(places));
            let of = Parameter {
                variable: place,
                name,
                sort: SortIx::NAT,
                initial: number(0),
                component,
                places,
                span,
            };
            parameters.insert(0, of);
        }
        let mut summands = Vec::with_capacity(self.edges.len());
        for edge in self.edges {
            let mut conditions: Vec<Expr> = place.map(|place| is_at(place, edge.from)).into_iter().collect();
            conditions.extend(edge.conditions);
            let mut next: Vec<(VarIx, Expr)> = Vec::new();
            next.extend(place.filter(|_| edge.to != edge.from).map(|place| (place, number(edge.to))));
            let stays = |slot: VarIx, value: &Expr| *value.kind == Kind::Var(slot);
            let wanted = edge
                .values
                .into_iter()
                .filter(|(slot, value)| alive[edge.to].contains(slot) && !stays(*slot, value));
            next.extend(wanted);
            for slot in alive[edge.from].difference(&alive[edge.to]) {
                next.push((*slot, defaults.of(data.vars[slot.ix()].sort)));
            }
            next.sort_unstable_by_key(|(slot, _)| *slot);
            summands.push(Summand {
                sums: edge.sums,
                conditions,
                actions: edge.actions,
                next,
                spans: edge.spans,
            });
        }
        let end = end
            .zip(place)
            .map(|(end, place)| End { condition: is_at(place, end), next: (place, number(places - 1)) });
        Component { parameters, summands, end }
    }

    /// Makes one place of those that do the same, and forgets places that no step leads to.
    fn merge(&mut self, alive: &mut Vec<BTreeSet<VarIx>>) {
        let kind = |edge: &Edge| {
            let next =
                edge.values.iter().filter(|(slot, _)| alive[edge.to].contains(slot)).cloned().collect();
            let (sums, conditions, actions) =
                (edge.sums.clone(), edge.conditions.clone(), edge.actions.clone());
            nameless(&Summand { sums, conditions, actions, next, spans: Vec::new() })
        };
        let kinds = numbered(self.edges.iter().map(kind));
        let arrow = |(edge, kind): (&Edge, usize)| Arrow { from: edge.from, to: edge.to, kind };
        let arrows: Vec<Arrow> = self.edges.iter().zip(kinds).map(arrow).collect();
        // To have ended is something else than to be able to do nothing.
        let colours: Vec<(&BTreeSet<VarIx>, bool)> =
            alive.iter().zip(&self.stacks).map(|(alive, stack)| (alive, stack.is_empty())).collect();
        let first = alike(&colours, &arrows);
        let mut reached = vec![false; first.len()];
        let mut waiting = vec![first[0]];
        let mut leading: Vec<Vec<usize>> = vec![Vec::new(); first.len()];
        self.edges.iter().for_each(|edge| leading[edge.from].push(first[edge.to]));
        while let Some(place) = waiting.pop() {
            if !std::mem::replace(&mut reached[place], true) {
                waiting.extend(&leading[place]);
            }
        }
        let mut number = vec![usize::MAX; first.len()];
        let kept: Vec<usize> = (0..first.len()).filter(|&place| reached[place]).collect();
        kept.iter().enumerate().for_each(|(new, old)| number[*old] = new);
        self.edges.retain(|edge| reached[edge.from]);
        for edge in &mut self.edges {
            (edge.from, edge.to) = (number[edge.from], number[first[edge.to]]);
        }
        self.stacks = kept.iter().map(|&place| std::mem::take(&mut self.stacks[place])).collect();
        *alive = kept.iter().map(|&place| std::mem::take(&mut alive[place])).collect();
    }

    /// A parameter for each slot that is alive somewhere, in the order of the stack and the text.
    fn parameters(&self, alive: &[BTreeSet<VarIx>], data: &DataSpec, defaults: &Defaults) -> Vec<Parameter> {
        let mut slots: Vec<(usize, VarIx, VarIx)> =
            self.slots.iter().map(|(&(height, variable), &slot)| (height, variable, slot)).collect();
        slots.sort_unstable();
        slots.retain(|(_, _, slot)| alive.iter().any(|alive| alive.contains(slot)));
        let parameter = |(height, variable, slot): (usize, VarIx, VarIx)| {
            let of = &data.vars[variable.ix()];
            let value = self.initial.iter().find(|(initial, _)| *initial == slot && alive[0].contains(&slot));
            Parameter {
                variable: slot,
                name: if height == 0 { of.name.clone() } else { format!("{}@{height}", of.name) },
                sort: of.sort,
                initial: value.map_or_else(|| defaults.of(of.sort), |(_, value)| value.clone()),
                component: self.number,
                places: None,
                span: self.span,
            }
        };
        slots.into_iter().map(parameter).collect()
    }

    /// Which slots matter at each place: what steps from there look at, and what they hand on to a slot that
    /// matters.
    fn alive(&self) -> Vec<BTreeSet<VarIx>> {
        let mut alive: Vec<BTreeSet<VarIx>> = vec![BTreeSet::new(); self.stacks.len()];
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.stacks.len()];
        let slots: BTreeSet<VarIx> = self.slots.values().copied().collect();
        let free = |expr: &Expr| {
            expr.free().into_iter().filter(|variable| slots.contains(variable)).collect::<Vec<_>>()
        };
        let mut flows: Vec<Vec<(VarIx, Vec<VarIx>)>> = Vec::with_capacity(self.edges.len());
        for (at, edge) in self.edges.iter().enumerate() {
            into[edge.to].push(at);
            alive[edge.from].extend(edge.conditions.iter().flat_map(free));
            alive[edge.from].extend(edge.actions.iter().flat_map(|(_, arguments)| arguments).flat_map(free));
            flows.push(edge.values.iter().map(|(slot, value)| (*slot, free(value))).collect());
        }
        let mut waiting: Vec<usize> = (0..self.stacks.len()).collect();
        while let Some(place) = waiting.pop() {
            for &edge in &into[place] {
                let from = self.edges[edge].from;
                let before = alive[from].len();
                let wanted = flows[edge].iter().filter(|(slot, _)| alive[place].contains(slot));
                let wanted: Vec<VarIx> = wanted.flat_map(|(_, used)| used.iter().copied()).collect();
                alive[from].extend(wanted);
                if alive[from].len() > before {
                    waiting.push(from);
                }
            }
        }
        alive
    }
}
