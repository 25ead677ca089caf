//! Plans with guards and with several variants of an event, while answers are lost, garbage is collected, and
//! sets come back.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use ldd::{
    Access, Entry, Event, Ldd, Learned, RelationSource, Replacement, Rows, Schedule, Shape, Stop, Store,
};

use crate::naive::{self, Set};
use crate::random::Draw;
use base::SplitMix64;

/// True for three of four short vectors of its slots.
struct Guard {
    slots: Vec<usize>,
    seed: u64,
}

/// Some successors for each short vector of the slots that it reads, where its guards are true.
struct Group {
    guards: Vec<usize>,
    reads: Vec<usize>,
    writes: Vec<usize>,
    seed: u64,
}

#[derive(Clone, Copy)]
enum What {
    Guard(usize),
    Group(usize),
    Update(usize),
}

/// A model made by chance, which is the same whenever it is asked.
struct World {
    width: usize,
    values: u32,
    guards: Vec<Guard>,
    groups: Vec<Group>,
    /// What each relation is about.
    subjects: Vec<(What, Vec<(usize, Access)>)>,
    store: Store,
    /// The store is interrupted by the question with this number.
    countdown: AtomicI64,
}

fn at(vector: &[u32], slots: &[usize]) -> Vec<u32> {
    slots.iter().map(|&slot| vector[slot]).collect()
}

/// What chance makes of these values.
fn fate(values: &[u32], seed: u64) -> SplitMix64 {
    let mix = |seed: u64, &value: &u32| {
        (seed ^ u64::from(value).wrapping_add(77)).wrapping_mul(0xD1B5_4A32_D192_ED03)
    };
    SplitMix64::new(values.iter().fold(seed, mix))
}

impl World {
    fn holds(&self, guard: usize, vector: &[u32]) -> bool {
        let Guard { slots, seed } = &self.guards[guard];
        fate(&at(vector, slots), *seed).below(4) > 0
    }

    fn is_enabled(&self, group: usize, vector: &[u32]) -> bool {
        self.groups[group].guards.iter().all(|&guard| self.holds(guard, vector))
    }

    /// What is written, whatever the guards say.
    fn update(&self, group: usize, vector: &[u32]) -> Vec<Vec<Entry>> {
        let Group { reads, writes, seed, .. } = &self.groups[group];
        let mut random = fate(&at(vector, reads), *seed);
        let entry = |random: &mut SplitMix64| match random.below(4) {
            0 => Entry::Copy,
            _ => Entry::Value(random.below(self.values as usize) as u32),
        };
        (0..random.below(4)).map(|_| writes.iter().map(|_| entry(&mut random)).collect()).collect()
    }

    fn image(&self, group: usize, set: &Set) -> Set {
        let mut image = Set::new();
        for vector in set.iter().filter(|vector| self.is_enabled(group, vector)) {
            for written in self.update(group, vector) {
                let mut next = vector.clone();
                for (&slot, entry) in self.groups[group].writes.iter().zip(written) {
                    if let Entry::Value(value) = entry {
                        next[slot] = value;
                    }
                }
                image.insert(next);
            }
        }
        image
    }

    fn random(random: &mut SplitMix64, store: &Store) -> Self {
        let width = 2 + random.below(4);
        let slots = |random: &mut SplitMix64| (0..width).filter(|_| random.one_in(3)).collect::<Vec<usize>>();
        let guard = |random: &mut SplitMix64| Guard { slots: slots(random), seed: random.next_u64() };
        let guards: Vec<Guard> = (0..3).map(|_| guard(random)).collect();
        let group = |random: &mut SplitMix64| Group {
            guards: (0..3).filter(|_| random.one_in(2)).collect(),
            reads: slots(random),
            writes: slots(random),
            seed: random.next_u64(),
        };
        let groups: Vec<Group> = (0..1 + random.below(5)).map(|_| group(random)).collect();
        let levels = |reads: &[usize], writes: &[usize], tests: bool| {
            let access = |slot| match (reads.contains(&slot), writes.contains(&slot)) {
                (true, false) => Some(Access::Read),
                (true, true) => Some(Access::Both),
                (false, true) => Some(if tests { Access::Both } else { Access::Write }),
                (false, false) => None,
            };
            (0..width).filter_map(|slot| Some((slot, access(slot)?))).collect::<Vec<_>>()
        };
        let mut subjects = Vec::new();
        for (number, guard) in guards.iter().enumerate() {
            subjects.push((What::Guard(number), levels(&guard.slots, &[], false)));
        }
        for (number, group) in groups.iter().enumerate() {
            let tested = group.guards.iter().flat_map(|&guard| &guards[guard].slots);
            let reads: Vec<usize> = group.reads.iter().chain(tested).copied().collect();
            subjects.push((What::Group(number), levels(&reads, &group.writes, true)));
            subjects.push((What::Group(number), levels(&reads, &group.writes, false)));
            subjects.push((What::Update(number), levels(&group.reads, &group.writes, false)));
        }
        let values = 2 + random.below(3) as u32;
        Self { width, values, guards, groups, subjects, store: store.clone(), countdown: AtomicI64::new(-1) }
    }

