//! What the definitions say, read aloud. Errors are `None` but for those of going on.

use commands::{BinaryOp, Command, Effect, Expr, Place, Program, Then};
use model::EvalErrorKind;

use super::SLOTS;

pub type State = Vec<i64>;

fn cell(place: &Place, state: &State) -> Option<usize> {
    match &place.index {
        None => Some(place.variable.0 as usize),
        Some(index) => {
            usize::try_from(value(index, state)?).ok().filter(|&index| index < 2).map(|index| 2 + index)
        }
    }
}

fn value(expr: &Expr, state: &State) -> Option<i64> {
    Some(match expr {
        Expr::Constant(value) => *value,
        Expr::Read(place) => state[cell(place, state)?],
        Expr::If(condition, then, otherwise) => {
            value(if value(condition, state)? != 0 { then } else { otherwise }, state)?
        }
        Expr::Binary(BinaryOp::Add, left, right, _) => value(left, state)? + value(right, state)?,
        Expr::Binary(BinaryOp::Eq, left, right, _) => i64::from(value(left, state)? == value(right, state)?),
        Expr::Binary(BinaryOp::Lt, left, right, _) => i64::from(value(left, state)? < value(right, state)?),
        other => panic!("BUG: {other:?} is not made here"),
    })
}

/// What a command does by itself: nothing where it is disabled, else a state and which slots were written.
fn step(command: &Command, state: &State) -> Result<Option<(State, [bool; SLOTS])>, Kind> {
    let guards: Vec<Option<i64>> = command.guards.iter().map(|guard| value(guard, state)).collect();
    if guards.contains(&Some(0)) {
        return Ok(None);
    }
    if guards.contains(&None) {
        return Err(None);
    }
    let Effect::Steps(steps) = &command.effect else { panic!("BUG: {:?} is not made here", command.effect) };
    let (mut state, mut written) = (state.clone(), [false; SLOTS]);
    for assign in steps.iter().flatten() {
        let at = cell(&assign.target, &state).ok_or(None)?;
        let new = value(&assign.value, &state).ok_or(None)?;
        state[at] = match new {
            0..=2 => new,
            _ if at == 1 => new.rem_euclid(3),
            _ => return Err(None),
        };
        written[at] = true;
    }
    Ok(Some((state, written)))
}

pub type Kind = Option<EvalErrorKind>;

/// An end of a path: its action, the state, which slots were written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct End {
    pub action: String,
    pub state: Vec<i64>,
    pub written: [bool; SLOTS],
}

/// All paths from a state by a command.
#[derive(Default)]
pub struct Paths {
    pub ends: Vec<End>,
    pub errors: Vec<Kind>,
    pub cuts: usize,
    /// The alarms of paths that were cut.
    pub cut_alarms: Vec<String>,
    pub steps: usize,
}

/// More steps than this are left alone.
pub const MOST: usize = 20_000;

pub fn paths(program: &Program, command: usize, state: &State) -> Paths {
    let mut paths = Paths::default();
    let first = &program.commands[command];
    match step(first, state) {
        Ok(None) => {}
        Err(error) => paths.errors.push(error),
        Ok(Some((state, written))) => {
            paths.go_on(program, &mut vec![first], &mut Vec::new(), state, written);
            let is_heard = |alarm: &String| paths.ends.iter().any(|end| end.action == *alarm);
            if paths.cuts > 0 && (paths.ends.is_empty() || !paths.cut_alarms.iter().all(is_heard)) {
                paths.errors.push(Some(EvalErrorKind::Limit(String::new())));
            }
        }
    }
    paths
}

impl Paths {
    fn go_on<'p>(
        &mut self,
        program: &'p Program,
        taken: &mut Vec<&'p Command>,
        been: &mut Vec<(&'p Then, State)>,
        state: State,
        written: [bool; SLOTS],
    ) {
        self.steps += 1;
        if self.steps > MOST {
            return;
        }
        let then = &taken[taken.len() - 1].then;
        if let Some(at) = been.iter().position(|(list, before)| *list == then && *before == state) {
            let for_ever = been[at..].iter().all(|(list, _)| matches!(list, Then::First(_)));
            match for_ever {
                true => self.errors.push(Some(EvalErrorKind::Endless)),
                false => {
                    self.cuts += 1;
                    let alarm = taken.iter().find(|command| command.alarm);
                    self.cut_alarms.extend(alarm.map(|command| command.action.clone()));
                }
            }
            return;
        }
        let mut next: Vec<(&Command, State, [bool; SLOTS])> = Vec::new();
        for &number in then.next() {
            match step(&program.commands[number as usize], &state) {
                Ok(None) => continue,
                Err(error) => return self.errors.push(error),
                Ok(Some((state, more))) => {
                    let written = std::array::from_fn(|slot| written[slot] || more[slot]);
                    next.push((&program.commands[number as usize], state, written));
                }
            }
            if matches!(then, Then::First(_)) {
                break;
            }
        }
        if next.is_empty() {
            match then {
                Then::First(_) => self.errors.push(Some(EvalErrorKind::Blocked)),
                _ => {
                    let named = taken.iter().find(|command| command.alarm).unwrap_or(&taken[0]);
                    self.ends.push(End { action: named.action.clone(), state, written });
                }
            }
            return;
        }
        been.push((then, state));
        for (command, state, written) in next {
            taken.push(command);
            self.go_on(program, taken, been, state, written);
            taken.pop();
        }
        been.pop();
    }
}
