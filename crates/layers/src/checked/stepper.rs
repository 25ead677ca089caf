//! The running part of [`Checked`]: one function for each promise.

use base::{GroupIx, GuardIx, LabelIx, SlotIx, ones};
use model::{
    Dependencies, Effect, EvalError, Predicate, Signature, Stepper, StopSignal, Successors, Truth, Value,
};

use super::Checked;
use super::compare::{Agreement, Perturbation, relate};
use super::complaint::{BrokenPromise, ComplaintKind, Subject};
use super::perturb::{Rotation, SeenValues};

/// Runs the model and checks it.
pub(super) struct CheckedStepper<'a> {
    layer: &'a Checked,
    signature: &'a Signature,
    matrices: &'a Dependencies,
    stepper: Box<dyn Stepper + 'a>,
    seen: SeenValues,
    /// Slots to try where the group has successors, and where not. Apart, because a group that is seldom
    /// enabled would otherwise have its rare successors tried with the same few slots.
    enabled: Vec<Rotation>,
    disabled: Vec<Rotation>,
    updates: Vec<Rotation>,
    guards: Vec<Rotation>,
    labels: Vec<Rotation>,
    /// What is told of each label, if it is a predicate.
    predicates: Vec<Option<Predicate>>,
    /// Which guard of each group, and which label, is tried next.
    next_guard: Vec<usize>,
    next_label: usize,
    /// The state with one slot changed, and its successors.
    changed: Vec<Value>,
    after: Successors,
    /// The successors group by group, to compare with those of all groups.
    one_by_one: Successors,
    /// The separable effect of each group that has one, and the successor that it gives.
    effects: Vec<Option<&'a Effect>>,
    target: Vec<Value>,
}

impl<'a> CheckedStepper<'a> {
    pub(super) fn new(layer: &'a Checked) -> Self {
        let matrices = layer.below.dependencies();
        let initial = layer.below.initial();
        Self {
            layer,
            signature: layer.below.signature(),
            matrices,
            stepper: layer.below.stepper(),
            seen: SeenValues::new(initial, layer.seed),
            enabled: Rotation::rows(&matrices.read),
            disabled: Rotation::rows(&matrices.read),
            updates: Rotation::rows(&matrices.update_read),
            guards: Rotation::rows(&matrices.tests),
            labels: Rotation::rows(&matrices.label_reads),
            predicates: LabelIx::all(matrices.label_reads.rows())
                .map(|l| layer.below.label_predicate(l))
                .collect(),
            next_guard: vec![0; matrices.read.rows()],
            next_label: 0,
            changed: initial.to_vec(),
            after: Successors::new(initial.len()),
            one_by_one: Successors::new(initial.len()),
            effects: layer.below.signature().group_ixs().map(|group| layer.effect(group)).collect(),
            target: initial.to_vec(),
        }
    }

    fn complain(&self, kind: ComplaintKind, subject: Subject, slot: Option<SlotIx>, state: &[Value]) {
        self.layer.complain(&BrokenPromise { kind, subject, slot, state, instead: None });
    }

    /// Complains of what came to light when a slot of the state was changed.
    fn complain_of_change(&self, kind: ComplaintKind, subject: Subject, slot: SlotIx, state: &[Value]) {
        let instead = Some(self.changed[slot.ix()]);
        self.layer.complain(&BrokenPromise { kind, subject, slot: Some(slot), state, instead });
    }

    /// Gives the slot another value in `self.changed`, which is the state otherwise; answers whether one is
    /// known.
    fn change(&mut self, slot: SlotIx, from: &[Value]) -> bool {
        let Some(other) = self.seen.other(slot, from[slot.ix()]) else {
            return false;
        };
        self.changed.copy_from_slice(from);
        self.changed[slot.ix()] = other;
        true
    }

    /// What was changed last, for a group.
    fn perturbation(&self, group: GroupIx, slot: SlotIx) -> Perturbation {
        let may_write = self.matrices.may_write(group, slot);
        Perturbation { slot, value: self.changed[slot.ix()], may_write }
    }

