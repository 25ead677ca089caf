//! The model of a linear process: by the eyes of `layers::Checked`, against the plain meaning of
//! specifications, and on data that tests by hand can know.

mod common;

use std::sync::Arc;

use common::Lts;
use common::random::{Maker, seed, term};
use common::semantics::lts_of_spec;
use layers::Checked;
use model::{Model, Successors};
use processes::{
    ActIx, Action, LinearModel, NameIx, ProcIx, Process, ProcessSpec, ProcessTermKind, linearise,
    linearise_joining,
};
use terms::{DataSpec, Expr, FunKind, Function, Kind, Op, Sort, SortIx, VarIx};

/// The transition system of a model.
fn explore(model: &dyn Model, most: usize) -> Result<Option<Lts>, String> {
    let (mut stepper, mut to) = (model.stepper(), Successors::new(model.signature().slots.len()));
    let mut failed = None;
    let lts = Lts::explore(model.initial().to_vec(), most, |state| {
        to.clear();
        if let Err(error) = stepper.all(state, &mut to) {
            failed.get_or_insert(error.to_string());
        }
        let step = |at: usize| {
            let successor = to.get(at);
            (model.signature().show_action(successor.action).into_owned(), successor.state.to_vec())
        };
        (0..to.len()).map(step).collect()
    });
    failed.map_or(Ok(lts), Err)
}

/// Labels of the plain semantics as the model shows them: truth values by their names.
fn relabelled(lts: &Lts) -> Lts {
    let label = |label: &String| {
        let text = label.replace("[]", "").replace("[0]", "(false)").replace("[1]", "(true)");
        if text.is_empty() { "tau".to_owned() } else { text }
    };
    Lts {
        steps: lts
            .steps
            .iter()
            .map(|row| row.iter().map(|(text, to)| (label(text), *to)).collect())
            .collect(),
    }
}

#[test]
fn the_model_does_what_the_specification_says_and_keeps_its_promises() {
    let first = seed(9_000_001);
    let (mut compared, mut steps) = (0, 0);
    for number in first..first + 150 {
        let spec = Maker::spec(&mut base::SplitMix64::new(number));
        let Ok(linear) = linearise(spec.clone()) else { continue };
        if linear.summands.len() > 100 {
            continue;
        }
        let model = Arc::new(LinearModel::new(linear, "random", None).unwrap());
        let checked = Checked::new(model.clone(), 1, number);
        let Some(made) = explore(&checked, 100).unwrap() else { continue };
        assert!(checked.complaints().is_empty(), "PINSCHER_SEED={number}: {:?}", checked.complaints());
        let Some(meant) = lts_of_spec(&spec, 500) else { continue };
        assert!(made.is_bisimilar(&relabelled(&meant)), "PINSCHER_SEED={number}");
        // Group by group is the same as all at once.
        let (mut stepper, mut to) = (model.stepper(), Successors::new(model.signature().slots.len()));
        let (mut all, initial) = (to.clone(), model.initial());
        stepper.all(initial, &mut all).unwrap();
        for group in model.signature().group_ixs() {
            stepper.group(group, initial, &mut to).unwrap();
        }
        assert_eq!(to.len(), all.len(), "PINSCHER_SEED={number}");
        compared += 1;
        steps += made.transitions();
    }
    assert!(std::env::var("PINSCHER_SEED").is_ok() || compared > 40 && steps > 400, "{compared} {steps}");
}

/// Summands that are made one before processes are put in parallel, as often as can be.
#[test]
fn joined_summands_do_the_same() {
    let first = seed(7_500_001);
    let (mut compared, mut fewer, mut steps) = (0, 0, 0);
    for number in first..first + 300 {
        let spec = Maker::spec(&mut base::SplitMix64::new(number));
        let (Ok(apart), Ok(joined)) = (linearise(spec.clone()), linearise_joining(spec.clone(), 1)) else {
            continue;
        };
        let is_fewer = joined.summands.len() < apart.summands.len();
        if !is_fewer || joined.summands.len() > 100 {
            continue;
        }
        let checked = Checked::new(Arc::new(LinearModel::new(joined, "random", None).unwrap()), 1, number);
        let Some(made) = explore(&checked, 100).unwrap() else { continue };
        assert!(checked.complaints().is_empty(), "PINSCHER_SEED={number}: {:?}", checked.complaints());
        fewer += 1;
        let Some(meant) = lts_of_spec(&spec, 500) else { continue };
        assert!(made.is_bisimilar(&relabelled(&meant)), "PINSCHER_SEED={number}");
        compared += 1;
        steps += made.transitions();
    }
    let counts = format!("{compared} compared of {fewer}, {steps} steps");
    assert!(std::env::var("PINSCHER_SEED").is_ok() || compared > 30 && steps > 300, "{counts}");
}

