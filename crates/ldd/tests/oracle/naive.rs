//! Sets and relations as anyone would write them down, and the comparison with diagrams.

use std::collections::HashSet;
use std::sync::Mutex;

use ldd::{
    Access, Entry, Event, Ldd, Learned, Relation, RelationSource, Rows, Rule, Schedule, Shape, Stop, Store,
};

pub type Set = HashSet<Vec<u32>>;

pub fn union(a: &Set, b: &Set) -> Set {
    a.union(b).cloned().collect()
}

pub fn minus(a: &Set, b: &Set) -> Set {
    a.difference(b).cloned().collect()
}

pub fn intersect(a: &Set, b: &Set) -> Set {
    a.intersection(b).cloned().collect()
}

fn cut(vector: &[u32], kept: &[bool]) -> Vec<u32> {
    vector.iter().zip(kept).filter(|(_, kept)| **kept).map(|(value, _)| *value).collect()
}

pub fn project(set: &Set, kept: &[bool]) -> Set {
    set.iter().map(|vector| cut(vector, kept)).collect()
}

pub fn select(set: &Set, part: &Set, tested: &[bool]) -> Set {
    set.iter().filter(|vector| part.contains(&cut(vector, tested))).cloned().collect()
}

pub fn sum(vector: &[u32], factors: &[i64]) -> i128 {
    vector.iter().zip(factors).map(|(&value, &factor)| i128::from(value) * i128::from(factor)).sum()
}

pub fn at_most(set: &Set, factors: &[i64], most: i128) -> Set {
    set.iter().filter(|vector| sum(vector, factors) <= most).cloned().collect()
}

/// All ways to put a vector of each set together that agree on the slots that both have.
pub fn join(a: &Set, slots_a: &[usize], b: &Set, slots_b: &[usize]) -> Set {
    let mut slots = [slots_a, slots_b].concat();
    slots.sort_unstable();
    slots.dedup();
    let at = |named: &[usize], vector: &[u32], slot| {
        named.iter().position(|&other| other == slot).map(|at| vector[at])
    };
    let together = |left: &Vec<u32>, right: &Vec<u32>| {
        let value = |&slot: &usize| match (at(slots_a, left, slot), at(slots_b, right, slot)) {
            (Some(one), Some(other)) if one != other => None,
            (one, other) => one.or(other),
        };
        slots.iter().map(value).collect::<Option<Vec<u32>>>()
    };
    a.iter().flat_map(|left| b.iter().filter_map(move |right| together(left, right))).collect()
}

/// Rows of a shape.
#[derive(Clone, Debug)]
pub struct Steps {
    pub shape: Shape,
    pub rows: Vec<Vec<Entry>>,
    /// What says the same as the rows, if there is such a thing.
    pub rules: Option<Vec<(usize, Vec<Rule>)>>,
}

impl Steps {
    pub fn relation(&self, store: &Store) -> Result<Relation, Stop> {
        if let Some(rules) = &self.rules {
            return store.rules(self.shape.width(), rules);
        }
        store.relation(self.shape.clone()).with_rows(self.rows.iter().map(Vec::as_slice))
    }

    /// The vector after a row, if the row's tests hold of it.
    fn apply(&self, row: &[Entry], vector: &[u32]) -> Option<Vec<u32>> {
        let mut entries = row.iter();
        let mut next = || *entries.next().expect("a row has an entry for each access");
        let mut result = vector.to_vec();
        let mut holds = true;
        for &(slot, access) in self.shape.slots() {
            if access != Access::Write {
                holds &= next() == Entry::Value(vector[slot]);
            }
            if access != Access::Read
                && let Entry::Value(value) = next()
            {
                result[slot] = value;
            }
        }
        holds.then_some(result)
    }

    pub fn successors(&self, vector: &[u32]) -> Vec<Vec<u32>> {
        self.rows.iter().filter_map(|row| self.apply(row, vector)).collect()
    }

    pub fn image(&self, set: &Set) -> Set {
        set.iter().flat_map(|vector| self.successors(vector)).collect()
    }

    pub fn pre_image(&self, set: &Set, domain: &Set) -> Set {
        let leads_in = |vector: &&Vec<u32>| self.successors(vector).iter().any(|next| set.contains(next));
        domain.iter().filter(leads_in).cloned().collect()
    }
}

impl Steps {
    pub fn enabled(&self, set: &Set) -> Set {
        set.iter().filter(|vector| !self.successors(vector).is_empty()).cloned().collect()
    }