    /// What can be seen of successors at once: no stray writes, copied slots rightly marked.
    fn check_successors(&mut self, group: GroupIx, from: &[Value], to: &Successors, start: usize) {
        let subject = Subject::Group(group);
        for successor in (start..to.len()).map(|at| to.get(at)) {
            if successor.group != group {
                self.complain(ComplaintKind::Buffer, subject, None, from);
            }
            for slot in self.signature.slot_ixs() {
                let value = successor.state[slot.ix()];
                if value != from[slot.ix()] {
                    self.seen.note(slot, value);
                    if !self.matrices.may_write(group, slot) {
                        self.complain(ComplaintKind::MayWrite, subject, Some(slot), from);
                    }
                }
            }
            for slot in ones(successor.copied_words()).map(SlotIx::new) {
                let unwritten = slot.ix() >= from.len() || !self.matrices.may_write(group, slot);
                if unwritten || successor.state[slot.ix()] != from[slot.ix()] {
                    let known = (slot.ix() < from.len()).then_some(slot);
                    self.complain(ComplaintKind::Copied, subject, known, from);
                } else if self.matrices.must_write(group, slot) {
                    self.complain(ComplaintKind::MustWrite, subject, Some(slot), from);
                }
            }
        }
    }

    /// The successor is what the separable effect says, if there is one.
    fn check_effect(&mut self, group: GroupIx, from: &[Value], failed: bool, to: &Successors, start: usize) {
        let Some(effect) = self.effects[group.ix()] else { return };
        let wanted = usize::from(effect.apply(from, &mut self.target));
        let same = to.len() - start == wanted && (start..to.len()).all(|at| to.state(at) == self.target);
        if failed || !same {
            self.complain(ComplaintKind::Effect, Subject::Group(group), None, from);
        }
    }

    /// The successors do not change with slots that are not read but as definition 3.1 says.
    fn check_reads(
        &mut self,
        group: GroupIx,
        from: &[Value],
        outcome: &Result<(), EvalError>,
        to: &Successors,
        start: usize,
    ) {
        let row = group.ix();
        let enabled = to.len() > start;
        let tries = self.layer.perturbations.min(self.enabled[row].len());
        for _ in 0..tries {
            let slot = if enabled { self.enabled[row].turn() } else { self.disabled[row].turn() };
            if !self.change(slot, from) {
                continue;
            }
            self.after.clear();
            let after = self.stepper.group(group, &self.changed, &mut self.after);
            let change = self.perturbation(group, slot);
            let kind = match relate((outcome, to, start), (&after, &self.after), Some(change)) {
                Agreement::Same => continue,
                Agreement::Other => ComplaintKind::Read,
                Agreement::Slot(at) => self.blame(group, change, from, to, at),
            };
            self.complain_of_change(kind, Subject::Group(group), slot, from);
        }
    }

    /// Which promise is broken if the successor at this position changed in just the slot that was changed.
    fn blame(
        &self,
        group: GroupIx,
        change: Perturbation,
        from: &[Value],
        to: &Successors,
        at: usize,
    ) -> ComplaintKind {
        let slot = change.slot;
        let before = to.get(at);
        let kept =
            |after: &[Value]| before.state[slot.ix()] == from[slot.ix()] && after[slot.ix()] == change.value;
        if before.copied(slot) {
            ComplaintKind::Copied
        } else if self.matrices.must_write(group, slot) {
            ComplaintKind::MustWrite
        } else if change.may_write && self.after.iter().any(|after| kept(after.state)) {
            ComplaintKind::Unmarked
        } else {
            ComplaintKind::Read
        }
    }

    /// The guards agree with the successors. Answers whether all are true, as they are where there is none.
    fn check_guards(&mut self, group: GroupIx, from: &[Value], failed: bool, successors: usize) -> bool {
        let guards = &self.signature.groups[group.ix()].guards;
        if guards.is_empty() {
            return true;
        }
        // One of them in each call is enough for all to be tried over the run.
        let tried = self.next_guard[group.ix()];
        self.next_guard[group.ix()] = (tried + 1) % guards.len();
        let (mut some_false, mut some_maybe) = (false, false);
        for (at, &guard) in guards.iter().enumerate() {
            let truth =
                if at == tried { self.check_tests(guard, from) } else { self.stepper.guard(guard, from) };
            some_false |= truth == Truth::False;
            some_maybe |= truth == Truth::Maybe;
        }
        let broken = match (some_false, some_maybe) {
            (true, _) => (failed || successors > 0).then_some(ComplaintKind::GuardFalse),
            (false, true) => (!failed).then_some(ComplaintKind::GuardMaybe),
            (false, false) => {
                let suffice = self.layer.below.guards_suffice(group);
                (!failed && successors == 0 && suffice).then_some(ComplaintKind::GuardTrue)
            }
        };
        if let Some(kind) = broken {
            self.complain(kind, Subject::Group(group), None, from);
        }
        !some_false && !some_maybe
    }

    /// The guard does not change with slots that it does not test.
    fn check_tests(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        let kind = (ComplaintKind::Tests, Subject::Guard(guard));
        self.check_answer(
            kind,
            from,
            |own| &mut own.guards[guard.ix()],
            |stepper, state| stepper.guard(guard, state),
        )
    }

