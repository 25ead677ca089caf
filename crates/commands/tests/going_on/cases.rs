//! Each case by itself.

use commands::MessageDef;
use model::{Message, Mover, Passing, StatementNumber};

use super::*;

fn is(variable: VarIx, value: i64) -> Expr {
    Expr::binary(BinaryOp::Eq, Expr::variable(variable), Expr::Constant(value))
}

fn set(variable: VarIx, value: Expr) -> Vec<Step> {
    vec![vec![Assign::new(Place::single(variable), value)]]
}

fn plus(variable: VarIx, more: i64) -> Expr {
    Expr::binary(BinaryOp::Add, Expr::variable(variable), Expr::Constant(more))
}

fn command(name: &str, guards: Vec<Expr>, steps: Vec<Step>, then: Then) -> Command {
    Command {
        name: name.into(),
        action: name.into(),
        guards,
        effect: Effect::Steps(steps),
        spans: vec![Span::new(name.len(), name.len() + 1)],
        then,
        ..Command::default()
    }
}

fn inner(command: Command) -> Command {
    Command { inner: true, ..command }
}

/// The successors of a state by the first group, interpreted and compiled.
fn successors(program: Program, from: &[Value]) -> Result<Vec<(String, Vec<Value>)>, EvalErrorKind> {
    let model = CommandModel::new(program).unwrap();
    let mut found = Vec::new();
    for calls in [None, Some(Calls::Groups)] {
        if let Some(calls) = calls {
            assert!(matches!(model.compile(calls), Compiled::Done { .. }));
        }
        let mut buffer = Successors::new(from.len());
        let result = model.stepper().group(GroupIx::new(0), from, &mut buffer);
        let name = |action| model.signature().show_action(action).into_owned();
        let steps = buffer.iter().map(|step| (name(step.action), step.state.to_vec())).collect();
        found.push(result.map(|()| steps).map_err(|error| error.kind));
    }
    assert_eq!(found[0], found[1]);
    found.swap_remove(0)
}

#[test]
fn a_blocked_atomic_sequence_rests_where_it_is() {
    let commands = vec![
        command("go", vec![], set(X, Expr::Constant(1)), Then::All(vec![1])),
        command("wait", vec![is(Y, 1)], set(X, Expr::Constant(2)), Then::Rest),
    ];
    let go = |state| vec![("go".to_owned(), state)];
    assert_eq!(successors(program(commands.clone()), &[0, 0, 0, 0]), Ok(go(vec![1, 0, 0, 0])));
    assert_eq!(successors(program(commands), &[0, 1, 0, 0]), Ok(go(vec![2, 1, 0, 0])));
}

#[test]
fn a_blocked_d_step_is_an_error_where_it_stands() {
    let commands = vec![
        command("go", vec![], vec![], Then::First(vec![1])),
        inner(command("middle", vec![], set(X, Expr::Constant(1)), Then::First(vec![2]))),
        inner(command("wait", vec![is(Y, 1)], vec![], Then::Rest)),
    ];
    assert_eq!(successors(program(commands.clone()), &[0, 0, 0, 0]), Err(EvalErrorKind::Blocked));
    let model = CommandModel::new(program(commands)).unwrap();
    let error = model.stepper().all(&[0; 4], &mut Successors::new(4)).unwrap_err();
    assert_eq!(error.span, Some(Span::new("middle".len(), "middle".len() + 1)));
    assert_eq!(error.to_string(), "a d_step is blocked in the middle");
}

#[test]
fn two_paths_to_a_state_are_two_successors() {
    let commands = vec![
        command("go", vec![], vec![], Then::All(vec![1, 2])),
        command("one", vec![], set(X, Expr::Constant(1)), Then::Rest),
        command("other", vec![], set(X, Expr::Constant(1)), Then::Rest),
    ];
    assert_eq!(successors(program(commands), &[0; 4]).unwrap().len(), 2);
}

#[test]
fn inner_commands_are_no_groups_but_their_alarms_are_heard() {
    let alarm = Command { alarm: true, ..inner(command("assert", vec![is(Y, 1)], vec![], Then::Rest)) };
    let commands = vec![
        command("go", vec![], vec![], Then::First(vec![1, 2])),
        alarm,
        inner(command("fine", vec![is(X, 0)], vec![], Then::Rest)),
    ];
    let model = CommandModel::new(program(commands.clone())).unwrap();
    let signature = model.signature();
    assert_eq!((signature.groups.len(), signature.guards.len(), model.dependencies().read.rows()), (1, 0, 1));
    assert_eq!(signature.action.show(0), "assert");
    assert!(model.dependencies().reads(GroupIx::new(0), SlotIx::new(1)));
    assert_eq!(successors(program(commands.clone()), &[0; 4]), Ok(vec![("go".into(), vec![0; 4])]));
    assert_eq!(successors(program(commands), &[0, 1, 0, 0]), Ok(vec![("assert".into(), vec![0, 1, 0, 0])]));
}

