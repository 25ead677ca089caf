//! A sequential component as a linear process of its own: places, steps between them, and the variables that
//! matter at each place.
//!
//! *Problem.* A linear process has one state vector and no stack, but `P = a . Q . b . P` calls Q and goes on
//! behind it.
//!
//! *Idea.* A place is a stack of nodes: what is left to be done of the process that runs, then of those that
//! called it. Calls that pile up without end were refused, so there are finitely many places. They are
//! numbered as they are found, and the number is a parameter of the linear process.
//!
//! ```text
//! P = a . Q . b . P      Q = c
//!
//! place 0: P             --a-->  place 1: Q, then b . P
//! place 1: Q, b . P      --c-->  place 2: b . P
//! place 2: b . P         --b-->  place 0
//! ```
//!
//! A variable of the node at some height of the stack has a slot for that height, so a call does not move
//! what waits below it. Where a variable does not matter any more its slot holds the default value of its
//! sort.
//!
//! *Cost.* One summand for each step of each place. `constant_flow` and `bisimilar` make places and steps
//! fewer.

mod bisimilar;
mod constant_flow;
mod finished;

use std::collections::HashMap;
use std::rc::Rc;

use base::{Diagnostic, Span};
use terms::{DataSpec, Expr, Op, SortIx, VarIx};

use super::Root;
use super::nodes::{Node, NodeIx, Nodes};
use super::steps::{Frame, Step, Steps, Values};
use crate::defaults::Defaults;
use crate::fold::{Folder, possible};
use crate::linear::{ActionTerm, Parameter, Summand, conjuncts};
use crate::problem::problem;
use crate::tidy;

use constant_flow::put_constants;
use finished::Finished;

/// More places than this are no text that a person wrote.
const MOST_PLACES: usize = 1 << 18;

/// A sequential component.
#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) summands: Vec<Summand>,
    /// Where it has ended, and what it is after the step that says so, if it can end.
    pub(crate) end: Option<Termination>,
}

/// How a component ends: it is at a place where nothing is left to be done, and goes to one where nothing
/// happens any more.
#[derive(Clone, Debug)]
pub(crate) struct Termination {
    pub(crate) condition: Expr,
    pub(crate) next: (VarIx, Expr),
}

/// A step from a place to a place.
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    sums: Vec<VarIx>,
    pub(crate) conditions: Vec<Expr>,
    pub(crate) actions: Vec<ActionTerm>,
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
