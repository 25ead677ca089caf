//! Runs: as text, as what Spin replays, and read back from JSON.

pub mod file;
pub mod spin_trail;
pub mod state;
pub mod text;
