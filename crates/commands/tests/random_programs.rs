//! Random programs: the interpreter against a naive reading of the definitions, and the matrices against
//! `Checked`.

use std::collections::HashSet;
use std::sync::Arc;

use base::{GroupIx, GuardIx, LabelIx, TypeIx};
use commands::{
    Assign, At, BinaryOp, Command, CommandModel, Effect, Expr, LabelDef, Overflow, Place, Program, Step,
    Table, UnaryOp, VarIx, Variable,
};
use layers::Checked;
use model::{LabelKind, Model, SlotRole, Successors, Truth, Type, Value};
use proptest::prelude::*;

/// Four variables: a small one that fails, a signed one that wraps, an array, a scratch variable.
const SMALL: VarIx = VarIx(0);
const SIGNED: VarIx = VarIx(1);
const ARRAY: VarIx = VarIx(2);
const SCRATCH: VarIx = VarIx(3);
const LENGTH: usize = 3;
const SLOTS: usize = 2 + LENGTH;

fn variables() -> Vec<Variable> {
    let variable = |name: &str, ty, length, overflow, scratch| Variable {
        name: name.to_owned(),
        ty: TypeIx::new(ty),
        length,
        initial: vec![1],
        overflow,
        scratch,
        role: SlotRole::Variable,
        span: None,
    };
    vec![
        variable("small", 0, None, Overflow::Error, false),
        variable("signed", 1, None, Overflow::Wrap, false),
        variable("array", 0, Some(LENGTH), Overflow::Error, false),
        variable("scratch", 1, None, Overflow::Wrap, true),
    ]
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        Just(Place::single(SMALL)),
        Just(Place::single(SIGNED)),
        (0..=LENGTH as i64).prop_map(|at| Place::cell(ARRAY, Expr::Constant(at))),
        Just(Place::cell(ARRAY, Expr::variable(SMALL))),
        Just(Place::cell(ARRAY, Expr::variable(SIGNED))),
    ]
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    proptest::sample::select(vec![
        Add, Sub, Mul, Div, Mod, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge, Eq, Add, Lt,
    ])
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![(-2i64..5).prop_map(Expr::Constant), place().prop_map(Expr::Read)];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let pair = || (inner.clone(), inner.clone());
        let unary_op = proptest::sample::select(vec![UnaryOp::Not, UnaryOp::Negate, UnaryOp::BitNot]);
        prop_oneof![
            (binary_op(), pair()).prop_map(|(op, (l, r))| Expr::binary(op, l, r)),
            pair().prop_map(|(l, r)| l.and(r)),
            pair().prop_map(|(l, r)| l.or(r)),
            (inner.clone(), pair()).prop_map(|(c, (l, r))| Expr::choice(c, l, r)),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Expr::Disabled),
            (unary_op, inner.clone()).prop_map(|(op, e)| Expr::Unary(op, Box::new(e))),
            inner.clone().prop_map(|value| Expr::Wrap { lo: -2, hi: 3, value: Box::new(value) }),
            inner.prop_map(|index| Expr::Table {
                table: Arc::new(Table { name: "table".into(), cells: vec![2, 0, 1] }),
                index: Box::new(index),
                at: At(None),
            }),
        ]
    })
}

fn assign() -> impl Strategy<Value = Assign> {
    let target = prop_oneof![4 => place(), 1 => Just(Place::single(SCRATCH))];
    let value = prop_oneof![4 => expr(), 1 => Just(Expr::variable(SCRATCH))];
    (target, value).prop_map(|(target, value)| Assign::new(target, value))
}

/// A scratch variable means something only after it was assigned in the same command.
fn with_scratch_set(mut steps: Vec<Step>) -> Vec<Step> {
    steps.insert(0, vec![Assign::new(Place::single(SCRATCH), Expr::Constant(0))]);
    steps
}

fn command() -> impl Strategy<Value = Command> {
    let guards = prop::collection::vec(expr(), 0..3);
    let steps = prop::collection::vec(prop::collection::vec(assign(), 1..3), 0..4);
    (guards, steps).prop_map(|(guards, steps)| Command {
        name: "command".into(),
        action: "action".into(),
        guards,
        effect: Effect::Steps(with_scratch_set(steps)),
        ..Command::default()
    })
}

fn program() -> impl Strategy<Value = Program> {
    (prop::collection::vec(command(), 1..5), expr()).prop_map(|(commands, label)| Program {
        name: "random".into(),
        types: vec![Type::range("small", 0, 3), Type::range("signed", -2, 1)],
        variables: variables(),
        commands,
        labels: vec![LabelDef { name: "label".into(), kind: LabelKind::Plain, value: label, span: None }],
        source: None,
    })
}

