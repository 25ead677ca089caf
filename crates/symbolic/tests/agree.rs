//! Every strategy, with guards split or not, reads and writes told apart or not, reaches the same states.

use std::sync::Arc;

use base::Source;
use engine::{Control, Limits, StopReason};
use language::Loaded;
use ldd::Store;
use symbolic::{Options, Split, Strategy, reach};

fn load(name: &str) -> Loaded {
    let path = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
    let source = Arc::new(Source::new(name, std::fs::read_to_string(path).unwrap()));
    let loader = if name.ends_with("etf") { lang_etf::load } else { lang_dve::load };
    loader(source).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn agree(name: &str, states: u32, levels: u64) {
    let loaded = load(name);
    for &strategy in Strategy::ALL {
        let splits = [Split::Off, Split::On, Split::After(5)];
        for (split_guards, separate) in splits.into_iter().flat_map(|split| [(split, true), (split, false)]) {
            let options = Options { split_guards, separate, ..Options::new(strategy) };
            let store = Store::with_memory(1 << 28).unwrap();
            let reached = reach(&*loaded.model, options, &store, &Control::default()).unwrap();
            assert_eq!(store.count(&reached.states), states.into(), "{name} with {options:?}");
            if matches!(strategy, Strategy::Bfs | Strategy::BfsPrev) {
                assert_eq!(reached.levels, Some(levels), "{name} with {options:?}");
            }
        }
    }
}

macro_rules! agreement {
    ($($test:ident: $file:literal, states = $states:literal, levels = $levels:literal;)*) => {$(
        #[test]
        fn $test() {
            agree($file, $states, $levels);
        }
    )*};
}

agreement! {
    crossing: "crossing.dve", states = 3, levels = 2;
    crossing_hasty: "crossing.hasty.dve", states = 15, levels = 7;
    philosophers_5: "philosophers.5.dve", states = 392, levels = 14;
    alternating_bit: "alternating.bit.dve", states = 1366, levels = 48;
    tickets_3: "tickets.3.dve", states = 5952, levels = 20;
    lamp: "lamp.etf", states = 4, levels = 4;
}

#[test]
fn states_in_which_the_model_fails_are_known() {
    let loaded = load("odometer.dve");
    for &strategy in Strategy::ALL {
        for split_guards in [Split::Off, Split::On, Split::After(5)] {
            let options = Options { split_guards, ..Options::new(strategy) };
            let store = Store::with_memory(1 << 28).unwrap();
            let reached = reach(&*loaded.model, options, &store, &Control::default()).unwrap();
            // Driving at kilometre 255.
            assert_eq!(store.count(&reached.failing), 1u32.into(), "{options:?}");
            assert!(store.contains(&reached.failing, &[255, 1]));
        }
    }
}

#[test]
fn reading_less_asks_less() {
    let loaded = load("tickets.3.dve");
    let calls = |separate: bool| {
        let options = Options { separate, use_effects: false, ..Options::new(Strategy::BfsPrev) };
        let store = Store::with_memory(1 << 28).unwrap();
        reach(&*loaded.model, options, &store, &Control::default()).unwrap().calls
    };
    assert!(calls(true) < calls(false), "{} calls against {}", calls(true), calls(false));
}

#[test]
fn limits_are_answers() {
    let loaded = load("tickets.5.dve");
    let options = Options::new(Strategy::Bfs);
    let store = Store::with_memory(1 << 28).unwrap();
    let control = Control::new(Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() });
    assert_eq!(reach(&*loaded.model, options, &store, &control).err(), Some(StopReason::Time));
}
