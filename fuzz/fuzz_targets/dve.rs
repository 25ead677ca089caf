//! Any bytes as a DVE file: a model that runs, or messages inside the text.
#![no_main]

use std::sync::Arc;

use base::Source;
use libfuzzer_sys::fuzz_target;
use model::Successors;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz.dve", bytes.to_vec()) else { return };
    let source = Arc::new(source);
    match lang_dve::load(Arc::clone(&source)) {
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
});
