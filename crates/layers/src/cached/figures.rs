//! What a report tells of the cache below an engine.

/// What a cache of local transitions did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CacheFigures {
    /// The word for its kind: `off`, `thread` or `shared`.
    pub mode: &'static str,
    /// Why it is this kind, where nobody asked for one.
    pub why: Option<String>,
    /// Whether a trial showed it.
    pub is_measured: bool,
    /// Calls for a group that were looked up.
    pub asked: u64,
    /// Those that the cache answered.
    pub hits: u64,
    /// Most bytes that its tables held at a time.
    pub bytes: u64,
}

impl CacheFigures {
    /// The mode in which there is no cache.
    pub const OFF: &'static str = "off";

    /// There was no cache.
    pub fn none() -> Self {
        Self { mode: Self::OFF, why: None, is_measured: false, asked: 0, hits: 0, bytes: 0 }
    }
}
