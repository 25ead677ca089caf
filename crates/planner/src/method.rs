//! The method of a search in plain words: which engine, in which order, with what. What is left open is
//! chosen here; what contradicts itself is refused.

use std::sync::Arc;

use explicit::Storage;
use symbolic::Split;

use crate::engines::{self, Choice};

/// The engines that a user can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineKind {
    /// Whichever has the answer first, unless another wish needs one of them.
    #[default]
    Auto,
    /// State by state.
    Explicit,
    /// Sets of states, by decision diagrams.
    Symbolic,
}

/// The orders of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Breadth first; both engines have it.
    Bfs,
    /// Depth first; the explicit engine alone has it.
    Dfs,
    /// One of the symbolic engine's other orders.
    Symbolic(symbolic::Strategy),
}

impl Strategy {
    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Dfs => "dfs",
            Self::Symbolic(strategy) => strategy.name(),
        }
    }
}

/// How to search; `None` leaves the choice to the planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// Who searches.
    pub engine: EngineKind,
    /// How many threads search; in a race each engine has one at least.
    pub threads: usize,
    /// In which order.
    pub strategy: Option<Strategy>,
    /// Explicit: how states are kept.
    pub storage: Option<Storage>,
    /// Symbolic: guards are asked on their own.
    pub split_guards: Option<bool>,
    /// Symbolic: what a group reads is told from what it writes.
    pub separate: Option<bool>,
    /// Symbolic: separable effects are applied without learning them.
    pub effects: Option<bool>,
}

impl Default for Method {
    fn default() -> Self {
        let (engine, threads) = (EngineKind::Auto, 1);
        Self {
            engine,
            threads,
            strategy: None,
            storage: None,
            split_guards: None,
            separate: None,
            effects: None,
        }
    }
}

/// Why no engine searches like that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrongMethod {
    /// Wishes that only the symbolic engine knows, for the explicit one.
    SymbolicSwitches,
    /// A way to keep states, for the symbolic engine.
    StorageOfExplicit,
    /// A strategy that the explicit engine does not have.
    NoExplicitStrategy(symbolic::Strategy),
    /// Depth first, with the symbolic engine.
    NoSymbolicDepthFirst,
    /// A limit of states, with the symbolic engine.
    StatesOfSymbolic,
    /// A limit of depth, with a strategy that does not go level by level.
    DepthNeedsLevels(EngineKind),
}

impl std::fmt::Display for WrongMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SymbolicSwitches => {
                write!(f, "splitting of guards, separation and effects are for the symbolic engine")
            }
            Self::StorageOfExplicit => write!(f, "how states are stored is a choice of the explicit engine"),
            Self::NoExplicitStrategy(strategy) => {
                write!(f, "the explicit engine has no strategy {}", strategy.name())
            }
            Self::NoSymbolicDepthFirst => write!(f, "the symbolic engine has no depth-first search"),
            Self::StatesOfSymbolic => {
                write!(f, "the symbolic engine cannot stop after a number of states: it finds many at once")
            }
            Self::DepthNeedsLevels(_) => write!(f, "only a breadth-first search knows how deep it is"),
        }
    }
}

impl std::error::Error for WrongMethod {}

impl Method {
    /// The engines that search like this, within a limit of states or of depth if there is one.
    ///
    /// ```
    /// use planner::{Method, Strategy};
    ///
    /// let method = Method { strategy: Some(Strategy::Dfs), ..Method::default() };
    /// let choice = method.choose(None, None).unwrap();
    /// assert_eq!(choice.first().profile().name, "explicit");
    /// ```
    pub fn choose(&self, states: Option<u64>, depth: Option<u64>) -> Result<Choice, WrongMethod> {
        let is_symbolic = match self.engine {
            EngineKind::Explicit => false,
            EngineKind::Symbolic => true,
            EngineKind::Auto => match self.strategy {
                Some(Strategy::Bfs | Strategy::Dfs) => false,
                Some(Strategy::Symbolic(_)) => true,
                None if self.has_symbolic_switches() => true,
                None if states.is_some() || depth.is_some() || self.storage.is_some() => false,
                None => return Ok(Choice::race(self.threads)),
            },
        };
        if is_symbolic { self.symbolic(states, depth) } else { self.explicit(depth) }
    }

    fn has_symbolic_switches(&self) -> bool {
        [self.split_guards, self.separate, self.effects].iter().any(Option::is_some)
    }

