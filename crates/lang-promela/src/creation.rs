//! Which processes can be there: pairs of a number and a type.
//!
//! Each pair gets slots of its own, so the pairs must be known before the model is made. Those that run from
//! the start are known. For others a guess comes first: each `run` outside of loops is done once, in the
//! order of the text. Then the model itself is asked, in a search of its *creative* prefix (Blom, van de Pol
//! and Weber's PINS, section IV.B): only states in which a process may still start another one are looked
//! at, those with many processes first. A process that was not foreseen shows as an error of the model. It
//! is added to the pairs, and the search starts again.
//!
//! The search has a budget of work and not of time: how many slots a model has must not depend on how busy
//! the machine is. Where the budget is spent the pairs found so far are taken. A run of the model that
//! starts another process ends in an error, and the answer of that search is *unknown*.
//!
//! For example `init { run P(); run P() }` with `proctype P() { run Q() }` and a `Q` that only ends. The
//! guess is (0, init), (1, P), (2, P), (3, Q), (4, Q). The search meets the state in which the first `P`
//! starts `Q` before the second `P` is there: (2, Q) is missing. It is added, the search starts again, and
//! so on, until all reachable states are known. Then the pairs that some state had are the answer.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Arc;

use base::{Diagnostic, Source};
use commands::CommandModel;
use model::{EvalErrorKind, Model, SlotRole, Successors, Value};

use crate::flow::table::{Move, MoveTable};
use crate::flow::{ElementIx, Kind};
use crate::lower::lower;
use crate::program::{ProcessType, Program};
use crate::resolved::Basic;
use crate::world::Pair;

/// The most states that one search keeps.
const MOST_STATES: usize = 1_000_000;
/// The most slots that these have together: half a gigabyte.
const MOST_SLOTS: usize = 100_000_000;
/// The most statements that one step may take in a search: about a tenth of a second. Steps that take more
/// are left out, and cost as much of the budget.
const MOST_STEPS: u64 = 1 << 20;
/// To copy so many slots takes as long as the rest of a unit of work.
const SLOTS_OF_A_UNIT: usize = 1024;
/// The most work of all searches for one model, as [`Budget`] counts it.
///
/// A unit takes about a microsecond (0.8 to 1.2 were measured), so this is about three seconds. Of the 222
/// models of Spin, SpinS, LTSmin and BEEM, all searches that end need less than a tenth of it:
/// `eratosthenes.pml` the most with 235,000, then `mobile1.pml` with 79,000. Three do not end in any time
/// that a user would wait (`priorities.pml`, `ltl_gen.pml`, `p108.pml`): their variables or processes grow.
const MOST_WORK: u64 = 3_000_000;
/// What a command costs when a model is built, in units of work.
const WORK_OF_COMMAND: u64 = 6;

/// The work that may still be done. A state that is looked at, and each of its successors, is one unit.
struct Budget {
    left: u64,
}

impl Budget {
    fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
    }

    fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// The processes that run from the start.
fn active(program: &Program) -> BTreeSet<Pair> {
    let types = program.types.iter().enumerate();
    types.flat_map(|(ty, process)| std::iter::repeat_n(ty, process.active)).enumerate().collect()
}

/// Places from which a process can come back to where it was.
fn in_loops(table: &MoveTable) -> HashSet<ElementIx> {
    let mut looping = HashSet::new();
    for (&place, moves) in &table.places {
        let mut seen: HashSet<ElementIx> = HashSet::new();
        let mut waiting: Vec<ElementIx> = moves.iter().filter_map(|one| one.target).collect();
        while let Some(next) = waiting.pop() {
            if seen.insert(next) {
                waiting.extend(table.places[&next].iter().filter_map(|one| one.target));
            }
        }
        if seen.contains(&place) {
            looping.insert(place);
        }
    }
    looping
}

