//! Linux tells all in files below `/proc` and `/sys`.

use std::fs;

/// Ticks a second in `/proc/self/stat`: what Linux tells programs, whatever its own clock does.
const TICKS: f64 = 100.0;

/// Bytes of memory that this process can have: the machine's, or those of its control group.
pub(crate) fn memory() -> Option<u64> {
    let machine = field("/proc/meminfo", "MemTotal:");
    let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let group = groups.iter().find_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok());
    machine.into_iter().chain(group).chain(address_space()).min()
}

/// Bytes that the process may have of addresses, as `ulimit -v` sets it; none without such a limit.
fn address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Most bytes that this process ever took.
pub(crate) fn peak() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// Bytes that this process takes now.
pub(crate) fn resident() -> Option<u64> {
    field("/proc/self/status", "VmRSS:")
}

/// Seconds of processor time of this process.
pub(crate) fn processor_seconds() -> Option<f64> {
    ticks(&fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| ticks as f64 / TICKS)
}

/// The bytes in a line `Name:   123 kB` of a system file.
fn field(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
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
}
