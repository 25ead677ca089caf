//! The plain meaning of processes and of linear processes whose data are truth values: rule by rule, with
//! nothing made fast.

use std::collections::BTreeMap;
use std::sync::Arc;

use processes::{Communication, LinearProcess, NameIx, ProcessSpec, ProcessTerm, ProcessTermKind};
use terms::{Expr, Kind, Op, VarIx};

/// Values of variables. Numbers are values as well: linear processes count places.
pub type Values = BTreeMap<VarIx, u32>;

pub fn value(expr: &Expr, values: &Values) -> u32 {
    let of = |part: &Expr| value(part, values);
    match &*expr.kind {
        Kind::Var(variable) => values[variable],
        Kind::Truth(truth) => u32::from(*truth),
        Kind::Number(number) => u32::try_from(number).unwrap(),
        Kind::Op(op, parts) => match op {
            Op::Not => 1 - of(&parts[0]),
            Op::And => of(&parts[0]) & of(&parts[1]),
            Op::Or => of(&parts[0]) | of(&parts[1]),
            Op::Implies => (1 - of(&parts[0])) | of(&parts[1]),
            Op::Equal => u32::from(of(&parts[0]) == of(&parts[1])),
            Op::NotEqual => u32::from(of(&parts[0]) != of(&parts[1])),
            Op::If => of(&parts[if of(&parts[0]) == 1 { 1 } else { 2 }]),
            _ => panic!("no function of these tests: {op:?}"),
        },
        _ => panic!("no expression of these tests: {expr:?}"),
    }
}

/// All values of some truth variables, after those that are there.
pub fn all_values(variables: &[VarIx], values: &Values) -> Vec<Values> {
    let mut all = vec![values.clone()];
    for variable in variables {
        let with = |values: &Values, value: u32| {
            let mut values = values.clone();
            values.insert(*variable, value);
            values
        };
        all = all.iter().flat_map(|values| [with(values, 0), with(values, 1)]).collect();
    }
    all
}

/// A multi-action with data, sorted.
pub type Label = Vec<(NameIx, Vec<u32>)>;

pub fn show(label: &Label, names: &[String]) -> String {
    let named = |(name, arguments): &(NameIx, Vec<u32>)| format!("{}{arguments:?}", names[name.0 as usize]);
    label.iter().map(named).collect::<Vec<_>>().join("|")
}

/// What is left of a process.
#[derive(Clone, Debug)]
pub enum State {
    Done,
    Todo(ProcessTerm, Values),
    Then(Box<State>, Vec<(ProcessTerm, Values)>),
    Beside(Vec<State>),
    Handshake(Arc<[Communication]>, Vec<State>),
    /// With rules as µCRL has it.
    LeftFirst(Option<Arc<[Communication]>>, Box<[State; 2]>),
    /// An operator: the term that has it on top.
    Under(ProcessTerm, Box<State>),
}

impl State {
    /// Terms are where they are: that is enough to know them by.
    pub fn key(&self) -> String {
        match self {
            Self::Done => "done".into(),
            Self::Todo(term, values) => format!("{:p}{values:?}", term.kind),
            Self::Then(first, rest) => {
                let rest: Vec<String> =
                    rest.iter().map(|(term, values)| format!("{:p}{values:?}", term.kind)).collect();
                format!("({}).{rest:?}", first.key())
            }
            Self::Beside(parts) | Self::Handshake(_, parts) => {
                parts.iter().map(|part| format!("({})", part.key())).collect::<Vec<_>>().join("||")
            }
            Self::LeftFirst(_, parts) => format!("({})||_({})", parts[0].key(), parts[1].key()),
            Self::Under(term, inner) => format!("{:p}({})", term.kind, inner.key()),
        }
    }
}

fn beside(parts: Vec<State>) -> State {
    if parts.iter().all(|part| matches!(part, State::Done)) { State::Done } else { State::Beside(parts) }
}

