//! Separable effects: which commands do what they do to each slot by itself, and what that is.
//!
//! A command qualifies if each of its guards looks at one slot at most and each assignment computes, from
//! one slot at most, what it assigns to a fixed cell. What a slot holds in the end must come from the slot
//! itself or from nothing. What the command does is then a function of each slot alone. It is not looked for
//! in the text: the interpreter is run on every value that the slot can have and that comparisons with
//! constants let through.
//!
//! Example: `P == 2 && x < 3 → P := 4, x := x + 1` with `x` in 0 to 5. Slot `P` has the rule 2 ↦ 4. Slot `x`
//! is run on 0, 1 and 2 and has the rules 0 ↦ 1, 1 ↦ 2, 2 ↦ 3, joined to "0 to 2: add 1". With `x := y`
//! instead the command does not qualify.
//!
//! A value on which a guard or an assignment fails spoils the effect, unless another guard of that slot is
//! false there: then the group is disabled, whatever the failing guard says. Of different slots every
//! combination of values counts as possible. Being conservative costs speed, being wrong costs answers.

mod intervals;

use std::collections::BTreeMap;

use base::{GuardIx, SlotIx};
use model::{Change, Rule, Value};

use self::intervals::Intervals;
use crate::analysis::for_each_place;
use crate::cell_map::CellMap;
use crate::coded::{CodedProgram, GuardCode};
use crate::fault::Fault;
use crate::interpreter::Interpreter;
use crate::program::{Command, Effect, Program, Step, Then};

/// A slot with more values than this that matter is not gone through.
const MOST_VALUES: u64 = 4096;
/// Most guards and assignments evaluated for one model: less than ten milliseconds.
const MOST_EVALUATIONS: usize = 300_000;

/// The effect of each command that has one.
pub(crate) fn effects(program: &Program, coded: &CodedProgram) -> Vec<Option<model::Effect>> {
    let mut search = EffectSearch::new(coded);
    let groups = program.commands.iter().take_while(|command| !command.inner).enumerate();
    // What a command does is not all if others follow.
    let alone = |command: &Command| command.then == Then::Rest;
    let effects =
        groups.map(|(number, command)| alone(command).then(|| search.effect(number, command)).flatten());
    effects.collect()
}

struct EffectSearch<'a> {
    coded: &'a CodedProgram,
    interpreter: Interpreter<'a>,
    /// A state and scratch variables to run on. What code may look at is written before it runs, the rest is
    /// left over.
    cells: Vec<Value>,
    /// What each slot can hold: least and greatest. Nothing for slots whose values cannot be listed.
    domains: Vec<Option<(i64, i64)>>,
    evaluations_left: usize,
    /// What one step assigns; kept for its memory.
    assigned: Vec<(u32, Value)>,
}

/// Where the value in a cell comes from: the slot it was computed from, or from nothing.
type Origin = Option<u32>;

/// The assignments of a command, and where what they assign comes from.
struct Flow {
    /// Step by step the numbers of the stores.
    steps: Vec<Vec<(u32, Origin)>>,
    /// Where that comes from which is in each assigned cell at the end.
    last: BTreeMap<u32, Origin>,
}

/// What is known of a slot that the command has to do with.
#[derive(Default)]
struct SlotUse {
    tests: Vec<GuardIx>,
    /// Some assignment computes something from it.
    computed_from: bool,
    written: Option<Written>,
}

/// What is assigned to a slot.
#[derive(Clone, Copy)]
enum Written {
    Constant(Value),
    /// Something that is computed from what it held.
    Computed,
}

/// What a command does to one slot.
struct SlotEffect {
    rules: Vec<Rule>,
    /// On some value that does not disable the command, something fails.
    fails: bool,
}

