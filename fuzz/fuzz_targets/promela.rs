//! Any text as a file of Promela: a tree, or messages.
#![no_main]

use base::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let source = Source::new("fuzz.pml", text);
    if let Err(problems) = lang_promela::parse(&source, &lang_promela::Options::default()) {
        assert!(!base::render_all(&problems, &source, 10).is_empty());
    }
});
