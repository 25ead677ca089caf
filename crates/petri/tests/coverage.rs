//! Coverability against breadth-first search: bounds are exact, what is said to have no bound has none as far
//! as one can look.

mod support;

use petri::coverability::{cover, find_pump, unbounded};
use support::{SMALL, Shape, TESTING, explore, random_net, replay};

#[test]
fn what_is_covered_is_what_is_reached() {
    let mut random = toys::seeded();
    let (mut bounded, mut unbounded) = (0, 0);
    for _ in 0..400 {
        let net = random_net(&mut random, Shape { places: 5, transitions: 5, ..SMALL });
        let reached = explore(&net, 2000);
        let Some(cover) = cover(&net, 20_000, &mut |_| false) else { continue };
        if reached.complete {
            bounded += 1;
            assert!(cover.is_bounded() && cover.pump.is_none(), "{net:?}");
            assert_eq!(cover.enabled, reached.fired, "{net:?}");
            for (place, most) in cover.most.iter().enumerate() {
                let true_most = reached.markings.iter().map(|marking| marking[place]).max();
                assert_eq!(*most, true_most, "place {place} of {net:?}");
            }
            continue;
        }
        for (place, most) in cover.most.iter().enumerate() {
            let seen = reached.markings.iter().map(|marking| marking[place]).max().unwrap();
            assert!(most.is_none_or(|most| seen <= most), "place {place} of {net:?}");
        }
        assert!(
            reached.fired.iter().zip(&cover.enabled).all(|(fired, enabled)| !fired || *enabled),
            "{net:?}"
        );
        if !cover.is_bounded() {
            unbounded += 1;
            let pump = cover.pump.expect("something grows");
            assert!(pump.is_right(&net));
            let ways = |times: usize| {
                let again = std::iter::repeat_n(&pump.again, times).flatten();
                replay(&net, pump.first.iter().chain(again).map(|transition| transition.ix()))
                    .expect("it can be fired")
            };
            let place = pump.place.ix();
            assert!(ways(0)[place] < ways(1)[place] && ways(1)[place] < ways(4)[place], "{net:?}");
        }
    }
    assert!(bounded > 50 && unbounded > 50, "{bounded} {unbounded}");
}

/// The pump runs dry before what it feeds can be fed again: only the tree sees that the last place is
/// unbounded.
#[test]
fn a_place_that_is_fed_from_one_without_bound_has_none() {
    let arc = |place| petri::Arc { place: base::SlotIx::new(place), weight: 1 };
    let transition = |takes: &[usize], gives: &[usize]| petri::Transition {
        takes: takes.iter().map(|&place| arc(place)).collect(),
        gives: gives.iter().map(|&place| arc(place)).collect(),
        ..petri::Transition::default()
    };
    let place = |initial| petri::Place { name: String::new(), initial, span: None };
    let net = petri::Net {
        places: vec![place(1), place(0), place(0), place(0)],
        transitions: vec![transition(&[0], &[0, 2]), transition(&[0], &[1]), transition(&[1, 2], &[1, 3])],
        ..petri::Net::default()
    };
    let cover = cover(&net, 100, &mut |_| false).unwrap();
    assert_eq!(cover.most, [Some(1), Some(1), None, None]);
    assert_eq!(cover.enabled, [true; 3]);
}

#[test]
fn walks_find_what_grows() {
    let mut random = toys::seeded();
    let (mut found, mut all) = (0, 0);
    for round in 0..300 {
        let net = random_net(&mut random, if round % 4 == 0 { TESTING } else { SMALL });
        let reached = explore(&net, 1000);
        let pump = find_pump(&net, round, 5000, &mut |_| false);
        assert!(pump.is_none() || !reached.complete, "{pump:?} of {net:?}");
        assert!(pump.as_ref().is_none_or(|pump| pump.is_right(&net)));
        if let Some(cover) = cover(&net, 2000, &mut |_| false) {
            all += usize::from(!cover.is_bounded());
            found += usize::from(pump.is_some());
        }
    }
    assert!(all > 50 && found * 10 > all * 9, "{found} of {all}");
}

/// The work that is heard of is the same each time, and who says *stop* is obeyed.
#[test]
fn work_is_the_same_each_time_and_can_be_limited() {
    let mut random = toys::seeded();
    let mut stopped = 0;
    for _ in 0..100 {
        let net = random_net(&mut random, SMALL);
        let work_within = |most: u64| {
            let mut done = 0;
            let found = unbounded(&net, &mut |work| {
                done += work;
                done > most
            });
            (done, found)
        };
        let whole = work_within(1_000_000);
        assert_eq!(work_within(1_000_000), whole);
        let (done, found) = work_within(0);
        // A marking is looked at twice for a walk, and once for the tree.
        assert!(done <= 3 * net.places.len() as u64 && (done == 0 || found.is_none()), "{done}: {found:?}");
        stopped += u32::from(done < whole.0);
    }
    assert!(stopped > 20, "only {stopped} were stopped");
}
