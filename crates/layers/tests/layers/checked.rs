//! Each kind of broken promise is found, and kept promises are not complained about.

use std::sync::Arc;

use base::{SlotIx, SplitMix64};
use layers::{Checked, Complaint, ComplaintKind, Labelled, Subject};
use model::{Change, Effect, Model, Rule as SlotRule, StateFunction, Value};

use crate::labelled::{Sum, label};
use crate::naive::{Back, explore};
use crate::random::{for_seeds, toy};
use crate::toy::{Array, Assign, Command, Expr, Fault, Test, Toy};

/// All complaints after the whole state space was seen.
fn complaints(model: Arc<dyn Model>, perturbations: usize) -> Vec<Complaint> {
    let plain = explore(&*model, &Back::none(&*model));
    let checked = Checked::new(model, perturbations, 42);
    assert_eq!(explore(&checked, &Back::none(&checked)), plain, "answers are passed on as they are");
    checked.complaints()
}

/// There is no complaint; if there is, in words.
pub fn assert_silent(complaints: &[Complaint]) {
    let words: Vec<String> = complaints.iter().map(Complaint::to_string).collect();
    assert!(words.is_empty(), "{}", words.join("\n"));
}

/// Kinds of complaints, each once.
fn kinds(toy: Toy) -> Vec<ComplaintKind> {
    let mut kinds = Vec::new();
    for complaint in complaints(Arc::new(toy), 1) {
        if !kinds.contains(&complaint.kind) {
            kinds.push(complaint.kind);
        }
    }
    kinds
}

const CELLS: Array = Array { base: 3, length: 3 };

/// Slots: x0, x1, x2 below 3, the array x3..x5, and x6. Groups:
///
/// 0. x0 := x0 + 1 mod 3
/// 1. x1 < 2 → x1 := x1 + 1
/// 2. x1 = 2 → x1 := 0, or x1 := 0 and x6 := 1
/// 3. not x2 = 3, array[x2] = 0 → array[x2] := x0; the second guard is *maybe* for x2 = 3
/// 4. x2 := x2 + 1 mod 4
/// 5. x6 = 1 → x6 := 0 (no read of x6 in the update)
fn sound() -> Toy {
    let test = |left, less, right, negated| Test { left, less, right, negated };
    let tests = vec![
        test(Expr::Slot(1), true, 2, false),
        test(Expr::Slot(1), false, 2, false),
        test(Expr::Slot(2), false, 3, true),
        test(Expr::Cell(CELLS, 2), false, 0, false),
        test(Expr::Slot(6), false, 1, false),
    ];
    let rule = |guards: &[usize], choices: Vec<Vec<Assign>>| Command {
        guards: guards.to_vec(),
        choices: choices
            .into_iter()
            .enumerate()
            .map(|(action, assigns)| (action as Value, assigns))
            .collect(),
    };
    let reset = Assign::Slot(1, Expr::Const(0));
    let rules = vec![
        rule(&[], vec![vec![Assign::Slot(0, Expr::Add(0, 1, 3))]]),
        rule(&[0], vec![vec![Assign::Slot(1, Expr::Add(1, 1, 3))]]),
        rule(&[1], vec![vec![reset], vec![reset, Assign::Slot(6, Expr::Const(1))]]),
        rule(&[2, 3], vec![vec![Assign::Cell(CELLS, 2, Expr::Slot(0))]]),
        rule(&[], vec![vec![Assign::Slot(2, Expr::Add(2, 1, 4))]]),
        rule(&[4], vec![vec![Assign::Slot(6, Expr::Const(0))]]),
    ];
    let labels = vec![Expr::Slot(0), Expr::Cell(CELLS, 2)];
    Toy::new(vec![0; 7], tests, rules, labels)
}

/// The sound toy, and a dynamic write whose cells are never read: group 6 of the result, array[x2] := 1.
fn with_unread_write() -> Toy {
    let mut rules = sound().rules;
    rules.push(Command { guards: vec![2], choices: vec![(9, vec![Assign::Cell(CELLS, 2, Expr::Const(1))])] });
    Toy::new(vec![0; 7], sound().tests, rules, sound().labels)
}

#[test]
fn kept_promises_are_not_complained_about() {
    assert_eq!(complaints(Arc::new(sound()), 3), []);
    assert_eq!(complaints(Arc::new(with_unread_write()), 100), []);
    for_seeds(150, |seed| {
        assert_silent(&complaints(Arc::new(toy(seed)), 3));
    });
}

