//! Any bytes as a file of Promela: words, macros, tree and translation, and a few steps of what comes out.
#![no_main]

mod loading;

use std::sync::Arc;

use base::{Diagnostic, Source};
use language::{LoadOptions, Loaded};

/// With few processes, so that one that starts itself does not take all the time.
fn load(source: Arc<Source>) -> Result<Loaded, Vec<Diagnostic>> {
    lang_promela::load(source, &LoadOptions { max_processes: Some(4), ..LoadOptions::default() })
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loading::load(bytes, load));
