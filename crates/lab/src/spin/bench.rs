//! `pinscher-lab bench --spin`: Spin on files in Promela, the explicit engine on those that Pinscher reads,
//! in the same minute, for on a machine that others use, too, only what ran close together can be compared.
//!
//! Each run of Pinscher is compared with the run of Spin before it, which ended at most a minute before it
//! began: Spin is run again where more time has gone by.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cli::output::print;
use cli::{Failure, interrupt};
use pinscher::by_extension;
use report::words;

use crate::Program;
use crate::bench::{self, Combination, Dimension, Limits, Log, Measurement, SPIN, disagreements, without};
use crate::options::Bench;
use crate::spin::PROMELA;
use crate::spin::findings::same_count;
use crate::spin::rows::{Baseline, Layout, RunRow};
use crate::spin::verifier::{BuildOptions, Refused, Verifier, installed};

/// A run of Spin that is older is made again.
const MINUTE: Duration = Duration::from_secs(60);

/// A model. A name that tells no language is taken for one of Promela.
struct ModelFile {
    name: String,
    path: PathBuf,
    /// Whether Spin reads it.
    is_promela: bool,
    /// The language that Pinscher reads it in.
    language: &'static str,
}

impl ModelFile {
    fn new(name: String, path: PathBuf) -> Self {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let language = by_extension(extension).map_or(PROMELA, |language| language.name);
        Self { name, path, is_promela: language == PROMELA, language }
    }

    /// The same model in another file: its name but for the ending.
    fn is_twin(&self, other: &Path) -> bool {
        self.path.file_stem() == other.file_stem()
    }
}

/// A file that Spin searches.
struct Peer {
    name: String,
    path: PathBuf,
    verifier: Verifier,
    /// The last run, and when it was over.
    last: Option<(Measurement, Instant)>,
    runs: u32,
}

/// Runs everything; 1 where runs disagree or fail, 3 where not all were run.
pub(crate) fn run(options: &Bench, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let combinations = bench::wanted(options)?.combinations;
    let models = bench::models(options, &|extension| by_extension(extension).is_some())?;
    let files: Vec<ModelFile> = models.into_iter().map(|(name, path)| ModelFile::new(name, path)).collect();
    let spin = match files.iter().any(|file| file.is_promela) {
        true => installed(),
        false => Err("no file is in Promela: without one for Spin there are no ratios".into()),
    };
    if let Err(missing) = &spin {
        // Warnings that cannot be written do not change what is measured.
        let _ = writeln!(errors, "no ratios: {missing}");
    }
    let layout = Layout::new(files.iter().map(|file| file.name.as_str()), &combinations);
    let program = options.measured.program()?;
    let (limits, log) = (Limits::new(options), Log::open(options)?);
    let (rows, peers) = (Vec::new(), Vec::new());
    let mut benchmark = Benchmark { program, limits, layout, log, rows, peers, options, out, errors };
    // From here on Ctrl-C ends the benchmark and not the program: what was measured is reported.
    let interrupted = interrupt::token();
    if let Ok(version) = spin {
        benchmark.tell(&format!("{}\n", words::shown(&version)))?;
        benchmark.tell(&benchmark.layout.header())?;
        benchmark.build(&files)?;
        benchmark.search_by_spin(&(0..benchmark.peers.len()).collect::<Vec<_>>())?;
    } else {
        benchmark.tell(&benchmark.layout.header())?;
    }
    for file in &files {
        for combination in &combinations {
            for repetition in 1..=options.repeat {
                if interrupted.is_cancelled() {
                    break;
                }
                benchmark.search(file, combination, repetition)?;
            }
        }
    }
    benchmark.conclude(interrupted.is_cancelled())
}

/// All that a comparison has at hand.
struct Benchmark<'a> {
    program: Program,
    limits: Limits,
    layout: Layout,
    log: Log,
    rows: Vec<RunRow>,
    peers: Vec<Peer>,
    options: &'a Bench,
    out: &'a mut dyn Write,
    errors: &'a mut dyn Write,
}

