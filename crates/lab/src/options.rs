//! The command line of `pinscher-lab`: one table of every option with its values, default and help. How to
//! search is said as users say it: those options are `cli`'s.

mod bench;
mod compare;
mod corpus;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use cli::Failure;

pub(crate) use bench::Bench;
pub(crate) use compare::Compare;
pub(crate) use corpus::Corpus;

use crate::Program;

/// Everything that can be said on the command line.
#[derive(Parser, Debug)]
#[command(
    name = "pinscher-lab",
    version,
    about = "Compares what Pinscher says with known answers and with Spin, and measures it",
    after_help = "Exit codes: 0 all as expected, 1 different, 2 wrong usage, 3 not all was run"
)]
pub struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Run all models of a folder with known answers and compare
    #[command(after_help = "\
The folder has expected.csv, and perhaps disputed.csv, with the columns model, property, expected, source,
formula, note.

Examples:
  pinscher-lab corpus MODELS/dve
  pinscher-lab corpus MODELS/dve --max-states 100000 --time 60
  pinscher-lab corpus MODELS/dve --engine symbolic --strategy chain-prev")]
    Corpus(Corpus),
    /// Search models in Promela by Spin, too, and compare
    #[command(after_help = "\
Spin and a C compiler must be installed. Spin's reductions are off, and claims are left out. States and
transitions must be the same, and so must be whether an assertion is violated and whether there is an invalid
end state; a difference makes the exit code 1. Models with code in C are left out.

Examples:
  pinscher-lab compare models/turns.pml models/counter.service.pml
  pinscher-lab compare models
  pinscher-lab compare models/sliding.window.pml -D NUMBERS=2 --engine symbolic")]
    Compare(Compare),
    /// Run models in every combination of engines, strategies, orders and switches, and compare
    #[command(after_help = "\
Lists are written with commas; all stands for every strategy or order. Each run is a process of its own. Runs
that disagree about a model make the exit code 1.

With --spin, files in Promela (.pml, .prom, .promela, .pm, or a name that tells no language) are searched by
Spin, with all its reductions off, if it and a C compiler are installed. Code in C that such a file embeds is
run. The ratio is states a second over those of Spin on the same model, else over their mean on all files in
Promela. Spin runs again whenever its last run is more than a minute ago. Spin's bytes a state are without its
hash table; the memory is with it.

Examples:
  pinscher-lab bench models --strategy bfs-prev,chain-prev,sat --time 60
  pinscher-lab bench models/tickets.3.dve --strategy all --reorder none,auto
  pinscher-lab bench models --separate off,on --split-guards off,on --csv runs.csv --svg plots
  pinscher-lab bench models --engine explicit,symbolic --repeat 3 --csv runs.csv --resume
  pinscher-lab bench --ldd dumps --threads 1,2
  pinscher-lab bench --spin models/sliding.window.pml models/tickets.5.dve --store plain,tree --threads 1,2")]
    Bench(Bench),
}

impl Command {
    /// Says which program is measured, where the command line does not.
    pub(crate) fn complete(&mut self, otherwise: impl FnOnce() -> PathBuf) {
        match self {
            Self::Corpus(Corpus { measured, .. }) | Self::Bench(Bench { measured, .. }) => {
                measured.program.get_or_insert_with(otherwise);
            }
            Self::Compare(_) => {}
        }
    }
}

/// Which program is measured.
#[derive(Args, Clone, Debug)]
pub(crate) struct Measured {
    /// The program that is run [default: pinscher beside pinscher-lab]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
}

impl Measured {
    /// The program, if it is there.
    pub(crate) fn program(&self) -> Result<Program, Failure> {
        Program::find(self.program.as_deref().expect("BUG: nobody completed the command"))
    }
}
