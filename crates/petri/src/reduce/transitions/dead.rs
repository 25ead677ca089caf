//! Dead transitions: those that take or read from places of the largest siphon without tokens. It is what is
//! left when all places are taken that can get a token if weights and inhibitor arcs are left out of account;
//! a siphon without tokens stays without (Commoner; Murata, *Petri Nets: Properties, Analysis and
//! Applications*, 1989). Also those that want more of a place than they allow.

use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;

pub(in crate::reduce) fn apply(work: &mut Work) {
    let mut marked = vec![false; work.records.len()];
    // How many places a transition waits for.
    let mut waits: Vec<usize> =
        work.steps.iter().map(|step| step.touches.iter().filter(|touch| touch.demand > 0).count()).collect();
    let demanding = work.index(|touch| touch.demand > 0);
    let mut queue: Vec<u32> = Vec::new();
    let mut ready: Vec<u32> = work.living().map(|(t, _)| t).filter(|&t| waits[t as usize] == 0).collect();
    for place in work.places() {
        if work.record(place).initial > 0 {
            marked[place as usize] = true;
            queue.push(place);
        }
    }
    loop {
        if let Some(transition) = ready.pop() {
            for touch in &work.step(transition).touches {
                if touch.effect > 0 && !marked[touch.place as usize] {
                    marked[touch.place as usize] = true;
                    queue.push(touch.place);
                }
            }
        } else if let Some(place) = queue.pop() {
            for &transition in demanding.of(place) {
                let waits = &mut waits[transition as usize];
                *waits -= 1;
                if *waits == 0 {
                    ready.push(transition);
                }
            }
        } else {
            break;
        }
    }
    for transition in 0..work.steps.len() as u32 {
        let step = work.step(transition);
        let torn = step.touches.iter().any(|touch| touch.demand >= touch.below);
        if step.alive && (torn || waits[transition as usize] > 0) {
            work.kill(transition);
            work.applied.count(Reduction::Dead);
        }
    }
}
