//! Any bytes as a transition system: a model; read, written, read again, and reduced.
#![no_main]

mod loading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    loading::load(bytes, lang_aut::load);
    let Ok(system) = lts::aut::read(&mut &*bytes, 1 << 20) else { return };
    let mut text = Vec::new();
    lts::aut::write(&system, &mut text).expect("BUG: a vector takes all that is written");
    let again = lts::aut::read(&mut &*text, u64::MAX)
        .unwrap_or_else(|problem| panic!("BUG: not read again: {problem:?}"));
    assert_eq!((again.states(), again.transitions()), (system.states(), system.transitions()));
    let small = lts::strong::reduce(&system, &mut || false).expect("BUG: nobody asked to stop");
    assert!(lts::strong::bisimilar(&system, &small, &mut || false).expect("BUG: nobody asked to stop"));
});
