//! The project's own models are read, and every model of the collection that mCRL2 itself accepts, where the
//! collection is.

use std::path::{Path, PathBuf};

use base::{Source, render_all};

/// What mCRL2 refuses for reasons of syntax or sorts. The others in the table that do not linearise are
/// refused later.
const REFUSED: [&str; 5] = [
    "mcrl2-regression/tickets/1236/1.mcrl2",
    "mcrl2-regression/tickets/1238/1.mcrl2",
    "mcrl2-regression/tickets/1247/1.mcrl2",
    "mcrl2-regression/tickets/352/1.mcrl2",
    "mcrl2-tools/release/lpsinvelm/examples/double-queue.mcrl2",
];

fn files(at: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(at).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "mcrl2") {
            all.push(path);
        }
    }
}

#[test]
fn the_collection_is_read_as_mcrl2_reads_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/mcrl2");
    let mut all = Vec::new();
    files(&root, &mut all);
    all.sort();
    let mut wrong = Vec::new();
    for path in &all {
        let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().into_owned();
        let bytes = std::fs::read(path).expect("a file that can be read");
        let source = Source::from_bytes(&name, bytes)
            .unwrap_or_else(|failure| panic!("{name}: {}", failure.1.message));
        let expected = !REFUSED.contains(&name.as_str());
        match lang_mcrl2::read(&source) {
            Ok(_) if expected => {}
            Ok(_) => wrong.push(format!("{name} is accepted")),
            Err(problems) if expected => wrong.push(render_all(&problems, &source, 3)),
            Err(problems) => println!("{}", render_all(&problems, &source, 3)),
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn the_projects_models_are_read() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut all);
    assert!(all.len() >= 3);
    for path in all {
        let source = Source::new(
            path.to_string_lossy(),
            std::fs::read_to_string(&path).expect("a file that can be read"),
        );
        match lang_mcrl2::read(&source) {
            Ok((_, warnings)) => assert!(warnings.is_empty(), "{}", render_all(&warnings, &source, 3)),
            Err(problems) => panic!("{}", render_all(&problems, &source, 3)),
        }
    }
}