fn in_touch(rules: &Arc<[Communication]>, parts: Vec<State>) -> State {
    match parts.iter().all(|part| matches!(part, State::Done)) {
        true => State::Done,
        false => State::Handshake(Arc::clone(rules), parts),
    }
}

/// What rules make of two actions.
fn by_rule(rules: &[Communication], one: &Label, other: &Label) -> Vec<Label> {
    let ([(one, data)], [(two, same)]) = (&one[..], &other[..]) else { return Vec::new() };
    let mut names = vec![*one, *two];
    names.sort();
    let fits = rules.iter().filter(|rule| rule.from == names && data == same);
    fits.map(|rule| rule.to.iter().map(|to| (*to, data.clone())).collect()).collect()
}

/// The steps of a process.
pub fn steps(state: &State, spec: &ProcessSpec) -> Vec<(Label, State)> {
    match state {
        State::Done => Vec::new(),
        State::Todo(term, values) => steps_of_term(term, values, spec),
        State::Then(first, rest) => {
            let then = |(label, first): (Label, State)| {
                let next = match first {
                    State::Done => match &rest[..] {
                        [(term, values)] => State::Todo(term.clone(), values.clone()),
                        [(term, values), more @ ..] => {
                            State::Then(Box::new(State::Todo(term.clone(), values.clone())), more.to_vec())
                        }
                        [] => State::Done,
                    },
                    first => State::Then(Box::new(first), rest.clone()),
                };
                (label, next)
            };
            steps(first, spec).into_iter().map(then).collect()
        }
        State::Beside(parts) => {
            let mut all: Vec<(bool, Label, Vec<State>)> = vec![(false, Label::new(), Vec::new())];
            for part in parts {
                let can = steps(part, spec);
                let mut longer = Vec::new();
                for (moved, label, states) in &all {
                    let mut rests = states.clone();
                    rests.push(part.clone());
                    longer.push((*moved, label.clone(), rests));
                    for (more, next) in &can {
                        let mut joined: Label = label.iter().chain(more).cloned().collect();
                        joined.sort();
                        let mut states = states.clone();
                        states.push(next.clone());
                        longer.push((true, joined, states));
                    }
                }
                all = longer;
            }
            all.into_iter()
                .filter(|(moved, ..)| *moved)
                .map(|(_, label, parts)| (label, beside(parts)))
                .collect()
        }
        State::Handshake(rules, parts) => {
            let mut all = Vec::new();
            let can: Vec<Vec<(Label, State)>> = parts.iter().map(|part| steps(part, spec)).collect();
            for (at, steps) in can.iter().enumerate() {
                for (label, next) in steps {
                    let mut moved = parts.clone();
                    moved[at] = next.clone();
                    all.push((label.clone(), in_touch(rules, moved.clone())));
                    for (other, steps) in can.iter().enumerate().skip(at + 1) {
                        for (answer, then) in steps {
                            for made in by_rule(rules, label, answer) {
                                let mut moved = moved.clone();
                                moved[other] = then.clone();
                                all.push((made, in_touch(rules, moved)));
                            }
                        }
                    }
                }
            }
            all
        }
        State::LeftFirst(rules, parts) => {
            let right = &parts[1];
            let after = |left: State| match rules {
                Some(rules) => in_touch(rules, vec![left, right.clone()]),
                None => beside(vec![left, right.clone()]),
            };
            steps(&parts[0], spec).into_iter().map(|(label, left)| (label, after(left))).collect()
        }
        State::Under(term, inner) => {
            let keep = |(label, next): (Label, State)| {
                let label = under(term, label)?;
                Some((
                    label,
                    if matches!(next, State::Done) {
                        next
                    } else {
                        State::Under(term.clone(), Box::new(next))
                    },
                ))
            };
            steps(inner, spec).into_iter().filter_map(keep).collect()
        }
    }
}

