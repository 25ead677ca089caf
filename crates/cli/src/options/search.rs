//! The options that say how to search: limits, engine, strategy, how slots and groups are arranged.

use clap::{Args, ValueEnum};
use layers::{Eliminate, Merge};

use machine::memory::parse_size;
use planner::{Reorder, Wishes};

use super::headings::{EXPERT, LIMITS, OUTPUT, SEARCH, SYMBOLIC};
use super::values::{parse_count, parse_reorder, parse_seconds, parse_threads};

/// How to search.
#[derive(Args, Debug)]
pub struct Search {
    /// Who searches, and in which order
    #[command(flatten)]
    pub way: Way,
    /// Memory for the whole process: 200M, 2G, 1.5GiB [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true, help_heading = LIMITS)]
    pub memory: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECS", value_parser = parse_seconds, allow_negative_numbers = true, help_heading = LIMITS)]
    pub time: Option<f64>,
    /// Stop after this many states
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, help_heading = LIMITS, hide_short_help = true)]
    pub states: Option<u64>,
    /// Go no deeper than this many steps
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, help_heading = LIMITS, hide_short_help = true)]
    pub depth: Option<u64>,
    /// How the model is run
    #[arg(long, value_enum, default_value_t = Eval::Auto, help_heading = EXPERT, hide_short_help = true)]
    pub eval: Eval,
    /// Remember local transitions, for models that are slow to run; takes up to a quarter of the memory
    #[arg(long, value_enum, num_args = 0..=1, default_value_t = Cache::Auto, default_missing_value = "on", help_heading = EXPERT, hide_short_help = true)]
    pub cache: Cache,
    /// Test the model's dependency matrices while it runs
    #[arg(long, help_heading = EXPERT, hide_short_help = true)]
    pub check_matrices: bool,
    /// How slots and groups are arranged
    #[command(flatten)]
    pub arrange: Arrange,
    /// No progress and no warnings
    #[arg(long, help_heading = OUTPUT)]
    pub quiet: bool,
}

/// Who searches, and in which order.
#[derive(Args, Clone, Copy, Debug)]
pub struct Way {
    /// The engine that searches
    #[arg(long, value_enum, default_value_t = Engine::Auto, help_heading = SEARCH)]
    pub engine: Engine,
    /// How many threads search; auto has one for each engine at least
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads, allow_negative_numbers = true, help_heading = SEARCH)]
    pub threads: u32,
    /// The order of the search [default: bfs, or sat with the symbolic engine]
    #[arg(long, value_enum, help_heading = SEARCH, hide_short_help = true)]
    pub strategy: Option<Strategy>,
    /// Explicit: how states are kept [default: tree]
    #[arg(long, value_enum, help_heading = SEARCH, hide_short_help = true)]
    pub store: Option<Store>,
    /// Symbolic: ask guards on their own, and groups only where all their guards are true
    /// [default: where groups are asked very often]
    #[arg(long, value_enum, help_heading = SYMBOLIC, hide_short_help = true)]
    pub split_guards: Option<Switch>,
    /// Symbolic: tell what a group reads from what it writes [default: on]
    #[arg(long, value_enum, help_heading = SYMBOLIC, hide_short_help = true)]
    pub separate: Option<Switch>,
    /// Symbolic: apply groups that test and change each slot by itself as they are, without learning them
    /// [default: on]
    #[arg(long, value_enum, help_heading = SYMBOLIC, hide_short_help = true)]
    pub effects: Option<Switch>,
}

/// How slots and groups are arranged.
#[derive(Args, Debug)]
pub struct Arrange {
    /// Put slots and groups in another order: none, reverse, random:SEED; or by their dependencies: auto,
    /// force, sloan, sloan-total, cm, cm-total, sort [default: none, or auto with the symbolic engine]
    #[arg(long, value_name = "ORDER", value_parser = parse_reorder, help_heading = EXPERT, hide_short_help = true)]
    reorder: Option<Reorder>,
    /// Take groups together that touch the same slots, or that touch no others than another one does
    /// [default: none]
    #[arg(long, value_enum, help_heading = EXPERT, hide_short_help = true)]
    merge: Option<MergeRows>,
    /// Leave out slots that never change, groups that do the same as another, and groups that change nothing
    /// [default: none; with the symbolic engine loops where only invariants are asked for, constants where
    /// actions are, else repeats]
    #[arg(long, value_enum, help_heading = EXPERT, hide_short_help = true)]
    eliminate: Option<LeaveOut>,
}

impl Arrange {
    /// Whether anything of it is asked for.
    pub fn is_given(&self) -> bool {
        let Self { reorder, merge, eliminate } = self;
        reorder.is_some() || merge.is_some() || eliminate.is_some()
    }

    /// What the options mean.
    pub fn wanted(&self) -> Wishes {
        let merge = self.merge.map(|merge| match merge {
            MergeRows::None => Merge::None,
            MergeRows::Equal => Merge::Equal,
            MergeRows::Subsume => Merge::Subsume,
        });
        let eliminate = self.eliminate.map(|eliminate| match eliminate {
            LeaveOut::None => Eliminate::Nothing,
            LeaveOut::Constants => Eliminate::Constants,
            LeaveOut::Repeats => Eliminate::ConstantsAndRepeats,
            LeaveOut::Loops => Eliminate::ConstantsAndLoops,
        });
        Wishes { reorder: self.reorder, merge, eliminate, favourite: None }
    }
}

/// The engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    /// Explicit, and where that takes longer than a moment both at the same time until one has the answer
    Auto,
    /// State by state
    Explicit,
    /// Sets of states by decision diagrams
    Symbolic,
}

/// The orders of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Strategy {
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
    /// Groups that are about the last slots first, until nothing is new; down again whenever those above find
    /// something
    SatLike,
    /// The same, but down again only from the top
    SatLoop,
    /// Saturation, with relations learned between the rounds
    SatFix,
    /// Saturation, with relations learned on the way
    Sat,
}

/// The ways to keep states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Store {
    /// Each one whole: the fastest
    Plain,
    /// Parts that states have in common once: less memory
    Tree,
    /// A hash of each: states may be left out, so nothing is said to hold
    Hash,
    /// A few bits for each: the same with even less memory
    Bits,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Switch {
    /// Do it
    On,
    /// Do not
    Off,
}

/// The ways to run a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Eval {
    /// The fastest there is
    Auto,
    /// The interpreter
    Interpret,
    /// Machine code
    Compile,
}

/// Who remembers local transitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Cache {
    /// Whichever a short trial shows to be clearly faster
    Auto,
    /// Nobody
    Off,
    /// Each thread for itself
    Thread,
    /// All threads together
    Shared,
    /// All threads together if there are several
    On,
}

/// The groups that are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MergeRows {
    /// None
    None,
    /// Those with equal rows in the dependency matrix
    Equal,
    /// Those whose rows are below another one, too
    Subsume,
}

/// The slots and groups that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LeaveOut {
    /// None
    None,
    /// Slots that no group writes
    Constants,
    /// These, and groups that do the same as another, whose steps count for both: not with --action or lts
    Repeats,
    /// All these, and groups that change nothing and never fail: not with --deadlock, --action or lts, and
    /// count tells no transitions and deadlocks
    Loops,
}
