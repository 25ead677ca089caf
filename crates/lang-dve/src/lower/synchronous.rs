//! `system sync`: all processes move at once.
//!
//! A command is one transition of each process. Every process sees the state before the step and its own
//! effects, but not those of the others. So what one process assigns and another one reads is copied to a
//! scratch variable first. Example: `effect x = y` in one process and `effect y = x` in another swap the two
//! variables.
//!
//! Two processes that assign the same shared place are in conflict, which is an error of the model. Channels
//! mean nothing here, as in DiVinE.

use std::collections::{BTreeSet, HashMap, HashSet};

use base::Diagnostic;
use commands::{Assign, Command, Effect, Expr, Place, Step, VarIx, Variable, constant};
use model::EvalErrorKind;

use super::asynchronous::{Move, assigned, moves};
use super::lowering::Lowering;

/// More combinations of transitions than this are not written out.
const MOST_COMMANDS: usize = 1 << 16;

/// Adds a command for each choice of one transition for each of the first `parts` processes.
pub(crate) fn commands(lowering: &mut Lowering<'_>, parts: usize) {
    let moves = moves(lowering, 0..parts);
    if let Some(sync) = moves.iter().find_map(|mover| mover.transition.sync.as_ref()) {
        let warning = Diagnostic::warning("channels mean nothing in `system sync`", sync.span);
        lowering.warnings.push(warning.help("use `system async` for processes that meet at channels"));
    }
    let mut by_process: Vec<Vec<&Move<'_>>> = vec![Vec::new(); parts];
    for mover in &moves {
        by_process[mover.process].push(mover);
    }
    let combinations = by_process.iter().map(Vec::len).try_fold(1usize, usize::checked_mul);
    if combinations.is_none_or(|count| count > MOST_COMMANDS) {
        let span = lowering.processes[0].instance.span;
        let problem =
            Diagnostic::error(format!("more than {MOST_COMMANDS} ways for all processes to move"), span);
        lowering.problems.push(problem.help("use fewer processes or transitions in a `system sync`"));
        return;
    }
    let mut old_values = OldValues::default();
    let mut chosen = vec![0; parts];
    for _ in 0..combinations.unwrap_or(0) {
        let movers: Vec<&Move<'_>> = by_process.iter().zip(&chosen).map(|(moves, &at)| moves[at]).collect();
        lowering.all_move(&movers, &mut old_values);
        if lowering.is_too_large() {
            return;
        }
        for (at, moves) in chosen.iter_mut().zip(&by_process) {
            *at += 1;
            if *at < moves.len() {
                break;
            }
            *at = 0;
        }
    }
}

/// Copies of variables for those who must not see them change.
#[derive(Default)]
struct OldValues {
    /// The scratch variable of each variable that was ever copied; commands share them.
    scratch: HashMap<VarIx, VarIx>,
    /// The variables that the current command copies.
    used: BTreeSet<VarIx>,
}

