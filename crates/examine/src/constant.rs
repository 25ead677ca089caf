//! Predicates that are the same in all markings, as far as their form tells: there is nothing to search for.

use model::Predicate;

/// Whether a predicate is the same everywhere, and what it is then. A sum without a positive factor never
/// passes a bound of zero or more: `-2·p ≤ 0` holds everywhere.
pub(crate) fn constant(predicate: &Predicate) -> Option<bool> {
    match predicate {
        Predicate::Constant(value) => Some(*value),
        Predicate::AtMost(sum, most) if sum.terms.is_empty() => Some(*most >= 0),
        Predicate::AtMost(sum, most) if *most >= 0 && sum.terms.iter().all(|(_, factor)| *factor < 0) => {
            Some(true)
        }
        Predicate::AtMost(sum, most) if *most < 0 && sum.terms.iter().all(|(_, factor)| *factor > 0) => {
            Some(false)
        }
        Predicate::AtMost(..) => None,
        Predicate::All(parts) => all(parts.iter().map(constant), true),
        Predicate::Any(parts) => all(parts.iter().map(constant), false),
    }
}

/// What a conjunction (`neutral` is true) or a disjunction of these is.
fn all(parts: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    let mut result = Some(neutral);
    for part in parts {
        match part {
            Some(value) if value != neutral => return Some(!neutral),
            Some(_) => {}
            None => result = None,
        }
    }
    result
}
