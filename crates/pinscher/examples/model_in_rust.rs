//! A model written in Rust, checked by both engines: `cargo run --example model_in_rust`
//!
//! Two jugs hold three and five litres. One can fill a jug, empty it, or pour it into the other one. Can
//! there be four litres in the large one? *Never four litres* is an invariant, and the run that breaks it is
//! the answer.

use std::sync::Arc;

use pinscher::base::{GroupIx, GuardIx, LabelIx, TypeIx};
use pinscher::model::{
    Dependencies, EvalError, Group, Model, Signature, Slot, SlotRole, Stepper, Successors, Truth, Type,
    Value, every_group,
};
use pinscher::{Check, Engine, Loaded};

/// What the jugs hold: slot 0 is the small one, slot 1 the large one.
const SIZES: [Value; 2] = [3, 5];

/// The groups: what one can do, to which slots it is done, and whether it depends on what they hold.
const GROUPS: [(&str, &[usize], bool); 6] = [
    ("fill the small jug", &[0], false),
    ("fill the large jug", &[1], false),
    ("empty the small jug", &[0], false),
    ("empty the large jug", &[1], false),
    ("pour small into large", &[0, 1], true),
    ("pour large into small", &[0, 1], true),
];

struct Jugs {
    signature: Signature,
    dependencies: Dependencies,
}

impl Jugs {
    fn new() -> Self {
        let slot = |name: &str, ty| Slot {
            name: name.into(),
            ty: TypeIx::new(ty),
            span: None,
            role: SlotRole::Variable,
        };
        let group = |name: &str| Group { name: name.into(), guards: vec![], spans: vec![], effect: None };
        let signature = Signature {
            name: "jugs".into(),
            types: vec![Type::range("litres", 0, SIZES[0] as i32), Type::range("litres", 0, SIZES[1] as i32)],
            slots: vec![slot("small", 0), slot("large", 1)],
            groups: GROUPS.iter().map(|(name, ..)| group(name)).collect(),
            guards: vec![],
            labels: vec![],
            // There is one action, without a name of its own.
            action: Type::names("action", vec!["move".into()]),
            alarms: vec![],
            source: None,
        };
        // The matrices may say too much, never too little: a group that pours reads what it writes.
        let mut dependencies = Dependencies::none(2, GROUPS.len(), 0, 0);
        for (at, (_, slots, reads)) in GROUPS.iter().enumerate() {
            for &slot in *slots {
                dependencies.may_write.set(at, slot);
                dependencies.must_write.set(at, slot);
                if *reads {
                    dependencies.read.set(at, slot);
                    dependencies.update_read.set(at, slot);
                }
            }
        }
        Self { signature, dependencies }
    }
}

impl Model for Jugs {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    fn initial(&self) -> &[Value] {
        &[0, 0]
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(Moves)
    }
}

struct Moves;

impl Stepper for Moves {
    /// Appends the successors of `from` through one group; here there is always one.
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let state = to.push(group, 0, from);
        let mut pour = |from: usize, into: usize| {
            let poured = state[from].min(SIZES[into] - state[into]);
            state[from] -= poured;
            state[into] += poured;
        };
        match group.ix() {
            0 => state[0] = SIZES[0],
            1 => state[1] = SIZES[1],
            2 => state[0] = 0,
            3 => state[1] = 0,
            4 => pour(0, 1),
            _ => pour(1, 0),
        }
        Ok(())
    }

    /// There are no guards, so this is the same.
    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.group(group, from, to)
    }

    fn guard(&mut self, _: GuardIx, _: &[Value]) -> Truth {
        Truth::True
    }

    fn label(&mut self, _: LabelIx, _: &[Value]) -> Result<Value, EvalError> {
        unreachable!("there are no labels")
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        every_group(self, GROUPS.len(), from, to)
    }

    fn some(
        &mut self,
        groups: std::ops::Range<usize>,
        most: usize,
        from: &[Value],
        to: &mut Successors,
    ) -> model::Part {
        model::some_groups(self, groups, most, from, to)
    }
}

fn main() -> Result<(), pinscher::Error> {
    let loaded = Loaded::of_model("jugs", Arc::new(Jugs::new()));
    for engine in [Engine::Explicit, Engine::Symbolic] {
        let outcome = Check::new(&loaded).invariant("large != 4")?.engine(engine).run()?;
        let answer = &outcome.answers[0];
        println!("{}: {} is {}", outcome.engine, answer.property.name, answer.verdict.name());
        let evidence = answer.evidence.as_ref().expect("BUG: four litres can be had");
        for step in &evidence.run().steps {
            let [small, large] = step.state[..] else { unreachable!("BUG: there are two jugs") };
            println!("  {:<22} {small} and {large}", loaded.model.signature().groups[step.group.ix()].name);
        }
        // Both engines find a shortest run.
        assert_eq!(evidence.run().steps.len(), 6);
    }
    Ok(())
}
