//! The command line: one table of every option with its values, default and help. Parsing, `--help` and the
//! tests are made from it.

mod colour;
mod documents;
mod headings;
mod method;
mod reduce;
mod search;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use machine::memory::parse_size;
use pinscher::LANGUAGES;

pub(crate) use colour::Colour;
pub(crate) use documents::{Completions, Man};
pub(crate) use headings::{MODEL, OUTPUT, QUESTIONS};
pub(crate) use reduce::{Equivalence, Reduce};
pub use search::{Arrange, Cache, Engine, Eval, Search, Store, Strategy, Switch, Way};
pub use values::{parse_count, parse_define, parse_processes, parse_reorder, parse_seconds, parse_threads};

/// Everything that can be said on the command line.
#[derive(Parser, Debug)]
#[command(name = "pinscher", version, about = "Checks models of concurrent systems", after_help = overview())]
pub struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colour verdicts and messages: auto (on a terminal), always, never
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN", help_heading = OUTPUT, hide_possible_values = true)]
    pub(crate) color: Colour,
}

fn overview() -> String {
    let languages: String = LANGUAGES
        .iter()
        .map(|language| {
            format!("  {:<5} {} (.{})\n", language.name, language.about, language.extensions.join(", ."))
        })
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
  pinscher check models/sliding.window.pml -D NUMBERS=2 --chart --spin-trail
  pinscher check models/philosophers.5.dve --deadlock --json", after_long_help = check_help())]
    Check(Check),
    /// Count states, transitions, levels and deadlocks
    #[command(after_help = "\
Examples:
  pinscher count models/tickets.5.dve
  pinscher count models/tickets.5.dve --strategy dfs --memory 2G --json
  pinscher count models/tickets.5.dve --engine symbolic --reorder auto")]
    Count(Count),
    /// Write a script that completes command lines in a shell
    #[command(after_help = "\
Examples:
  pinscher completions bash > pinscher.bash
  pinscher completions zsh")]
    Completions(Completions),
    /// Write the manual pages
    #[command(after_help = "\
Examples:
  pinscher man check > pinscher-check.1
  pinscher man --dir .")]
    Man(Man),
    /// Show what a model looks like to the engines
    #[command(after_help = "\
Examples:
  pinscher show models/crossing.dve                slots, guards, labels
  pinscher show models/crossing.dve --matrix       who reads (r) and writes (w, W) what; + is both
  pinscher show models/crossing.dve --matrix --reorder auto --merge subsume
  pinscher show models/crossing.dve --svg matrix.svg
  pinscher show net.pnml --svg net.svg             places, transitions and tokens; with --matrix, the matrix
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
  pinscher lts models/crossing.dve -o crossing.aut
  pinscher lts models/crossing.dve -o - | head
  pinscher lts models/crossing.dve -o crossing.etf")]
    Lts(Lts),
    /// Reduce a transition system modulo an equivalence
    #[command(after_help = "\
The input is a file that ends in .aut, - for the standard input, or a model, whose transition system is then made first. What remains has one
initial state, 0, and only states that can be reached.

Examples:
  pinscher reduce system.aut -e strong -o small.aut
  pinscher reduce models/tickets.3.dve -e strong --json
  pinscher lts models/crossing.dve -o - --quiet | pinscher reduce - -o -")]
    Reduce(Reduce),
    /// Examine a net as in the Model Checking Contest
    #[command(after_help = "\
The folder has model.pnml, and a file of formulas for each examination that has some. Each answer is printed as soon as it is known, in the words of
the contest. BK_TIME_CONFINEMENT (seconds) and BK_MEMORY_CONFINEMENT (megabytes) are obeyed where no option says otherwise. The examinations
are StateSpace, ReachabilityDeadlock, QuasiLiveness, Liveness, StableMarking, OneSafe, UpperBounds, ReachabilityCardinality and
ReachabilityFireability.

Examples:
  pinscher mcc Kanban-PT-00050 StateSpace
  BK_TIME_CONFINEMENT=60 pinscher mcc Kanban-PT-00050 ReachabilityCardinality --memory 8G")]
    Mcc(Mcc),
}

impl Options {
    /// What a command line says, and the fields of the options that stand on it.
    pub(crate) fn parse_line(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<(Self, Vec<String>), clap::Error> {
        let mut matches = Self::command().try_get_matches_from(arguments)?;
        let given = matches.subcommand().map_or_else(Vec::new, |(_, of_command)| {
            let is_given =
                |id: &&clap::Id| of_command.value_source(id.as_str()) == Some(ValueSource::CommandLine);
            of_command.ids().filter(is_given).map(ToString::to_string).collect()
        });
        Ok((Self::from_arg_matches_mut(&mut matches)?, given))
    }
}

impl Command {
    /// Whether the report is one JSON object.
    pub(crate) fn json(&self) -> bool {
        match self {
            Self::Check(options) => options.json,
            Self::Count(options) => options.json,
            Self::Reduce(options) => options.json,
            Self::Show(_)
            | Self::Simulate(_)
            | Self::Lts(_)
            | Self::Mcc(_)
            | Self::Completions(_)
            | Self::Man(_) => false,
        }
    }

