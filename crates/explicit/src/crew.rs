//! The crew: workers that now and then have to come together. Tables grow, and a level ends, while nobody
//! works.
//!
//! A worker comes to a *meeting* in one of two moods: *busy*, because someone called for a meeting, or *at
//! rest*, because it found nothing to do. When all are there, the last to come does what is to be done, and
//! all go on. A worker that leaves, be it by a panic, is no longer waited for.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Who is there.
#[derive(Default)]
struct Attendance {
    members: usize,
    present: usize,
    at_rest: usize,
    /// Grows with every meeting.
    meetings: u64,
}

/// Workers that meet.
pub(crate) struct Crew {
    attendance: Mutex<Attendance>,
    over: Condvar,
    /// Somebody calls for a meeting.
    called: AtomicBool,
    /// How many are at rest, to be looked at without a lock.
    idle: AtomicUsize,
}

/// What a worker comes to a meeting with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mood {
    /// It has work in its hands.
    Busy,
    /// It has none.
    AtRest,
}

impl Crew {
    /// A crew of this many workers.
    pub(crate) fn new(members: usize) -> Self {
        let attendance = Attendance { members, ..Attendance::default() };
        Self {
            attendance: Mutex::new(attendance),
            over: Condvar::new(),
            called: AtomicBool::new(false),
            idle: AtomicUsize::new(0),
        }
    }

    /// Whether a meeting was called for: every worker is to come soon.
    #[inline]
    pub(crate) fn is_called(&self) -> bool {
        self.called.load(Relaxed)
    }

    /// Whether somebody has nothing to do.
    #[inline]
    pub(crate) fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Comes to a meeting, and waits until all are there and `agenda` was done, by one of them; it is told
    /// whether all are at rest. Who is busy calls for the meeting. Who is at rest waits, and goes when it is
    /// woken and `is_woken` says that there is something to do.
    pub(crate) fn meet(&self, mood: Mood, is_woken: impl Fn() -> bool, agenda: impl FnOnce(bool)) {
        let mut attendance = self.lock();
        attendance.present += 1;
        match mood {
            Mood::Busy => self.called.store(true, Relaxed),
            Mood::AtRest => {
                attendance.at_rest += 1;
                self.idle.fetch_add(1, Relaxed);
            }
        }
        let meeting = attendance.meetings;
        if attendance.present == attendance.members {
            self.hold(&mut attendance, agenda);
        }
        while attendance.meetings == meeting {
            if mood == Mood::AtRest && is_woken() {
                attendance.present -= 1;
                attendance.at_rest -= 1;
                break;
            }
            attendance = self.over.wait(attendance).unwrap_or_else(PoisonError::into_inner);
        }
        if mood == Mood::AtRest {
            self.idle.fetch_sub(1, Relaxed);
        }
    }

    /// Wakes those who are at rest.
    pub(crate) fn wake(&self) {
        drop(self.lock());
        self.over.notify_all();
    }

    /// Leaves the crew. If all others wait for this one, the meeting is held.
    pub(crate) fn leave(&self, agenda: impl FnOnce(bool)) {
        let mut attendance = self.lock();
        attendance.members -= 1;
        if attendance.present == attendance.members && attendance.members > 0 {
            self.hold(&mut attendance, agenda);
        }
    }

    fn hold(&self, attendance: &mut Attendance, agenda: impl FnOnce(bool)) {
        let all_at_rest = attendance.at_rest == attendance.members;
        attendance.present = 0;
        attendance.at_rest = 0;
        attendance.meetings += 1;
        self.called.store(false, Relaxed);
        // They go on when the lock is free: when the agenda is done, be it by a panic.
        self.over.notify_all();
        agenda(all_at_rest);
    }

    fn lock(&self) -> MutexGuard<'_, Attendance> {
        // What is counted here is right at any time, also when an agenda panicked.
        self.attendance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::thread::scope;

    use super::*;

    /// Workers with different amounts of work, one of which calls for meetings: nobody works while a meeting
    /// is held.
    #[test]
    fn nobody_works_during_a_meeting() {
        const MEMBERS: usize = 4;
        let crew = Crew::new(MEMBERS);
        let (working, meetings, ends) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let done = AtomicBool::new(false);
        scope(|scope| {
            for worker in 0..MEMBERS {
                let (crew, working, meetings, ends, done) = (&crew, &working, &meetings, &ends, &done);
                scope.spawn(move || {
                    let agenda = |all_at_rest: bool| {
                        assert_eq!(working.load(Relaxed), 0);
                        meetings.fetch_add(1, Relaxed);
                        if all_at_rest {
                            ends.fetch_add(1, Relaxed);
                            done.store(true, Relaxed);
                        }
                    };
                    for round in 0..100 * (worker + 1) {
                        if crew.is_called() || (worker == 2 && round % 7 == 0) {
                            crew.meet(Mood::Busy, || false, agenda);
                        }
                        working.fetch_add(1, Relaxed);
                        std::hint::black_box((0..100).sum::<u64>());
                        working.fetch_sub(1, Relaxed);
                    }
                    while !done.load(Relaxed) {
                        crew.meet(Mood::AtRest, || false, agenda);
                    }
                    crew.leave(agenda);
                });
            }
        });
        assert_eq!(ends.load(Relaxed), 1);
        assert!(meetings.load(Relaxed) > 40);
        assert!(!crew.has_idle());
    }

    #[test]
    fn who_leaves_is_not_waited_for() {
        let crew = Crew::new(2);
        let met = AtomicU64::new(0);
        scope(|scope| {
            scope.spawn(|| crew.meet(Mood::Busy, || false, |_| _ = met.fetch_add(1, Relaxed)));
            while !crew.is_called() {
                std::thread::yield_now();
            }
            crew.leave(|_| _ = met.fetch_add(1, Relaxed));
        });
        assert_eq!(met.load(Relaxed), 1);
    }

    #[test]
    fn who_rests_is_woken_for_work() {
        let crew = Crew::new(2);
        let work = AtomicBool::new(false);
        scope(|scope| {
            scope.spawn(|| crew.meet(Mood::AtRest, || work.load(Relaxed), |_| panic!("nobody else came")));
            while !crew.has_idle() {
                std::thread::yield_now();
            }
            work.store(true, Relaxed);
            crew.wake();
        });
        assert!(!crew.has_idle());
    }
}
