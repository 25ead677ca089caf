//! State labels that properties ask for. One whose build is known is put to a set as a whole; any other is
//! evaluated once for each short vector over the slots that it looks at.

mod predicates;

use base::LabelIx;
use engine::StopReason;
use ldd::{Ldd, Stop, Store};
use model::{LabelKind, Model};

use crate::caller::Caller;
use predicates::Selection;

/// With so many short vectors, answers become sets: as lists they take memory that the store does not know
/// of.
const MANY: usize = 1 << 16;

/// A label and what is known of it.
pub(crate) struct LabelQuery {
    pub label: LabelIx,
    /// A user asks for it: where it fails nothing but itself is unknown. All others are parts of the model.
    pub is_predicate: bool,
    /// Where it is zero, if its build is known, or else where it is not.
    build: Option<Build>,
    /// Which slots it looks at.
    kept: Vec<bool>,
    /// Short vectors that were asked for.
    asked: Ldd,
    zero: Ldd,
    failed: Ldd,
    /// How it failed first.
    pub failure: Option<String>,
    /// The limit of the tool that it met first.
    limit: Option<StopReason>,
}

/// What a label is made of.
enum Build {
    Zero(Selection),
    NotZero(Selection),
}

impl LabelQuery {
    pub fn new(model: &dyn Model, label: LabelIx, store: &Store) -> Self {
        let reads = &model.dependencies().label_reads;
        let width = reads.columns();
        let build = model.label_predicate(label).map(|predicate| match predicate.negated() {
            Some(negated) => Build::Zero(Selection::new(negated, width)),
            None => Build::NotZero(Selection::new(predicate, width)),
        });
        Self {
            label,
            is_predicate: model.signature().labels[label.ix()].kind == LabelKind::Invariant,
            build,
            kept: (0..width).map(|slot| reads.get(label.ix(), slot)).collect(),
            asked: store.empty(),
            zero: store.empty(),
            failed: store.empty(),
            failure: None,
            limit: None,
        }
    }

    /// The states of a set in which the label is zero, and those in which it fails. Where an assertion meets
    /// a limit it does neither.
    pub fn select(&mut self, store: &Store, set: &Ldd, caller: &mut Caller<'_>) -> Result<(Ldd, Ldd), Stop> {
        match &self.build {
            Some(Build::Zero(zero)) => return Ok((zero.of(store, set)?, store.empty())),
            Some(Build::NotZero(others)) => {
                return Ok((store.minus(set, &others.of(store, set)?)?, store.empty()));
            }
            None => {}
        }
        self.learn(store, set, caller)?;
        Ok((store.select(set, &self.zero, &self.kept)?, store.select(set, &self.failed, &self.kept)?))
    }

    /// The limit of the tool that it met in states that it was asked for, if it did.
    pub fn limit_met(&self) -> Option<StopReason> {
        self.limit.clone()
    }

    fn learn(&mut self, store: &Store, set: &Ldd, caller: &mut Caller<'_>) -> Result<(), Stop> {
        let new = store.project_minus(set, &self.kept, &self.asked)?;
        let (mut zero, mut failed) = (Vec::new(), Vec::new());
        let mut result = Ok(());
        store.for_each(&new, |short| {
            caller.place(&self.kept, short);
            match caller.label(self.label) {
                Ok(0) => zero.push(short.to_vec()),
                Ok(_) => {}
                Err(error) if error.is_limit() && !self.is_predicate => {
                    self.limit.get_or_insert_with(|| StopReason::of_limit(&error.kind));
                }
                Err(error) => {
                    self.failure.get_or_insert_with(|| error.to_string());
                    failed.push(short.to_vec());
                }
            }
            if caller.is_halted() {
                result = Err(Stop::Interrupted);
            } else if zero.len().max(failed.len()) >= MANY {
                result = self.settle(store, &mut zero, &mut failed);
            }
            result.is_ok()
        });
        result?;
        self.settle(store, &mut zero, &mut failed)?;
        self.asked = store.union(&self.asked, &new)?;
        Ok(())
    }

    fn settle(
        &mut self,
        store: &Store,
        zero: &mut Vec<Vec<u32>>,
        failed: &mut Vec<Vec<u32>>,
    ) -> Result<(), Stop> {
        for (known, new) in [(&mut self.zero, zero), (&mut self.failed, failed)] {
            if !new.is_empty() {
                *known = store.union(known, &store.vectors(new.iter().map(Vec::as_slice))?)?;
                new.clear();
            }
        }
        Ok(())
    }
}
