//! Machine code against the interpreter: random programs on all states and on some outside the declared
//! ranges, programs that are hard to compile, and the DVE models that are there, along random walks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{GroupIx, GuardIx, LabelIx, Source, Span, TypeIx};
use commands::{
    Assign, At, BinaryOp, Command, CommandModel, Effect, Expr, LabelDef, Overflow, Place, Program, Step,
    Table, Then, UnaryOp, VarIx, Variable,
};
use model::{
    Calls, Compiled, Domain, EvalErrorKind, LabelKind, Model, SlotRole, Stepper, Successors, Type, Value,
};

/// Numbers that look random: xorshift64*.
struct Random(u64);

impl Random {
    fn seeded() -> Self {
        let seed = std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok());
        let now =
            || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
        let seed = seed.unwrap_or_else(now) | 1;
        println!("PINSCHER_SEED={seed}");
        Self(seed)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Two steppers of one model that must do the same.
struct Pair<'a> {
    model: &'a dyn Model,
    interpreted: Box<dyn Stepper + 'a>,
    compiled: Box<dyn Stepper + 'a>,
    wanted: Successors,
    found: Successors,
}

impl<'a> Pair<'a> {
    fn new(model: &'a dyn Model) -> Self {
        let interpreted = model.stepper();
        for calls in [Calls::States, Calls::Groups] {
            let compiled = model.compile(calls);
            assert!(matches!(compiled, Compiled::Done { .. }), "{compiled:?}");
        }
        let width = model.initial().len();
        let buffer = || Successors::new(width);
        Self { model, interpreted, compiled: model.stepper(), wanted: buffer(), found: buffer() }
    }

    /// What is in the buffers, in order, with everything that is known of each successor.
    fn same_rows(&self, what: &str, state: &[Value]) {
        let rows = |buffer: &Successors| -> Vec<_> {
            let row =
                |s: model::Successor<'_>| (s.group, s.action, s.state.to_vec(), s.copied_words().to_vec());
            buffer.iter().map(row).collect()
        };
        assert_eq!(rows(&self.found), rows(&self.wanted), "{what} of {state:?}");
    }

    /// Asks for everything in a state. The buffers are not emptied between some calls: both append.
    fn check(&mut self, state: &[Value]) {
        let signature = self.model.signature();
        self.wanted.clear();
        self.found.clear();
        for group in GroupIx::all(signature.groups.len()) {
            let wanted = self.interpreted.group(group, state, &mut self.wanted);
            assert_eq!(
                self.compiled.group(group, state, &mut self.found),
                wanted,
                "group {group:?} of {state:?}"
            );
            self.same_rows("group", state);
            if group.ix() % 3 == 0 {
                self.wanted.clear();
                self.found.clear();
            }
            let wanted = self.interpreted.update(group, state, &mut self.wanted);
            assert_eq!(
                self.compiled.update(group, state, &mut self.found),
                wanted,
                "update {group:?} of {state:?}"
            );
            self.same_rows("update", state);
        }
        for guard in GuardIx::all(signature.guards.len()) {
            let wanted = self.interpreted.guard(guard, state);
            assert_eq!(self.compiled.guard(guard, state), wanted, "guard {guard:?} of {state:?}");
        }
        for label in LabelIx::all(signature.labels.len()) {
            let wanted = self.interpreted.label(label, state);
            assert_eq!(self.compiled.label(label, state), wanted, "label {label:?} of {state:?}");
        }
        self.check_all(state);
    }

    fn check_all(&mut self, state: &[Value]) {
        let wanted = self.interpreted.all(state, &mut self.wanted);
        assert_eq!(self.compiled.all(state, &mut self.found), wanted, "all of {state:?}");
        self.same_rows("all", state);
    }
}

