//! `pinscher-lab bench`: runs models with every combination of engine, strategy, order and switches that is
//! named, each run in a process of its own, and compares: a table, a CSV file, scatter plots. Runs that
//! disagree about a model are a defect, and reported as one.

mod combinations;
mod ldd;
mod measurement;
mod results;
mod run;
mod scatter;
mod table;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use cli::output::print;
use cli::{Failure, interrupt};
use pinscher::by_extension;
use report::words;

pub(crate) use combinations::{Combination, Dimension, SPIN, varying, wanted};
pub(crate) use measurement::{DONE, Measurement};
pub(crate) use results::disagreements;
pub(crate) use run::{Limits, count, rounded, without};

use crate::files::find_files;
use crate::options::Bench;
use results::Results;

/// Ways to fail that are never the model's size.
const FAULTS: [&str; 4] = ["crashed", "killed", "wrong-input", "internal"];

/// Runs everything; 1 where runs disagree or fail, 3 where not all were run.
pub(crate) fn run(options: &Bench, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let combinations = combinations(options, errors)?;
    let is_wanted = |extension: &str| match options.ldd {
        true => extension == "ldd",
        false => by_extension(extension).is_some(),
    };
    let models = models(options, &is_wanted)?;
    // Before hours of runs, not after them.
    if let Some(folder) = &options.svg {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder.display(), &error))?;
    }
    let limits = Limits::new(options);
    let program = if options.ldd { None } else { Some(options.measured.program()?) };
    let mut log = Log::open(options)?;
    let measure = |path: &Path, combination: &Combination| match &program {
        Some(program) => count(program, path, None, combination, &limits),
        None => ldd::run(path, combination, &limits),
    };
    // From here on Ctrl-C ends the benchmark and not the program: what was measured is reported.
    let interrupted = interrupt::token();
    'all: for (name, path) in &models {
        for combination in &combinations {
            for repetition in 1..=options.repeat {
                if log.has(name, combination, repetition) {
                    continue;
                }
                let run = Measurement { model: name.clone(), repetition, ..measure(path, combination)? };
                if interrupted.is_cancelled() {
                    break 'all;
                }
                if !options.quiet {
                    let _ = write!(errors, "{}", line(&run));
                }
                log.enter(run)?;
            }
        }
    }
    conclude(options, &log.runs, interrupted.is_cancelled(), out)
}

/// The combinations that are asked for; which of them no engine has is said.
fn combinations(options: &Bench, errors: &mut dyn Write) -> Result<Vec<Combination>, Failure> {
    if options.ldd {
        return ldd::wanted(options);
    }
    let wanted = wanted(options)?;
    for reason in &wanted.left_out {
        // What is left out is not there in the table either.
        let _ = writeln!(errors, "left out: {reason}");
    }
    Ok(wanted.combinations)
}

/// The model files, each with the name it has in tables: as it was given, or its path below the folder that
/// was given. Files in a folder are looked at by their endings.
pub(crate) fn models(
    options: &Bench,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut models: Vec<(String, PathBuf)> = Vec::new();
    for given in &options.files {
        if given.is_dir() {
            let mut files = Vec::new();
            find_files(given, is_wanted, &mut files)?;
            models.extend(
                files.into_iter().map(|path| (name(path.strip_prefix(given).unwrap_or(&path)), path)),
            );
        } else if given.is_file() {
            models.push((
                given.file_name().map_or_else(|| name(given), |file| name(Path::new(file))),
                given.clone(),
            ));
        } else {
            let help = "name model files, or folders to look for some in";
            return Err(Failure::usage(format!("there is no file {}", given.display()), help));
        }
    }
    if let Some(only) = &options.only {
        models.retain(|(_, path)| name(path).contains(only.as_str()));
    }
    // Two files of one name in different folders are two models.
    let names: Vec<String> = models.iter().map(|(name, _)| name.clone()).collect();
    for (short, path) in &mut models {
        if names.iter().filter(|other| *other == short).count() > 1 {
            *short = name(path);
        }
    }
    models.dedup();
    match models.is_empty() {
        true => {
            Err(Failure::usage("there are no models to run", "name other files or folders, or change --only"))
        }
        false => Ok(models),
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

/// A run in a line.
fn line(run: &Measurement) -> String {
    let states = run.states.as_ref().map_or(String::new(), |states| format!(" {states} states"));
    let seconds = run.seconds.map_or(String::new(), |seconds| format!(" {seconds:.3} s"));
    format!("{} {}: {}{states}{seconds}\n", words::shown(&run.model), run.combination.shown(), run.outcome)
}

/// The runs so far. What a long benchmark measured is in the file at once, so that little is lost when it is
/// ended.
pub(crate) struct Log {
    pub(crate) runs: Vec<Measurement>,
    file: Option<(File, PathBuf)>,
}

impl Log {
    pub(crate) fn open(options: &Bench) -> Result<Self, Failure> {
        let Some(path) = &options.csv else {
            if options.resume {
                return Err(Failure::usage("--resume goes on with a file", "write --csv FILE"));
            }
            return Ok(Self { runs: Vec::new(), file: None });
        };
        let failed = |error: std::io::Error| Failure::file(path.display(), &error);
        let runs = if options.resume && path.is_file() { measurement::load(path)? } else { Vec::new() };
        // Written anew, so that a line that was cut off does not stay.
        let mut file = File::create(path).map_err(failed)?;
        let text: String = runs.iter().map(Measurement::line).collect();
        file.write_all((measurement::header() + &text).as_bytes()).map_err(failed)?;
        Ok(Self { runs, file: Some((file, path.clone())) })
    }

    fn has(&self, model: &str, combination: &Combination, repetition: u32) -> bool {
        let same = |run: &&Measurement| run.model == model && run.combination == *combination;
        self.runs.iter().filter(same).any(|run| run.repetition == repetition)
    }

    pub(crate) fn enter(&mut self, run: Measurement) -> Result<(), Failure> {
        if let Some((file, path)) = &mut self.file {
            file.write_all(run.line().as_bytes()).map_err(|error| Failure::file(path.display(), &error))?;
        }
        self.runs.push(run);
        Ok(())
    }
}

fn conclude(
    options: &Bench,
    runs: &[Measurement],
    is_interrupted: bool,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let results = Results::new(runs);
    print(out, &table::text(&results))?;
    if let Some(folder) = &options.svg {
        for (name, picture) in scatter::pictures(&results) {
            let path = folder.join(name);
            std::fs::write(&path, picture).map_err(|error| Failure::file(path.display(), &error))?;
        }
    }
    judge(runs, disagreements(runs), is_interrupted, out)
}

/// Tells what is wrong with the runs; the answer is the exit code.
pub(crate) fn judge(
    runs: &[Measurement],
    disagreements: Vec<String>,
    is_interrupted: bool,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let faults: Vec<&Measurement> =
        runs.iter().filter(|run| FAULTS.contains(&run.outcome.as_str())).collect();
    for line in &disagreements {
        print(out, &format!("{}\n", words::shown(line)))?;
    }
    let mut last = "";
    for run in &faults {
        print(out, &format!("FAILED {}", line(run)))?;
        // A broken file is broken in every combination: once is enough.
        let error = run.error.as_deref().unwrap_or("");
        if error != last {
            print(out, &words::shown_lines(error))?;
        }
        last = error;
    }
    if is_interrupted {
        print(out, "interrupted: not all was run\n")?;
    }
    Ok(match (disagreements.is_empty() && faults.is_empty(), is_interrupted) {
        (false, _) => 1,
        (true, true) => 3,
        (true, false) => 0,
    })
}
