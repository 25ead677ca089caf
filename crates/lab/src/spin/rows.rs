//! The rows of a comparison with Spin, how many times as fast as Spin each run is, and the last lines, that
//! sum it up.

use std::fmt::Write as _;

use machine::memory::show_bytes;
use report::words;

use crate::bench::{Combination, DONE, Dimension, Measurement, SPIN, varying};

/// A run that has a processor for less of its time shares the machine with others.
const BUSY: f64 = 0.9;

/// What a run is compared with: a run of Spin, or several.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Baseline {
    pub(crate) name: String,
    /// States a second, the mean of several.
    pub(crate) rate: f64,
}

impl Baseline {
    /// These runs of Spin, as far as they stored states; nothing if none did.
    pub(crate) fn of(runs: &[&Measurement]) -> Option<Self> {
        let rates: Vec<(f64, &Measurement)> =
            runs.iter().filter_map(|&run| Some((rate(run)?, run))).collect();
        let name = match rates.as_slice() {
            [] => return None,
            [(_, run)] => format!("{} #{}", words::shown(&run.model), run.repetition),
            _ => format!("mean of {}", rates.len()),
        };
        Some(Self { name, rate: rates.iter().map(|(rate, _)| rate).sum::<f64>() / rates.len() as f64 })
    }
}

/// A run and what it is compared with.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RunRow {
    pub(crate) run: Measurement,
    pub(crate) against: Option<Baseline>,
}

impl RunRow {
    /// States a second in those of Spin.
    fn ratio(&self) -> Option<f64> {
        Some(rate(&self.run)? / self.against.as_ref()?.rate)
    }

    fn is_spins(&self) -> bool {
        self.run.combination[Dimension::Engine] == *SPIN
    }
}

/// States that were seen, be it all or not.
fn seen(run: &Measurement) -> Option<f64> {
    run.states.as_ref().or(run.explored.as_ref())?.parse().ok().filter(|&states: &f64| states > 0.0)
}

/// So many a second.
fn per_second(count: Option<f64>, run: &Measurement) -> Option<f64> {
    Some(count? / run.seconds.filter(|&seconds| seconds > 0.0)?)
}

/// States a second.
fn rate(run: &Measurement) -> Option<f64> {
    per_second(seen(run), run)
}

/// Bytes that a state takes.
fn bytes(run: &Measurement) -> Option<f64> {
    Some(run.stored? as f64 / seen(run)?)
}

/// How rows are set: each is printed when it is there, so the widths are those of what will come.
pub(crate) struct Layout {
    model: usize,
    search: usize,
    /// What names a combination.
    dimensions: Vec<Dimension>,
}

