//! Places between which single tokens move freely: there are transitions that take one token from p and give
//! one to q and do nothing else, and a way of such transitions back. Wherever tokens lie in such a component
//! they can be anywhere else in it, so what counts is how many there are: the places become one, and a
//! transition asks of it what it asked of all of them together. The question must not look at them, nor an
//! inhibitor arc. For a run, tokens are carried to where they are wanted.
//!
//! A component with a token has no deadlock, as the token can move. The moves stay behind as transitions
//! without effect that want one token, so deadlocks stay the same as well; where only reachability counts the
//! rule for idle ones takes them. (Thierry-Mieg 2020: free strongly connected components.)

use crate::reduce::rules::Reduction;
use crate::reduce::work::log::{Merge, Snapshot, Stage};
use crate::reduce::work::touch::{LARGE, renamed};
use crate::reduce::work::{Reconstruction, Work};

/// `unit` says of which unit of a nested-unit net a place is.
pub(in crate::reduce) fn apply(work: &mut Work, unit: &[usize]) {
    let mut moves: Vec<(u32, u32, u32)> = Vec::new();
    for (transition, step) in work.living() {
        let [a, b] = step.touches[..] else { continue };
        let free = |place: u32| !work.record(place).seen && work.record(place).inhibited == 0;
        let pair = match (a.only_takes(), b.only_gives(), b.only_takes(), a.only_gives()) {
            (Some(1), Some(1), _, _) => (a.place, b.place),
            (_, _, Some(1), Some(1)) => (b.place, a.place),
            _ => continue,
        };
        if free(pair.0) && free(pair.1) {
            moves.push((pair.0, pair.1, transition));
        }
    }
    let becomes = components(work.records.len(), &moves);
    // Sums must stay small enough; one that is too large is left as it is.
    let mut sums = vec![0u64; becomes.len()];
    for place in work.places() {
        let sum = &mut sums[becomes[place as usize] as usize];
        *sum = sum.saturating_add(work.record(place).initial);
    }
    let weights = work.living().flat_map(|(_, step)| &step.touches);
    let heaviest = weights.map(|touch| touch.demand.max(touch.effect.unsigned_abs())).max().unwrap_or(0);
    if heaviest.checked_mul(becomes.len() as u64).is_none_or(|most| most >= LARGE)
        || sums.iter().any(|&sum| sum >= LARGE)
    {
        return;
    }
    let merged: Vec<u32> = work.places().filter(|&place| becomes[place as usize] != place).collect();
    if merged.is_empty() {
        return;
    }
    moves.retain(|&(from, to, _)| becomes[from as usize] == becomes[to as usize]);
    moves.sort_unstable_by_key(|&(from, to, transition)| (to, from, transition));
    work.units_broken |=
        merged.iter().any(|&place| unit[place as usize] != unit[becomes[place as usize] as usize]);
    write_down(work, &becomes, moves);
    for transition in 0..work.steps.len() as u32 {
        let step = work.step(transition);
        if step.touches.iter().any(|touch| becomes[touch.place as usize] != touch.place) {
            let touches = renamed(&step.touches, &becomes);
            work.replace(transition, touches);
        }
    }
    for place in merged {
        let initial = work.record(place).initial;
        work.records[becomes[place as usize] as usize].initial += initial;
        work.forget(place, Reconstruction::Lost);
        work.applied.count(Reduction::SilentCycles);
    }
}

/// The net as it is goes into the log; transitions stand for themselves from now on.
fn write_down(work: &mut Work, becomes: &[u32], moves: Vec<(u32, u32, u32)>) {
    if !work.log.keep {
        return;
    }
    let before = Snapshot {
        initial: work.records.iter().map(|record| record.initial).collect(),
        transitions: work.steps.iter().map(|step| step.touches.clone()).collect(),
    };
    let stands_for = work.steps.iter().map(|step| step.stands_for).collect();
    let merge = Merge { before, stands_for, becomes: becomes.to_vec(), moves };
    work.log.stages.push(Stage { merge: Some(merge), ..Stage::default() });
    for number in 0..work.steps.len() {
        if work.steps[number].alive {
            work.steps[number].stands_for = work.log.one(number as u32);
        }
    }
}

/// For each place the least of its strongly connected component: Tarjan's algorithm with a stack of its own.
fn components(places: usize, moves: &[(u32, u32, u32)]) -> Vec<u32> {
    let mut edges: Vec<(u32, u32)> = moves.iter().map(|&(from, to, _)| (from, to)).collect();
    edges.sort_unstable();
    edges.dedup();
    let start = |place: u32| edges.partition_point(|&(from, _)| from < place);
    let mut becomes: Vec<u32> = (0..places as u32).collect();
    const NEW: u32 = u32::MAX;
    let (mut number, mut low, mut done) = (vec![NEW; places], vec![NEW; places], vec![false; places]);
    let (mut next, mut open) = (0, Vec::new());
    for &(root, _) in &edges {
        if number[root as usize] != NEW {
            continue;
        }
        let mut stack = vec![(root, start(root))];
        while let Some((place, at)) = stack.last_mut() {
            let (here, place) = (*place as usize, *place);
            if number[here] == NEW {
                (number[here], low[here]) = (next, next);
                next += 1;
                open.push(place);
            }
            if let Some(&(_, to)) = edges.get(*at).filter(|(from, _)| *from == place) {
                *at += 1;
                let there = to as usize;
                if number[there] == NEW {
                    stack.push((to, start(to)));
                } else if !done[there] {
                    low[here] = low[here].min(number[there]);
                }
                continue;
            }
            stack.pop();
            if let Some((above, _)) = stack.last() {
                low[*above as usize] = low[*above as usize].min(low[here]);
            }
            if low[here] == number[here] {
                let first =
                    open.iter().rposition(|&other| other == place).unwrap_or_else(|| panic!("BUG: not open"));
                let least = open[first..].iter().copied().min().unwrap_or(place);
                for member in open.drain(first..) {
                    done[member as usize] = true;
                    becomes[member as usize] = least;
                }
            }
        }
    }
    becomes
}
