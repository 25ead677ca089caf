//! What waits, as far as guards and matrices tell.
//!
//! **Who owns a group.** A process is a slot that says where it stands ([`SlotRole::Location`]). A guard that
//! looks at such a slot alone, and is true at one place only, says that the process stands there. A group is
//! owned by the processes that it asks so and moves: one, or two that pass a message.
//!
//! **Who waits for whom.** A guard is false, and looks at the slots S. The first step that changes one of them
//! belongs to a group that may write S. Until then S is as it is now, so a group with a false guard that looks
//! at nothing beyond S cannot be it. What is left are those who can make the guard true, or begin to.
//! Example: five philosophers hold one fork each. The guard `taken[1] == 0` of philosopher 0 is false. Groups
//! of the philosophers 0 and 1 write `taken[1]`: who would take the fork asks for it to be free, and who would
//! put it down is philosopher 1, or 0 himself. So philosopher 0 waits for philosopher 1.

use base::{GroupIx, GuardIx, SlotIx, Span};

use super::{Blocked, Reason, Waiter, Waiting};
use crate::{Dependencies, Domain, Model, Signature, SlotRole, Stepper, Successors, Truth, Value};

/// Most groups of which something is told where no process owns them: those with the fewest false guards.
const MOST_GROUPS: usize = 10;

/// Most values that are told of one guard; one that looks at a whole array looks at more.
const MOST_VALUES: usize = 6;

/// Most values that a cell of an array is tried with: all that a byte has.
const MOST_TRIED: u64 = 256;

/// What a way to write models knows of a group beyond its signature.
pub enum Words<'a> {
    /// No more.
    Name,
    /// What each of its owners does, in their order.
    Each(Vec<&'a str>),
    /// It is no statement that anybody waits with.
    Hidden,
}

/// What waits in a state, as far as guards and matrices tell.
pub fn by_guards<'a, M: Model + ?Sized>(
    model: &M,
    state: &[Value],
    words: &dyn Fn(GroupIx) -> Words<'a>,
) -> Waiting {
    let mut look = Look::new(model.signature(), model.dependencies(), model.stepper(), state);
    let owners: Vec<Vec<Owner>> = look.signature.group_ixs().map(|group| look.owners(group)).collect();
    let locations = look.signature.slot_ixs().filter(|slot| is_location(look.signature, *slot));
    let processes: Vec<SlotIx> = locations.filter(|slot| look.exists(*slot)).collect();
    let mut waiters: Vec<Waiter> = processes.iter().map(|&process| look.waiter(process)).collect();
    let mut causes: Vec<Vec<GuardIx>> = vec![Vec::new(); processes.len()];
    let mut loose: Vec<Waiter> = Vec::new();
    for (group, owners) in look.signature.group_ixs().zip(&owners) {
        if look.has_step(group) {
            continue;
        }
        let words = words(group);
        if matches!(words, Words::Hidden) {
            continue;
        }
        if owners.is_empty() {
            loose.extend(look.loose(group));
        }
        for (position, owner) in owners.iter().enumerate().filter(|(_, owner)| owner.stands) {
            let Ok(at) = processes.binary_search(&owner.process) else { continue };
            let mut blocked = look.blocked(group, owners, position);
            if let Words::Each(words) = &words
                && let Some(text) = words.get(position)
            {
                blocked.name = (*text).to_owned();
            } else if let Some(rest) = blocked.name.strip_prefix(&format!("{}.", waiters[at].name)) {
                blocked.name = rest.to_owned();
            }
            causes[at].extend(look.false_guards(group));
            add(&mut waiters[at].statements, blocked);
        }
    }
    for (at, causes) in causes.iter().enumerate() {
        let changers = look.changers(causes, &owners);
        let others = changers.into_iter().filter(|process| *process != processes[at]);
        waiters[at].waits_for = others.filter_map(|process| processes.binary_search(&process).ok()).collect();
    }
    waiters.iter_mut().for_each(|waiter| keep_closest(&mut waiter.statements));
    loose.sort_by_key(|waiter| waiter.statements[0].reasons.len());
    let others = loose.len().saturating_sub(MOST_GROUPS);
    loose.truncate(MOST_GROUPS);
    waiters.extend(loose);
    Waiting { waiters, others }
}