impl Flow {
    /// The flow of a command; `None` where an assignment looks at several slots or writes to a cell that is
    /// not fixed.
    fn of(steps: &[Step], first_stores: impl Iterator<Item = u32>, cell_map: &CellMap) -> Option<Self> {
        let mut last: BTreeMap<u32, Origin> = BTreeMap::new();
        let mut flow = Vec::with_capacity(steps.len());
        for (step, first) in steps.iter().zip(first_stores) {
            let mut assigned = Vec::with_capacity(step.len());
            for assign in step {
                let target = cell_map.single_slot(&assign.target)?;
                let mut origin: Origin = None;
                let mut single = true;
                for_each_place(cell_map, &assign.value, &mut |mut cells| {
                    single &= cells.all(|cell| {
                        let unassigned = (cell < cell_map.slots).then_some(Some(cell as u32));
                        match last.get(&(cell as u32)).copied().or(unassigned) {
                            Some(None) => true,
                            Some(Some(slot)) if origin.is_none_or(|known| known == slot) => {
                                origin = Some(slot);
                                true
                            }
                            // A second slot, or a scratch variable that means nothing yet.
                            _ => false,
                        }
                    });
                });
                if !single {
                    return None;
                }
                assigned.push((target, origin));
            }
            last.extend(assigned.iter().copied());
            flow.push((first..).zip(assigned).map(|(store, (_, origin))| (store, origin)).collect());
        }
        Some(Self { steps: flow, last })
    }

    /// The stores that depend on what the slot holds or on nothing, step by step. They look at no other cells
    /// than the slot and those that they have assigned before.
    fn of_slot(&self, slot: Origin) -> Vec<Vec<u32>> {
        let of_step = |step: &Vec<(u32, Origin)>| {
            let stores = step.iter().filter(|(_, origin)| origin.is_none() || *origin == slot);
            stores.map(|&(store, _)| store).collect()
        };
        self.steps.iter().map(of_step).collect()
    }
}

impl<'a> EffectSearch<'a> {
    fn new(coded: &'a CodedProgram) -> Self {
        let mut domains = Vec::with_capacity(coded.cell_map.slots);
        for cells in coded.cell_map.cells.iter().filter(|cells| (cells.base as usize) < coded.cell_map.slots)
        {
            let listed = i32::try_from(cells.lo).is_ok() && i32::try_from(cells.hi).is_ok();
            let values = cells.base as usize..(cells.base + cells.length) as usize;
            // An initial value outside the type would be a value that the table leaves out.
            domains.extend(coded.initial[values].iter().map(|&initial| {
                let initial = i64::from(initial.cast_signed());
                (listed && (cells.lo..=cells.hi).contains(&initial)).then_some((cells.lo, cells.hi))
            }));
        }
        Self {
            coded,
            interpreter: Interpreter::new(coded),
            cells: vec![0; coded.cell_map.width],
            domains,
            evaluations_left: MOST_EVALUATIONS,
            assigned: Vec::new(),
        }
    }

    fn effect(&mut self, number: usize, command: &Command) -> Option<model::Effect> {
        let coded = self.coded;
        let Effect::Steps(steps) = &command.effect else { return None };
        let code = &coded.commands[number];
        let mut fails = false;
        let mut uses: BTreeMap<u32, SlotUse> = BTreeMap::new();
        for &guard in &code.guards {
            let mut tested = coded.dependencies.tests.ones(guard.ix());
            match (tested.next(), tested.next()) {
                (Some(slot), None) => uses.entry(slot as u32).or_default().tests.push(guard),
                (Some(_), Some(_)) => return None,
                (None, _) => match self.interpreter.guard_value(guard, &self.cells) {
                    // Never enabled; there may be no slot to say so with, and nobody to profit.
                    Ok(0) => return None,
                    Ok(_) => {}
                    Err(_) => fails = true,
                },
            }
        }
        let flow = Flow::of(steps, code.steps.iter().map(|step| step.start), &coded.cell_map)?;
        for &slot in flow.steps.iter().flatten().filter_map(|(_, origin)| origin.as_ref()) {
            uses.entry(slot).or_default().computed_from = true;
        }
        fails |= self.run(&flow.of_slot(None)).is_err();
        for (&slot, &origin) in flow.last.range(..coded.cell_map.slots as u32) {
            let written = match origin {
                None => Written::Constant(self.cells[slot as usize]),
                Some(origin) if origin == slot => Written::Computed,
                Some(_) => return None,
            };
            uses.entry(slot).or_default().written = Some(written);
        }
        let mut slots = Vec::with_capacity(uses.len());
        for (&slot, used) in &uses {
            let SlotEffect { rules, fails: here } = self.slot_effect(slot, used, &flow)?;
            fails |= here;
            if rules.is_empty() && !here {
                return Some(model::Effect { slots: vec![(SlotIx::new(slot as usize), rules)] });
            }
            slots.push((slot, rules));
        }
        slots.retain(|(slot, rules)| !self.is_identity(*slot, rules));
        let slots = slots.into_iter().map(|(slot, rules)| (SlotIx::new(slot as usize), rules));
        (!fails).then(|| model::Effect { slots: slots.collect() })
    }