/// A variable of a random program: how many cells, its least and greatest value, whether it wraps, whether it
/// is scratch.
const VARIABLES: [(Option<usize>, i32, i32, Overflow, bool); 9] = [
    (None, 0, 3, Overflow::Error, false),
    (None, -2, 1, Overflow::Wrap, false),
    (Some(3), 0, 3, Overflow::Error, false),
    (None, 0, 255, Overflow::Wrap, false),
    (Some(2), -3, 2, Overflow::Wrap, false),
    (None, i32::MIN, i32::MAX, Overflow::Error, false),
    (None, -3, 3, Overflow::Wrap, true),
    (Some(3), -100, 99, Overflow::Error, true),
    // A state of more than 64 slots, and of more than the builder copies without a loop, where `wide` says
    // so.
    (Some(70), 0, 4, Overflow::Error, false),
];

struct Generator<'r> {
    random: &'r mut Random,
    variables: usize,
    table: Arc<Table>,
    spans: usize,
}

impl Generator<'_> {
    /// A place in the source, another one each time: errors must point at the same.
    fn at(&mut self) -> At {
        self.spans += 1;
        At(Some(Span::new(self.spans, self.spans + 1)))
    }

    fn place(&mut self, depth: usize, scratch: bool) -> Place {
        let fits: Vec<usize> = (0..self.variables).filter(|&v| scratch || !VARIABLES[v].4).collect();
        let variable = self.random.of(&fits);
        let index = VARIABLES[variable].0.map(|length| {
            Box::new(match self.random.below(4) {
                0 => Expr::Constant(self.random.below(length + 1) as i64),
                1 => Expr::variable(VarIx(self.random.of(&[0, 1, 3]))),
                _ => self.expr(depth.min(1), scratch),
            })
        });
        Place { variable: VarIx(variable as u32), index, at: self.at() }
    }

    fn expr(&mut self, depth: usize, scratch: bool) -> Expr {
        use BinaryOp::*;
        if depth == 0 || self.random.one_in(4) {
            return match self.random.below(3) {
                0 => Expr::Constant(self.random.of(&[-2, -1, 0, 1, 2, 3, 4, 63, 64, 255, 1 << 40, i64::MIN])),
                _ => Expr::Read(self.place(0, scratch)),
            };
        }
        let below = depth - 1;
        let inner = |g: &mut Self| Box::new(g.expr(below, scratch));
        match self.random.below(15) {
            7 => Expr::choice(*inner(self), *inner(self), *inner(self)),
            0 => Expr::And(inner(self), inner(self)),
            1 => Expr::Or(inner(self), inner(self)),
            2 => Expr::Unary(self.random.of(&[UnaryOp::Not, UnaryOp::Negate, UnaryOp::BitNot]), inner(self)),
            3 => Expr::Disabled((0..self.random.below(4)).map(|_| self.expr(below, scratch)).collect()),
            4 => Expr::Table { table: Arc::clone(&self.table), index: inner(self), at: self.at() },
            5 => {
                let ranges = [
                    (-2, 3),
                    (0, 255),
                    (-32768, 32767),
                    (5, 5),
                    (i64::MIN, i64::MAX),
                    (-7, 1 << 62),
                    (1, 1 << 61),
                ];
                let (lo, hi) = self.random.of(&ranges);
                Expr::Wrap { lo, hi, value: inner(self) }
            }
            6 => Expr::Read(self.place(below, scratch)),
            _ => {
                let op = self.random.of(&[
                    Add, Sub, Mul, Div, Mod, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge, Eq, Ne,
                    Lt, Add,
                ]);
                let at = self.at();
                Expr::Binary(op, inner(self), inner(self), at)
            }
        }
    }

    fn guards(&mut self) -> Vec<Expr> {
        let count = self.random.below(4);
        let mut guards: Vec<Expr> = (0..count).map(|_| self.expr(2, false)).collect();
        // Most commands ask where something stands.
        for _ in 0..self.random.below(3) {
            let slot = Expr::variable(VarIx(self.random.of(&[0, 1, 3])));
            let value = Expr::Constant(self.random.below(4) as i64);
            let at = self.random.below(guards.len() + 1);
            guards.insert(
                at,
                Expr::binary(self.random.of(&[BinaryOp::Eq, BinaryOp::Eq, BinaryOp::Ne]), slot, value),
            );
        }
        guards
    }

    /// Scratch means something only after it was assigned.
    fn steps(&mut self) -> Vec<Step> {
        let mut first = vec![Assign::new(Place::single(VarIx(6)), Expr::Constant(2))];
        first.extend(
            (0..3).map(|at| Assign::new(Place::cell(VarIx(7), Expr::Constant(at)), Expr::Constant(at * 5))),
        );
        let mut steps = vec![first];
        for _ in 0..self.random.below(4) {
            let assigns = (0..1 + self.random.below(3)).map(|_| {
                let (target, value) = (self.place(1, true), self.expr(2, true));
                Assign { target, value, at: self.at() }
            });
            steps.push(assigns.collect());
        }
        steps
    }

    /// Commands behind this one: paths end, and there are not too many.
    fn then(&mut self, number: usize, count: usize) -> Then {
        let mut next: Vec<u32> =
            (number as u32 + 1..count as u32).filter(|_| self.random.one_in(2)).collect();
        next.truncate(4);
        match self.random.below(4) {
            0 | 1 => Then::Rest,
            2 => Then::All(next),
            _ => Then::First(next),
        }
    }

    fn program(&mut self) -> Program {
        let variables = VARIABLES[..self.variables].iter().enumerate().map(|(number, v)| Variable {
            name: format!("v{number}"),
            ty: TypeIx::new(number),
            length: v.0,
            initial: Vec::new(),
            overflow: v.3,
            scratch: v.4,
            role: SlotRole::Variable,
            span: None,
        });
        let variables = variables.collect();
        let count = 1 + self.random.below(8);
        let outer = 1 + self.random.below(count);
        let commands = (0..count).map(|number| Command {
            name: format!("c{number}"),
            action: format!("a{}", number % 3),
            guards: self.guards(),
            effect: if self.random.one_in(8) {
                Effect::Fail(EvalErrorKind::Other(format!("c{number} fails")), self.at())
            } else {
                Effect::Steps(self.steps())
            },
            then: self.then(number, count),
            inner: number >= outer,
            alarm: self.random.one_in(5),
            ..Command::default()
        });
        let commands = commands.collect();
        let labels = (0..2).map(|number| LabelDef {
            name: format!("l{number}"),
            kind: LabelKind::Plain,
            value: self.expr(3, false),
            span: None,
        });
        Program {
            name: "random".into(),
            types: VARIABLES.iter().map(|v| Type::range("t", v.1, v.2)).collect(),
            variables,
            commands,
            labels: labels.collect(),
            source: None,
        }
    }

    /// A state, most slots within their ranges, some a little outside.
    fn state(&mut self) -> Vec<Value> {
        let cells =
            VARIABLES[..self.variables].iter().filter(|v| !v.4).flat_map(|v| vec![*v; v.0.unwrap_or(1)]);
        let cells: Vec<_> = cells.collect();
        let value = |v: (Option<usize>, i32, i32, Overflow, bool)| {
            let inside = v.1.wrapping_add(self.random.below(6) as i32).clamp(v.1, v.2);
            match self.random.below(30) {
                0 => v.2.wrapping_add(1),
                1 => v.1.wrapping_sub(1),
                2 => self.random.of(&[i32::MIN, i32::MAX, -1, 70_000]),
                _ if v.1 == i32::MIN => self.random.below(9) as i32 - 4,
                _ => inside,
            }
            .cast_unsigned()
        };
        cells.into_iter().map(value).collect()
    }
}

#[test]
fn random_programs_do_the_same_compiled() {
    let mut random = Random::seeded();
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

fn dve_files(under: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(under).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            dve_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "dve") {
            files.push(path);
        }
    }
}

/// The models of the benchmark, where they are there; those of the project always.
#[test]
fn dve_models_do_the_same_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    dve_files(&root.join("models"), &mut files);
    dve_files(&root.join("../shared/models/dve"), &mut files);
    files.sort();
    let mut random = Random::seeded();
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