/// A specification with one process, which is given its own number, its parameters and the actions 0: Nat and
/// 1: Bool # Nat.
fn spec(make: impl FnOnce(&mut DataSpec) -> (Vec<VarIx>, processes::ProcessTerm, Vec<Expr>)) -> ProcessSpec {
    let mut data = DataSpec::default();
    let (parameters, body, initial) = make(&mut data);
    ProcessSpec {
        data,
        names: vec!["a".into(), "b".into()],
        actions: vec![
            Action { name: NameIx(0), sorts: vec![SortIx::NAT] },
            Action { name: NameIx(1), sorts: vec![SortIx::BOOL, SortIx::NAT] },
        ],
        processes: vec![Process { name: "P".into(), parameters, body, span: None }],
        globals: Vec::new(),
        init: term(ProcessTermKind::Call(ProcIx(0), initial)),
    }
}

fn number(value: u32) -> Expr {
    Expr::number(value, SortIx::NAT)
}

fn var(variable: VarIx) -> Expr {
    Expr::var(variable, SortIx::NAT)
}

fn then(list: Vec<ProcessTermKind>) -> processes::ProcessTerm {
    term(ProcessTermKind::Sequence(list.into_iter().map(term).collect()))
}

/// P(n, k) = sum m: Nat . (m < 12 && m * m mod 7 == n) -> a(m + k) . P(m mod 7, (k + 1) mod 5): what m can be
/// depends on n alone.
#[test]
fn a_sum_that_was_solved_before_has_the_same_solutions() {
    let op = |op: Op, parts: [Expr; 2], sort: SortIx| Expr::op(op, parts, sort);
    let of = |one: Op, left: Expr, right: Expr| op(one, [left, right], SortIx::NAT);
    let spec = spec(|data| {
        let [n, k, m] = ["n", "k", "m"].map(|name| data.variable(name, SortIx::NAT));
        let modulo = |value: Expr, by: u32| of(Op::Mod, value, Expr::number(by, SortIx::POS));
        let square = modulo(of(Op::Times, var(m), var(m)), 7);
        let below = op(Op::Less, [var(m), number(12)], SortIx::BOOL);
        let fits = op(Op::Equal, [square, var(n)], SortIx::BOOL);
        let next = vec![modulo(var(m), 7), modulo(of(Op::Plus, var(k), number(1)), 5)];
        let step = then(vec![
            ProcessTermKind::Action(ActIx(0), vec![of(Op::Plus, var(m), var(k))]),
            ProcessTermKind::Call(ProcIx(0), next),
        ]);
        let condition = op(Op::And, [below, fits], SortIx::BOOL);
        let body =
            term(ProcessTermKind::Sum(vec![m], term(ProcessTermKind::Condition(condition, step, None))));
        (vec![n, k], body, vec![number(1), number(0)])
    });
    let model = LinearModel::new(linearise(spec).unwrap(), "squares", None).unwrap();
    let mut stepper = model.stepper();
    let slots = model.signature().slots.len();
    assert_eq!(slots, 2);
    let mut steps = 0;
    // Every state twice by the same stepper, in an order in which values of `n` come again with others of
    // `k`.
    for (n, k) in (0..2).flat_map(|_| (0..5).flat_map(|k| (0..7).map(move |n| (n, k)))) {
        let (mut to, mut fresh) = (Successors::new(slots), Successors::new(slots));
        stepper.all(&[n, k], &mut to).unwrap();
        model.stepper().all(&[n, k], &mut fresh).unwrap();
        let row = |list: &Successors| -> Vec<(u32, Vec<u32>)> {
            (0..list.len()).map(|at| (list.get(at).action, list.get(at).state.to_vec())).collect()
        };
        assert_eq!(row(&to), row(&fresh), "{n} {k}");
        let squares = (0..12).filter(|m| m * m % 7 == n).map(|m| vec![m % 7, (k + 1) % 5]);
        assert_eq!(
            row(&to).into_iter().map(|(_, state)| state).collect::<Vec<_>>(),
            squares.collect::<Vec<_>>()
        );
        steps += to.len();
    }
    assert_eq!(steps, 2 * 5 * 12);
}

