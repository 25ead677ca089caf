//! Patterns of actions: one that no action of the model matches would hold for ever, and is a slip of the
//! pen.

use base::closest;
use engine::Question;
use model::{Domain, Type};

/// Names that a message lists at most.
const MOST_LISTED: usize = 12;

/// A pattern that no action can match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongAction {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl std::fmt::Display for WrongAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

/// Refuses a pattern that cannot match.
pub(crate) fn check(pattern: &str, actions: &Type) -> Result<(), WrongAction> {
    if pattern.is_empty() {
        let help = "write a name, or a pattern such as 'send*'".to_owned();
        return Err(WrongAction { message: "no action is named".to_owned(), help });
    }
    let names = match &actions.domain {
        Domain::Names(names) => names,
        // Actions that appear only in the search cannot be known before it.
        Domain::Interned(_) => return Ok(()),
        // But what they look like may be.
        Domain::Shown(shown) if shown.may_match(pattern) => return Ok(()),
        Domain::Shown(shown) => return Err(unlike_all_shapes(pattern, &shown.shapes())),
        Domain::Range { lo, hi } => {
            let is_one =
                pattern.contains('*') || pattern.parse().is_ok_and(|number| (*lo..=*hi).contains(&number));
            let help = || format!("its actions are the numbers {lo} to {hi}");
            let refuse = || WrongAction { message: no_match(pattern), help: help() };
            return if is_one { Ok(()) } else { Err(refuse()) };
        }
    };
    if names.iter().any(|name| Question::matches(pattern, name)) {
        return Ok(());
    }
    Err(unlike(pattern, names))
}

/// What is said of a pattern that no action of these shapes, `send(Nat, Bool)`, matches.
fn unlike_all_shapes(pattern: &str, shapes: &[String]) -> WrongAction {
    let named: Vec<String> = shapes
        .iter()
        .filter(|shape| short(shape) == short(pattern))
        .map(|shape| format!("`{shape}`"))
        .collect();
    if named.is_empty() {
        return unlike(pattern, shapes);
    }
    let help = format!("write its arguments as reports do: it is {}", named.join(" or "));
    WrongAction { message: no_match(pattern), help }
}

/// What is said of a pattern that none of these match.
fn unlike(pattern: &str, names: &[String]) -> WrongAction {
    let mut short: Vec<&str> = names.iter().map(|name| short(name)).collect();
    short.sort_unstable();
    short.dedup();
    let near = closest(pattern, short.iter().copied().chain(names.iter().map(String::as_str)));
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let rest = if short.len() > MOST_LISTED { ", …" } else { "" };
    let list = short[..short.len().min(MOST_LISTED)].join(", ");
    let known = if list.is_empty() {
        "The model has no actions".into()
    } else {
        format!("Its actions are {list}{rest}")
    };
    WrongAction { message: no_match(pattern), help: format!("{near}{known}") }
}

fn no_match(pattern: &str) -> String {
    format!("no action of the model matches `{pattern}`")
}

/// The name of an action without its arguments and partners, which a pattern matches too.
fn short(action: &str) -> &str {
    &action[..action.find([':', '(', ' ']).unwrap_or(action.len())]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{ShowValues, Value};

    use super::*;

    /// Actions that nobody has a list of.
    #[derive(Debug)]
    struct Sends;

    impl ShowValues for Sends {
        fn show(&self, value: Value) -> String {
            format!("send(d{value})")
        }

        fn named(&self, _text: &str) -> Option<Value> {
            None
        }

        fn may_match(&self, pattern: &str) -> bool {
            pattern == "send(d1)"
        }

        fn shapes(&self) -> Vec<String> {
            ["send(D)", "send(Nat)", "stop"].map(str::to_owned).to_vec()
        }
    }

    fn names(names: &[&str]) -> Type {
        Type::names("action", names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn only_patterns_that_can_match_are_taken() {
        let actions = names(&["send(1)", "send(2)", "ack: A, B"]);
        for good in ["send", "send(1)", "s*", "ack", "*"] {
            assert_eq!(check(good, &actions), Ok(()), "{good}");
        }
        for (bad, wanted) in [
            ("", "no action is named"),
            ("sned", "did you mean `send`"),
            ("send(3)", "did you mean `send(1)`"),
            ("explode", "Its actions are ack, send"),
            ("x*", "no action of the model matches `x*`"),
        ] {
            let refused = check(bad, &actions).unwrap_err().to_string();
            assert!(refused.contains(wanted), "{bad}: {refused}");
        }
        assert!(check("*", &names(&[])).unwrap_err().to_string().contains("has no actions"));
    }

    #[test]
    fn numbers_and_actions_of_the_search_are_taken_where_they_can_be() {
        let numbers = Type::range("action", 0, 3);
        assert!(check("2", &numbers).is_ok() && check("*", &numbers).is_ok());
        assert!(check("4", &numbers).is_err() && check("send", &numbers).is_err());
        let shown = Type { name: "action".into(), domain: Domain::Shown(Arc::new(Sends)) };
        assert!(check("send(d1)", &shown).is_ok());
        let refused = |pattern: &str| check(pattern, &shown).unwrap_err().to_string();
        assert!(refused("send(d3)").contains("`send(D)` or `send(Nat)`"), "{}", refused("send(d3)"));
        assert!(refused("sned").contains("did you mean `send`"), "{}", refused("sned"));
        let grown = Type { name: "action".into(), domain: Domain::Interned(Arc::default()) };
        assert!(check("anything", &grown).is_ok() && check("", &grown).is_err());
    }
}
