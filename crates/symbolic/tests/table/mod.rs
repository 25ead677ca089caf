//! Random models whose groups, guards and labels are tables over the slots that they look at, and nothing
//! else: the matrices are exact by construction. Tables are made up on demand by a hash.

use base::{GroupIx, GuardIx, LabelIx, SplitMix64};
use model::{Dependencies, EvalError, LabelKind, Model, Signature, Stepper, Successors, Truth, Type, Value};
use toys::{Behaviour, BehaviourStepper, frame};

fn some_slots(random: &mut SplitMix64, slots: usize, one_in: usize) -> Vec<usize> {
    (0..slots).filter(|_| random.one_in(one_in)).collect()
}

fn mixed(x: u64) -> u64 {
    SplitMix64::new(x).next_u64()
}

/// A model of tables.
pub struct Tables {
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    values: usize,
    seed: u64,
    updates: Vec<Update>,
    guards: Vec<Vec<usize>>,
    labels: Vec<Vec<usize>>,
    /// One short vector in so many makes the model fail; 0 is none.
    failures: u64,
}

struct Update {
    reads: Vec<usize>,
    writes: Vec<usize>,
}

/// How a table fails at an entry: one in so many is a limit of the tool.
fn failure(entry: u64) -> EvalError {
    let is_limit = (entry >> 30).is_multiple_of(3);
    if is_limit { toys::limit() } else { toys::failure() }
}

impl Tables {
    /// A random model. The first label is an assertion, the second a predicate, the third, if there is one,
    /// says where it is fine to stop.
    pub fn random(random: &mut SplitMix64) -> Self {
        let slots = 1 + random.below(5);
        let (values, seed) = (2 + random.below(2), random.next_u64());
        let guards: Vec<Vec<usize>> = (0..random.below(4)).map(|_| some_slots(random, slots, 3)).collect();
        let has_end = random.one_in(2);
        let labels: Vec<Vec<usize>> =
            (0..if has_end { 3 } else { 2 }).map(|_| some_slots(random, slots, 2)).collect();
        let mut groups = Vec::new();
        let mut updates = Vec::new();
        for number in 0..1 + random.below(5) {
            let one_in = 2 + random.below(2);
            updates.push(Update {
                reads: some_slots(random, slots, one_in),
                writes: some_slots(random, slots, one_in),
            });
            let guarded: Vec<usize> = (0..guards.len()).filter(|_| random.one_in(2)).collect();
            groups.push(frame::group(number, guarded));
        }
        let mut dependencies = Dependencies::none(slots, groups.len(), guards.len(), labels.len());
        for (at, tests) in guards.iter().enumerate() {
            tests.iter().for_each(|&slot| dependencies.tests.set(at, slot));
        }
        for (at, reads) in labels.iter().enumerate() {
            reads.iter().for_each(|&slot| dependencies.label_reads.set(at, slot));
        }
        for (at, update) in updates.iter().enumerate() {
            let tested = groups[at].guards.iter().flat_map(|guard| &guards[guard.ix()]);
            tested.chain(&update.reads).for_each(|&slot| dependencies.read.set(at, slot));
            update.reads.iter().for_each(|&slot| dependencies.update_read.set(at, slot));
            update.writes.iter().for_each(|&slot| dependencies.may_write.set(at, slot));
        }
        let types = vec![Type::range("t", 0, values as i32 - 1)];
        let kinds = [LabelKind::Assertion, LabelKind::Invariant, LabelKind::End];
        let kinds = kinds[..labels.len()].iter().enumerate();
        let signature = Signature {
            groups,
            guards: (0..guards.len()).map(|at| frame::guard(format!("u{at}"))).collect(),
            labels: kinds.map(|(at, &kind)| frame::label(format!("l{at}"), kind)).collect(),
            action: Type::names("action", (0..6).map(|number| format!("a{number}")).collect()),
            ..toys::signature(types, frame::variables('s', slots, 0))
        };
        let initial = (0..slots).map(|_| random.below(values) as Value).collect();
        let failures = [0, 0, 8, 30][random.below(4)];
        Self { signature, dependencies, initial, values, seed, updates, guards, labels, failures }
    }

    /// A number for what stands in a table at the place of these slots' values.
    fn entry(&self, table: u64, slots: &[usize], state: &[Value]) -> u64 {
        slots.iter().fold(mixed(self.seed ^ table), |hash, &slot| mixed(hash ^ (u64::from(state[slot]) + 1)))
    }

    fn guard_entry(&self, guard: GuardIx, state: &[Value]) -> u64 {
        self.entry(100 + guard.ix() as u64, &self.guards[guard.ix()], state)
    }

    fn fails(&self, entry: u64) -> bool {
        self.failures > 0 && (entry >> 40).is_multiple_of(self.failures)
    }
}

impl Model for Tables {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(BehaviourStepper(self))
    }
}

impl Behaviour for Tables {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn update(&self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let update = &self.updates[group.ix()];
        let entry = self.entry(group.ix() as u64, &update.reads, from);
        if self.fails(entry) {
            return Err(failure(entry));
        }
        for number in 0..[0, 1, 1, 2][entry as usize % 4] {
            let mut random = SplitMix64::new(entry.wrapping_add(number));
            let target = to.push(group, random.below(6) as Value, from);
            let mut copied = 0u64;
            for &slot in &update.writes {
                match random.below(self.values + 1) {
                    value if value < self.values => target[slot] = value as Value,
                    _ => copied |= 1 << slot,
                }
            }
            to.mark_copied(&[copied]);
        }
        Ok(())
    }

    fn guard(&self, guard: GuardIx, from: &[Value]) -> Truth {
        let entry = self.guard_entry(guard, from);
        match entry % 3 {
            _ if self.fails(entry) => Truth::Maybe,
            0 => Truth::False,
            _ => Truth::True,
        }
    }

    fn label(&self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        let entry = self.entry(200 + label.ix() as u64, &self.labels[label.ix()], from);
        if label.ix() == 2 {
            // Deadlocks are few, so this one is fine, or fails, more often than not, also in models that do
            // not fail otherwise.
            let fails = self.seed.is_multiple_of(2) && (entry >> 40).is_multiple_of(2);
            return if fails { Err(failure(entry)) } else { Ok((entry % 2) as Value) };
        }
        if self.fails(entry) { Err(failure(entry)) } else { Ok((entry % 16) as Value) }
    }

    fn undefined(&self, guard: GuardIx, from: &[Value]) -> EvalError {
        failure(self.guard_entry(guard, from))
    }
}
