//! Machine code against the interpreter: random programs on all states and on some outside the declared
//! ranges, programs that are hard to compile, and the DVE models that are there, along random walks.

#[path = "../../../lang-dve/tests/common/files.rs"]
mod files;
mod generator;
mod pair;

use std::path::Path;
use std::sync::Arc;

use base::{GroupIx, Source, TypeIx};
use commands::{
    Assign, BinaryOp, Command, CommandModel, Effect, Expr, Overflow, Place, Program, Step, Table, VarIx,
    Variable,
};
use model::{Calls, Compiled, Domain, Model, SlotRole, Successors, Type, Value};

use files::files_under;
use generator::Generator;
use pair::Pair;

#[test]
fn random_programs_do_the_same_compiled() {
    let mut random = toys::seeded();
    let table = Arc::new(Table { name: "table".into(), cells: vec![2, 0, -1, 1 << 33] });
    for number in 0..100 {
        let variables = if number % 4 == 0 { 9 } else { 8 };
        let mut generator = Generator { random: &mut random, variables, table: Arc::clone(&table), spans: 0 };
        let program = generator.program();
        let states: Vec<_> = (0..150).map(|_| generator.state()).collect();
        let model = CommandModel::new(program).unwrap();
        let mut pair = Pair::new(&model);
        for state in states {
            pair.check(&state);
        }
    }
}

/// Programs that say little but are hard on whoever goes through them.
fn program_of(commands: Vec<(Vec<Expr>, Vec<Step>)>) -> Program {
    let variable = |name: &str| Variable {
        name: name.into(),
        ty: TypeIx::new(0),
        length: None,
        initial: Vec::new(),
        overflow: Overflow::Wrap,
        scratch: false,
        role: SlotRole::Variable,
        span: None,
    };
    let commands = commands.into_iter().enumerate().map(|(number, (guards, steps))| Command {
        name: format!("c{number}"),
        action: "a".into(),
        guards,
        effect: Effect::Steps(steps),
        ..Command::default()
    });
    Program {
        name: "hard".into(),
        types: vec![Type::range("t", 0, 999)],
        variables: vec![variable("x"), variable("y")],
        commands: commands.collect(),
        ..Program::default()
    }
}

fn states_of_two() -> impl Iterator<Item = [Value; 2]> {
    (0..9).flat_map(|x| [0, 1, 2, 999].map(|y| [x, y]))
}

#[test]
fn deep_expressions_are_compiled() {
    let (x, y) = (|| Expr::variable(VarIx(0)), || Expr::variable(VarIx(1)));
    let mut sum = x();
    let (mut ands, mut ors, mut disabled) = (y(), y(), Expr::binary(BinaryOp::Div, x(), y()));
    // Code is made from trees by recursion; how deep a text can be is for the languages to limit.
    for depth in 0..1000 {
        sum = if depth % 2 == 0 {
            Expr::binary(BinaryOp::Add, x(), sum)
        } else {
            Expr::binary(BinaryOp::Mul, sum, y())
        };
        let test = Expr::binary(BinaryOp::Lt, x(), Expr::binary(BinaryOp::Mod, Expr::Constant(depth), y()));
        ands = if depth % 2 == 0 { ands.and(test.clone()) } else { test.clone().and(ands) };
        ors = if depth % 2 == 0 { test.or(ors) } else { ors.or(test) };
        if depth % 4 == 0 {
            disabled = Expr::Disabled(vec![Expr::binary(BinaryOp::Ne, x(), Expr::Constant(depth)), disabled]);
        }
    }
    let set = |value: Expr| vec![vec![Assign::new(Place::single(VarIx(1)), value)]];
    let commands = [sum, ands.not(), ors, disabled]
        .into_iter()
        .flat_map(|e| [(vec![e.clone()], set(x())), (vec![], set(e))]);
    let model = CommandModel::new(program_of(commands.collect())).unwrap();
    let mut pair = Pair::new(&model);
    states_of_two().for_each(|state| pair.check(&state));
}

