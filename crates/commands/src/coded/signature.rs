//! What a program shows of itself as a model: its signature and its initial state.

use std::collections::HashSet;

use model::{Group, Label, Signature, Slot, Type, Value};

use crate::analysis::Analysis;
use crate::program::Program;

pub(super) fn signature(program: &Program, analysis: &Analysis) -> Signature {
    let slots = program.variables.iter().filter(|variable| !variable.scratch).flat_map(|variable| {
        (0..variable.length.unwrap_or(1)).map(move |cell| Slot {
            name: if variable.length.is_some() {
                format!("{}[{cell}]", variable.name)
            } else {
                variable.name.clone()
            },
            ty: variable.ty,
            span: variable.span,
            role: variable.role.clone(),
        })
    });
    // Inner commands stand behind all others, and guards in the order of the commands that ask for them
    // first.
    let outer =
        || program.commands.iter().zip(&analysis.command_guards).take_while(|(command, _)| !command.inner);
    let guards = outer().flat_map(|(_, guards)| guards).map(|guard| guard.ix() + 1).max().unwrap_or(0);
    let groups = outer().map(|(command, guards)| Group {
        name: command.name.clone(),
        guards: guards.clone(),
        spans: command.spans.clone(),
        effect: None,
    });
    let labels = program.labels.iter().map(|label| Label {
        name: label.name.clone(),
        kind: label.kind,
        span: label.span,
    });
    // Inner commands give their action to a step only if they are alarms.
    let seen = program.commands.iter().filter(|command| !command.inner || command.alarm);
    let mut actions: Vec<String> = seen.map(|command| command.action.clone()).collect();
    actions.sort_unstable();
    actions.dedup();
    let alarming: HashSet<&str> = program
        .commands
        .iter()
        .filter(|command| command.alarm)
        .map(|command| command.action.as_str())
        .collect();
    let alarms = (0..).zip(&actions).filter(|(_, action)| alarming.contains(action.as_str()));
    let alarms = alarms.map(|(action, _)| action).collect();
    Signature {
        name: program.name.clone(),
        types: program.types.clone(),
        slots: slots.collect(),
        groups: groups.collect(),
        guards: analysis.guards[..guards].iter().map(|(guard, _)| guard.clone()).collect(),
        labels: labels.collect(),
        action: Type::names("action", actions),
        alarms,
        source: program.source.clone(),
    }
}

pub(super) fn initial(program: &Program) -> Vec<Value> {
    let state = program.variables.iter().filter(|variable| !variable.scratch);
    state
        .flat_map(|variable| {
            let given = variable.initial.iter().copied().chain(std::iter::repeat(0));
            given.take(variable.length.unwrap_or(1)).map(i32::cast_unsigned)
        })
        .collect()
}
