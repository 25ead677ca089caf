//! Which cache of local transitions lies below an engine, and whether `auto` takes one.
//!
//! A look-up takes some tens of nanoseconds for each group, whatever the language. So a cache is for models
//! whose groups take far longer, and only a trial on the model itself tells: see [`layers::try_cache`]. It is
//! not even tried where it cannot pay.

use std::sync::Arc;
use std::time::Duration;

use layers::{CacheTrial, Cached, Over, try_cache};
use model::{Calls, Compiled, Model};

use engine::Profile;
use machine::memory;

/// What is asked of the planner about caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cache {
    /// Whichever a short trial shows to be clearly faster.
    Auto,
    /// None.
    Off,
    /// Each thread has one.
    Thread,
    /// All threads have one.
    Shared,
    /// All threads have one if there are several.
    On,
}

/// Who has a table of local transitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Nobody.
    Off,
    /// Each thread one.
    Thread,
    /// All threads one.
    Shared,
}

/// A mode, and why it is this one where pinscher chose it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The mode.
    pub mode: Mode,
    /// Why, in words.
    pub why: Option<String>,
    /// Whether a trial showed it.
    pub is_measured: bool,
}

/// What `auto` looks at before it tries.
pub(crate) struct Situation<'a> {
    /// What there is to say of the engine.
    pub profile: Profile,
    /// What became of the wish for machine code, if there was one.
    pub compiled: Option<&'a Compiled>,
    /// Whether the matrices are tested, for which the model is to be asked in full.
    pub is_checked: bool,
    /// The limit for the whole process.
    pub memory: Option<u64>,
    /// What the cache may take of it.
    pub bytes: u64,
}

/// States of a trial …
const STATES: usize = 4096;
/// … as long as it takes no longer than this to find them.
const PATIENCE: Duration = Duration::from_millis(4);
/// The cached model is to take at most this part of the time.
const WORTH: f64 = 0.8;
/// A call of so long is worth any look-up, also where a state takes too long to try many.
const SLOW: Duration = Duration::from_micros(2);
/// With less memory for the whole process than this the states need it more.
const LEAST_MEMORY: u64 = 8 * memory::LEAST_FOR_ENGINE;

impl Mode {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Thread => "thread",
            Self::Shared => "shared",
        }
    }

    /// What is best if there is to be one.
    fn best(profile: Profile) -> Self {
        if profile.threads > 1 { Self::Shared } else { Self::Thread }
    }

    /// The layer over a model.
    pub(crate) fn layer(self, model: Arc<dyn Model>, bytes: u64, threads: usize) -> Option<Over<Cached>> {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        match self {
            Self::Off => None,
            Self::Thread => Some(Cached::per_stepper(model, bytes, threads)),
            Self::Shared => Some(Cached::shared(model, bytes)),
        }
    }
}

/// The mode that an option means for a model, without the cache, in its situation.
pub(crate) fn choose(option: Cache, model: &Arc<dyn Model>, situation: &Situation<'_>) -> Chosen {
    let asked = |mode| Chosen { mode, why: None, is_measured: false };
    match option {
        Cache::Off => asked(Mode::Off),
        Cache::Thread => asked(Mode::Thread),
        Cache::Shared => asked(Mode::Shared),
        Cache::On => asked(Mode::best(situation.profile)),
        Cache::Auto => match hopeless(situation).or_else(|| useless(&**model)) {
            Some(why) => Chosen { mode: Mode::Off, why: Some(why.to_owned()), is_measured: false },
            None => {
                let bytes = usize::try_from(situation.bytes).unwrap_or(usize::MAX);
                judged(&try_cache(model, bytes, STATES, PATIENCE), Mode::best(situation.profile))
            }
        },
    }
}

/// Why it need not be tried.
fn hopeless(situation: &Situation<'_>) -> Option<&'static str> {
    if situation.profile.calls == Calls::Groups {
        return Some("the engine asks once for each combination of values that a group reads");
    }
    if matches!(situation.compiled, Some(Compiled::Done { .. })) {
        return Some("machine code is faster than a look-up");
    }
    if situation.is_checked {
        return Some("matrices are tested on all calls");
    }
    situation.memory.is_some_and(|limit| limit < LEAST_MEMORY).then_some("the states need the memory")
}

/// Why the cache would never be asked.
fn useless(model: &dyn Model) -> Option<&'static str> {
    (!Cached::has_use_for(model)).then_some("each group looks at nearly all slots")
}

