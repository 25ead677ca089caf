//! Orders are permutations, metrics are what they are by definition, and small matrices get their best order.

use base::SplitMix64;
use layers::orders::{
    CountedAccess, Graph, GraphKind, Incidence, Metric, SloanWeights, SlotOrder, Spans, cuthill_mckee, force,
    groups_for, sift, sloan, sort_groups, sort_slots,
};

use crate::random::{for_seeds, order, toy};

const ORDERS: [SlotOrder; 8] = [
    SlotOrder::Keep,
    SlotOrder::Force,
    SlotOrder::Sloan(GraphKind::Bipartite),
    SlotOrder::Sloan(GraphKind::Total),
    SlotOrder::CuthillMckee(GraphKind::Bipartite),
    SlotOrder::CuthillMckee(GraphKind::Total),
    SlotOrder::Sort,
    SlotOrder::Auto,
];

/// Up to `slots` slots and groups, rows of up to six slots, some of them empty.
fn matrix(random: &mut SplitMix64, slots: usize) -> Incidence {
    let (slots, groups) = (random.below(slots + 1), random.below(slots + 1));
    let mut row = |_| {
        let length = if slots == 0 { 0 } else { random.below(7) };
        (0..length).map(|_| random.below(slots)).collect()
    };
    Incidence::from_rows(slots, (0..groups).map(&mut row).collect())
}

fn is_permutation(order: &[usize], count: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted == (0..count).collect::<Vec<_>>()
}

fn numbers(order: SlotOrder, incidence: &Incidence) -> Vec<usize> {
    order.slots(incidence).into_iter().map(|slot| slot.ix()).collect()
}

fn cost(incidence: &Incidence, order: &[usize], metric: Metric) -> u128 {
    Spans::of(incidence, order).cost(metric)
}

#[test]
fn orders_are_permutations_and_the_same_each_time() {
    for_seeds(200, |seed| {
        let incidence = matrix(&mut SplitMix64::new(seed), 40);
        for order in ORDERS {
            let slots = order.slots(&incidence);
            assert!(is_permutation(&numbers(order, &incidence), incidence.slots()), "{order:?}");
            assert_eq!(slots, order.slots(&incidence));
            let groups: Vec<usize> =
                groups_for(&incidence, &slots).into_iter().map(|group| group.ix()).collect();
            assert!(is_permutation(&groups, incidence.groups()), "{order:?}");
        }
        for kind in [GraphKind::Bipartite, GraphKind::Total] {
            let graph = Graph::new(&incidence, kind);
            for weights in [SloanWeights::default(), SloanWeights { distance: 2, front: 1 }] {
                assert!(is_permutation(&sloan(&graph, weights), graph.len()));
            }
            assert!(is_permutation(&cuthill_mckee(&graph), graph.len()));
        }
    });
}

/// Straight from the definitions, with levels counted from the leaf.
#[test]
fn metrics_are_what_their_definitions_say() {
    for_seeds(300, |seed| {
        let random = &mut SplitMix64::new(seed);
        let incidence = matrix(random, 12);
        let (n, k) = (incidence.slots(), incidence.groups());
        let order = order(random, n);
        let (mut event, mut weighted, mut tops, mut longest) = (0, 0.0, 0, 0);
        for row in incidence.rows().iter().filter(|row| !row.is_empty()) {
            let levels = || row.iter().map(|slot| n - order.iter().position(|other| other == slot).unwrap());
            let (top, bottom) = (levels().max().unwrap(), levels().min().unwrap());
            let span = top - bottom + 1;
            event += span;
            weighted += 2.0 * top as f64 / n as f64 * span as f64;
            tops += top;
            longest = longest.max(span);
        }
        let spans = Spans::of(&incidence, &order);
        assert_eq!((spans.event, spans.tops, spans.longest), (event as u128, tops as u128, longest));
        assert!((spans.weighted() - weighted).abs() < 1e-9 * (1.0 + weighted));
        let entries = (n * k).max(1) as f64;
        assert!((spans.event_normalised() - event as f64 / entries).abs() < 1e-9);
        assert!((spans.weighted_normalised() - weighted / entries).abs() < 1e-9);
        assert!((0.0..=1.0).contains(&spans.event_normalised()));
    });
}

/// The matrix that a model has, entry by entry.
#[test]
fn the_lists_are_those_of_the_matrices() {
    for_seeds(50, |seed| {
        let toy = toy(seed);
        let matrices = model::Model::dependencies(&toy);
        for counted in [CountedAccess::Read, CountedAccess::Write, CountedAccess::Combined] {
            let incidence = Incidence::new(matrices, counted);
            for i in 0..matrices.read.rows() {
                for j in 0..matrices.read.columns() {
                    let (read, write) = (matrices.read.get(i, j), matrices.may_write.get(i, j));
                    let wanted = match counted {
                        CountedAccess::Read => read,
                        CountedAccess::Write => write,
                        CountedAccess::Combined => read || write,
                    };
                    assert_eq!(
                        (incidence.row(i).contains(&j), incidence.column(j).contains(&i)),
                        (wanted, wanted)
                    );
                }
            }
        }
    });
}

/// A ring of processes that share a slot with each neighbour, or a chain of them, whose slots are shuffled.
fn chain(random: &mut SplitMix64, count: usize, closed: bool) -> Incidence {
    let order = order(random, count);
    let last = if closed { count } else { count - 1 };
    Incidence::from_rows(count, (0..last).map(|at| vec![order[at], order[(at + 1) % count]]).collect())
}

