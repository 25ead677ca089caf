//! What is known of an engine beside what it does.

use model::Calls;

/// What a planner has to know of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Profile {
    /// What users and reports call the engine.
    pub name: &'static str,
    /// What they call the order of its search.
    pub strategy: &'static str,
    /// How many threads search.
    pub threads: usize,
    /// The calls of the model that it lives by.
    pub calls: Calls,
    /// It sees every transition by itself, so that it can be observed.
    pub sees_transitions: bool,
    /// What the Model Checking Contest calls its technique.
    pub contest: &'static str,
    /// It lives by the order of slots and groups, and gains from merging groups and leaving some out.
    pub is_ordered: bool,
}