/// A counter that counts to a million in one step.
fn counting(then: fn(Vec<u32>) -> Then, most: i64) -> Program {
    let count = Expr::binary(BinaryOp::Lt, Expr::variable(X), Expr::Constant(most));
    let commands = vec![
        command("go", vec![], vec![], then(vec![1, 2])),
        command("count", vec![count.clone()], set(X, plus(X, 1)), then(vec![1, 2])),
        command("done", vec![count.not()], set(Y, Expr::Constant(1)), Then::Rest),
    ];
    let types = vec![Type::range("large", 0, i32::MAX)];
    Program { types, ..program(commands) }
}

#[test]
fn a_path_of_a_million_steps_ends() {
    for then in [Then::All as fn(Vec<u32>) -> Then, Then::First] {
        let found = successors(counting(then, 1_000_000), &[0; 4]);
        assert_eq!(found, Ok(vec![("go".into(), vec![1_000_000, 1, 0, 0])]));
    }
    let model = CommandModel::new(counting(Then::First, 100_000)).unwrap();
    let path = model.unfold(&[0; 4], GroupIx::new(0), 2, &[100_000, 1, 0, 0]).unwrap();
    assert_eq!((path.len(), path[7].state.as_slice()), (100_002, &[7, 0, 0, 0][..]));
}

/// Each number is an end of its own, and each path has a point where it has branched for every number before.
#[test]
fn a_path_branches_a_hundred_thousand_times() {
    let mut program = counting(Then::All, 100_000);
    program.commands[2].guards.clear();
    assert_eq!(successors(program, &[0; 4]).map(|found| found.len()), Ok(100_001));
}

#[test]
fn what_takes_too_many_steps_is_an_error() {
    for then in [Then::All as fn(Vec<u32>) -> Then, Then::First] {
        for (most, ends) in [(1_000, false), (1_001, true)] {
            let model = CommandModel::new(counting(then, 1_000)).unwrap().with_most_steps(most);
            let result = model.stepper().all(&[0; 4], &mut Successors::new(4));
            model.compile(Calls::States);
            assert_eq!(model.stepper().all(&[0; 4], &mut Successors::new(4)), result);
            assert!(result.map_or_else(|error| error.is_limit() && !ends, |()| ends), "{most}");
        }
    }
}

#[test]
fn circles_have_no_end() {
    let flip = Expr::choice(is(X, 0), Expr::Constant(1), Expr::Constant(0));
    let round = |then: Then| {
        let commands = vec![
            command("go", vec![], vec![], then.clone()),
            command("round", vec![], set(X, flip.clone()), then),
        ];
        successors(program(commands), &[0; 4])
    };
    assert!(round(Then::All(vec![1])).unwrap_err().is_limit());
    assert_eq!(round(Then::First(vec![1])), Err(EvalErrorKind::Endless));
    // With a way out there is an end for each state on the circle.
    let commands = vec![
        command("go", vec![], vec![], Then::All(vec![1, 2])),
        command("round", vec![], set(X, flip), Then::All(vec![1, 2])),
        command("out", vec![], vec![], Then::Rest),
    ];
    let found = successors(program(commands), &[0; 4]).unwrap();
    assert_eq!(found, [("go".into(), vec![0; 4]), ("go".into(), vec![1, 0, 0, 0])]);
}

/// A path that goes round for ever after an assertion has failed on it: that is not to be lost.
#[test]
fn an_alarm_before_a_circle_is_not_lost() {
    let flip = Expr::choice(is(X, 0), Expr::Constant(1), Expr::Constant(0));
    let with_way_out = |at: Vec<u32>, alarm: bool| {
        let commands = vec![
            command("go", vec![], vec![], Then::All(vec![1, 3])),
            Command { alarm, ..command("assert", vec![], vec![], Then::All(at)) },
            command("round", vec![], set(X, flip.clone()), Then::All(vec![2])),
            command("out", vec![], vec![], Then::Rest),
        ];
        successors(program(commands), &[0; 4]).map(|found| found.len())
    };
    assert!(with_way_out(vec![2], true).unwrap_err().is_limit());
    // Nothing is to be heard, or it is heard where another path ends.
    assert_eq!(with_way_out(vec![2], false), Ok(1));
    assert_eq!(with_way_out(vec![2, 3], true), Ok(2));
}

/// A hundred thousand steps in a state of as many cells, each of which touches one of them.
#[test]
fn a_step_of_many_steps_does_not_copy_the_state() {
    for then in [Then::All as fn(Vec<u32>) -> Then, Then::First] {
        let mut program = counting(then, 100_000);
        program.variables.push(variable("wide", 0, Some(100_000), Overflow::Error));
        let wide = |x: Value, y: Value| [x, y].into_iter().chain(vec![0; 100_002]).collect::<Vec<_>>();
        assert_eq!(successors(program, &wide(0, 0)), Ok(vec![("go".into(), wide(100_000, 1))]));
    }
}

#[test]
#[should_panic(expected = "BUG: an inner command before another one")]
fn inner_commands_come_last() {
    let commands =
        vec![inner(command("inner", vec![], vec![], Then::Rest)), command("go", vec![], vec![], Then::Rest)];
    let _ = CommandModel::new(program(commands));
}

