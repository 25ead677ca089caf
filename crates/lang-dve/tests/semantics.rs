//! What DVE texts mean, one rule a test.

mod common;

use common::{explore, explore_model, load};
use language::{Form, Monitor};
use model::{EvalErrorKind, LabelKind};

/// The shown states of a model, sorted.
fn states(text: &str) -> Vec<String> {
    let mut states: Vec<String> = explore(text).states.into_keys().collect();
    states.sort();
    states
}

#[test]
fn effects_come_one_after_the_other() {
    let states = states(
        "byte x, y; process P { state a, b; init a; trans a -> b { effect x = 1, y = x + 1; }; } system async;",
    );
    assert_eq!(states, ["x=0 y=0 P=a", "x=1 y=2 P=b"]);
}

#[test]
fn a_rendezvous_passes_values_then_runs_the_receiver_then_the_sender() {
    let text = "byte log; channel c;
        process S { byte v = 7; state a, b; init a; trans a -> b { sync c!v; effect v = 0, log = log * 10 + 1; }; }
        process R { byte w; state a, b; init a; trans a -> b { sync c?w; effect w = w + 1, log = 2; }; }
        system async;";
    assert_eq!(states(text), ["log=0 S=a S.v=7 R=a R.w=0", "log=21 S=b S.v=0 R=b R.w=8"]);
}

#[test]
fn a_rendezvous_passes_all_values_at_once() {
    let text = "channel {byte, byte} c; byte x = 1, y = 2;
        process S { state a, b; init a; trans a -> b { sync c!{x, y}; }; }
        process R { state a, b; init a; trans a -> b { sync c?{y, x}; }; }
        system async;";
    assert_eq!(states(text), ["x=1 y=2 S=a R=a", "x=2 y=1 S=b R=b"]);
}

#[test]
fn one_does_not_meet_oneself() {
    let text = "channel c; process P { state a, b; init a; trans a -> b { sync c!; }, a -> b { sync c?; }; } system async;";
    let explored = explore(text);
    assert_eq!((explored.states.len(), explored.deadlocks), (1, 1));
}

#[test]
fn a_buffered_channel_is_a_queue_with_zeros_behind() {
    let text = "channel {byte} c[2];
        process S { byte n; state a; init a; trans a -> a { guard n < 3; sync c!(n + 5); effect n = n + 1; }; }
        process R { byte m; state a; init a; trans a -> a { sync c?m; effect m = m * 2; }; }
        system async;";
    let all = states(text);
    assert!(all.contains(&"c.count=2 c[0]=5 c[1]=6 S=a S.n=2 R=a R.m=0".to_owned()), "{all:#?}");
    assert!(all.contains(&"c.count=1 c[0]=6 c[1]=0 S=a S.n=2 R=a R.m=10".to_owned()), "{all:#?}");
    assert!(all.contains(&"c.count=0 c[0]=0 c[1]=0 S=a S.n=3 R=a R.m=14".to_owned()), "{all:#?}");
    assert!(all.iter().all(|state| !state.contains("c.count=3")));
    assert_eq!(explore(text).errors, []);
}

#[test]
fn typed_channels_wrap_values_around() {
    let text = "channel {byte} c[1]; channel {int} d;
        process S { state a, b, e; init a; trans a -> b { sync c!(256 + 3); }, b -> e { sync d!(32768 * 2 - 1); }; }
        process R { int x; state a, b, e; init a; trans a -> b { sync c?x; }, b -> e { sync d?x; }; }
        system async;";
    let all = states(text);
    assert!(all.contains(&"c.count=0 c[0]=0 S=b R=b R.x=3".to_owned()), "{all:#?}");
    assert!(all.contains(&"c.count=0 c[0]=0 S=e R=e R.x=-1".to_owned()), "{all:#?}");
}

#[test]
fn committed_processes_go_first_and_meet_only_each_other() {
    let text = "byte x; channel c;
        process P { state a, b, d; init a; commit b; trans a -> b {}, b -> d { effect x = 1; }, b -> d { sync c!; }; }
        process Q { state a, b; init a; trans a -> b { effect x = 2; }, a -> b { sync c?; }; }
        system async;";
    let all = states(text);
    assert!(all.contains(&"x=0 P=b Q=a".to_owned()) && all.contains(&"x=1 P=d Q=a".to_owned()), "{all:#?}");
    // From the committed state neither Q moves nor P meets Q.
    assert!(!all.contains(&"x=0 P=d Q=b".to_owned()), "{all:#?}");
    let explored = explore(text);
    assert!(!explored.actions.iter().any(|action| action.starts_with("c:")), "{:?}", explored.actions);
}

