//! Any bytes as a specification in µCRL: a model that runs, or messages inside the text. Long texts are read
//! only.
#![no_main]

mod loading;

use base::Source;

/// Longer texts have processes and sums that take a while, and nothing new is in them.
const SHORT: usize = 2000;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if bytes.len() <= SHORT {
        return loading::load(bytes, lang_mucrl::load);
    }
    let Ok(source) = Source::from_bytes("fuzz", bytes.to_vec()) else { return };
    if let Err(problems) = lang_mucrl::read(&source) {
        assert!(!base::render_all(&problems, &source, 10).is_empty());
    }
});
