//! What the options of a search mean to the library.

use std::time::Duration;

use engine::Limits;
use machine::memory;
use pinscher::Settings;
use planner::{EngineKind, Method, Storage, SymbolicStrategy};

use super::{Cache, Engine, Eval, Search, Store, Strategy, Switch, Way};
use crate::interrupt;

impl Way {
    /// The method that these options ask for.
    pub fn method(&self) -> Method {
        let switch = |switch: Option<Switch>| switch.map(|switch| switch == Switch::On);
        let Self { engine, threads, strategy, store, split_guards, separate, effects } = *self;
        Method {
            engine: engine.into(),
            threads: threads as usize,
            strategy: strategy.map(planner::Strategy::from),
            storage: store.map(Storage::from),
            split_guards: switch(split_guards),
            separate: switch(separate),
            effects: switch(effects),
        }
    }
}

impl Search {
    /// The settings that these options ask for; Ctrl-C ends the search.
    pub(crate) fn settings(&self) -> Settings {
        // All fields by name, so that none is forgotten; quiet is for who prints.
        let Self { way, memory, time, states, depth, eval, cache, check_matrices, arrange, quiet: _ } = self;
        let time = time.map(Duration::from_secs_f64);
        let memory = memory.or_else(memory::default_limit);
        Settings {
            method: way.method(),
            limits: Limits { time, memory, states: *states, depth: *depth },
            cache: (*cache).into(),
            check_matrices: *check_matrices,
            arrangement: arrange.wanted(),
            eval: (*eval).into(),
            cancel: interrupt::token(),
            ..Settings::default()
        }
    }
}

impl From<Engine> for EngineKind {
    fn from(engine: Engine) -> Self {
        match engine {
            Engine::Auto => Self::Auto,
            Engine::Explicit => Self::Explicit,
            Engine::Symbolic => Self::Symbolic,
        }
    }
}

impl From<Strategy> for planner::Strategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Bfs => Self::Bfs,
            Strategy::Dfs => Self::Dfs,
            Strategy::BfsPrev => Self::Symbolic(SymbolicStrategy::BfsPrev),
            Strategy::Chain => Self::Symbolic(SymbolicStrategy::Chain),
            Strategy::ChainPrev => Self::Symbolic(SymbolicStrategy::ChainPrev),
            Strategy::SatLike => Self::Symbolic(SymbolicStrategy::SatLike),
            Strategy::SatLoop => Self::Symbolic(SymbolicStrategy::SatLoop),
            Strategy::SatFix => Self::Symbolic(SymbolicStrategy::SatFix),
            Strategy::Sat => Self::Symbolic(SymbolicStrategy::Sat),
        }
    }
}

impl From<Store> for Storage {
    fn from(store: Store) -> Self {
        match store {
            Store::Plain => Self::Plain,
            Store::Tree => Self::Tree,
            Store::Hash => Self::Hashes,
            Store::Bits => Self::Bits,
        }
    }
}

impl From<Cache> for planner::Cache {
    fn from(cache: Cache) -> Self {
        match cache {
            Cache::Auto => Self::Auto,
            Cache::Off => Self::Off,
            Cache::Thread => Self::Thread,
            Cache::Shared => Self::Shared,
            Cache::On => Self::On,
        }
    }
}

impl From<Eval> for planner::Eval {
    fn from(eval: Eval) -> Self {
        match eval {
            Eval::Auto => Self::Auto,
            Eval::Interpret => Self::Interpret,
            Eval::Compile => Self::Compile,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn words_of_strategies_are_those_of_the_engines() {
        let mut symbolic = Vec::new();
        for word in Strategy::value_variants() {
            let name = word.to_possible_value().expect("a word").get_name().to_owned();
            let strategy = planner::Strategy::from(*word);
            assert_eq!(strategy.name(), name);
            symbolic.extend(match strategy {
                planner::Strategy::Symbolic(strategy) => Some(strategy),
                planner::Strategy::Bfs => Some(SymbolicStrategy::Bfs),
                planner::Strategy::Dfs => None,
            });
        }
        assert!(SymbolicStrategy::ALL.iter().all(|strategy| symbolic.contains(strategy)));
    }
}
