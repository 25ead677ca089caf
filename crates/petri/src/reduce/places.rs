//! Reductions that take places away, or make them simpler. Each is a file that says why the rule is right.

pub(super) mod constants;
pub(super) mod implied;
pub(super) mod same_places;
pub(super) mod scaled;
pub(super) mod silent_cycles;
pub(super) mod untested;
