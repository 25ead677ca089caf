//! From a run of the reduced net to one of the net as it was: stage by stage back, see `log.rs`.

use crate::reduce::work::log::{Merge, Node, NodeIx, Snapshot, Stage};
use crate::reduce::work::touch::{Touch, renamed};

/// Runs that become longer are given up.
pub(in crate::reduce) const LONGEST: usize = 100_000_000;

/// Marks the start of the way a token is carried.
const NOBODY: u32 = u32::MAX;

/// The run as transitions of the net as it was. `original` is that net, wanted where the first stage has
/// endings.
pub(in crate::reduce) fn rebuild(
    stages: &[Stage],
    original: &Snapshot,
    run: Vec<NodeIx>,
) -> Option<Vec<u32>> {
    let mut run = run;
    for stage in stages.iter().rev() {
        let first = stage.first.iter().copied();
        let mut steps = expand(&stage.nodes, first.chain(run))?;
        if !stage.endings.is_empty() {
            let merged = stage.merge.as_ref().map(|merge| merged(&merge.before, &merge.becomes));
            finish(stage, merged.as_ref().unwrap_or(original), &mut steps)?;
        }
        let Some(merge) = &stage.merge else { return Some(steps) };
        run = carry(merge, &steps)?.into_iter().map(|step| merge.stands_for[step as usize]).collect();
    }
    None
}

/// The transitions that sequences stand for.
fn expand(nodes: &[Node], run: impl Iterator<Item = NodeIx>) -> Option<Vec<u32>> {
    let mut steps = Vec::new();
    let mut stack: Vec<(NodeIx, u64)> = Vec::new();
    for node in run {
        stack.push((node, 1));
        while let Some((node, times)) = stack.pop() {
            if times > 1 {
                stack.push((node, times - 1));
            }
            match nodes[node as usize] {
                Node::One(transition) => steps.push(transition),
                Node::Then(first, second) => stack.extend([(second, 1), (first, 1)]),
                Node::Times(sequence, times) => stack.push((sequence, times)),
            }
            if steps.len() > LONGEST {
                return None;
            }
        }
    }
    Some(steps)
}

/// Fires one if it can: false, and nothing done, if not.
fn fire(marking: &mut [u64], touches: &[Touch]) -> bool {
    if !touches.iter().all(|touch| touch.allows(marking[touch.place as usize])) {
        return false;
    }
    for touch in touches {
        let tokens = &mut marking[touch.place as usize];
        *tokens = tokens.wrapping_add_signed(touch.effect);
    }
    true
}

/// Appends what must still be fired for a deadlock.
fn finish(stage: &Stage, net: &Snapshot, steps: &mut Vec<u32>) -> Option<()> {
    let mut marking = net.initial.clone();
    for &step in steps.iter() {
        if !fire(&mut marking, &net.transitions[step as usize]) {
            return None;
        }
    }
    for &node in stage.endings.iter().rev().flatten() {
        let sequence = expand(&stage.nodes, [node].into_iter())?;
        loop {
            let mut after = Vec::new();
            let fires = sequence.iter().all(|&step| {
                let touches = &net.transitions[step as usize];
                // What it was, to go back where the sequence breaks off.
                after.extend(touches.iter().map(|touch| (touch.place, marking[touch.place as usize])));
                fire(&mut marking, touches)
            });
            if !fires {
                after.into_iter().rev().for_each(|(place, tokens)| marking[place as usize] = tokens);
                break;
            }
            steps.extend(&sequence);
            if steps.len() > LONGEST {
                return None;
            }
        }
    }
    Some(())
}

/// The net after a merge.
fn merged(before: &Snapshot, becomes: &[u32]) -> Snapshot {
    let mut initial = vec![0; before.initial.len()];
    for (place, tokens) in before.initial.iter().enumerate() {
        initial[becomes[place] as usize] += tokens;
    }
    let transitions = before.transitions.iter().map(|touches| renamed(touches, becomes)).collect();
    Snapshot { initial, transitions }
}

/// A run of the net after a merge as one of the net before: tokens are carried to where the next transition
/// wants them.
fn carry(merge: &Merge, steps: &[u32]) -> Option<Vec<u32>> {
    let Merge { before, becomes, moves, .. } = merge;
    let mut marking = before.initial.clone();
    let mut run = Vec::with_capacity(steps.len());
    for &step in steps {
        let touches = &before.transitions[step as usize];
        for touch in touches {
            while marking[touch.place as usize] < touch.demand {
                let way = way_to(moves, touch.place, |place| spare(&marking, touches, place) > 0)?;
                let from = way.first().map(|&(from, _)| from)?;
                let count = spare(&marking, touches, from).min(touch.demand - marking[touch.place as usize]);
                if becomes[from as usize] != becomes[touch.place as usize]
                    || run.len() as u64 + count > LONGEST as u64
                {
                    return None;
                }
                for _ in 0..count {
                    run.extend(way.iter().map(|(_, carrier)| *carrier));
                }
                marking[from as usize] -= count;
                marking[touch.place as usize] += count;
            }
        }
        if !fire(&mut marking, touches) || run.len() > LONGEST {
            return None;
        }
        run.push(step);
    }
    Some(run)
}

/// Tokens of a place that a transition does not ask for.
fn spare(marking: &[u64], touches: &[Touch], place: u32) -> u64 {
    let asked = touches.binary_search_by_key(&place, |touch| touch.place).map_or(0, |at| touches[at].demand);
    marking[place as usize].saturating_sub(asked)
}

/// The shortest way for a token from some place with one to spare: each place on it with the transition that
/// carries the token on.
fn way_to(moves: &[(u32, u32, u32)], goal: u32, has_spare: impl Fn(u32) -> bool) -> Option<Vec<(u32, u32)>> {
    // Places seen, each with the place that it carries to and by what; found backwards.
    let mut seen: Vec<(u32, u32, u32)> = vec![(goal, goal, NOBODY)];
    let mut at = 0;
    while let Some(&(place, ..)) = seen.get(at) {
        at += 1;
        let start = moves.partition_point(|&(_, to, _)| to < place);
        for &(from, _, carrier) in moves[start..].iter().take_while(|(_, to, _)| *to == place) {
            if seen.iter().any(|&(known, ..)| known == from) {
                continue;
            }
            seen.push((from, place, carrier));
            if has_spare(from) {
                let (mut way, mut here) = (Vec::new(), from);
                while here != goal {
                    let &(_, next, carrier) = seen.iter().find(|(place, ..)| *place == here)?;
                    way.push((here, carrier));
                    here = next;
                }
                return Some(way);
            }
        }
    }
    None
}
