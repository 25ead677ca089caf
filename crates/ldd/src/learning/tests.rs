//! What is asked of a source, and how often.

use std::sync::Mutex;

use super::{Event, Later, Learned, Rows, Teacher};
use crate::relation::{Access, Entry, Shape};
use crate::store::{Stop, Store};

/// Adds one, up to a hundred; remembers how many short vectors each relation was asked for.
#[derive(Default)]
struct Counter {
    asked: [Mutex<usize>; 3],
}

impl Teacher for Counter {
    fn teach(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
        *self.asked[relation].lock().expect("no test panicked") += shorts.len();
        for short in shorts.iter().filter(|short| short[0] < 100) {
            rows.push([Entry::Value(short[0]), Entry::Value(short[0] + 1)]);
        }
    }
}

fn shape() -> Shape {
    Shape::new(2, vec![(1, Access::Both)])
}

fn asked(teacher: &Counter) -> [usize; 3] {
    [0, 1, 2].map(|at| *teacher.asked[at].lock().expect("no test panicked"))
}

#[test]
fn what_is_too_much_is_not_asked_for() {
    let (store, teacher) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
    let mut learned = Learned::nothing(&store, shape());
    let ten: Vec<[u32; 2]> = (0..10).map(|value| [value % 2, value]).collect();
    let ten = store.vectors(ten.iter().map(|vector| &vector[..])).expect("room");
    let three = store.vectors([&[7, 0][..], &[7, 1], &[8, 1], &[8, 2]]).expect("room");
    assert_eq!(store.learn_below(&three, &mut learned, 0, &teacher, 4), Ok(true));
    assert_eq!((learned.count(), learned.is_left(), asked(&teacher)[0]), (3, false, 3));
    assert_eq!(store.learn_below(&ten, &mut learned, 0, &teacher, 11), Ok(true));
    assert_eq!((learned.count(), learned.is_left(), asked(&teacher)[0]), (10, false, 10));
    let more = store.vectors([&[1, 10][..], &[1, 11]]).expect("room");
    assert_eq!(store.learn_below(&more, &mut learned, 0, &teacher, 12), Ok(false));
    assert_eq!((learned.count(), learned.is_left(), asked(&teacher)[0]), (10, true, 10), "nothing was asked");
    // What is known already is not too much.
    assert_eq!(store.learn_below(&ten, &mut learned, 0, &teacher, 11), Ok(true));
}

/// Relation 0 has one step; relation 1 has more than the store has room for, but only when it is asked
/// for the first time.
struct TooMuchAtFirst(Mutex<usize>);

impl Teacher for TooMuchAtFirst {
    fn teach(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
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
        let (store, teacher) =
            (Store::under_stress(16, 64, 1).expect("room"), TooMuchAtFirst(Mutex::default()));
        let mut learned = [0; 2].map(|_| Learned::nothing(&store, shape()));
        let set = store.vector(&[0, 0]).expect("room");
        let plan = store.plan([0, 1].map(Event::of).to_vec());
        let learn = |learned: &mut [Learned; 2]| match saturates {
            true => store.saturate(&set, learned, &plan, &teacher).map(drop),
            false => (0..2).try_for_each(|at| store.learn(&set, &mut learned[at], at, &teacher)),
        };
        assert_eq!(learn(&mut learned), Err(Stop::OutOfNodes));
        assert_eq!([&learned[0], &learned[1]].map(Learned::count), [1, 0]);
        assert_eq!(learned[1].asked(), Some(&store.empty()));
        for _ in 0..2 {
            assert_eq!(learn(&mut learned), Ok(()));
            assert_eq!([&learned[0], &learned[1]].map(Learned::count), [1, 1]);
            assert_eq!(
                *teacher.0.lock().expect("no test panicked"),
                2,
                "asked once more, and then never again"
            );
        }
    }
}

/// Three forms of one event: each takes over from the one before, also where one set has too much to
/// learn for two of them.
#[test]
fn forms_take_over() {
    let forms = |first, second| {
        let later = |from, event| Some(Box::new(Later { from, event }));
        let last = Event::of(2);
        let middle = Event { later: later(second, last), ..Event::of(1) };
        Event { later: later(first, middle), ..Event::of(0) }
    };
    for (first, second, wanted) in [(5, 20, [4, 19, 100]), (0, 3, [0, 2, 100]), (200, 0, [100, 0, 0])] {
        let (store, teacher) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
        let mut learned = [0; 3].map(|_| Learned::nothing(&store, shape()));
        let set = store.vectors([&[0, 1][..], &[1, 1]]).expect("room");
        let plan = store.plan(vec![forms(first, second)]);
        let closed = store.saturate(&set, &mut learned, &plan, &teacher).expect("room");
        assert_eq!(store.count(&closed), 200u32.into());
        assert_eq!(asked(&teacher), wanted, "from {first} and {second}");
    }
    let (store, teacher) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
    let mut learned = [0; 3].map(|_| Learned::nothing(&store, shape()));
    let many: Vec<[u32; 2]> = (1..=50).map(|value| [0, value]).collect();
    let many = store.vectors(many.iter().map(|vector| &vector[..])).expect("room");
    store.saturate(&many, &mut learned, &store.plan(vec![forms(10, 40)]), &teacher).expect("room");
    assert_eq!(asked(&teacher), [0, 0, 100], "what is left is not asked for first");
}
