//! What a run of a benchmark came to, and tables of runs: CSV by RFC 4180, a line a run.

use std::path::Path;

use cli::Failure;

use crate::bench::combinations::{Combination, Dimension};
use crate::csv::{line, records};

/// What `outcome` is of a run that saw all states; any other word is the reason why it did not.
pub(crate) const DONE: &str = "done";
/// The model fails in some states; all that can be reached was seen all the same.
pub(crate) const FAILING: &str = "evaluation-error";

/// One run.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Measurement {
    pub(crate) model: String,
    pub(crate) combination: Combination,
    /// Which one of equal runs, from 1.
    pub(crate) repetition: u32,
    /// [`DONE`], or why not.
    pub(crate) outcome: String,
    /// What is wrong with the file, if that is why. Not a column.
    pub(crate) error: Option<String>,
    /// States, if all were seen.
    pub(crate) states: Option<String>,
    /// States that were seen, if not all were.
    pub(crate) explored: Option<String>,
    pub(crate) transitions: Option<String>,
    pub(crate) deadlocks: Option<String>,
    /// Seconds for reading the model, for the search, for the part of it that looks for states, and of the
    /// whole process.
    pub(crate) load: Option<f64>,
    pub(crate) seconds: Option<f64>,
    pub(crate) reaching: Option<f64>,
    pub(crate) wall: Option<f64>,
    /// Seconds of processor time.
    pub(crate) cpu: Option<f64>,
    /// Most bytes at a time.
    pub(crate) memory: Option<u64>,
    /// Bytes of the states themselves.
    pub(crate) stored: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) peak_nodes: Option<u64>,
    pub(crate) relation_nodes: Option<u64>,
    pub(crate) next_state_calls: Option<u64>,
    pub(crate) guard_calls: Option<u64>,
}

const COLUMNS: [&str; 28] = [
    "model",
    "engine",
    "strategy",
    "reorder",
    "separate",
    "split_guards",
    "effects",
    "threads",
    "store",
    "eval",
    "repetition",
    "outcome",
    "states",
    "explored",
    "transitions",
    "deadlocks",
    "load_seconds",
    "seconds",
    "reaching_seconds",
    "wall_seconds",
    "cpu_seconds",
    "memory_bytes",
    "stored_bytes",
    "nodes",
    "peak_nodes",
    "relation_nodes",
    "next_state_calls",
    "guard_calls",
];

impl Measurement {
    /// Whether the run saw all states.
    pub(crate) fn is_finished(&self) -> bool {
        self.states.is_some()
    }

    /// The line of the table, with its end.
    pub(crate) fn line(&self) -> String {
        let words = Dimension::ALL.map(|dimension| self.combination[dimension].to_owned());
        let [load, seconds, reaching, wall, cpu] =
            [self.load, self.seconds, self.reaching, self.wall, self.cpu].map(shown);
        let mut fields = vec![self.model.clone()];
        fields.extend(words);
        fields.extend([self.repetition.to_string(), self.outcome.clone()]);
        let counts = [&self.states, &self.explored, &self.transitions, &self.deadlocks];
        fields.extend(counts.map(|count| count.clone().unwrap_or_default()));
        fields.extend([load, seconds, reaching, wall, cpu]);
        fields.extend([self.memory, self.stored, self.nodes].map(shown));
        fields.extend(
            [self.peak_nodes, self.relation_nodes, self.next_state_calls, self.guard_calls].map(shown),
        );
        line(fields.iter().map(String::as_str))
    }

    fn from_fields(fields: Vec<String>) -> Result<Self, String> {
        let fields: [String; 28] = fields
            .try_into()
            .map_err(|fields: Vec<String>| format!("{} fields instead of 28", fields.len()))?;
        let [
            model,
            engine,
            strategy,
            reorder,
            separate,
            split,
            effects,
            threads,
            store,
            eval,
            repetition,
            outcome,
            states,
            explored,
            transitions,
            deadlocks,
            numbers @ ..,
        ] = fields;
        let [load, seconds, reaching, wall, cpu, memory, stored, nodes, peak, relations, calls, guards] =
            numbers;
        let count = |text: String| Some(text).filter(|text| !text.is_empty());
        let words = [engine, strategy, reorder, separate, split, effects, threads, store, eval];
        Ok(Self {
            model,
            combination: Combination::new(words),
            repetition: read(&repetition)?.ok_or("no number of the repetition")?,
            outcome,
            error: None,
            states: count(states),
            explored: count(explored),
            transitions: count(transitions),
            deadlocks: count(deadlocks),
            load: read(&load)?,
            seconds: read(&seconds)?,
            reaching: read(&reaching)?,
            wall: read(&wall)?,
            cpu: read(&cpu)?,
            memory: read(&memory)?,
            stored: read(&stored)?,
            nodes: read(&nodes)?,
            peak_nodes: read(&peak)?,
            relation_nodes: read(&relations)?,
            next_state_calls: read(&calls)?,
            guard_calls: read(&guards)?,
        })
    }
}

