//! The options of `compare`.

use std::path::PathBuf;

use clap::Args;

use cli::options::{Eval, Way, parse_define, parse_seconds};
use machine::memory::parse_size;

/// `pinscher-lab compare`.
#[derive(Args, Debug)]
pub(crate) struct Compare {
    /// Models in Promela, and folders to look for some in
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// In each file NAME stands for VALUE, or for 1
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]", value_parser = parse_define)]
    pub(crate) define: Vec<(String, String)>,
    /// Stop each search of a model after this many seconds
    #[arg(
        long,
        value_name = "SECS",
        default_value_t = 60.0,
        value_parser = parse_seconds,
        allow_negative_numbers = true,
    )]
    pub(crate) time: f64,
    /// Memory for each search: 200M, 2G, 1.5GiB [default: 80% of the machine's; for Spin 2000 MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// How models are run
    #[arg(long, value_enum, default_value_t = Eval::Auto)]
    pub(crate) eval: Eval,
    #[command(flatten)]
    pub(crate) way: Way,
    /// Print differences and the sums only
    #[arg(long)]
    pub(crate) quiet: bool,
}