/// What was set before must be seen as it is held: a fixed cell after a computed one of its array, and a
/// number that a slot holds with another sign.
#[test]
fn steps_see_what_the_steps_before_them_left() {
    let constant = Expr::Constant;
    let cell = |at: Expr| Place::cell(VarIx(0), at);
    let (x, y, held) = (VarIx(1), VarIx(2), VarIx(3));
    let set = |target: Place, value: Expr| vec![Assign::new(target, value)];
    let aliased = vec![
        set(cell(constant(0)), constant(5)),
        set(cell(Expr::variable(x)), constant(7)),
        set(Place::single(y), Expr::Read(cell(constant(0)))),
        set(cell(constant(1)), constant(9)),
        set(cell(constant(2)), Expr::Read(cell(Expr::variable(x)))),
    ];
    let large = vec![
        set(Place::single(held), Expr::binary(BinaryOp::Add, constant(3_000_000_000), Expr::variable(x))),
        set(Place::single(y), Expr::binary(BinaryOp::Lt, Expr::variable(held), constant(0))),
    ];
    let mut program = program_of(vec![(vec![], aliased), (vec![], large)]);
    let variable = |name: &str, ty: usize, length| Variable {
        name: name.into(),
        ty: TypeIx::new(ty),
        length,
        ..program.variables[0].clone()
    };
    let variables = vec![
        variable("a", 0, Some(3)),
        variable("x", 0, None),
        variable("y", 0, None),
        variable("held", 1, None),
    ];
    program.variables = variables;
    program.types.push(Type { name: "held".into(), domain: Domain::Interned(Arc::default()) });
    let model = CommandModel::new(program).unwrap();
    let mut pair = Pair::new(&model);
    for x in 0..4 {
        pair.check(&[1, 2, 3, x, 0, 0]);
    }
    pair.found.clear();
    pair.compiled.group(GroupIx::new(0), &[1, 2, 3, 0, 0, 0], &mut pair.found).unwrap();
    pair.compiled.group(GroupIx::new(1), &[1, 2, 3, 0, 0, 0], &mut pair.found).unwrap();
    assert_eq!(pair.found.state(0), [7, 9, 7, 0, 7, 0]);
    assert_eq!(pair.found.state(1), [1, 2, 3, 0, 1, 3_000_000_000]);
}

#[test]
fn many_commands_are_cut_into_routines() {
    let is = |variable: u32, value: i64| {
        Expr::binary(BinaryOp::Eq, Expr::variable(VarIx(variable)), Expr::Constant(value))
    };
    let more = |variable: u32, by: i64| {
        let value = Expr::binary(BinaryOp::Add, Expr::variable(VarIx(variable)), Expr::Constant(by));
        vec![vec![Assign::new(Place::single(VarIx(variable)), value)]]
    };
    let command = |number: i64| match number % 3 {
        0 => (vec![is(0, number / 300)], more(1, number)),
        1 => (vec![is(1, number % 7), is(0, number % 11)], more(0, number)),
        _ => (
            vec![Expr::binary(BinaryOp::Lt, Expr::variable(VarIx(0)), Expr::Constant(number % 10))],
            more(1, 1),
        ),
    };
    let model = CommandModel::new(program_of((0..3000).map(command).collect())).unwrap();
    let mut pair = Pair::new(&model);
    states_of_two().for_each(|state| pair.check_all(&state));
    assert!(pair.wanted.len() > 10_000);
}

#[test]
fn what_is_too_large_is_refused_and_interpreted() {
    let is = |value: i64| Expr::binary(BinaryOp::Eq, Expr::variable(VarIx(0)), Expr::Constant(value));
    let one = || vec![vec![Assign::new(Place::single(VarIx(1)), Expr::Constant(1))]];
    let model =
        CommandModel::new(program_of((0..200_000).map(|number| (vec![is(number % 900)], one())).collect()))
            .unwrap();
    let Compiled::Refused(why) = model.compile(Calls::States) else {
        panic!("200,000 commands were compiled")
    };
    assert!(why.contains("too large"), "{why}");
    let mut buffer = Successors::new(2);
    model.stepper().all(&[3, 0], &mut buffer).unwrap();
    assert_eq!(buffer.len(), 223);
}

/// The models of the benchmark, where they are there; those of the project always.
#[test]
fn dve_models_do_the_same_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.join("models"), root.join("../shared/models/dve")];
    let files: Vec<_> = folders.iter().flat_map(|folder| files_under(folder, "dve")).collect();
    let mut random = toys::seeded();
    let mut steps = 0;
    for file in &files {
        let text = std::fs::read(file).unwrap();
        let source = Source::new(file.to_string_lossy(), String::from_utf8_lossy(&text).into_owned());
        let Ok(loaded) = lang_dve::load(Arc::new(source)) else { continue };
        println!("{}", file.display());
        let mut pair = Pair::new(&*loaded.model);
        // Everything is asked for in some states, all successors in more.
        let everything = 2000 / loaded.model.signature().groups.len().max(20);
        let mut state = loaded.model.initial().to_vec();
        for step in 0..300 {
            pair.wanted.clear();
            pair.found.clear();
            if step < everything {
                pair.check(&state)
            } else {
                pair.check_all(&state)
            }
            pair.wanted.clear();
            let _ = pair.interpreted.all(&state, &mut pair.wanted);
            state = match pair.wanted.len() {
                0 => loaded.model.initial().to_vec(),
                count => pair.wanted.state(random.below(count)).to_vec(),
            };
            steps += 1;
        }
    }
    assert!(steps > 0, "no model of the project was found");
}
