//! The questions a search can answer.

use base::LabelIx;
use model::Value;

/// A named question.
#[derive(Clone, Debug)]
pub struct Property {
    /// How reports call it.
    pub name: String,
    /// What is asked.
    pub question: Question,
}

/// What is asked of the reachable states. Each is violated by one run to a state or transition.
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
}

impl Property {
    /// A named question.
    pub fn new(name: impl Into<String>, question: Question) -> Self {
        Self { name: name.into(), question }
    }
}

impl Question {
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
