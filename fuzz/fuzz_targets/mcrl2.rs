//! Any bytes as a file of mCRL2: a typed specification, or messages inside the text.
#![no_main]

use base::Source;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("fuzz", bytes.to_vec()) else { return };
    if let Err(problems) = lang_mcrl2::read(&source) {
        assert!(!base::render_all(&problems, &source, 10).is_empty());
    }
});
