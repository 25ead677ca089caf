//! Which processes can be there: pairs of a number and a type.
//!
//! Those that run from the start are known. For others a guess comes first: each `run` outside of loops is
//! done once, in the order of the text. Then the model itself is asked, in a search of its *creative* prefix
//! (Blom, van de Pol and Weber's PINS, section IV.B): only states in which a process may still start another
//! one are looked at, those with many processes first. It meets a process that was not foreseen as an error,
//! and starts again with it. What the search does not get to is found out by the real one, which then says
//! that it does not know.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Diagnostic, Source};
use commands::CommandModel;
use model::{EvalErrorKind, Model, SlotRole, Successors, Value};

use crate::flow::table::{Move, Table};
use crate::flow::{ElementIx, Kind};
use crate::lower::lower;
use crate::program::{ProcessType, Program};
use crate::resolved::Basic;
use crate::world::Pair;

/// What the search may take.
const MOST_STATES: usize = 1_000_000;
const MOST_TIME: Duration = Duration::from_secs(3);

/// The processes that run from the start.
fn active(program: &Program) -> BTreeSet<Pair> {
    let types = program.types.iter().enumerate();
    types.flat_map(|(ty, process)| std::iter::repeat_n(ty, process.active)).enumerate().collect()
}

/// Places from which a process can come back to where it was.
fn in_loops(table: &Table) -> HashSet<ElementIx> {
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
fn guess(program: &Program, tables: &[Table], most: usize) -> BTreeSet<Pair> {
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

/// What a short search finds.
enum Found {
    /// All states, and the processes that were there.
    All(BTreeSet<Pair>),
    /// As many states as it may look at.
    Enough,
    /// A process that is not foreseen.
    Missing(Pair),
}

/// Places from which a process can come to a `run`, by their numbers.
fn creative(program: &Program, tables: &[Table]) -> Vec<Vec<bool>> {
    let of = |(process, table): (&ProcessType, &Table)| {
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

fn search(program: &Program, creative: &[Vec<bool>], model: &CommandModel, until: Instant) -> Found {
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
    let first: Box<[Value]> = model.initial().into();
    seen.insert(first.clone());
    let count = |state: &[Value]| locations.iter().filter(|&&slot| state[slot] != 0).count();
    waiting[count(&first)].push(first);
    while let Some(state) = waiting.iter_mut().rev().find_map(Vec::pop) {
        there.extend(locations.iter().copied().filter(|&slot| state[slot] != 0));
        if seen.len() > MOST_STATES || Instant::now() > until {
            return Found::Enough;
        }
        if !creates(&state) {
            continue;
        }
        successors.clear();
        if let Err(error) = stepper.all(&state, &mut successors) {
            if let EvalErrorKind::TooManyProcesses { process, pid } = error.kind {
                let ty = program.types.iter().position(|known| known.name == process);
                return Found::Missing((pid, ty.expect("BUG: a process without its type")));
            }
            continue;
        }
        for successor in successors.iter() {
            if !seen.contains(successor.state) {
                let state: Box<[Value]> = successor.state.into();
                seen.insert(state.clone());
                waiting[count(&state)].push(state);
            }
        }
    }
    Found::All(there.into_iter().filter_map(pair).collect())
}

/// The model with the processes that can be there.
pub(crate) fn create(
    source: &Arc<Source>,
    program: &Program,
    tables: &[Table],
    most: usize,
) -> Result<CommandModel, Vec<Diagnostic>> {
    let build = |pairs: &BTreeSet<Pair>| {
        CommandModel::new(lower(source, program, tables, pairs)).map_err(|error| vec![error.diagnostic()])
    };
    let runs = program.types.iter().flat_map(|process| &process.graph.elements);
    let runs = runs.filter(|element| matches!(element.kind, Kind::Basic(Basic::Run { .. }))).count() > 0;
    if !runs {
        return build(&active(program));
    }
    let until = Instant::now() + MOST_TIME;
    let mut pairs = guess(program, tables, most);
    let creative = creative(program, tables);
    loop {
        let model = build(&pairs)?;
        match search(program, &creative, &model, until) {
            Found::All(there) if there == pairs => return Ok(model),
            Found::All(there) => return build(&there),
            Found::Enough => return Ok(model),
            Found::Missing((pid, _)) if pid >= most => return Ok(model),
            Found::Missing(pair) => {
                pairs.insert(pair);
            }
        }
    }
}
