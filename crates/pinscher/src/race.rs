//! `--engine auto`: the explicit engine and the symbolic one race, and the first who has the answer wins.
//!
//! Nobody can tell from a model which engine suits it: states in their millions take an explicit search
//! seconds and may take a symbolic one hours, and the other way round. So the explicit engine begins, alone,
//! as that is enough for most models; what takes longer both search at the same time, on threads that share
//! nothing but the model, each with half of the memory. Verdicts do not depend on who is faster: both engines
//! give the same ones. If half of the memory is too little for either, each gets all of it in turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use engine::{Limits, Report, StopReason, Verdict, Witness};

use crate::Failure;
use crate::method::Method;
use crate::search::Searched;

/// So long the explicit engine is alone.
const HEAD_START: Duration = Duration::from_millis(60);

/// What a racer needs: it searches with a method within limits until the flag is raised.
pub(crate) trait Racer: Sync {
    fn search(
        &self,
        method: Method,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Result<Report<Witness>, Failure>;
}

impl<F> Racer for F
where
    F: Fn(Method, Limits, &Arc<AtomicBool>) -> Result<Report<Witness>, Failure> + Sync,
{
    fn search(
        &self,
        method: Method,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Result<Report<Witness>, Failure> {
        self(method, limits, stop)
    }
}

/// Lets two methods race within these limits; the first has a head start.
pub(crate) fn race(methods: [Method; 2], limits: &Limits, racer: &impl Racer) -> Result<Searched, Failure> {
    race_after(HEAD_START, methods, limits, racer)
}

fn race_after(
    head_start: Duration,
    methods: [Method; 2],
    limits: &Limits,
    racer: &impl Racer,
) -> Result<Searched, Failure> {
    let started = Instant::now();
    let flags = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    let half = Limits { memory: limits.memory.map(|memory| memory / 2), ..limits.clone() };
    // Half of the memory was too little.
    let mut is_short = false;
    let mut won = std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let start = |at: usize, limits: Limits| {
            let (sender, flag) = (sender.clone(), &flags[at]);
            // The race may be over when this one ends: then nobody listens.
            scope.spawn(move || _ = sender.send((at, racer.search(methods[at], limits, flag))));
        };
        start(0, half.clone());
        let (first, alone) = match receiver.recv_timeout(head_start) {
            Ok(end) => (end, true),
            Err(RecvTimeoutError::Timeout) => {
                start(1, Limits { time: left(limits, started), ..half.clone() });
                (next(&receiver), false)
            }
            Err(RecvTimeoutError::Disconnected) => unreachable!("BUG: a sender is here"),
        };
        let (at, report) = first;
        let report = report?;
        if is_answer(&report) {
            flags[1 - at].store(true, Ordering::Relaxed);
            let why = (!alone).then_some("done first in a race of both engines");
            return Ok(Searched { report, method: methods[at], why });
        }
        if alone {
            start(1, Limits { time: left(limits, started), ..half });
        }
        let (other, second) = next(&receiver);
        let second = second?;
        let why = "in a race of both engines the other one gave up";
        if is_answer(&second) {
            return Ok(Searched { report: second, method: methods[other], why: Some(why) });
        }
        is_short = [&report, &second].iter().any(|report| stopped_by(report, &StopReason::Memory));
        let why = Some("neither engine has an answer");
        let [first, second] = [(at, report), (other, second)];
        let [first, second] =
            [first, second].map(|(at, report)| Searched { report, method: methods[at], why });
        Ok(knowing_more(first, second))
    })?;
    if is_short {
        let never = Arc::new(AtomicBool::new(false));
        for method in [methods[1], methods[0]] {
            let report =
                racer.search(method, Limits { time: left(limits, started), ..limits.clone() }, &never)?;
            let is_answer = is_answer(&report);
            let next =
                Searched { report, method, why: Some("half of the memory was too little for either engine") };
            if is_answer {
                won = next;
                break;
            }
            won = knowing_more(won, next);
        }
    }
    won.report.statistics.time = started.elapsed();
    Ok(won)
}

/// Of two without an answer to all that was asked the one that saw more states, with what the other one
/// found.
fn knowing_more(one: Searched, other: Searched) -> Searched {
    let is_less = one.report.statistics.states < other.report.statistics.states;
    let (mut more, less) = if is_less { (other, one) } else { (one, other) };
    for (answer, found) in more.report.answers.iter_mut().zip(less.report.answers) {
        if matches!(answer.verdict, Verdict::Unknown(_)) && matches!(found.verdict, Verdict::Violated(_)) {
            *answer = found;
        }
    }
    more
}

type End = (usize, Result<Report<Witness>, Failure>);

fn next(receiver: &Receiver<End>) -> End {
    receiver.recv().expect("BUG: a racer went without a word")
}

fn left(limits: &Limits, started: Instant) -> Option<Duration> {
    limits.time.map(|time| time.saturating_sub(started.elapsed()))
}

fn stopped_by(report: &Report<Witness>, reason: &StopReason) -> bool {
    report.stopped.as_ref() == Some(reason)
}

