//! The command line: one table of every option with its values, default and help. Parsing, `--help` and the
//! tests are made from it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use layers::{Eliminate, Merge};

use crate::arrangement::{ORDERS, Reorder, Wishes};
use crate::languages::LANGUAGES;
use crate::memory::parse_size;

/// Everything that can be said on the command line.
#[derive(Parser, Debug)]
#[command(name = "pinscher", version, about = "Checks models of concurrent systems", after_help = overview())]
pub struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

fn overview() -> String {
    let languages: String = LANGUAGES
        .iter()
        .map(|language| format!("  {:<5} {} (.{})\n", language.name, language.about, language.extensions.join(", .")))
        .collect();
    format!(
        "Exit codes: 0 holds or done, 1 violated or different, 2 wrong usage or model, 3 unknown\n\n\
         Languages:\n{languages}\n\
         Examples:\n  \
         pinscher check models/philosophers.5.dve\n  \
         pinscher check models/crossing.dve --invariant 'not (North.green and East.green)'\n  \
         pinscher help check"
    )
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check properties of a model: all that the file states, or those that are named
    #[command(after_help = "\
Examples:
  pinscher check models/account.dve                      all that the file states: no deadlock, assertions
  pinscher check models/crossing.dve --invariant 'not (North.green and East.green)' --time 60
  pinscher check models/philosophers.5.dve --deadlock --json", after_long_help = check_help())]
    Check(Check),
    /// Count states, transitions, levels and deadlocks
    #[command(after_help = "\
Examples:
  pinscher count models/tickets.5.dve
  pinscher count models/tickets.5.dve --strategy dfs --memory 2G --json
  pinscher count models/tickets.5.dve --engine symbolic --reorder auto")]
    Count(Count),
    /// Show what a model looks like to the engines
    #[command(after_help = "\
Examples:
  pinscher show models/crossing.dve                slots, guards, labels
  pinscher show models/crossing.dve --matrix       who reads (r) and writes (w, W) what; + is both
  pinscher show models/crossing.dve --matrix --reorder auto --merge subsume
  pinscher show models/crossing.dve --svg matrix.svg
  pinscher show models/tickets.3.dve --nodes nodes.svg --reorder reverse")]
    Show(Show),
    /// Run a model step by step: by hand, at random, or along a witness
    #[command(after_help = "\
Examples:
  pinscher simulate models/crossing.dve
  pinscher simulate models/tickets.5.dve --random 20 --seed 7
  pinscher check models/account.dve --json > report.json; pinscher simulate models/account.dve --along report.json
  printf '1\\n2\\nt\\n' | pinscher simulate models/crossing.dve")]
    Simulate(Simulate),
    /// Write the transition system itself to a file
    #[command(after_help = "\
Examples:
  pinscher lts models/crossing.dve -o crossing.etf")]
    Lts(Lts),
    /// Run all models of a folder with known answers and compare
    #[command(after_help = "\
The folder has expected.csv, and perhaps disputed.csv, with the columns model, property, expected, source, formula, note.

Examples:
  pinscher corpus models/dve
  pinscher corpus models/dve --max-states 100000 --time 60
  pinscher corpus models/dve --engine symbolic --strategy chain-prev")]
    Corpus(Corpus),
    /// Run models in every combination of engines, strategies, orders and switches, and compare
    #[command(after_help = "\
Lists are written with commas; all stands for every strategy or order. Each run is a process of its own. Runs that disagree
about a model make the exit code 1.

Examples:
  pinscher bench models --strategy bfs-prev,chain-prev,sat --time 60
  pinscher bench models/tickets.3.dve --strategy all --reorder none,auto
  pinscher bench models --separate off,on --split-guards off,on --csv runs.csv --svg plots
  pinscher bench models --engine explicit,symbolic --repeat 3 --csv runs.csv --resume
  pinscher bench --ldd dumps --threads 1,2")]
    Bench(Bench),
}

impl Command {
    /// Whether the report is one JSON object.
    pub(crate) fn json(&self) -> bool {
        match self {
            Self::Check(options) => options.json,
            Self::Count(options) => options.json,
            Self::Show(_) | Self::Simulate(_) | Self::Lts(_) | Self::Corpus(_) | Self::Bench(_) => false,
        }
    }
}

fn check_help() -> String {
    format!(
        "Predicates (--invariant):\n{}\n\
         The name of a state label of the model, which `pinscher show` lists, is taken as that label: it is never zero.\n\
         Only @FILE reads a file. A slot with the name of a label goes in parentheses.\n\n\
         Examples:\n  \
         pinscher check models/account.dve                      all that the file states: no deadlock, assertions\n  \
         pinscher check models/crossing.dve --invariant 'not (North.green and East.green)' --time 60\n  \
         pinscher check models/philosophers.5.dve --invariant 'Philosopher(0).eating -> taken[0] == 1'\n  \
         pinscher check models/crossing.dve --invariant @never.inv   the predicate stands in a file\n  \
         pinscher check models/account.dve --invariant 'assert Auditor.counting: balance == booked'\n  \
         pinscher check models/tickets.5.dve --action 'T1.inside->*'   no such action ever happens\n  \
         pinscher check models/philosophers.5.dve --deadlock --json",
        logic::SYNTAX
    )
}

