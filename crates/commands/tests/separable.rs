//! Separable effects: what is found, what is not, and that it is what the interpreter does, state by state.

use std::cell::Cell;

use base::{GroupIx, SlotIx, TypeIx};
use commands::{
    Assign, At, BinaryOp, Command, CommandModel, Effect, Expr, Overflow, Place, Program, Step, Table,
    UnaryOp, VarIx, Variable,
};
use model::{Change, EvalErrorKind, Model, Rule, SlotRole, Successors, Type, Value};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// A small variable that fails, a signed one that wraps, an array of three, an integer of 16 bits, a scratch
/// variable.
const SMALL: VarIx = VarIx(0);
const SIGNED: VarIx = VarIx(1);
const ARRAY: VarIx = VarIx(2);
const WIDE: VarIx = VarIx(3);
const SCRATCH: VarIx = VarIx(4);
const LENGTH: usize = 3;
const SLOTS: usize = 3 + LENGTH;

fn program(commands: Vec<Command>) -> Program {
    let variable = |name: &str, ty, length, overflow, scratch| Variable {
        name: name.to_owned(),
        ty: TypeIx::new(ty),
        length,
        initial: Vec::new(),
        overflow,
        scratch,
        role: SlotRole::Variable,
        span: None,
    };
    Program {
        name: "program".into(),
        types: vec![
            Type::range("small", 0, 3),
            Type::range("signed", -2, 1),
            Type::range("wide", -32768, 32767),
        ],
        variables: vec![
            variable("small", 0, None, Overflow::Error, false),
            variable("signed", 1, None, Overflow::Wrap, false),
            variable("array", 0, Some(LENGTH), Overflow::Error, false),
            variable("wide", 2, None, Overflow::Wrap, false),
            variable("scratch", 1, None, Overflow::Wrap, true),
        ],
        commands,
        ..Program::default()
    }
}

fn command(guards: Vec<Expr>, steps: Vec<Step>) -> Command {
    let effect = Effect::Steps(steps);
    Command { name: "command".into(), action: "action".into(), guards, effect, ..Command::default() }
}

/// The effect of a single command: slots, and for each its rules.
type Found = Option<Vec<(usize, Vec<(i32, i32, Change)>)>>;

fn effect_of(command: Command) -> Found {
    let model = CommandModel::new(program(vec![command])).unwrap();
    agree(&model);
    let rule = |rule: &Rule| (rule.least.cast_signed(), rule.most.cast_signed(), rule.change);
    let slots = model.signature().groups[0].effect.as_ref().map(|effect| effect.slots.clone());
    slots.map(|slots| {
        slots.iter().map(|(slot, rules)| (slot.ix(), rules.iter().map(rule).collect())).collect()
    })
}

fn effect(guards: Vec<Expr>, assigns: Vec<Assign>) -> Found {
    effect_of(command(guards, assigns.into_iter().map(|assign| vec![assign]).collect()))
}

/// All values of all slots, a few of the wide one.
fn all_states() -> impl Iterator<Item = Vec<Value>> {
    (0..4u32.pow(SLOTS as u32)).map(|number| {
        let digit = |slot: usize| (number / 4u32.pow(slot as u32) % 4) as i32;
        let value = |slot: usize| match slot {
            1 => digit(slot) - 2,
            5 => [-32768, -1, 2, 32767][digit(slot) as usize],
            _ => digit(slot),
        };
        (0..SLOTS).map(|slot| value(slot).cast_unsigned()).collect()
    })
}

