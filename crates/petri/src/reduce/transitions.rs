//! Reductions that take transitions away, or tests of them. Each is a file that says why the rule is right.

pub(super) mod always;
pub(super) mod arcs;
pub(super) mod composed;
pub(super) mod cone;
pub(super) mod dead;
pub(super) mod dominated;
pub(super) mod idle;
pub(super) mod repeated;
pub(super) mod same_transitions;
