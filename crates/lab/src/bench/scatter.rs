//! Which runs of a benchmark are compared in scatter plots: two values of one dimension, all else being
//! equal. What Meijer's thesis on read, write and guards (2014) shows: a dot a model, without on the
//! horizontal axis, with on the vertical one.

use crate::bench::combinations::{Combination, Dimension, varying};
use crate::bench::measurement::Measurement;
use crate::bench::results::Results;
use report::picture::scatter::{Amount, Dot, Plot, picture};

/// What is compared.
#[derive(Clone, Copy)]
struct Metric {
    /// As a part of a file's name.
    name: &'static str,
    title: &'static str,
    of: fn(&Measurement) -> Option<f64>,
}

const METRICS: [Metric; 5] = [
    Metric { name: "time", title: "seconds of the search", of: |run| run.seconds },
    // What a busy machine falsifies least.
    Metric { name: "cpu", title: "seconds of processor time", of: |run| run.cpu },
    Metric { name: "memory", title: "bytes of memory", of: |run| run.memory.map(|bytes| bytes as f64) },
    Metric {
        name: "peak-nodes",
        title: "most nodes at a time",
        of: |run| run.peak_nodes.map(|nodes| nodes as f64),
    },
    Metric {
        name: "calls",
        title: "next-state calls",
        of: |run| run.next_state_calls.map(|calls| calls as f64),
    },
];

/// The name of each file and its picture.
pub(crate) fn pictures(results: &Results) -> Vec<(String, String)> {
    let mut pictures = Vec::new();
    for dimension in varying(&results.combinations) {
        let values = values(&results.combinations, dimension);
        for (at, without) in values.iter().enumerate() {
            for with in &values[at + 1..] {
                for metric in METRICS {
                    let plot = plot(results, dimension, [without, with], metric);
                    // Only dots that say something: an engine without nodes has no plot of them.
                    if !plot.dots.is_empty() {
                        let name = format!("{}-{without}-{with}-{}", dimension.name(), metric.name);
                        pictures.push((format!("{}.svg", plain(&name)), picture(&plot)));
                    }
                }
            }
        }
    }
    pictures
}

/// The values of a dimension as they were first seen; of a switch, off is what on is compared with.
fn values(combinations: &[Combination], dimension: Dimension) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for combination in combinations {
        let value = &combination[dimension];
        if !value.is_empty() && !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
        }
    }
    if matches!(dimension, Dimension::Separate | Dimension::SplitGuards | Dimension::Effects) {
        values.sort_by_key(|value| value != "off");
    }
    values
}

fn plot(results: &Results, dimension: Dimension, [without, with]: [&String; 2], metric: Metric) -> Plot {
    let combinations = &results.combinations;
    let others: Vec<Dimension> =
        varying(combinations).into_iter().filter(|&other| other != dimension).collect();
    let having = |value: &String| {
        let value = value.clone();
        (0..combinations.len()).filter(move |&at| combinations[at][dimension] == *value)
    };
    let mut dots = Vec::new();
    for x in having(without) {
        for y in having(with).filter(|&y| combinations[x].same_but(dimension, &combinations[y])) {
            let labels = [x, y].map(|at| combinations[at].label(&others));
            let series = if labels[0] == labels[1] { labels[0].clone() } else { labels.join(" / ") };
            for model in 0..results.models.len() {
                let Some((x, y)) = results.get(model, x).zip(results.get(model, y)) else { continue };
                let amounts = amount(x, metric).zip(amount(y, metric));
                // Two runs that did not finish say nothing about each other.
                if let Some((x, y)) =
                    amounts.filter(|amounts| *amounts != (Amount::Unfinished, Amount::Unfinished))
                {
                    dots.push(Dot { name: results.models[model].clone(), series: series.clone(), x, y });
                }
            }
        }
    }
    let axis = |value: &str| format!("{} {value}: {}", dimension.name(), metric.title);
    Plot { title: metric.title.into(), across: axis(without), up: axis(with), dots }
}

fn amount(run: &Measurement, metric: Metric) -> Option<Amount> {
    if run.is_finished() { (metric.of)(run).map(Amount::Of) } else { Some(Amount::Unfinished) }
}

/// The text with letters and digits only.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results::tests::run;

    fn switched(strategy: &str, separate: &str, states: &str, seconds: f64) -> Measurement {
        let words = ["symbolic", strategy, "none", separate, "off", "", "1", "", ""].map(str::to_owned);
        Measurement { combination: Combination::new(words), ..run("a.dve", strategy, states, seconds) }
    }

    #[test]
    fn only_equals_but_for_one_dimension_are_compared() {
        let runs = [
            switched("bfs", "on", "7", 1.0),
            switched("bfs", "off", "7", 2.0),
            switched("chain", "on", "7", 3.0),
            switched("chain", "off", "", 60.0),
        ];
        let results = Results::new(&runs);
        let names: Vec<String> = pictures(&results).into_iter().map(|(name, _)| name).collect();
        let wanted =
            ["strategy-bfs-chain-time.svg", "separate-off-on-time.svg", "separate-off-on-peak-nodes.svg"];
        assert!(wanted.iter().all(|wanted| names.iter().any(|name| name == wanted)), "{names:?}");
        // Nobody counted calls or memory, so a plot would have only what did not finish.
        let [off, on] = ["off".to_owned(), "on".to_owned()];
        let plot = plot(&results, Dimension::Separate, [&off, &on], METRICS[0]);
        let dots: Vec<_> = plot.dots.iter().map(|dot| (dot.series.as_str(), dot.x, dot.y)).collect();
        assert_eq!(
            dots,
            [("bfs", Amount::Of(2.0), Amount::Of(1.0)), ("chain", Amount::Unfinished, Amount::Of(3.0))]
        );
    }

    #[test]
    fn engines_are_compared_with_the_strategies_they_have() {
        let explicit = ["explicit", "bfs", "none", "", "", "", "1", "", ""].map(str::to_owned);
        let explicit = Measurement { combination: Combination::new(explicit), ..run("a.dve", "", "7", 1.0) };
        let results =
            Results::new(&[explicit, run("a.dve", "sat-fix", "7", 2.0), run("a.dve", "bfs", "7", 3.0)]);
        let [x, y] = ["explicit".to_owned(), "symbolic".to_owned()];
        let plot = plot(&results, Dimension::Engine, [&x, &y], METRICS[0]);
        assert_eq!(plot.dots.len(), 2);
        assert_eq!(plot.dots[0].series, "bfs / sat-fix separate=on split-guards=off");
    }
}
