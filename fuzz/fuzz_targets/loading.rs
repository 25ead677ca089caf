//! What the targets for languages share.

use std::sync::Arc;

use base::{Diagnostic, Source};
use language::Loaded;
use model::Successors;

/// Any bytes as a file of a language: a model that runs, or messages inside the text.
pub fn load(bytes: &[u8], loader: fn(Arc<Source>) -> Result<Loaded, Vec<Diagnostic>>) {
    let Ok(source) = Source::from_bytes("fuzz", bytes.to_vec()) else { return };
    let source = Arc::new(source);
    match loader(Arc::clone(&source)) {
        Ok(loaded) => {
            let model = loaded.model;
            let mut buffer = Successors::new(model.initial().len());
            let mut stepper = model.stepper();
            let mut state = model.initial().to_vec();
            for _ in 0..20 {
                buffer.clear();
                if stepper.all(&state, &mut buffer).is_err() || buffer.is_empty() {
                    break;
                }
                state = buffer.state(buffer.len() - 1).to_vec();
            }
        }
        Err(problems) => assert!(!base::render_all(&problems, &source, 10).is_empty()),
    }
}
