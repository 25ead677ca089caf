//! A pattern of actions, asked of very many transitions.

use model::{Signature, Value};

use crate::Question;

/// A pattern of actions. An action is matched as text, once as a rule: answers are remembered by the action's value,
/// each in the only place it can have, so that even endlessly many actions take no more memory.
#[derive(Clone)]
pub struct Pattern {
    pattern: String,
    remembered: Vec<Option<(Value, bool)>>,
}

impl Pattern {
    const MOST_REMEMBERED: usize = 1 << 12;

    /// The pattern of a [`Question::NoAction`], for actions of this model.
    pub fn new(pattern: &str, signature: &Signature) -> Self {
        let actions = 1usize.checked_shl(signature.action.bits()).unwrap_or(usize::MAX);
        Self { pattern: pattern.to_owned(), remembered: vec![None; actions.min(Self::MOST_REMEMBERED)] }
    }

    /// Whether an action matches.
    #[inline]
    pub fn matches(&mut self, action: Value, signature: &Signature) -> bool {
        let place = action as usize % self.remembered.len();
        match self.remembered[place] {
            Some((known, answer)) if known == action => answer,
            _ => {
                let answer = Question::matches(&self.pattern, &signature.show_action(action));
                self.remembered[place] = Some((action, answer));
                answer
            }
        }
    }
}
