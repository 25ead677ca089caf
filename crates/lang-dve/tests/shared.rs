//! Every DVE file of the shared models is read. Runs where the models are.

use std::path::{Path, PathBuf};

fn dve_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            dve_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "dve") {
            files.push(path);
        }
    }
}

#[test]
fn every_shared_model_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/dve");
    let mut files = Vec::new();
    dve_files(&folder, &mut files);
    assert_eq!(files.is_empty(), !folder.exists());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let source = std::sync::Arc::new(base::Source::new(file.display().to_string(), text));
        if let Err(problems) = lang_dve::load(std::sync::Arc::clone(&source)) {
            panic!("{}", base::render_all(&problems, &source, 5));
        }
    }
}
