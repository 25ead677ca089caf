//! What has no linear form is refused, with the reason and the cycle that it lies in; and what looks like it
//! but has one is not.

mod common;

use base::Span;
use common::random::term;
use common::semantics::{lts_of_linear, lts_of_spec};
use processes::{
    ActIx, Action, NameIx, ProcIx, Process, ProcessSpec, ProcessTerm, ProcessTermKind, linearise,
};
use terms::{DataSpec, Expr, SortIx};

/// Processes P, Q, R over actions a, b, c without data, and where to begin.
fn spec(bodies: &[ProcessTerm], init: ProcessTerm) -> ProcessSpec {
    let process = |(at, body): (usize, &ProcessTerm)| Process {
        name: ["P", "Q", "R"][at].to_owned(),
        parameters: Vec::new(),
        body: body.clone(),
        span: None,
    };
    ProcessSpec {
        data: DataSpec::default(),
        names: ["a", "b", "c"].map(str::to_owned).to_vec(),
        actions: (0..3).map(|name| Action { name: NameIx(name), sorts: Vec::new() }).collect(),
        processes: bodies.iter().enumerate().map(process).collect(),
        globals: Vec::new(),
        init,
    }
}

fn act(name: u32) -> ProcessTerm {
    term(ProcessTermKind::Action(ActIx(name), Vec::new()))
}

fn call(process: u32) -> ProcessTerm {
    ProcessTerm::new(
        ProcessTermKind::Call(ProcIx(process), Vec::new()),
        Some(Span::new(process as usize, process as usize + 1)),
    )
}

fn sequence(parts: &[ProcessTerm]) -> ProcessTerm {
    term(ProcessTermKind::Sequence(parts.to_vec()))
}

fn choice(parts: &[ProcessTerm]) -> ProcessTerm {
    term(ProcessTermKind::Choice(parts.to_vec()))
}

fn parallel(parts: &[ProcessTerm]) -> ProcessTerm {
    ProcessTerm::new(ProcessTermKind::Parallel(parts.to_vec()), Some(Span::new(7, 9)))
}

fn message(spec: ProcessSpec) -> String {
    let problems = linearise(spec).expect_err("there is a linear process");
    assert!(problems.iter().all(|problem| problem.span.is_some()), "{problems:?}");
    problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("; ")
}

/// States and transitions of a linear process that does what the specification says.
fn size(spec: ProcessSpec) -> (usize, usize) {
    let linear = linearise(spec.clone()).unwrap();
    let made = lts_of_linear(&linear, 1000).unwrap();
    if let Some(meant) = lts_of_spec(&spec, 1000) {
        assert!(made.is_bisimilar(&meant));
    }
    (made.states(), made.transitions())
}

#[test]
fn recursion_before_a_step_is_refused_with_its_cycle() {
    // P = Q + a, Q = b + R, R = P . c
    let bodies = [choice(&[call(1), act(0)]), choice(&[act(1), call(2)]), sequence(&[call(0), act(2)])];
    let text = message(spec(&bodies, call(0)));
    assert_eq!(text, "process `P` calls itself before it does a step: P → Q → R → P");
}

#[test]
fn work_that_piles_up_is_refused_with_its_cycle() {
    // P = a . Q . b + c, Q = a . P
    let bodies = [choice(&[sequence(&[act(0), call(1), act(1)]), act(2)]), sequence(&[act(0), call(0)])];
    assert_eq!(message(spec(&bodies, call(0))), "process `P` is not regular: P → Q → P");
    // P = Q . b, Q = a . P + c: the call that piles up comes first.
    let bodies = [sequence(&[call(1), act(1)]), choice(&[sequence(&[act(0), call(0)]), act(2)])];
    assert_eq!(message(spec(&bodies, call(0))), "process `P` is not regular: P → Q → P");
    // P = a . P . b has no end: what stands after it is never run.
    assert_eq!(size(spec(&[sequence(&[act(0), call(0), act(1)])], call(0))), (1, 1));
    // P = Q . P, Q = a . b: what is after Q is always the same.
    assert_eq!(size(spec(&[sequence(&[call(1), call(0)]), sequence(&[act(0), act(1)])], call(0))), (2, 2));
    // A process that nobody calls may be as it likes.
    let unused = [act(0), choice(&[call(1), act(1)])];
    assert_eq!(size(spec(&unused, call(0))), (3, 2));
}

#[test]
fn processes_side_by_side_are_refused_below_the_top() {
    let both = parallel(&[act(0), act(1)]);
    let inside = |init: ProcessTerm| message(spec(&[sequence(&[act(0), call(1)]), both.clone()], init));
    assert_eq!(inside(sequence(&[both.clone(), act(2)])), "the parallel operator is inside a sequence");
    assert_eq!(inside(choice(&[both.clone(), act(2)])), "the parallel operator is inside a choice");
    let condition = term(ProcessTermKind::Condition(Expr::truth(true), both.clone(), None));
    assert_eq!(inside(condition), "the parallel operator is inside a condition");
    let mut with_sum = spec(&[], act(0));
    let variable = with_sum.data.variable("x", SortIx::BOOL);
    with_sum.init = term(ProcessTermKind::Sum(vec![variable], both.clone()));
    assert_eq!(message(with_sum), "the parallel operator is inside a sum");
    // P = P || a
    let growing = [parallel(&[call(0), act(0)])];
    assert_eq!(message(spec(&growing, call(0))), "the parallel operator is inside recursion: P → P");
    // P = a . Q where Q = a || b
    let text = message(spec(&[sequence(&[act(0), call(1)]), both.clone()], call(0)));
    assert_eq!(text, "process `Q`, which has the parallel operator in it, is called inside a sequence");
}