/// The effects are what the interpreter does; answers how many there are.
fn agree(model: &CommandModel) -> usize {
    let mut stepper = model.stepper();
    let mut buffer = Successors::new(SLOTS);
    let mut target = vec![0; SLOTS];
    let effects = model.signature().groups.iter().enumerate();
    let effects: Vec<_> = effects.filter_map(|(at, group)| Some((at, group.effect.as_ref()?))).collect();
    for &(at, effect) in &effects {
        assert!(effect.is_well_formed(SLOTS), "{effect:?}");
        for state in all_states() {
            buffer.clear();
            let result = stepper.group(GroupIx::new(at), &state, &mut buffer);
            assert_eq!(result, Ok(()), "{effect:?} in {state:?}");
            let wanted = effect.apply(&state, &mut target).then(|| target.clone());
            let reached: Vec<Vec<Value>> = buffer.iter().map(|successor| successor.state.to_vec()).collect();
            assert_eq!(reached, wanted.into_iter().collect::<Vec<_>>(), "{effect:?} in {state:?}");
        }
    }
    effects.len()
}

fn places() -> Vec<Place> {
    let cells = (0..LENGTH as i64).map(|at| Place::cell(ARRAY, Expr::Constant(at)));
    [SMALL, SIGNED, SMALL, WIDE].map(Place::single).into_iter().chain(cells).collect()
}

/// Expressions that look at nothing but this place.
fn expr_of(place: Place) -> impl Strategy<Value = Expr> {
    use BinaryOp::*;
    let ops = vec![
        Add, Sub, Mul, Div, Mod, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge, Add, Sub, Ne, Lt,
    ];
    let leaf = prop_oneof![(-2i64..5).prop_map(Expr::Constant), Just(Expr::Read(place))];
    leaf.prop_recursive(2, 6, 2, move |inner| {
        let pair = || (inner.clone(), inner.clone());
        prop_oneof![
            4 => (proptest::sample::select(ops.clone()), pair()).prop_map(|(op, (l, r))| Expr::binary(op, l, r)),
            1 => pair().prop_map(|(l, r)| l.and(r)),
            1 => pair().prop_map(|(l, r)| l.or(r)),
            1 => inner.clone().prop_map(Expr::not),
            1 => inner.clone().prop_map(|e| Expr::Unary(UnaryOp::Negate, Box::new(e))),
            1 => prop::collection::vec(inner.clone(), 0..3).prop_map(Expr::Disabled),
            2 => inner.clone().prop_map(|value| Expr::Wrap { lo: 0, hi: 3, value: Box::new(value) }),
            1 => inner.prop_map(|index| Expr::Table {
                table: std::sync::Arc::new(Table { name: "table".into(), cells: vec![2, 0, 1, 3] }),
                index: Box::new(index),
                at: At(None),
            }),
        ]
    })
}

fn place() -> impl Strategy<Value = Place> {
    proptest::sample::select(places())
}

/// Mostly of the slot itself, now and then of another one or by way of the scratch variable.
fn assign() -> impl Strategy<Value = Assign> {
    let own = place()
        .prop_flat_map(|place| expr_of(place.clone()).prop_map(move |e| Assign::new(place.clone(), e)));
    let constant = (place(), -1i64..4).prop_map(|(place, value)| Assign::new(place, Expr::Constant(value)));
    let other =
        (place(), place().prop_flat_map(expr_of)).prop_map(|(place, value)| Assign::new(place, value));
    // Separable after an assignment of a constant to the other one.
    let mixed = (place(), place()).prop_map(|(place, other)| {
        Assign::new(place.clone(), Expr::binary(BinaryOp::Sub, Expr::Read(place), Expr::Read(other)))
    });
    let save = place().prop_map(|place| Assign::new(Place::single(SCRATCH), Expr::Read(place)));
    let restore = place().prop_map(|place| Assign::new(place, Expr::variable(SCRATCH)));
    let cell = Just(Assign::new(Place::cell(ARRAY, Expr::variable(SMALL)), Expr::Constant(1)));
    prop_oneof![8 => own, 6 => constant, 1 => other, 3 => mixed, 1 => save, 1 => restore, 1 => cell]
}

fn random_command() -> impl Strategy<Value = Command> {
    let guards = prop::collection::vec(place().prop_flat_map(expr_of), 0..4);
    let steps = prop::collection::vec(prop::collection::vec(assign(), 1..3), 0..4);
    (guards, steps).prop_map(|(guards, mut steps)| {
        steps.insert(0, vec![Assign::new(Place::single(SCRATCH), Expr::Constant(0))]);
        command(guards, steps)
    })
}