    /// What the command does to the slot; `None` if that would take too long to find out.
    fn slot_effect(&mut self, slot: u32, used: &SlotUse, flow: &Flow) -> Option<SlotEffect> {
        if let (true, false, Some(Written::Constant(value))) =
            (used.tests.is_empty(), used.computed_from, used.written)
        {
            return Some(SlotEffect { rules: vec![Rule::always(Change::Set(value))], fails: false });
        }
        let (lo, hi) = self.domains[slot as usize]?;
        let mut passing = Intervals::new(lo, hi);
        let mut other_tests = Vec::new();
        for &guard in &used.tests {
            match self.coded.guards[guard.ix()] {
                GuardCode::Compare(op, _, value) => passing.keep(op, value),
                GuardCode::Code(_) => other_tests.push(guard),
            }
        }
        if other_tests.is_empty() && !used.computed_from {
            let change = |least: Value, most: Value| match used.written {
                Some(Written::Constant(value)) if (least, most) != (value, value) => Change::Set(value),
                _ => Change::Keep,
            };
            let rules =
                passing.as_held().map(|(least, most)| Rule { least, most, change: change(least, most) });
            return Some(SlotEffect { rules: rules.collect(), fails: false });
        }
        if passing.len() > MOST_VALUES {
            return None;
        }
        let stores = if used.computed_from { flow.of_slot(Some(slot)) } else { Vec::new() };
        let evaluations =
            passing.len() as usize * (other_tests.len() + stores.iter().map(Vec::len).sum::<usize>());
        self.evaluations_left = self.evaluations_left.checked_sub(evaluations)?;
        let mut pairs = Vec::with_capacity(passing.len() as usize);
        let mut fails = false;
        for value in passing.as_held().flat_map(|(least, most)| least..=most) {
            match self.value_after(slot, value, used.written, &other_tests, &stores) {
                Ok(after) => pairs.extend(after.map(|after| (value, after))),
                Err(_) => fails = true,
            }
        }
        Some(SlotEffect { rules: Rule::cover(pairs), fails })
    }

    /// What the slot holds afterwards, if the command is not disabled by what it holds before.
    fn value_after(
        &mut self,
        slot: u32,
        before: Value,
        written: Option<Written>,
        tests: &[GuardIx],
        stores: &[Vec<u32>],
    ) -> Result<Option<Value>, Fault> {
        self.cells[slot as usize] = before;
        if !self.interpreter.enabled(tests, &self.cells)? {
            return Ok(None);
        }
        self.run(stores)?;
        Ok(Some(match written {
            None => before,
            Some(Written::Constant(value)) => value,
            Some(Written::Computed) => self.cells[slot as usize],
        }))
    }

    /// Makes assignments, step by step.
    fn run(&mut self, steps: &[Vec<u32>]) -> Result<(), Fault> {
        for step in steps {
            self.assigned.clear();
            for &store in step {
                self.assigned.push(self.interpreter.store(store, &self.cells)?);
            }
            self.assigned.iter().for_each(|&(cell, value)| self.cells[cell as usize] = value);
        }
        Ok(())
    }

    /// Whether the rules leave each value that the slot can have as it is.
    fn is_identity(&self, slot: u32, rules: &[Rule]) -> bool {
        let Some((lo, hi)) = self.domains[slot as usize] else { return false };
        let kept = rules.iter().map(|rule| (rule.least, rule.most));
        !rules.iter().any(Rule::changes) && kept.eq(Intervals::new(lo, hi).as_held())
    }
}