#[test]
fn what_changes_actions_is_refused_below_the_top_with_its_own_advice() {
    let hidden = ProcessTerm::new(ProcessTermKind::Hide(vec![NameIx(0)], act(0)), Some(Span::new(7, 9)));
    let problems = linearise(spec(&[], sequence(&[hidden.clone(), act(1)]))).unwrap_err();
    assert_eq!(problems[0].message, "`hide` is inside a sequence");
    assert!(
        problems[0].help.as_deref().is_some_and(|help| help.contains("around whole processes")),
        "{problems:?}"
    );
    // P = hide({a}, a), called in a sequence: there is nothing parallel in it.
    let text = message(spec(&[hidden], sequence(&[call(0), act(1)])));
    assert_eq!(text, "process `P`, which has `hide` in it, is called inside a sequence");
}

#[test]
fn a_long_row_of_processes_in_parallel_is_refused() {
    // P0 = P1 || a, P1 = P2 || a, and so on: each call is followed inside the one before it.
    let mut row = spec(&[], call(0));
    for at in 0..100_000 {
        let body = parallel(&[call(at + 1), act(0)]);
        row.processes.push(Process { name: format!("P{at}"), parameters: Vec::new(), body, span: None });
    }
    row.processes.push(Process { name: "P100000".into(), parameters: Vec::new(), body: act(0), span: None });
    let told =
        std::thread::Builder::new().stack_size(64 << 20).spawn(move || message(row)).unwrap().join().unwrap();
    assert_eq!(told, "processes in parallel call each other in a longer row than can be followed");
}

#[test]
fn too_many_processes_are_refused() {
    // P = Q || Q, Q = R || R, and so on: 2^20 processes.
    let mut processes: Vec<Process> = Vec::new();
    for at in 0..20 {
        let next = || call(at + 1);
        let body = parallel(&[next(), next()]);
        processes.push(Process { name: format!("P{at}"), parameters: Vec::new(), body, span: None });
    }
    processes.push(Process { name: "P20".into(), parameters: Vec::new(), body: act(0), span: None });
    let mut spec = spec(&[], call(0));
    spec.processes = processes;
    spec.init = parallel(&[call(0), act(1)]);
    let problems = linearise(spec).unwrap_err();
    assert!(problems[0].message.contains("processes run side by side"), "{problems:?}");
}

#[test]
fn time_and_probability_are_named() {
    let time =
        ProcessTerm::new(ProcessTermKind::At(act(0), Expr::number(1, SortIx::REAL)), Some(Span::new(0, 1)));
    assert_eq!(message(spec(&[], time)), "time is not analysed yet");
    let chance = ProcessTermKind::Distribution(Vec::new(), Expr::number(1, SortIx::REAL), act(0));
    assert_eq!(
        message(spec(&[], ProcessTerm::new(chance, Some(Span::new(0, 1))))),
        "probability is not analysed yet"
    );
    // To do nothing at some time is to do nothing.
    let never = term(ProcessTermKind::At(term(ProcessTermKind::Delta), Expr::number(0, SortIx::REAL)));
    assert_eq!(linearise(spec(&[], never)).unwrap().summands.len(), 0);
}

#[test]
fn an_end_is_a_step_that_all_do_together() {
    assert_eq!(size(spec(&[], act(0))), (3, 2));
    // a || b: both orders, both at once, and the end.
    assert_eq!(size(spec(&[], parallel(&[act(0), act(1)]))), (5, 6));
    // Where one goes on for ever there is no end.
    assert_eq!(size(spec(&[sequence(&[act(0), call(0)])], parallel(&[call(0), act(1)]))), (2, 4));
}

/// Sixteen processes of which only all together do a step: no combination of fewer is ever made.
#[test]
fn a_long_chain_of_synchronisation_is_found_without_trying_all() {
    use processes::Communication;
    let count = 40;
    let names: Vec<String> = (0..3 * count).map(|name| format!("n{name}")).collect();
    let name = |at: usize, kind: usize| NameIx((3 * (at % count) + kind) as u32);
    // Process i does right(i) | left(i + 1), and right(i) | left(i) becomes whole(i).
    let process = |at: usize| {
        let of = |name: NameIx| term(ProcessTermKind::Action(ActIx(name.0), Vec::new()));
        let both = term(ProcessTermKind::Sync(vec![of(name(at, 0)), of(name(at + 1, 1))]));
        sequence(&[both, term(ProcessTermKind::Delta)])
    };
    let rule = |at: usize| Communication { from: vec![name(at, 0), name(at, 1)], to: Some(name(at, 2)) };
    let parts = (0..count).map(process).collect();
    let together =
        term(ProcessTermKind::Comm((0..count).map(rule).collect(), term(ProcessTermKind::Parallel(parts))));
    let halves = (0..count).flat_map(|at| [name(at, 0), name(at, 1)]).collect();
    let wholes = (0..count).map(|at| name(at, 2)).collect();
    let blocked = term(ProcessTermKind::Block(halves, together));
    let spec = ProcessSpec {
        data: DataSpec::default(),
        actions: (0..names.len() as u32)
            .map(|name| Action { name: NameIx(name), sorts: Vec::new() })
            .collect(),
        names,
        processes: Vec::new(),
        globals: Vec::new(),
        init: term(ProcessTermKind::Hide(wholes, blocked)),
    };
    let linear = linearise(spec).unwrap();
    assert_eq!(linear.summands.len(), 1);
    assert!(linear.summands[0].actions.is_empty());
}
