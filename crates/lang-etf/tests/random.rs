//! Random small texts: what the tables do against a reading of the rows one by one; the matrices and guards
//! against their definitions; and noise, which must be refused politely.

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{GuardIx, LabelIx, SlotIx, Source, SplitMix64};
use model::{Model, Successors, Truth, Value};
use support::load;

/// The columns of a row, none where it is `*`, and its action.
type Row = (Vec<Option<(Value, Value)>>, Value);

/// A random relation.
struct Tables {
    slots: usize,
    groups: Vec<Vec<Row>>,
}

const VALUES: usize = 3;

impl Tables {
    fn random(random: &mut SplitMix64) -> Self {
        let slots = 1 + random.below(4);
        let group = |random: &mut SplitMix64| {
            // Sections of LTSmin test the same slots in each row; ours need not.
            let stars: Option<Vec<bool>> =
                (random.below(3) > 0).then(|| (0..slots).map(|_| random.below(2) == 0).collect());
            let count = random.below(9);
            (0..count)
                .map(|_| {
                    let cell = |slot: usize, random: &mut SplitMix64| {
                        let star = stars.as_ref().map_or_else(|| random.below(2) == 0, |stars| stars[slot]);
                        let from = random.below(VALUES) as Value;
                        let to = if random.below(2) == 0 { from } else { random.below(VALUES) as Value };
                        (!star).then_some((from, to))
                    };
                    ((0..slots).map(|slot| cell(slot, random)).collect(), random.below(2) as Value)
                })
                .collect()
        };
        let count = 1 + random.below(3);
        Self { slots, groups: (0..count).map(|_| group(random)).collect() }
    }

    fn text(&self) -> String {
        let declarations: Vec<String> = (0..self.slots).map(|slot| format!("s{slot}:nat")).collect();
        let mut text = format!(
            "begin state\n{}\nend state\nbegin edge\na:a\nend edge\nbegin init\n{}\nend init\n",
            declarations.join(" "),
            "0 ".repeat(self.slots)
        );
        for group in &self.groups {
            text += "begin trans\n";
            for (cells, action) in group {
                for cell in cells {
                    text += &cell.map_or("* ".to_owned(), |(from, to)| format!("{from}/{to} "));
                }
                text += &format!("{action}\n");
            }
            text += "end trans\n";
        }
        text + "begin map m:nat\n0 "
            + &"* ".repeat(self.slots - 1)
            + "1\n"
            + &"* ".repeat(self.slots)
            + "0\nend map\n"
    }

    /// What the rows of a group do, read one by one.
    fn successors(&self, group: usize, state: &[Value]) -> BTreeSet<(Value, Vec<Value>)> {
        let fits = |cells: &[Option<(Value, Value)>]| {
            cells.iter().zip(state).all(|(cell, &value)| cell.is_none_or(|(from, _)| from == value))
        };
        let rows = self.groups[group].iter().filter(|(cells, _)| fits(cells));
        let target = |cells: &[Option<(Value, Value)>]| {
            cells.iter().zip(state).map(|(cell, &value)| cell.map_or(value, |(_, to)| to)).collect()
        };
        rows.map(|(cells, action)| (*action, target(cells))).collect()
    }

    fn states(&self) -> Vec<Vec<Value>> {
        let digit = |code: usize, slot: usize| (code / (VALUES + 1).pow(slot as u32) % (VALUES + 1)) as Value;
        let count = (VALUES + 1).pow(self.slots as u32);
        (0..count).map(|code| (0..self.slots).map(|slot| digit(code, slot)).collect()).collect()
    }
}

/// The successors as a set; none may be there twice.
fn as_set(successors: &Successors) -> BTreeSet<(Value, Vec<Value>)> {
    let set: BTreeSet<_> =
        successors.iter().map(|successor| (successor.action, successor.state.to_vec())).collect();
    assert_eq!(set.len(), successors.len(), "a successor is there twice");
    set
}

fn with(state: &[Value], slot: SlotIx, value: Value) -> Vec<Value> {
    let mut changed = state.to_vec();
    changed[slot.ix()] = value;
    changed
}

#[test]
fn tables_do_what_their_rows_say() {
    let mut random = toys::seeded();
    for _ in 0..400 {
        let tables = Tables::random(&mut random);
        let text = tables.text();
        let model = load(&text).model;
        let mut stepper = model.stepper();
        for state in tables.states() {
            let mut all = Successors::new(tables.slots);
            stepper.all(&state, &mut all).unwrap();
            let mut count = 0;
            for group in model.signature().group_ixs() {
                let mut one = Successors::new(tables.slots);
                stepper.group(group, &state, &mut one).unwrap();
                let wanted = tables.successors(group.ix(), &state);
                assert_eq!(as_set(&one), wanted, "group {group} of\n{text}\nin {state:?}");
                let among_all = all.iter().filter(|successor| successor.group == group);
                let among_all: BTreeSet<_> = among_all.map(|s| (s.action, s.state.to_vec())).collect();
                assert_eq!(among_all, wanted, "all of\n{text}\nin {state:?}");
                count += wanted.len();
            }
            assert_eq!(all.len(), count, "all of\n{text}\nin {state:?}");
        }
    }
}

/// Definitions 3.1, 3.3, 3.5, 4.5, 4.8 and 4.11 on every state, slot and value.
#[test]
fn matrices_and_guards_keep_their_promises() {
    let mut random = toys::seeded();
    for _ in 0..150 {
        let tables = Tables::random(&mut random);
        let text = tables.text();
        let model = load(&text).model;
        for state in tables.states() {
            groups_keep_promises(&*model, &state, &text);
            guards_keep_promises(&*model, &state, &text);
        }
    }
}