impl Benchmark<'_> {
    fn tell(&mut self, text: &str) -> Result<(), Failure> {
        if self.options.quiet { Ok(()) } else { print(self.out, text) }
    }

    fn warn(&mut self, name: &str, text: &str) {
        let text = format!("{}: {text}\n", words::shown(name));
        let _ = self.errors.write_all(words::shown_lines(&text).as_bytes());
    }

    fn enter(&mut self, run: Measurement, against: Option<Baseline>) -> Result<(), Failure> {
        self.log.enter(run.clone())?;
        let row = RunRow { run, against };
        self.tell(&self.layout.line(&row))?;
        self.rows.push(row);
        Ok(())
    }

    /// Makes the verifiers of all files in Promela.
    fn build(&mut self, files: &[ModelFile]) -> Result<(), Failure> {
        for file in files.iter().filter(|file| file.is_promela) {
            let (outcome, said) = match Verifier::build(
                &file.path,
                &BuildOptions { defines: &[], is_fast: true },
                &self.limits,
            ) {
                Ok(verifier) => {
                    if verifier.has_claim {
                        self.warn(&file.name, "its claims are left out: Spin searches the system alone");
                    }
                    let (name, path) = (file.name.clone(), file.path.clone());
                    self.peers.push(Peer { name, path, verifier, last: None, runs: 0 });
                    continue;
                }
                Err(Refused::Interrupted) => return Ok(()),
                Err(Refused::Failed(failure)) => return Err(failure),
                Err(Refused::Late) => (
                    "time",
                    "Spin or the C compiler took longer than --time and longer than a minute".to_owned(),
                ),
                Err(Refused::File(said)) => {
                    ("wrong-input", format!("Spin does not take it\n{}", said.trim_end()))
                }
            };
            self.warn(&file.name, &said);
            let combination = Combination::new([SPIN, "", "", "", "", "", "", "", ""].map(str::to_owned));
            self.enter(
                Measurement { model: file.name.clone(), combination, repetition: 1, ..without(outcome) },
                None,
            )?;
        }
        Ok(())
    }

    /// Runs Spin on these of its files.
    fn search_by_spin(&mut self, peers: &[usize]) -> Result<(), Failure> {
        for &at in peers {
            let peer = &mut self.peers[at];
            let (run, said) = peer.verifier.run(&self.limits)?;
            if interrupt::token().is_cancelled() {
                break;
            }
            peer.runs += 1;
            let run = Measurement { model: peer.name.clone(), repetition: peer.runs, ..run };
            peer.last = Some((run.clone(), Instant::now()));
            if let Some(said) = said {
                self.warn(&run.model, &format!("warning: Spin's search is not complete: {said}"));
            }
            self.enter(run, None)?;
        }
        Ok(())
    }

    /// The files whose runs by Spin a model is compared with: itself, else those of the same name, else all.
    fn peers_of(&self, file: &ModelFile) -> Vec<usize> {
        let those = |is_one: &dyn Fn(&Path) -> bool| {
            (0..self.peers.len()).filter(|&at| is_one(&self.peers[at].path)).collect::<Vec<_>>()
        };
        let same = those(&|path| path == file.path);
        let twins = those(&|path| file.is_twin(path));
        [same, twins].into_iter().find(|found| !found.is_empty()).unwrap_or_else(|| those(&|_| true))
    }

    /// Runs a model, after Spin if that is too long ago.
    fn search(
        &mut self,
        file: &ModelFile,
        combination: &Combination,
        repetition: u32,
    ) -> Result<(), Failure> {
        let peers = self.peers_of(file);
        let newest = peers.iter().filter_map(|&at| Some(self.peers[at].last.as_ref()?.1)).max();
        if newest.is_some_and(|newest| newest.elapsed() > MINUTE) {
            self.search_by_spin(&peers)?;
        }
        let run = bench::count(&self.program, &file.path, Some(file.language), combination, &self.limits)?;
        if interrupt::token().is_cancelled() {
            return Ok(());
        }
        let spins: Vec<&Measurement> =
            peers.iter().filter_map(|&at| Some(&self.peers[at].last.as_ref()?.0)).collect();
        let against = Baseline::of(&spins);
        self.enter(Measurement { model: file.name.clone(), repetition, ..run }, against)
    }

    fn conclude(mut self, is_interrupted: bool) -> Result<u8, Failure> {
        let text = self.layout.conclusion(&self.rows) + &Layout::doubts(&self.rows);
        self.tell("\n")?;
        print(self.out, &text)?;
        let runs = &self.log.runs;
        // Runs of Pinscher with each other as in every benchmark; Spin's counts are rounded, and compared as
        // such.
        let (_, own): (Vec<Measurement>, Vec<Measurement>) = runs.iter().cloned().partition(is_spins);
        let disagreements = [disagreements(&own), differing(runs)].concat();
        bench::judge(runs, disagreements, is_interrupted, self.out)
    }
}

fn is_spins(run: &Measurement) -> bool {
    run.combination[Dimension::Engine] == *SPIN
}

/// A line for each run that does not see as many states as Spin in the same file.
fn differing(runs: &[Measurement]) -> Vec<String> {
    let spins: Vec<&Measurement> = runs.iter().filter(|run| is_spins(run)).collect();
    let line = |run: &Measurement| {
        let found = run.states.as_ref()?;
        let spin = spins.iter().find(|spin| spin.model == run.model && spin.states.is_some())?;
        let wanted: u64 = spin.states.as_ref()?.parse().ok()?;
        let told = || {
            format!(
                "DISAGREE {}: {found} states with {}, {wanted} with Spin",
                run.model,
                run.combination.shown()
            )
        };
        (!same_count(wanted, found)).then(told)
    };
    runs.iter().filter(|run| !is_spins(run)).filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_reads_promela_gets_what_has_no_known_name() {
        let file = |path: &str| ModelFile::new(path.into(), path.into());
        for (path, is_promela) in
            [("a.pml", true), ("b.prom", true), ("peterson4", true), ("c.dve", false), ("d.etf", false)]
        {
            assert_eq!(file(path).is_promela, is_promela, "{path}");
        }
        assert_eq!(file("c.dve").language, "dve");
        assert_eq!(file("peterson4").language, "promela");
        assert!(file("x/anderson.6.dve").is_twin(Path::new("y/anderson.6.pm")));
        assert!(!file("x/anderson.6.dve").is_twin(Path::new("y/anderson.5.pm")));
    }

    #[test]
    fn other_numbers_of_states_than_spins_are_told() {
        let run = |model: &str, engine: &str, states: &str| {
            let combination = Combination::new([engine, "", "", "", "", "", "", "", ""].map(str::to_owned));
            let states = Some(states.to_owned()).filter(|states| !states.is_empty());
            Measurement { model: model.into(), combination, states, ..Measurement::default() }
        };
        let mut runs = vec![
            run("a", SPIN, "7"),
            run("a", "explicit", "7"),
            run("b", "explicit", "8"),
            run("a", SPIN, ""),
        ];
        assert_eq!(differing(&runs), [] as [&str; 0]);
        runs.push(run("a", "explicit", "8"));
        assert_eq!(differing(&runs), ["DISAGREE a: 8 states with --engine explicit, 7 with Spin"]);
    }
}