#[test]
fn effects_are_what_the_interpreter_does() {
    let config = ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() };
    let separable = Cell::new(0);
    let commands = prop::collection::vec(random_command(), 1..4);
    let result = TestRunner::new(config).run(&commands, |commands| {
        let model = CommandModel::new(program(commands)).unwrap();
        separable.set(separable.get() + agree(&model));
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    // Some 3,000 commands; the test would be empty if hardly one had an effect.
    assert!(separable.get() > 300, "{}", separable.get());
}

fn read(variable: VarIx) -> Expr {
    Expr::variable(variable)
}

fn binary(op: BinaryOp, left: Expr, right: i64) -> Expr {
    Expr::binary(op, left, Expr::Constant(right))
}

fn set(variable: VarIx, value: Expr) -> Assign {
    Assign::new(Place::single(variable), value)
}

fn number(value: i64) -> Expr {
    Expr::Constant(value)
}

use BinaryOp::{Add, Div, Eq, Ge, Gt, Lt, Ne, Sub};

const ALWAYS: (i32, i32) = (0, -1);
const LESS: Change = Change::Add(u32::MAX);

#[test]
fn a_token_moves() {
    let take = set(SMALL, binary(Sub, read(SMALL), 1));
    let first = || Place::cell(ARRAY, number(0));
    let give = Assign::new(first(), binary(Add, Expr::Read(first()), 1));
    let guards = vec![binary(Gt, read(SMALL), 0), binary(Lt, Expr::Read(first()), 3)];
    let wanted = vec![(0, vec![(1, 3, LESS)]), (2, vec![(0, 2, Change::Add(1))])];
    assert_eq!(effect(guards, vec![take, give]), Some(wanted));
}

#[test]
fn a_slot_that_is_only_set_may_hold_anything() {
    let (least, most) = ALWAYS;
    let wanted = vec![(5, vec![(least, most, Change::Set(7))])];
    assert_eq!(effect(vec![], vec![set(WIDE, number(7))]), Some(wanted));
}

#[test]
fn a_wide_slot_is_compared_and_set() {
    let wanted = vec![(5, vec![(5, 8, Change::Set(7)), (10, 32767, Change::Set(7))])];
    let guards = vec![binary(Gt, read(WIDE), 4), binary(Ne, read(WIDE), 9)];
    assert_eq!(effect(guards, vec![set(WIDE, number(7))]), Some(wanted));
    let wanted = vec![(5, vec![(0, 4, Change::Keep), (-32768, -1, Change::Keep)])];
    assert_eq!(effect(vec![binary(Lt, read(WIDE), 5)], vec![]), Some(wanted));
    // A few values that pass can be gone through, all of them cannot.
    let up = || set(WIDE, binary(Add, read(WIDE), 1));
    let guards = vec![binary(Ge, read(WIDE), -2), binary(Lt, read(WIDE), 3)];
    let wanted = vec![(5, vec![(0, 2, Change::Add(1)), (-2, -1, Change::Add(1))])];
    assert_eq!(effect(guards, vec![up()]), Some(wanted));
    assert_eq!(effect(vec![], vec![up()]), None);
}

#[test]
fn a_later_assignment_sees_an_earlier_one() {
    let (least, most) = ALWAYS;
    let up = || set(SIGNED, binary(Add, read(SIGNED), 1));
    assert_eq!(
        effect(vec![], vec![up(), set(SMALL, Expr::Wrap { lo: 0, hi: 3, value: Box::new(read(SIGNED)) })]),
        None
    );
    let constants = vec![set(SMALL, number(1)), set(SMALL, number(2))];
    assert_eq!(effect(vec![], constants), Some(vec![(0, vec![(least, most, Change::Set(2))])]));
    let chained = vec![set(SMALL, number(1)), set(SIGNED, read(SMALL))];
    let wanted = vec![(0, vec![(least, most, Change::Set(1))]), (1, vec![(least, most, Change::Set(1))])];
    assert_eq!(effect(vec![], chained), Some(wanted));
    // What it sees is what was there then, not what is there in the end.
    let sum = set(SIGNED, Expr::binary(Add, read(SIGNED), read(SMALL)));
    let found =
        effect(vec![binary(Lt, read(SIGNED), 0)], vec![set(SMALL, number(1)), sum, set(SMALL, number(0))]);
    let wanted = vec![(0, vec![(least, most, Change::Set(0))]), (1, vec![(-2, -1, Change::Add(1))])];
    assert_eq!(found, Some(wanted));
    // Twice one more, modulo four: 0 → 2, which is -2; 1 → -1; -2 → 0; -1 → 1.
    let plus_two = Change::Add(2);
    let wanted = vec![(1, vec![(0, 1, Change::Add(2u32.wrapping_neg())), (-2, -1, plus_two)])];
    assert_eq!(effect(vec![], vec![up(), up()]), Some(wanted));
}

#[test]
fn assignments_at_once_do_not_see_each_other() {
    let swap = vec![set(SMALL, read(SIGNED)), set(SIGNED, read(SMALL))];
    assert_eq!(effect_of(command(vec![], vec![swap])), None);
    let (least, most) = ALWAYS;
    let both = vec![set(SMALL, number(1)), set(SIGNED, read(SMALL))];
    assert_eq!(effect_of(command(vec![], vec![both])), None, "the signed one takes what was there before");
    let twice = vec![set(SMALL, number(1)), set(SMALL, number(2))];
    let wanted = vec![(0, vec![(least, most, Change::Set(2))])];
    assert_eq!(effect_of(command(vec![], vec![twice])), Some(wanted), "the last counts");
}

#[test]
fn a_detour_by_the_scratch_variable_is_followed() {
    let save =
        vec![set(SCRATCH, binary(Sub, read(SIGNED), 1)), set(SIGNED, number(0)), set(SIGNED, read(SCRATCH))];
    let wanted = vec![(1, vec![(0, 1, LESS), (-2, -2, Change::Set(1)), (-1, -1, Change::Set(-2i32 as u32))])];
    assert_eq!(effect(vec![], save), Some(wanted));
    // It looks at a slot, though nothing comes of it: where the slot holds 0 it fails.
    let dead = |guards| effect(guards, vec![set(SCRATCH, Expr::binary(Div, number(1), read(SMALL)))]);
    assert_eq!(dead(vec![]), None);
    assert_eq!(dead(vec![binary(Ne, read(SMALL), 0)]), Some(vec![(0, vec![(1, 3, Change::Keep)])]));
}

#[test]
fn a_value_that_does_not_fit_spoils_the_effect_unless_a_guard_excludes_it() {
    let up = || vec![set(SMALL, binary(Add, read(SMALL), 1))];
    assert_eq!(effect(vec![], up()), None);
    let wanted = vec![(0, vec![(0, 2, Change::Add(1))])];
    assert_eq!(effect(vec![binary(Lt, read(SMALL), 3)], up()), Some(wanted));
    // On its way, too; what is overwritten must fit first.
    let mut detour = up();
    detour.push(set(SMALL, number(0)));
    assert_eq!(effect(vec![], detour.clone()), None);
    let wanted = vec![(0, vec![(0, 2, Change::Set(0))])];
    assert_eq!(effect(vec![binary(Ne, read(SMALL), 3)], detour), Some(wanted));
    assert_eq!(effect(vec![], vec![set(SMALL, number(4))]), None, "a constant that never fits");
}

#[test]
fn a_guard_that_fails_spoils_the_effect_unless_another_one_of_that_slot_is_false() {
    let divides = || binary(Eq, Expr::binary(Div, number(2), read(SMALL)), 1);
    let nonzero = || binary(Ne, read(SMALL), 0);
    let wanted = Some(vec![(0, vec![(2, 2, Change::Keep)])]);
    assert_eq!(effect(vec![divides()], vec![]), None);
    assert_eq!(effect(vec![nonzero(), divides()], vec![]), wanted);
    assert_eq!(
        effect(vec![divides(), nonzero()], vec![]),
        wanted,
        "a false guard decides, wherever it stands"
    );
    assert_eq!(effect(vec![nonzero().and(divides())], vec![]), wanted);
    // Within one guard the order matters: here the division comes first. Negated, so that it is no
    // conjunction.
    let ordered = |first: Expr, second: Expr| first.or(second).not();
    let zero = || binary(Eq, read(SMALL), 0);
    assert_eq!(effect(vec![ordered(divides().not(), zero())], vec![]), None);
    assert_eq!(effect(vec![ordered(zero(), divides().not())], vec![]), wanted);
    // A guard of another slot does not help: it may be true.
    assert_eq!(effect(vec![divides(), binary(Eq, read(SIGNED), 1)], vec![]), None);
    // Unless it never is.
    let never = Some(vec![(1, vec![])]);
    assert_eq!(effect(vec![divides(), binary(Eq, read(SIGNED), 2)], vec![]), never);
}

#[test]
fn what_looks_at_two_slots_is_not_separable() {
    assert_eq!(effect(vec![Expr::binary(Eq, read(SMALL), read(SIGNED))], vec![]), None);
    assert_eq!(effect(vec![binary(Eq, read(SMALL), 1).or(binary(Eq, read(SIGNED), 1))], vec![]), None);
    assert_eq!(effect(vec![], vec![set(SIGNED, Expr::binary(Add, read(SIGNED), read(SMALL)))]), None);
    assert_eq!(effect(vec![], vec![set(SIGNED, read(SMALL))]), None);
    let cell = Place::cell(ARRAY, read(SMALL));
    assert_eq!(effect(vec![binary(Eq, Expr::Read(cell.clone()), 1)], vec![]), None);
    assert_eq!(effect(vec![], vec![Assign::new(cell, number(1))]), None);
    assert_eq!(
        effect(vec![], vec![Assign::new(Place::cell(ARRAY, number(3)), number(1))]),
        None,
        "outside the array"
    );
}

#[test]
fn what_leaves_every_value_as_it_is_is_not_listed() {
    let same = Place::cell(ARRAY, number(1));
    let identity = Assign::new(same.clone(), binary(Add, Expr::Read(same), 0));
    let guards = vec![binary(Ge, read(SMALL), 0), binary(Lt, read(WIDE), 40_000)];
    assert_eq!(effect(guards, vec![identity]), Some(vec![]));
}

#[test]
fn a_command_that_fails_where_it_is_enabled_has_no_effect() {
    let mut failing = command(vec![binary(Eq, read(SMALL), 1)], vec![]);
    failing.effect = Effect::Fail(EvalErrorKind::Other("no".into()), At(None));
    assert_eq!(effect_of(failing), None);
}

#[test]
fn an_initial_value_outside_the_type_is_not_forgotten() {
    let mut program = program(vec![command(vec![binary(Gt, read(SMALL), 0)], vec![])]);
    program.variables[0].initial = vec![9];
    assert!(CommandModel::new(program).unwrap().signature().groups[0].effect.is_none());
}

/// The work has a bound: what comes after it is not looked at, and loading goes on.
#[test]
fn deriving_stops_after_a_while() {
    let wide = |at: i64| {
        let odd = binary(Eq, Expr::binary(BinaryOp::BitAnd, read(WIDE), number(1)), 1);
        command(vec![binary(Ge, read(WIDE), at), binary(Lt, read(WIDE), at + 4000), odd], vec![])
    };
    let model = CommandModel::new(program((0..400).map(wide).collect())).unwrap();
    let found = model.signature().groups.iter().filter(|group| group.effect.is_some()).count();
    assert!((50..100).contains(&found), "{found}");
    let slots = &model.signature().groups[1].effect.as_ref().unwrap().slots;
    assert_eq!((slots[0].0, slots[0].1.len()), (SlotIx::new(5), 2000));
}
