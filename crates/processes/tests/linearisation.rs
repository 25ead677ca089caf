//! Linear processes against the plain meaning of what they were made of, up to strong bisimulation, on random specifications.

mod common;

use common::random::{Maker, Random, seed};
use common::semantics::{lts_of_linear, lts_of_spec};
use processes::linearise;

#[test]
fn a_linear_process_does_what_its_specification_says() {
    let first = seed(7_000_001);
    let (mut compared, mut large, mut refused, mut steps) = (0, 0, 0, 0);
    for number in first..first + 2000 {
        let spec = Maker::spec(&mut Random::new(number));
        let linear = match linearise(spec.clone()) {
            Ok(linear) => linear,
            Err(problems) => {
                let known = ["not regular", "before it does a step"];
                let message = &problems[0].message;
                assert!(known.iter().any(|text| message.contains(text)), "PINSCHER_SEED={number}: {message}");
                refused += 1;
                continue;
            }
        };
        let Some(meant) = lts_of_spec(&spec, 1000) else {
            large += 1;
            continue;
        };
        let made = lts_of_linear(&linear, 1000).unwrap_or_else(|| panic!("PINSCHER_SEED={number}: more states"));
        assert!(made.states() <= meant.states(), "PINSCHER_SEED={number}: {} {}", made.states(), meant.states());
        assert!(made.is_bisimilar(&meant), "PINSCHER_SEED={number}\n{spec:#?}\n{linear:#?}");
        compared += 1;
        steps += made.transitions();
    }
    eprintln!("{compared} compared, {large} too large, {refused} refused, {steps} steps");
    assert!(std::env::var("PINSCHER_SEED").is_ok() || compared > 1000 && steps > 20_000);
}