/// Over-approximation is allowed for everything but must-write.
#[test]
fn matrices_that_say_too_much_are_not_complained_about() {
    for_seeds(50, |seed| {
        let mut toy = toy(seed);
        let random = &mut SplitMix64::new(seed);
        let matrices = &mut toy.dependencies;
        for i in 0..matrices.read.rows() {
            for j in (0..matrices.read.columns()).filter(|_| random.below(3) == 0) {
                matrices.read.set(i, j);
                matrices.must_write.clear(i, j);
            }
        }
        for matrix in [&mut matrices.tests, &mut matrices.label_reads] {
            for (row, column) in (0..matrix.rows()).flat_map(|row| [(row, 0), (row, 1)]) {
                matrix.set(row, column);
            }
        }
        assert_silent(&complaints(Arc::new(toy), 2));
    });
}

/// The complaints of the toy with spoilt matrices are just these: kind, subject, slot.
macro_rules! found {
    ($name:ident, |$matrices:ident| $spoil:expr, [$(($kind:ident, $subject:expr, $slot:expr)),*]) => {
        #[test]
        fn $name() {
            let mut toy = with_unread_write();
            let $matrices = &mut toy.dependencies;
            $spoil;
            let mut found: Vec<_> =
                complaints(Arc::new(toy), 1).iter().map(|c| (c.kind, c.subject, c.slot.map(SlotIx::ix))).collect();
            found.sort_by_key(|(kind, _, slot)| (format!("{kind:?}"), *slot));
            assert_eq!(found, [$((ComplaintKind::$kind, $subject, Some($slot))),*]);
        }
    };
}

fn group(number: usize) -> Subject {
    Subject::Group(base::GroupIx::new(number))
}

fn guard(number: usize) -> Subject {
    Subject::Guard(base::GuardIx::new(number))
}

found!(
    a_missing_read_of_a_condition,
    |m| {
        m.read.clear(1, 1);
        m.update_read.clear(1, 1);
        m.must_write.clear(1, 1)
    },
    [(Read, group(1), 1), (UpdateRead, group(1), 1)]
);
found!(
    a_missing_read_of_a_value,
    |m| {
        m.read.clear(3, 0);
        m.update_read.clear(3, 0)
    },
    [(Read, group(3), 0), (UpdateRead, group(3), 0)]
);
found!(
    a_missing_read_of_an_index,
    |m| {
        m.read.clear(6, 2);
        m.update_read.clear(6, 2)
    },
    [(Read, group(6), 2), (UpdateRead, group(6), 2)]
);
found!(a_missing_read_in_an_update, |m| m.update_read.clear(3, 0), [(UpdateRead, group(3), 0)]);
found!(
    a_missing_write,
    |m| {
        m.may_write.clear(4, 2);
        m.must_write.clear(4, 2)
    },
    [(MayWrite, group(4), 2)]
);
found!(a_write_that_is_not_sure_of_a_choice, |m| m.must_write.set(2, 6), [(MustWrite, group(2), 6)]);
found!(a_write_that_is_not_sure_of_a_cell, |m| m.must_write.set(6, 4), [(MustWrite, group(6), 4)]);
found!(a_sure_write_that_is_not_possible, |m| m.must_write.set(4, 5), [(Containment, group(4), 5)]);
found!(an_update_that_reads_more_than_the_group, |m| m.update_read.set(4, 5), [(Containment, group(4), 5)]);
found!(a_missing_test, |m| m.tests.clear(0, 1), [(Tests, guard(0), 1)]);
found!(a_missing_test_that_makes_it_maybe, |m| m.tests.clear(3, 2), [(Tests, guard(3), 2)]);
found!(
    a_missing_read_of_a_label,
    |m| m.label_reads.clear(0, 0),
    [(LabelReads, Subject::Label(base::LabelIx::new(0)), 0)]
);