impl Lowering<'_> {
    fn all_move(&mut self, movers: &[&Move<'_>], old_values: &mut OldValues) {
        let name = movers.iter().map(|mover| self.move_name(mover)).collect::<Vec<_>>().join(", ");
        let guards = movers.iter().flat_map(|mover| mover.guards.iter().cloned()).collect();
        let effect = match conflict(movers) {
            Some(place) => {
                let variable = self.program.variables[place.variable.0 as usize].name.clone();
                Effect::Fail(EvalErrorKind::WriteConflict { variable }, place.at)
            }
            None => Effect::Steps(self.isolated(movers, old_values)),
        };
        let spans = movers.iter().map(|mover| mover.transition.span).collect();
        self.command(Command { action: name.clone(), name, guards, effect, spans, ..Command::default() });
    }

    /// The steps of all movers, none of which sees what another one did.
    fn isolated(&mut self, movers: &[&Move<'_>], old_values: &mut OldValues) -> Vec<Step> {
        old_values.used.clear();
        let mut steps = vec![Step::new()];
        let mut others: HashSet<VarIx> = HashSet::new();
        for mover in movers {
            for step in &mover.steps {
                let step = step.iter().map(|assign| Assign {
                    value: self.old_value(assign.value.clone(), &others, old_values),
                    target: self.aside_place(assign.target.clone(), &others, old_values, false),
                    at: assign.at,
                });
                steps.push(step.collect());
            }
            others.extend(assigned(&mover.steps).map(|place| place.variable));
        }
        steps[0] = old_values
            .used
            .iter()
            .flat_map(|variable| self.copies(*variable, old_values.scratch[variable]))
            .collect();
        steps
    }

    fn copies(&self, variable: VarIx, old_value: VarIx) -> Vec<Assign> {
        match self.program.variables[variable.0 as usize].length {
            None => vec![Assign::new(Place::single(old_value), Expr::variable(variable))],
            Some(length) => (0..length as i64)
                .map(|at| {
                    let cell = |variable| Place::cell(variable, Expr::Constant(at));
                    Assign::new(cell(old_value), Expr::Read(cell(variable)))
                })
                .collect(),
        }
    }

    /// The expression with the variables that others assign replaced by copies.
    fn old_value(&mut self, expr: Expr, others: &HashSet<VarIx>, old_values: &mut OldValues) -> Expr {
        let mut inside = |expr: Box<Expr>| Box::new(self.old_value(*expr, others, old_values));
        match expr {
            Expr::Constant(_) => expr,
            Expr::Read(place) => Expr::Read(self.aside_place(place, others, old_values, true)),
            Expr::Unary(op, operand) => Expr::Unary(op, inside(operand)),
            Expr::Binary(op, left, right, at) => Expr::Binary(op, inside(left), inside(right), at),
            Expr::And(left, right) => Expr::And(inside(left), inside(right)),
            Expr::Or(left, right) => Expr::Or(inside(left), inside(right)),
            Expr::If(condition, then, otherwise) => {
                Expr::If(inside(condition), inside(then), inside(otherwise))
            }
            Expr::Disabled(guards) => Expr::Disabled(
                guards.into_iter().map(|guard| self.old_value(guard, others, old_values)).collect(),
            ),
            Expr::Table { table, index, at } => Expr::Table { table, index: inside(index), at },
            Expr::Wrap { lo, hi, value } => Expr::Wrap { lo, hi, value: inside(value) },
        }
    }

    fn aside_place(
        &mut self,
        place: Place,
        others: &HashSet<VarIx>,
        old_values: &mut OldValues,
        is_read: bool,
    ) -> Place {
        let index = place.index.map(|index| Box::new(self.old_value(*index, others, old_values)));
        let variable = if is_read && others.contains(&place.variable) {
            old_values.used.insert(place.variable);
            *old_values.scratch.entry(place.variable).or_insert_with(|| {
                let original = self.program.variables[place.variable.0 as usize].clone();
                self.add(Variable { scratch: true, ..original })
            })
        } else {
            place.variable
        };
        Place { variable, index, at: place.at }
    }
}

/// A place that another mover assigns too, or may assign: cells whose indices are not constant may be the
/// same.
fn conflict<'m>(movers: &[&'m Move<'_>]) -> Option<&'m Place> {
    let cell = |place: &Place| place.index.as_deref().and_then(constant);
    let mut owners: HashMap<VarIx, Vec<(usize, Option<i64>)>> = HashMap::new();
    for (at, mover) in movers.iter().enumerate() {
        for place in assigned(&mover.steps) {
            let known = owners.entry(place.variable).or_default();
            let meets =
                |other: &Option<i64>| other.is_none() || cell(place).is_none() || *other == cell(place);
            if known.iter().any(|(owner, other)| *owner != at && meets(other)) {
                return Some(place);
            }
            known.push((at, cell(place)));
        }
    }
    None
}
