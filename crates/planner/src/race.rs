//! The automatic choice of an engine: two engines race, and the first that has the answer wins.
//!
//! Nobody can tell from a model which engine suits it: states in their millions take an explicit search
//! seconds and may take a symbolic one hours, and the other way round. So the explicit engine begins alone,
//! which is enough for most models. What takes longer both search at the same time, on threads that share
//! nothing but the model, each with half of the memory. Verdicts do not depend on who is faster: both engines
//! give the same ones. If half of the memory is too little for either, each gets all of it in turn. All
//! threads are joined before there is an answer.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use engine::{CancelToken, Limits, Report, StopReason};

use crate::error::Error;

/// So long the explicit engine is alone.
const HEAD_START: Duration = Duration::from_millis(60);

/// What a race needs: someone who lets an engine search within limits until it is told to stop.
pub(crate) trait Racer: Sync {
    fn search(&self, engine: usize, limits: Limits, stop: &CancelToken) -> Result<Report, Error>;
}

impl<F> Racer for F
where
    F: Fn(usize, Limits, &CancelToken) -> Result<Report, Error> + Sync,
{
    fn search(&self, engine: usize, limits: Limits, stop: &CancelToken) -> Result<Report, Error> {
        self(engine, limits, stop)
    }
}

/// Who won a race, and why.
pub(crate) struct Won {
    /// What it came to.
    pub report: Report,
    /// The place of the engine among the two.
    pub engine: usize,
    /// Why it was this one, where both began.
    pub why: Option<&'static str>,
}

/// Lets two engines race within these limits; the first has a head start.
pub(crate) fn race(limits: &Limits, racer: &impl Racer) -> Result<Won, Error> {
    race_after(HEAD_START, limits, racer)
}

fn race_after(head_start: Duration, limits: &Limits, racer: &impl Racer) -> Result<Won, Error> {
    let started = Instant::now();
    let tokens = [(); 2].map(|()| CancelToken::new());
    let half = Limits { memory: limits.memory.map(|memory| memory / 2), ..limits.clone() };
    // Half of the memory was too little.
    let mut is_short = false;
    let mut won = std::thread::scope(|scope| -> Result<Won, Error> {
        let (sender, receiver) = channel();
        let start = |at: usize, limits: Limits| {
            let (sender, token) = (sender.clone(), &tokens[at]);
            // The race may be over when this one ends: then nobody listens.
            scope.spawn(move || _ = sender.send((at, racer.search(at, limits, token))));
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
            tokens[1 - at].cancel();
            let why = (!alone).then_some("done first in a race of both engines");
            return Ok(Won { report, engine: at, why });
        }
        if alone {
            start(1, Limits { time: left(limits, started), ..half });
        }
        let (other, second) = next(&receiver);
        let second = second?;
        let why = "in a race of both engines the other one gave up";
        if is_answer(&second) {
            return Ok(Won { report: second, engine: other, why: Some(why) });
        }
        is_short = [&report, &second].iter().any(|report| stopped_by(report, &StopReason::Memory));
        let why = Some("neither engine has an answer");
        let [first, second] = [(at, report), (other, second)];
        let [first, second] = [first, second].map(|(at, report)| Won { report, engine: at, why });
        Ok(knowing_more(first, second))
    })?;
    if is_short {
        for at in [1, 0] {
            let limits = Limits { time: left(limits, started), ..limits.clone() };
            let report = racer.search(at, limits, &CancelToken::new())?;
            let is_answer = is_answer(&report);
            let why = Some("half of the memory was too little for either engine");
            let next = Won { report, engine: at, why };
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
fn knowing_more(one: Won, other: Won) -> Won {
    let is_less = one.report.statistics.states < other.report.statistics.states;
    let (mut more, less) = if is_less { (other, one) } else { (one, other) };
    for (answer, found) in more.report.answers.iter_mut().zip(less.report.answers) {
        if answer.verdict.reason().is_some() && found.is_found() {
            *answer = found;
        }
    }
    more
}

type End = (usize, Result<Report, Error>);

fn next(receiver: &Receiver<End>) -> End {
    receiver.recv().expect("BUG: a racer went without a word")
}

fn left(limits: &Limits, started: Instant) -> Option<Duration> {
    limits.time.map(|time| time.saturating_sub(started.elapsed()))
}

fn stopped_by(report: &Report, reason: &StopReason) -> bool {
    report.stopped.as_ref() == Some(reason)
}

/// Whether another engine could not say more.
fn is_answer(report: &Report) -> bool {
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
    let is_found = || report.answers.iter().any(engine::Answer::is_found);
    match &report.stopped {
        // The run to what was violated may not have been found.
        Some(StopReason::OtherViolation) => is_found(),
        Some(reason) => !given_up(reason),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use engine::{Answer, Ending, Evidence, Property, Question, Run, Statistics, Verdict};

    use super::*;

    /// What the two engines are called.
    const NAMES: [&str; 2] = ["explicit", "symbolic"];

    /// What an engine comes to in a test: after some milliseconds it stops for a reason, or has an answer.
    type Fate = (u64, Option<StopReason>);

    /// Who won a race with these fates, with half of the memory and with all of it, and who was asked for
    /// what.
    fn run(half: [Fate; 2], whole: [Fate; 2]) -> (&'static str, Option<StopReason>, Vec<String>) {
        let limits = Limits { memory: Some(1000), ..Limits::default() };
        let asked = Mutex::new(Vec::new());
        let racer = |at: usize, limits: Limits, stop: &CancelToken| {
            let memory = limits.memory.expect("a limit");
            asked.lock().unwrap().push(format!("{} {memory}", NAMES[at]));
            let (millis, mut stopped) = if memory == 500 { half[at].clone() } else { whole[at].clone() };
            let end = Instant::now() + Duration::from_millis(millis);
            while Instant::now() < end {
                if stop.is_cancelled() {
                    stopped = Some(StopReason::Interrupted);
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            let verdict = stopped.clone().map_or(Verdict::Holds, Verdict::Unknown);
            let answers = vec![Answer::new(Property::new("p", Question::NoDeadlock), verdict)];
            let (statistics, census) = (Statistics::default(), engine::CensusReport::default());
            Ok(Report { answers, stopped, statistics, census })
        };
        let won = race_after(Duration::from_millis(100), &limits, &racer).unwrap();
        (NAMES[won.engine], won.report.stopped, asked.into_inner().unwrap())
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
        let property = || Property::new("p", Question::NoDeadlock);
        let one = |states: u32, answer: Answer| {
            let statistics = Statistics { states: states.into(), ..Statistics::default() };
            let (stopped, census) = (Some(StopReason::Time), engine::CensusReport::default());
            let report = Report { answers: vec![answer], stopped, statistics, census };
            Won { report, engine: 0, why: None }
        };
        let run = || Run { initial: Vec::new(), steps: Vec::new(), ending: Ending::Deadlock };
        let violated = || Answer::found(property(), Evidence::Run(run()));
        let unknown = || Answer::unknown(property(), StopReason::Time);
        for (first, second) in
            [(one(5, violated()), one(7, unknown())), (one(7, unknown()), one(5, violated()))]
        {
            let more = knowing_more(first, second).report;
            assert_eq!(more.statistics.states, 7u32.into());
            assert!(more.answers[0].verdict.is_violated() && more.answers[0].evidence.is_some());
        }
    }
}
