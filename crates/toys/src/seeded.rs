//! Random numbers of tests, whose seed is told where a test fails.

use base::SplitMix64;

/// The stream for a randomised test: its seed is `PINSCHER_SEED`, else the clock. The seed is printed, so
/// that a failure can be repeated.
pub fn seeded() -> SplitMix64 {
    let clock = || std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64);
    let seed = given_seed().unwrap_or_else(clock);
    // What a test prints is shown only where it fails.
    println!("PINSCHER_SEED={seed}");
    SplitMix64::new(seed)
}

/// The seed to begin with: `PINSCHER_SEED`, or this one. It is printed as well.
pub fn seed_or(otherwise: u64) -> u64 {
    let seed = given_seed().unwrap_or(otherwise);
    println!("PINSCHER_SEED={seed}");
    seed
}

fn given_seed() -> Option<u64> {
    let seed = std::env::var("PINSCHER_SEED").ok()?;
    Some(seed.parse().unwrap_or_else(|_| panic!("PINSCHER_SEED={seed} is no number")))
}