/// Adds a statement. Of one that only waits for a partner the places where that one could stand are gathered.
fn add(statements: &mut Vec<Blocked>, blocked: Blocked) {
    let same = statements.iter_mut().find(|other| {
        let is_alike = |(one, two): (&Reason, &Reason)| match (one, two) {
            (Reason::Partner { process: one, .. }, Reason::Partner { process: two, .. }) => one == two,
            (one, two) => one == two,
        };
        (&other.name, &other.spans) == (&blocked.name, &blocked.spans)
            && other.reasons.len() == blocked.reasons.len()
            && other.reasons.iter().zip(&blocked.reasons).all(is_alike)
    });
    let Some(same) = same else { return statements.push(blocked) };
    for (one, two) in same.reasons.iter_mut().zip(blocked.reasons) {
        if let (Reason::Partner { places, .. }, Reason::Partner { places: more, .. }) = (one, two) {
            let new: Vec<String> = more.into_iter().filter(|place| !places.contains(place)).collect();
            places.extend(new);
        }
    }
}

/// Leaves out a way to do a statement where another way to do it lacks less.
fn keep_closest(statements: &mut Vec<Blocked>) {
    let lacks_less = |one: &Blocked, other: &Blocked| {
        (&one.name, &one.spans) == (&other.name, &other.spans)
            && one.reasons.len() < other.reasons.len()
            && one.reasons.iter().all(|reason| other.reasons.contains(reason))
    };
    let is_kept: Vec<bool> = statements
        .iter()
        .map(|statement| !statements.iter().any(|closer| lacks_less(closer, statement)))
        .collect();
    let mut is_kept = is_kept.into_iter();
    statements.retain(|_| is_kept.next().unwrap_or(true));
}

fn is_location(signature: &Signature, slot: SlotIx) -> bool {
    signature.slots[slot.ix()].role == SlotRole::Location
}

/// A process that a group moves.
#[derive(Clone, Copy)]
struct Owner {
    process: SlotIx,
    /// The guard that says where it stands, and that place.
    guard: GuardIx,
    place: Value,
    /// Whether it stands there.
    stands: bool,
}

/// A look at one state.
struct Look<'m> {
    signature: &'m Signature,
    dependencies: &'m Dependencies,
    stepper: Box<dyn Stepper + 'm>,
    state: Vec<Value>,
    /// What each guard says.
    truths: Vec<Truth>,
    /// Of each guard that says where one process stands: which process, and where.
    stands: Vec<Option<(SlotIx, Value)>>,
    found: Successors,
}

impl<'m> Look<'m> {
    fn new(
        signature: &'m Signature,
        dependencies: &'m Dependencies,
        mut stepper: Box<dyn Stepper + 'm>,
        state: &[Value],
    ) -> Self {
        let truths = signature.guard_ixs().map(|guard| stepper.guard(guard, state)).collect();
        let mut look = Self {
            signature,
            dependencies,
            stepper,
            state: state.to_vec(),
            truths,
            stands: Vec::new(),
            found: Successors::new(state.len()),
        };
        look.stands = signature.guard_ixs().map(|guard| look.stand(guard)).collect();
        look
    }

