//! The formulas of a file: each goes to those who can answer its kind, all of a kind together.

use engine::{Answer, StopReason, Technique};
use lang_pnml::{PnmlNet, Query, Question};

use crate::goals::{self, Goal};
use crate::{Effort, Error, OnAnswer, bounds, global, property};

/// Answers formulas, all in one run. What is not answered was not found out; why, where that is known, is
/// what comes back.
pub fn formulas(
    net: &PnmlNet,
    queries: &[Query],
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    let (mut goals, mut sums, mut why) = (Vec::new(), Vec::new(), None);
    let initial: Vec<u32> =
        net.net.places.iter().map(|place| u32::try_from(place.initial).unwrap_or(u32::MAX)).collect();
    for query in queries {
        let property = property::of_query(query);
        let unsupported = |reason: &str| StopReason::Unsupported(reason.to_owned());
        match &query.question {
            Question::Possible(target) => goals.push(Goal { property, target: target.clone() }),
            Question::Always(predicate) => match predicate.negated() {
                Some(target) => goals.push(Goal { property, target }),
                None => on_answer(Answer::unknown(property, property::too_large())),
            },
            Question::Initially(predicate) => {
                let answer = match predicate.holds(&initial) {
                    true => property::unreachable(&property, Technique::Structure),
                    false => {
                        let target = predicate.negated();
                        let run = target.as_ref().map(|_| &[][..]);
                        property::reached(&property, run, target.as_ref(), Technique::Structure, effort)
                    }
                };
                on_answer(answer);
            }
            Question::Bound(sum) => sums.push((property, sum.clone())),
            Question::Deadlock | Question::NoDeadlock => {
                why = global::deadlock(net, property, effort, on_answer)?.or(why);
            }
            Question::Temporal(_) => on_answer(Answer::unknown(property, unsupported(NOT_YET))),
            Question::TooLarge(reason) => on_answer(Answer::unknown(property, unsupported(reason))),
        }
    }
    if !sums.is_empty() {
        why = bounds::bounds(net, sums, effort, on_answer)?.or(why);
    }
    if !goals.is_empty() {
        why = goals::decide(&net.net, goals, effort, on_answer)?.or(why);
    }
    // A search that had its share of the time is not why a person saw no more.
    Ok(if effort.cancel.is_cancelled() { Some(StopReason::Interrupted) } else { why })
}

const NOT_YET: &str = "formulas of CTL and LTL cannot be checked yet";
