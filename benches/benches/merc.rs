//! Our decision diagrams and those of `merc_ldd` on the same dumps in the same run: each search by both, and
//! how many times as fast ours is. Where the peer counts otherwise than it should, it is told and not timed.

#[path = "../../crates/ldd/benches/systems/mod.rs"]
mod systems;

use std::cell::RefCell;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};
use ldd::Search;
use pinscher_benches::Peer;
use systems::{System, for_each_search, store};

/// The peer's searches, by name. It has no saturation.
const PEER: [(&str, fn(&mut Peer) -> usize); 2] = [
    ("bfs", |peer| {
        let reached = peer.bfs();
        peer.count(&reached)
    }),
    ("chain", |peer| {
        let reached = peer.chaining();
        peer.count(&reached)
    }),
];

/// Runs something again and again; the answer is the median time of all runs, if there were some.
fn timed(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: String,
    mut run: impl FnMut() -> Duration,
) -> Option<Duration> {
    let times = RefCell::new(Vec::new());
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|count| {
            let fresh: Vec<Duration> = (0..count).map(|_| run()).collect();
            times.borrow_mut().extend(&fresh);
            fresh.iter().sum()
        });
    });
    let mut times = times.into_inner();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// One search by our diagrams: reading the dump is not a part of it, counting is.
fn ours(system: &System, search: Search) -> Duration {
    let store = store();
    let dump = store.read_dump(&system.dump).expect("a dump");
    let started = Instant::now();
    let reached = store.reachable(&dump, search).expect("room");
    let states = store.count(&reached);
    let time = started.elapsed();
    assert_eq!(states, system.states.into(), "{}", system.name);
    time
}

/// The same by the peer's, and its number of states.
fn theirs(system: &System, search: fn(&mut Peer) -> usize) -> (Duration, usize) {
    let mut peer = Peer::read(&system.dump).expect("a dump");
    let started = Instant::now();
    let states = search(&mut peer);
    (started.elapsed(), states)
}

fn compare(criterion: &mut Criterion) {
    let mut lines = Vec::new();
    for_each_search(criterion, |group, system, search| {
        let name = search.name();
        let mine = timed(group, format!("ldd {name}"), || ours(system, search));
        let Some((_, search)) = PEER.iter().find(|(peer, _)| *peer == name) else { return };
        // Nothing was asked of this search, so nothing of the peer's either.
        let Some(mine) = mine else { return };
        let states = theirs(system, *search).1;
        if states as u64 != system.states {
            lines.push(format!(
                "{}: {name}: merc_ldd finds {states} states instead of {}",
                system.name, system.states
            ));
        } else if let Some(peer) = timed(group, format!("merc_ldd {name}"), || theirs(system, *search).0) {
            let ratio = peer.as_secs_f64() / mine.as_secs_f64();
            lines.push(format!(
                "{}: {name}: {mine:.2?}, merc_ldd {peer:.2?}: {ratio:.1} times as long",
                system.name
            ));
        }
    });
    println!("{}", lines.join("\n"));
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    compare(&mut criterion);
    criterion.final_summary();
}