    /// The process and the place that a guard asks for, if it asks for one place of one process.
    fn stand(&mut self, guard: GuardIx) -> Option<(SlotIx, Value)> {
        let mut tested = self.dependencies.tests.ones(guard.ix());
        let slot = SlotIx::new(tested.next()?);
        if tested.next().is_some() || !is_location(self.signature, slot) {
            return None;
        }
        let Domain::Names(names) = &self.signature.type_of(slot).domain else { return None };
        let mut elsewhere = self.state.clone();
        let mut places = (0..names.len() as Value).filter(|&place| {
            elsewhere[slot.ix()] = place;
            self.stepper.guard(guard, &elsewhere) == Truth::True
        });
        let place = places.next()?;
        places.next().is_none().then_some((slot, place))
    }

    fn owners(&self, group: GroupIx) -> Vec<Owner> {
        let signature = self.signature;
        let own = &signature.groups[group.ix()];
        let mut owners: Vec<Owner> = Vec::new();
        for &guard in &own.guards {
            if let Some((process, place)) = self.stands[guard.ix()]
                && owners.iter().all(|owner| owner.process != process)
            {
                let stands = self.state[process.ix()] == place;
                owners.push(Owner { process, guard, place, stands });
            }
        }
        // Who is only asked where it stands is no owner. One that comes back to where it was need not be
        // written: so many as there are places in the source move.
        let moves = |owner: &Owner| self.dependencies.may_write.get(group.ix(), owner.process.ix());
        let mut unmoved = own.spans.len().max(1).saturating_sub(owners.iter().filter(|o| moves(o)).count());
        owners.retain(|owner| {
            let is_owner = moves(owner) || unmoved > 0;
            unmoved -= usize::from(is_owner && !moves(owner));
            is_owner
        });
        owners
    }

    /// A process whose first place is called `-` comes and goes: where it stands there, it does not exist.
    fn exists(&self, process: SlotIx) -> bool {
        self.state[process.ix()] != 0 || self.signature.show(process, 0) != "-"
    }

    fn has_step(&mut self, group: GroupIx) -> bool {
        self.found.clear();
        // One that fails does not wait.
        self.stepper.group(group, &self.state, &mut self.found).is_err() || !self.found.is_empty()
    }

    fn false_guards(&self, group: GroupIx) -> impl Iterator<Item = GuardIx> {
        let guards = self.signature.groups[group.ix()].guards.iter().copied();
        guards.filter(|guard| self.truths[guard.ix()] == Truth::False)
    }

    fn show(&self, slot: SlotIx, value: Value) -> String {
        self.signature.show(slot, value).into_owned()
    }

    fn waiter(&self, process: SlotIx) -> Waiter {
        let place = self.show(process, self.state[process.ix()]);
        Waiter {
            name: self.signature.slots[process.ix()].name.clone(),
            place: Some(place),
            ..Waiter::default()
        }
    }

    /// A group without an owner as a waiter; none where its guards do not say why it has no step.
    fn loose(&mut self, group: GroupIx) -> Option<Waiter> {
        let blocked = self.blocked(group, &[], 0);
        let is_known = blocked.reasons.iter().any(|reason| *reason != Reason::NoValue);
        is_known.then(|| Waiter {
            name: blocked.name.clone(),
            statements: vec![blocked],
            ..Waiter::default()
        })
    }

    /// The statement that the owner at a position cannot take.
    fn blocked(&mut self, group: GroupIx, owners: &[Owner], position: usize) -> Blocked {
        let guards: Vec<GuardIx> = self.false_guards(group).collect();
        let mut reasons: Vec<Reason> = guards
            .into_iter()
            .map(|guard| match owners.iter().find(|owner| owner.guard == guard) {
                Some(partner) => self.partner(partner),
                None => self.reason(guard),
            })
            .collect();
        if reasons.is_empty() {
            reasons.push(Reason::NoValue);
        }
        let own = &self.signature.groups[group.ix()];
        let spans: Vec<Span> = match own.spans.len() == owners.len() {
            true => own.spans.get(position).copied().into_iter().collect(),
            false => own.spans.clone(),
        };
        Blocked { name: own.name.clone(), spans, reasons }
    }

