//! Which texts an action may have, by what the specification declares: a pattern that no action can match is
//! a slip of the pen, though the model has no list of its actions.
//!
//! `s4(d3)` is possible if there is an action `s4` of one argument, of a sort that has a `d3`. Where that
//! cannot be told at a glance (a list, a function) the answer is yes.

use terms::{DataSpec, Sort, SortIx};

/// An action as declared: its name and the sorts of its arguments.
pub(crate) type Declared = (String, Vec<SortIx>);

/// Whether an action may be shown so that it matches a pattern, in which `*` stands for anything.
pub(crate) fn may_match(pattern: &str, declared: &[Declared], spec: &DataSpec) -> bool {
    if let Some((known, _)) = pattern.split_once('*') {
        // Only the beginning is looked at, as far as it is one action's.
        let Some((name, _)) = known.split_once('(') else {
            return known.contains('|') || declared.iter().any(|(name, _)| name.starts_with(known));
        };
        return name.contains('|')
            || declared.iter().any(|(other, sorts)| other == name && !sorts.is_empty());
    }
    let Some(parts) = split(pattern, "|") else { return false };
    pattern == "tau" || parts.iter().all(|part| is_action(part, declared, spec))
}

/// What actions look like: `send(Nat, Bool)`.
pub(crate) fn shapes(declared: &[Declared], spec: &DataSpec) -> Vec<String> {
    let shape = |(name, sorts): &Declared| {
        let sorts: Vec<String> = sorts.iter().map(|sort| spec.sorts.show(*sort)).collect();
        if sorts.is_empty() { name.clone() } else { format!("{name}({})", sorts.join(", ")) }
    };
    declared.iter().map(shape).collect()
}

fn is_action(text: &str, declared: &[Declared], spec: &DataSpec) -> bool {
    let Some((name, rest)) = text.split_once('(') else {
        return declared.iter().any(|(name, _)| name == text);
    };
    let Some(arguments) = rest.strip_suffix(')').and_then(|inside| split(inside, ", ")) else { return false };
    // A comma without a space is not how reports write arguments.
    if arguments.iter().any(|text| split(text, ",").is_none_or(|parts| parts.len() > 1)) {
        return false;
    }
    declared.iter().any(|(other, sorts)| {
        other == name
            && sorts.len() == arguments.len()
            && sorts.iter().zip(&arguments).all(|(sort, text)| is_value(text, *sort, spec))
    })
}

fn is_value(text: &str, sort: SortIx, spec: &DataSpec) -> bool {
    let is_numeral = |digits: &str| {
        let is_short = digits == "0" || !digits.starts_with('0');
        !digits.is_empty() && is_short && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    match spec.sorts.get(sort) {
        Sort::Bool => matches!(text, "true" | "false") || is_call(text, sort, spec),
        Sort::Pos => is_numeral(text) && text != "0" || is_call(text, sort, spec),
        Sort::Nat => is_numeral(text) || is_call(text, sort, spec),
        Sort::Int => is_numeral(text.strip_prefix('-').unwrap_or(text)) || is_call(text, sort, spec),
        Sort::User(_) => is_call(text, sort, spec),
        _ => true,
    }
}

/// Whether it may be a function that gives this sort, perhaps with arguments; a text that is no name stands
/// for something that did not reduce, and may be anything.
fn is_call(text: &str, sort: SortIx, spec: &DataSpec) -> bool {
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_'-".contains(c));
    let (name, has_arguments) = match text.split_once('(') {
        Some((name, _)) => (name, true),
        None => (text, false),
    };
    !is_name(name)
        || spec.functions.iter().any(|function| {
            function.name == name && function.result == sort && function.arguments.is_empty() != has_arguments
        })
        // Built-in functions that did not reduce, such as `head([])`.
        || has_arguments && !spec.functions.iter().any(|function| function.name == name)
}

/// The parts of a text between separators that stand in no brackets; `None` if brackets do not match.
fn split<'t>(text: &'t str, separator: &str) -> Option<Vec<&'t str>> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
        if depth == 0 && at >= from && text[at..].starts_with(separator) {
            parts.push(&text[from..at]);
            from = at + separator.len();
        }
    }
    parts.push(&text[from..]);
    (depth == 0).then_some(parts)
}

#[cfg(test)]
mod tests {
    use terms::{FunKind, Function};

    use super::*;

    #[test]
    fn what_an_action_may_look_like() {
        let mut spec = DataSpec::default();
        let d = spec.sorts.add(Sort::User("D".into()));
        let list = spec.sorts.add(Sort::List(d));
        let mut function = |name: &str, arguments: Vec<SortIx>| {
            let kind = FunKind::Constructor;
            spec.function(Function { name: name.into(), arguments, result: d, kind, span: None });
        };
        function("d1", Vec::new());
        function("d2", Vec::new());
        function("pair", vec![d, d]);
        let declared: Vec<Declared> = vec![
            ("s4".into(), vec![d]),
            ("s4".into(), vec![SortIx::NAT, SortIx::BOOL]),
            ("all".into(), vec![list]),
            ("int".into(), vec![SortIx::INT]),
            ("stop".into(), Vec::new()),
        ];
        for good in [
            "s4",
            "s4(d1)",
            "s4(pair(d1, d2))",
            "s4(3, true)",
            "all([d1, d2])",
            "all([])",
            "int(-3)",
            "stop",
            "tau",
            "s4|stop",
            "s4(d1)|stop",
            "s*",
            "*",
            "s4(*)",
            "s4(d3*",
            "st*|x",
            "s4(head([]))",
        ] {
            assert!(may_match(good, &declared, &spec), "{good}");
        }
        for bad in [
            "s5",
            "s4(d3)",
            "s4(D1)",
            "s4(3,true)",
            "s4(3, 4)",
            "s4(-3, true)",
            "s4(d1",
            "stop(1)",
            "s4(d1(3))",
            "x*",
            "stop(*",
            "s4(d1)|d2",
            "int(03)",
            "s4()",
            "tau|",
        ] {
            assert!(!may_match(bad, &declared, &spec), "{bad}");
        }
        assert_eq!(shapes(&declared, &spec)[..3], ["s4(D)", "s4(Nat, Bool)", "all(List(D))"]);
    }
}