/// The definitions, read aloud. `None` is an evaluation error.
mod naive {
    use super::*;

    /// Slots, and the scratch variable behind them.
    pub fn cells(state: &[Value]) -> Vec<i64> {
        state.iter().map(|value| i64::from(value.cast_signed())).chain([0]).collect()
    }

    fn cell(place: &Place, cells: &[i64]) -> Option<usize> {
        match &place.index {
            None => Some([0, 1, 2, SLOTS][place.variable.0 as usize]),
            Some(index) => {
                let index = usize::try_from(value(index, cells)?).ok()?;
                (index < LENGTH).then_some(2 + index)
            }
        }
    }

    pub fn value(expr: &Expr, cells: &[i64]) -> Option<i64> {
        Some(match expr {
            Expr::Constant(value) => *value,
            Expr::Read(place) => cells[cell(place, cells)?],
            Expr::Unary(UnaryOp::Negate, e) => value(e, cells)?.wrapping_neg(),
            Expr::Unary(UnaryOp::BitNot, e) => value(e, cells)?.wrapping_neg().wrapping_sub(1),
            Expr::Unary(UnaryOp::Not, e) => i64::from(value(e, cells)? == 0),
            Expr::And(l, r) => i64::from(value(l, cells)? != 0 && value(r, cells)? != 0),
            Expr::If(c, l, r) => value(if value(c, cells)? != 0 { l } else { r }, cells)?,
            Expr::Or(l, r) => i64::from(value(l, cells)? != 0 || value(r, cells)? != 0),
            Expr::Wrap { lo, hi, value: e } => {
                let value = i128::from(value(e, cells)?);
                (*lo..=*hi).find(|held| (value - i128::from(*held)) % i128::from(hi - lo + 1) == 0)?
            }
            Expr::Disabled(guards) => {
                let values: Vec<Option<i64>> = guards.iter().map(|guard| value(guard, cells)).collect();
                if values.contains(&Some(0)) {
                    1
                } else if values.contains(&None) {
                    return None;
                } else {
                    0
                }
            }
            Expr::Table { table, index, .. } => {
                *table.cells.get(usize::try_from(value(index, cells)?).ok()?)?
            }
            Expr::Binary(op, l, r, _) => binary(*op, value(l, cells)?, value(r, cells)?)?,
        })
    }

    fn binary(op: BinaryOp, l: i64, r: i64) -> Option<i64> {
        Some(match op {
            BinaryOp::Add => l.wrapping_add(r),
            BinaryOp::Sub => l.wrapping_sub(r),
            BinaryOp::Mul => l.wrapping_mul(r),
            BinaryOp::Div => {
                if r == 0 {
                    return None;
                } else {
                    l.wrapping_div(r)
                }
            }
            BinaryOp::Mod => {
                if r == 0 {
                    return None;
                } else {
                    l.wrapping_rem(r)
                }
            }
            BinaryOp::BitAnd => l & r,
            BinaryOp::BitOr => l | r,
            BinaryOp::BitXor => l ^ r,
            BinaryOp::Shl => l.checked_shl(u32::try_from(r).ok()?)?,
            BinaryOp::Shr => l.checked_shr(u32::try_from(r).ok()?)?,
            BinaryOp::Eq => i64::from(l == r),
            BinaryOp::Ne => i64::from(l != r),
            BinaryOp::Lt => i64::from(l < r),
            BinaryOp::Le => i64::from(l <= r),
            BinaryOp::Gt => i64::from(l > r),
            BinaryOp::Ge => i64::from(l >= r),
        })
    }

    fn conjuncts(expr: &Expr) -> Vec<&Expr> {
        match expr {
            Expr::And(l, r) => conjuncts(l).into_iter().chain(conjuncts(r)).collect(),
            other => vec![other],
        }
    }

    /// `Some(None)`: disabled. `None`: an error.
    pub fn successor(command: &Command, state: &[Value]) -> Option<Option<Vec<Value>>> {
        let mut cells = cells(state);
        let guards = command.guards.iter().flat_map(conjuncts);
        let values: Vec<Option<i64>> = guards.map(|guard| value(guard, &cells)).collect();
        if values.contains(&Some(0)) {
            return Some(None);
        }
        if values.contains(&None) {
            return None;
        }
        let Effect::Steps(steps) = &command.effect else { unreachable!() };
        for step in steps {
            let mut stores = Vec::new();
            for assign in step {
                let value = value(&assign.value, &cells)?;
                let at = cell(&assign.target, &cells)?;
                let value = match assign.target.variable {
                    SMALL | ARRAY if (0..=3).contains(&value) => value,
                    SMALL | ARRAY => return None,
                    _ => (i128::from(value) + 2).rem_euclid(4) as i64 - 2,
                };
                stores.push((at, value));
            }
            stores.into_iter().for_each(|(at, value)| cells[at] = value);
        }
        cells.truncate(SLOTS);
        Some(Some(cells.into_iter().map(|value| value as Value).collect()))
    }
}

