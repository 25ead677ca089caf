//! Any bytes as a specification in µCRL: what it means, or messages inside the text.
#![no_main]

use base::Source;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz", bytes.to_vec()) else { return };
    if let Err(problems) = lang_mucrl::read(&source) {
        assert!(!base::render_all(&problems, &source, 10).is_empty());
    }
});
