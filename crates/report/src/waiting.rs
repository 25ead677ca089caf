//! Why there is no step, for people: what each process waits for, who waits for whom, and where that goes
//! round in a circle.

use std::fmt::Write as _;

use model::waiting::{Blocked, Reason, Waiter, Waiting};
use model::{Model, Signature, Value};

use crate::words;

/// Most lines about statements, and about who waits for whom: a screen holds both and the final state.
const MOST_STATEMENTS: usize = 14;
const MOST_WAITS: usize = 6;

/// Longest text of a condition, in characters: a line and a half.
const LONGEST: usize = 160;

/// What waits in a state without successors, and for what; nothing where the model has nothing to tell.
pub fn waiting(model: &dyn Model, state: &[Value]) -> String {
    text(model.signature(), &model.waiting(state))
}

fn text(signature: &Signature, waiting: &Waiting) -> String {
    let Waiting { waiters, others } = waiting;
    if waiters.is_empty() {
        return String::new();
    }
    let mut text = String::from("  why there is no step\n");
    let lines: Vec<Vec<String>> = waiters.iter().map(|waiter| lines(signature, waiter)).collect();
    let mut room = MOST_STATEMENTS;
    let mut told = 0;
    for lines in &lines {
        if lines.len() > room && told > 0 {
            break;
        }
        let (shown, rest) = lines.split_at(lines.len().min(room));
        shown.iter().for_each(|line| text += &format!("         {line}\n"));
        if !rest.is_empty() {
            let _ = writeln!(text, "           … and {} more", rest.len());
        }
        room = room.saturating_sub(lines.len());
        told += 1;
    }
    let left = lines.len() - told + others;
    if left > 0 {
        let _ = writeln!(text, "         … and {left} more");
    }
    text + &waits(waiting)
}

/// Who waits for whom, as lines, and the cycles of waiting.
fn waits(waiting: &Waiting) -> String {
    let name = |at: &usize| words::shown(&waiting.waiters[*at].name).into_owned();
    let mut text = String::new();
    let waits = || waiting.waiters.iter().enumerate().filter(|(_, waiter)| !waiter.waits_for.is_empty());
    for (at, waiter) in waits().take(MOST_WAITS) {
        let mut whom: Vec<String> = waiter.waits_for.iter().take(MOST_WAITS).map(name).collect();
        let more = waiter.waits_for.len() - whom.len();
        if more > 0 {
            whom.push(format!("{more} more"));
        }
        let last = whom.pop().unwrap_or_default();
        // Any of them may be the one that helps.
        let whom = if whom.is_empty() { last } else { format!("{} or {last}", whom.join(", ")) };
        let _ = writeln!(text, "         {} waits for {whom}", name(&at));
    }
    if waits().count() > MOST_WAITS {
        let _ = writeln!(text, "         … and {} more wait for others", waits().count() - MOST_WAITS);
    }
    for cycle in waiting.cycles() {
        let mut names: Vec<String> = cycle.iter().map(name).collect();
        names.extend(cycle.first().map(name));
        let _ = writeln!(text, "  a cycle of waiting: {}", names.join(" → "));
    }
    text
}

/// A line for a waiter with one statement, else one for each statement below it.
fn lines(signature: &Signature, waiter: &Waiter) -> Vec<String> {
    let name = words::shown(&waiter.name);
    let Some(place) = &waiter.place else {
        return waiter
            .statements
            .iter()
            .map(|blocked| format!("{name}{}: {}", places(signature, blocked), reasons(blocked)))
            .collect();
    };
    let name = format!("{name} at {}", words::shown(place));
    match waiter.statements.as_slice() {
        [] => vec![format!("{name} has come to its end")],
        [only] => vec![format!("{name} waits: {}", statement(signature, only))],
        several => {
            let several = several.iter().map(|blocked| format!("  {}", statement(signature, blocked)));
            std::iter::once(format!("{name} waits:")).chain(several).collect()
        }
    }
}

fn statement(signature: &Signature, blocked: &Blocked) -> String {
    let reasons = match blocked.reasons.as_slice() {
        // A condition by itself need not be told twice.
        [Reason::False { condition, values }] if bare(condition) == bare(&blocked.name) => {
            words::shown(&format!("false{}", shown_values(values))).into_owned()
        }
        _ => reasons(blocked),
    };
    format!("{}{}: {reasons}", words::shown(&blocked.name), places(signature, blocked))
}

/// A condition without blanks and the parentheses around it.
fn bare(condition: &str) -> String {
    let bare: String = condition.split_whitespace().collect();
    let inner = bare.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(&bare).to_owned()
}

fn places(signature: &Signature, blocked: &Blocked) -> String {
    let mut places: Vec<String> =
        blocked.spans.iter().filter_map(|&span| words::place(signature, span)).collect();
    places.dedup();
    if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) }
}

fn reasons(blocked: &Blocked) -> String {
    let reasons: Vec<String> =
        blocked.reasons.iter().map(|reason| words::shown(&because(reason)).into_owned()).collect();
    reasons.join("; ")
}

/// A reason in words.
pub(crate) fn because(reason: &Reason) -> String {
    let tokens = |count: u64| if count == 1 { "1 token".to_owned() } else { format!("{count} tokens") };
    match reason {
        Reason::False { condition, values } => {
            format!("{} is false{}", cut(condition), shown_values(values))
        }
        Reason::Full { channel, messages: 1 } => format!("channel {channel} is full (1 message)"),
        Reason::Full { channel, messages } => format!("channel {channel} is full ({messages} messages)"),
        Reason::Empty { channel } => format!("channel {channel} is empty"),
        Reason::Partner { process, places, stands } => {
            format!("partner {process} is at {stands}, not at {}", places.join(" or "))
        }
        Reason::Tokens { place, needed, there } => {
            format!("place {place} lacks {} (has {there} of {needed})", tokens(needed.saturating_sub(*there)))
        }
        Reason::TooManyTokens { place, most, there } => {
            format!(
                "place {place} has {} too many (has {there}, at most {most})",
                tokens(there.saturating_sub(*most))
            )
        }
        Reason::NoValue => "no value satisfies its conditions".into(),
        Reason::NotAllowed { action } => format!("{action} is offered, and not allowed by itself"),
    }
}

fn shown_values(values: &[(String, String)]) -> String {
    let values: Vec<String> = values.iter().map(|(slot, value)| format!("{slot} = {value}")).collect();
    if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) }
}

fn cut(condition: &str) -> String {
    match condition.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &condition[..at]),
        None => condition.to_owned(),
    }
}