/// What is surely written first is not read, what may be written is.
#[test]
fn what_is_read_is_not_surely_written_before() {
    let cell = |index: Expr| Place::cell(A, index);
    let commands = vec![
        command("go", vec![], set(X, Expr::Constant(0)), Then::All(vec![1])),
        command(
            "array",
            vec![],
            vec![vec![Assign::new(cell(Expr::variable(X)), Expr::Constant(1))]],
            Then::First(vec![2]),
        ),
        command(
            "test",
            vec![Expr::binary(BinaryOp::Eq, Expr::Read(cell(Expr::Constant(0))), Expr::Constant(1))],
            set(Y, Expr::Constant(1)),
            Then::Rest,
        ),
    ];
    let model = CommandModel::new(program(commands)).unwrap();
    let row = |matrix: &base::BitMatrix, group| matrix.ones(group).collect::<Vec<usize>>();
    let matrices = model.dependencies();
    assert_eq!(row(&matrices.read, 0), [2]);
    assert_eq!(row(&matrices.may_write, 0), [0, 1, 2, 3]);
    assert_eq!(row(&matrices.must_write, 0), [0]);
    assert_eq!(row(&matrices.read, 1), [0, 2]);
    assert_eq!(row(&matrices.must_write, 1), [1]);
    assert_eq!(row(&matrices.read, 2), [2]);
}

/// More commands than one routine holds.
#[test]
fn of_a_long_list_the_first_one_is_taken() {
    let next: Vec<u32> = (1..=2000).collect();
    let mut commands = vec![command("go", vec![], vec![], Then::First(next))];
    commands.extend((1..=2000).map(|number| {
        let test = if number == 700 || number > 1500 { is(X, 1) } else { is(X, 0) };
        inner(command("next", vec![test], set(Y, Expr::Constant(number % 3)), Then::Rest))
    }));
    assert_eq!(successors(program(commands.clone()), &[0; 4]), Ok(vec![("go".into(), vec![0, 1, 0, 0])]));
    assert_eq!(successors(program(commands), &[1, 0, 0, 0]), Ok(vec![("go".into(), vec![1, 1, 0, 0])]));
}

/// Whether nothing else can move, written as one condition over thousands of guards.
#[test]
fn a_timeout_over_thousands_of_commands_is_compiled() {
    let guards: Vec<Expr> = (0..3000).map(|number| is(VarIx(number % 2), i64::from(number % 3))).collect();
    let stuck = guards.iter().map(|guard| Expr::Disabled(vec![guard.clone(), is(A2, 1)])).collect();
    let timeout = command("timeout", stuck, set(Y, Expr::Constant(1)), Then::Rest);
    let nested = vec![Expr::Disabled(guards.clone())];
    let commands = vec![timeout, command("nested", nested, vec![], Then::Rest)];
    let mut program = program(commands);
    program.variables.insert(2, variable("b", 0, None, Overflow::Error));
    assert_eq!(successors(program.clone(), &[0, 0, 1, 0, 0]), Ok(vec![]));
    assert_eq!(successors(program, &[0, 0, 0, 0, 0]), Ok(vec![("timeout".into(), vec![0, 1, 0, 0, 0])]));
}

const A2: VarIx = VarIx(2);

/// Messages have the values that they had when they were passed, not those of the whole step's beginning or
/// end.
#[test]
fn messages_are_told_with_their_values_at_the_time() {
    let message = |passing| MessageDef {
        channel: "c".into(),
        passing,
        fields: vec![(TypeIx::new(0), Expr::variable(X)), (TypeIx::new(0), plus(X, 1))],
    };
    let mover = |process| Mover {
        process,
        name: format!("P({process})"),
        words: "c!x".into(),
        statement: StatementNumber::Known(process + 7),
    };
    let first = command("go", vec![], set(X, plus(X, 1)), Then::All(vec![1]));
    let last = command("on", vec![], set(X, plus(X, 1)), Then::Rest);
    let commands = vec![
        Command { movers: vec![mover(0)], message: Some(message(Passing::Sent)), ..first },
        Command { movers: vec![mover(1), mover(2)], message: Some(message(Passing::Handed)), ..last },
    ];
    let model = CommandModel::new(program(commands)).unwrap();
    let inside = |group: usize, from: &[Value], to: &[Value]| {
        let action = model.signature().action.named(["go", "on"][group]).unwrap();
        let path = model.unfold(from, GroupIx::new(group), action, to).unwrap();
        path.into_iter().map(|inside| (inside.movers, inside.message.unwrap())).collect::<Vec<_>>()
    };
    let message = |passing, values: [&str; 2]| Message {
        channel: "c".into(),
        passing,
        values: values.map(str::to_owned).to_vec(),
    };
    let sent = (vec![mover(0)], message(Passing::Sent, ["0", "1"]));
    let handed = |values| (vec![mover(1), mover(2)], message(Passing::Handed, values));
    assert_eq!(inside(0, &[0; 4], &[2, 0, 0, 0]), [sent, handed(["1", "2"])]);
    assert_eq!(inside(1, &[0; 4], &[1, 0, 0, 0]), [handed(["0", "1"])]);
}