/// The processes that are there if each `run` is done once.
fn guess(program: &Program, tables: &[MoveTable], most: usize) -> BTreeSet<Pair> {
    let mut pairs = active(program);
    let runs: Vec<Vec<usize>> = program
        .types
        .iter()
        .zip(tables)
        .map(|(process, table)| {
            let looping = in_loops(table);
            let mut runs: Vec<(ElementIx, usize)> = Vec::new();
            for (place, moves) in &table.places {
                for one in moves.iter().filter(|_| !looping.contains(place)) {
                    if let Kind::Basic(Basic::Run { process, .. }) = process.graph.elements[one.element].kind
                    {
                        runs.push((one.element, process));
                    }
                }
            }
            runs.sort_unstable();
            runs.dedup();
            runs.into_iter().map(|(_, process)| process).collect()
        })
        .collect();
    // Each with the types of who started whom: a type that starts itself again is left to the search.
    let mut waiting: VecDeque<Vec<usize>> = pairs.iter().map(|&(_, ty)| vec![ty]).collect();
    let mut next = pairs.len();
    while let Some(line) = waiting.pop_front() {
        let Some(&ty) = line.last() else { continue };
        for &started in &runs[ty] {
            if next >= most || line.contains(&started) {
                continue;
            }
            pairs.insert((next, started));
            waiting.push_back(line.iter().copied().chain([started]).collect());
            next += 1;
        }
    }
    pairs
}

/// What a search finds.
enum CreationSearch {
    /// It has seen all states: the processes that were there.
    All(BTreeSet<Pair>),
    /// It has done as much as it may.
    Enough,
    /// A process that is not foreseen.
    Missing(Pair),
}

/// Places from which a process can come to a `run`, by their numbers.
fn creative(program: &Program, tables: &[MoveTable]) -> Vec<Vec<bool>> {
    let of = |(process, table): (&ProcessType, &MoveTable)| {
        let runs =
            |one: &Move| matches!(process.graph.elements[one.element].kind, Kind::Basic(Basic::Run { .. }));
        let places: Vec<&ElementIx> = table.places.keys().collect();
        let mut creative: HashSet<ElementIx> = HashSet::new();
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for (&place, moves) in table.places.iter().rev() {
                let leads =
                    |one: &Move| runs(one) || one.target.is_some_and(|target| creative.contains(&target));
                if !creative.contains(&place) && moves.iter().any(leads) {
                    creative.insert(place);
                    grows = true;
                }
            }
        }
        std::iter::once(false).chain(places.into_iter().map(|place| creative.contains(place))).collect()
    };
    program.types.iter().zip(tables).map(of).collect()
}

fn search(
    program: &Program,
    creative: &[Vec<bool>],
    model: &CommandModel,
    budget: &mut Budget,
) -> CreationSearch {
    let signature = model.signature();
    let locations: Vec<usize> =
        (0..signature.slots.len()).filter(|&slot| signature.slots[slot].role == SlotRole::Location).collect();
    let pair = |slot: usize| -> Option<Pair> {
        let (name, pid) = signature.slots[slot].name.split_once('[')?;
        let ty = program.types.iter().position(|process| process.name == name)?;
        Some((pid.trim_end_matches(']').parse().ok()?, ty))
    };
    let located: Vec<(usize, Pair)> =
        locations.iter().filter_map(|&slot| Some((slot, pair(slot)?))).collect();
    let creates = |state: &[Value]| {
        located
            .iter()
            .any(|&(slot, (_, ty))| creative[ty].get(state[slot] as usize).copied().unwrap_or(false))
    };
    let mut stepper = model.stepper();
    let mut successors = Successors::new(signature.slots.len());
    let mut seen: HashSet<Box<[Value]>> = HashSet::new();
    // States by how many processes are there; the most are looked at first.
    let mut waiting: Vec<Vec<Box<[Value]>>> = vec![Vec::new(); locations.len() + 1];
    let mut there: HashSet<usize> = HashSet::new();
    let mut is_whole = true;
    let first: Box<[Value]> = model.initial().into();
    seen.insert(first.clone());
    let count = |state: &[Value]| locations.iter().filter(|&&slot| state[slot] != 0).count();
    waiting[count(&first)].push(first);
    while let Some(state) = waiting.iter_mut().rev().find_map(Vec::pop) {
        there.extend(locations.iter().copied().filter(|&slot| state[slot] != 0));
        let is_full = seen.len() > MOST_STATES || seen.len().saturating_mul(state.len()) > MOST_SLOTS;
        if is_full || budget.is_spent() {
            return CreationSearch::Enough;
        }
        if !creates(&state) {
            continue;
        }
        successors.clear();
        if let Err(error) = stepper.all(&state, &mut successors) {
            if let EvalErrorKind::TooManyProcesses { process, pid } = error.kind {
                let ty = program.types.iter().position(|known| known.name == process);
                return CreationSearch::Missing((pid, ty.expect("BUG: a process without its type")));
            }
            if error.is_limit() {
                is_whole = false;
                budget.spend(MOST_STEPS / 10);
            }
            continue;
        }
        budget.spend((1 + successors.len() as u64) * (1 + state.len() / SLOTS_OF_A_UNIT) as u64);
        for successor in successors.iter() {
            if !seen.contains(successor.state) {
                let state: Box<[Value]> = successor.state.into();
                seen.insert(state.clone());
                waiting[count(&state)].push(state);
            }
        }
    }
    match is_whole {
        true => CreationSearch::All(there.into_iter().filter_map(pair).collect()),
        false => CreationSearch::Enough,
    }
}

