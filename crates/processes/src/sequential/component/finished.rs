//! All places and steps of a component become summands: places that do the same are merged, and slots that
//! matter nowhere get no parameter.

use std::collections::{BTreeSet, HashMap};

use base::Span;
use terms::{DataSpec, Expr, Kind, SortIx, VarIx};

use super::bisimilar::{Arrow, bisimilar, numbered};
use super::{Component, Edge, Termination};
use crate::defaults::Defaults;
use crate::linear::{Parameter, Summand, equal};
use crate::sequential::nodes::NodeIx;
use crate::tidy::nameless;

/// All places and steps, to be made a linear process.
pub(super) struct Finished<'f> {
    pub(super) number: usize,
    pub(super) name: &'f str,
    pub(super) stacks: Vec<Vec<NodeIx>>,
    pub(super) slots: HashMap<(usize, VarIx), VarIx>,
    pub(super) edges: Vec<Edge>,
    pub(super) initial: Vec<(VarIx, Expr)>,
    pub(super) span: Option<Span>,
}

impl Finished<'_> {
    pub(super) fn component(mut self, data: &mut DataSpec, defaults: &Defaults) -> Component {
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
        let end = end.zip(place).map(|(end, place)| Termination {
            condition: is_at(place, end),
            next: (place, number(places - 1)),
        });
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
        let first = bisimilar(&colours, &arrows);
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