fn shown<T: ToString>(number: Option<T>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

fn read<T: std::str::FromStr>(text: &str) -> Result<Option<T>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| format!("`{text}` is no number"))
}

/// The first line.
pub(crate) fn header() -> String {
    line(COLUMNS.into_iter())
}

/// The runs in a file that this wrote.
pub(crate) fn load(path: &Path) -> Result<Vec<Measurement>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path.display(), &error))?;
    parse(&text).map_err(|problem| {
        Failure::usage(format!("{}: {problem}", path.display()), "leave --resume out to write the file anew")
    })
}

fn parse(text: &str) -> Result<Vec<Measurement>, String> {
    let mut records = records(text).into_iter().enumerate();
    match records.next() {
        None => return Ok(Vec::new()),
        Some((_, header)) if header == COLUMNS => {}
        Some(_) => return Err("the first line does not name the columns of a benchmark".into()),
    }
    let measurement =
        |(at, fields)| Measurement::from_fields(fields).map_err(|why| format!("record {}: {why}", at + 1));
    records.map(measurement).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Measurement {
        let words =
            ["symbolic", "chain", "random:7", "on", "off", "", "2", "tree", "compile"].map(str::to_owned);
        Measurement {
            model: "a \"strange\",\nname.dve".into(),
            combination: Combination::new(words),
            repetition: 3,
            outcome: DONE.into(),
            error: None,
            states: Some("340282366920938463463374607431768211456".into()),
            explored: Some("12".into()),
            transitions: Some("13".into()),
            deadlocks: Some("0".into()),
            load: Some(0.000123),
            seconds: Some(1.0 / 3.0),
            reaching: Some(0.25),
            wall: Some(17.0),
            cpu: Some(1e-9),
            memory: Some(u64::MAX),
            stored: Some(14),
            nodes: Some(1),
            peak_nodes: Some(2),
            relation_nodes: Some(3),
            next_state_calls: Some(4),
            guard_calls: Some(5),
        }
    }

    #[test]
    fn a_line_that_is_read_is_the_run_again() {
        let empty = Measurement {
            model: "b.dve".into(),
            repetition: 1,
            outcome: "time".into(),
            ..Default::default()
        };
        let text = header() + &full().line() + &empty.line();
        assert_eq!(parse(&text), Ok(vec![full(), empty]));
        assert_eq!(parse(&header()), Ok(vec![]));
    }

    #[test]
    fn every_column_has_its_name() {
        // Numbers in the order of the fields: a field in another's column is seen.
        let line = full().line();
        let fields = &records(&line)[0];
        assert_eq!(fields.len(), COLUMNS.len());
        for (name, value) in [
            ("split_guards", "off"),
            ("store", "tree"),
            ("eval", "compile"),
            ("explored", "12"),
            ("transitions", "13"),
            ("deadlocks", "0"),
            ("wall_seconds", "17"),
            ("stored_bytes", "14"),
            ("nodes", "1"),
            ("guard_calls", "5"),
        ] {
            let at = COLUMNS.iter().position(|column| *column == name).unwrap();
            assert_eq!(fields[at], value, "{name}");
        }
    }

    #[test]
    fn other_tables_and_broken_lines_are_refused() {
        assert!(parse("model,property\na,b\n").is_err());
        let broken = header() + &full().line().replace(",17,", ",seventeen,");
        assert_eq!(parse(&broken), Err("record 2: `seventeen` is no number".into()));
        assert!(parse(&(header() + "a,b\n")).unwrap_err().contains("2 fields"));
    }
}
