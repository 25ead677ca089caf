//! macOS, Windows and others, through the crate `sysinfo`. None of them tells the most memory of a process.

use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};

/// Bytes of memory that this process can have.
pub(crate) fn memory() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    Some(system.total_memory()).filter(|&bytes| bytes > 0)
}

/// Most bytes that this process ever took.
pub(crate) fn peak() -> Option<u64> {
    None
}

/// Bytes that this process takes now.
pub(crate) fn resident() -> Option<u64> {
    of_this_process(ProcessRefreshKind::nothing().with_memory(), Process::memory)
}

/// Seconds of processor time of this process.
pub(crate) fn processor_seconds() -> Option<f64> {
    let millis = of_this_process(ProcessRefreshKind::nothing().with_cpu(), Process::accumulated_cpu_time)?;
    Some(millis as f64 / 1000.0)
}

fn of_this_process(kind: ProcessRefreshKind, figure: impl Fn(&Process) -> u64) -> Option<u64> {
    let pid = Pid::from_u32(std::process::id());
    let mut system = System::new();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, kind);
    system.process(pid).map(figure)
}
