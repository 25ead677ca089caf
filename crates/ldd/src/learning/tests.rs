//! What is asked of a source, and how often.

use std::sync::Mutex;

use super::{Event, Learned, RelationSource, Replacement, Rows};
use crate::relation::{Access, Entry, Shape};
use crate::store::{Stop, Store};

/// Adds one, up to a hundred; remembers how many short vectors each relation was asked for.
#[derive(Default)]
struct Counter {
    asked: [Mutex<usize>; 3],
}

impl RelationSource for Counter {
    fn steps_from(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
        *self.asked[relation].lock().expect("no test panicked") += shorts.len();
        for short in shorts.iter().filter(|short| short[0] < 100) {
            rows.push([Entry::Value(short[0]), Entry::Value(short[0] + 1)]);
        }
    }
}

fn shape() -> Shape {
    Shape::new(2, vec![(1, Access::Both)])
}

fn asked(source: &Counter) -> [usize; 3] {
    [0, 1, 2].map(|at| *source.asked[at].lock().expect("no test panicked"))
}

#[test]
fn what_is_too_much_is_not_asked_for() {
    let (store, source) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
    let mut learned = Learned::nothing(&store, shape());
    let ten: Vec<[u32; 2]> = (0..10).map(|value| [value % 2, value]).collect();
    let ten = store.vectors(ten.iter().map(|vector| &vector[..])).expect("room");
    let three = store.vectors([&[7, 0][..], &[7, 1], &[8, 1], &[8, 2]]).expect("room");
    assert_eq!(store.learn_within(&three, &mut learned, 0, &source, 4), Ok(true));
    assert_eq!((learned.count(), learned.is_over_quota(), asked(&source)[0]), (3, false, 3));
    assert_eq!(store.learn_within(&ten, &mut learned, 0, &source, 11), Ok(true));
    assert_eq!((learned.count(), learned.is_over_quota(), asked(&source)[0]), (10, false, 10));
    let more = store.vectors([&[1, 10][..], &[1, 11]]).expect("room");
    assert_eq!(store.learn_within(&more, &mut learned, 0, &source, 12), Ok(false));
    assert_eq!(
        (learned.count(), learned.is_over_quota(), asked(&source)[0]),
        (10, true, 10),
        "nothing was asked"
    );
    // What is known already is not too much.
    assert_eq!(store.learn_within(&ten, &mut learned, 0, &source, 11), Ok(true));
}

/// Relation 0 has one step; relation 1 has more than the store has room for, but only when it is asked
/// for the first time.
struct TooMuchAtFirst(Mutex<usize>);

impl RelationSource for TooMuchAtFirst {
    fn steps_from(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
        let mut asked = self.0.lock().expect("no test panicked");
        *asked += usize::from(relation == 1);
        let steps = if relation == 1 && *asked == 1 { 1000 } else { 1 };
        shorts.iter().for_each(|short| (0..steps).for_each(|to| rows.push([short[0], to].map(Entry::Value))));
    }
}

/// Only what was lost is asked for again, and it does not count.
#[test]
fn lost_answers_are_asked_for_again() {
    for saturates in [false, true] {
        let (store, source) =
            (Store::under_stress(16, 64, 1).expect("room"), TooMuchAtFirst(Mutex::default()));
        let mut learned = [0; 2].map(|_| Learned::nothing(&store, shape()));
        let set = store.vector(&[0, 0]).expect("room");
        let schedule = store.schedule([0, 1].map(Event::of).to_vec());
        let learn = |learned: &mut [Learned; 2]| match saturates {
            true => store.saturate(&set, learned, &schedule, &source).map(drop),
            false => (0..2).try_for_each(|at| store.learn(&set, &mut learned[at], at, &source)),
        };
        assert_eq!(learn(&mut learned), Err(Stop::OutOfNodes));
        assert_eq!([&learned[0], &learned[1]].map(Learned::count), [1, 0]);
        assert_eq!(learned[1].asked(), Some(&store.empty()));
        for _ in 0..2 {
            assert_eq!(learn(&mut learned), Ok(()));
            assert_eq!([&learned[0], &learned[1]].map(Learned::count), [1, 1]);
            assert_eq!(
                *source.0.lock().expect("no test panicked"),
                2,
                "asked once more, and then never again"
            );
        }
    }
}

/// Three variants of one event: each takes over from the one before, also where one set has too much to
/// learn for two of them.
#[test]
fn variants_take_over() {
    let variants = |first, second| {
        let replacement = |from, event| Some(Box::new(Replacement { from, event }));
        let last = Event::of(2);
        let middle = Event { replacement: replacement(second, last), ..Event::of(1) };
        Event { replacement: replacement(first, middle), ..Event::of(0) }
    };
    for (first, second, wanted) in [(5, 20, [4, 19, 100]), (0, 3, [0, 2, 100]), (200, 0, [100, 0, 0])] {
        let (store, source) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
        let mut learned = [0; 3].map(|_| Learned::nothing(&store, shape()));
        let set = store.vectors([&[0, 1][..], &[1, 1]]).expect("room");
        let schedule = store.schedule(vec![variants(first, second)]);
        let closed = store.saturate(&set, &mut learned, &schedule, &source).expect("room");
        assert_eq!(store.count(&closed), 200u32.into());
        assert_eq!(asked(&source), wanted, "from {first} and {second}");
    }
    let (store, source) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
    let mut learned = [0; 3].map(|_| Learned::nothing(&store, shape()));
    let many: Vec<[u32; 2]> = (1..=50).map(|value| [0, value]).collect();
    let many = store.vectors(many.iter().map(|vector| &vector[..])).expect("room");
    store.saturate(&many, &mut learned, &store.schedule(vec![variants(10, 40)]), &source).expect("room");
    assert_eq!(asked(&source), [0, 0, 100], "what is left is not asked for first");
}
