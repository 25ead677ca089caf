//! Every DVE file of the shared models is read. Runs where the models are.

#[path = "common/files.rs"]
mod files;

use std::path::Path;

#[test]
fn every_shared_model_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/dve");
    let files = files::files_under(&folder, "dve");
    assert_eq!(files.is_empty(), !folder.exists());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let source = std::sync::Arc::new(base::Source::new(file.display().to_string(), text));
        if let Err(problems) = lang_dve::load(std::sync::Arc::clone(&source)) {
            panic!("{}", base::render_all(&problems, &source, 5));
        }
    }
}
