//! The combinations that a benchmark runs: every engine, strategy, order and so on that was named, with every
//! other.

use std::ops::Index;

use clap::ValueEnum;

use cli::Failure;
use cli::options::{Engine, Eval, Strategy, Switch, Way, parse_reorder};
use planner::{Choice, ORDERS};

use crate::options::Bench;

/// What combinations differ in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dimension {
    Engine,
    Strategy,
    Reorder,
    Separate,
    SplitGuards,
    Effects,
    Threads,
    Store,
    Eval,
}

impl Dimension {
    /// All of them, as they stand in tables.
    pub(crate) const ALL: [Self; 9] = [
        Self::Engine,
        Self::Strategy,
        Self::Reorder,
        Self::Separate,
        Self::SplitGuards,
        Self::Effects,
        Self::Threads,
        Self::Store,
        Self::Eval,
    ];

    /// The option without its dashes.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Strategy => "strategy",
            Self::Reorder => "reorder",
            Self::Separate => "separate",
            Self::SplitGuards => "split-guards",
            Self::Effects => "effects",
            Self::Threads => "threads",
            Self::Store => "store",
            Self::Eval => "eval",
        }
    }
}

/// The engine in the lines of a peer's runs.
pub(crate) const SPIN: &str = "spin";

/// One way to search, in the words of the command line. A word that is left to the engine, or that it does
/// not have, is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Combination {
    words: [String; 9],
}

impl Index<Dimension> for Combination {
    type Output = str;

    fn index(&self, dimension: Dimension) -> &str {
        &self.words[dimension as usize]
    }
}

impl Combination {
    /// The combination with these words, in the order of [`Dimension::ALL`].
    pub(crate) fn new(words: [String; 9]) -> Self {
        Self { words }
    }

