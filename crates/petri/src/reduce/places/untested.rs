//! Places that no transition tests, and that the question does not look at: nothing depends on what they
//! hold. Markings that differ there only enable the same transitions. (Sink places: rule C of Bønneland,
//! Dyhr, Jensen, Johannsen & Srba, *Stubborn versus structural reductions for Petri nets*, JLAMP 2019.)

use crate::reduce::rules::Reduction;
use crate::reduce::work::{Reconstruction, Work};

pub(in crate::reduce) fn apply(work: &mut Work) {
    for place in work.places() {
        let record = work.record(place);
        if record.demanders == 0 && record.inhibited == 0 && !record.seen {
            let reconstruction = if record.producers == 0 {
                Reconstruction::Constant(record.initial)
            } else {
                Reconstruction::Lost
            };
            work.forget(place, reconstruction);
            work.applied.count(Reduction::Untested);
        }
    }
}
