//! The project's own nets.

mod support;

use std::path::PathBuf;
use std::sync::Arc;

use base::Source;
use lang_pnml::Question;
use model::Successors;

fn text(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "models", name].iter().collect();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn readers_and_writers_keep_out_of_each_others_way() {
    let net = support::net(text("readers.pnml"));
    let seen = support::explore(&net.net, 100).unwrap();
    assert_eq!((seen.markings.len(), seen.firings), (5, 8));
    let queries = lang_pnml::queries(&Source::new("readers.xml", text("readers.xml")), &net).unwrap();
    let [always, possible, bound] = &queries[..] else { panic!("{} questions", queries.len()) };
    assert!(
        matches!(&always.question, Question::Always(it) if seen.markings.iter().all(|marking| it.holds(marking)))
    );
    assert!(
        matches!(&possible.question, Question::Possible(it) if !seen.markings.iter().any(|marking| it.holds(marking)))
    );
    assert!(
        matches!(&bound.question, Question::Bound(it) if seen.markings.iter().map(|marking| it.value(marking)).max() == Some(3))
    );
}

#[test]
fn trains_never_meet() {
    let net = support::net(text("trains.pnml"));
    assert_eq!((net.net.places.len(), net.net.transitions.len()), (18, 12));
    let seen = support::explore(&net.net, 100).unwrap();
    // A section for the red train and another for the blue one; a train that has the other right before it
    // waits.
    assert_eq!((seen.markings.len(), seen.firings), (30, 48));
}

#[test]
fn a_net_is_a_model() {
    let loaded = lang_pnml::load(Arc::new(Source::new("trains.pnml", text("trains.pnml")))).unwrap();
    let model = &loaded.model;
    let mut successors = Successors::new(model.initial().len());
    model.stepper().all(model.initial(), &mut successors).unwrap();
    assert_eq!(successors.len(), 2);
    let names: Vec<&str> = model.signature().groups.iter().map(|group| group.name.as_str()).collect();
    assert!(names.contains(&"move(t=red, s=1)"), "{names:?}");
}
