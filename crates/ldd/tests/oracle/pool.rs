//! A pool of sets and relations, each with its naive twin, on which random operations are run and compared.

use ldd::{Ldd, Relation, Stop, Store};

use crate::naive::{self, Set, Steps};
use crate::random::Draw;
use base::SplitMix64;

pub const WIDTH: usize = 5;
const VALUES: u32 = 3;
const SETS: usize = 6;
/// Naive operations on more vectors take too long.
const MOST_VECTORS: usize = 200;

pub struct Pool {
    pub store: Store,
    pub random: SplitMix64,
    pub sets: Vec<(Ldd, Set)>,
    relations: Vec<(Relation, Steps)>,
}

impl Pool {
    pub fn new(store: &Store, random: SplitMix64) -> Self {
        Self { store: store.clone(), random, sets: Vec::new(), relations: Vec::new() }
    }

    fn pick(&mut self) -> (Ldd, Set) {
        match self.sets.len() {
            0 => (self.store.empty(), Set::new()),
            some => self.sets[self.random.below(some)].clone(),
        }
    }

    fn fresh(&mut self) -> Result<(Ldd, Set), Stop> {
        let set = self.random.set(WIDTH, VALUES, 60);
        Ok((naive::diagram(&self.store, &set)?, set))
    }

    /// Puts a set in, in place of another if there are many.
    fn put(&mut self, set: Ldd, naive: Set) {
        if self.sets.len() < SETS {
            self.sets.push((set, naive));
        } else {
            let at = self.random.below(SETS);
            self.sets[at] = (set, naive);
        }
    }

    pub fn drop_half(&mut self) {
        self.sets.truncate(self.sets.len() / 2);
        self.relations.truncate(self.relations.len() / 2);
    }

    pub fn assert_all_same(&self) {
        self.sets.iter().for_each(|(set, naive)| naive::assert_same(&self.store, set, naive));
    }

    /// Runs one operation and compares its result.
    pub fn step(&mut self) -> Result<(), Stop> {
        if self.relations.len() < 3 || self.random.one_in(20) {
            self.learn()?;
        }
        let (set, naive) = match self.random.below(4) {
            0 => self.fresh()?,
            1 => self.set_operation()?,
            2 => self.step_operation()?,
            _ => self.slot_operation()?,
        };
        naive::assert_same(&self.store, &set, &naive);
        // Most operations make sets smaller: without a preference all would end empty.
        if naive.len() <= MOST_VECTORS && (naive.len() > 4 || self.random.one_in(8)) {
            self.put(set, naive);
        }
        Ok(())
    }

    /// A new relation, or more rows of one.
    fn learn(&mut self) -> Result<(), Stop> {
        if self.relations.len() == 3 {
            let at = self.random.below(3);
            if self.random.one_in(2) || self.relations[at].1.rules.is_some() {
                self.relations.swap_remove(at);
            } else {
                let (relation, steps) = &mut self.relations[at];
                let rows = 1 + self.random.below(6);
                let rows: Vec<_> = (0..rows).map(|_| self.random.row(&steps.shape, VALUES)).collect();
                *relation = relation.with_rows(rows.iter().map(Vec::as_slice))?;
                steps.rows.extend(rows);
                return Ok(());
            }
        }
        let by_rules = self.random.one_in(3);
        let steps =
            if by_rules { self.random.rules(WIDTH, VALUES) } else { self.random.steps(WIDTH, VALUES, 12) };
        self.relations.push((steps.relation(&self.store)?, steps));
        Ok(())
    }

    fn set_operation(&mut self) -> Result<(Ldd, Set), Stop> {
        let ((a, naive_a), (b, naive_b)) = (self.pick(), self.pick());
        Ok(match self.random.below(4) {
            0 => (self.store.union(&a, &b)?, naive::union(&naive_a, &naive_b)),
            1 => (self.store.minus(&a, &b)?, naive::minus(&naive_a, &naive_b)),
            2 => (self.store.intersect(&a, &b)?, naive::intersect(&naive_a, &naive_b)),
            _ => {
                let mut bytes = Vec::new();
                self.store.save(&[&a, &b], &mut bytes).expect("a vector takes all bytes");
                let loaded = self.store.load(&bytes[..]).map_err(|_| Stop::OutOfNodes)?;
                assert_eq!(loaded, [a, b.clone()]);
                (b, naive_b)
            }
        })
    }

