//! Values that are written as text and are not just a word of a list.

use planner::{ORDERS, Reorder};

/// A number of states, steps or the like.
pub fn parse_count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if !text.is_empty() => format!("the greatest number is {}", u64::MAX),
        _ => "write a whole number such as 1000000".into(),
    })
}

/// A number of threads.
pub fn parse_threads(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("write a number of threads, 1 or more".into()),
        Ok(threads) => Ok(threads),
    }
}

/// The most processes that Promela numbers.
const MOST_PROCESSES: usize = 255;

/// A number of processes.
pub fn parse_processes(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST_PROCESSES).contains(number));
    number.ok_or_else(|| format!("write a number of processes between 1 and {MOST_PROCESSES}"))
}

/// `NAME=VALUE`, or `NAME` alone, which stands for 1 as it does for a preprocessor of C.
pub fn parse_define(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    if name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit()) {
        Ok((name.to_owned(), value.to_owned()))
    } else {
        Err("write a name of letters and digits, and perhaps a value, such as N=3".into())
    }
}

/// An order of slots and groups: a word of the list, or `random:SEED`.
pub fn parse_reorder(text: &str) -> Result<Reorder, String> {
    if let Some(&(_, order)) = ORDERS.iter().find(|(name, _)| *name == text) {
        return Ok(Reorder::By(order));
    }
    match text.split_once(':') {
        None if text == "none" => Ok(Reorder::None),
        None if text == "reverse" => Ok(Reorder::Reverse),
        Some(("random", seed)) => {
            seed.parse().map(Reorder::Random).map_err(|_| format!("`{seed}` is no seed; write random:7"))
        }
        _ => {
            let orders: Vec<&str> = ORDERS.iter().map(|(name, _)| *name).collect();
            Err(format!("write none, reverse, random:SEED, {}", orders.join(", ")))
        }
    }
}

/// A number of seconds.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds such as 60 or 0.5")?;
    // The limit keeps the number inside what a duration can hold.
    if (0.0..=1e9).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("write a number of seconds between 0 and 1000000000".into())
    }
}