    /// Rows that lead somewhere from a vector, of all vectors.
    pub fn count(&self, set: &Set) -> usize {
        let mut rows = self.rows.clone();
        rows.sort();
        rows.dedup();
        let fits = |vector| rows.iter().filter(|row| self.apply(row, vector).is_some()).count();
        set.iter().map(|vector| fits(vector)).sum()
    }

    /// The values that a row tests.
    fn tested(&self, row: &[Entry]) -> Vec<u32> {
        let mut entries = row.iter();
        let mut tested = Vec::new();
        for (_, access) in self.shape.slots() {
            if *access != Access::Write
                && let Some(Entry::Value(value)) = entries.next()
            {
                tested.push(*value);
            }
            if *access != Access::Read {
                entries.next();
            }
        }
        tested
    }
}

/// Knows all steps, and that nobody asks for what is known.
struct Knows<'s> {
    relations: &'s [&'s Steps],
    asked: Mutex<Asked>,
}

#[derive(Default)]
struct Asked {
    /// By closures before this one, which failed: the relations still know it.
    known: HashSet<(usize, Vec<u32>)>,
    /// By this one.
    now: HashSet<(usize, Vec<u32>)>,
    /// What this one asked for twice.
    again: Vec<(usize, Vec<u32>)>,
}

impl RelationSource for Knows<'_> {
    fn steps_from(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
        let steps = self.relations[relation];
        let mut asked = self.asked.lock().expect("no panic");
        for short in shorts {
            let question = (relation, short.to_vec());
            assert!(!asked.known.contains(&question), "{short:?} is asked for, and was known");
            if !asked.now.insert(question.clone()) {
                asked.again.push(question);
            }
            let fitting = steps.rows.iter().filter(|row| steps.tested(row) == *short);
            fitting.for_each(|row| rows.push(row.iter().copied()));
        }
    }
}

impl Knows<'_> {
    #[track_caller]
    fn assert_asked_once(&self) {
        let again = &self.asked.lock().expect("no panic").again;
        assert!(again.is_empty(), "{again:?} is asked for twice");
    }

    /// After a closure that failed, whose answers may be lost: what was not lost is known from now on.
    fn forget_lost(&self, store: &Store, learned: &[Learned]) {
        let mut asked = self.asked.lock().expect("no panic");
        let mut ever = std::mem::take(&mut *asked);
        ever.known.extend(ever.now.drain());
        for (relation, learned) in learned.iter().enumerate() {
            let known = learned.asked().map_or_else(Set::new, |known| vectors(store, known));
            assert_eq!(known.len() as u64, learned.count());
            asked.known.extend(known.into_iter().map(|short| (relation, short)));
        }
        assert!(asked.known.is_subset(&ever.known), "known, and never asked for");
    }
}

/// Relations that are learned while operations run, and who teaches them.
struct Class<'s> {
    store: &'s Store,
    learned: Vec<Learned>,
    schedule: Schedule,
    source: Knows<'s>,
}