    /// The options that ask for it.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let said = Dimension::ALL.into_iter().filter(|&dimension| !self[dimension].is_empty());
        said.flat_map(|dimension| [format!("--{}", dimension.name()), self[dimension].to_owned()]).collect()
    }

    /// What is said of it in a message: the options, unless another program searches.
    pub(crate) fn shown(&self) -> String {
        if self[Dimension::Engine] == *SPIN { "Spin".into() } else { self.arguments().join(" ") }
    }

    /// A short name: the words for some dimensions. Where a word alone does not say what it is about, the
    /// dimension is said, too.
    pub(crate) fn label(&self, dimensions: &[Dimension]) -> String {
        let words = dimensions.iter().filter(|&&dimension| !self[dimension].is_empty()).map(|&dimension| {
            match dimension {
                Dimension::Engine | Dimension::Strategy => self[dimension].to_owned(),
                _ => format!("{}={}", dimension.name(), &self[dimension]),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether the other one differs in nothing but this. Engines have strategies and switches of their own,
    /// so theirs may differ with the engine.
    pub(crate) fn same_but(&self, dimension: Dimension, other: &Self) -> bool {
        let depends = [
            Dimension::Strategy,
            Dimension::Separate,
            Dimension::SplitGuards,
            Dimension::Effects,
            Dimension::Store,
        ];
        Dimension::ALL.into_iter().all(|at| {
            at == dimension
                || (dimension == Dimension::Engine && depends.contains(&at))
                || self[at] == other[at]
        })
    }
}

/// The dimensions in which some of the combinations differ.
pub(crate) fn varying(combinations: &[Combination]) -> Vec<Dimension> {
    let differs =
        |dimension: &Dimension| combinations.iter().any(|one| one[*dimension] != combinations[0][*dimension]);
    Dimension::ALL.into_iter().filter(differs).collect()
}

/// What was asked for.
pub(crate) struct Wanted {
    pub(crate) combinations: Vec<Combination>,
    /// Those that no engine has, each with the reason.
    pub(crate) left_out: Vec<String>,
}

/// The words of a list, where `all` stands for each of `all`. What is named twice is run once all the same:
/// combinations differ.
fn words(list: &[String], all: impl Fn() -> Vec<String>) -> Vec<String> {
    list.iter().flat_map(|word| if word == "all" { all() } else { vec![word.clone()] }).collect()
}

fn word<V: ValueEnum>(value: &V) -> String {
    value.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}

/// The names of all strategies that some engine has.
fn strategies() -> Vec<String> {
    Strategy::value_variants().iter().map(word).collect()
}

/// The combinations that the options ask for and an engine has.
pub(crate) fn wanted(options: &Bench) -> Result<Wanted, Failure> {
    let strategies = words(&options.strategy, strategies);
    let orders = words(&options.reorder, || {
        ["none"].into_iter().chain(ORDERS.iter().map(|(name, _)| *name)).map(str::to_owned).collect()
    });
    for order in &orders {
        parse_reorder(order).map_err(|help| Failure::usage(format!("there is no order `{order}`"), help))?;
    }
    let strategies = strategies.iter().map(|name| parse_strategy(name)).collect::<Result<Vec<_>, _>>()?;
    let mut wanted = Wanted { combinations: Vec::new(), left_out: Vec::new() };
    for &engine in &options.engine {
        // Switches are the symbolic engine's and stores the explicit one's; the others are compared with it
        // as they are.
        let switches = |asked: &[Switch]| if engine == Engine::Symbolic { asked.to_vec() } else { vec![] };
        let stores = if engine == Engine::Explicit { options.store.clone() } else { vec![] };
        let mut candidates = vec![Candidate::by(engine)];
        candidates =
            with_each(candidates, &strategies, |candidate, word| candidate.way.strategy = Some(word));
        candidates = with_each(candidates, &orders, |candidate, word| candidate.order = Some(word));
        candidates = with_each(candidates, &switches(&options.separate), |candidate, word| {
            candidate.way.separate = Some(word);
        });
        candidates = with_each(candidates, &switches(&options.split_guards), |candidate, word| {
            candidate.way.split_guards = Some(word);
        });
        candidates = with_each(candidates, &switches(&options.effects), |candidate, word| {
            candidate.way.effects = Some(word);
        });
        candidates = with_each(candidates, &stores, |candidate, word| candidate.way.store = Some(word));
        candidates = with_each(candidates, &options.eval, |candidate, word| candidate.eval = Some(word));
        candidates =
            with_each(candidates, &options.threads, |candidate, number| candidate.way.threads = number);
        candidates.into_iter().for_each(|candidate| wanted.add(candidate));
    }
    match wanted.combinations.is_empty() {
        true => Err(Failure::usage("no engine has such a combination", wanted.left_out.join("; "))),
        false => Ok(wanted),
    }
}

/// A combination that is asked for, whether an engine has it or not.
#[derive(Clone)]
struct Candidate {
    way: Way,
    order: Option<String>,
    eval: Option<Eval>,
}

impl Candidate {
    /// By this engine, with all else left to it.
    fn by(engine: Engine) -> Self {
        let (strategy, store, split_guards, separate, effects) = (None, None, None, None, None);
        let way = Way { engine, threads: 1, strategy, store, split_guards, separate, effects };
        Self { way, order: None, eval: None }
    }
}

/// Each of these candidates with each of the values; without a value they stay as they are.
fn with_each<V: Clone>(
    candidates: Vec<Candidate>,
    values: &[V],
    set: impl Fn(&mut Candidate, V),
) -> Vec<Candidate> {
    if values.is_empty() {
        return candidates;
    }
    let mut all = Vec::with_capacity(candidates.len() * values.len());
    for candidate in candidates {
        all.extend(values.iter().map(|value| {
            let mut candidate = candidate.clone();
            set(&mut candidate, value.clone());
            candidate
        }));
    }
    all
}

fn parse_strategy(name: &str) -> Result<Strategy, Failure> {
    Strategy::from_str(name, false).map_err(|_| {
        Failure::usage(
            format!("there is no strategy `{name}`"),
            format!("write all, {}", strategies().join(", ")),
        )
    })
}

impl Wanted {
    fn add(&mut self, candidate: Candidate) {
        let Candidate { way, order, eval } = candidate;
        let strategy = match way.method().choose(None, None).map_err(Failure::from) {
            // A strategy that was not named has a name all the same.
            Ok(Choice::One(engine)) => engine.profile().strategy.to_owned(),
            Ok(Choice::Race(_)) => String::new(),
            Err(failure) => {
                let asked = way.strategy.as_ref().map_or(String::new(), word);
                let why = match failure {
                    Failure::Usage { message, .. } => message,
                    other => other.to_string(),
                };
                let reason = format!("{} {asked}: {why}", word(&way.engine));
                if !self.left_out.contains(&reason) {
                    self.left_out.push(reason);
                }
                return;
            }
        };
        let switch = |switch: Option<Switch>| switch.as_ref().map_or(String::new(), word);
        let words = [
            word(&way.engine),
            strategy,
            order.unwrap_or_default(),
            switch(way.separate),
            switch(way.split_guards),
            switch(way.effects),
            way.threads.to_string(),
            way.store.as_ref().map_or(String::new(), word),
            eval.as_ref().map_or(String::new(), word),
        ];
        let combination = Combination { words };
        if !self.combinations.contains(&combination) {
            self.combinations.push(combination);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::options::{Command, Options};

    fn combine(options: &str) -> Result<Wanted, Failure> {
        let line = format!("pinscher-lab bench x.dve {options}");
        let Command::Bench(bench) = Options::try_parse_from(line.split_whitespace()).unwrap().command else {
            panic!()
        };
        wanted(&bench.filled())
    }

    fn lines(options: &str) -> Vec<String> {
        combine(options).unwrap().combinations.iter().map(|one| one.arguments().join(" ")).collect()
    }

    #[test]
    fn every_value_meets_every_other() {
        let found =
            lines("--strategy bfs,chain --reorder none,force --separate off,on --split-guards on,off");
        assert_eq!(found.len(), 16);
        let wanted =
            "--engine symbolic --strategy chain --reorder force --separate off --split-guards on --threads 1";
        assert!(found.iter().any(|line| line == wanted), "{found:?}");
    }

    #[test]
    fn stores_are_the_explicit_engines_and_evaluators_are_everyones() {
        let found =
            lines("--engine explicit,symbolic --store plain,tree --eval interpret,compile --threads 1,2");
        assert_eq!(found.iter().filter(|line| line.contains("--engine explicit")).count(), 8, "{found:?}");
        assert_eq!(found.iter().filter(|line| line.contains("--engine symbolic")).count(), 4, "{found:?}");
        let wanted = "--engine explicit --strategy bfs --threads 2 --store tree --eval interpret";
        assert!(found.iter().any(|line| line == wanted), "{found:?}");
        assert!(
            found.iter().all(|line| line.contains("--engine explicit") == line.contains("--store")),
            "{found:?}"
        );
    }

    #[test]
    fn against_spin_the_explicit_engine_runs_with_both_stores_and_one_and_two_threads() {
        let found = lines("--spin");
        let wanted = ["plain", "tree"].map(|store| {
            ["1", "2"].map(|threads| {
                format!("--engine explicit --strategy bfs --threads {threads} --store {store}")
            })
        });
        assert_eq!(found, wanted.concat());
        assert_eq!(
            lines("--spin --store bits --threads 3"),
            ["--engine explicit --strategy bfs --threads 3 --store bits"]
        );
    }

    #[test]
    fn what_an_engine_does_not_have_is_left_out_and_told() {
        let found = combine("--engine explicit,symbolic --strategy all --split-guards on,off").unwrap();
        let explicit = found.combinations.iter().filter(|one| &one[Dimension::Engine] == "explicit");
        assert_eq!(explicit.map(|one| &one[Dimension::Strategy]).collect::<Vec<_>>(), ["bfs", "dfs"]);
        assert!(found.left_out.iter().any(|why| why.starts_with("symbolic dfs")), "{:?}", found.left_out);
        assert!(combine("--engine explicit --strategy chain").is_err());
        assert!(combine("--strategy hcain").is_err() && combine("--reorder frce").is_err());
    }

    #[test]
    fn all_means_what_the_engines_have() {
        let named = lines("--strategy all");
        assert_eq!(named.len(), planner::SymbolicStrategy::ALL.len(), "{named:?}");
        assert_eq!(lines("--reorder all").len(), ORDERS.len() + 1);
        assert_eq!(lines("--strategy bfs,all,bfs"), {
            let mut sorted = named;
            sorted.sort_by_key(|line| !line.contains("--strategy bfs "));
            sorted
        });
    }

    #[test]
    fn a_strategy_that_was_not_named_has_its_name() {
        assert!(lines("")[0].contains("--strategy "), "{:?}", lines(""));
        assert_eq!(lines("--engine auto"), ["--engine auto --threads 1"]);
    }
}
