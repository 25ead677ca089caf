//! Random coloured nets: what is unfolded against a reading of the net that binds all variables in all ways
//! in every marking.

mod coloured;
mod support;

use std::fmt::Write;

use base::Source;
use coloured::Coloured;
use coloured::by_the_book::{Counted, naive};
use lang_pnml::Question;

fn unfolded(net: &Coloured) -> Counted {
    let read = support::net(net.text());
    let seen = support::explore(&read.net, 10_000).expect("more markings than the net has");
    let mut formulas = String::new();
    for transition in 0..net.transitions.len() {
        write!(formulas, "<property><id>t{transition}</id><formula><exists-path><finally><is-fireable><transition>t{transition}</transition></is-fireable></finally></exists-path></formula></property>").unwrap();
    }
    for place in 0..net.places.len() {
        write!(
            formulas,
            "<property><id>p{place}</id><formula><place-bound><place>p{place}</place></place-bound></formula></property>"
        )
        .unwrap();
    }
    let formulas = Source::new("formulas", format!("<property-set>{formulas}</property-set>"));
    let queries = lang_pnml::queries(&formulas, &read).unwrap();
    let mut counted = Counted { markings: seen.markings.len(), firings: seen.firings, ..Counted::default() };
    for query in queries {
        match query.question {
            Question::Possible(predicate) => {
                counted.enabled.push(seen.markings.iter().filter(|marking| predicate.holds(marking)).count());
            }
            Question::Bound(sum) => {
                counted.tokens.push(seen.markings.iter().map(|marking| sum.value(marking) as i64).sum());
            }
            other => panic!("{other:?}"),
        }
    }
    counted
}

#[test]
fn unfolded_nets_do_what_the_coloured_ones_do() {
    let mut random = toys::seeded();
    let (mut compared, mut fired) = (0, 0);
    for round in 0..2_000 {
        let net = Coloured::random(&mut random);
        let Some(expected) = naive(&net, 300) else { continue };
        let found = unfolded(&net);
        assert_eq!(found, expected, "round {round}: {net:?}\n{}", net.text());
        compared += 1;
        fired += usize::from(found.markings > 3);
    }
    println!("{compared} nets compared, {fired} with more than three markings");
    assert!(compared > 800 && fired > 60, "{compared} {fired}");
}