impl<'s> Class<'s> {
    fn new(store: &'s Store, relations: &'s [&'s Steps]) -> Result<Self, Stop> {
        let learned = |steps: &&Steps| match steps.rules {
            Some(_) => Ok(Learned::all(steps.relation(store)?)),
            None => Ok(Learned::nothing(store, steps.shape.clone())),
        };
        let learned: Vec<Learned> = relations.iter().map(learned).collect::<Result<_, Stop>>()?;
        let schedule = store.schedule((0..learned.len()).map(Event::of).collect());
        Ok(Self { store, learned, schedule, source: Knows { relations, asked: Mutex::default() } })
    }

    /// An operation that learns; once again if it fails.
    fn run(
        &mut self,
        operation: impl Fn(&Store, &mut [Learned], &Schedule, &dyn RelationSource) -> Result<Ldd, Stop>,
    ) -> Result<Ldd, Stop> {
        let mut answer = operation(self.store, &mut self.learned, &self.schedule, &self.source);
        if answer.is_err() {
            // It may have asked twice for what it lost. The next one asks for that, but not for what is
            // known.
            self.source.forget_lost(self.store, &self.learned);
            answer = operation(self.store, &mut self.learned, &self.schedule, &self.source);
        }
        let answer = answer?;
        self.source.assert_asked_once();
        Ok(answer)
    }

    /// These vectors were asked for, and no others.
    fn assert_asked_for(&mut self, set: &Ldd) -> Result<(), Stop> {
        let vectors = vectors(self.store, set);
        for (learned, steps) in self.learned.iter().zip(self.source.relations) {
            assert_eq!(learned.asked().is_none(), steps.rules.is_some());
            // What touches no slot leads nowhere, and no walk asks for it.
            if let Some(asked) = learned.asked().filter(|_| !steps.shape.slots().is_empty()) {
                assert_same(self.store, asked, &project(&vectors, &learned.kept()));
            }
        }
        // Nothing is left to learn.
        for (number, learned) in self.learned.iter_mut().enumerate() {
            let known = learned.relation().diagram().clone();
            self.store.learn(set, learned, number, &self.source)?;
            assert!(learned.relation().shape().slots().is_empty() || known == *learned.relation().diagram());
        }
        self.source.assert_asked_once();
        Ok(())
    }
}

/// The closure, with relations that are learned while it is computed: no more of them than it needs.
pub fn saturate(store: &Store, set: &Ldd, relations: &[&Steps]) -> Result<Ldd, Stop> {
    let mut class = Class::new(store, relations)?;
    let closed =
        class.run(|store, learned, schedule, source| store.saturate(set, learned, schedule, source))?;
    class.assert_asked_for(&closed)?;
    Ok(closed)
}

/// The closure level by level, from the last level or from all that is known, each level as it should be.
pub fn by_levels(store: &Store, set: &Ldd, relations: &[&Steps], from_last: bool) -> Result<Ldd, Stop> {
    let mut class = Class::new(store, relations)?;
    let (mut reached, mut last) = (set.clone(), set.clone());
    loop {
        let from = if from_last { last.clone() } else { reached.clone() };
        let next = class.run(|store, learned, schedule, source| {
            store.advance(&from, &reached, learned, schedule, source)
        })?;
        class.assert_asked_for(&reached)?;
        let mut wanted = vectors(store, &reached);
        let naive = vectors(store, &from);
        relations.iter().for_each(|steps| wanted.extend(steps.image(&naive)));
        assert_same(store, &next, &wanted);
        if next == reached {
            return Ok(reached);
        }
        last = store.minus(&next, &reached)?;
        reached = next;
    }
}

/// The closure by rounds of chaining, each round as it should be.
pub fn by_rounds(store: &Store, set: &Ldd, relations: &[&Steps]) -> Result<Ldd, Stop> {
    let mut class = Class::new(store, relations)?;
    // Those that begin at a later slot come first.
    let mut order: Vec<&Steps> = relations.to_vec();
    order.sort_by_key(|steps| std::cmp::Reverse(steps.shape.slots().first().map(|(slot, _)| *slot)));
    let mut reached = set.clone();
    loop {
        let next =
            class.run(|store, learned, schedule, source| store.round(&reached, learned, schedule, source))?;
        let mut wanted = vectors(store, &reached);
        order.iter().for_each(|steps| wanted.extend(steps.image(&wanted)));
        assert_same(store, &next, &wanted);
        if next == reached {
            class.assert_asked_for(&reached)?;
            return Ok(reached);
        }
        reached = next;
    }
}

pub fn closure(set: &Set, relations: &[&Steps]) -> Set {
    let mut closed = set.clone();
    loop {
        let before = closed.len();
        for steps in relations {
            closed.extend(steps.image(&closed));
        }
        if closed.len() == before {
            return closed;
        }
    }
}

pub fn backward_closure(set: &Set, relations: &[&Steps], inside: &Set) -> Set {
    let mut closed = set.clone();
    loop {
        let before = closed.len();
        for steps in relations {
            closed.extend(steps.pre_image(&closed, inside));
        }
        if closed.len() == before {
            return closed;
        }
    }
}

pub fn diagram(store: &Store, set: &Set) -> Result<Ldd, Stop> {
    store.vectors(set.iter().map(Vec::as_slice))
}

/// The diagram's vectors, which must ascend.
pub fn vectors(store: &Store, set: &Ldd) -> Set {
    let mut vectors: Vec<Vec<u32>> = Vec::new();
    store.for_each(set, |vector| {
        assert!(vectors.last().is_none_or(|last| last.as_slice() < vector), "vectors do not ascend");
        vectors.push(vector.to_vec());
        true
    });
    vectors.into_iter().collect()
}

/// Compares what can be read of a diagram.
#[track_caller]
pub fn assert_same(store: &Store, set: &Ldd, expected: &Set) {
    assert_eq!(vectors(store, set), *expected);
    assert_eq!(store.count(set), expected.len().into());
    assert_eq!(set.is_empty(), expected.is_empty());
    assert_eq!(store.first(set).as_ref(), expected.iter().min());
    assert!(expected.iter().all(|vector| store.contains(set, vector)));
    assert_eq!(store.nodes_per_level(set).iter().sum::<usize>(), store.node_count(set));
}