#[test]
fn what_is_sent_is_what_is_received() {
    // P(n) = a(n) . P(1 - n), Q = sum m: Nat . b(true, m) . ...: communication gives the sum its one value.
    let mut spec = spec(|data| {
        let n = data.variable("n", SortIx::NAT);
        let is_zero = Expr::op(Op::Equal, [var(n), number(0)], SortIx::BOOL);
        let next = Expr::op(Op::If, [is_zero, number(7), number(0)], SortIx::NAT);
        let body = then(vec![
            ProcessTermKind::Action(ActIx(0), vec![var(n)]),
            ProcessTermKind::Call(ProcIx(0), vec![next]),
        ]);
        (vec![n], body, vec![number(0)])
    });
    let m = spec.data.variable("m", SortIx::NAT);
    for name in ["c", "d", "e"] {
        spec.names.push(name.into());
        let name = NameIx(spec.names.len() as u32 - 1);
        spec.actions.push(Action { name, sorts: vec![SortIx::NAT] });
    }
    let action = |action: u32| ProcessTermKind::Action(ActIx(action), vec![var(m)]);
    let body = term(ProcessTermKind::Sum(
        vec![m],
        then(vec![action(2), action(4), ProcessTermKind::Call(ProcIx(1), Vec::new())]),
    ));
    spec.processes.push(Process { name: "Q".into(), parameters: Vec::new(), body, span: None });
    let both = ProcessTermKind::Parallel(vec![
        spec.init.clone(),
        term(ProcessTermKind::Call(ProcIx(1), Vec::new())),
    ]);
    let rule = processes::Communication { from: vec![NameIx(0), NameIx(2)], to: Some(NameIx(3)) };
    let comm = term(ProcessTermKind::Comm(vec![rule], term(both)));
    spec.init = term(ProcessTermKind::Allow(vec![vec![NameIx(3)], vec![NameIx(4)]], comm));
    let linear = linearise(spec).unwrap();
    assert!(linear.summands.iter().all(|summand| summand.sums.is_empty()));
    let checked = Checked::new(Arc::new(LinearModel::new(linear, "channel", None).unwrap()), 2, 1);
    let lts = explore(&checked, 100).unwrap().unwrap();
    let labels: Vec<&str> = lts.steps.iter().map(|row| row[0].0.as_str()).collect();
    assert_eq!(labels, ["d(0)", "e(0)", "d(7)", "e(7)"]);
    assert_eq!(lts.transitions(), 4);
    assert!(checked.complaints().is_empty(), "{:?}", checked.complaints());
}

#[test]
fn a_sum_over_all_numbers_ends_where_its_condition_does() {
    // P(n) = sum m: Nat . (m < 4 && n < m && n < 9) -> a(m) . P(m). The guard n < 9 is true where no m is
    // left.
    let spec = spec(|data| {
        let (n, m) = (data.variable("n", SortIx::NAT), data.variable("m", SortIx::NAT));
        let less = |one: Expr, other: Expr| Expr::op(Op::Less, [one, other], SortIx::BOOL);
        let and = |one: Expr, other: Expr| Expr::op(Op::And, [one, other], SortIx::BOOL);
        let both = and(and(less(var(m), number(4)), less(var(n), var(m))), less(var(n), number(9)));
        let step = then(vec![
            ProcessTermKind::Action(ActIx(0), vec![var(m)]),
            ProcessTermKind::Call(ProcIx(0), vec![var(m)]),
        ]);
        let body = term(ProcessTermKind::Sum(vec![m], term(ProcessTermKind::Condition(both, step, None))));
        (vec![n], body, vec![number(0)])
    });
    let model: Arc<dyn Model> = Arc::new(LinearModel::new(linearise(spec).unwrap(), "sum", None).unwrap());
    let checked = Checked::new(model.clone(), 1, 1);
    let lts = explore(&checked, 100).unwrap().unwrap();
    assert_eq!((lts.states(), lts.transitions()), (4, 6));
    assert_eq!(
        lts.steps[0].iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>(),
        ["a(1)", "a(2)", "a(3)"]
    );
    assert!(checked.complaints().is_empty(), "{:?}", checked.complaints());
    let action = &model.signature().action;
    assert_eq!((action.named("a"), action.named("nothing")), (None, None));
}