fn under(term: &ProcessTerm, mut label: Label) -> Option<Label> {
    match &*term.kind {
        ProcessTermKind::Allow(list, _) => {
            let names: Vec<NameIx> = label.iter().map(|(name, _)| *name).collect();
            if !names.is_empty() && !list.contains(&names) {
                return None;
            }
        }
        ProcessTermKind::Block(list, _) => {
            if label.iter().any(|(name, _)| list.contains(name)) {
                return None;
            }
        }
        ProcessTermKind::Hide(list, _) => label.retain(|(name, _)| !list.contains(name)),
        ProcessTermKind::Rename(list, _) => {
            for (name, _) in &mut label {
                *name = list.iter().find(|(from, _)| from == name).map_or(*name, |(_, to)| *to);
            }
        }
        ProcessTermKind::Comm(rules, _) => {
            // Left sides share no names, so the order in which they are applied does not matter; what comes
            // of one does not communicate.
            let mut made = Label::new();
            while let Some((rule, group)) = rules.iter().find_map(|rule| Some((rule, group(rule, &label)?))) {
                let data = label[group[0]].1.clone();
                made.extend(rule.to.map(|to| (to, data)));
                let mut at = 0;
                label.retain(|_| {
                    at += 1;
                    !group.contains(&(at - 1))
                });
            }
            label.extend(made);
        }
        _ => panic!("no operator"),
    }
    label.sort();
    Some(label)
}

/// Actions with equal data that a rule applies to.
fn group(rule: &Communication, label: &Label) -> Option<Vec<usize>> {
    label.iter().find_map(|(_, data)| {
        let mut group: Vec<usize> = Vec::new();
        for name in &rule.from {
            let fits = |at: &usize| label[*at].0 == *name && label[*at].1 == *data && !group.contains(at);
            group.push((0..label.len()).find(fits)?);
        }
        Some(group)
    })
}

fn steps_of_term(term: &ProcessTerm, values: &Values, spec: &ProcessSpec) -> Vec<(Label, State)> {
    let todo = |term: &ProcessTerm| State::Todo(term.clone(), values.clone());
    match &*term.kind {
        ProcessTermKind::Action(action, arguments) => {
            let data = arguments.iter().map(|argument| value(argument, values)).collect();
            vec![(vec![(spec.actions[action.0 as usize].name, data)], State::Done)]
        }
        ProcessTermKind::Tau => vec![(Label::new(), State::Done)],
        ProcessTermKind::Delta => Vec::new(),
        ProcessTermKind::Call(process, arguments) => {
            let process = &spec.processes[process.0 as usize];
            let inside = process
                .parameters
                .iter()
                .copied()
                .zip(arguments.iter().map(|argument| value(argument, values)));
            steps_of_term(&process.body, &inside.collect(), spec)
        }
        ProcessTermKind::Choice(parts) => {
            parts.iter().flat_map(|part| steps_of_term(part, values, spec)).collect()
        }
        ProcessTermKind::Sequence(parts) => {
            let rest = parts[1..].iter().map(|part| (part.clone(), values.clone())).collect();
            steps(&State::Then(Box::new(todo(&parts[0])), rest), spec)
        }
        ProcessTermKind::Condition(condition, yes, no) => match (value(condition, values), no) {
            (1, _) => steps_of_term(yes, values, spec),
            (_, Some(no)) => steps_of_term(no, values, spec),
            _ => Vec::new(),
        },
        ProcessTermKind::Sum(variables, body) => all_values(variables, values)
            .iter()
            .flat_map(|values| steps_of_term(body, values, spec))
            .collect(),
        ProcessTermKind::Sync(parts) => {
            let mut all = vec![(Label::new(), State::Done)];
            for part in parts {
                let can = steps_of_term(part, values, spec);
                let join = |(label, state): &(Label, State), (more, next): &(Label, State)| {
                    let mut joined: Label = label.iter().chain(more).cloned().collect();
                    joined.sort();
                    let next = match (state, next) {
                        (State::Done, next) => next.clone(),
                        (state, State::Done) => state.clone(),
                        (state, next) => beside(vec![state.clone(), next.clone()]),
                    };
                    (joined, next)
                };
                all = all.iter().flat_map(|one| can.iter().map(move |other| join(one, other))).collect();
            }
            all
        }
        ProcessTermKind::Parallel(parts) => steps(&State::Beside(parts.iter().map(todo).collect()), spec),
        ProcessTermKind::Handshake(rules, parts) => {
            steps(&State::Handshake(rules.clone(), parts.iter().map(todo).collect()), spec)
        }
        ProcessTermKind::LeftMerge(left, right) => {
            steps(&State::LeftFirst(None, Box::new([todo(left), todo(right)])), spec)
        }
        ProcessTermKind::HandshakeLeft(rules, left, right) => {
            steps(&State::LeftFirst(Some(rules.clone()), Box::new([todo(left), todo(right)])), spec)
        }
        ProcessTermKind::HandshakeBoth(rules, one, other) => {
            let mut all = Vec::new();
            for (label, left) in steps_of_term(one, values, spec) {
                for (answer, right) in steps_of_term(other, values, spec) {
                    for made in by_rule(rules, &label, &answer) {
                        all.push((made, in_touch(rules, vec![left.clone(), right.clone()])));
                    }
                }
            }
            all
        }
        ProcessTermKind::Allow(_, body)
        | ProcessTermKind::Block(_, body)
        | ProcessTermKind::Hide(_, body) => steps(&State::Under(term.clone(), Box::new(todo(body))), spec),
        ProcessTermKind::Rename(_, body) | ProcessTermKind::Comm(_, body) => {
            steps(&State::Under(term.clone(), Box::new(todo(body))), spec)
        }
        _ => panic!("no process of these tests: {term:?}"),
    }
}

