//! Guard splitting (Meijer 2014, algorithms 18 and 19): guards are asked for their own short vectors, and a group only for
//! states in which all its guards are true.

use base::GuardIx;
use ldd::{Ldd, OutOfNodes, Store};
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
    ) -> Result<(Ldd, Ldd), OutOfNodes> {
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
}

impl Guard {
    fn learn(&mut self, store: &Store, set: &Ldd, caller: &mut Caller<'_>) -> Result<(), OutOfNodes> {
        let short = store.project(set, &self.kept)?;
        let known = store.union(&store.union(&self.holds, &self.fails)?, &self.maybe)?;
        let new = store.minus(&short, &known)?;
        if new.is_empty() {
            return Ok(());
        }
        let mut answers: Vec<(Vec<u32>, Truth)> = Vec::new();
        store.for_each(&new, |short| {
            caller.calls += 1;
            let truth = {
                caller.place(&self.kept, short);
                caller.guard(self.guard)
            };
            answers.push((short.to_vec(), truth));
            true
        });
        for (short, truth) in answers {
            let vector = store.vector(&short)?;
            let known = match truth {
                Truth::True => &mut self.holds,
                Truth::False => &mut self.fails,
                Truth::Maybe => &mut self.maybe,
            };
            *known = store.union(known, &vector)?;
        }
        Ok(())
    }
}
