//! The first steps of a sequential term: its guarded normal form, made when it is asked for.
//!
//! ```text
//! (sum n: Nat . c(n) -> a(n)) . P + b
//! ```
//!
//! has two first steps: `a(n)` with the sum variable n and the condition c(n), after which P is left to be
//! done; and `b`, after which nothing is left. Calls are entered until an action is reached; [`super::Calls`]
//! has made sure that one is.

use std::collections::HashMap;
use std::rc::Rc;

use base::{Diagnostic, Span};
use terms::{DataSpec, Expr, Op, SortIx, VarIx};

use super::nodes::{Node, NodeIx, Nodes};
use crate::linear::{ActionTerm, conjuncts, equal};
use crate::problem::problem;
use crate::{Communication, NameIx};

/// The values of the variables that can be seen.
pub(crate) type Values = Rc<HashMap<VarIx, Expr>>;

/// More first steps of one place than this are no text that a person wrote.
const MOST_STEPS: usize = 1 << 20;

/// More actions in one step than this are no text that a person wrote.
pub(crate) const MOST_TOGETHER: usize = 1000;

/// Complains of a step of too many actions.
pub(crate) fn check_together(actions: &[ActionTerm], span: Option<Span>) -> Result<(), Box<Diagnostic>> {
    if actions.len() <= MOST_TOGETHER {
        return Ok(());
    }
    Err(Box::new(problem(format!("more than {MOST_TOGETHER} actions are one step"), span)))
}

/// What is left to be done, and the values of its free variables in their order.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) node: NodeIx,
    pub(crate) values: Vec<Expr>,
}

/// A first step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) sums: Vec<VarIx>,
    pub(crate) conditions: Vec<Expr>,
    pub(crate) actions: Vec<ActionTerm>,
    /// What is left of processes that were called, the innermost first.
    pub(crate) called: Vec<Frame>,
    /// What is left after that of the term itself.
    pub(crate) own: Option<(NodeIx, Values)>,
    pub(crate) spans: Vec<Span>,
}

/// What holds before a step.
#[derive(Clone, Default)]
struct Before {
    sums: Vec<VarIx>,
    conditions: Vec<Expr>,
}

/// Finds first steps.
pub(crate) struct Steps<'n, 's> {
    pub(crate) nodes: &'n mut Nodes<'s>,
    pub(crate) data: &'n mut DataSpec,
}

impl Steps<'_, '_> {
    /// The first steps of a term.
    pub(crate) fn of(&mut self, node: NodeIx, values: &Values) -> Result<Vec<Step>, Box<Diagnostic>> {
        let mut steps = Vec::new();
        self.collect(node, values, &Before::default(), &mut steps)?;
        Ok(steps)
    }

    /// What is left to be done, with the values that its variables have.
    pub(crate) fn frame(&self, node: NodeIx, values: &Values) -> Frame {
        let value = |variable: &VarIx| match values.get(variable) {
            Some(value) => value.clone(),
            None => panic!("BUG: variable `{}` has no value", self.data.vars[variable.ix()].name),
        };
        Frame { node, values: self.nodes.free(node).iter().map(value).collect() }
    }

    /// The body of a called process and the values of its parameters.
    pub(crate) fn enter(&mut self, node: NodeIx, values: &Values) -> Option<(NodeIx, Values)> {
        let Node::Call(process, arguments) = self.nodes.get(node) else { return None };
        let process = *process;
        let arguments: Vec<Expr> = arguments.iter().map(|argument| argument.substitute(values)).collect();
        let parameters = self.nodes.parameters(process, self.data);
        Some((self.nodes.body(process, self.data), Rc::new(parameters.into_iter().zip(arguments).collect())))
    }

