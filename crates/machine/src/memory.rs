//! Memory: sizes as people write them, how much the machine has, how much this process took.

use crate::system;

/// What an engine reckons the process takes before its first state.
const PROCESS: u64 = 10 << 20;

/// The least that an engine can begin with: what the process takes, and its first tables.
pub const LEAST_FOR_ENGINE: u64 = 16 << 20;

/// The bytes in a size such as `200M`, `2G`, `1.5GiB` or `4096`; units are powers of 1024.
///
/// ```
/// assert_eq!(machine::memory::parse_size("1.5GiB"), Ok(3 << 29));
/// ```
pub fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let wrong = || format!("`{text}` is no size; write 200M, 2G or 1.5GiB");
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let unit = unit.trim().to_ascii_lowercase();
    let power = match unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit) {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(wrong()),
    };
    let bytes = number * 1024f64.powi(power);
    if bytes < 1.0 {
        return Err(format!("`{text}` is no memory at all"));
    }
    // A float past the range becomes the greatest number: as good as no limit.
    Ok(bytes as u64)
}

/// A number of bytes as a person reads it.
pub fn show_bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{size:.1} {}", UNITS[unit]) }
}

/// The default limit: 80% of what this process can have.
pub fn default_limit() -> Option<u64> {
    Some(system::memory()? / 5 * 4)
}

/// What is left of a limit for the engine when the model, and what layers may take, are paid for.
pub fn left_for_engine(limit: u64, layers: u64) -> u64 {
    limit.saturating_sub(model()).saturating_sub(layers)
}

/// The least limit for the loaded model, in whole mebibytes, where layers take one part in `parts` of the
/// limit.
pub fn least_limit(parts: Option<u64>) -> u64 {
    let needed = LEAST_FOR_ENGINE + model();
    let limit = parts.map_or(needed, |parts| needed / (parts - 1) * parts + parts);
    limit.next_multiple_of(1 << 20)
}

/// What the loaded model takes beyond what any process does.
fn model() -> u64 {
    resident().unwrap_or(0).saturating_sub(PROCESS)
}

/// Most bytes of memory that this process ever took, where the system tells.
pub fn peak() -> Option<u64> {
    system::peak()
}

/// Bytes of memory that this process takes now, where the system tells.
pub fn resident() -> Option<u64> {
    system::resident()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("4096", 4096),
            ("1k", 1024),
            ("200M", 200 << 20),
            ("200 MB", 200 << 20),
            ("2G", 2 << 30),
            ("1.5GiB", 3 << 29),
            ("1t", 1 << 40),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "M", "2X", "-1", "1.2.3M", "0", "GiB"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_this_process_takes_is_less_than_there_is() {
        let (Some(resident), Some(limit)) = (resident(), default_limit()) else { return };
        assert!(0 < resident && resident < limit, "{resident} {limit}");
        assert!(peak().is_none_or(|peak| peak >= resident / 2));
    }

    #[test]
    fn bytes_are_shown_with_one_digit_and_a_unit() {
        assert_eq!(show_bytes(1023), "1023 B");
        assert_eq!(show_bytes(3 << 19), "1.5 MiB");
    }
}