/// The model file.
#[derive(Args, Debug)]
pub(crate) struct Input {
    /// The model
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The language of the file, if its name does not tell
    #[arg(long, value_name = "NAME")]
    pub(crate) lang: Option<String>,
    /// Let the model's property process move along, as DiVinE counts states
    #[arg(long)]
    pub(crate) with_property: bool,
}

/// How to search.
#[derive(Args, Debug)]
pub(crate) struct Search {
    #[command(flatten)]
    pub(crate) way: Way,
    /// Memory for the whole process: 200M, 2G, 1.5GiB [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// Stop after this many states
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub(crate) states: Option<u64>,
    /// Go no deeper than this many steps
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub(crate) depth: Option<u64>,
    /// How the model is run
    #[arg(long, value_enum, default_value_t = Eval::Auto)]
    pub(crate) eval: Eval,
    /// Remember local transitions: for languages that are slow to run
    #[arg(long)]
    pub(crate) cache: bool,
    /// Test the model's dependency matrices while it runs
    #[arg(long)]
    pub(crate) check_matrices: bool,
    #[command(flatten)]
    pub(crate) arrange: Arrange,
    /// No progress and no warnings
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Who searches, and in which order.
#[derive(Args, Debug)]
pub(crate) struct Way {
    /// The engine that searches
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub(crate) engine: Engine,
    /// How many threads search; the explicit engine takes 1 for now
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: u32,
    /// The order of the search [default: bfs, or sat with the symbolic engine]
    #[arg(long, value_enum)]
    pub(crate) strategy: Option<Strategy>,
    /// Symbolic: ask guards on their own, and groups only where all their guards are true [default: where groups are asked very
    /// often]
    #[arg(long, value_enum)]
    pub(crate) split_guards: Option<Switch>,
    /// Symbolic: tell what a group reads from what it writes [default: on]
    #[arg(long, value_enum)]
    pub(crate) separate: Option<Switch>,
    /// Symbolic: apply groups that test and change each slot by itself as they are, without learning them [default: on]
    #[arg(long, value_enum)]
    pub(crate) effects: Option<Switch>,
}

/// How slots and groups are arranged.
#[derive(Args, Debug)]
pub(crate) struct Arrange {
    /// Put slots and groups in another order: none, reverse, random:SEED; or by their dependencies: auto, force, sloan,
    /// sloan-total, cm, cm-total, sort [default: none, or auto with the symbolic engine]
    #[arg(long, value_name = "ORDER", value_parser = parse_reorder)]
    reorder: Option<Reorder>,
    /// Take groups together that touch the same slots, or that touch no others than another one does [default: none]
    #[arg(long, value_enum)]
    merge: Option<MergeRows>,
    /// Leave out slots that never change [default: none, or constants with the symbolic engine]
    #[arg(long, value_enum)]
    eliminate: Option<LeaveOut>,
}

impl Arrange {
    /// What the options mean.
    pub(crate) fn wanted(&self) -> Wishes {
        let merge = self.merge.map(|merge| match merge {
            MergeRows::None => Merge::None,
            MergeRows::Equal => Merge::Equal,
            MergeRows::Subsume => Merge::Subsume,
        });
        let eliminate = self.eliminate.map(|eliminate| match eliminate {
            LeaveOut::None => Eliminate::Nothing,
            LeaveOut::Constants => Eliminate::Constants,
        });
        Wishes { reorder: self.reorder, merge, eliminate }
    }
}

/// `pinscher check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: Input,
    /// No state is without successors
    #[arg(long)]
    pub(crate) deadlock: bool,
    /// The predicate, or the state label with this name, is true in every state; @FILE reads the predicate from a file
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) invariant: Vec<String>,
    /// No action with this name happens; * stands for anything
    #[arg(long, value_name = "NAME")]
    pub(crate) action: Vec<String>,
    /// The property in this file holds: a predicate in a file that ends in .inv; other logics are not there yet
    #[arg(long, value_name = "FILE")]
    pub(crate) property: Vec<PathBuf>,
    /// Go on after a violation, until all states are seen
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) search: Search,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `pinscher count`.
#[derive(Args, Debug)]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) search: Search,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `pinscher show`.
#[derive(Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Each group with its guards, its place, what it reads and writes
    #[arg(long)]
    pub(crate) groups: bool,
    /// The dependency matrix as text
    #[arg(long)]
    pub(crate) matrix: bool,
    /// Write the dependency matrix as a picture
    #[arg(long, value_name = "OUT")]
    pub(crate) svg: Option<PathBuf>,
    /// Search symbolically and write a picture of the nodes at each slot: a bad order can be seen
    #[arg(long, value_name = "OUT")]
    pub(crate) nodes: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) way: Way,
    /// Memory for the whole process when --nodes searches [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Stop the search of --nodes after this many seconds
    #[arg(long, value_name = "SECS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    #[command(flatten)]
    pub(crate) arrange: Arrange,
}

