//! The options of `corpus`.

use std::path::PathBuf;

use clap::Args;
use cli::options::{Arrange, Eval, Way, parse_count, parse_seconds};
use machine::memory::parse_size;

use super::Measured;

/// `pinscher-lab corpus`.
#[derive(Args, Debug)]
pub(crate) struct Corpus {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Run models of at most this many states
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3_000_000,
        value_parser = parse_count,
        allow_negative_numbers = true,
    )]
    pub(crate) max_states: u64,
    /// Test the matrices of models of at most this many states
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        value_parser = parse_count,
        allow_negative_numbers = true,
    )]
    pub(crate) check_matrices_up_to: u64,
    /// Stop each model after this many seconds
    #[arg(long, value_name = "SECS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// Memory for each net that is examined [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Make only this examination of nets
    #[arg(long, value_name = "NAME")]
    pub(crate) examination: Option<String>,
    /// Run only models whose path has this in it
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// How models are run
    #[arg(long, value_enum, default_value_t = Eval::Auto)]
    pub(crate) eval: Eval,
    #[command(flatten)]
    pub(crate) way: Way,
    #[command(flatten)]
    pub(crate) arrange: Arrange,
    /// Print differences and the sums only
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) measured: Measured,
}
