//! Sequential process terms as nodes with numbers. Equal terms have the same number, so what is left to be
//! done is a few numbers.
//!
//! Variables are named anew first: those with the same name and sort become one variable wherever their
//! scopes do not overlap. So `sum x: D . a(x) . b(x)` written twice is one node, and parameters of different
//! processes share a slot of the state.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base::Span;
use terms::{DataSpec, Expr, SortIx, VarIx};

use super::calls::Calls;
use crate::fold::possible;
use crate::linear::ActionTerm;
use crate::{Action, Communication, ProcIx, Process, ProcessTerm, ProcessTermKind};

/// A sequential term, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NodeIx(u32);

/// A sequential term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// A multi-action; `tau` is the empty one.
    Step(Vec<ActionTerm>),
    Delta,
    Call(ProcIx, Vec<Expr>),
    Choice(Vec<NodeIx>),
    /// The first is no sequence itself.
    Sequence(NodeIx, NodeIx),
    Condition(Expr, NodeIx, NodeIx),
    Sum(Vec<VarIx>, NodeIx),
    /// The first step is one of all together: a multi-action, or what the rules make of two actions.
    Sync(Option<Arc<[Communication]>>, Vec<NodeIx>),
}

/// All nodes.
pub(crate) struct Nodes<'s> {
    actions: &'s [Action],
    processes: &'s [Process],
    calls: &'s Calls,
    /// What stands for each global variable.
    globals: &'s HashMap<VarIx, Expr>,
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    numbers: HashMap<Node, NodeIx>,
    bodies: Vec<Option<NodeIx>>,
    /// The variable that stands for all with this name and sort, at each depth of nested scopes.
    shared: HashMap<(String, SortIx, usize), VarIx>,
    /// What stands for each variable.
    renamed: HashMap<VarIx, Expr>,
}

/// The variables that can be seen.
#[derive(Default)]
struct Scope {
    open: Vec<(String, SortIx)>,
    /// How many of each name and sort are open.
    count: HashMap<(String, SortIx), usize>,
}

impl Scope {
    /// One more; how many of its kind were open before.
    fn enter(&mut self, variable: (String, SortIx)) -> usize {
        let count = self.count.entry(variable.clone()).or_default();
        self.open.push(variable);
        *count += 1;
        *count - 1
    }

    /// All but the first so many are seen no more.
    fn leave(&mut self, open: usize) {
        for variable in self.open.drain(open..) {
            if let Some(count) = self.count.get_mut(&variable) {
                *count -= 1;
            }
        }
    }
}

/// What is known of a node.
struct Facts {
    /// The variables it needs, ascending.
    free: Vec<VarIx>,
    ends: bool,
    span: Option<Span>,
}

impl<'s> Nodes<'s> {
    pub(crate) fn new(
        actions: &'s [Action],
        processes: &'s [Process],
        calls: &'s Calls,
        globals: &'s HashMap<VarIx, Expr>,
    ) -> Self {
        Self {
            actions,
            processes,
            calls,
            globals,
            nodes: Vec::new(),
            facts: Vec::new(),
            numbers: HashMap::new(),
            bodies: vec![None; processes.len()],
            shared: HashMap::new(),
            renamed: HashMap::new(),
        }
    }

    pub(crate) fn get(&self, node: NodeIx) -> &Node {
        &self.nodes[node.0 as usize]
    }

    /// The variables that a node needs, ascending.
    pub(crate) fn free(&self, node: NodeIx) -> &[VarIx] {
        &self.facts[node.0 as usize].free
    }

    /// Whether it can come to an end.
    pub(crate) fn ends(&self, node: NodeIx) -> bool {
        self.facts[node.0 as usize].ends
    }

    /// Where it stands, or one that is equal to it.
    pub(crate) fn span(&self, node: NodeIx) -> Option<Span> {
        self.facts[node.0 as usize].span
    }

    /// The parameters of a process, as its body knows them.
    pub(crate) fn parameters(&mut self, process: ProcIx, data: &DataSpec) -> Vec<VarIx> {
        let parameters = &self.processes[process.0 as usize].parameters;
        let mut scope = Scope::default();
        parameters.iter().map(|parameter| self.bind(*parameter, &mut scope, data)).collect()
    }