impl Layout {
    /// For these models and combinations.
    pub(crate) fn new<'m>(models: impl Iterator<Item = &'m str>, combinations: &[Combination]) -> Self {
        let always = [Dimension::Store, Dimension::Threads];
        let mut dimensions = varying(combinations);
        dimensions.retain(|dimension| !always.contains(dimension));
        dimensions.extend(always);
        let length = |text: &str| text.chars().count();
        let searches = combinations.iter().map(|one| length(&one.label(&dimensions)));
        let model = models.map(|model| length(&words::shown(model))).max().unwrap_or(0).max("model".len());
        Self { model, search: searches.max().unwrap_or(0).max("Spin #99".len()), dimensions }
    }

    /// Who searched.
    fn search(&self, run: &Measurement) -> String {
        match run.combination[Dimension::Engine] == *SPIN {
            true => format!("Spin #{}", run.repetition),
            false => run.combination.label(&self.dimensions),
        }
    }

    fn set(&self, first: [&str; 2], cells: [&str; 8], last: &str) -> String {
        let mut line =
            format!("{:<model$}  {:<search$}", first[0], first[1], model = self.model, search = self.search);
        for (cell, width) in cells.into_iter().zip([12, 13, 9, 10, 10, 8, 10, 6]) {
            let _ = write!(line, "  {cell:>width$}");
        }
        let _ = write!(line, "  {last}");
        format!("{}\n", line.trim_end())
    }

    /// The names of the columns.
    pub(crate) fn header(&self) -> String {
        let cells = ["states", "transitions", "seconds", "states/s", "trans/s", "B/state", "memory", "ratio"];
        self.set(["model", "search"], cells, "against")
    }

    /// A run in a line.
    pub(crate) fn line(&self, row: &RunRow) -> String {
        let run = &row.run;
        let whole = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.0}"));
        let transitions = run.transitions.as_ref().and_then(|count| count.parse().ok());
        let cells = [
            run.states.clone().or_else(|| run.explored.clone()).unwrap_or_default(),
            run.transitions.clone().unwrap_or_default(),
            run.seconds.map_or(String::new(), |seconds| format!("{seconds:.3}")),
            whole(rate(run)),
            whole(per_second(transitions, run)),
            bytes(run).map_or(String::new(), |bytes| format!("{bytes:.1}")),
            run.memory.map_or(String::new(), show_bytes),
            row.ratio().map_or(String::new(), |ratio| format!("{ratio:.2}")),
        ];
        let against =
            row.against.as_ref().filter(|_| row.ratio().is_some()).map(|against| against.name.clone());
        let stopped = (run.outcome != DONE).then(|| format!("not all states: {}", run.outcome));
        let last: Vec<String> = against.into_iter().chain(stopped).collect();
        self.set(
            [&words::shown(&run.model), &self.search(run)],
            cells.each_ref().map(String::as_str),
            &last.join("; "),
        )
    }

    /// For each model the best ratio, what more threads bring, and what a state takes.
    pub(crate) fn conclusion(&self, rows: &[RunRow]) -> String {
        let mut text = String::new();
        let mut models: Vec<&str> = Vec::new();
        for row in rows {
            if !models.contains(&row.run.model.as_str()) {
                models.push(&row.run.model);
            }
        }
        for model in models {
            let rows = medians(rows.iter().filter(|row| row.run.model == model));
            let _ = writeln!(text, "{}", words::shown(model));
            let mut tell = |what: &str, parts: Vec<String>| {
                if !parts.is_empty() {
                    let _ = writeln!(text, "  {what}: {}", parts.join(", "));
                }
            };
            let best =
                rows.iter().filter_map(|row| Some((row.ratio()?, *row))).max_by(|a, b| a.0.total_cmp(&b.0));
            let told = best.map(|(ratio, row)| {
                let against = row.against.as_ref().map_or("", |against| &against.name);
                format!("{ratio:.2} times Spin with {}, against {against}", self.search(&row.run))
            });
            tell("best", told.into_iter().collect());
            for (what, parts) in self.threads(&rows) {
                tell(&what, parts);
            }
            // Threads change little about it: one of each store.
            let first = |at: usize| {
                let combination = &rows[at].run.combination;
                !rows[..at].iter().any(|row| row.run.combination.same_but(Dimension::Threads, combination))
            };
            let sizes = (0..rows.len()).filter(|&at| first(at)).filter_map(|at| {
                Some(format!("{:.1} ({})", bytes(&rows[at].run)?, self.but_threads(rows[at])))
            });
            tell("bytes a state", sizes.collect());
        }
        text
    }

    /// What makes ratios doubtful.
    pub(crate) fn doubts(rows: &[RunRow]) -> String {
        let mut text = String::new();
        // Spin does not tell the time of the shortest.
        let is_short =
            |row: &RunRow| seen(&row.run).is_some() && row.run.seconds.is_none_or(|seconds| seconds < 1.0);
        if rows.iter().any(RunRow::is_spins) && rows.iter().any(is_short) {
            text += "note: runs of less than a second measure little, and the shortest nothing; \
                     larger models tell more\n";
        }
        // With more threads than one it could also be that they wait for each other.
        let alone =
            rows.iter().filter(|row| row.run.combination[Dimension::Threads] == *"1" && !is_short(row));
        let share = |row: &RunRow| Some(row.run.cpu? / row.run.wall?);
        let least = alone.filter_map(share).min_by(f64::total_cmp).filter(|&share| share < BUSY);
        if let Some(share) = least {
            let percent = share * 100.0;
            let _ = writeln!(
                text,
                "note: the machine is busy: a run with one thread had a processor for {percent:.0}% of \
                 its time"
            );
        }
        text
    }

    /// Who searched, but for the number of threads.
    fn but_threads(&self, row: &RunRow) -> String {
        let others: Vec<Dimension> =
            self.dimensions.iter().copied().filter(|&at| at != Dimension::Threads).collect();
        if row.is_spins() { "Spin".into() } else { row.run.combination.label(&others) }
    }

    /// What each number of threads gains over the least, for all that is searched with both.
    fn threads(&self, rows: &[&RunRow]) -> Vec<(String, Vec<String>)> {
        let number = |row: &RunRow| row.run.combination[Dimension::Threads].parse::<u32>().ok();
        let mut numbers: Vec<u32> =
            rows.iter().filter(|row| !row.is_spins()).filter_map(|row| number(row)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let Some((&least, more)) = numbers.split_first() else { return Vec::new() };
        let gain = |few: &RunRow, many: u32| {
            let same =
                |row: &&&RunRow| few.run.combination.same_but(Dimension::Threads, &row.run.combination);
            let row = rows.iter().filter(same).find(|row| number(row) == Some(many))?;
            Some(format!("{:.2} ({})", rate(&row.run)? / rate(&few.run)?, self.but_threads(few)))
        };
        let few = || rows.iter().filter(|row| !row.is_spins() && number(row) == Some(least));
        let line = |&many| {
            let s = if least == 1 { "" } else { "s" };
            (
                format!("{many} threads over {least} thread{s}"),
                few().filter_map(|few| gain(few, many)).collect(),
            )
        };
        more.iter().map(line).collect()
    }
}

