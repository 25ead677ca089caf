//! The product of a system with a property process, as DiVinE composes them.
//!
//! With every step of the system the property takes one of its own. Guards of both look at the state before
//! the step, and the effects of the property come after those of the system. Where the system is stuck the
//! property goes on alone.
//!
//! Example: a system with the commands `a` and `b`, and a property with the transition `t`, become the
//! commands `a, t` and `b, t`, and `t` alone where `a` and `b` are disabled.

use base::Diagnostic;
use commands::{Command, Effect, Expr};

use super::asynchronous::Move;
use super::lowering::Lowering;

/// Replaces the system's commands by those of the product.
pub(crate) fn compose(lowering: &mut Lowering<'_>, property: &[Move<'_>]) {
    if let Some(sync) = property.iter().find_map(|mover| mover.transition.sync.as_ref()) {
        let problem = Diagnostic::error("a property process cannot use channels", sync.span);
        lowering.problems.push(problem.help("let it look at the processes' states and variables instead"));
        return;
    }
    let system = std::mem::take(&mut lowering.program.commands);
    let stuck: Vec<Expr> = system.iter().map(|command| Expr::Disabled(conjuncts(&command.guards))).collect();
    for mover in property {
        for command in &system {
            let joint = joined(lowering, command, mover);
            lowering.command(joint);
        }
        let alone = Command {
            name: lowering.move_name(mover),
            action: lowering.move_name(mover),
            guards: mover.guards.iter().chain(&stuck).cloned().collect(),
            effect: Effect::Steps(mover.steps.clone()),
            spans: vec![mover.transition.span],
            ..Command::default()
        };
        lowering.command(alone);
    }
}

/// The parts of all guards: a command is disabled where one of them is false.
fn conjuncts(guards: &[Expr]) -> Vec<Expr> {
    guards.iter().cloned().flat_map(Expr::conjuncts).collect()
}

/// One step of the system and one of the property, whose effects come last.
fn joined(lowering: &Lowering<'_>, command: &Command, mover: &Move<'_>) -> Command {
    let effect = match &command.effect {
        Effect::Steps(steps) => Effect::Steps(steps.iter().chain(&mover.steps).cloned().collect()),
        fail @ Effect::Fail(..) => fail.clone(),
    };
    Command {
        name: format!("{}, {}", command.name, lowering.move_name(mover)),
        action: command.action.clone(),
        guards: command.guards.iter().chain(&mover.guards).cloned().collect(),
        effect,
        spans: command.spans.iter().copied().chain([mover.transition.span]).collect(),
        ..Command::default()
    }
}
