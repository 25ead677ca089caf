//! Constant places: one that no transition changes holds in every marking what it holds in the beginning. Its
//! tests are decided there and then: those that come out true go, a transition with one that comes out false
//! goes itself, and the place goes with the last test. The graph of markings stays as it is. (Rule "constant
//! place", Thierry-Mieg, *Structural Reductions Revisited*, PETRI NETS 2020.)

use crate::reduce::rules::Reduction;
use crate::reduce::work::touch::Touch;
use crate::reduce::work::{Reconstruction, Work};

pub(in crate::reduce) fn apply(work: &mut Work) {
    work.changed.clear();
    let mut queue: Vec<u32> = work.places().collect();
    while let Some(place) = queue.pop() {
        let record = work.record(place);
        let initial = record.initial;
        if record.reconstruction != Reconstruction::Here || record.producers + record.consumers > 0 {
            continue;
        }
        let mut all = true;
        for (transition, touch) in work.touching(place) {
            if touch.allows(initial) {
                work.retouch(transition, Touch::new(place));
            } else if work.may_kill() {
                work.kill(transition);
                // Places that only it changed are constant now.
                queue.append(&mut work.changed);
            } else {
                all = false;
            }
        }
        work.changed.clear();
        if all {
            work.forget(place, Reconstruction::Constant(initial));
            work.applied.count(Reduction::Constants);
        }
    }
}
