//! Every Promela file of the shared models that Spin accepts is read, and read again from what it was read
//! as; what Spin refuses for its grammar is refused. Runs where the models are.

mod common;

use std::path::Path;

use base::Source;
use lang_promela::{Options, gather, parse};

/// The files that Spin accepts, or those that it does not, with what it says.
fn rows(folder: &Path, verdict: &str) -> Vec<(String, String)> {
    let Ok(table) = std::fs::read_to_string(folder.join("expected.csv")) else { return Vec::new() };
    let rows = table.lines().filter_map(|line| line.split_once(&format!(",spin_accepts,{verdict},")));
    rows.map(|(file, said)| (file.to_owned(), said.to_owned())).collect()
}

fn read(folder: &Path, file: &str) -> Source {
    let path = folder.join(file);
    let bytes = std::fs::read(&path).unwrap();
    let source = Source::from_bytes(path.display().to_string(), bytes)
        .unwrap_or_else(|refused| panic!("{}", refused.1.message));
    gather(source).unwrap_or_else(|(source, problems)| panic!("{}", base::render_all(&problems, &source, 5)))
}

#[test]
fn every_shared_model_is_read_and_read_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/promela");
    let rows = rows(&folder, "yes");
    assert_eq!(rows.is_empty(), !folder.exists());
    let mut with_c = 0;
    for (file, _) in rows {
        let source = read(&folder, &file);
        match parse(&source, &Options::default()) {
            Err(problems) if problems.iter().all(|problem| problem.label.contains("C code")) => with_c += 1,
            Err(problems) => panic!("{}", base::render_all(&problems, &source, 5)),
            Ok((spec, _)) => {
                let once = common::show(&spec);
                let twice = common::shown(&once);
                assert_eq!(once, twice, "{file}");
            }
        }
    }
    // None of them holds C now; one that does is no failure, but many would hide one.
    assert!(with_c <= 3, "{with_c} models with C code");
}

#[test]
fn shared_texts_that_are_no_promela_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/promela");
    for (file, said) in rows(&folder, "no") {
        let source = read(&folder, &file);
        // What the names mean is not the grammar's to say.
        let grammatical = said.contains("syntax error") || said.contains("invalid preprocessing directive");
        assert_eq!(parse(&source, &Options::default()).is_err(), grammatical, "{file}: {said}");
    }
}