/// The transition system of a specification, with the step `Terminate` where it has ended.
pub fn lts_of_spec(spec: &ProcessSpec, most: usize) -> Option<super::Lts> {
    let mut known: std::collections::HashMap<String, State> = std::collections::HashMap::new();
    // What stands after a process that never ends is kept here, so states may grow without end.
    let mut grows = false;
    let first = State::Todo(spec.init.clone(), Values::new());
    let initial = first.key();
    known.insert(initial.clone(), first);
    let lts = super::Lts::explore(initial, most, |key| match known.get(key).cloned() {
        _ if grows => Vec::new(),
        Some(State::Done) => vec![("Terminate[]".to_owned(), "dead".to_owned())],
        None => Vec::new(),
        Some(state) => {
            let mut all = Vec::new();
            for (label, next) in steps(&state, spec) {
                let key = next.key();
                grows |= key.len() > 2000;
                known.insert(key.clone(), next);
                all.push((show(&label, &spec.names), key));
            }
            all
        }
    });
    lts.filter(|_| !grows)
}

/// The transition system of a linear process.
pub fn lts_of_linear(linear: &LinearProcess, most: usize) -> Option<super::Lts> {
    let none = Values::new();
    let initial: Vec<u32> =
        linear.parameters.iter().map(|parameter| value(&parameter.initial, &none)).collect();
    super::Lts::explore(initial, most, |state| {
        let values: Values =
            linear.parameters.iter().zip(state).map(|(of, value)| (of.variable, *value)).collect();
        let mut all = Vec::new();
        for summand in &linear.summands {
            for values in all_values(&summand.sums, &values) {
                if summand.conditions.iter().any(|condition| value(condition, &values) == 0) {
                    continue;
                }
                let data = |list: &[Expr]| list.iter().map(|argument| value(argument, &values)).collect();
                let mut label: Label =
                    summand.actions.iter().map(|(name, list)| (*name, data(list))).collect();
                label.sort();
                let next = |(at, of): (usize, &processes::Parameter)| {
                    summand.next_of(of.variable).map_or(state[at], |expr| value(expr, &values))
                };
                let next = linear.parameters.iter().enumerate().map(next).collect();
                all.push((show(&label, &linear.names), next));
            }
        }
        all
    })
}