    fn partner(&self, partner: &Owner) -> Reason {
        let process = partner.process;
        Reason::Partner {
            process: self.signature.slots[process.ix()].name.clone(),
            places: vec![self.show(process, partner.place)],
            stands: self.show(process, self.state[process.ix()]),
        }
    }

    /// Why a guard is false.
    fn reason(&mut self, guard: GuardIx) -> Reason {
        let signature = self.signature;
        let slots: Vec<SlotIx> = self.tested(guard).collect();
        if let [slot] = slots[..]
            && let SlotRole::ChannelLength(channel) = &signature.slots[slot.ix()].role
        {
            let messages = self.state[slot.ix()];
            if messages == 0 {
                return Reason::Empty { channel: channel.to_string() };
            }
            if self.holds_with(guard, slot, messages - 1) {
                return Reason::Full { channel: channel.to_string(), messages };
            }
        }
        let telling: Vec<SlotIx> = match slots.len() {
            0..=MOST_VALUES => slots,
            // Of arrays only the cells that could make it true; but what chooses among them is told as well.
            _ => {
                let is_cell = |slot: &SlotIx| signature.slots[slot.ix()].name.ends_with(']');
                let telling = slots.into_iter().filter(|slot| !is_cell(slot) || self.decides(guard, *slot));
                telling.take(MOST_VALUES).collect()
            }
        };
        let values = telling
            .into_iter()
            .map(|slot| (signature.slots[slot.ix()].name.clone(), self.show(slot, self.state[slot.ix()])));
        Reason::False { condition: signature.guards[guard.ix()].name.clone(), values: values.collect() }
    }

    fn tested(&self, guard: GuardIx) -> impl Iterator<Item = SlotIx> + use<'m> {
        let dependencies: &'m Dependencies = self.dependencies;
        dependencies.tests.ones(guard.ix()).map(SlotIx::new)
    }

    /// Whether a guard would be true if a slot held another value.
    fn holds_with(&mut self, guard: GuardIx, slot: SlotIx, value: Value) -> bool {
        let before = std::mem::replace(&mut self.state[slot.ix()], value);
        let holds = self.stepper.guard(guard, &self.state) == Truth::True;
        self.state[slot.ix()] = before;
        holds
    }

    /// Whether a guard would be true if only one slot held another value, of the least values of its type.
    fn decides(&mut self, guard: GuardIx, slot: SlotIx) -> bool {
        let (least, count) = match &self.signature.type_of(slot).domain {
            Domain::Range { lo, hi } => (*lo, u64::from(hi.abs_diff(*lo)) + 1),
            Domain::Names(names) => (0, names.len() as u64),
            Domain::Interned(_) | Domain::Shown(_) => return false,
        };
        let mut values =
            (0..count.min(MOST_TRIED) as i32).map(|more| least.wrapping_add(more).cast_unsigned());
        values.any(|value| self.holds_with(guard, slot, value))
    }

    /// The processes that can be the first to change a slot that one of these guards looks at.
    fn changers(&self, guards: &[GuardIx], owners: &[Vec<Owner>]) -> Vec<SlotIx> {
        let mut changers = Vec::new();
        for (at, guard) in guards.iter().enumerate() {
            if guards[..at].contains(guard) {
                continue;
            }
            if let Some((process, _)) = self.stands[guard.ix()] {
                changers.push(process);
                continue;
            }
            let slots: Vec<SlotIx> = self.tested(*guard).collect();
            for (group, owners) in self.signature.group_ixs().zip(owners) {
                let row = |slot: &SlotIx| self.dependencies.may_write.get(group.ix(), slot.ix());
                let is_within = |guard: GuardIx| self.tested(guard).all(|slot| slots.contains(&slot));
                if slots.iter().any(row) && !self.false_guards(group).any(is_within) {
                    changers.extend(owners.iter().map(|owner| owner.process));
                }
            }
        }
        changers.sort_unstable();
        changers.dedup();
        changers
    }
}
