//! Random models whose groups, guards and labels are tables over the slots that they look at, and nothing
//! else: the matrices are exact by construction. Tables are made up on demand by a hash.

use base::{GroupIx, GuardIx, LabelIx, SplitMix64, TypeIx};
use model::{
    Dependencies, EvalError, EvalErrorKind, Group, Guard, Label, LabelKind, Model, Signature, Slot, SlotRole,
    Stepper, Successors, Truth, Type, Value,
};

/// Random numbers of the types that tables have.
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0.next_u64() % end
    }

    fn some_slots(&mut self, slots: usize, one_in: u64) -> Vec<usize> {
        (0..slots).filter(|_| self.below(one_in) == 0).collect()
    }
}

fn mixed(x: u64) -> u64 {
    SplitMix64::new(x).next_u64()
}

/// A model of tables.
pub struct Tables {
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    values: u64,
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
    let kind = if is_limit { EvalErrorKind::Limit("a limit".into()) } else { EvalErrorKind::DivisionByZero };
    EvalError { kind, span: None }
}

impl Tables {
    /// A random model. The first label is an assertion, the second a predicate, the third, if there is one,
    /// says where it is fine to stop.
    pub fn random(random: &mut Random) -> Self {
        let slots = 1 + random.below(5) as usize;
        let (values, seed) = (2 + random.below(2), random.below(u64::MAX));
        let guards: Vec<Vec<usize>> = (0..random.below(4)).map(|_| random.some_slots(slots, 3)).collect();
        let has_end = random.below(2) == 0;
        let labels: Vec<Vec<usize>> =
            (0..if has_end { 3 } else { 2 }).map(|_| random.some_slots(slots, 2)).collect();
        let mut groups = Vec::new();
        let mut updates = Vec::new();
        for number in 0..1 + random.below(5) {
            let one_in = 2 + random.below(2);
            updates.push(Update {
                reads: random.some_slots(slots, one_in),
                writes: random.some_slots(slots, one_in),
            });
            let guarded = (0..guards.len()).filter(|_| random.below(2) == 0).map(GuardIx::new).collect();
            groups.push(Group {
                name: format!("g{number}"),
                guards: guarded,
                spans: Vec::new(),
                effect: None,
            });
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
        let slot =
            |at| Slot { name: format!("s{at}"), ty: TypeIx::new(0), span: None, role: SlotRole::Variable };
        let label = |at, kind| Label { name: format!("l{at}"), kind, span: None };
        let signature = Signature {
            name: "tables".into(),
            types: vec![Type::range("t", 0, values as i32 - 1)],
            slots: (0..slots).map(slot).collect(),
            groups,
            guards: (0..guards.len()).map(|at| Guard { name: format!("u{at}"), span: None }).collect(),
            labels: [LabelKind::Assertion, LabelKind::Invariant, LabelKind::End][..labels.len()]
                .iter()
                .enumerate()
                .map(|(at, &kind)| label(at, kind))
                .collect(),
            action: Type::names("action", (0..6).map(|number| format!("a{number}")).collect()),
            alarms: Vec::new(),
            source: None,
        };
        let initial = (0..slots).map(|_| random.below(values) as Value).collect();
        let failures = [0, 0, 8, 30][random.below(4) as usize];
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
        Box::new(Reader(self))
    }
}

struct Reader<'a>(&'a Tables);

impl Stepper for Reader<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let guards = &self.0.signature.groups[group.ix()].guards;
        let truths: Vec<Truth> = guards.iter().map(|&guard| self.guard(guard, from)).collect();
        if truths.contains(&Truth::False) {
            Ok(())
        } else if let Some(maybe) = truths.iter().position(|&truth| truth == Truth::Maybe) {
            Err(failure(self.0.guard_entry(guards[maybe], from)))
        } else {
            self.update(group, from, to)
        }
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let tables = self.0;
        let update = &tables.updates[group.ix()];
        let entry = tables.entry(group.ix() as u64, &update.reads, from);
        if tables.fails(entry) {
            return Err(failure(entry));
        }
        for number in 0..[0, 1, 1, 2][entry as usize % 4] {
            let mut random = Random::new(entry.wrapping_add(number));
            let target = to.push(group, random.below(6) as Value, from);
            let mut copied = 0u64;
            for &slot in &update.writes {
                match random.below(tables.values + 1) {
                    value if value < tables.values => target[slot] = value as Value,
                    _ => copied |= 1 << slot,
                }
            }
            to.mark_copied(&[copied]);
        }
        Ok(())
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        let entry = self.0.guard_entry(guard, from);
        match entry % 3 {
            _ if self.0.fails(entry) => Truth::Maybe,
            0 => Truth::False,
            _ => Truth::True,
        }
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        let entry = self.0.entry(200 + label.ix() as u64, &self.0.labels[label.ix()], from);
        if label.ix() == 2 {
            // Deadlocks are few, so this one is fine, or fails, more often than not, also in models that do
            // not fail otherwise.
            let fails = self.0.seed.is_multiple_of(2) && (entry >> 40).is_multiple_of(2);
            return if fails { Err(failure(entry)) } else { Ok((entry % 2) as Value) };
        }
        if self.0.fails(entry) { Err(failure(entry)) } else { Ok((entry % 16) as Value) }
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        model::every_group(self, self.0.updates.len(), from, to)
    }
}
