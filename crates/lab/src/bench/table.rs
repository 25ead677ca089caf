//! The runs of a benchmark as a table for people: a row a model, a column a combination, seconds and most
//! nodes in each cell.

use std::fmt::Write as _;

use crate::bench::combinations::varying;
use crate::bench::measurement::{DONE, Measurement};
use crate::bench::results::Results;
use report::words;

/// Columns that would make lines longer than this go into a table of their own.
const WIDEST: usize = 150;

/// The row of sums over those models that every combination solved: only these can be compared.
const BY_ALL: &str = "solved by all";

/// The table, or several below each other, and the sums.
pub(crate) fn text(results: &Results) -> String {
    let dimensions = varying(&results.combinations);
    let label = |at: usize| match dimensions.is_empty() {
        true => results.combinations[at].arguments().join(" "),
        false => results.combinations[at].label(&dimensions),
    };
    let cell = |model: usize, at: usize| results.get(model, at).map_or(String::new(), cell);
    let models: Vec<String> = results.models.iter().map(|model| words::shown(model).into_owned()).collect();
    let states: Vec<String> = (0..models.len()).map(|model| states(results, model)).collect();
    let common = format!("{} of {}", results.solved_by_all().len(), models.len());
    let first = widest(models.iter().map(String::as_str).chain(["model", BY_ALL]));
    let second = widest(states.iter().map(String::as_str).chain(["states", common.as_str()]));
    let sums = sums(results);
    let width = |at: usize| {
        let cells: Vec<String> = (0..models.len()).map(|model| cell(model, at)).collect();
        widest(cells.iter().chain(&sums[at]).map(String::as_str).chain([label(at).as_str()]))
    };
    let mut text = String::new();
    let mut next = 0;
    while next < results.combinations.len() {
        // As many columns as fit, and at least one.
        let mut columns = vec![next];
        let mut length = first + second + 4 + width(next);
        while let Some(more) = columns.last().map(|at| at + 1).filter(|&at| at < results.combinations.len()) {
            length += 2 + width(more);
            if length > WIDEST {
                break;
            }
            columns.push(more);
        }
        next += columns.len();
        let mut row = |head: &str, states: &str, cells: &dyn Fn(usize) -> String| {
            let mut line = format!("{head:<first$}  {states:>second$}");
            for &at in &columns {
                let _ = write!(line, "  {:>width$}", cells(at), width = width(at));
            }
            let _ = writeln!(text, "{}", line.trim_end());
        };
        row("model", "states", &label);
        for (model, name) in models.iter().enumerate() {
            row(name, &states[model], &|at| cell(model, at));
        }
        row("solved", "", &|at| sums[at][0].clone());
        row(BY_ALL, &common, &|at| sums[at][1].clone());
        text.push('\n');
    }
    text
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

/// How many states a model has, if one of the runs saw all.
fn states(results: &Results, model: usize) -> String {
    let runs = (0..results.combinations.len()).filter_map(|at| results.get(model, at));
    runs.filter_map(|run| run.states.clone()).next().unwrap_or_else(|| "?".into())
}

fn cell(run: &Measurement) -> String {
    if !run.is_finished() {
        return run.outcome.clone();
    }
    let failing = if run.outcome == DONE { "" } else { "!" };
    amounts(run.seconds, run.peak_nodes) + failing
}

/// Seconds and nodes, as far as there are some.
fn amounts(seconds: Option<f64>, nodes: Option<u64>) -> String {
    let seconds = seconds.map(|seconds| format!("{seconds:.3} s"));
    let nodes = nodes.map(|nodes| format!("{:>9} n", nodes));
    [seconds, nodes].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// For each combination how many models it solved, and seconds and nodes for those that all solved.
fn sums(results: &Results) -> Vec<[String; 2]> {
    let common = results.solved_by_all();
    let of = |at: usize| {
        let runs = (0..results.models.len()).filter_map(|model| results.get(model, at));
        let solved = runs.filter(|run| run.is_finished()).count();
        let runs = || common.iter().filter_map(|&model| results.get(model, at));
        let sum = amounts(runs().map(|run| run.seconds).sum(), runs().map(|run| run.peak_nodes).sum());
        [format!("{solved} of {}", results.models.len()), if common.is_empty() { String::new() } else { sum }]
    };
    (0..results.combinations.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results::tests::run;

    #[test]
    fn a_row_a_model_a_column_a_combination_and_sums_of_what_all_solved() {
        let runs = [
            run("small.dve", "bfs", "7", 0.5),
            run("small.dve", "chain", "7", 0.25),
            run("other.dve", "bfs", "9", 1.0),
            run("other.dve", "chain", "9", 2.0),
            run("large.dve", "bfs", "", 60.0),
            run("large.dve", "chain", "1000000", 3.0),
        ];
        let text = text(&Results::new(&runs));
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["model", "states", "bfs", "chain"]);
        assert_eq!(lines[1], ["small.dve", "7", "0.500", "s", "500", "n", "0.250", "s", "250", "n"]);
        assert_eq!(lines[3], ["large.dve", "1000000", "time", "3.000", "s", "3000", "n"]);
        assert_eq!(lines[4], ["solved", "2", "of", "3", "3", "of", "3"]);
        assert_eq!(lines[5][3..6], ["2", "of", "3"]);
        assert_eq!(lines[5][6..], ["1.500", "s", "1500", "n", "2.250", "s", "2250", "n"]);
        // Columns stand below each other.
        let ends: Vec<usize> = text.lines().take(6).map(|line| line.chars().count()).collect();
        assert!(ends.iter().all(|&end| end == ends[0]), "{text}");
    }

    #[test]
    fn wide_tables_are_cut() {
        let strategies: Vec<String> = (0..30).map(|number| format!("strategy-{number}")).collect();
        let runs: Vec<Measurement> = strategies.iter().map(|name| run("a.dve", name, "7", 1.0)).collect();
        let text = text(&Results::new(&runs));
        assert!(text.lines().all(|line| line.chars().count() <= WIDEST), "{text}");
        assert!(strategies.iter().all(|name| text.split_whitespace().any(|word| word == name)), "{text}");
    }
}