    fn collect(
        &mut self,
        node: NodeIx,
        values: &Values,
        before: &Before,
        into: &mut Vec<Step>,
    ) -> Result<(), Box<Diagnostic>> {
        if into.len() > MOST_STEPS {
            let message = format!("a process can do more than {MOST_STEPS} different steps at one place");
            return Err(Box::new(problem(message, self.nodes.span(node))));
        }
        match self.nodes.get(node).clone() {
            Node::Delta => {}
            Node::Step(actions) => {
                check_together(&actions, self.nodes.span(node))?;
                let named = |(name, arguments): &ActionTerm| {
                    (*name, arguments.iter().map(|argument| argument.substitute(values)).collect())
                };
                into.push(Step {
                    sums: before.sums.clone(),
                    conditions: before.conditions.clone(),
                    actions: actions.iter().map(named).collect(),
                    called: Vec::new(),
                    own: None,
                    spans: self.nodes.span(node).into_iter().collect(),
                });
            }
            Node::Call(..) => {
                let Some((body, inside)) = self.enter(node, values) else { panic!("BUG: a call is no call") };
                let start = into.len();
                self.collect(body, &inside, before, into)?;
                for step in &mut into[start..] {
                    if let Some((node, values)) = step.own.take() {
                        step.called.push(self.frame(node, &values));
                    }
                }
            }
            Node::Choice(parts) => {
                for part in parts {
                    self.collect(part, values, before, into)?;
                }
            }
            Node::Sequence(first, rest) => {
                let start = into.len();
                self.collect(first, values, before, into)?;
                for step in &mut into[start..] {
                    step.own = Some(match step.own.take() {
                        // Variables that are bound in the first part are seen there only: the rest does not
                        // name them.
                        Some((node, inner)) => (self.nodes.sequence(node, rest), inner),
                        None => (rest, Rc::clone(values)),
                    });
                }
            }
            Node::Condition(condition, yes, no) => {
                let condition = condition.substitute(values);
                let mut with = before.clone();
                conjuncts(&condition, &mut with.conditions);
                self.collect(yes, values, &with, into)?;
                let mut without = before.clone();
                conjuncts(&Expr::op(Op::Not, [condition], SortIx::BOOL), &mut without.conditions);
                self.collect(no, values, &without, into)?;
            }
            Node::Sum(variables, body) => {
                let (mut inside, mut before) = (HashMap::clone(values), before.clone());
                for variable in variables {
                    let terms::Variable { name, sort } = self.data.vars[variable.ix()].clone();
                    let fresh = self.data.variable(name, sort);
                    inside.insert(variable, Expr::var(fresh, sort));
                    before.sums.push(fresh);
                }
                self.collect(body, &Rc::new(inside), &before, into)?;
            }
            Node::Sync(rules, parts) => self.together(rules.as_deref(), &parts, values, before, into)?,
        }
        Ok(())
    }

    /// All do their first step together, by a rule if there are rules.
    fn together(
        &mut self,
        rules: Option<&[Communication]>,
        parts: &[NodeIx],
        values: &Values,
        before: &Before,
        into: &mut Vec<Step>,
    ) -> Result<(), Box<Diagnostic>> {
        let start = into.len();
        self.collect(parts[0], values, before, into)?;
        let mut whole = into.split_off(start);
        for part in &parts[1..] {
            let mut others = Vec::new();
            self.collect(*part, values, &Before::default(), &mut others)?;
            let mut joined = Vec::with_capacity(whole.len() * others.len());
            for (one, other) in whole.iter().flat_map(|one| others.iter().map(move |other| (one, other))) {
                let by_rule = match rules {
                    Some(rules) => match handshake(&one.actions, &other.actions, rules) {
                        Some(made) => Some(made),
                        None => continue,
                    },
                    None => None,
                };
                let goes_on = |step: &Step| step.own.is_some() || !step.called.is_empty();
                if goes_on(one) && goes_on(other) {
                    let message = "two processes that go on are synchronised with `|`: \
                        they would run side by side after that";
                    return Err(Box::new(
                        problem(message, self.nodes.span(*part))
                            .help("write `a | b` of actions, or put the processes in parallel at the top"),
                    ));
                }
                let mut step = one.clone();
                step.sums.extend(&other.sums);
                step.conditions.extend(other.conditions.iter().cloned());
                match by_rule {
                    Some((conditions, actions)) => {
                        step.conditions.extend(conditions);
                        step.actions = actions;
                    }
                    None => {
                        step.actions.extend(other.actions.iter().cloned());
                        step.actions.sort_by_key(|(name, _)| *name);
                        check_together(&step.actions, self.nodes.span(*part))?;
                    }
                }
                step.called.extend(other.called.iter().cloned());
                step.own = step.own.or_else(|| other.own.clone());
                step.spans.extend(&other.spans);
                joined.push(step);
            }
            whole = joined;
        }
        into.extend(whole);
        Ok(())
    }
}

/// What a rule makes of two actions, and where it does: their arguments are equal.
fn handshake(
    one: &[ActionTerm],
    other: &[ActionTerm],
    rules: &[Communication],
) -> Option<(Vec<Expr>, Vec<ActionTerm>)> {
    let ([(one, data)], [(other, same)]) = (one, other) else { return None };
    let names: [NameIx; 2] = [*one.min(other), *one.max(other)];
    let rule = rules.iter().find(|rule| rule.from == names)?;
    if data.len() != same.len() || data.iter().zip(same).any(|(one, other)| one.sort != other.sort) {
        return None;
    }
    let conditions = data.iter().zip(same).map(|(one, other)| equal(one, other)).collect();
    Some((conditions, rule.to.iter().map(|to| (*to, data.clone())).collect()))
}