/// Every state that the variables can have: what is checked is checked on all of them.
fn all_states() -> impl Iterator<Item = Vec<Value>> {
    (0..4u32.pow(SLOTS as u32)).map(|number| {
        let digit = |slot: usize| (number / 4u32.pow(slot as u32) % 4) as i32;
        (0..SLOTS).map(|slot| (digit(slot) - if slot == 1 { 2 } else { 0 }).cast_unsigned()).collect()
    })
}

fn states(buffer: &Successors) -> Vec<(GroupIx, Vec<Value>)> {
    buffer.iter().map(|successor| (successor.group, successor.state.to_vec())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_interpreter_does_what_the_definitions_say(program in program()) {
        let model = CommandModel::new(program.clone()).unwrap();
        let mut stepper = model.stepper();
        let mut buffer = Successors::new(SLOTS);
        for state in all_states() {
            let mut wanted_all = Some(HashSet::new());
            for (number, command) in program.commands.iter().enumerate() {
                let group = GroupIx::new(number);
                buffer.clear();
                let result = stepper.group(group, &state, &mut buffer);
                let wanted = naive::successor(command, &state);
                prop_assert_eq!(result.is_err(), wanted.is_none());
                let wanted_here: Vec<_> = wanted.clone().flatten().map(|state| (group, state)).into_iter().collect();
                prop_assert_eq!(states(&buffer), wanted_here.clone());
                wanted_all = wanted_all.zip(wanted).map(|(mut all, _)| {
                    all.extend(wanted_here);
                    all
                });
            }
            buffer.clear();
            let result = stepper.all(&state, &mut buffer);
            prop_assert_eq!(result.is_err(), wanted_all.is_none());
            prop_assert_eq!(states(&buffer).into_iter().collect::<HashSet<_>>(), wanted_all.unwrap_or_default());
            let wanted = naive::value(&program.labels[0].value, &naive::cells(&state));
            let got = stepper.label(LabelIx::new(0), &state).ok().map(|value| i64::from(value.cast_signed()));
            prop_assert_eq!(got, wanted.map(|value| value.clamp(i64::from(i32::MIN), i64::from(i32::MAX))));
        }
    }

    #[test]
    fn guards_and_updates_are_the_group_in_two_parts(program in program()) {
        let model = CommandModel::new(program).unwrap();
        let mut stepper = model.stepper();
        let (mut whole, mut part) = (Successors::new(SLOTS), Successors::new(SLOTS));
        for state in all_states() {
            for (number, group) in model.signature().groups.iter().enumerate() {
                let truths: Vec<Truth> = group.guards.iter().map(|&g: &GuardIx| stepper.guard(g, &state)).collect();
                whole.clear();
                part.clear();
                let result = stepper.group(GroupIx::new(number), &state, &mut whole);
                if truths.contains(&Truth::False) {
                    prop_assert!(result.is_ok() && whole.is_empty());
                } else if truths.contains(&Truth::Maybe) {
                    prop_assert!(result.is_err());
                } else {
                    prop_assert_eq!(result, stepper.update(GroupIx::new(number), &state, &mut part));
                    prop_assert_eq!(states(&whole), states(&part));
                }
            }
        }
    }

    #[test]
    fn the_matrices_hold(program in program()) {
        let model: Arc<dyn Model> = Arc::new(CommandModel::new(program).unwrap());
        let checked = Checked::new(Arc::clone(&model), SLOTS, 1);
        let mut stepper = checked.stepper();
        let mut buffer = Successors::new(SLOTS);
        for state in all_states().step_by(3) {
            buffer.clear();
            // Errors are a part of the program; what matters are the complaints.
            let _ = stepper.all(&state, &mut buffer);
            for group in model.signature().group_ixs() {
                let _ = stepper.group(group, &state, &mut buffer);
            }
        }
        drop(stepper);
        let complaints = checked.complaints();
        prop_assert!(complaints.is_empty(), "{}", complaints[0]);
    }
}