    fn step_operation(&mut self) -> Result<(Ldd, Set), Stop> {
        let ((a, naive_a), (b, naive_b)) = (self.pick(), self.pick());
        let (relation, steps) = &self.relations[self.random.below(self.relations.len())];
        assert_eq!(self.store.count_steps(&a, &[relation]), [steps.count(&naive_a).into()], "{steps:?}");
        assert_eq!(
            self.store.have_steps_while(&a, &[relation], || true),
            Some(vec![steps.count(&naive_a) > 0])
        );
        Ok(match self.random.below(7) {
            6 => {
                let some = &self.relations[self.random.below(self.relations.len())..];
                let relations: Vec<Relation> = some.iter().map(|(relation, _)| relation.clone()).collect();
                let moving = some.iter().flat_map(|(_, steps)| steps.enabled(&naive_a)).collect();
                (self.store.deadlocks(&a, &relations)?, naive::minus(&naive_a, &moving))
            }
            5 => {
                let relations: Vec<Relation> =
                    self.relations.iter().map(|(relation, _)| relation.clone()).collect();
                let steps: Vec<&Steps> = self.relations.iter().map(|(_, steps)| steps).collect();
                let before = self.store.backward_closure(&a, &relations, &b)?;
                (before, naive::backward_closure(&naive_a, &steps, &naive_b))
            }
            3 => (self.store.enabled(&a, relation)?, steps.enabled(&naive_a)),
            4 => {
                let steps: Vec<&Steps> = self.relations.iter().map(|(_, steps)| steps).collect();
                let closed = match self.random.below(4) {
                    0 => naive::saturate(&self.store, &a, &steps)?,
                    1 => naive::by_levels(&self.store, &a, &steps, true)?,
                    2 => naive::by_levels(&self.store, &a, &steps, false)?,
                    _ => naive::by_rounds(&self.store, &a, &steps)?,
                };
                (closed, naive::closure(&naive_a, &steps))
            }
            0 => (self.store.image(&a, relation, &b)?, naive::union(&steps.image(&naive_a), &naive_b)),
            1 => (self.store.pre_image(&a, relation, &b)?, steps.pre_image(&naive_a, &naive_b)),
            _ => {
                let relations: Vec<Relation> =
                    self.relations.iter().map(|(relation, _)| relation.clone()).collect();
                let steps: Vec<&Steps> = self.relations.iter().map(|(_, steps)| steps).collect();
                (self.store.closure(&a, &relations)?, naive::closure(&naive_a, &steps))
            }
        })
    }

    /// Projections and joins; the answer is a set of whole vectors again.
    fn slot_operation(&mut self) -> Result<(Ldd, Set), Stop> {
        let ((a, naive_a), (b, naive_b)) = (self.pick(), self.pick());
        if self.random.one_in(3) {
            return self.sum_operation(&a, &naive_a);
        }
        let (kept, others) = (self.random.slots(WIDTH), self.random.slots(WIDTH));
        let (part, naive_part) = (self.store.project(&b, &kept)?, naive::project(&naive_b, &kept));
        naive::assert_same(&self.store, &part, &naive_part);
        let fresh = self.store.project_minus(&a, &kept, &part)?;
        naive::assert_same(&self.store, &fresh, &naive::minus(&naive::project(&naive_a, &kept), &naive_part));
        if self.random.one_in(2) {
            return Ok((self.store.select(&a, &part, &kept)?, naive::select(&naive_a, &naive_part, &kept)));
        }
        let slots =
            |has: &dyn Fn(usize) -> bool| (0..WIDTH).filter(|&slot| has(slot)).collect::<Vec<usize>>();
        let slots_b = slots(&|slot| kept[slot]);
        // All slots together, some of them twice.
        let kept_a: Vec<bool> = (0..WIDTH).map(|slot| !kept[slot] || others[slot]).collect();
        let slots_a = slots(&|slot| kept_a[slot]);
        let (other, naive_other) = (self.store.project(&a, &kept_a)?, naive::project(&naive_a, &kept_a));
        let joined = self.store.join(&other, &slots_a, &part, &slots_b)?;
        Ok((joined, naive::join(&naive_other, &slots_a, &naive_part, &slots_b)))
    }

    /// What a sum of slots leaves of a set, by a bound that lies near the sum of one of its vectors.
    fn sum_operation(&mut self, set: &Ldd, naive: &Set) -> Result<(Ldd, Set), Stop> {
        let factors = self.random.factors(WIDTH);
        let sums = || naive.iter().map(|vector| naive::sum(vector, &factors));
        assert_eq!(self.store.least(set, &factors), sums().min());
        assert_eq!(self.store.greatest(set, &factors), sums().max());
        let mut sorted: Vec<i128> = sums().collect();
        sorted.sort_unstable();
        let near = sorted.get(self.random.below(sorted.len().max(1))).copied().unwrap_or(0);
        let most = near + self.random.below(3) as i128 - 1;
        Ok((self.store.at_most(set, &factors, most)?, naive::at_most(naive, &factors, most)))
    }
}