/// `pinscher simulate`.
#[derive(Args, Debug)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Where random choices begin
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_count, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Take this many random steps first
    #[arg(long, value_name = "STEPS", value_parser = parse_count, allow_negative_numbers = true)]
    pub(crate) random: Option<u64>,
    /// A report of `check --json` whose witness the command w follows
    #[arg(long, value_name = "WITNESS.json")]
    pub(crate) along: Option<PathBuf>,
}

/// `pinscher lts`.
#[derive(Args, Debug)]
pub(crate) struct Lts {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The file to write; its name tells the format: .etf
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) search: Search,
}

/// `pinscher corpus`.
#[derive(Args, Debug)]
pub(crate) struct Corpus {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Run models of at most this many states
    #[arg(long, value_name = "N", default_value_t = 3_000_000, value_parser = parse_count, allow_negative_numbers = true)]
    pub(crate) max_states: u64,
    /// Test the matrices of models of at most this many states
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = parse_count, allow_negative_numbers = true)]
    pub(crate) check_matrices_up_to: u64,
    /// Stop each model after this many seconds
    #[arg(long, value_name = "SECS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// Run only models whose path has this in it
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    #[command(flatten)]
    pub(crate) way: Way,
    #[command(flatten)]
    pub(crate) arrange: Arrange,
    /// Print differences and the sums only
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// `pinscher bench`.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Models, and folders to look for models in
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The files are dumps of decision diagrams, as Sylvan writes them: search them by bfs, chain and sat, without any language
    #[arg(long)]
    pub(crate) ldd: bool,
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
    /// How many threads search
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "1", value_parser = parse_threads)]
    pub(crate) threads: Vec<u32>,
    /// Stop each run after this many seconds
    #[arg(long, value_name = "SECS", default_value_t = 60.0, value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: f64,
    /// Memory for each run: 200M, 2G, 1.5GiB [default: 80% of the machine's]
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
}

/// The engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Engine {
    /// Explicit, and where that takes long both in turns until one has the answer
    Auto,
    /// State by state
    Explicit,
    /// Sets of states by decision diagrams
    Symbolic,
}

/// The orders of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Strategy {
    /// Breadth first
    Bfs,
    /// Depth first; explicit only. All others give shortest witnesses
    Dfs,
    /// Breadth first from the last level alone; this and the following symbolic only
    BfsPrev,
    /// Group by group, each going on from what the ones before it found
    Chain,
    /// The same from the last round alone
    ChainPrev,
    /// Groups that are about the last slots first, until nothing is new; down again whenever those above find something
    SatLike,
    /// The same, but down again only from the top
    SatLoop,
    /// Saturation, with relations learned between the rounds
    SatFix,
    /// Saturation, with relations learned on the way
    Sat,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Switch {
    /// Do it
    On,
    /// Do not
    Off,
}

/// The ways to run a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Eval {
    /// The fastest there is
    Auto,
    /// The interpreter
    Interpret,
    /// Machine code; not there yet
    Compile,
}

/// The groups that are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MergeRows {
    /// None
    None,
    /// Those with equal rows in the dependency matrix
    Equal,
    /// Those whose rows are below another one, too
    Subsume,
}

/// The slots that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LeaveOut {
    /// None
    None,
    /// Those that no group writes
    Constants,
}

/// A number of states, steps or the like.
fn parse_count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if !text.is_empty() => format!("the greatest number is {}", u64::MAX),
        _ => "write a whole number such as 1000000".into(),
    })
}

fn parse_threads(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("write a number of threads, 1 or more".into()),
        Ok(threads) => Ok(threads),
    }
}

pub(crate) fn parse_reorder(text: &str) -> Result<Reorder, String> {
    if let Some(&(_, order)) = ORDERS.iter().find(|(name, _)| *name == text) {
        return Ok(Reorder::By(order));
    }
    match text.split_once(':') {
        None if text == "none" => Ok(Reorder::None),
        None if text == "reverse" => Ok(Reorder::Reverse),
        Some(("random", seed)) => {
            seed.parse().map(Reorder::Random).map_err(|_| format!("`{seed}` is no seed; write random:7"))
        }
        _ => {
            let orders: Vec<&str> = ORDERS.iter().map(|(name, _)| *name).collect();
            Err(format!("write none, reverse, random:SEED, {}", orders.join(", ")))
        }
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds such as 60 or 0.5")?;
    // The limit keeps the number inside what a duration can hold.
    if (0.0..=1e9).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("write a number of seconds between 0 and 1000000000".into())
    }
}