    /// Where all guards are true the update does what the group does, whatever is in the slots it does not
    /// read.
    fn check_update(
        &mut self,
        group: GroupIx,
        from: &[Value],
        outcome: &Result<(), EvalError>,
        to: &Successors,
        start: usize,
    ) {
        self.after.clear();
        let update = self.stepper.update(group, from, &mut self.after);
        if relate((outcome, to, start), (&update, &self.after), None) != Agreement::Same {
            self.complain(ComplaintKind::Update, Subject::Group(group), None, from);
            return;
        }
        for _ in 0..self.layer.perturbations.min(self.updates[group.ix()].len()) {
            let slot = self.updates[group.ix()].turn();
            if !self.change(slot, from) {
                continue;
            }
            self.after.clear();
            let after = self.stepper.update(group, &self.changed, &mut self.after);
            let change = self.perturbation(group, slot);
            if relate((outcome, to, start), (&after, &self.after), Some(change)) != Agreement::Same {
                self.complain_of_change(ComplaintKind::UpdateRead, Subject::Group(group), slot, from);
            }
        }
    }

    /// The label does not change with slots that it does not read, and is what its predicate says.
    fn check_label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        let kind = (ComplaintKind::LabelReads, Subject::Label(label));
        let ask = |stepper: &mut dyn Stepper, state: &[Value]| stepper.label(label, state);
        let value = self.check_answer(kind, from, |own| &mut own.labels[label.ix()], ask);
        if let Some(predicate) = &self.predicates[label.ix()]
            && value.as_ref().map_or(true, |value| (*value != 0) != predicate.holds(from))
        {
            self.complain(ComplaintKind::LabelPredicate, Subject::Label(label), None, from);
        }
        value
    }

    /// What the model answers in a state, which does not change with the slots that have nothing to do with
    /// it.
    fn check_answer<T: PartialEq>(
        &mut self,
        (kind, subject): (ComplaintKind, Subject),
        from: &[Value],
        unread: impl Fn(&mut Self) -> &mut Rotation,
        ask: impl Fn(&mut dyn Stepper, &[Value]) -> T,
    ) -> T {
        let answer = ask(&mut *self.stepper, from);
        for _ in 0..self.layer.perturbations.min(unread(self).len()) {
            let slot = unread(self).turn();
            if self.change(slot, from) && ask(&mut *self.stepper, &self.changed) != answer {
                self.complain_of_change(kind, subject, slot, from);
            }
        }
        answer
    }
}

impl Stepper for CheckedStepper<'_> {
    fn heed(&mut self, stop: &StopSignal) {
        self.stepper.heed(stop);
    }

    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let start = to.len();
        let outcome = self.stepper.group(group, from, to);
        if outcome.is_err() && to.len() != start && !self.layer.allows_partial {
            self.complain(ComplaintKind::Buffer, Subject::Group(group), None, from);
            to.truncate(start);
            return outcome;
        }
        self.seen.note_one_of(from);
        self.check_successors(group, from, to, start);
        self.check_effect(group, from, outcome.is_err(), to, start);
        self.check_reads(group, from, &outcome, to, start);
        if self.check_guards(group, from, outcome.is_err(), to.len() - start) {
            self.check_update(group, from, &outcome, to, start);
        }
        outcome
    }

    /// Not checked by itself: the engine promises that the guards are true, and [`Self::group`] checks it
    /// there.
    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.stepper.update(group, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        self.seen.note_one_of(from);
        self.check_tests(guard, from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.seen.note_one_of(from);
        self.check_label(label, from)
    }

    /// All successors are those of the groups, each of which is checked.
    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let start = to.len();
        let outcome = self.stepper.all(from, to);
        let mut one_by_one = std::mem::replace(&mut self.one_by_one, Successors::new(0));
        one_by_one.clear();
        let groups = self.signature.group_ixs();
        let errors: Vec<EvalError> =
            groups.filter_map(|group| self.group(group, from, &mut one_by_one).err()).collect();
        let same = match &outcome {
            Ok(()) => {
                errors.is_empty()
                    && relate((&Ok(()), to, start), (&Ok(()), &one_by_one), None) == Agreement::Same
            }
            Err(error) => errors.contains(error) && to.len() == start,
        };
        if !same {
            self.complain(ComplaintKind::All, Subject::All, None, from);
        }
        self.one_by_one = one_by_one;
        if !self.labels.is_empty() {
            self.next_label = (self.next_label + 1) % self.labels.len();
            // Its value is asked for only to be compared.
            let _value = self.check_label(LabelIx::new(self.next_label), from);
        }
        outcome
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
