//! Values that are written as text and are not just a word of a list.

use planner::{ORDERS, Reorder};

/// A number of states, steps or the like.
pub fn parse_count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if !text.is_empty() => format!("the greatest number is {}", u64::MAX),
        _ => "write a whole number such as 1000000".into(),
    })
}

/// More threads than any machine has processors for. Each takes memory of its own before it does anything.
const MOST_THREADS: u32 = 512;

/// A number of threads.
pub fn parse_threads(text: &str) -> Result<u32, String> {
    let threads = text.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
    threads.ok_or_else(|| format!("write a number of threads between 1 and {MOST_THREADS}"))
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

/// A time: a number of seconds, or numbers with units such as `90s`, `5m`, `1h30m` and `500ms`.
///
/// ```
/// use cli::options::parse_seconds;
/// assert_eq!(parse_seconds("90"), Ok(90.0));
/// assert_eq!(parse_seconds("1h30m"), Ok(5400.0));
/// ```
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    const WRONG: &str = "write a time such as 60, 0.5, 90s, 5m or 1h30m";
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut seconds = 0.0;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(WRONG.into());
    }
    while !rest.is_empty() {
        let (number, behind) = rest.split_at(rest.find(|c| !is_number(c)).unwrap_or(rest.len()));
        let number: f64 = number.parse().map_err(|_| WRONG)?;
        let (unit, behind) = behind.split_at(behind.find(is_number).unwrap_or(behind.len()));
        // A number alone is in seconds; behind a unit each number needs one.
        let is_alone = number.is_finite() && unit.is_empty() && rest.len() == text.trim().len();
        let factor = UNITS.iter().find(|(name, _)| *name == unit.trim()).map(|&(_, factor)| factor);
        seconds += number * factor.or(is_alone.then_some(1.0)).ok_or(WRONG)?;
        rest = behind;
    }
    // The limit keeps the number inside what a duration can hold.
    if (0.0..=1e9).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("write a time of at most 1000000000 seconds".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let times =
            [("60", 60.0), ("0.5", 0.5), ("90s", 90.0), ("5m", 300.0), ("1h", 3600.0), ("1h30m", 5400.0)];
        for (text, seconds) in times.into_iter().chain([("500ms", 0.5), ("1.5h", 5400.0), (" 2 ", 2.0)]) {
            assert_eq!(parse_seconds(text), Ok(seconds), "{text}");
        }
        for text in ["", "s", "-1", "5x", "1h30", "1m m", "inf", "NaN", "1e99", "2000000000", "1..5"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_machine_needs_thousands_of_threads() {
        assert_eq!(parse_threads("512"), Ok(512));
        for text in ["0", "-1", "513", "100000", "99999999999", "x"] {
            assert!(parse_threads(text).is_err(), "{text}");
        }
    }
}