    /// A group in one, two or three variants, in any order.
    fn event(&self, group: usize, random: &mut SplitMix64) -> Event {
        let first = self.guards.len() + 3 * group;
        let update =
            Event { relation: first + 2, guards: self.groups[group].guards.clone(), replacement: None };
        let mut variants = vec![Event::of(first), Event::of(first + 1), update];
        let mut event = variants.swap_remove(random.below(3));
        for _ in 0..random.below(3) {
            let before = variants.swap_remove(random.below(variants.len()));
            let replacement = Replacement { from: [0, 1, 3, 8, 20, 60][random.below(6)], event };
            event = Event { replacement: Some(Box::new(replacement)), ..before };
        }
        event
    }

    /// The first slot that an event touches in any of its variants.
    fn top(&self, event: &Event) -> Option<usize> {
        let relations = event.guards.iter().chain([&event.relation]);
        let tops = relations.filter_map(|&relation| Some(self.subjects[relation].1.first()?.0));
        tops.chain(event.replacement.as_ref().and_then(|replacement| self.top(&replacement.event))).min()
    }
}

impl RelationSource for World {
    fn steps_from(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
        let (what, levels) = &self.subjects[relation];
        for short in shorts {
            if self.countdown.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.store.interrupt();
            }
            let mut vector = vec![u32::MAX; self.width];
            let tested = levels.iter().filter(|(_, access)| *access != Access::Write);
            tested.zip(*short).for_each(|(&(slot, _), &value)| vector[slot] = value);
            let written = match *what {
                What::Guard(guard) if self.holds(guard, &vector) => vec![Vec::new()],
                What::Group(group) if self.is_enabled(group, &vector) => self.update(group, &vector),
                What::Update(group) => self.update(group, &vector),
                _ => Vec::new(),
            };
            for written in written {
                let mut written = written.into_iter();
                let row = levels.iter().flat_map(|&(slot, access)| {
                    let test = (access != Access::Write).then(|| Entry::Value(vector[slot]));
                    test.into_iter().chain(if access == Access::Read { None } else { written.next() })
                });
                rows.push(row.collect::<Vec<Entry>>());
            }
        }
    }
}

/// Events of a schedule, each with its group and the first slot that it touches.
struct Planned {
    schedule: Schedule,
    groups: Vec<(Option<usize>, usize)>,
}

impl Planned {
    /// An operation and what it should come to.
    fn operation(
        &self,
        world: &World,
        learned: &mut [Learned],
        [set, sum]: [&Set; 2],
        number: usize,
    ) -> Result<(Ldd, Set), Stop> {
        let [from, to] = [naive::diagram(&world.store, set)?, naive::diagram(&world.store, sum)?];
        let touching = self.groups.iter().filter(|(top, _)| top.is_some());
        let (schedule, store) = (&self.schedule, &world.store);
        Ok(match number {
            0 => {
                let image = touching.flat_map(|&(_, group)| world.image(group, set)).collect();
                (store.advance(&from, &to, learned, schedule, world)?, naive::union(sum, &image))
            }
            1 => {
                let mut order: Vec<&(Option<usize>, usize)> = touching.collect();
                order.sort_by_key(|(top, _)| std::cmp::Reverse(*top));
                let chained = |found: Set, group: usize| naive::union(&found, &world.image(group, &found));
                let wanted = order.iter().fold(set.clone(), |found, (_, group)| chained(found, *group));
                (store.round(&from, learned, schedule, world)?, wanted)
            }
            _ => {
                let (mut closed, mut before) = (set.clone(), 0);
                while closed.len() > before {
                    before = closed.len();
                    for &(_, group) in &self.groups {
                        closed.extend(world.image(group, &closed));
                    }
                }
                (store.saturate(&from, learned, schedule, world)?, closed)
            }
        })
    }
}

