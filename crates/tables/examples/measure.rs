//! What an insertion costs: 20 million random keys of 40 bits, three of four of them seen before, from one
//! thread and from two.
//!
//! `cargo run --release -p tables --example measure [MILLIONS]`

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::scope;
use std::time::{Duration, Instant};

use base::SplitMix64;
use tables::{Compact, Crowded, Rows, Spare, Tree};

/// How many keys ahead a key is asked for.
const AHEAD: usize = 64;
/// Keys between two barriers.
const BATCH: usize = 1 << 14;

fn mix(x: u64) -> u64 {
    SplitMix64::new(x).next_u64()
}

/// The keys of a thread: each distinct one of them all four times on average, in no order.
fn keys(count: usize, threads: usize, thread: usize) -> Vec<u64> {
    let distinct = (count * threads) as u64 / 4;
    (0..count as u64).map(|i| mix(mix(i + ((thread as u64) << 40)) % distinct) & 0xff_ffff_ffff).collect()
}

/// A thread's work: inserts keys from a place on, which it moves; says how many were new.
type Work = Box<dyn FnMut(&[u64], &mut usize) -> Result<u64, (u64, Crowded)> + Send>;

/// Threads take batches of their keys and wait for each other after each.
fn run(
    threads: usize,
    total: usize,
    worker: impl Fn() -> Work + Sync,
    is_crowded: impl Fn(u64) -> bool + Sync,
    grow: impl Fn(u64) + Sync,
) -> Figures {
    let (barrier, new, growing) = (Barrier::new(threads), AtomicU64::new(0), AtomicU64::new(0));
    let all: Vec<Vec<u64>> = (0..threads).map(|thread| keys(total / threads, threads, thread)).collect();
    let (start, processor) = (Instant::now(), processor_time());
    scope(|scope| {
        for keys in &all {
            let (barrier, new, growing, worker, is_crowded, grow) =
                (&barrier, &new, &growing, &worker, &is_crowded, &grow);
            scope.spawn(move || {
                let (mut work, mut at) = (worker(), 0);
                let mut batches = 0;
                // Every thread has as many keys: a thread that was crowded has more batches, and the others
                // wait for it.
                while batches < 2 * keys.len() / BATCH + 100 {
                    let stop = (at + BATCH).min(keys.len());
                    let found = work(&keys[..stop], &mut at).unwrap_or_else(|(found, Crowded)| found);
                    new.fetch_add(found, Relaxed);
                    barrier.wait();
                    let len = new.load(Relaxed);
                    if is_crowded(len) {
                        barrier.wait();
                        let start = Instant::now();
                        grow(len);
                        if barrier.wait().is_leader() {
                            growing.fetch_add(start.elapsed().as_nanos() as u64, Relaxed);
                        }
                    }
                    barrier.wait();
                    batches += 1;
                }
                assert_eq!(at, keys.len(), "not all keys were inserted");
            });
        }
    });
    Figures {
        elapsed: start.elapsed(),
        processor: processor_time() - processor,
        growing: Duration::from_nanos(growing.into_inner()),
        new: new.into_inner(),
    }
}

struct Figures {
    elapsed: Duration,
    processor: Duration,
    growing: Duration,
    new: u64,
}

/// What all threads have computed so far, to a hundredth of a second; nothing where the system does not say.
/// On a busy machine it tells more than the clock.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}

fn report(name: &str, threads: usize, total: usize, figures: &Figures, bytes: usize) {
    let nanoseconds = |time: Duration| time.as_nanos() as f64 / total as f64;
    println!(
        "{name:8} {threads} threads: {:6.1} ns a key by the clock ({:5.1} of them growing), {:6.1} of processors; {} keys, {:.2} bytes a key",
        nanoseconds(figures.elapsed),
        nanoseconds(figures.growing),
        nanoseconds(figures.processor),
        figures.new,
        bytes as f64 / figures.new as f64
    );
}

