//! `--engine auto`: the explicit engine and the symbolic one take turns, each twice as long as the one before, until one of
//! them is done.
//!
//! Nobody can tell from a model which engine suits it: states in their millions take an explicit search seconds and may take a
//! symbolic one hours, and the other way round. The first turn is the explicit engine's and long enough for most models. A turn
//! begins anew, so all of them together take a few times as long as the better engine alone. Verdicts do not
//! depend on who is faster: both engines give the same ones.

use std::time::{Duration, Instant};

use engine::{Order, Report, StopReason, Witness};

use crate::Failure;
use crate::method::Method;

/// The first turn.
const FIRST: Duration = Duration::from_secs(8);

/// Lets the engines take turns within the time there is. `turn` searches with a method for some time, or for as long as it takes.
pub(crate) fn take_turns(
    time: Option<Duration>,
    threads: usize,
    turn: impl FnMut(Method, Option<Duration>) -> Result<Report<Witness>, Failure>,
) -> Result<(Report<Witness>, Method), Failure> {
    take_turns_from(FIRST, time, threads, turn)
}

fn take_turns_from(
    mut length: Duration,
    time: Option<Duration>,
    threads: usize,
    mut turn: impl FnMut(Method, Option<Duration>) -> Result<Report<Witness>, Failure>,
) -> Result<(Report<Witness>, Method), Failure> {
    let started = Instant::now();
    let mut methods = vec![Method::Explicit(Order::BreadthFirst), Method::best_symbolic(threads)];
    let mut next = 0;
    loop {
        let method = methods[next % methods.len()];
        let left = time.map(|time| time.saturating_sub(started.elapsed()));
        // Who is alone has all the time there is.
        let is_last = methods.len() == 1 || left.is_some_and(|left| left <= length);
        let mut report = turn(method, if is_last { left } else { Some(length) })?;
        report.statistics.time = started.elapsed();
        match &report.stopped {
            Some(StopReason::Time) if !is_last => next += 1,
            // The other one may need less.
            Some(StopReason::Memory) if methods.len() > 1 => {
                methods.retain(|other| *other != method);
                next = 0;
            }
            _ => return Ok((report, method)),
        }
        length *= 2;
    }
}

#[cfg(test)]
mod tests {
    use engine::Statistics;

    use super::*;

    /// The engines and lengths of the turns, in milliseconds, where an engine stops for these reasons.
    fn turns(time: Option<u64>, explicit: &[&str], symbolic: &[&str]) -> Vec<String> {
        let mut taken = Vec::new();
        let mut ends = [explicit.iter(), symbolic.iter()];
        let done = take_turns_from(Duration::from_millis(8), time.map(Duration::from_millis), 1, |method, time| {
            let shown = time.map_or("all".into(), |time| time.as_millis().to_string());
            taken.push(format!("{} {shown}", method.engine_name()));
            let stopped = match *ends[usize::from(method.engine_name() == "symbolic")].next().unwrap() {
                "memory" => Some(StopReason::Memory),
                "time" => Some(StopReason::Time),
                _ => None,
            };
            Ok(Report { answers: Vec::new(), stopped, statistics: Statistics::default() })
        });
        taken.push(done.unwrap().1.engine_name().into());
        taken
    }

    #[test]
    fn engines_take_turns_until_one_is_done() {
        assert_eq!(turns(None, &["done"], &[]), ["explicit 8", "explicit"]);
        assert_eq!(turns(None, &["time"], &["done"]), ["explicit 8", "symbolic 16", "symbolic"]);
        let third = ["explicit 8", "symbolic 16", "explicit 32", "explicit"];
        assert_eq!(turns(None, &["time", "done"], &["time"]), third);
    }

    #[test]
    fn who_runs_out_of_memory_leaves_all_time_to_the_other() {
        assert_eq!(turns(None, &["memory"], &["done"]), ["explicit 8", "symbolic all", "symbolic"]);
        assert_eq!(turns(None, &["memory"], &["memory"]), ["explicit 8", "symbolic all", "symbolic"]);
        let back = ["explicit 8", "symbolic 16", "explicit all", "explicit"];
        assert_eq!(turns(None, &["time", "done"], &["memory"]), back);
    }

    #[test]
    fn the_time_limit_ends_the_turns() {
        let taken = turns(Some(5), &["time"], &[]);
        assert!(taken.len() == 2 && taken[1] == "explicit", "{taken:?}");
    }
}
