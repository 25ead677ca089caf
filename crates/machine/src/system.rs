//! What the operating system tells, by its own means: Linux in files, others through the crate `sysinfo`.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod others;

#[cfg(target_os = "linux")]
pub(crate) use linux::{memory, peak, processor_seconds, resident};
#[cfg(not(target_os = "linux"))]
pub(crate) use others::{memory, peak, processor_seconds, resident};
