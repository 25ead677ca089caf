//! The options of `bench`: lists of what is to be combined.

use std::path::PathBuf;

use clap::Args;

use cli::options::{Engine, Eval, Store, Switch, parse_seconds, parse_threads};
use machine::memory::parse_size;

use super::Measured;

/// `pinscher-lab bench`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Bench {
    /// Models, and folders to look for models in
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The files are dumps of decision diagrams, as Sylvan writes them: search them by bfs, chain and sat,
    /// without any language
    #[arg(long)]
    pub(crate) ldd: bool,
    /// Run Spin on files in Promela and the explicit engine on those that Pinscher reads, in the same minute,
    /// and tell how many times as fast as Spin it is
    #[arg(
        long,
        conflicts_with_all = ["ldd", "engine", "separate", "split_guards", "effects", "resume", "svg"],
    )]
    pub(crate) spin: bool,
    /// The engines that search
    #[arg(long, value_enum, value_name = "ENGINES", value_delimiter = ',', default_value = "symbolic")]
    pub(crate) engine: Vec<Engine>,
    /// The orders of the search, or all [default: the engine's own]
    #[arg(long, value_name = "STRATEGIES", value_delimiter = ',')]
    pub(crate) strategy: Vec<String>,
    /// Orders of slots and groups, or all [default: the engine's own]
    #[arg(long, value_name = "ORDERS", value_delimiter = ',')]
    pub(crate) reorder: Vec<String>,
    /// Symbolic: tell what a group reads from what it writes
    #[arg(long, value_enum, value_name = "SWITCHES", value_delimiter = ',')]
    pub(crate) separate: Vec<Switch>,
    /// Symbolic: ask guards on their own
    #[arg(long, value_enum, value_name = "SWITCHES", value_delimiter = ',')]
    pub(crate) split_guards: Vec<Switch>,
    /// Symbolic: apply groups that test and change each slot by itself as they are
    #[arg(long, value_enum, value_name = "SWITCHES", value_delimiter = ',')]
    pub(crate) effects: Vec<Switch>,
    /// Explicit: how states are kept [default: the engine's own; with --spin plain,tree]
    #[arg(long, value_enum, value_name = "STORES", value_delimiter = ',')]
    pub(crate) store: Vec<Store>,
    /// How models are run [default: auto]
    #[arg(long, value_enum, value_name = "EVALUATORS", value_delimiter = ',')]
    pub(crate) eval: Vec<Eval>,
    /// How many threads search [default: 1; with --spin 1,2]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = parse_threads)]
    pub(crate) threads: Vec<u32>,
    /// Stop each run after this many seconds
    #[arg(
        long,
        value_name = "SECS",
        default_value_t = 60.0,
        value_parser = parse_seconds,
        allow_negative_numbers = true,
    )]
    pub(crate) time: f64,
    /// Memory for each run: 200M, 2G, 1.5GiB [default: 80% of the machine's; for Spin 16000 MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Run only models whose path has this in it
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Make each run this many times; the one of median time counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Write a table with a line a run
    #[arg(long, value_name = "OUT")]
    pub(crate) csv: Option<PathBuf>,
    /// Go on with the table of --csv: what is in it is not run again
    #[arg(long)]
    pub(crate) resume: bool,
    /// Write scatter plots into this folder, one for each two values that were named and each measure
    #[arg(long, value_name = "DIR")]
    pub(crate) svg: Option<PathBuf>,
    /// No line for each run
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) measured: Measured,
}

impl Bench {
    /// The same with what is meant where nothing is said, as far as that depends on other options.
    pub(crate) fn filled(&self) -> Self {
        let mut options = self.clone();
        if options.spin {
            options.engine = vec![Engine::Explicit];
            if options.store.is_empty() {
                options.store = vec![Store::Plain, Store::Tree];
            }
        }
        if options.threads.is_empty() {
            options.threads = if options.spin { vec![1, 2] } else { vec![1] };
        }
        options
    }
}
