//! Guard splitting (Meijer 2014, algorithms 18 and 19): guards are asked for their own short vectors, and a group only for
//! states in which all its guards are true.

use base::GuardIx;
use ldd::{Ldd, Stop, Store};
use model::{Model, Truth};

use crate::group::Caller;

/// What is known of all guards.
pub(crate) struct Guards {
    guards: Vec<Guard>,
}

struct Guard {
    guard: GuardIx,
    /// Which slots it looks at.
    kept: Vec<bool>,
    holds: Ldd,
    fails: Ldd,
    /// Where it cannot be evaluated: another guard of each group must be false there.
    maybe: Ldd,
}

impl Guards {
    pub fn new(model: &dyn Model, store: &Store) -> Self {
        let tests = &model.dependencies().tests;
        let guards = model.signature().guard_ixs().map(|guard| Guard {
            guard,
            kept: (0..tests.columns()).map(|slot| tests.get(guard.ix(), slot)).collect(),
            holds: store.empty(),
            fails: store.empty(),
            maybe: store.empty(),
        });
        Self { guards: guards.collect() }
    }

    /// The states of a set in which all these guards are true, and those in which some cannot be evaluated and none is false.
    pub fn select(
        &mut self,
        store: &Store,
        set: &Ldd,
        guards: &[GuardIx],
        caller: &mut Caller<'_>,
    ) -> Result<(Ldd, Ldd), Stop> {
        let mut enabled = set.clone();
        let mut open = store.empty();
        for guard in guards {
            if enabled.is_empty() && open.is_empty() {
                break;
            }
            let guard = &mut self.guards[guard.ix()];
            let whole = store.union(&enabled, &open)?;
            guard.learn(store, &whole, caller)?;
            let unknown = store.select(&enabled, &guard.maybe, &guard.kept)?;
            let wrong = store.select(&open, &guard.fails, &guard.kept)?;
            enabled = store.select(&enabled, &guard.holds, &guard.kept)?;
            open = store.union(&store.minus(&open, &wrong)?, &unknown)?;
        }
        Ok((enabled, open))
    }

    /// Whether one of these guards cannot be evaluated somewhere.
    pub fn are_sometimes_open(&self, guards: &[GuardIx]) -> bool {
        guards.iter().any(|guard| !self.guards[guard.ix()].maybe.is_empty())
    }

    /// The first of these guards that cannot be evaluated in the state.
    pub fn open_one(&self, store: &Store, state: &[u32], guards: &[GuardIx]) -> Option<GuardIx> {
        guards.iter().copied().find(|guard| {
            let guard = &self.guards[guard.ix()];
            let short: Vec<u32> = state.iter().zip(&guard.kept).filter(|(_, kept)| **kept).map(|(v, _)| *v).collect();
            store.contains(&guard.maybe, &short)
        })
    }
}

impl Guard {
    fn learn(&mut self, store: &Store, set: &Ldd, caller: &mut Caller<'_>) -> Result<(), Stop> {
        let known = store.union(&store.union(&self.holds, &self.fails)?, &self.maybe)?;
        let new = store.project_minus(set, &self.kept, &known)?;
        let (mut holds, mut fails, mut maybe) = (Vec::new(), Vec::new(), Vec::new());
        store.for_each(&new, |short| {
            caller.place(&self.kept, short);
            let answers = match caller.guard(self.guard) {
                Truth::True => &mut holds,
                Truth::False => &mut fails,
                Truth::Maybe => &mut maybe,
            };
            answers.push(short.to_vec());
            true
        });
        for (known, new) in [(&mut self.holds, holds), (&mut self.fails, fails), (&mut self.maybe, maybe)] {
            *known = store.union(known, &store.vectors(new.iter().map(Vec::as_slice))?)?;
        }
        Ok(())
    }
}
