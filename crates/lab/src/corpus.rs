//! `pinscher-lab corpus`: runs all models of a folder whose answers are known, and tells where ours differ.
//!
//! The table of known answers (`corpus/table.rs`) has a row an answer. What becomes of the rows of a model
//! depends on what its file is: a net is examined (`nets.rs`), a text of process algebra reduced
//! (`processes.rs`), a transition system read and reduced (`systems.rs`); any other model is searched
//! (`model.rs`), and its rows are compared by `answers.rs` and `spin.rs`. Each row comes to a `Comparison`,
//! and all of them to a `Tally`.

mod answers;
mod comparison;
mod model;
mod nets;
mod processes;
mod searching;
mod spin;
mod systems;
mod table;
mod tally;

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cli::output::print;
use cli::{Failure, interrupt};
use pinscher::{LoadOptions, by_extension};
use report::words;

use crate::files::find_files;
use crate::options::Corpus;
use searching::Searching;
use table::Row;
use tally::Tally;

/// Runs the folder; the exit code tells whether all was as expected.
pub(crate) fn run(options: &Corpus, out: &mut dyn Write) -> Result<u8, Failure> {
    let start = Instant::now();
    let searching = Searching::new(options)?;
    let rows = table::read(&options.folder)?;
    let mut tally = Tally::default();
    load_all(&searching, &rows, &mut tally, out)?;
    let mut models: Vec<&str> =
        rows.iter().map(|row| row.model.as_str()).filter(|model| is_wanted(options, model)).collect();
    models.sort_unstable();
    models.dedup();
    let examiner = match models.iter().any(|model| nets::is_net(model)) {
        true => Some(examiner(options)?),
        false => None,
    };
    for model in models {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.model == model).collect();
        rows.iter().filter(|row| !row.disputed).for_each(|row| tally.expect(row));
        if interrupt::token().is_cancelled() {
            tally.unfinished += 1;
            continue;
        }
        let text = match &examiner {
            Some(examiner) if nets::is_net(model) => {
                nets::text(&options.folder, model, &rows, examiner, &mut tally)
            }
            _ if processes::is_process(model) => processes::text(&searching, model, &rows, &mut tally),
            _ if systems::is_system(model) => systems::text(options, model, &rows, &mut tally),
            _ => model::text(&searching, model, &rows, &mut tally),
        };
        print(out, &words::shown_lines(&text))?;
    }
    print(out, &tally.show(start.elapsed()))?;
    if let Some(only) = options.only.as_ref().filter(|_| tally.compared_nothing()) {
        let help =
            if tally.too_large > 0 { "raise --max-states" } else { "correct the text, or leave --only out" };
        return Err(Failure::usage(format!("nothing was compared with --only {only}"), help));
    }
    Ok(tally.exit_code())
}

fn is_wanted(options: &Corpus, path: &str) -> bool {
    options.only.as_ref().is_none_or(|only| path.contains(only.as_str()))
}

/// How nets are examined.
fn examiner(options: &Corpus) -> Result<nets::Examiner, Failure> {
    Ok(nets::Examiner {
        program: options.measured.program()?,
        time: options.time.map(Duration::from_secs_f64),
        memory: options.memory,
        threads: options.way.threads as usize,
        examination: options.examination.clone(),
    })
}

/// Loads all files of the folder but those of which the table says whether they are models. A text of process
/// algebra that the table does not speak of is explored.
fn load_all(
    searching: &Searching<'_>,
    rows: &[Row],
    tally: &mut Tally,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let options = searching.options;
    let mut files = Vec::new();
    find_files(&options.folder, &|extension| by_extension(extension).is_some(), &mut files)?;
    let known: HashSet<PathBuf> =
        rows.iter().filter(|row| is_about_text(row)).map(|row| options.folder.join(&row.model)).collect();
    files.retain(|path| !known.contains(path) && is_wanted(options, &path.to_string_lossy()));
    for path in &files {
        let model = path.strip_prefix(&options.folder).unwrap_or(path).to_string_lossy();
        if processes::is_process(&model) && !rows.iter().any(|row| row.model == model) {
            let text = processes::text(searching, &model, &[], tally);
            print(out, &words::shown_lines(&text))?;
            continue;
        }
        match pinscher::load(path, &LoadOptions::default()) {
            Ok(_) => tally.parsed += 1,
            Err(error) => {
                tally.unparsed += 1;
                let text = format!("DOES NOT PARSE {}\n{}", path.display(), Failure::from(error));
                print(out, &words::shown_lines(&text))?;
            }
        }
    }
    Ok(())
}

/// Whether a row says that a file is a model, or is not.
fn is_about_text(row: &Row) -> bool {
    spin::is_about_text(row) || row.property == "linearises"
}
