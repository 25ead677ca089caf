//! A transition without tests is enabled in every marking: there is no deadlock. It stays alone, without
//! places.

use crate::reduce::rules::Reduction;
use crate::reduce::work::{Reconstruction, Work};

pub(in crate::reduce) fn apply(work: &mut Work) {
    let free =
        work.living().find(|(_, step)| step.touches.iter().all(|touch| !touch.tests())).map(|(t, _)| t);
    let Some(free) = free.filter(|_| work.alive > 1 || work.places().next().is_some()) else { return };
    for transition in (0..work.steps.len() as u32).filter(|&transition| transition != free) {
        work.kill(transition);
    }
    for place in work.places() {
        work.forget(place, Reconstruction::Lost);
    }
    work.applied.count(Reduction::Always);
}
