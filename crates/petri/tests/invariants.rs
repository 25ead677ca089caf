//! Invariants against their definition: what they weigh stays the same in every reachable marking; all
//! minimal ones are found, by trying all small weights.

mod support;

use petri::invariants::{Effort, Incidence, Sparse, basis, bounds, place_semiflows, transition_semiflows};
use support::{SMALL, Shape, explore, random_net};

const GO_ON: &dyn Fn() -> bool = &|| false;

fn product(matrix: &[Sparse], weights: &Sparse, columns: usize) -> Vec<i128> {
    let mut sum = vec![0; columns];
    for &(row, weight) in weights {
        matrix[row].iter().for_each(|&(column, entry)| sum[column] += weight * entry);
    }
    sum
}

/// All vectors of weights up to 3, with no common divisor and minimal support, that make nothing of the
/// matrix.
fn by_trying(matrix: &[Sparse], columns: usize) -> Vec<Sparse> {
    let mut all: Vec<Sparse> = Vec::new();
    for code in 1..4usize.pow(matrix.len() as u32) {
        let weights = (0..matrix.len()).map(|row| (row, (code / 4usize.pow(row as u32) % 4) as i128));
        let weights: Sparse = weights.filter(|(_, weight)| *weight > 0).collect();
        if product(matrix, &weights, columns).iter().all(|&entry| entry == 0) {
            all.push(weights);
        }
    }
    let divides = |weights: &Sparse| (2..=3).any(|by| weights.iter().all(|(_, weight)| weight % by == 0));
    // A support is minimal if just the multiples of one vector have it.
    let is_minimal = |flow: &Sparse| {
        let rows: Vec<Sparse> = flow.iter().map(|&(row, _)| matrix[row].clone()).collect();
        rank(&rows, columns) + 1 == flow.len()
    };
    let mut minimal: Vec<Sparse> =
        all.into_iter().filter(|flow| is_minimal(flow) && !divides(flow)).collect();
    minimal.sort();
    minimal
}

#[test]
fn semiflows_are_all_that_there_are() {
    let mut random = toys::seeded();
    let mut found = 0;
    for round in 0..400 {
        // Few transitions leave many flows of places, and few places many of transitions.
        let (places, transitions) = [(5, 5), (6, 3), (3, 6)][round % 3];
        let net = random_net(&mut random, Shape { places, transitions, ..SMALL });
        let incidence = Incidence::new(&net);
        for (flows, matrix, columns) in [
            (place_semiflows(&incidence, Effort::LITTLE, GO_ON), &incidence.places, net.transitions.len()),
            (
                transition_semiflows(&incidence, Effort::LITTLE, GO_ON),
                &incidence.transitions,
                net.places.len(),
            ),
        ] {
            assert!(flows.complete);
            // Weights past what is tried are only checked.
            let small = |flow: &&Sparse| flow.iter().all(|(_, weight)| *weight <= 3);
            let all_small: Vec<Sparse> = flows.flows.iter().filter(small).cloned().collect();
            assert_eq!(all_small, by_trying(matrix, columns), "{net:?}");
            for flow in &flows.flows {
                assert!(
                    product(matrix, flow, columns).iter().all(|&entry| entry == 0)
                        && flow.iter().all(|(_, w)| *w > 0)
                );
                found += 1;
            }
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn too_little_effort_gives_fewer_that_are_right() {
    let mut random = toys::seeded();
    let mut incomplete = 0;
    for round in 0..200 {
        let net = random_net(&mut random, Shape { places: 8, transitions: 8, ..SMALL });
        let incidence = Incidence::new(&net);
        let flows = place_semiflows(&incidence, Effort { rows: 9, pairs: round % 12 }, GO_ON);
        for flow in &flows.flows {
            assert!(product(&incidence.places, flow, net.transitions.len()).iter().all(|&entry| entry == 0));
        }
        incomplete += usize::from(!flows.complete);
    }
    assert!(incomplete > 5, "{incomplete}");
}

#[test]
fn bounds_of_semiflows_hold() {
    let mut random = toys::seeded();
    let mut bounded = 0;
    for _ in 0..300 {
        let net = random_net(&mut random, SMALL);
        let flows = place_semiflows(&Incidence::new(&net), Effort::LITTLE, GO_ON).flows;
        let reached = explore(&net, 300);
        for (place, bound) in bounds(&net, &flows).into_iter().enumerate() {
            let most = reached.markings.iter().map(|marking| u64::from(marking[place])).max().unwrap();
            assert!(
                bound.is_none_or(|bound| most <= bound),
                "place {place} ≤ {bound:?}, but {most} in {net:?}"
            );
            bounded += usize::from(bound.is_some());
        }
    }
    assert!(bounded > 100, "{bounded}");
}

/// The basis has as many vectors as there are places less the rank, they are invariants, and they are
/// independent.
#[test]
fn a_basis_has_the_right_size() {
    let mut random = toys::seeded();
    for _ in 0..300 {
        let net = random_net(&mut random, SMALL);
        let incidence = Incidence::new(&net);
        let found = basis(&incidence, GO_ON).unwrap();
        for invariant in &found {
            assert!(
                product(&incidence.places, invariant, net.transitions.len()).iter().all(|&entry| entry == 0)
            );
        }
        assert_eq!(found.len(), net.places.len() - rank(&incidence.places, net.transitions.len()), "{net:?}");
        assert_eq!(rank(&found, net.places.len()), found.len());
    }
}

/// By elimination in floating point: numbers are small.
fn rank(matrix: &[Sparse], columns: usize) -> usize {
    let dense = |row: &Sparse| {
        let mut entries = vec![0.0; columns];
        row.iter().for_each(|&(column, entry)| entries[column] = entry as f64);
        entries
    };
    let mut rows: Vec<Vec<f64>> = matrix.iter().map(dense).collect();
    let mut rank = 0;
    for column in 0..columns {
        let best =
            (rank..rows.len()).max_by(|&l, &r| rows[l][column].abs().total_cmp(&rows[r][column].abs()));
        let Some(best) = best.filter(|&row| rows[row][column].abs() > 1e-9) else { continue };
        rows.swap(rank, best);
        for row in rank + 1..rows.len() {
            let pivot = rows[rank].clone();
            let factor = rows[row][column] / pivot[column];
            rows[row].iter_mut().zip(pivot).for_each(|(entry, above)| *entry -= factor * above);
        }
        rank += 1;
    }
    rank
}