    /// The body of a process.
    pub(crate) fn body(&mut self, process: ProcIx, data: &DataSpec) -> NodeIx {
        let at = process.0 as usize;
        if let Some(body) = self.bodies[at] {
            return body;
        }
        let Self { processes, .. } = *self;
        let mut scope = Scope::default();
        for parameter in &processes[at].parameters {
            self.bind(*parameter, &mut scope, data);
        }
        let body = self.term(&processes[at].body, &mut scope, data);
        self.bodies[at] = Some(body);
        body
    }

    /// The node of a term whose variables are not bound in it are those of `outer`; and what these are called
    /// in it.
    pub(crate) fn root(
        &mut self,
        term: &ProcessTerm,
        outer: &[VarIx],
        data: &DataSpec,
    ) -> (NodeIx, Vec<VarIx>) {
        let mut scope = Scope::default();
        let variables = outer.iter().map(|variable| self.bind(*variable, &mut scope, data)).collect();
        (self.term(term, &mut scope, data), variables)
    }

    /// The variable that stands for this one, where those in `scope` can be seen.
    fn bind(&mut self, variable: VarIx, scope: &mut Scope, data: &DataSpec) -> VarIx {
        let of = &data.vars[variable.ix()];
        let depth = scope.enter((of.name.clone(), of.sort));
        let stands = *self.shared.entry((of.name.clone(), of.sort, depth)).or_insert(variable);
        self.renamed.insert(variable, Expr::var(stands, of.sort));
        stands
    }

    fn expression(&self, expr: &Expr) -> Expr {
        expr.substitute(&self.renamed).substitute(self.globals)
    }

    fn expressions(&self, list: &[Expr]) -> Vec<Expr> {
        list.iter().map(|expr| self.expression(expr)).collect()
    }

    fn term(&mut self, term: &ProcessTerm, scope: &mut Scope, data: &DataSpec) -> NodeIx {
        let node = match &*term.kind {
            ProcessTermKind::Action(action, arguments) => {
                Node::Step(vec![(self.actions[action.0 as usize].name, self.expressions(arguments))])
            }
            ProcessTermKind::Tau => Node::Step(Vec::new()),
            ProcessTermKind::Call(process, arguments) => Node::Call(*process, self.expressions(arguments)),
            ProcessTermKind::Choice(parts) => {
                let mut list: Vec<NodeIx> = Vec::with_capacity(parts.len());
                let mut seen = HashSet::new();
                for part in parts {
                    let part = self.term(part, scope, data);
                    if *self.get(part) != Node::Delta && seen.insert(part) {
                        list.push(part);
                    }
                }
                match list[..] {
                    [] => Node::Delta,
                    [only] => return only,
                    _ => Node::Choice(list),
                }
            }
            ProcessTermKind::Sequence(parts) => {
                let mut nodes = Vec::with_capacity(parts.len());
                for part in parts {
                    nodes.push(self.term(part, scope, data));
                    // What follows one that never ends is never run.
                    if !self.ends(nodes[nodes.len() - 1]) {
                        break;
                    }
                }
                let last = nodes.pop();
                let sequence = last
                    .map(|last| nodes.into_iter().rev().fold(last, |rest, first| self.sequence(first, rest)));
                return sequence.unwrap_or_else(|| panic!("BUG: a sequence of nothing"));
            }
            ProcessTermKind::Condition(condition, yes, no) => {
                let condition = self.expression(condition);
                let (can, cannot) = possible(&condition);
                let delta = self.intern(Node::Delta, None);
                let yes = if can { self.term(yes, scope, data) } else { delta };
                let no = no.as_ref().filter(|_| cannot).map_or(delta, |no| self.term(no, scope, data));
                match (can, cannot) {
                    (_, false) => return yes,
                    (false, _) => return no,
                    _ if yes == no => return yes,
                    _ => Node::Condition(condition, yes, no),
                }
            }
            ProcessTermKind::Sum(variables, body) => {
                let before = scope.open.len();
                let variables: Vec<VarIx> =
                    variables.iter().map(|variable| self.bind(*variable, scope, data)).collect();
                let body = self.term(body, scope, data);
                scope.leave(before);
                let free = self.free(body);
                let variables: Vec<VarIx> =
                    variables.into_iter().filter(|variable| free.binary_search(variable).is_ok()).collect();
                // Every sort has a value, so a variable that is not used does not change what can be done.
                if variables.is_empty() {
                    return body;
                }
                Node::Sum(variables, body)
            }
            ProcessTermKind::Sync(parts) => {
                let parts: Vec<NodeIx> = parts.iter().map(|part| self.term(part, scope, data)).collect();
                self.sync(parts)
            }
            ProcessTermKind::HandshakeBoth(rules, one, other) => {
                let parts = vec![self.term(one, scope, data), self.term(other, scope, data)];
                Node::Sync(Some(rules.clone()), parts)
            }
            _ => Node::Delta,
        };
        self.intern(node, term.span)
    }

