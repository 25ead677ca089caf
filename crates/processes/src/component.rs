//! A sequential component as a linear process of its own: places, steps between them, and the variables that are alive at each place.
//!
//! A place is a stack of nodes: what is left to be done of the process that runs, then of those that called it. A variable of the node at
//! some height of the stack has a slot for that height, so a call does not move what waits below it. Where a variable is dead its slot
//! holds the default value of its sort.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use base::{Diagnostic, Span};
use terms::{DataSpec, Expr, Kind, SortIx, VarIx};

use crate::defaults::Defaults;
use crate::linear::{Named, Parameter, Summand, equal};
use crate::nodes::{Node, NodeIx, Nodes};
use crate::problem::problem;
use crate::skeleton::Root;
use crate::steps::{Frame, Step, Steps, Values};

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

/// How a component ends: it is at a place where nothing is left to be done, and goes to one where nothing happens any more.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) condition: Expr,
    pub(crate) next: (VarIx, Expr),
}

/// A step from a place to a place.
struct Edge {
    from: usize,
    to: usize,
    sums: Vec<VarIx>,
    conditions: Vec<Expr>,
    actions: Vec<Named>,
    /// What becomes of all variables of the place it leads to.
    values: Vec<(VarIx, Expr)>,
    spans: Vec<Span>,
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
}

/// Makes a component of a sequential term.
pub(crate) fn component(
    number: usize,
    name: &str,
    root: &Root,
    nodes: &mut Nodes<'_>,
    data: &mut DataSpec,
    defaults: &Defaults,
) -> Result<Component, Box<Diagnostic>> {
    let mut outer: Vec<VarIx> = root.values.keys().copied().collect();
    outer.sort_unstable();
    let (node, inner) = nodes.root(&root.term, &outer, data);
    let values: Values = Rc::new(inner.into_iter().zip(outer.iter().map(|variable| root.values[variable].clone())).collect());
    let mut places = Places {
        steps: Steps { nodes, data },
        stacks: Vec::new(),
        numbers: HashMap::new(),
        slots: HashMap::new(),
        edges: Vec::new(),
    };
    let frame = places.steps.frame(node, &values);
    let (_, initial) = places.place(vec![frame])?;
    let mut done = 0;
    while done < places.stacks.len() {
        places.explore(done)?;
        done += 1;
    }
    let Places { stacks, slots, edges, .. } = places;
    Ok(Finished { number, name, stacks, slots, edges, initial, span: root.term.span }.component(data, defaults))
}

impl Places<'_, '_> {
    /// The place where this is left to be done, a new one if it was not there, and the values of its variables.
    fn place(&mut self, frames: Vec<Frame>) -> Result<(usize, Vec<(VarIx, Expr)>), Box<Diagnostic>> {
        let mut flat = Vec::with_capacity(frames.len());
        let mut waiting: Vec<Frame> = frames.into_iter().rev().collect();
        while let Some(frame) = waiting.pop() {
            let values: Values = Rc::new(self.steps.nodes.free(frame.node).iter().copied().zip(frame.values.clone()).collect());
            let (call, rest) = match *self.steps.nodes.get(frame.node) {
                Node::Sequence(first, rest) => (first, Some(rest)),
                _ => (frame.node, None),
            };
            // A call is entered at once: arguments are values then, and equal bodies are equal places.
            if let Some((body, inside)) = self.steps.enter(call, &values) {
                waiting.extend(rest.map(|rest| self.steps.frame(rest, &values)));
                waiting.push(self.steps.frame(body, &inside));
                continue;
            }
            let ends = self.steps.nodes.ends(frame.node);
            flat.push(frame);
            // What follows one that never ends is never run.
            if !ends {
                break;
            }
        }
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
            let (to, values) = self.place(called)?;
            self.edges.push(Edge { from, to, sums, conditions, actions, values, spans });
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
        // A step that cannot be taken keeps nothing alive.
        self.edges.retain(|edge| !edge.conditions.iter().any(|condition| *condition.kind == Kind::Truth(false)));
        let alive = self.alive();
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
            let of = Parameter { variable: place, name, sort: SortIx::NAT, initial: number(0), component, places, span };
            parameters.insert(0, of);
        }
        let mut summands = Vec::with_capacity(self.edges.len());
        for edge in self.edges {
            let mut conditions: Vec<Expr> = place.map(|place| is_at(place, edge.from)).into_iter().collect();
            conditions.extend(edge.conditions);
            let mut next: Vec<(VarIx, Expr)> = Vec::new();
            next.extend(place.filter(|_| edge.to != edge.from).map(|place| (place, number(edge.to))));
            let stays = |slot: VarIx, value: &Expr| *value.kind == Kind::Var(slot);
            let wanted = edge.values.into_iter().filter(|(slot, value)| alive[edge.to].contains(slot) && !stays(*slot, value));
            next.extend(wanted);
            for slot in alive[edge.from].difference(&alive[edge.to]) {
                next.push((*slot, defaults.of(data.vars[slot.ix()].sort)));
            }
            next.sort_unstable_by_key(|(slot, _)| *slot);
            summands.push(Summand { sums: edge.sums, conditions, actions: edge.actions, next, spans: edge.spans });
        }
        let end = end.zip(place).map(|(end, place)| End { condition: is_at(place, end), next: (place, number(places - 1)) });
        Component { parameters, summands, end }
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

    /// Which slots matter at each place: what steps from there look at, and what they hand on to a slot that matters.
    fn alive(&self) -> Vec<BTreeSet<VarIx>> {
        let mut alive: Vec<BTreeSet<VarIx>> = vec![BTreeSet::new(); self.stacks.len()];
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.stacks.len()];
        let slots: BTreeSet<VarIx> = self.slots.values().copied().collect();
        let free = |expr: &Expr| expr.free().into_iter().filter(|variable| slots.contains(variable)).collect::<Vec<_>>();
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
