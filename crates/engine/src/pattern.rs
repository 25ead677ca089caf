//! Actions that are looked out for, asked of very many transitions.

use model::{Signature, Value};

use crate::Question;

/// Actions that are looked out for: all that a text matches, or a single one.
///
/// Where it is a text, an action is matched as text, once as a rule: answers are remembered by the action's
/// value, each in the only place it can have, so that even endlessly many actions take no more memory.
#[derive(Clone)]
pub struct Pattern(Wanted);

#[derive(Clone)]
enum Wanted {
    Text { pattern: String, remembered: Vec<Option<(Value, bool)>> },
    One(Value),
}

impl Pattern {
    const MOST_REMEMBERED: usize = 1 << 12;

    /// The pattern of a [`Question::NoAction`], for actions of this model.
    pub fn new(pattern: &str, signature: &Signature) -> Self {
        let actions = 1usize.checked_shl(signature.action.bits()).unwrap_or(usize::MAX);
        let remembered = vec![None; actions.min(Self::MOST_REMEMBERED)];
        Self(Wanted::Text { pattern: pattern.to_owned(), remembered })
    }

    /// The action of a [`Question::Never`], however it is called.
    pub fn one(action: Value) -> Self {
        Self(Wanted::One(action))
    }

    /// Whether an action matches.
    #[inline]
    pub fn matches(&mut self, action: Value, signature: &Signature) -> bool {
        let (pattern, remembered) = match &mut self.0 {
            Wanted::One(wanted) => return *wanted == action,
            Wanted::Text { pattern, remembered } => (pattern, remembered),
        };
        let place = action as usize % remembered.len();
        match remembered[place] {
            Some((known, answer)) if known == action => answer,
            _ => {
                let answer = Question::matches(pattern, &signature.show_action(action));
                remembered[place] = Some((action, answer));
                answer
            }
        }
    }
}
