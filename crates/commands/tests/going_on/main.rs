//! Commands that go on: both evaluators against a recursive reading of the definition, on all states of
//! random programs; the matrices against `Checked`; and each case by itself.

mod cases;
mod naive;

use std::sync::Arc;

use base::{GroupIx, SlotIx, Span, SplitMix64, TypeIx};
use commands::{
    Assign, BinaryOp, Command, CommandModel, Effect, Expr, Overflow, Place, Program, Step, Then, VarIx,
    Variable,
};
use layers::{Checked, ComplaintKind};
use model::{Calls, Compiled, EvalErrorKind, Model, SlotRole, Stepper, Successors, Type, Value};

use naive::End;

const X: VarIx = VarIx(0);
const Y: VarIx = VarIx(1);
const A: VarIx = VarIx(2);
/// Two single variables and an array of two cells, each with the numbers 0 to 2.
const SLOTS: usize = 4;

fn variable(name: &str, ty: usize, length: Option<usize>, overflow: Overflow) -> Variable {
    Variable {
        name: name.into(),
        ty: TypeIx::new(ty),
        length,
        initial: Vec::new(),
        overflow,
        scratch: false,
        role: SlotRole::Variable,
        span: None,
    }
}

fn program(commands: Vec<Command>) -> Program {
    Program {
        name: "going on".into(),
        types: vec![Type::range("small", 0, 2)],
        variables: vec![
            variable("x", 0, None, Overflow::Error),
            variable("y", 0, None, Overflow::Wrap),
            variable("a", 0, Some(2), Overflow::Error),
        ],
        commands,
        ..Program::default()
    }
}

/// Random programs.
struct Generator(SplitMix64);

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    fn place(&mut self) -> Place {
        match self.below(6) {
            0 | 1 => Place::single(X),
            2 | 3 => Place::single(Y),
            4 => Place::cell(A, Expr::Constant(self.below(2) as i64)),
            _ => Place::cell(A, Expr::variable(if self.below(2) == 0 { X } else { Y })),
        }
    }

    fn expr(&mut self, depth: usize) -> Expr {
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 => Expr::Constant(self.below(3) as i64),
            1 => Expr::Read(self.place()),
            2 => Expr::choice(self.condition(), self.expr(0), self.expr(0)),
            _ => Expr::binary(BinaryOp::Add, self.expr(0), Expr::Constant(1)),
        }
    }

    fn condition(&mut self) -> Expr {
        let op = if self.below(2) == 0 { BinaryOp::Eq } else { BinaryOp::Lt };
        Expr::binary(op, Expr::Read(self.place()), Expr::Constant(self.below(3) as i64))
    }

    fn then(&mut self, count: usize) -> Then {
        let next = (0..self.below(4)).map(|_| self.below(count) as u32).collect();
        match self.below(5) {
            0 | 1 => Then::Rest,
            2 | 3 => Then::All(next),
            _ => Then::First(next),
        }
    }

    fn program(&mut self) -> Program {
        let count = 1 + self.below(7);
        let outer = 1 + self.below(count);
        let commands = (0..count).map(|number| {
            let guards = (0..self.below(3)).map(|_| self.condition()).collect();
            let steps = (0..self.below(3)).map(|_| vec![Assign::new(self.place(), self.expr(1))]);
            Command {
                name: format!("c{number}"),
                action: format!("a{number}"),
                guards,
                effect: Effect::Steps(steps.collect()),
                spans: vec![Span::new(number, number + 1)],
                then: self.then(count),
                inner: number >= outer,
                alarm: self.below(6) == 0,
                ..Command::default()
            }
        });
        let commands = commands.collect();
        program(commands)
    }
}

fn all_states() -> impl Iterator<Item = Vec<i64>> {
    (0..3i64.pow(SLOTS as u32))
        .map(|number| (0..SLOTS as u32).map(|slot| number / 3i64.pow(slot) % 3).collect())
}

fn held(state: &[i64]) -> Vec<Value> {
    state.iter().map(|&value| value as Value).collect()
}