/// An explicit engine asks for nothing but `all`; guards and labels must be tried nevertheless.
#[test]
fn a_search_that_asks_for_all_successors_only_tries_every_guard_and_label() {
    for (guards, labels) in [(vec![0, 1, 2, 3, 4], vec![]), (vec![], vec![0, 1])] {
        let mut toy = with_unread_write();
        for slot in 0..7 {
            guards.iter().for_each(|&guard| toy.dependencies.tests.clear(guard, slot));
            labels.iter().for_each(|&label| toy.dependencies.label_reads.clear(label, slot));
        }
        let checked = Checked::new(Arc::new(toy), 1, 7);
        let mut stepper = checked.stepper();
        let mut known = std::collections::BTreeSet::from([checked.initial().to_vec()]);
        let mut waiting: Vec<Vec<Value>> = known.iter().cloned().collect();
        while let Some(state) = waiting.pop() {
            let mut to = model::Successors::new(7);
            stepper.all(&state, &mut to).unwrap();
            waiting
                .extend(to.iter().map(|next| next.state.to_vec()).filter(|next| known.insert(next.clone())));
        }
        let found = checked.complaints();
        let complained = |subject| found.iter().any(|complaint| complaint.subject == subject);
        assert!(guards.iter().all(|&number| complained(guard(number))), "{found:?}");
        assert!(
            labels.iter().all(|&number| complained(Subject::Label(base::LabelIx::new(number)))),
            "{found:?}"
        );
    }
}

#[test]
fn every_missing_bit_that_matters_is_found() {
    for (missing, spoil) in [
        (
            "read",
            (|toy, i, j| {
                let was = toy.dependencies.read.get(i, j);
                toy.dependencies.read.clear(i, j);
                toy.dependencies.update_read.clear(i, j);
                was
            }) as fn(&mut Toy, usize, usize) -> bool,
        ),
        ("update_read", |toy, i, j| {
            let was = toy.dependencies.update_read.get(i, j);
            toy.dependencies.update_read.clear(i, j);
            was
        }),
        ("may_write", |toy, i, j| {
            let was = toy.dependencies.may_write.get(i, j);
            toy.dependencies.may_write.clear(i, j);
            toy.dependencies.must_write.clear(i, j);
            was
        }),
    ] {
        for (i, j) in (0..7).flat_map(|i| (0..7).map(move |j| (i, j))) {
            let mut toy = with_unread_write();
            if spoil(&mut toy, i, j) {
                assert_ne!(kinds(toy), [], "{missing} of group {i}, slot {j}");
            }
        }
    }
}

#[test]
fn every_fault_is_found() {
    for (fault, kind) in [
        (Fault::NoMarks, ComplaintKind::Unmarked),
        (Fault::FickleMarks, ComplaintKind::Read),
        (Fault::StrayMarks, ComplaintKind::Copied),
        (Fault::WrittenMarks, ComplaintKind::Copied),
        (Fault::GuardsTrue, ComplaintKind::GuardTrue),
        (Fault::GuardsFalse, ComplaintKind::GuardFalse),
        (Fault::GuardsMaybe, ComplaintKind::GuardMaybe),
        (Fault::Update, ComplaintKind::Update),
        (Fault::UpdateTests, ComplaintKind::UpdateRead),
        (Fault::Number, ComplaintKind::Buffer),
    ] {
        let found = kinds(with_unread_write().with(fault));
        assert!(found.contains(&kind), "{fault:?}: {found:?}");
    }
    // Nothing else is wrong with these, and nothing else is said of them.
    assert_eq!(kinds(with_unread_write().with(Fault::All)), [ComplaintKind::All]);
    assert_eq!(kinds(with_unread_write().with(Fault::UpdateTests)), [ComplaintKind::UpdateRead]);
    assert_eq!(
        kinds(with_unread_write().with(Fault::NoMarks)),
        [ComplaintKind::Unmarked, ComplaintKind::UpdateRead]
    );
}

#[test]
fn a_failed_call_that_leaves_successors_is_found() {
    // The first choice succeeds, the second fails once x0 is 2.
    let choices =
        vec![(0, vec![Assign::Slot(0, Expr::Add(0, 1, 3))]), (1, vec![Assign::Slot(0, Expr::Next(0, 2))])];
    let toy = Toy::new(vec![0, 0], vec![], vec![Command { guards: vec![], choices }], vec![]);
    let checked = Checked::new(Arc::new(toy.with(Fault::Leftover)), 1, 0);
    let mut to = model::Successors::new(2);
    checked.stepper().group(base::GroupIx::new(0), &[2, 0], &mut to).unwrap_err();
    let kinds: Vec<ComplaintKind> = checked.complaints().iter().map(|complaint| complaint.kind).collect();
    assert_eq!(kinds, [ComplaintKind::Buffer]);
}

