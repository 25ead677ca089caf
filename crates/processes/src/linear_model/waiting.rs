//! Who waits for what where no action is possible: what each component offers that the others and the
//! operators around it do not allow, and the conditions of the steps that there are.

use base::GroupIx;
use model::waiting::{Blocked, Reason, Waiter, Waiting, Words, by_guards};
use model::{Model, Value};
use terms::{Evaluator, Expr, Term, Truth};

use super::LinearModel;
use crate::linear::{ActionTerm, Offer};

/// What waits in a state.
pub(super) fn waiting(model: &LinearModel, state: &[Value]) -> Waiting {
    let names = |_: GroupIx| Words::Name;
    let mut waiting = by_guards((model.signature(), model.dependencies()), model.stepper(), state, &names);
    let environment: Vec<Term> = state.iter().map(|&value| Term(value)).collect();
    let mut evaluator = model.data.evaluator();
    for (offer, names) in &model.offers {
        if !is_offered(model, &mut evaluator, offer, &environment) {
            continue;
        }
        let action = shown(model, &mut evaluator, (offer, names), &environment);
        let blocked = Blocked {
            name: action.clone(),
            spans: offer.spans.clone(),
            reasons: vec![Reason::NotAllowed { action }],
        };
        let component = &offer.component;
        let at = waiting.waiters.iter().position(|waiter| waiter.name == *component);
        let at = at.unwrap_or_else(|| {
            waiting.waiters.push(Waiter { name: component.clone(), ..Waiter::default() });
            waiting.waiters.len() - 1
        });
        let statements = &mut waiting.waiters[at].statements;
        if !statements.contains(&blocked) {
            // What is offered is nearer to a step than what is not.
            let offered = |statement: &&Blocked| matches!(statement.reasons[..], [Reason::NotAllowed { .. }]);
            let place = statements.iter().take_while(offered).count();
            statements.insert(place, blocked);
        }
    }
    waiting
}

/// Whether all conditions of an offer are true, as far as they can be evaluated.
fn is_offered(
    model: &LinearModel,
    evaluator: &mut Evaluator<'_>,
    offer: &Offer,
    environment: &[Term],
) -> bool {
    offer.conditions.iter().all(|condition| {
        let code = model.data.compile(condition, &model.slots);
        code.is_ok_and(|code| matches!(evaluator.truth(&code, environment), Ok(Truth::True)))
    })
}

/// The multi-action with the values of its arguments. One that names a sum variable has no value of its own.
fn shown(
    model: &LinearModel,
    evaluator: &mut Evaluator<'_>,
    (offer, names): (&Offer, &[String]),
    environment: &[Term],
) -> String {
    let mut argument = |expr: &Expr| {
        let code = model.data.compile(expr, &model.slots).ok();
        let value = code.and_then(|code| evaluator.eval(&code, environment).ok());
        value.map_or_else(|| model.data.spec().show(expr), |term| model.data.show(term, expr.sort))
    };
    let mut action = |(name, (_, list)): (&String, &ActionTerm)| {
        let list: Vec<String> = list.iter().map(&mut argument).collect();
        if list.is_empty() { name.clone() } else { format!("{name}({})", list.join(", ")) }
    };
    let parts: Vec<String> = names.iter().zip(&offer.actions).map(&mut action).collect();
    if parts.is_empty() { "tau".to_owned() } else { parts.join("|") }
}
