//! Places that no transition tests, and that the question does not look at: nothing depends on what they
//! hold. Markings that differ there only enable the same transitions. (Sink places: rule C of Bønneland,
//! Dyhr, Jensen, Johannsen & Srba, *Stubborn versus structural reductions for Petri nets*, JLAMP 2019.)

use crate::reduce::rules::Rule;
use crate::reduce::work::{Fate, Work};

pub(in crate::reduce) fn apply(work: &mut Work) {
    for place in work.places() {
        let spot = work.spot(place);
        if spot.demanders == 0 && spot.inhibited == 0 && !spot.seen {
            let fate = if spot.producers == 0 { Fate::Constant(spot.initial) } else { Fate::Lost };
            work.forget(place, fate);
            work.applied.count(Rule::Untested);
        }
    }
}
