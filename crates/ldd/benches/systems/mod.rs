//! What the benchmarks share: random numbers from a seed, transition systems as the bytes of a dump, so that
//! every package reads the same input.
#![allow(dead_code, unused_imports, reason = "each benchmark uses a part of it")]

mod generated;

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::SplitMix64;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};
use ldd::{Search, Store};

pub use generated::{marking, ring};

/// A transition system that is searched.
pub struct System {
    pub name: String,
    /// The bytes of a dump.
    pub dump: Vec<u8>,
    /// How many states it has.
    pub states: u64,
    /// Whether only saturation is quick on it.
    pub only_saturation: bool,
}

/// The dumps of Sylvan's own benchmark that are quick, with their numbers of states, and whether only
/// saturation is quick on them.
const DUMPS: [(&str, u64, bool); 5] = [
    ("anderson.4", 29_641, false),
    ("bakery.4", 157_003, false),
    ("blocks.2", 7_057, false),
    ("schedule_world.2", 1_570_340, true),
    ("collision.4", 41_465_543, true),
];

/// The systems to search: a generated one, and the dumps that are at hand.
pub fn systems() -> Vec<System> {
    let (places, tokens) = (8, 12);
    let name = format!("ring of {places} places and {tokens} tokens");
    let states = binomial(u64::from(places + tokens) - 1, u64::from(places) - 1);
    let mut systems = vec![System { name, dump: ring(places, tokens), states, only_saturation: false }];
    let mut parents = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder =
        parents.find_map(|parent| Some(parent.join("shared/models/ldd")).filter(|folder| folder.is_dir()));
    for (name, states, only_saturation) in DUMPS {
        // Published models are not part of the project: without them fewer systems are searched.
        let read = |folder: &PathBuf| std::fs::read(folder.join(format!("{name}.ldd"))).ok();
        if let Some(dump) = folder.as_ref().and_then(read) {
            systems.push(System { name: name.into(), dump, states, only_saturation });
        }
    }
    systems
}

/// Measures every search of every system that is quick enough.
pub fn for_each_search(
    criterion: &mut Criterion,
    mut measure: impl FnMut(&mut BenchmarkGroup<'_, WallTime>, &System, Search),
) {
    for system in systems() {
        let mut group = criterion.benchmark_group(&system.name);
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        let is_quick = |search: &Search| !system.only_saturation || *search == Search::Sat;
        Search::ALL.into_iter().filter(is_quick).for_each(|search| measure(&mut group, &system, search));
        group.finish();
    }
}

/// Ways to choose k of n.
fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, chosen| ways * (n - chosen) / (chosen + 1))
}

/// A store for a benchmark.
pub fn store() -> Store {
    Store::with_memory(2 << 30).expect("two gigabytes can be reserved")
}

/// So many random vectors of this width, with values below the bound.
pub fn vectors(random: &mut SplitMix64, count: usize, width: usize, bound: usize) -> Vec<Vec<u32>> {
    (0..count).map(|_| (0..width).map(|_| random.below(bound) as u32).collect()).collect()
}
