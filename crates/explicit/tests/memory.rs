//! The memory of the whole process, as the system counts it. One test, so that no other one takes memory
//! beside it.

mod toy;

use engine::{Control, Limits, Question, StopReason};
use explicit::{Options, Storage};
use toy::wide::Wide;
use toy::{ORDERS, numbers, search_by};

/// Most bytes that this process ever took, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// All successors of one state would take 300 MB: 3,000 times 80 kB and 20 kB packed.
#[test]
fn the_successors_of_a_wide_state_keep_the_limit() {
    let model = Wide::new(20_000, 3000, 255);
    let Some(before) = peak() else { return };
    for order in ORDERS {
        let limit = 60 << 20;
        let control = Control::new(Limits { memory: Some(limit), ..Limits::default() });
        let options = Options { storage: Storage::Plain, ..Options::default() };
        let report = search_by(options, &model, &[Question::NoDeadlock], false, order, &control);
        assert_eq!(report.stopped, Some(StopReason::Memory));
        assert!(
            numbers(&report).memory <= limit && numbers(&report).states > 1000,
            "{:?}",
            report.statistics
        );
        // The limit speaks of the whole process and reckons with 10 MiB for all but the search.
        let taken = peak().unwrap() - before;
        assert!(taken <= limit - (10 << 20), "{order:?}: {} KiB", taken >> 10);
    }
}