#[test]
fn an_error_that_depends_on_an_unread_slot_is_found() {
    // An array of one cell: the successor is the same wherever there is one, and x0 decides whether there is.
    let cell = Array { base: 1, length: 1 };
    let rule = |assign| Command { guards: vec![], choices: vec![(0, vec![assign])] };
    let rules = vec![rule(Assign::Slot(0, Expr::Add(0, 1, 3))), rule(Assign::Cell(cell, 0, Expr::Const(1)))];
    let mut toy = Toy::new(vec![0; 3], vec![], rules, vec![]);
    toy.dependencies.read.clear(1, 0);
    let found: Vec<_> =
        complaints(Arc::new(toy), 1).iter().map(|c| (c.kind, c.slot.map(SlotIx::ix))).collect();
    assert_eq!(found, [(ComplaintKind::Containment, Some(0)), (ComplaintKind::Read, Some(0))]);

    // An array of no cells: it always fails, and x0 decides only what the error says.
    let none = Array { base: 1, length: 0 };
    let rules = vec![rule(Assign::Slot(0, Expr::Add(0, 1, 3))), rule(Assign::Cell(none, 0, Expr::Const(1)))];
    let mut toy = Toy::new(vec![0; 3], vec![], rules, vec![]);
    toy.dependencies.read.clear(1, 0);
    toy.dependencies.update_read.clear(1, 0);
    assert_eq!(kinds(toy), [ComplaintKind::Read, ComplaintKind::UpdateRead]);
}

#[test]
fn an_added_label_that_reads_more_than_it_says_is_found() {
    struct Liar(Sum);
    impl StateFunction for Liar {
        fn reads(&self) -> &[SlotIx] {
            &self.0.slots[..1]
        }
        fn value(&self, state: &[Value]) -> Result<Value, model::EvalError> {
            self.0.value(state)
        }
    }
    let liar = Liar(Sum { slots: vec![SlotIx::new(0), SlotIx::new(1)], most: 100 });
    let labelled = Labelled::new(Arc::new(sound()), vec![(label("liar"), Arc::new(liar))]);
    let found = complaints(Arc::new(labelled), 1);
    assert_eq!(
        found.iter().map(|c| (c.kind, c.slot)).collect::<Vec<_>>(),
        [(ComplaintKind::LabelReads, Some(SlotIx::new(1)))]
    );
}

#[test]
fn a_predicate_that_is_not_what_the_label_is_is_found() {
    /// At most one in the first two slots together, and a predicate that allows so many.
    struct Predicted(Vec<SlotIx>, model::Predicate);
    impl StateFunction for Predicted {
        fn reads(&self) -> &[SlotIx] {
            &self.0
        }
        fn value(&self, state: &[Value]) -> Result<Value, model::EvalError> {
            Ok(Value::from(state[0] + state[1] <= 1))
        }
        fn predicate(&self) -> Option<&model::Predicate> {
            Some(&self.1)
        }
    }
    let slots = vec![SlotIx::new(0), SlotIx::new(1)];
    for (most, expected) in [(1, vec![]), (2, vec![ComplaintKind::LabelPredicate])] {
        let sum = model::Linear { terms: slots.iter().map(|&slot| (slot, 1)).collect() };
        let told = Predicted(slots.clone(), model::Predicate::AtMost(sum, most));
        let labelled = Labelled::new(Arc::new(sound()), vec![(label("told"), Arc::new(told))]);
        let found = complaints(Arc::new(labelled), 1);
        assert_eq!(found.iter().map(|complaint| complaint.kind).collect::<Vec<_>>(), expected, "{most}");
    }
}

