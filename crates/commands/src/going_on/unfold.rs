//! What happened inside a step: a path of commands from a state to a successor of a group, found again.
//!
//! The search looks at each point that paths from the state can come to once. One path is asked for, not how
//! many there are.

use std::collections::HashSet;

use base::GroupIx;
use model::{Inside, Stepper, Successor, Successors, Value};

use crate::coded::CodedProgram;
use crate::evaluator::Evaluator;
use crate::interpreter::Interpreter;

/// Most cells of states that are kept: 256 MiB.
const MOST_CELLS: usize = 1 << 26;

/// A point of a path.
struct PathPoint {
    /// The command that has led here, and from which point; none for the first.
    command: u32,
    before: Option<usize>,
    state: Vec<Value>,
    alarm: Option<Value>,
}

/// The commands of a path from a state to a successor.
pub(crate) fn unfold(
    coded: &CodedProgram,
    from: &[Value],
    group: GroupIx,
    action: Value,
    to: &[Value],
) -> Option<Vec<Inside>> {
    let first = &coded.commands[group.ix()];
    let mut interpreter = Interpreter::new(coded);
    let mut buffer = Successors::new(from.len());
    interpreter.group(group, from, &mut buffer).ok()?;
    let alarm = |before: Option<Value>, command: u32| {
        let command = &coded.commands[command as usize];
        before.or(command.alarm.then_some(command.action))
    };
    let command = group.ix() as u32;
    let begin = |step: Successor<'_>| PathPoint {
        command,
        before: None,
        state: step.state.to_vec(),
        alarm: alarm(None, command),
    };
    let mut points: Vec<PathPoint> = buffer.iter().map(begin).collect();
    let mut waiting: Vec<usize> = (0..points.len()).collect();
    let mut seen: HashSet<(u32, Option<Value>, Vec<Value>)> = HashSet::new();
    while let Some(at) = waiting.pop() {
        let point = &points[at];
        let is_wanted = point.state == to && point.alarm.unwrap_or(first.action) == action;
        let list = coded.commands[point.command as usize].list;
        buffer.clear();
        if let Some(list) = list {
            if !seen.insert((list, point.alarm, point.state.clone())) {
                continue;
            }
            // Another path may fail; the one that is asked for did not.
            if interpreter.list(list, &point.state, &mut buffer).is_err() {
                continue;
            }
        }
        let is_end =
            list.is_none_or(|list| buffer.is_empty() && !coded.followers.lists[list as usize].first_only);
        if is_end {
            if is_wanted {
                return Some(path(coded, from, &points, at));
            }
            continue;
        }
        if (points.len() + buffer.len()).saturating_mul(from.len() + 8) > MOST_CELLS {
            return None;
        }
        let before = point.alarm;
        for step in buffer.iter() {
            let command = step.group.ix() as u32;
            waiting.push(points.len());
            let alarm = alarm(before, command);
            points.push(PathPoint { command, before: Some(at), state: step.state.to_vec(), alarm });
        }
    }
    None
}

fn path(coded: &CodedProgram, from: &[Value], points: &[PathPoint], last: usize) -> Vec<Inside> {
    let mut path = Vec::new();
    let mut next = Some(last);
    while let Some(at) = next {
        next = points[at].before;
        let before = next.map_or(from, |before| &points[before].state);
        path.push(coded.inside(points[at].command, before, points[at].state.clone()));
    }
    path.reverse();
    path
}