fn main() {
    let millions = std::env::args().nth(1).and_then(|arg| arg.parse().ok()).unwrap_or(20usize);
    let only = std::env::args().nth(2);
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let total = millions * 1_000_000;
    for threads in [1, 2] {
        if wanted("compact") {
            measure_compact(threads, total);
        }
        if wanted("rows") {
            measure_rows(threads, total);
        }
        if wanted("tree") {
            measure_tree(threads, total);
        }
    }
}

/// Keys that may come before threads wait for each other again.
fn slack(threads: usize) -> usize {
    threads * BATCH
}

fn measure_compact(threads: usize, total: usize) {
    let (set, slack): (&Compact, _) =
        (Box::leak(Box::new(Compact::new(40).expect("addresses"))), slack(threads) as u64);
    let worker = || -> Work {
        Box::new(move |keys, at| {
            let mut new = 0;
            while *at < keys.len() {
                if let Some(&ahead) = keys.get(*at + AHEAD) {
                    set.prefetch(ahead);
                }
                new += u64::from(set.insert(keys[*at]).map_err(|crowded| (new, crowded))?);
                *at += 1;
            }
            Ok(new)
        })
    };
    let grow = |len| set.grow(set.next_room(len, slack), 40).expect("room");
    let figures = run(threads, total, worker, |len| set.is_crowded(len, slack), grow);
    report("compact", threads, total, &figures, set.bytes());
}

fn measure_rows(threads: usize, total: usize) {
    let (rows, slack): (&Rows, _) = (Box::leak(Box::new(Rows::new(1).expect("addresses"))), slack(threads));
    let worker = || -> Work {
        let mut spare = Spare::default();
        Box::new(move |keys, at| {
            let mut new = 0;
            while *at < keys.len() {
                if let Some(&ahead) = keys.get(*at + AHEAD) {
                    rows.prefetch(rows.hash(&[ahead]));
                }
                if let Some(&ahead) = keys.get(*at + AHEAD / 2) {
                    rows.prefetch_match(rows.hash(&[ahead]));
                }
                let row = [keys[*at]];
                let entry = rows.insert(&mut spare, rows.hash(&row), &row);
                new += u64::from(entry.map_err(|crowded| (new, crowded))?.new);
                *at += 1;
            }
            Ok(new)
        })
    };
    let grow = |_| rows.grow(rows.len() / 2 + slack).expect("room");
    let figures = run(threads, total, worker, |_| rows.is_crowded(slack), grow);
    report("rows", threads, total, &figures, rows.bytes());
}

fn measure_tree(threads: usize, total: usize) {
    let (tree, slack): (&Tree, _) = (Box::leak(Box::new(Tree::new(2).expect("addresses"))), slack(threads));
    let path: &tables::Path = Box::leak(Box::new(tree.path(&[0, 1])));
    let worker = || -> Work {
        let mut scratch = tree.scratch();
        let mut source = [0; 2];
        let root = tree.fold(&mut scratch, &source).expect("room");
        tree.unfold(root, &mut scratch, &mut source);
        // A state is folded, asked for, and put in when so many others were: roots wait in a ring.
        let (mut ring, mut folded) = ([0u64; AHEAD], 0);
        Box::new(move |keys, at| {
            let mut new = 0;
            while *at < keys.len() {
                while folded < keys.len() && folded < *at + AHEAD {
                    let key = keys[folded];
                    // A million words on each side.
                    let root = tree.refold(&mut scratch, path, &[key & 0xf_ffff, key >> 20]);
                    ring[folded % AHEAD] = root.map_err(|crowded| (new, crowded))?;
                    tree.prefetch(ring[folded % AHEAD]);
                    folded += 1;
                }
                new += u64::from(tree.insert(ring[*at % AHEAD]).map_err(|crowded| (new, crowded))?);
                *at += 1;
            }
            Ok(new)
        })
    };
    let grow = |len| tree.grow(len, len as usize / 2 + slack).expect("room");
    let figures = run(threads, total, worker, |len| tree.is_crowded(len, slack), grow);
    report("tree", threads, total, &figures, tree.bytes());
    println!("         {} nodes, roots of {} bits", tree.nodes(), tree.root_bits());
}