/// The ends that are in the buffer, sorted. What is copied becomes what was written.
fn ends(model: &CommandModel, group: GroupIx, buffer: &Successors) -> Vec<End> {
    let matrices = model.dependencies();
    let end = |step: model::Successor<'_>| {
        assert_eq!(step.group, group);
        let written = |slot: usize| {
            let slot = SlotIx::new(slot);
            matrices.must_write(group, slot) || matrices.may_write(group, slot) && !step.copied(slot)
        };
        End {
            action: model.signature().show_action(step.action).into_owned(),
            state: step.state.iter().map(|&value| i64::from(value)).collect(),
            written: std::array::from_fn(written),
        }
    };
    let mut ends: Vec<End> = buffer.iter().map(end).collect();
    ends.sort();
    ends
}

/// What all groups do in all states; nothing if that is too much to go through.
fn oracle(program: &Program) -> Option<Vec<Vec<naive::Paths>>> {
    let groups = program.commands.iter().take_while(|command| !command.inner).count();
    let of_state = |state: Vec<i64>| -> Option<Vec<naive::Paths>> {
        let paths = (0..groups).map(|group| naive::paths(program, group, &state));
        paths.map(|paths| (paths.steps < naive::MOST).then_some(paths)).collect()
    };
    all_states().map(of_state).collect()
}

fn same_as_oracle(
    program: &Program,
    wanted: &[Vec<naive::Paths>],
    model: &CommandModel,
    stepper: &mut dyn Stepper,
) {
    let mut buffer = Successors::new(SLOTS);
    for (state, wanted) in all_states().zip(wanted) {
        let (mut everything, mut fails) = (0, false);
        for (number, paths) in wanted.iter().enumerate() {
            let group = GroupIx::new(number);
            buffer.clear();
            let result = stepper.group(group, &held(&state), &mut buffer);
            let about = || format!("group {number} of {state:?} in {:#?}", program.commands);
            fails |= result.is_err();
            everything += paths.ends.len();
            if let Err(error) = result {
                let fits = |kind: &naive::Kind| match (kind, &error.kind) {
                    (Some(kind), found) => kind == found || kind.is_limit() && found.is_limit(),
                    (None, EvalErrorKind::Blocked | EvalErrorKind::Endless) => false,
                    (None, found) => !found.is_limit(),
                };
                assert!(paths.errors.iter().any(fits), "{error:?}, not {:?}: {}", paths.errors, about());
                assert!(buffer.is_empty());
                continue;
            }
            assert!(paths.errors.is_empty(), "{:?}: {}", paths.errors, about());
            let mut wanted = paths.ends.clone();
            wanted.sort();
            assert_eq!(ends(model, group, &buffer), wanted, "{}", about());
            let guards = &model.signature().groups[number].guards;
            if guards.iter().all(|&guard| stepper.guard(guard, &held(&state)) == model::Truth::True) {
                buffer.clear();
                stepper.update(group, &held(&state), &mut buffer).unwrap();
                assert_eq!(ends(model, group, &buffer), wanted, "as update: {}", about());
            }
        }
        buffer.clear();
        buffer.push(GroupIx::new(0), 0, &[7; SLOTS]);
        let result = stepper.all(&held(&state), &mut buffer);
        assert_eq!(result.is_err(), fails);
        assert_eq!(buffer.len(), 1 + if fails { 0 } else { everything });
        assert_eq!(buffer.state(0), [7; SLOTS]);
    }
}