#[test]
fn a_sum_without_end_is_a_limit() {
    let spec = spec(|data| {
        let m = data.variable("m", SortIx::NAT);
        let step = then(vec![ProcessTermKind::Action(ActIx(0), vec![var(m)]), ProcessTermKind::Delta]);
        (Vec::new(), term(ProcessTermKind::Sum(vec![m], step)), Vec::new())
    });
    let model = LinearModel::new(linearise(spec).unwrap(), "endless", None).unwrap();
    let message = explore(&model, 100).unwrap_err();
    assert!(message.contains("`m`") && message.contains("infinitely many"), "{message}");
    let (mut stepper, mut to) = (model.stepper(), Successors::new(model.initial().len()));
    assert!(stepper.all(model.initial(), &mut to).unwrap_err().is_limit());
}

#[test]
fn a_condition_that_does_not_reduce_is_an_error_unless_another_is_false() {
    // map unknown: Nat -> Bool, without equations; P(n) = (n < 2 && unknown(n)) -> a(n) . P(n), from 0 and
    // from 2.
    let make = |start: u32| {
        spec(|data| {
            let n = data.variable("n", SortIx::NAT);
            let unknown = data.function(Function {
                name: "unknown".into(),
                arguments: vec![SortIx::NAT],
                result: SortIx::BOOL,
                kind: FunKind::Mapping,
                span: None,
            });
            let unknown = Expr::new(Kind::Call(unknown, Box::new([var(n)])), SortIx::BOOL);
            let less = Expr::op(Op::Less, [var(n), number(2)], SortIx::BOOL);
            let both = Expr::op(Op::And, [unknown, less], SortIx::BOOL);
            // The number changes in a summand that is never taken, so that it is no constant.
            let step = |next: Expr| {
                then(vec![
                    ProcessTermKind::Action(ActIx(0), vec![var(n)]),
                    ProcessTermKind::Call(ProcIx(0), vec![next]),
                ])
            };
            let more = Expr::op(Op::Plus, [var(n), number(1)], SortIx::NAT);
            let large = Expr::op(Op::Less, [number(9), var(n)], SortIx::BOOL);
            let body = term(ProcessTermKind::Choice(vec![
                term(ProcessTermKind::Condition(both, step(var(n)), None)),
                term(ProcessTermKind::Condition(large, step(more), None)),
            ]));
            (vec![n], body, vec![number(start)])
        })
    };
    let model = |start: u32| LinearModel::new(linearise(make(start)).unwrap(), "stuck", None).unwrap();
    let message = explore(&model(0), 100).unwrap_err();
    assert!(
        message.contains("does not reduce to true or false") && message.contains("unknown(0)"),
        "{message}"
    );
    let model = model(2);
    let checked = Checked::new(Arc::new(model), 1, 1);
    assert_eq!(explore(&checked, 100).unwrap().unwrap().states(), 1);
    assert!(checked.complaints().is_empty(), "{:?}", checked.complaints());
}

#[test]
fn equal_actions_have_no_order() {
    // P(n) = a(n) | a(1 - n) . P(1 - n): two states, and the same label from both.
    let spec = spec(|data| {
        let flag = data.variable("flag", SortIx::BOOL);
        let flag = Expr::var(flag, SortIx::BOOL);
        let as_number =
            |yes: u32, no: u32| Expr::op(Op::If, [flag.clone(), number(yes), number(no)], SortIx::NAT);
        let action = |argument: Expr| term(ProcessTermKind::Action(ActIx(0), vec![argument]));
        let both = ProcessTermKind::Sync(vec![action(as_number(1, 0)), action(as_number(0, 1))]);
        let not = Expr::op(Op::Not, [flag.clone()], SortIx::BOOL);
        let Kind::Var(variable) = *flag.kind else { panic!("no variable") };
        (
            vec![variable],
            then(vec![both, ProcessTermKind::Call(ProcIx(0), vec![not])]),
            vec![Expr::truth(false)],
        )
    });
    let model = LinearModel::new(linearise(spec).unwrap(), "pairs", None).unwrap();
    let lts = explore(&model, 100).unwrap().unwrap();
    assert_eq!(lts.steps, [[("a(0)|a(1)".to_owned(), 1)], [("a(0)|a(1)".to_owned(), 0)]]);
}