/// Two schedules over one array of relations, on sets some of which come back. Answers how many operations
/// ended, and how many did not.
fn run(store: &Store, threads: usize, interrupts: bool, random: &mut SplitMix64) -> (usize, usize) {
    store.set_threads(threads);
    let world = World::random(random, store);
    let learned =
        |(_, levels): &(What, Vec<_>)| Learned::nothing(store, Shape::new(world.width, levels.clone()));
    let mut learned: Vec<Learned> = world.subjects.iter().map(learned).collect();
    let events: Vec<Event> = (0..world.groups.len()).map(|group| world.event(group, random)).collect();
    let schedules = [1, 2].map(|one_in| {
        let chosen: Vec<usize> = (0..events.len()).filter(|_| random.one_in(one_in)).collect();
        let groups = chosen.iter().map(|&group| (world.top(&events[group]), group)).collect();
        Planned {
            schedule: store.schedule(chosen.iter().map(|&group| events[group].clone()).collect()),
            groups,
        }
    });
    let (mut pool, mut ended, mut failed): (Vec<Set>, usize, usize) = (Vec::new(), 0, 0);
    for _ in 0..30 {
        let mut set = |random: &mut SplitMix64| match pool.is_empty() || random.one_in(2) {
            true => (0..6).map(|_| random.vector(world.width, world.values)).collect::<Set>(),
            false => pool.swap_remove(random.below(pool.len())),
        };
        let (from, to) = (set(random), set(random));
        let questions = if interrupts && random.one_in(2) { 1 + random.below(6) as i64 } else { -1 };
        world.countdown.store(questions, Ordering::Relaxed);
        let found = schedules[random.below(2)].operation(&world, &mut learned, [&from, &to], random.below(3));
        store.resume();
        match found {
            Ok((found, wanted)) => {
                naive::assert_same(store, &found, &wanted);
                pool.extend(Some(wanted).filter(|wanted| wanted.len() < 200));
                ended += 1;
            }
            Err(_) => failed += 1,
        }
        pool.push(from);
        if random.one_in(10) {
            store.collect();
        }
    }
    drop((learned, schedules, world));
    store.collect();
    assert_eq!(store.statistics().nodes, 0, "every handle is dropped");
    (ended, failed)
}

fn run_worlds(
    worlds: usize,
    threads: usize,
    interrupts: bool,
    store: impl Fn() -> Result<Store, Stop>,
) -> (usize, usize) {
    let mut random = toys::seeded();
    let mut one = |_| run(&store().expect("a store"), threads, interrupts, &mut random);
    (0..worlds).map(&mut one).fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

#[test]
fn schedules_with_guards_and_variants() {
    assert_eq!(run_worlds(60, 1, false, || Store::with_memory(1 << 24)).1, 0);
}

#[test]
fn schedules_that_are_interrupted() {
    let (ended, failed) = run_worlds(60, 1, true, || Store::under_stress(64, 1 << 14, 1));
    assert!(ended > failed && failed > 0, "{ended} ended, {failed} did not");
}

#[test]
fn schedules_in_a_store_that_is_too_small() {
    let (ended, failed) = run_worlds(80, 1, true, || Store::under_stress(64, 260, 2));
    assert!(ended > 0 && failed > 0, "{ended} ended, {failed} did not");
}

#[test]
fn schedules_and_helpers() {
    let (ended, failed) = run_worlds(20, 3, true, || Store::under_stress(64, 1 << 14, 1));
    assert!(ended > failed && failed > 0, "{ended} ended, {failed} did not");
}

/// Slots that no event touches stand above all that are closed, with one value each.
#[test]
fn a_closure_below_other_slots_is_heard_of() {
    struct Counts(Mutex<Vec<Ldd>>);
    impl RelationSource for Counts {
        fn steps_from(&self, _: usize, shorts: &[&[u32]], rows: &mut Rows) {
            let more = shorts.iter().filter(|short| short[0] < 9);
            more.for_each(|short| rows.push([Entry::Value(short[0]), Entry::Value(short[0] + 1)]));
        }
        fn reached(&self, part: Ldd) {
            self.0.lock().expect("no thread panicked").push(part);
        }
    }
    let store = Store::with_memory(1 << 24).expect("a store");
    let mut learned = [Learned::nothing(&store, Shape::new(3, vec![(1, Access::Both)]))];
    let (schedule, source) = (store.schedule(vec![Event::of(0)]), Counts(Mutex::default()));
    let reached = store
        .saturate(&store.vector(&[5, 0, 7]).expect("room"), &mut learned, &schedule, &source)
        .expect("room");
    naive::assert_same(&store, &reached, &(0..10).map(|value| vec![5, value, 7]).collect());
    let parts = source.0.into_inner().expect("no thread panicked");
    assert!(parts.windows(2).all(|pair| store.count(&pair[0]) < store.count(&pair[1])));
    assert_eq!(parts.last(), Some(&reached));
    let again = store.saturate(&reached, &mut learned, &schedule, &Counts(Mutex::default()));
    assert_eq!(again, Ok(reached), "closed already");
}

#[test]
#[should_panic(expected = "a schedule of another store")]
fn a_plan_of_another_store() {
    struct Nobody;
    impl RelationSource for Nobody {
        fn steps_from(&self, _: usize, _: &[&[u32]], _: &mut Rows) {}
    }
    let [one, other] = [(); 2].map(|()| Store::with_memory(0).expect("a store"));
    let mut learned = [Learned::nothing(&one, Shape::new(1, vec![(0, Access::Both)]))];
    let set = one.vector(&[1]).expect("room");
    drop(one.saturate(&set, &mut learned, &other.schedule(vec![Event::of(0)]), &Nobody));
}
