//! What a search came to.

use engine::{Profile, Report};
use layers::CacheFigures;

/// What a search came to, and whose it is.
pub struct Searched {
    /// The report, in the slots of the plain model.
    pub report: Report,
    /// The place of the engine among those of the plan.
    pub engine: usize,
    /// What there is to say of the engine.
    pub profile: Profile,
    /// Why it was this engine, where nobody asked for one.
    pub why: Option<&'static str>,
    /// What the cache of local transitions below the engine did.
    pub cache: CacheFigures,
}