    /// Whether what it prints is for people: no JSON, no file.
    pub(crate) fn prints_text(&self) -> bool {
        let is_document = matches!(self, Self::Completions(_) | Self::Man(_) | Self::Mcc(_) | Self::Lts(_));
        !self.json() && !is_document
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
         pinscher check models/sliding.window.pml -D NUMBERS=2 --chart            the run as a chart of messages, below the report\n  \
         pinscher check models/sliding.window.pml -D NUMBERS=2 --chart run.svg    the same as a picture\n  \
         pinscher check models/sliding.window.pml -D NUMBERS=2 --spin-trail       writes sliding.window.pml.trail for spin -t\n  \
         pinscher check models/philosophers.5.dve --deadlock --json",
        logic::SYNTAX
    )
}

/// The model file.
#[derive(Args, Clone, Debug)]
pub(crate) struct Input {
    /// The model; - is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The language of the file, if its name does not tell
    #[arg(long, value_name = "NAME", help_heading = MODEL)]
    pub(crate) lang: Option<String>,
    /// Let the model's property process move along, as DiVinE counts states
    #[arg(long, help_heading = MODEL, hide_short_help = true)]
    pub(crate) with_property: bool,
    /// In the file NAME stands for VALUE, or for 1; Promela
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]", value_parser = parse_define, help_heading = MODEL)]
    pub(crate) define: Vec<(String, String)>,
    /// Most processes at a time, for languages that make them as they run [default: 255]
    #[arg(long, value_name = "N", value_parser = parse_processes, allow_negative_numbers = true, help_heading = MODEL, hide_short_help = true)]
    pub(crate) max_processes: Option<usize>,
    /// Lose messages that are sent to full channels, as `spin -m`; without it who sends waits
    #[arg(long, help_heading = MODEL, hide_short_help = true)]
    pub(crate) message_loss: bool,
}

/// `pinscher check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: Input,
    /// No run comes to a state without successors, but where it is fine to stop
    #[arg(long, help_heading = QUESTIONS)]
    pub(crate) deadlock: bool,
    /// The predicate is true in every state; @FILE reads it from a file
    ///
    /// The name of a state label of the model stands for that label, which is never zero.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, help_heading = QUESTIONS)]
    pub(crate) invariant: Vec<String>,
    /// No action with this name ever happens; * stands for anything
    #[arg(long, value_name = "NAME", help_heading = QUESTIONS)]
    pub(crate) action: Vec<String>,
    /// The property in this file: a predicate (.inv), or formulas about a net (.xml)
    ///
    /// Formulas about nets are those of the Model Checking Contest. Other logics are not there yet.
    #[arg(long, value_name = "FILE", help_heading = QUESTIONS)]
    pub(crate) property: Vec<PathBuf>,
    /// Go on after a violation, until all states are seen
    #[arg(long, help_heading = QUESTIONS)]
    pub(crate) all: bool,
    /// Show the run to the first violation as a message sequence chart, too; Promela
    ///
    /// Without a file's name it is text, below the report.
    #[arg(long, value_name = "OUT.svg", num_args = 0..=1, default_missing_value = "-", help_heading = OUTPUT)]
    pub(crate) chart: Option<PathBuf>,
    /// Write the run to the first violation for `spin -t -p FILE` to replay
    /// [default: FILE.trail in this folder]; Promela
    #[arg(long, value_name = "OUT", num_args = 0..=1, default_missing_value = "-", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) spin_trail: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: Search,
    /// Print one JSON object
    #[arg(long, help_heading = OUTPUT)]
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
    #[arg(long, help_heading = OUTPUT)]
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
    /// Write the dependency matrix as a picture; without --matrix, a net as itself
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
    /// The file to write; its name tells the format: .aut or .etf; - is .aut to the standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) search: Search,
}

/// `pinscher mcc`.
#[derive(Args, Debug)]
pub(crate) struct Mcc {
    /// The folder of the net, or the file in it
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// What to find out
    #[arg(value_name = "EXAMINATION")]
    pub(crate) examination: String,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// Memory for the whole process [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// How many threads search; each of the two engines has one at least
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: u32,
}