#[test]
fn two_committed_processes_may_meet() {
    let text = "channel c;
        process P { state a, b; init a; commit a; trans a -> b { sync c!; }; }
        process Q { state a, b; init a; commit a; trans a -> b { sync c?; }; }
        system async;";
    assert_eq!(states(text), ["P=a Q=a", "P=b Q=b"]);
}

#[test]
fn values_out_of_range_are_errors_of_the_model() {
    let errors = |effect: &str| {
        let text = format!(
            "byte b = 255; int i = -32768; byte a[2]; process P {{ state s, t; init s; trans s -> t {{ effect {effect}; }}; }} system async;"
        );
        explore(&text).errors.into_iter().map(|error| error.kind).collect::<Vec<_>>()
    };
    let range = |variable: &str, value, lo, hi| EvalErrorKind::ValueOutOfRange {
        variable: variable.into(),
        value,
        lo,
        hi,
    };
    assert_eq!(errors("b = b + 1"), [range("b", 256, 0, 255)]);
    assert_eq!(errors("b = 0 - 1"), [range("b", -1, 0, 255)]);
    assert_eq!(errors("i = i - 1"), [range("i", -32769, -32768, 32767)]);
    assert_eq!(
        errors("a[b] = 1"),
        [EvalErrorKind::IndexOutOfRange { array: "a".into(), index: 255, length: 2 }]
    );
    assert_eq!(
        errors("b = a[i]"),
        [EvalErrorKind::IndexOutOfRange { array: "a".into(), index: -32768, length: 2 }]
    );
    assert_eq!(errors("b = b / a[0]"), [EvalErrorKind::DivisionByZero]);
    assert_eq!(errors("b = b % a[0]"), [EvalErrorKind::DivisionByZero]);
    assert_eq!(errors("b = b << (0 - 1)"), [EvalErrorKind::ShiftAmount(-1)]);
    assert_eq!(errors("i = b * 100"), []);
}

#[test]
fn a_false_conjunct_hides_the_failure_of_another() {
    let text = "byte i = 3, a[3]; process P { state s, t; init s;
        trans s -> t { guard i < 3 and a[i] == 0; }, s -> t { guard a[i] == 0 and i < 3; }; } system async;";
    let explored = explore(text);
    assert_eq!((explored.errors.len(), explored.deadlocks), (0, 1));
}

#[test]
fn operators_rank_as_in_divine() {
    let value = |expr: &str| {
        let text = format!(
            "int x; process P {{ state s, t; init s; trans s -> t {{ effect x = {expr}; }}; }} system async;"
        );
        let states = states(&text);
        let reached = states.iter().find(|state| state.ends_with("P=t")).unwrap();
        reached.split(' ').next().unwrap().trim_start_matches("x=").parse::<i32>().unwrap()
    };
    for (expr, wanted) in [
        ("1 + 2 * 3", 7),
        ("7 - 2 - 1", 4),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("1 << 2 + 1", 8),
        ("1 or 1 and 0", 0),
        ("1 or (1 and 0)", 1),
        ("0 and 1 or 1", 1),
        ("2 | 1 & 0", 0),
        ("6 & 3 == 3", 6 & 1),
        ("1 imply 0", 0),
        ("0 imply 0", 1),
        ("not 5", 0),
        ("not 0 + 1", 2),
        ("~0", -1),
        ("3 == 3 == 1", 1),
        ("true + true", 2),
    ] {
        let got = value(&format!("({expr})"));
        assert_eq!(got, wanted, "{expr}");
    }
}

#[test]
fn assertions_are_labels_that_hold_elsewhere() {
    let loaded = load(
        "process P { byte i; state a, b; init a; assert a: i < 2, b: i == 9; trans a -> a { effect i = i + 1; }; } system async;",
    );
    let labels = &loaded.model.signature().labels;
    assert_eq!(labels.len(), 2);
    assert!(labels.iter().all(|label| label.kind == LabelKind::Assertion));
    assert_eq!(labels[0].name, "assert P.a: i < 2");
    let mut stepper = loaded.model.stepper();
    let mut value = |label: usize, state: &[u32]| stepper.label(base::LabelIx::new(label), state).unwrap();
    assert_eq!((value(0, &[0, 1]), value(0, &[0, 2]), value(1, &[0, 2])), (1, 0, 1));
}