/// What a trial means, if `best` is the mode to take.
fn judged(trial: &CacheTrial, best: Mode) -> Chosen {
    let CacheTrial { states, is_complete, call, ratio } = *trial;
    let (mode, why) = match ratio {
        _ if is_complete => (Mode::Off, format!("the model has {states} states only")),
        Some(ratio) => {
            let mode = if ratio <= WORTH { best } else { Mode::Off };
            (mode, format!("with it a trial of {states} states took {:.0}% of the time", ratio * 100.0))
        }
        None if call >= SLOW => (best, format!("one call takes {:.0} µs", call.as_secs_f64() * 1e6)),
        None => (Mode::Off, "too few states could be tried".to_owned()),
    };
    Chosen { mode, why: Some(why), is_measured: !is_complete }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::time::Instant;

    use base::Source;
    use toys::Altered;

    use super::*;
    use crate::engines;

    /// Four counters to nine, each in a group of its own that takes so long.
    fn slow(time: Duration) -> Arc<dyn Model> {
        let mut text = "begin state\na:int b:int c:int d:int\nend state\nbegin edge\nend edge\n".to_owned();
        text += "begin init\n0 0 0 0\nend init\n";
        for counter in 0..4 {
            text += "begin trans\n";
            for value in 0..9 {
                let cells = (0..4)
                    .map(|slot| if slot == counter { format!("{value}/{}", value + 1) } else { "*".into() });
                let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join(" "));
            }
            text += "end trans\n";
        }
        let model = lang_etf::load(Arc::new(Source::new("slow.etf", text))).expect("it is a model").model;
        Arc::new(Altered::of(model).before_each_call(move || {
            let started = Instant::now();
            while started.elapsed() < time {}
        }))
    }

    #[test]
    fn auto_takes_a_cache_where_calls_are_slow() {
        // So slow that some hundred states can be tried, and so slow that one state cannot.
        for micros in [4, 5_000] {
            let slow = slow(Duration::from_micros(micros));
            for (threads, mode) in [(1, Mode::Thread), (4, Mode::Shared)] {
                let profile = engines::explicit(threads).profile();
                let situation =
                    Situation { profile, compiled: None, is_checked: false, memory: None, bytes: 1 << 24 };
                let chosen = choose(Cache::Auto, &slow, &situation);
                assert_eq!(chosen.mode, mode, "{chosen:?}");
                assert!(chosen.is_measured && chosen.why.is_some());
                assert_eq!(choose(Cache::Off, &slow, &situation).mode, Mode::Off);
            }
        }
    }

    #[test]
    fn a_trial_decides_by_its_ratio() {
        let trial = |ratio, is_complete, micros| {
            let trial = CacheTrial { states: 500, is_complete, call: Duration::from_micros(micros), ratio };
            judged(&trial, Mode::Shared).mode
        };
        assert_eq!(trial(Some(0.5), false, 0), Mode::Shared);
        assert_eq!(trial(Some(0.9), false, 50), Mode::Off);
        assert_eq!(trial(None, false, 50), Mode::Shared);
        assert_eq!(trial(None, false, 1), Mode::Off);
        assert_eq!(trial(None, true, 50), Mode::Off);
    }

    #[test]
    fn what_cannot_pay_is_not_tried() {
        let plain = Situation {
            profile: engines::explicit(1).profile(),
            compiled: Some(&Compiled::Nothing),
            is_checked: false,
            memory: None,
            bytes: 1 << 20,
        };
        assert_eq!(hopeless(&plain), None);
        assert_eq!(hopeless(&Situation { memory: Some(1 << 30), compiled: None, ..plain }), None);
        let done = Compiled::Done { code_bytes: 100 };
        for (situation, why) in [
            (Situation { profile: engines::symbolic(1).profile(), ..plain }, "asks once"),
            (Situation { compiled: Some(&done), ..plain }, "machine code"),
            (Situation { is_checked: true, ..plain }, "matrices"),
            (Situation { memory: Some(100 << 20), ..plain }, "memory"),
        ] {
            assert!(hopeless(&situation).is_some_and(|said| said.contains(why)), "{why}");
        }
    }
}