    fn explicit(&self, depth: Option<u64>) -> Result<Choice, WrongMethod> {
        if self.has_symbolic_switches() {
            return Err(WrongMethod::SymbolicSwitches);
        }
        let order = match self.strategy {
            None | Some(Strategy::Bfs) => explicit::Order::BreadthFirst,
            Some(Strategy::Dfs) if depth.is_some() => {
                return Err(WrongMethod::DepthNeedsLevels(EngineKind::Explicit));
            }
            Some(Strategy::Dfs) => explicit::Order::DepthFirst,
            Some(Strategy::Symbolic(other)) => return Err(WrongMethod::NoExplicitStrategy(other)),
        };
        let options = explicit::Options { order, threads: self.threads, ..explicit::Options::default() };
        let storage = self.storage.unwrap_or(options.storage);
        Ok(Choice::One(Arc::new(explicit::Options { storage, ..options })))
    }

    fn symbolic(&self, states: Option<u64>, depth: Option<u64>) -> Result<Choice, WrongMethod> {
        if self.storage.is_some() {
            return Err(WrongMethod::StorageOfExplicit);
        }
        let strategy = match self.strategy {
            None => engines::BEST_SYMBOLIC,
            Some(Strategy::Bfs) => symbolic::Strategy::Bfs,
            Some(Strategy::Dfs) => return Err(WrongMethod::NoSymbolicDepthFirst),
            Some(Strategy::Symbolic(strategy)) => strategy,
        };
        if states.is_some() {
            return Err(WrongMethod::StatesOfSymbolic);
        }
        if depth.is_some() && !strategy.has_levels() {
            return Err(WrongMethod::DepthNeedsLevels(EngineKind::Symbolic));
        }
        let split_guards = match self.split_guards {
            Some(true) => Split::On,
            Some(false) => Split::Off,
            None => Split::Auto,
        };
        let (separate, use_effects) = (self.separate != Some(false), self.effects != Some(false));
        let options = symbolic::Options::new(strategy);
        let threads = self.threads;
        Ok(Choice::One(Arc::new(symbolic::Options {
            split_guards,
            separate,
            use_effects,
            threads,
            ..options
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine and strategy that begin, or why nobody does.
    fn chosen(
        method: Method,
        states: Option<u64>,
        depth: Option<u64>,
    ) -> Result<(&'static str, &'static str, usize), WrongMethod> {
        let choice = method.choose(states, depth)?;
        let profile = choice.first().profile();
        Ok((profile.name, profile.strategy, choice.engines().len()))
    }

    const PLAIN: Method = Method {
        engine: EngineKind::Auto,
        threads: 1,
        strategy: None,
        storage: None,
        split_guards: None,
        separate: None,
        effects: None,
    };

    #[test]
    fn a_wish_that_one_engine_has_chooses_it() {
        assert_eq!(chosen(PLAIN, None, None), Ok(("explicit", "bfs", 2)));
        assert_eq!(chosen(PLAIN, Some(9), None), Ok(("explicit", "bfs", 1)));
        let dfs = Method { strategy: Some(Strategy::Dfs), ..PLAIN };
        assert_eq!(chosen(dfs, None, None), Ok(("explicit", "dfs", 1)));
        let split = Method { split_guards: Some(true), ..PLAIN };
        assert_eq!(chosen(split, None, None), Ok(("symbolic", "sat", 1)));
        let chain = Method { strategy: Some(Strategy::Symbolic(symbolic::Strategy::Chain)), ..PLAIN };
        assert_eq!(chosen(chain, None, None), Ok(("symbolic", "chain", 1)));
    }

    #[test]
    fn wishes_that_contradict_each_other_are_refused() {
        let explicit = Method { engine: EngineKind::Explicit, ..PLAIN };
        let symbolic = Method { engine: EngineKind::Symbolic, ..PLAIN };
        let sat = symbolic::Strategy::Sat;
        for (method, states, depth, why) in [
            (Method { separate: Some(true), ..explicit }, None, None, WrongMethod::SymbolicSwitches),
            (
                Method { strategy: Some(Strategy::Symbolic(sat)), ..explicit },
                None,
                None,
                WrongMethod::NoExplicitStrategy(sat),
            ),
            (
                Method { strategy: Some(Strategy::Dfs), ..explicit },
                None,
                Some(3),
                WrongMethod::DepthNeedsLevels(EngineKind::Explicit),
            ),
            (
                Method { strategy: Some(Strategy::Dfs), ..symbolic },
                None,
                None,
                WrongMethod::NoSymbolicDepthFirst,
            ),
            (Method { storage: Some(Storage::Bits), ..symbolic }, None, None, WrongMethod::StorageOfExplicit),
            (symbolic, Some(3), None, WrongMethod::StatesOfSymbolic),
            (symbolic, None, Some(3), WrongMethod::DepthNeedsLevels(EngineKind::Symbolic)),
        ] {
            assert_eq!(chosen(method, states, depth), Err(why), "{method:?}");
        }
    }
}
