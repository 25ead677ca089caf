//! The method of a search: which engine, in which order. Here alone the words of the command line become engines' strategies.

use engine::Order;
use symbolic::{Split, Strategy as Symbolic};

use crate::Failure;
use crate::options::{Engine, Strategy, Switch, Way};

/// An engine and how it is to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// State by state.
    Explicit(Order),
    /// Sets of states.
    Symbolic(symbolic::Options),
}

/// Which method searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// This one.
    One(Method),
    /// Both engines take turns until one has the answer.
    Turns,
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
    /// The method that begins.
    pub(crate) fn first(self) -> Method {
        match self {
            Self::One(method) => method,
            Self::Turns => Method::Explicit(Order::BreadthFirst),
        }
    }
}

impl Method {
    /// The symbolic engine as it searches best.
    pub(crate) fn best_symbolic(threads: usize) -> Self {
        Self::Symbolic(symbolic::Options { threads, ..symbolic::Options::new(BEST) })
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
            Self::Explicit(Order::BreadthFirst) => "bfs",
            Self::Explicit(Order::DepthFirst) => "dfs",
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
            None if states.is_some() || depth.is_some() => false,
            None => return Ok(Choice::Turns),
        },
    };
    if is_symbolic { symbolic(way, states, depth) } else { explicit(way) }.map(Choice::One)
}

/// Whether an option is given that only the symbolic engine has.
fn is_about_symbolic(way: &Way) -> bool {
    [way.split_guards, way.separate, way.effects].iter().any(Option::is_some)
}

fn explicit(way: &Way) -> Result<Method, Failure> {
    if is_about_symbolic(way) {
        return Err(Failure::usage(
            "--split-guards, --separate and --effects are for the symbolic engine",
            "leave them out, or write --engine symbolic",
        ));
    }
    match way.strategy {
        None | Some(Strategy::Bfs) => Ok(Method::Explicit(Order::BreadthFirst)),
        Some(Strategy::Dfs) => Ok(Method::Explicit(Order::DepthFirst)),
        Some(other) => {
            let name = SYMBOLIC.iter().find(|(strategy, ..)| *strategy == other).map_or("this one", |entry| entry.2);
            Err(Failure::usage(
                format!("the explicit engine has no strategy {name}"),
                format!("write --engine symbolic --strategy {name}; the explicit engine has bfs and dfs"),
            ))
        }
    }
}

fn symbolic(way: &Way, states: Option<u64>, depth: Option<u64>) -> Result<Method, Failure> {
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
        None => Split::AUTO,
    };
    let (separate, use_effects) = (way.separate != Some(Switch::Off), way.effects != Some(Switch::Off));
    let threads = way.threads as usize;
    Ok(Method::Symbolic(symbolic::Options { strategy, split_guards, separate, use_effects, threads }))
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