/// A rule: least, most, change.
type Row = (Value, Value, Change);
/// An effect: slots and their rules.
type Listed<'a> = &'a [(usize, &'a [Row])];

/// The effect of group 1 of [`sound`], x1 < 2 → x1 := x1 + 1, and of group 5, x6 = 1 → x6 := 0, and
/// variations.
fn with_effects(first: Listed<'_>, last: Listed<'_>) -> Toy {
    let effect = |slots: Listed<'_>| {
        let rule = |&(least, most, change): &Row| SlotRule { least, most, change };
        let slots = slots.iter().map(|(slot, rules)| (SlotIx::new(*slot), rules.iter().map(rule).collect()));
        Some(Effect { slots: slots.collect() })
    };
    let mut toy = sound();
    toy.signature.groups[1].effect = effect(first);
    toy.signature.groups[5].effect = effect(last);
    toy
}

#[test]
fn wrong_effects_are_found() {
    const UP: Row = (0, 1, Change::Add(1));
    const DOWN: Row = (1, 1, Change::Set(0));
    let found = |first: Listed<'_>, last: Listed<'_>| {
        let toy = with_effects(first, last);
        complaints(Arc::new(toy), 1)
            .iter()
            .map(|c| (c.kind, c.subject, c.slot.map(SlotIx::ix)))
            .collect::<Vec<_>>()
    };
    let wrong = |number| [(ComplaintKind::Effect, group(number), None)];
    let stray = |number, slot| (ComplaintKind::Containment, group(number), Some(slot));
    assert_eq!(found(&[(1, &[UP])], &[(6, &[DOWN])]), []);
    assert_eq!(found(&[(1, &[(0, 0, Change::Set(1)), (1, 1, Change::Set(2))])], &[(6, &[DOWN])]), []);
    // Too often enabled, too seldom, another value, a slot that is forgotten, and rules in disorder.
    assert_eq!(found(&[(1, &[(0, 2, Change::Add(1))])], &[(6, &[DOWN])]), wrong(1));
    assert_eq!(found(&[(1, &[(0, 0, Change::Add(1))])], &[(6, &[DOWN])]), wrong(1));
    assert_eq!(found(&[(1, &[])], &[(6, &[DOWN])]), wrong(1));
    assert_eq!(found(&[(1, &[(0, 1, Change::Set(1))])], &[(6, &[DOWN])]), wrong(1));
    assert_eq!(found(&[(1, &[UP])], &[(6, &[(1, 1, Change::Keep)])]), wrong(5));
    assert_eq!(found(&[(1, &[UP])], &[]), wrong(5));
    assert_eq!(found(&[(1, &[UP, UP])], &[(6, &[DOWN])]), wrong(1));
    assert_eq!(found(&[(1, &[UP]), (7, &[])], &[(6, &[DOWN])]), wrong(1));
    // A test or a change of a slot that the matrices leave out is seen before the model runs.
    assert_eq!(found(&[(0, &[(0, 9, Change::Keep)]), (1, &[UP])], &[(6, &[DOWN])]), [stray(1, 0)]);
    let set = (0, Value::MAX, Change::Set(0));
    assert_eq!(found(&[(1, &[UP])], &[(5, &[set]), (6, &[DOWN])])[0], stray(5, 5));
}

/// An effect never fails, and has no more than one successor.
#[test]
fn an_effect_of_a_group_that_fails_or_chooses_is_found() {
    let choice = |value| (0, vec![Assign::Slot(0, value)]);
    let rule = |choices| Command { guards: vec![], choices };
    for rules in [
        vec![rule(vec![choice(Expr::Next(0, 2))])],
        vec![rule(vec![choice(Expr::Add(0, 1, 9)), choice(Expr::Const(0))])],
    ] {
        let mut toy = Toy::new(vec![0; 2], vec![], rules, vec![]);
        let up = SlotRule { least: 0, most: 1, change: Change::Add(1) };
        toy.signature.groups[0].effect = Some(Effect { slots: vec![(SlotIx::new(0), vec![up])] });
        assert_eq!(kinds(toy), [ComplaintKind::Effect]);
    }
}

#[test]
fn a_complaint_is_readable() {
    let mut toy = sound();
    toy.dependencies.may_write.clear(4, 2);
    toy.dependencies.must_write.clear(4, 2);
    let found = complaints(Arc::new(toy), 0);
    assert_eq!(
        found[0].to_string(),
        "group 4 `g4` changes the slot, which its row of the may-write matrix leaves out; slot 2 `x2`; in the state \
         x0=0, x1=0, x2=0, x3=0, x4=0, x5=0, x6=0"
    );
    assert_eq!(found.len(), 1, "one wrong bit, one complaint");
}

#[test]
fn complaints_end_at_a_hundred() {
    let rules: Vec<Command> = (0..150)
        .map(|at| Command {
            guards: vec![],
            choices: vec![(0, vec![Assign::Slot(at % 3, Expr::Add(at % 3, 1, 2))])],
        })
        .collect();
    let mut toy = Toy::new(vec![0; 3], vec![], rules, vec![]);
    toy.dependencies = model::Dependencies::none(3, 150, 0, 0);
    assert_eq!(complaints(Arc::new(toy), 1).len(), 100);
}
