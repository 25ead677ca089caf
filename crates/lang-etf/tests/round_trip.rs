//! Explored, written, read back, explored again: the same counts.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{GroupIx, GuardIx, Interner, LabelIx, Source, TypeIx};
use lang_etf::Writer;
use model::{
    Dependencies, Domain, EvalError, EvalErrorKind, Group, Label, LabelKind, Model, Signature, Slot,
    SlotRole, Stepper, Successors, Truth, Type, Value, every_group,
};
use support::{Counts, explore, load};

/// The text of a model after a complete search, and the counts of that search.
fn written(model: &dyn Model) -> (String, Counts) {
    let mut writer = Writer::new(model);
    let (counts, _) = explore(model, &mut writer);
    let mut text = Vec::new();
    writer.write(&mut text).unwrap();
    (String::from_utf8(text).unwrap(), counts)
}

/// How often each value of each label is there among the reachable states; zero stays zero.
fn label_values(model: &dyn Model) -> Vec<BTreeMap<Option<bool>, usize>> {
    let (_, states) = explore(model, &mut ());
    let mut stepper = model.stepper();
    let mut count = |label: LabelIx| {
        let mut values = BTreeMap::new();
        for state in &states {
            *values.entry(stepper.label(label, state).ok().map(|value| value == 0)).or_default() += 1;
        }
        values
    };
    model.signature().label_ixs().map(&mut count).collect()
}

fn survives(model: &dyn Model) -> String {
    let (text, counts) = written(model);
    let back = load(&text);
    assert_eq!(back.warnings, [], "{text}");
    let (again, back_counts) = written(&*back.model);
    assert_eq!(back_counts, counts, "{text}");
    assert_eq!(label_values(&*back.model), label_values(model), "{text}");
    assert_eq!(back.model.signature().groups.len(), model.signature().groups.len());
    // What is written of a table is that table: no row is lost or added the second time.
    assert_eq!(again, text);
    text
}

#[test]
fn a_text_survives() {
    let text = survives(&*load(
        "begin state\nx\\.y:light n:nat\nend state\nbegin edge\na:act\nend edge\nbegin init\n1 3\nend init\n\
         begin trans\n0/1 * 0\n1/0 * 1\nend trans\nbegin trans\nend trans\nbegin trans\n* 3/2 \"\\\"go\\\"\"\n* 2/1 0\n0/0 1/1 0\nend trans\n\
         begin map m:nat\n0 * 0\n1 * 1\nend map\nbegin sort light\noff\non\nend sort\nbegin sort act\nup\ndown\nend sort\n",
    ).model);
    assert!(text.contains("x\\.y:light n:nat") && text.contains("\"\\\"go\\\"\""), "{text}");
    assert!(text.contains("begin trans\nend trans\n"), "the empty group is gone from\n{text}");
}

#[test]
fn only_what_matters_is_written() {
    let (text, _) = written(
        &*load(
            "begin state\na:nat b:nat c:nat\nend state\nbegin edge\nend edge\nbegin init\n0 0 0\nend init\n\
         begin trans\n* 0/1 *\nend trans\nbegin trans\n0/1 * *\nend trans\n",
        )
        .model,
    );
    assert!(
        text.contains("begin trans\n* 0/1 * 0\nend trans\nbegin trans\n0/1 * * 1\nend trans\n"),
        "{text}"
    );
}

/// `a[i] := -2`, `i := i + 1 mod 2`, `a[0] := a[1] := 0`, and a mode that alternates, with everything that
/// ETF has no word for: negative numbers, slots that are written or copied, values that turn up during the
/// search, equal names, a label that fails.
struct Array {
    signature: Signature,
    dependencies: Dependencies,
}

const MINUS_TWO: Value = (-2i32).cast_unsigned();

impl Array {
    fn new() -> Self {
        let modes = Interner::<str>::default();
        modes.intern("waiting");
        modes.intern("wild \u{3b1}\n");
        let slot = |name: &str, ty: usize| Slot {
            name: name.into(),
            ty: TypeIx::new(ty),
            span: None,
            role: SlotRole::Variable,
        };
        let group =
            |name: &str| Group { name: name.into(), guards: Vec::new(), spans: Vec::new(), effect: None };
        let label = |name: &str| Label { name: name.into(), kind: LabelKind::Assertion, span: None };
        let signature = Signature {
            name: "array".into(),
            types: vec![
                Type::range("int", -5, 5),
                Type::range("int", 0, 1),
                Type { name: "mode".into(), domain: Domain::Interned(Arc::new(modes)) },
                Type::range("unused", 0, 1),
            ],
            slots: vec![slot("i", 1), slot("a[0]", 0), slot("a[1]", 0), slot("end", 2)],
            groups: vec![group("put"), group("next"), group("never"), group("clear")],
            guards: Vec::new(),
            labels: vec![label("sum"), label("sum")],
            action: Type::names("action", vec!["tau".into(), "tau".into()]),
            alarms: Vec::new(),
            source: None,
        };
        let mut dependencies = Dependencies::none(4, 4, 0, 2);
        for (group, slot) in [(0, 0), (1, 0), (1, 3)] {
            dependencies.read.set(group, slot);
            dependencies.update_read.set(group, slot);
        }
        for (group, slot) in [(0, 1), (0, 2), (1, 0), (1, 3), (3, 1), (3, 2)] {
            dependencies.may_write.set(group, slot);
            if group > 0 {
                dependencies.must_write.set(group, slot);
            }
        }
        for (label, slot) in [(0, 1), (0, 2), (1, 0), (1, 1)] {
            dependencies.label_reads.set(label, slot);
        }
        Self { signature, dependencies }
    }
}

