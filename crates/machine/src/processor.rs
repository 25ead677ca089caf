//! Time of the processors: how much of it this process took, on all its threads.

use std::fs;

/// Ticks a second in `/proc/self/stat`: what Linux tells programs, whatever its own clock does.
const TICKS: f64 = 100.0;

/// Seconds of processor time that this process took so far, its own and the system's for it, where the system
/// tells.
pub fn seconds() -> Option<f64> {
    ticks(&fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| ticks as f64 / TICKS)
}

/// The user and system ticks in a line of `/proc/…/stat`.
fn ticks(line: &str) -> Option<u64> {
    // The second field is the program's name in parentheses and can hold anything, also spaces and
    // parentheses.
    let (_, fields) = line.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_found_behind_any_name() {
        let line = "17 (a) b (c) R 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0 1";
        assert_eq!(ticks(line), Some(281));
        assert_eq!(ticks("17 (a) R 1 2"), None);
        assert_eq!(ticks(""), None);
    }

    #[test]
    fn work_takes_time() {
        let Some(before) = seconds() else { return };
        let started = std::time::Instant::now();
        let mut sum = 0u64;
        while started.elapsed().as_millis() < 200 {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        // Other threads of the test program may have worked, too, and this one may have had to wait.
        assert!(seconds().unwrap() > before, "{sum}");
    }
}