fn groups_keep_promises(model: &dyn Model, state: &[Value], text: &str) {
    let (signature, dependencies) = (model.signature(), model.dependencies());
    let mut stepper = model.stepper();
    for group in signature.group_ixs() {
        let mut successors = Successors::new(state.len());
        stepper.group(group, state, &mut successors).unwrap();
        let enabled = signature.groups[group.ix()]
            .guards
            .iter()
            .all(|&guard| stepper.guard(guard, state) == Truth::True);
        assert_eq!(enabled, !successors.is_empty(), "guards of group {group} in {state:?} of\n{text}");
        for slot in signature.slot_ixs() {
            let (may, must) = (dependencies.may_write(group, slot), dependencies.must_write(group, slot));
            assert!(may || !must);
            for successor in successors.iter() {
                let same = successor.state[slot.ix()] == state[slot.ix()];
                assert!(may || same, "group {group} writes slot {slot} of\n{text}");
                assert!(!successor.copied(slot) || (may && !must && same), "copy of slot {slot} in\n{text}");
            }
            for value in 0..=VALUES as Value {
                let changed = with(state, slot, value);
                if !dependencies.reads(group, slot) {
                    let mut others = Successors::new(state.len());
                    stepper.group(group, &changed, &mut others).unwrap();
                    let moved = successors.iter().map(|s| (s.action, with(s.state, slot, value))).collect();
                    assert_eq!(as_set(&others), moved, "group {group} reads slot {slot} of\n{text}");
                }
                if enabled && !dependencies.update_read.get(group.ix(), slot.ix()) {
                    let mut others = Successors::new(state.len());
                    stepper.update(group, &changed, &mut others).unwrap();
                    let kept = |s: &[Value]| if may { s.to_vec() } else { with(s, slot, value) };
                    let moved = successors.iter().map(|s| (s.action, kept(s.state))).collect();
                    assert_eq!(
                        as_set(&others),
                        moved,
                        "the update of group {group} reads slot {slot} of\n{text}"
                    );
                }
            }
        }
        if enabled {
            let mut updated = Successors::new(state.len());
            stepper.update(group, state, &mut updated).unwrap();
            assert_eq!(
                as_set(&updated),
                as_set(&successors),
                "update of group {group} in {state:?} of\n{text}"
            );
        }
    }
}

fn guards_keep_promises(model: &dyn Model, state: &[Value], text: &str) {
    let (signature, dependencies) = (model.signature(), model.dependencies());
    let mut stepper = model.stepper();
    for slot in signature.slot_ixs() {
        for value in 0..=VALUES as Value {
            let changed = with(state, slot, value);
            let mut differs = |guard: GuardIx| stepper.guard(guard, state) != stepper.guard(guard, &changed);
            for guard in signature.guard_ixs().filter(|&guard| !dependencies.tests(guard, slot)) {
                assert!(!differs(guard), "guard {guard} looks at slot {slot} of\n{text}");
            }
            let label = LabelIx::new(0);
            if !dependencies.label_reads(label, slot) {
                assert_eq!(stepper.label(label, state), stepper.label(label, &changed));
            }
        }
    }
}

/// Pieces that are likely to meet the parser in the wrong place.
const PIECES: [&str; 28] = [
    "begin",
    "end",
    "state",
    "edge",
    "init",
    "trans",
    "map",
    "sort",
    "x:nat",
    ":",
    "*",
    "/",
    "0/1",
    "0",
    "1",
    "4294967296",
    "\"",
    "\"a\"",
    "\\",
    "#",
    "#61#",
    "#6#",
    "%",
    "\n",
    "\r",
    " ",
    "é",
    "\u{feff}",
];

#[test]
fn noise_is_refused_and_every_message_points_into_the_text() {
    let mut random = toys::seeded();
    for round in 0..3_000 {
        let mut text = if round % 2 == 0 { Tables::random(&mut random).text() } else { String::new() };
        for _ in 0..random.below(12) {
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let mut end = (at + random.below(6)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let piece = random.pick(&PIECES);
            match random.below(4) {
                0 => text.replace_range(at..end, ""),
                1 => text.replace_range(at..end, piece),
                2 => text.insert_str(at, &format!(" {piece} ")),
                _ => text.insert_str(at, &format!("\n{piece} {}\n", random.pick(&PIECES))),
            }
        }
        let source = Arc::new(Source::new("noise", text.clone()));
        match lang_etf::load(Arc::clone(&source)) {
            Ok(loaded) => {
                let mut successors = Successors::new(loaded.model.initial().len());
                loaded.model.stepper().all(loaded.model.initial(), &mut successors).unwrap();
            }
            Err(problems) => {
                assert!(!problems.is_empty() && problems.len() <= 50, "{text:?}");
                for problem in problems {
                    let span = problem.span.expect("a message without a place");
                    let inside = span.start <= span.end && span.end as usize <= text.len();
                    assert!(inside && text.is_char_boundary(span.start as usize), "{problem:?} in {text:?}");
                    assert!(text.is_char_boundary(span.end as usize), "{problem:?} in {text:?}");
                    assert!(!problem.label.is_empty() && problem.help.is_some(), "{problem:?}");
                    problem.render(&source);
                }
            }
        }
    }
}