#[test]
fn all_move_at_once_in_a_synchronous_system() {
    // Each sees the other's old value.
    let text = "byte x = 1, y = 2;
        process P { state a, b; init a; trans a -> b { effect x = y; }; }
        process Q { state a, b; init a; trans a -> b { effect y = x, y = y + 10; }; }
        system sync;";
    let explored = explore(text);
    let mut all: Vec<_> = explored.states.into_keys().collect();
    all.sort();
    assert_eq!(all, ["x=1 y=2 P=a Q=a", "x=2 y=11 P=b Q=b"]);
    assert_eq!(explored.deadlocks, 1);
}

#[test]
fn a_synchronous_system_is_stuck_when_one_process_is() {
    let text = "process P { state a; init a; trans a -> a {}; } process Q { state a, b; init a; trans a -> b {}; } system sync;";
    let explored = explore(text);
    assert_eq!((explored.states.len(), explored.transitions, explored.deadlocks), (2, 1, 1));
}

#[test]
fn writing_the_same_variable_at_once_is_an_error() {
    let text = "byte x; process P { state a, b; init a; trans a -> b { effect x = 1; }; }
        process Q { state a, b; init a; trans a -> b { effect x = 2; }; } system sync;";
    let kinds: Vec<_> = explore(text).errors.into_iter().map(|error| error.kind).collect();
    assert_eq!(kinds, [EvalErrorKind::WriteConflict { variable: "x".into() }]);
}

#[test]
fn different_cells_may_be_written_at_once() {
    let with = |second: &str| {
        explore(&format!(
            "byte a[2], i; process P {{ state s, t; init s; trans s -> t {{ effect a[0] = 1; }}; }}
             process Q {{ state s, t; init s; trans s -> t {{ effect a[{second}] = 2; }}; }} system sync;"
        ))
    };
    assert_eq!((with("1").errors.len(), with("1").states.len()), (0, 2));
    // The same cell, or one that may be the same.
    assert_eq!((with("0").errors.len(), with("i").errors.len()), (1, 1));
}

#[test]
fn what_is_computed_beforehand_fails_as_it_would_have() {
    // The disjunction is one guard: its second part is looked at only after the first, and then from the
    // left.
    for zero in ["zero", "0", "not not 0"] {
        let text = format!(
            "byte x, zero; process P {{ state s, t; init s; trans s -> t {{ guard {zero} or (1 / x == 1 and x == 1); }}; }} system async;"
        );
        assert_eq!(explore(&text).errors.len(), 1, "{zero}");
    }
}

#[test]
fn a_guard_that_fails_beside_a_false_one_leaves_the_system_stuck_for_the_property_too() {
    let text = "byte x; process P { state a; init a; trans a -> a { guard 10 / x > 1 and x > 0; }; }
        process L { state q, r; init q; trans q -> r {}, r -> q {}; } system async property L;";
    let source = std::sync::Arc::new(base::Source::new("test.dve", text));
    let product = lang_dve::load_scope(source, lang_dve::Scoping::Product).unwrap_or_else(|_| panic!());
    let explored = explore_model(&*product.model);
    assert_eq!((explored.errors.len(), explored.states.len(), explored.deadlocks), (0, 2, 0));
}

#[test]
fn templates_are_written_out() {
    let text = "input int values = 2;
        process a(key i, step) { int x = i; state s; init s; trans s -> s { guard x < 3; effect x = x + step; }; }
        process a(1, values);
        for (n : 2 .. 3) { process a(n, (0) + 1); }
        system async;";
    // The argument of an instance is a constant expression.
    let loaded = load(text);
    let names: Vec<&str> = loaded.model.signature().slots.iter().map(|slot| slot.name.as_str()).collect();
    assert_eq!(names, ["a(1)", "a(1).x", "a(2)", "a(2).x", "a(3)", "a(3).x"]);
    let explored = explore_model(&*loaded.model);
    assert_eq!(explored.states.len(), 2 * 2);
}