/// The model with the processes that can be there.
pub(crate) fn create(
    source: &Arc<Source>,
    program: &Program,
    tables: &[MoveTable],
    most: usize,
) -> Result<CommandModel, Vec<Diagnostic>> {
    create_within(source, program, tables, most, Budget { left: MOST_WORK })
}

fn create_within(
    source: &Arc<Source>,
    program: &Program,
    tables: &[MoveTable],
    most: usize,
    mut budget: Budget,
) -> Result<CommandModel, Vec<Diagnostic>> {
    let build = |pairs: &BTreeSet<Pair>, budget: &mut Budget| {
        let commands = lower(source, program, tables, pairs);
        budget.spend(WORK_OF_COMMAND * commands.commands.len() as u64);
        CommandModel::new(commands).map_err(|error| vec![error.diagnostic()])
    };
    let mut elements = program.types.iter().flat_map(|process| &process.graph.elements);
    if !elements.any(|element| matches!(element.kind, Kind::Basic(Basic::Run { .. }))) {
        return build(&active(program), &mut budget);
    }
    let mut pairs = guess(program, tables, most);
    let creative = creative(program, tables);
    loop {
        let mut model = build(&pairs, &mut budget)?.with_most_steps(MOST_STEPS);
        let found = search(program, &creative, &model, &mut budget);
        model = model.with_most_steps(CommandModel::MOST_STEPS);
        match found {
            CreationSearch::All(there) if there == pairs => return Ok(model),
            CreationSearch::All(there) => return build(&there, &mut budget),
            CreationSearch::Enough => return Ok(model),
            CreationSearch::Missing((pid, _)) if pid >= most => return Ok(model),
            CreationSearch::Missing(pair) => {
                pairs.insert(pair);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each process starts two others: there is always one more that was not foreseen.
    const GROWING: &str = "
        proctype P(byte n) { if :: n > 0 -> run P(n - 1); run P(n - 1) :: else fi }
        init { run P(7) }
    ";

    fn slots(left: u64) -> usize {
        let source = Arc::new(Source::new("test.pml", GROWING));
        let (spec, _) = crate::parse(&source, &crate::Options::default()).expect("it parses");
        let (program, tables) = crate::elaborate::elaborate(&spec).expect("it has a meaning");
        let model = create_within(&source, &program, &tables, 255, Budget { left }).expect("it is a model");
        model.signature().slots.len()
    }

    #[test]
    fn work_alone_decides_how_many_slots_there_are() {
        let found: Vec<usize> = [0, 300, 1000, 3000, 10_000, 100_000].map(slots).to_vec();
        assert_eq!(found, [3, 7, 13, 19, 29, 69]);
    }

    /// What comes after a step that takes too long for the search is still foreseen.
    #[test]
    fn a_process_behind_a_long_step_has_slots() {
        let text = "
            int n; byte x;
            proctype P() { x = 1 }
            init { d_step { do :: n < 3000000 -> n++ :: else -> break od; n = 0 } run P() }
        ";
        let source = Arc::new(Source::new("test.pml", text));
        let loaded = crate::load(source, &language::LoadOptions::default()).expect("it is a model");
        let slots = &loaded.model.signature().slots;
        assert!(slots.iter().any(|slot| slot.name == "P[1]"), "{slots:?}");
    }
}
