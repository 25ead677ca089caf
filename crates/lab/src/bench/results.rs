//! All runs of a benchmark together: one run for each model and combination, and whether the runs agree.

use crate::bench::combinations::Combination;
use crate::bench::measurement::Measurement;

/// The runs, by model and combination.
pub(crate) struct Results {
    /// The models, as they were first seen.
    pub(crate) models: Vec<String>,
    /// The combinations, as they were first seen.
    pub(crate) combinations: Vec<Combination>,
    /// By model, then by combination.
    cells: Vec<Vec<Option<Measurement>>>,
}

impl Results {
    /// Of equal runs one stands for all: one that did not finish if there is one, else the one of median
    /// time.
    pub(crate) fn new(runs: &[Measurement]) -> Self {
        let (mut models, mut combinations) = (Vec::new(), Vec::new());
        for run in runs {
            if !models.contains(&run.model) {
                models.push(run.model.clone());
            }
            if !combinations.contains(&run.combination) {
                combinations.push(run.combination.clone());
            }
        }
        let cell = |model: &String, combination: &Combination| {
            let equal = runs.iter().filter(|run| run.model == *model && run.combination == *combination);
            median(equal.collect())
        };
        let row = |model| combinations.iter().map(|combination| cell(model, combination)).collect();
        let cells = models.iter().map(row).collect();
        Self { models, combinations, cells }
    }

    /// The run of a model with a combination, both by their numbers.
    pub(crate) fn get(&self, model: usize, combination: usize) -> Option<&Measurement> {
        self.cells[model][combination].as_ref()
    }

    /// The numbers of the models that all combinations solved.
    pub(crate) fn solved_by_all(&self) -> Vec<usize> {
        let solved = |cell: &Option<Measurement>| cell.as_ref().is_some_and(Measurement::is_finished);
        (0..self.models.len()).filter(|&model| self.cells[model].iter().all(solved)).collect()
    }
}

fn median(mut runs: Vec<&Measurement>) -> Option<Measurement> {
    if let Some(unfinished) = runs.iter().find(|run| !run.is_finished()) {
        return Some((*unfinished).clone());
    }
    let seconds = |run: &Measurement| run.seconds.unwrap_or(f64::INFINITY);
    runs.sort_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    runs.get(runs.len().saturating_sub(1) / 2).map(|run| (*run).clone())
}

/// A line for each run that counts otherwise than the first one of its model that finished.
pub(crate) fn disagreements(runs: &[Measurement]) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, run) in runs.iter().enumerate().filter(|(_, run)| run.is_finished()) {
        let earlier = || runs[..at].iter().filter(|other| other.model == run.model);
        let mut compare = |what: &str, count: fn(&Measurement) -> Option<&String>| {
            let Some((found, first)) = count(run).zip(earlier().find(|other| count(other).is_some())) else {
                return;
            };
            let expected = count(first).map_or("", String::as_str);
            if found != expected {
                lines.push(format!(
                    "DISAGREE {}: {found} {what} with {}, {expected} with {}",
                    run.model,
                    run.combination.shown(),
                    first.combination.shown()
                ));
            }
        };
        compare("states", |run| run.states.as_ref());
        compare("deadlocks", |run| run.deadlocks.as_ref());
    }
    lines
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run with this strategy: finished, if it has states.
    pub(crate) fn run(model: &str, strategy: &str, states: &str, seconds: f64) -> Measurement {
        let words = ["symbolic", strategy, "none", "on", "off", "", "1", "", ""].map(str::to_owned);
        Measurement {
            model: model.into(),
            combination: Combination::new(words),
            repetition: 1,
            outcome: if states.is_empty() { "time" } else { "done" }.into(),
            states: Some(states.to_owned()).filter(|states| !states.is_empty()),
            seconds: Some(seconds),
            peak_nodes: Some((seconds * 1000.0) as u64),
            ..Measurement::default()
        }
    }

    #[test]
    fn the_median_stands_for_equal_runs_and_a_failure_for_all() {
        let times = |times: &[f64]| times.iter().map(|&time| run("a", "bfs", "7", time)).collect::<Vec<_>>();
        let stands = |runs: &[Measurement]| Results::new(runs).get(0, 0).unwrap().seconds;
        assert_eq!(stands(&times(&[3.0, 1.0, 2.0])), Some(2.0));
        assert_eq!(stands(&times(&[4.0, 1.0, 2.0, 3.0])), Some(2.0));
        let mut runs = times(&[3.0, 1.0]);
        runs.push(run("a", "bfs", "", 9.0));
        assert_eq!(stands(&runs), Some(9.0));
    }

    #[test]
    fn what_was_not_run_is_missing() {
        let results = Results::new(&[
            run("a", "bfs", "7", 1.0),
            run("b", "chain", "8", 1.0),
            run("a", "chain", "7", 1.0),
        ]);
        assert_eq!(results.models, ["a", "b"]);
        assert!(results.get(1, 0).is_none() && results.get(1, 1).is_some());
        assert_eq!(results.solved_by_all(), [0]);
    }

    #[test]
    fn disagreement_is_seen_and_an_unfinished_run_does_not_disagree() {
        let mut runs = vec![run("a", "bfs", "7", 1.0), run("b", "bfs", "8", 1.0), run("a", "chain", "", 1.0)];
        assert_eq!(disagreements(&runs), [] as [&str; 0]);
        runs.push(run("a", "chain-prev", "6", 1.0));
        let found = disagreements(&runs);
        assert!(found.len() == 1 && found[0].starts_with("DISAGREE a: 6 states with"), "{found:?}");
        runs.pop();
        for (at, count) in [(0, "1"), (2, "2")] {
            runs[at].states = Some("7".into());
            runs[at].deadlocks = Some(count.into());
        }
        assert!(disagreements(&runs)[0].contains("2 deadlocks"), "{:?}", disagreements(&runs));
    }
}