#[test]
fn property_processes_are_kept_apart() {
    let text = "process P { state a, b; init a; trans a -> b {}, b -> a {}; }
        process L { state q, r; init q; accept r; trans q -> q {}, q -> r { guard P.b; }, r -> r {}; }
        system async property L;";
    let loaded = load(text);
    assert_eq!(loaded.model.signature().slots.len(), 1);
    assert_eq!(loaded.stated.len(), 1);
    assert_eq!(loaded.stated[0].name, "L");
    assert_eq!(loaded.stated[0].form, Form::Monitor(Monitor::PropertyProcess));
    let source = std::sync::Arc::new(base::Source::new("test.dve", text));
    let product = lang_dve::load_scope(source, lang_dve::Scoping::Product).unwrap_or_else(|_| panic!());
    assert_eq!(explore_model(&*product.model).states.len(), 4);
}

#[test]
fn the_property_goes_on_where_the_system_is_stuck() {
    let text = "process P { state a, b; init a; trans a -> b {}; }
        process L { state q, r; init q; trans q -> q {}, q -> r { guard P.b; }, r -> q {}; }
        system async property L;";
    let source = std::sync::Arc::new(base::Source::new("test.dve", text));
    let product = lang_dve::load_scope(source, lang_dve::Scoping::Product).unwrap_or_else(|_| panic!());
    let explored = explore_model(&*product.model);
    assert_eq!((explored.states.len(), explored.transitions, explored.deadlocks), (3, 4, 0));
}

#[test]
fn constants_and_constant_arrays_take_no_slot() {
    let text = "const byte n = 3; const int table[3] = {5, 6, 7}; byte a[n], i;
        process P { const byte m = n - 1; state s; init s; trans s -> s { guard i < m; effect a[i] = table[i], i = i + 1; }; }
        system async;";
    let all = states(text);
    assert_eq!(all.len(), 3);
    assert!(all.contains(&"a[0]=5 a[1]=6 a[2]=0 i=2 P=s".to_owned()), "{all:#?}");
}

#[test]
fn shorthand_transitions_and_choices_are_read() {
    let text =
        "process P { state a, b, c; init a; trans a -> b {}, -> c {}, b => { a : 1, c : 3 }; } system async;";
    let explored = explore(text);
    assert_eq!((explored.states.len(), explored.transitions), (3, 4));
}

#[test]
fn an_array_without_an_index_is_its_first_cell() {
    let text = "byte a[2] = {3, 4}; const byte k[2] = {5, 6}; byte x;
        process P { byte b[2]; state s, t; init s; trans s -> t { guard a == 3; effect x = k, b = 7; }; }
        process Q { byte y; state s, t; init s; trans s -> t { guard P->b == 7; effect y = P->b; }; }
        system async;";
    let last = "a[0]=3 a[1]=4 x=5 P=t P.b[0]=7 P.b[1]=0 Q=t Q.y=7".to_owned();
    assert!(states(text).contains(&last), "{:?}", states(text));
}

/// A frame buffer that every stage writes where the state says, with a stage for each of many places.
#[test]
fn many_transitions_over_a_large_array_are_a_model() {
    let places = 3000;
    let states = (0..places).map(|place| format!("s{place}")).collect::<Vec<_>>().join(", ");
    let stage = |place: usize| {
        let next = (place + 1) % places;
        format!("s{place} -> s{next} {{ effect frame[x] = frame[{}] + 1, x = (x + 1) % 200; }}", place * 30)
    };
    let stages = (0..places).map(stage).collect::<Vec<_>>().join(", ");
    let text = format!(
        "byte frame[100000]; byte x; process P {{ state {states}; init s0; trans {stages}; }} system async;"
    );
    let model = load(&text).model;
    let mut stepper = model.stepper();
    let mut buffer = model::Successors::new(model.initial().len());
    stepper.all(model.initial(), &mut buffer).unwrap();
    let changed = |state: &[model::Value]| {
        let changed = (0..state.len()).filter(|&slot| state[slot] != model.initial()[slot]);
        changed.map(|slot| (slot, state[slot])).collect::<Vec<_>>()
    };
    assert_eq!(buffer.len(), 1);
    // The first cell, `x`, and where the process stands.
    assert_eq!(changed(buffer.state(0)), [(0, 1), (100_000, 1), (100_001, 1)]);
    let matrices = model.dependencies();
    let (first, last) = (base::GroupIx::new(0), base::GroupIx::new(places - 1));
    assert_eq!(matrices.copied_slots(first).len(), 100_000);
    assert!(matrices.reads(last, base::SlotIx::new(30 * (places - 1))));
    assert!(!matrices.reads(last, base::SlotIx::new(1)));
}
