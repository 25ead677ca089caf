//! Any bytes as a file of ETF.
#![no_main]

mod loading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loading::load(bytes, lang_etf::load));
