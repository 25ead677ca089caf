//! The method of a search: which engine, in which order. Here alone the words of the command line become
//! engines' strategies.

use explicit::{Order, Storage};
use symbolic::{Split, Strategy as Symbolic};

use crate::Failure;
use crate::options::{Engine, Store, Strategy, Switch, Way};

/// An engine and how it is to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// State by state.
    Explicit(explicit::Options),
    /// Sets of states.
    Symbolic(symbolic::Options),
}

/// Which method searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// This one.
    One(Method),
    /// Both engines race until one has the answer; the first begins.
    Race([Method; 2]),
}

/// The strategy of a symbolic search, unless one is named.
const BEST: Symbolic = Symbolic::Sat;

/// The symbolic strategies and their names.
const SYMBOLIC: &[(Strategy, Symbolic, &str)] = &[
    (Strategy::Bfs, Symbolic::Bfs, "bfs"),
    (Strategy::BfsPrev, Symbolic::BfsPrev, "bfs-prev"),
    (Strategy::Chain, Symbolic::Chain, "chain"),
    (Strategy::ChainPrev, Symbolic::ChainPrev, "chain-prev"),
    (Strategy::SatLike, Symbolic::SatLike, "sat-like"),
    (Strategy::SatLoop, Symbolic::SatLoop, "sat-loop"),
    (Strategy::SatFix, Symbolic::SatFix, "sat-fix"),
    (Strategy::Sat, Symbolic::Sat, "sat"),
];

impl Choice {
    /// Both engines, with so many threads in all, but one each at least.
    pub(crate) fn race(threads: usize) -> Self {
        let symbolic = (threads / 2).max(1);
        let threads = threads.saturating_sub(symbolic).max(1);
        let explicit = explicit::Options { threads, ..explicit::Options::default() };
        Self::Race([Method::Explicit(explicit), Method::best_symbolic(symbolic)])
    }

    /// How many methods search at the same time.
    pub(crate) fn racers(self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::Race(_) => 2,
        }
    }

    /// The method that begins.
    pub(crate) fn first(self) -> Method {
        match self {
            Self::One(method) => method,
            Self::Race([first, _]) => first,
        }
    }
}

impl Method {
    /// The explicit engine as it searches best.
    pub(crate) fn best_explicit() -> Self {
        Self::Explicit(explicit::Options::default())
    }

    /// The symbolic engine as it searches best.
    pub(crate) fn best_symbolic(threads: usize) -> Self {
        Self::Symbolic(symbolic::Options { threads, ..symbolic::Options::new(BEST) })
    }

    /// How many threads search.
    pub(crate) fn threads(self) -> usize {
        match self {
            Self::Explicit(options) => options.threads,
            Self::Symbolic(options) => options.threads,
        }
    }

    /// What reports call the engine.
    pub(crate) fn engine_name(self) -> &'static str {
        match self {
            Self::Explicit(_) => "explicit",
            Self::Symbolic(_) => "symbolic",
        }
    }

    /// What reports call the order of the search.
    pub(crate) fn strategy_name(self) -> &'static str {
        match self {
            Self::Explicit(options) => match options.order {
                Order::BreadthFirst => "bfs",
                Order::DepthFirst => "dfs",
            },
            Self::Symbolic(options) => {
                let entry = SYMBOLIC.iter().find(|(_, strategy, _)| *strategy == options.strategy);
                entry.expect("BUG: a strategy without a name").2
            }
        }
    }
}

/// The method that the options ask for, with limits that not every engine keeps.
pub(crate) fn choose(way: &Way, states: Option<u64>, depth: Option<u64>) -> Result<Choice, Failure> {
    let is_symbolic = match way.engine {
        Engine::Explicit => false,
        Engine::Symbolic => true,
        Engine::Auto => match way.strategy {
            Some(Strategy::Bfs | Strategy::Dfs) => false,
            Some(_) => true,
            None if is_about_symbolic(way) => true,
            None if states.is_some() || depth.is_some() || way.store.is_some() => false,
            None => return Ok(Choice::race(way.threads as usize)),
        },
    };
    if is_symbolic { symbolic(way, states, depth) } else { explicit(way, depth) }.map(Choice::One)
}

/// Whether an option is given that only the symbolic engine has.
fn is_about_symbolic(way: &Way) -> bool {
    [way.split_guards, way.separate, way.effects].iter().any(Option::is_some)
}

fn explicit(way: &Way, depth: Option<u64>) -> Result<Method, Failure> {
    if is_about_symbolic(way) {
        return Err(Failure::usage(
            "--split-guards, --separate and --effects are for the symbolic engine",
            "leave them out, or write --engine symbolic",
        ));
    }
    let storage = way.store.map_or(explicit::Options::default().storage, |store| match store {
        Store::Plain => Storage::Plain,
        Store::Tree => Storage::Tree,
        Store::Hash => Storage::Hashes,
        Store::Bits => Storage::Bits,
    });
    let method = |order| {
        let threads = way.threads as usize;
        Ok(Method::Explicit(explicit::Options { order, threads, storage, ..explicit::Options::default() }))
    };
    match way.strategy {
        None | Some(Strategy::Bfs) => method(Order::BreadthFirst),
        Some(Strategy::Dfs) if depth.is_some() => Err(Failure::usage(
            "only a breadth-first search knows how deep it is",
            "leave --strategy dfs out with --depth",
        )),
        Some(Strategy::Dfs) => method(Order::DepthFirst),
        Some(other) => {
            let name =
                SYMBOLIC.iter().find(|(strategy, ..)| *strategy == other).map_or("this one", |entry| entry.2);
            Err(Failure::usage(
                format!("the explicit engine has no strategy {name}"),
                format!("write --engine symbolic --strategy {name}; the explicit engine has bfs and dfs"),
            ))
        }
    }
}

fn symbolic(way: &Way, states: Option<u64>, depth: Option<u64>) -> Result<Method, Failure> {
    if way.store.is_some() {
        return Err(Failure::usage(
            "--store is for the explicit engine",
            "leave it out, or write --engine explicit",
        ));
    }
    let strategy = match way.strategy {
        None => BEST,
        Some(asked) => match SYMBOLIC.iter().find(|(strategy, ..)| *strategy == asked) {
            Some((_, strategy, _)) => *strategy,
            None => {
                let names: Vec<&str> = SYMBOLIC.iter().map(|entry| entry.2).collect();
                return Err(Failure::usage(
                    "the symbolic engine has no depth-first search",
                    format!("write --engine explicit --strategy dfs, or one of {}", names.join(", ")),
                ));
            }
        },
    };
    if states.is_some() {
        return Err(Failure::usage(
            "the symbolic engine cannot stop after a number of states: it finds many at once",
            "leave --states out, or write --engine explicit",
        ));
    }
    if depth.is_some() && !strategy.has_levels() {
        return Err(Failure::usage(
            "only a breadth-first search knows how deep it is",
            "write --strategy bfs or --strategy bfs-prev with --depth",
        ));
    }
    let split_guards = match way.split_guards {
        Some(Switch::On) => Split::On,
        Some(Switch::Off) => Split::Off,
        None => Split::Auto,
    };
    let (separate, use_effects) = (way.separate != Some(Switch::Off), way.effects != Some(Switch::Off));
    let threads = way.threads as usize;
    let options = symbolic::Options::new(strategy);
    Ok(Method::Symbolic(symbolic::Options { split_guards, separate, use_effects, threads, ..options }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbolic_strategy_has_a_word() {
        for strategy in Symbolic::ALL {
            assert!(SYMBOLIC.iter().any(|(_, known, _)| known == strategy), "{strategy:?}");
        }
    }
}