#[test]
fn a_shuffled_chain_is_put_straight() {
    for_seeds(60, |seed| {
        let random = &mut SplitMix64::new(seed);
        let count = 2 + random.below(30);
        let chained = chain(random, count, false);
        for kind in [GraphKind::Bipartite, GraphKind::Total] {
            for order in [SlotOrder::Sloan(kind), SlotOrder::CuthillMckee(kind), SlotOrder::Auto] {
                let best = 2 * (count as u128 - 1);
                assert_eq!(
                    cost(&chained, &numbers(order, &chained), Metric::Event),
                    best,
                    "{order:?} of {count}"
                );
            }
        }
        // A ring: no order is better than going up on one side and down on the other, two apart each.
        let ring = chain(random, count.max(4), true);
        for kind in [GraphKind::Bipartite, GraphKind::Total] {
            let order = numbers(SlotOrder::CuthillMckee(kind), &ring);
            assert!(Spans::of(&ring, &order).longest <= 3);
        }
    });
}

/// All orders of a few slots, against what is computed.
#[test]
fn auto_is_near_the_best_of_all_orders() {
    let (optimal, tried) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    for_seeds(60, |seed| {
        let random = &mut SplitMix64::new(seed);
        let rows =
            (0..4 + random.below(4)).map(|_| (0..1 + random.below(3)).map(|_| random.below(6)).collect());
        let incidence = Incidence::from_rows(6, rows.collect());
        let mut best = u128::MAX;
        permute(&mut (0..6).collect::<Vec<_>>(), 0, &mut |order| {
            best = best.min(cost(&incidence, order, Metric::Weighted));
        });
        let found = cost(&incidence, &numbers(SlotOrder::Auto, &incidence), Metric::Weighted);
        assert!(found >= best && found as f64 <= 1.35 * best as f64, "{found} against {best}");
        tried.set(tried.get() + 1);
        optimal.set(optimal.get() + usize::from(found == best));
    });
    assert!(2 * optimal.get() >= tried.get(), "{} of {} are best", optimal.get(), tried.get());
}

fn permute(order: &mut Vec<usize>, from: usize, look: &mut dyn FnMut(&[usize])) {
    if from == order.len() {
        return look(order);
    }
    for at in from..order.len() {
        order.swap(from, at);
        permute(order, from + 1, look);
        order.swap(from, at);
    }
}

#[test]
fn force_and_sifting_make_nothing_worse() {
    for_seeds(150, |seed| {
        let random = &mut SplitMix64::new(seed);
        let incidence = matrix(random, 25);
        let kept: Vec<usize> = (0..incidence.slots()).collect();
        assert!(
            cost(&incidence, &force(&incidence), Metric::Event) <= cost(&incidence, &kept, Metric::Event)
        );
        for metric in [Metric::Event, Metric::Weighted] {
            let start = order(random, incidence.slots());
            let sifted = sift(&incidence, start.clone(), metric);
            assert!(is_permutation(&sifted, incidence.slots()));
            assert!(cost(&incidence, &sifted, metric) <= cost(&incidence, &start, metric));
            // No slot is better off elsewhere.
            for from in 0..sifted.len() {
                for to in 0..sifted.len() {
                    let mut moved = sifted.clone();
                    let slot = moved.remove(from);
                    moved.insert(to, slot);
                    assert!(cost(&incidence, &moved, metric) >= cost(&incidence, &sifted, metric));
                }
            }
        }
    });
}

/// Sorted as words of bits, greatest first.
#[test]
fn sorting_puts_ones_first() {
    for_seeds(100, |seed| {
        let random = &mut SplitMix64::new(seed);
        let incidence = matrix(random, 15);
        let column = |&slot: &usize| -> Vec<bool> {
            (0..incidence.groups()).map(|group| incidence.row(group).contains(&slot)).collect()
        };
        let slots = sort_slots(&incidence);
        assert!(slots.is_sorted_by(|a, b| column(a) > column(b) || (column(a) == column(b) && a < b)));
        let order = order(random, incidence.slots());
        let row = |&group: &usize| -> Vec<bool> {
            order.iter().map(|slot| incidence.row(group).contains(slot)).collect()
        };
        let groups = sort_groups(&incidence, &order);
        assert!(groups.is_sorted_by(|a, b| row(a) > row(b) || (row(a) == row(b) && a < b)));
    });
}

/// Ten thousand slots and groups; a few groups touch everything.
#[test]
fn large_matrices_take_seconds() {
    let random = &mut SplitMix64::new(7);
    let count = 10_000;
    let place = order(random, count);
    let mut rows: Vec<Vec<usize>> =
        (0..count).map(|at| (0..6).map(|_| place[(at + random.below(12)) % count]).collect()).collect();
    for row in rows.iter_mut().take(5) {
        *row = (0..count).collect();
    }
    let incidence = Incidence::from_rows(count, rows);
    for order in ORDERS {
        let start = std::time::Instant::now();
        assert!(is_permutation(&numbers(order, &incidence), count));
        println!("{order:?}: {:?}", start.elapsed());
        // Far above what it takes, far below what a quadratic algorithm would.
        assert!(start.elapsed().as_secs() < 60, "{order:?} took {:?}", start.elapsed());
    }
}
