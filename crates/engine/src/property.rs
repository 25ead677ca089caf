//! The questions a search can answer.

use base::LabelIx;
use model::{Linear, Value};

use crate::Verdict;

/// A named question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// How reports call it.
    pub name: String,
    /// What is looked for.
    pub question: Question,
    /// Of which runs it speaks.
    pub runs: Runs,
}

/// Of which runs a property speaks: whether what is looked for refutes it or proves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Runs {
    /// No run may come to what the question looks for: `AG p`, asked as [`Question::Always`] of `p`. A run to
    /// it *violates* the property.
    #[default]
    All,
    /// Some run has to come to it: `EF p`, asked as [`Question::Always`] of `not p`. A run to it shows that
    /// the property *holds*.
    Some,
}

/// What is asked of the reachable states. Most are violated by one run to a state or transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// No state is without successors, unless the model's [`model::LabelKind::End`] says that it is fine to
    /// stop there.
    NoDeadlock,
    /// No state makes the model fail: no division by zero, no index or value out of range.
    NoError,
    /// The label is nowhere zero.
    Always(LabelIx),
    /// No transition carries an action that this pattern matches: a name, with `*` for anything.
    NoAction(String),
    /// No transition carries this action: an alarm of the model, whose text may have stars of its own.
    Never(Value),
    /// The initial state does not make the label zero.
    Initially(LabelIx),
    /// What is the greatest value of this sum of slots in any reachable state?
    Maximum(Linear),
    /// A question that no engine is asked as a whole; what it states, in words. Who can answer it asks
    /// engines smaller questions.
    Other(String),
}

impl Property {
    /// A named question about all runs.
    pub fn new(name: impl Into<String>, question: Question) -> Self {
        Self { name: name.into(), question, runs: Runs::All }
    }

    /// The same name for the opposite property: some run comes to what the question looks for.
    #[must_use]
    pub fn of_some_run(self) -> Self {
        Self { runs: Runs::Some, ..self }
    }

    /// The verdict where what the question looks for was found.
    pub fn when_found(&self) -> Verdict {
        match self.runs {
            Runs::All => Verdict::Violated,
            Runs::Some => Verdict::Holds,
        }
    }

    /// The verdict where all was searched and what the question looks for is not there.
    pub fn when_absent(&self) -> Verdict {
        match self.runs {
            Runs::All => Verdict::Holds,
            Runs::Some => Verdict::Violated,
        }
    }
}

impl Question {
    /// Whether a search of all states answers it: it looks for a state or a step, and a run to that is its
    /// evidence.
    pub fn is_searched(&self) -> bool {
        match self {
            Self::NoDeadlock | Self::NoError | Self::Always(_) | Self::NoAction(_) | Self::Never(_) => true,
            Self::Initially(_) | Self::Maximum(_) | Self::Other(_) => false,
        }
    }

    /// Whether the pattern of [`Question::NoAction`] matches an action: the whole of it, or its name, which
    /// ends at the first `:`, `(` or blank.
    ///
    /// ```
    /// use engine::Question;
    /// assert!(Question::matches("send", "send: A.idle->wait, B.idle->got"));
    /// assert!(Question::matches("send(*)", "send(3)"));
    /// assert!(Question::matches("P_*.NCS->*", "P_0.NCS->p1"));
    /// assert!(!Question::matches("send", "sender"));
    /// ```
    pub fn matches(pattern: &str, action: &str) -> bool {
        let name = &action[..action.find([':', '(', ' ']).unwrap_or(action.len())];
        glob(pattern, action) || glob(pattern, name)
    }
}

/// Whether the text matches the pattern, where `*` stands for anything. Greedy with one point to go back to:
/// an earlier star never needs to take more once a later one has matched.
fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut retry = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            retry = Some((p + 1, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((star, from)) = retry {
            retry = Some((star, from + 1));
            p = star;
            t = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn stars_match_anything() {
        for (pattern, text, wanted) in [
            ("", "", true),
            ("*", "", true),
            ("a*c", "abbbc", true),
            ("a*c", "abbbd", false),
            ("*ab*ab", "abab", true),
            ("*ab*ab", "ababa", false),
            ("a", "ab", false),
        ] {
            assert_eq!(glob(pattern, text), wanted, "{pattern} {text}");
        }
    }
}
