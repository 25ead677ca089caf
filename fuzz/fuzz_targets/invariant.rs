//! Any text as an invariant over a small model: a predicate with a value, or messages.
#![no_main]

use std::sync::{Arc, LazyLock};

use base::Source;
use libfuzzer_sys::fuzz_target;
use model::{Model, StateFunction};

static MODEL: LazyLock<Arc<dyn Model>> = LazyLock::new(|| {
    let text =
        "byte x, a[3]; int y = -1; process P { byte z; state s, t; init s; trans s -> t {}; } system async;";
    let loaded = lang_dve::load(Arc::new(Source::new("model.dve", text)));
    loaded.unwrap_or_else(|problems| panic!("BUG: {problems:?}")).model
});

fuzz_target!(|text: &str| {
    let source = Source::new("--invariant", text);
    match logic::Predicate::parse(&source, MODEL.signature()) {
        Ok(predicate) => {
            let _ = predicate.value(MODEL.initial());
        }
        Err(problems) => assert!(!base::render_all(&problems, &source, 10).is_empty()),
    }
});