impl Model for Array {
    model::from_fields!(signature, dependencies);
    fn initial(&self) -> &[Value] {
        &[0, 3, 4, 0]
    }
    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(ArrayStepper)
    }
}

struct ArrayStepper;

impl Stepper for ArrayStepper {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let at = from[0] as usize;
        match group.ix() {
            0 => {
                to.push(group, 0, from)[1 + at] = MINUS_TWO;
                to.mark_copied(&[1 << (2 - at)]);
                to.push(group, 1, from)[1 + at] = MINUS_TWO;
                to.mark_copied(&[1 << (2 - at)]);
            }
            1 => {
                let state = to.push(group, 0, from);
                state[0] = 1 - from[0];
                state[3] = 1 - from[3];
            }
            3 => to.push(group, 0, from)[1..3].fill(0),
            _ => {}
        }
        Ok(())
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.group(group, from, to)
    }

    fn guard(&mut self, _guard: GuardIx, _from: &[Value]) -> Truth {
        Truth::True
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        match (label.ix(), from[0]) {
            (0, _) => Ok(from[1].wrapping_add(from[2])),
            (_, 0) => Ok(from[1]),
            _ => Err(EvalError { kind: EvalErrorKind::DivisionByZero, span: None }),
        }
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        every_group(self, 4, from, to)
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

#[test]
fn a_model_of_another_language_survives() {
    let model = Array::new();
    let (text, counts) = written(&model);
    let back = load(&text).model;
    assert_eq!(explore(&*back, &mut ()).0, counts, "{text}");
    assert_eq!(label_values(&*back), label_values(&model), "{text}");
    // Written in slot 1, copied in slot 2: the copied one does not matter.
    assert!(text.contains("\n0/0 "), "{text}");
    assert!(text.lines().any(|line| line.starts_with("0/0 ") && line.contains(" * * ")), "{text}");
    assert!(
        text.contains("\"tau\"\n\"tau'1\"\n") && text.contains("\"-2\"") && text.contains("\\end:mode"),
        "{text}"
    );
    assert!(text.contains("begin map sum:label\n") && text.contains("begin map sum'1:label\n"), "{text}");
}

#[test]
fn a_model_without_slots_survives() {
    struct Dot(Signature, Dependencies);
    impl Model for Dot {
        fn signature(&self) -> &Signature {
            &self.0
        }
        fn dependencies(&self) -> &Dependencies {
            &self.1
        }
        fn initial(&self) -> &[Value] {
            &[]
        }
        fn stepper(&self) -> Box<dyn Stepper + '_> {
            Box::new(Loop)
        }
    }
    struct Loop;
    impl Stepper for Loop {
        fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
            to.push(group, 0, from);
            Ok(())
        }
        fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
            self.group(group, from, to)
        }
        fn guard(&mut self, _guard: GuardIx, _from: &[Value]) -> Truth {
            Truth::True
        }
        fn label(&mut self, _label: LabelIx, _from: &[Value]) -> Result<Value, EvalError> {
            Ok(0)
        }
        fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
            every_group(self, 1, from, to)
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
    let signature = Signature {
        types: Vec::new(),
        slots: Vec::new(),
        groups: vec![Group { name: "loop".into(), guards: Vec::new(), spans: Vec::new(), effect: None }],
        labels: Vec::new(),
        ..Array::new().signature
    };
    let (text, counts) = written(&Dot(signature, Dependencies::none(0, 1, 0, 0)));
    assert_eq!(support::counts(&text), counts, "{text}");
}

#[test]
fn published_models_survive() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/etf");
    let mut seen = 0;
    for name in ["ltsmin/gear.1.etf", "from-mcc/FMS-PT-00002.etf", "from-mcc/LamportFastMutEx-PT-2.etf"] {
        if let Ok(text) = std::fs::read_to_string(folder.join(name)) {
            let loaded = lang_etf::load(Arc::new(Source::new(name, text))).unwrap();
            survives(&*loaded.model);
            seen += 1;
        }
    }
    println!("{seen} published models written and read back");
}
