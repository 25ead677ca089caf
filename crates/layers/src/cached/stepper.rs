//! Runs a cached model: asks the table first, and stores what the model says.

use std::sync::Arc;

use base::{GroupIx, GuardIx, LabelIx};
use model::{EvalError, Stepper, StopSignal, Successors, Truth, Value, every_group};

use super::table::{Table, hash};
use super::{CacheStatistics, Cached};

pub(super) struct CachedStepper<'a> {
    layer: &'a Cached,
    stepper: Box<dyn Stepper + 'a>,
    tables: Arc<[Table]>,
    hit_rates: Vec<HitRate>,
    /// Whether some group was looked up at first. What became of that does not count: the order of
    /// successors must stay the same over a run, and the inner model may have another one.
    is_useful: bool,
    key: Vec<u32>,
    content: Vec<u32>,
    copied: Vec<u64>,
    counted: CacheStatistics,
}

/// Whether it pays to look a group up.
#[derive(Clone, Copy, Default)]
struct HitRate {
    is_bypassed: bool,
    is_warm: bool,
    look_ups: u32,
    hits: u32,
}

/// So many look-ups of a group are judged at a time. The first so many are a warm-up and are not judged.
const TRIAL: u32 = 1 << 13;

impl HitRate {
    fn count(&mut self, hit: bool) {
        self.look_ups += 1;
        self.hits += u32::from(hit);
        if self.look_ups == TRIAL {
            self.is_bypassed = self.is_warm && self.hits < TRIAL / 2;
            (self.is_warm, self.look_ups, self.hits) = (true, 0, 0);
        }
    }
}

impl<'a> CachedStepper<'a> {
    pub(super) fn new(layer: &'a Cached) -> Self {
        let hit_rate = |is_narrow: bool| HitRate { is_bypassed: !is_narrow, ..HitRate::default() };
        Self {
            layer,
            stepper: layer.below.stepper(),
            tables: layer.tables(),
            hit_rates: layer.groups.iter().map(|projection| hit_rate(projection.is_narrow)).collect(),
            is_useful: layer.groups.iter().any(|projection| projection.is_narrow),
            key: Vec::new(),
            content: Vec::new(),
            copied: vec![0; layer.below.initial().len().div_ceil(64)],
            counted: CacheStatistics::default(),
        }
    }
}

impl Stepper for CachedStepper<'_> {
    fn heed(&mut self, stop: &StopSignal) {
        self.stepper.heed(stop);
    }

    /// NEXT-STATE-CACHE, algorithm 4.
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let hit_rate = &mut self.hit_rates[group.ix()];
        if hit_rate.is_bypassed {
            self.counted.bypassed += 1;
            return self.stepper.group(group, from, to);
        }
        let projection = &self.layer.groups[group.ix()];
        projection.key(group, from, &mut self.key);
        let hash = hash(&self.key);
        // Bits that tell neither buckets nor tags apart.
        let table = &self.tables[(hash >> 40) as usize & (self.tables.len() - 1)];
        let is_known = table.find(hash, &self.key, &mut self.content);
        hit_rate.count(is_known);
        if is_known {
            self.counted.hits += 1;
            for stored in self.content.chunks_exact(projection.words_per_successor()) {
                projection.restore(group, from, stored, &mut self.copied, to);
            }
            return Ok(());
        }
        self.counted.misses += 1;
        let start = to.len();
        self.stepper.group(group, from, to)?;
        self.content.clear();
        for at in start..to.len() {
            projection.store(to.get(at), &mut self.content);
        }
        table.insert(hash, &self.key, &self.content);
        Ok(())
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.stepper.update(group, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        self.stepper.guard(guard, from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.stepper.label(label, from)
    }

    /// NEXT-STATE-ALL-CACHE, algorithm 2.
    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if !self.is_useful {
            self.counted.bypassed += self.hit_rates.len() as u64;
            return self.stepper.all(from, to);
        }
        every_group(self, self.hit_rates.len(), from, to)
    }

    fn some(
        &mut self,
        groups: std::ops::Range<usize>,
        most: usize,
        from: &[Value],
        to: &mut Successors,
    ) -> model::Part {
        model::some_groups(self, groups, most, from, to)
    }
}

impl Drop for CachedStepper<'_> {
    fn drop(&mut self) {
        self.layer.add(self.counted);
    }
}
