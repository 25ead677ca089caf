//! Time of the processors: how much of it this process took, on all its threads.

use crate::system;

/// Seconds of processor time that this process took so far, its own and the system's for it, where the system
/// tells.
pub fn seconds() -> Option<f64> {
    system::processor_seconds()
}

#[cfg(test)]
mod tests {
    use super::*;

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
