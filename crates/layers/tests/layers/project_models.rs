//! The project's own models, merged and arranged in every computed way, under `Checked`.

use std::sync::Arc;

use base::Source;
use layers::orders::{CountedAccess, GraphKind, SlotOrder};
use layers::{Eliminate, Merge, Regrouped, Regrouping};
use model::Model;

use crate::merging::check;
use crate::naive::{Back, explore};

/// Models that are small enough to be searched naively.
const MODELS: [&str; 7] = [
    "account.dve",
    "alternating.bit.dve",
    "crossing.dve",
    "crossing.hasty.dve",
    "lamp.etf",
    "odometer.dve",
    "philosophers.5.dve",
];

fn load(name: &str) -> Arc<dyn Model> {
    let path = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let source = Arc::new(Source::new(name, &*text));
    let loaded = if name.ends_with(".dve") { lang_dve::load(source) } else { lang_etf::load(source) };
    loaded.unwrap_or_else(|problems| panic!("{name}: {problems:?}")).model
}

#[test]
fn arranged_models_say_the_same() {
    let orders = [SlotOrder::Auto, SlotOrder::Force, SlotOrder::Sloan(GraphKind::Total)];
    let (mut merges, mut effects) = (0, 0);
    for name in MODELS {
        let plain = load(name);
        for (order, merge) in orders.into_iter().zip([Merge::Subsume, Merge::Equal, Merge::None]) {
            for eliminate in [Eliminate::Constants, Eliminate::ConstantsAndLoops] {
                let wanted = Regrouping { order, counted: CountedAccess::Combined, merge, eliminate };
                let layer = Regrouped::by(plain.clone(), wanted).unwrap();
                merges += plain.signature().groups.len() - layer.signature().groups.len();
                effects += layer.signature().groups.iter().filter(|group| group.effect.is_some()).count();
                let space = explore(&layer, &Back::none(&layer));
                let failing = space.values().filter(|facts| !facts.errors.is_empty()).count();
                check(&plain, layer, failing, 5);
            }
        }
    }
    assert!(merges > 10 && effects > 10, "{merges} merges, {effects} effects: nothing was tested");
}