    /// Actions that are done together are a multi-action.
    fn sync(&self, parts: Vec<NodeIx>) -> Node {
        let mut together = Vec::new();
        for part in &parts {
            match self.get(*part) {
                Node::Step(actions) => together.extend(actions.iter().cloned()),
                Node::Delta => return Node::Delta,
                _ => return Node::Sync(None, parts),
            }
        }
        together.sort_by_key(|(name, _)| *name);
        Node::Step(together)
    }

    /// One after the other.
    pub(crate) fn sequence(&mut self, first: NodeIx, rest: NodeIx) -> NodeIx {
        let mut firsts = vec![first];
        while let Node::Sequence(head, tail) = *self.get(firsts[firsts.len() - 1]) {
            let at = firsts.len() - 1;
            firsts[at] = head;
            firsts.push(tail);
        }
        let mut whole = rest;
        for first in firsts.into_iter().rev() {
            let span = self.span(first);
            whole = if self.ends(first) { self.intern(Node::Sequence(first, whole), span) } else { first };
        }
        whole
    }

    fn intern(&mut self, node: Node, span: Option<Span>) -> NodeIx {
        if let Some(&number) = self.numbers.get(&node) {
            return number;
        }
        let number = NodeIx(u32::try_from(self.nodes.len()).expect("BUG: more than 2^32 nodes"));
        let facts = self.facts(&node, span);
        self.facts.push(facts);
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        number
    }

    fn facts(&self, node: &Node, span: Option<Span>) -> Facts {
        let mut free: Vec<VarIx> = Vec::new();
        let of = |list: &[Expr]| list.iter().flat_map(|expr| expr.free()).collect::<Vec<VarIx>>();
        let ends = match node {
            Node::Step(actions) => {
                actions.iter().for_each(|(_, arguments)| free.extend(of(arguments)));
                true
            }
            Node::Delta => false,
            Node::Call(process, arguments) => {
                free.extend(of(arguments));
                self.calls.can_end(*process)
            }
            Node::Choice(parts) | Node::Sync(_, parts) => {
                parts.iter().for_each(|part| free.extend(self.free(*part)));
                let mut ends = parts.iter().map(|part| self.ends(*part));
                if matches!(node, Node::Choice(_)) { ends.any(|ends| ends) } else { ends.all(|ends| ends) }
            }
            Node::Sequence(first, rest) => {
                free.extend(self.free(*first));
                free.extend(self.free(*rest));
                self.ends(*first) && self.ends(*rest)
            }
            Node::Condition(condition, yes, no) => {
                free.extend(condition.free());
                free.extend(self.free(*yes));
                free.extend(self.free(*no));
                self.ends(*yes) || self.ends(*no)
            }
            Node::Sum(variables, body) => {
                let bound: HashSet<&VarIx> = variables.iter().collect();
                free.extend(self.free(*body).iter().filter(|variable| !bound.contains(variable)));
                self.ends(*body)
            }
        };
        free.sort_unstable();
        free.dedup();
        Facts { free, ends, span }
    }
}