#[test]
fn random_programs_go_on_as_defined() {
    let mut generator = Generator(toys::seeded());
    let (mut tried, mut cuts, mut blocked, mut endless, mut several) = (0, 0, 0, 0, 0);
    for _ in 0..1500 {
        let program = generator.program();
        let Some(wanted) = oracle(&program) else { continue };
        tried += 1;
        let model = CommandModel::new(program.clone()).unwrap();
        same_as_oracle(&program, &wanted, &model, &mut *model.stepper());
        if tried % 3 == 0 {
            let calls =
                if tried % 2 == 0 { [Calls::States, Calls::Groups] } else { [Calls::Groups, Calls::States] };
            for calls in calls {
                assert!(matches!(model.compile(calls), Compiled::Done { .. }));
                same_as_oracle(&program, &wanted, &model, &mut *model.stepper());
            }
        }
        for paths in wanted.iter().flatten() {
            cuts += paths.cuts;
            several += usize::from(paths.ends.len() > 1);
            blocked += usize::from(paths.errors.contains(&Some(EvalErrorKind::Blocked)));
            endless += usize::from(paths.errors.contains(&Some(EvalErrorKind::Endless)));
        }
    }
    println!(
        "{tried} programs, {cuts} paths cut, {blocked} blocked, {endless} endless, {several} with several ends"
    );
    assert!(tried > 500 && cuts > 100 && blocked > 100 && endless > 100 && several > 100);
}

#[test]
fn the_matrices_of_commands_that_go_on_hold() {
    let mut generator = Generator(toys::seeded());
    let mut tried = 0;
    while tried < 300 {
        let program = generator.program();
        let Some(wanted) = oracle(&program) else { continue };
        tried += 1;
        let may_run_in_circles = wanted.iter().flatten().any(|paths| paths.cuts > 0);
        let model: Arc<dyn Model> = Arc::new(CommandModel::new(program.clone()).unwrap());
        let checked = Checked::new(Arc::clone(&model), SLOTS, 1);
        let mut stepper = checked.stepper();
        let mut buffer = Successors::new(SLOTS);
        for state in all_states() {
            buffer.clear();
            // Errors are a part of the program; what matters are the complaints.
            let _ = stepper.all(&held(&state), &mut buffer);
            for group in model.signature().group_ixs() {
                let _ = stepper.group(group, &held(&state), &mut buffer);
            }
        }
        drop(stepper);
        let mut complaints = checked.complaints();
        complaints.retain(|complaint| !(may_run_in_circles && complaint.kind == ComplaintKind::GuardTrue));
        assert!(complaints.is_empty(), "{} in {:#?}", complaints[0], program.commands);
    }
}

/// Every successor unfolds into a path whose steps are commands that follow each other.
#[test]
fn steps_unfold_into_paths() {
    let mut generator = Generator(toys::seeded());
    let mut unfolded = 0;
    for _ in 0..300 {
        let program = generator.program();
        if oracle(&program).is_none() {
            continue;
        }
        let model = CommandModel::new(program.clone()).unwrap();
        let mut stepper = model.stepper();
        let mut buffer = Successors::new(SLOTS);
        for state in all_states().step_by(5) {
            for group in model.signature().group_ixs() {
                buffer.clear();
                let _ = stepper.group(group, &held(&state), &mut buffer);
                for step in buffer.iter() {
                    let path = model.unfold(&held(&state), group, step.action, step.state);
                    let first = &program.commands[group.ix()];
                    let path = path.expect("every step has a path");
                    assert!(path.len() == 1 || first.then != Then::Rest);
                    unfolded += usize::from(first.then != Then::Rest);
                    assert_eq!(
                        (&path[0].name, path.last().unwrap().state.as_slice()),
                        (&first.name, step.state)
                    );
                    let commands: Vec<&Command> = path
                        .iter()
                        .map(|inside| {
                            program.commands.iter().find(|command| command.name == inside.name).unwrap()
                        })
                        .collect();
                    for (pair, inside) in commands.windows(2).zip(&path[1..]) {
                        let number: u32 = inside.name[1..].parse().unwrap();
                        assert!(pair[0].then.next().contains(&number));
                        assert_eq!((&inside.spans, &inside.action), (&pair[1].spans, &pair[1].action));
                    }
                    let named = commands.iter().find(|command| command.alarm).unwrap_or(&commands[0]);
                    assert_eq!(model.signature().show_action(step.action), named.action.as_str());
                }
            }
        }
    }
    assert!(unfolded > 1000, "{unfolded}");
}
