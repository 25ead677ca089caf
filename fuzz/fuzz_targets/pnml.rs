//! Any bytes as a file of PNML, and as a file of formulas about a net.
#![no_main]

mod loading;

use std::sync::Arc;

use base::Source;

/// A net for formulas to speak of.
const NET: &str = "<pnml><net id='n' type='ptnet'><place id='p'/><place id='q'/><transition id='t'/>\
                   <arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'/></net></pnml>";

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    loading::load(bytes, lang_pnml::load);
    let Ok(formulas) = Source::from_bytes("formulas", bytes.to_vec()) else { return };
    let net = lang_pnml::read(&Arc::new(Source::new("net", NET))).expect("BUG: the net is one");
    if let Err(problems) = lang_pnml::queries(&formulas, &net) {
        assert!(!base::render_all(&problems, &formulas, 10).is_empty());
    }
});
