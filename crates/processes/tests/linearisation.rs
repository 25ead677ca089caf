//! Linear processes against the plain meaning of what they were made of, up to strong bisimulation, on random
//! specifications.

mod common;

use common::random::{Maker, seed};
use common::semantics::{lts_of_linear, lts_of_spec};
use processes::linearise;

#[test]
fn a_linear_process_does_what_its_specification_says() {
    let first = seed(7_000_001);
    let (mut compared, mut large, mut refused, mut steps) = (0, 0, 0, 0);
    for number in first..first + 500 {
        let spec = Maker::spec(&mut base::SplitMix64::new(number));
        let linear = match linearise(spec.clone()) {
            Ok(linear) => linear,
            Err(problems) => {
                let known = ["not regular", "before it does a step", "processes in parallel have more than"];
                let message = &problems[0].message;
                assert!(known.iter().any(|text| message.contains(text)), "PINSCHER_SEED={number}: {message}");
                refused += 1;
                continue;
            }
        };
        let made = if linear.summands.len() < 200 { lts_of_linear(&linear, 200) } else { None };
        let meant = made.as_ref().and_then(|_| lts_of_spec(&spec, 1000));
        let (Some(made), Some(meant)) = (made, meant) else {
            large += 1;
            continue;
        };
        // Who begins is kept in a parameter, even where it does not matter any more.
        let flags =
            linear.parameters.iter().filter(|parameter| parameter.name.starts_with("started")).count();
        let most = meant.states() << flags;
        assert!(made.states() <= most, "PINSCHER_SEED={number}: {} {}", made.states(), meant.states());
        assert!(made.is_bisimilar(&meant), "PINSCHER_SEED={number}\n{spec:#?}\n{linear:#?}");
        compared += 1;
        steps += made.transitions();
    }
    let counts = format!("{compared} compared, {large} too large, {refused} refused, {steps} steps");
    assert!(std::env::var("PINSCHER_SEED").is_ok() || compared > 200 && steps > 3000, "{counts}");
}