/// Whether another engine could not say more.
fn is_answer(report: &Report<Witness>) -> bool {
    let given_up = |reason: &StopReason| {
        matches!(
            reason,
            StopReason::Memory
                | StopReason::Time
                | StopReason::Interrupted
                | StopReason::Unsupported(_)
                | StopReason::Internal(_)
        )
    };
    let is_violated = || report.answers.iter().any(|answer| matches!(answer.verdict, Verdict::Violated(_)));
    match &report.stopped {
        // The run to what was violated may not have been found.
        Some(StopReason::OtherViolation) => is_violated(),
        Some(reason) => !given_up(reason),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use engine::{Answer, Property, Question, Statistics};

    use super::*;

    /// What a method comes to in a test: after some milliseconds it stops for a reason, or has an answer.
    type Fate = (u64, Option<StopReason>);

    /// Who won a race with these fates, with half of the memory and with all of it, and who was asked for
    /// what.
    fn run(half: [Fate; 2], whole: [Fate; 2]) -> (&'static str, Option<StopReason>, Vec<String>) {
        let methods = [Method::best_explicit(), Method::best_symbolic(1)];
        let limits = Limits { memory: Some(1000), ..Limits::default() };
        let asked = Mutex::new(Vec::new());
        let racer = |method: Method, limits: Limits, stop: &Arc<AtomicBool>| {
            let at = usize::from(method.engine_name() == "symbolic");
            let memory = limits.memory.expect("a limit");
            asked.lock().unwrap().push(format!("{} {memory}", method.engine_name()));
            let (millis, mut stopped) = if memory == 500 { half[at].clone() } else { whole[at].clone() };
            let end = Instant::now() + Duration::from_millis(millis);
            while Instant::now() < end {
                if stop.load(Ordering::Relaxed) {
                    stopped = Some(StopReason::Interrupted);
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            let verdict = stopped.clone().map_or(Verdict::Holds, Verdict::Unknown);
            let answers = vec![Answer {
                property: Property::new("p", Question::NoDeadlock),
                verdict,
                violations: None,
            }];
            Ok(Report {
                answers,
                stopped,
                statistics: Statistics::default(),
                counted: engine::Counted::default(),
            })
        };
        let won = race_after(Duration::from_millis(100), methods, &limits, &racer).unwrap();
        (won.method.engine_name(), won.report.stopped, asked.into_inner().unwrap())
    }

    const LONG: u64 = 60_000;

    #[test]
    fn who_is_done_first_wins_and_the_other_is_stopped() {
        let never = (LONG, None);
        assert_eq!(
            run([(1, None), never.clone()], [(0, None), (0, None)]),
            ("explicit", None, vec!["explicit 500".into()])
        );
        let both = vec!["explicit 500".to_owned(), "symbolic 500".to_owned()];
        assert_eq!(
            run([(500, None), never.clone()], [(0, None), (0, None)]),
            ("explicit", None, both.clone())
        );
        assert_eq!(run([never, (1, None)], [(0, None), (0, None)]), ("symbolic", None, both));
    }

    #[test]
    fn who_has_no_answer_waits_for_the_other() {
        let memory = || Some(StopReason::Memory);
        for early in [1, 300] {
            let (winner, stopped, _) = run([(early, memory()), (200, None)], [(0, None), (0, None)]);
            assert_eq!((winner, stopped), ("symbolic", None));
        }
        let (winner, stopped, _) =
            run([(400, None), (1, Some(StopReason::Unsupported("x".into())))], [(0, None), (0, None)]);
        assert_eq!((winner, stopped), ("explicit", None));
    }

    #[test]
    fn with_too_little_memory_for_both_each_gets_all_of_it() {
        let memory = || Some(StopReason::Memory);
        let (winner, stopped, asked) = run([(1, memory()), (1, memory())], [(0, None), (0, memory())]);
        assert_eq!((winner, stopped), ("explicit", None));
        assert_eq!(asked, ["explicit 500", "symbolic 500", "symbolic 1000", "explicit 1000"]);
        let (_, stopped, _) = run([(1, memory()), (1, memory())], [(0, memory()), (0, memory())]);
        assert_eq!(stopped, memory());
        let time = || Some(StopReason::Time);
        assert_eq!(run([(1, time()), (1, time())], [(0, None), (0, None)]).1, time());
    }

    /// Both were stopped: one saw more states, the other one a violation.
    #[test]
    fn of_two_that_were_stopped_all_that_they_know_is_told() {
        let one = |states: u32, verdict| {
            let answer =
                Answer { property: Property::new("p", Question::NoDeadlock), verdict, violations: None };
            let statistics = Statistics { states: states.into(), ..Statistics::default() };
            let stopped = Some(StopReason::Time);
            let report =
                Report { answers: vec![answer], stopped, statistics, counted: engine::Counted::default() };
            Searched { report, method: Method::best_explicit(), why: None }
        };
        let violated = || {
            Verdict::Violated(Witness {
                initial: Vec::new(),
                steps: Vec::new(),
                ending: engine::Ending::Deadlock,
            })
        };
        let unknown = || Verdict::Unknown(StopReason::Time);
        for (first, second) in
            [(one(5, violated()), one(7, unknown())), (one(7, unknown()), one(5, violated()))]
        {
            let more = knowing_more(first, second).report;
            assert_eq!(more.statistics.states, 7u32.into());
            assert!(matches!(more.answers[0].verdict, Verdict::Violated(_)));
        }
    }
}
