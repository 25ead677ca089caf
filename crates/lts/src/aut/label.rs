//! Labels as texts: multi-actions have an order.

use std::borrow::Cow;

/// The label with the actions of a multi-action sorted; any other label as it is.
pub(crate) fn sorted(label: &str) -> Cow<'_, str> {
    if !label.contains('|') {
        return Cow::Borrowed(label);
    }
    let Some(mut actions) = actions(label) else { return Cow::Borrowed(label) };
    if actions.is_sorted() {
        return Cow::Borrowed(label);
    }
    actions.sort_unstable();
    Cow::Owned(actions.join("|"))
}

/// The actions of a multi-action; nothing if some part does not look like one.
fn actions(label: &str) -> Option<Vec<&str>> {
    let (mut actions, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, byte) in label.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b'|' if depth == 0 => {
                actions.push(&label[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    actions.push(&label[start..]);
    (depth == 0 && actions.iter().all(|action| is_action(action))).then_some(actions)
}

/// A name, and perhaps arguments in parentheses behind it.
fn is_action(text: &str) -> bool {
    let name = text.split('(').next().unwrap_or("");
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name =
        name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit() || c == '\'');
    is_name && (name.len() == text.len() || text.ends_with(')'))
}

#[cfg(test)]
mod tests {
    use super::sorted;

    #[test]
    fn only_multi_actions_are_sorted() {
        for (label, wanted) in [
            ("b|a", "a|b"),
            ("a|b", "a|b"),
            ("r(f(1)|2)|a'|a", "a|a'|r(f(1)|2)"),
            ("PUT !b|a", "PUT !b|a"),
            ("b|a)", "b|a)"),
            ("b||a", "b||a"),
            ("c|b(|a", "c|b(|a"),
            ("|", "|"),
            ("", ""),
        ] {
            assert_eq!(sorted(label), wanted, "{label}");
        }
    }
}