#[test]
fn a_slot_is_shown_and_read_by_its_sort() {
    // sort Light = struct red | green; P(l: Light, n: Nat) = b(l == red, n) . P(other(l), n + 1) for n < 3.
    let spec = spec(|data| {
        let light = data.sorts.add(Sort::User("Light".into()));
        let mut constant = |name: &str| {
            let kind = FunKind::Constructor;
            data.function(Function {
                name: name.into(),
                arguments: Vec::new(),
                result: light,
                kind,
                span: None,
            })
        };
        let (red, green) = (constant("red"), constant("green"));
        let of = |function| Expr::new(Kind::Call(function, Box::new([])), light);
        let (l, n) = (data.variable("l", light), data.variable("n", SortIx::NAT));
        let shown = Expr::var(l, light);
        let is_red = Expr::op(Op::Equal, [shown, of(red)], SortIx::BOOL);
        let other = Expr::op(Op::If, [is_red.clone(), of(green), of(red)], light);
        let more = Expr::op(Op::Plus, [var(n), number(1)], SortIx::NAT);
        let step = then(vec![
            ProcessTermKind::Action(ActIx(1), vec![is_red, var(n)]),
            ProcessTermKind::Call(ProcIx(0), vec![other, more]),
        ]);
        let few = Expr::op(Op::Less, [var(n), number(3)], SortIx::BOOL);
        (vec![l, n], term(ProcessTermKind::Condition(few, step, None)), vec![of(green), number(0)])
    });
    let model = LinearModel::new(linearise(spec).unwrap(), "lights", None).unwrap();
    let signature = model.signature();
    let slot =
        |name: &str| signature.slot_ixs().find(|slot| signature.slots[slot.ix()].name == name).unwrap();
    assert_eq!(signature.show(slot("l"), model.initial()[slot("l").ix()]), "green");
    assert_eq!(signature.type_of(slot("l")).named("green"), Some(model.initial()[slot("l").ix()]));
    assert_eq!(signature.type_of(slot("l")).named("blue"), None);
    assert_eq!(signature.type_of(slot("n")).named("7"), Some(7));
    assert_eq!(signature.type_of(slot("n")).named("-7"), None);
    let lts = explore(&model, 100).unwrap().unwrap();
    let labels: Vec<&str> = lts.steps.iter().flatten().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["b(false, 0)", "b(true, 1)", "b(false, 2)"]);
}

/// P(n) = a(n) . P(n), with b alone allowed: what is offered shows though no summand is left of it.
#[test]
fn what_is_offered_and_not_allowed_is_told() {
    let mut spec = spec(|data| {
        let n = data.variable("n", SortIx::NAT);
        let again = ProcessTermKind::Call(ProcIx(0), vec![var(n)]);
        (vec![n], then(vec![ProcessTermKind::Action(ActIx(0), vec![var(n)]), again]), vec![number(3)])
    });
    spec.init = term(ProcessTermKind::Allow(vec![vec![NameIx(1)]], spec.init));
    let model = LinearModel::new(linearise(spec).unwrap(), "offer", None).unwrap();
    assert_eq!(model.signature().groups.len(), 0);
    let waiting = model.waiting(model.initial());
    let told: Vec<_> = waiting.waiters.iter().map(|one| (one.name.as_str(), &one.statements[0])).collect();
    let [(name, blocked)] = told[..] else { panic!("{waiting:?}") };
    assert_eq!((name, blocked.name.as_str()), ("P", "a(3)"));
    assert_eq!(blocked.reasons, [model::waiting::Reason::NotAllowed { action: "a(3)".into() }]);
}
