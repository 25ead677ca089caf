//! Composed transitions: one whose work others do in several firings. From just the tokens that it asks for,
//! a sequence of others leads to just what it leaves; so from every marking in which it is enabled they lead
//! where it leads, and the first of them is enabled there. It is left out: all markings and all deadlocks
//! stay. Where colours are unfolded, whoever takes three of a kind at once can often take one after the
//! other, and most of a net goes then. (Rule K of Bønneland et al. 2019 has a transition repeated; here it is
//! any sequence.)
//!
//! Inhibitor arcs are left alone: with them more tokens can do less.

use std::collections::{HashMap, HashSet};

use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::{FREE, Touch};

/// It is worth the while where there are so many transitions, …
const FEWEST: usize = 500;
/// … and so many times more than places.
const TIMES_PLACES: usize = 4;
/// Tokens are asked for in so many places at most: all sets of them are looked up.
const MOST_PLACES: usize = 6;
/// So many markings are tried.
const MOST_MARKINGS: usize = 64;
/// If none of so many transitions is composed, no other is tried.
const MOST_IN_VAIN: usize = 2_000;

/// Tokens by place, ascending, none zero.
type Tokens = Vec<(u32, u64)>;

pub(in crate::reduce) fn apply(work: &mut Work, stop: &dyn Fn() -> bool) {
    // The nets of tests are small.
    if !cfg!(test) && work.alive < FEWEST.max(TIMES_PLACES * work.places().count()) {
        return;
    }
    let is_plain = |touches: &[Touch]| touches.iter().all(|touch| touch.below == FREE);
    // By the places where tokens are asked for.
    let mut by_places: HashMap<Vec<u32>, Vec<u32>> = HashMap::new();
    let mut large: Vec<u32> = Vec::new();
    for (transition, step) in work.living().filter(|(_, step)| is_plain(&step.touches)) {
        let places: Vec<u32> = demand(&step.touches).map(|(place, _)| place).collect();
        if (1..=MOST_PLACES).contains(&places.len()) {
            if places.len() > 1 && step.touches.iter().any(|touch| touch.effect != 0) {
                large.push(transition);
            }
            by_places.entry(places).or_default().push(transition);
        }
    }
    // Those that do most are made of the others.
    large.sort_by_key(|&transition| std::cmp::Reverse(work.step(transition).touches.len()));
    let mut in_vain = 0;
    for (at, &transition) in large.iter().enumerate() {
        if in_vain >= MOST_IN_VAIN || at % 64 == 0 && stop() {
            return;
        }
        if is_composed(work, &by_places, transition) {
            work.kill(transition);
            work.applied.count(Reduction::Composed);
            in_vain = 0;
        } else {
            in_vain += 1;
        }
    }
}

fn demand(touches: &[Touch]) -> impl Iterator<Item = (u32, u64)> {
    touches.iter().filter(|touch| touch.demand > 0).map(|touch| (touch.place, touch.demand))
}

/// Whether others lead from what it asks for to what it leaves.
fn is_composed(work: &Work, by_places: &HashMap<Vec<u32>, Vec<u32>>, transition: u32) -> bool {
    let touches = &work.step(transition).touches;
    let start: Tokens = demand(touches).collect();
    let Some(goal) = fired(&start, touches) else { return false };
    let mut seen: HashSet<Tokens> = HashSet::from([start.clone()]);
    let mut waiting = vec![start];
    let mut places = Vec::new();
    while let Some(tokens) = waiting.pop() {
        if tokens.len() > MOST_PLACES {
            continue;
        }
        for set in 1..1_u32 << tokens.len() {
            places.clear();
            places.extend((0..tokens.len()).filter(|at| set >> at & 1 == 1).map(|at| tokens[at].0));
            for &other in by_places.get(&places).into_iter().flatten() {
                if other == transition || !work.step(other).alive {
                    continue;
                }
                let Some(after) = fired(&tokens, &work.step(other).touches) else { continue };
                if after == goal {
                    return true;
                }
                if seen.len() < MOST_MARKINGS && !seen.contains(&after) {
                    seen.insert(after.clone());
                    waiting.push(after);
                }
            }
        }
    }
    false
}

/// The tokens after a transition without inhibitor arcs, if they are enough.
fn fired(tokens: &Tokens, touches: &[Touch]) -> Option<Tokens> {
    let mut after = Tokens::with_capacity(tokens.len() + touches.len());
    let mut rest = tokens.iter().peekable();
    for touch in touches {
        while let Some(&here) = rest.next_if(|(place, _)| *place < touch.place) {
            after.push(here);
        }
        let here = rest.next_if(|(place, _)| *place == touch.place).map_or(0, |(_, tokens)| *tokens);
        if here < touch.demand {
            return None;
        }
        let left = here.checked_add_signed(touch.effect)?;
        if left > 0 {
            after.push((touch.place, left));
        }
    }
    after.extend(rest);
    Some(after)
}