/// Of equal runs the one of median speed, in the order in which they were first seen.
fn medians<'r>(rows: impl Iterator<Item = &'r RunRow>) -> Vec<&'r RunRow> {
    let mut groups: Vec<Vec<&RunRow>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| group[0].run.combination == row.run.combination) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    let speed = |row: &RunRow| rate(&row.run).unwrap_or(0.0);
    let middle = |mut group: Vec<&'r RunRow>| {
        group.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        group[(group.len() - 1) / 2]
    };
    groups.into_iter().map(middle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spin(model: &str, number: u32, states: &str, seconds: f64) -> Measurement {
        Measurement { repetition: number, ..search(model, [SPIN, "", "1"], states, seconds) }
    }

    fn search(model: &str, [engine, store, threads]: [&str; 3], states: &str, seconds: f64) -> Measurement {
        let words = [engine, "bfs", "", "", "", "", threads, store, ""].map(str::to_owned);
        Measurement {
            model: model.into(),
            combination: Combination::new(words),
            repetition: 1,
            outcome: DONE.into(),
            states: Some(states.into()),
            transitions: Some("3000".into()),
            seconds: Some(seconds),
            stored: Some(48_000),
            memory: Some(3 << 20),
            ..Measurement::default()
        }
    }

    fn row(store: &str, threads: &str, seconds: f64, rate: f64) -> RunRow {
        let against = Some(Baseline { name: "p #1".into(), rate });
        RunRow { run: search("a.dve", ["explicit", store, threads], "1000", seconds), against }
    }

    fn layout(rows: &[RunRow]) -> Layout {
        let combinations: Vec<Combination> = rows.iter().map(|row| row.run.combination.clone()).collect();
        Layout::new(rows.iter().map(|row| row.run.model.as_str()), &combinations)
    }

    fn fields(line: &str) -> Vec<&str> {
        line.split_whitespace().collect()
    }

    #[test]
    fn a_row_tells_speed_size_and_ratio() {
        let row = row("plain", "2", 0.5, 400.0);
        let layout = layout(std::slice::from_ref(&row));
        let wanted = [
            "a.dve",
            "store=plain",
            "threads=2",
            "1000",
            "3000",
            "0.500",
            "2000",
            "6000",
            "48.0",
            "3.0",
            "MiB",
        ];
        assert_eq!(fields(&layout.line(&row)), [&wanted[..], &["5.00", "p", "#1"]].concat());
        let alone = RunRow { against: None, ..row };
        assert_eq!(fields(&layout.line(&alone)), wanted);
        // Columns stand below their names.
        assert_eq!(
            layout.header().find("ratio").map(|at| at + 5),
            layout.line(&row_of(&alone)).find("5.00").map(|at| at + 4)
        );
    }

    #[test]
    fn short_runs_and_a_busy_machine_are_told() {
        let timed = |threads: &str, seconds: f64, cpu: f64| {
            let row = row("plain", threads, seconds, 500.0);
            RunRow { run: Measurement { cpu: Some(cpu), wall: Some(seconds), ..row.run }, ..row }
        };
        assert_eq!(Layout::doubts(&[timed("1", 2.0, 1.9), timed("2", 2.0, 0.4)]), "");
        let busy = Layout::doubts(&[timed("1", 2.0, 1.9), timed("1", 2.0, 1.0)]);
        assert!(busy.contains("a processor for 50% of its time") && busy.lines().count() == 1, "{busy}");
        let spin =
            |seconds| RunRow { run: Measurement { seconds, ..spin("p", 1, "1000", 2.0) }, against: None };
        let short = Layout::doubts(&[spin(Some(2.0)), timed("1", 0.5, 0.1)]);
        assert!(short.contains("less than a second") && short.lines().count() == 1, "{short}");
        assert_eq!(Layout::doubts(&[spin(None), timed("1", 2.0, 1.9)]), short);
        assert_eq!(Layout::doubts(&[timed("1", 0.5, 0.1)]) + &Layout::doubts(&[spin(Some(2.0))]), "");
    }

    fn row_of(row: &RunRow) -> RunRow {
        RunRow { against: Some(Baseline { name: "p #1".into(), rate: 400.0 }), ..row.clone() }
    }

    #[test]
    fn a_search_that_was_stopped_has_a_speed_and_says_so() {
        let run = Measurement {
            states: None,
            explored: Some("700".into()),
            transitions: None,
            outcome: "time".into(),
            ..spin("p", 2, "", 7.0)
        };
        let row = RunRow { run, against: None };
        let line = layout(std::slice::from_ref(&row)).line(&row);
        assert_eq!(fields(&line)[..6], ["p", "Spin", "#2", "700", "7.000", "100"]);
        assert!(line.ends_with("not all states: time\n"), "{line}");
        let nothing = Measurement { outcome: "crashed".into(), ..Measurement::default() };
        assert_eq!(rate(&nothing).or(bytes(&nothing)), None);
    }

    #[test]
    fn several_runs_of_spin_are_compared_with_by_their_mean() {
        let runs = [spin("p", 1, "1000", 1.0), spin("q", 2, "3000", 1.0), spin("r", 1, "0", 0.0)];
        let against = |runs: &[&Measurement]| Baseline::of(runs).map(|against| (against.name, against.rate));
        assert_eq!(against(&[&runs[1]]), Some(("q #2".into(), 3000.0)));
        assert_eq!(against(&[&runs[0], &runs[1], &runs[2]]), Some(("mean of 2".into(), 2000.0)));
        assert_eq!(against(&[&runs[2]]), None);
        assert_eq!(against(&[]), None);
    }

    #[test]
    fn the_last_lines_tell_the_best_the_threads_and_the_bytes() {
        let mut rows = vec![
            RunRow { run: spin("p", 1, "1000", 2.0), against: None },
            row("plain", "1", 1.0, 500.0),
            row("plain", "2", 0.5, 800.0),
            row("tree", "1", 2.0, 500.0),
            row("tree", "2", 1.6, 500.0),
        ];
        let layout = layout(&rows[1..]);
        let wanted = "p\n  bytes a state: 48.0 (Spin)\n\
                      a.dve\n  best: 2.50 times Spin with store=plain threads=2, against p #1\n\
                      \x20 2 threads over 1 thread: 2.00 (store=plain), 1.25 (store=tree)\n\
                      \x20 bytes a state: 48.0 (store=plain), 48.0 (store=tree)\n";
        assert_eq!(layout.conclusion(&rows), wanted);
        // Of three equal runs the middle one counts, not the best.
        rows.extend([row("plain", "2", 0.1, 800.0), row("plain", "2", 1.0, 500.0)]);
        assert_eq!(layout.conclusion(&rows), wanted);
    }
}
